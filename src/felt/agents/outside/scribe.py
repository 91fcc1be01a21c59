"""What a player sees at many tables, written as JSON straight from their arrays: the text is that of `view_dict`."""

import json
from typing import Any

from felt.agents.tables import Tables
from felt.cards.card import CARD_NAMES
from felt.games import fields as f
from felt.games.public import side_pots
from felt.games.record import Move
from felt.games.rules import GameRules
from felt.games.view_dict import view_dict

FOLD, CALL, RAISE = int(Move.FOLD), int(Move.CALL), int(Move.RAISE)


def writes(rules: GameRules) -> bool:
    """Whether the quick way knows a game: cards face down in the first round, then a board, and bets."""
    return all(
        not (part.up or part.passes or part.discards or part.draw_most or (at and part.down) or (at and not part.board))
        for at, part in enumerate(rules.rounds)
    )


Past = list[tuple[list[int], list[int]]]
"""For every step the moves by table, and where they were made."""


class Scribe:
    """Writes views. Keeps the histories of the tables that it has written down, and adds to them."""

    def __init__(self) -> None:
        self._batch: Any = None
        self._histories: dict[int, tuple[int, int, str]] = {}
        """By table: how many steps are told, of which street the last deal, and the text."""
        self._past: Past = []

    def views(self, tables: Tables) -> list[tuple[int, str, str]]:
        """For every table the player's seat and cards, and the view."""
        if tables.past is None or not writes(tables.rules):
            return [self._slowly(tables, row) for row in range(len(tables))]
        if tables.batch is not self._batch:
            self._batch, self._histories, self._past = tables.batch, {}, []
        for step in range(len(self._past), len(tables.past[0])):
            self._past.append((tables.past[0][step].tolist(), tables.past[1][step].tolist()))
        return _Page(tables, self._histories, self._past).written()

    @staticmethod
    def _slowly(tables: Tables, row: int) -> tuple[int, str, str]:
        view = tables.view(row)
        own = "".join(CARD_NAMES[card] for card in view.own)
        return view.seat, own, json.dumps(view_dict(view), separators=(",", ":"))


class _Page:
    """One call's tables."""

    def __init__(self, tables: Tables, histories: dict[int, tuple[int, int, str]], past: Past) -> None:
        self.tables, self.histories, self.past = tables, histories, past
        self.rules, self.players = tables.rules, tables.players
        self.head = f'{{"game":{json.dumps(self.rules.name)},"seat":'
        self.rounds = [json.dumps(part.name) for part in self.rules.rounds]
        self.boards = [sum(part.board for part in self.rules.rounds[:street]) for street in range(len(self.rounds) + 1)]
        self.down = self.rules.rounds[0].down
        stakes, cap = tables.batch.stakes, self.rules.cap
        whole = [min(stack, cap or stack) for stack in stakes.stacks]
        dead = [min(ante, all_) if stakes.dead_antes else 0 for ante, all_ in zip(stakes.antes, whole, strict=True)]
        self.all_in = [all_ - paid for all_, paid in zip(whole, dead, strict=True)]
        """Chips in the pot with which a player has nothing left, by seat."""

    def written(self) -> list[tuple[int, str, str]]:
        tables = self.tables
        numbers = tables.batch.arrays[0][tables.rows]
        columns = zip(
            tables.rows.tolist(), numbers.tolist(), tables.own.tolist(), tables.board.tolist(), tables.legal.tolist(),
            strict=True,
        )  # fmt: skip
        return [self.view(row, h, own, board, legal) for row, h, own, board, legal in columns]

    def view(self, row: int, h: list[int], held: list[int], dealt: list[int], legal: list[int]) -> tuple[int, str, str]:
        seat, street = h[f.TURN], h[f.STREET]
        own = "".join([CARD_NAMES[card] for card in held[: self.down]])
        board = [CARD_NAMES[card] for card in dealt[: h[f.BOARD_COUNT]]]
        put = h[f.PUT : f.PUT + self.players]
        pot = sum(put) + h[f.DEAD]
        history = self.history(row, h, own, board)
        text = (
            f'{self.head}{seat},"button":{h[f.BUTTON]},"street":{street},"round":{self.rounds[street]},"phase":"bet",'
            f'"turn":{seat},"legal":{_legal(legal)},"board":"{"".join(board)}","pot":{pot},'
            f'"pots":{self.pots(row, h, put, pot)},"seats":[{self.seats(h, put, seat, own)}],"shown":[],"mucked":[],'
            f'"deck_left":{h[f.DECK_COUNT] - h[f.DECK_AT]},"history":[{history}],"payoffs":null,"rake":{h[f.RAKE]}}}'
        )
        return seat, own, text

    def pots(self, row: int, h: list[int], put: list[int], pot: int) -> str:
        live = [seat for seat in range(self.players) if h[f.LIVE] >> seat & 1]
        if any(put[seat] >= self.all_in[seat] for seat in live):
            return json.dumps(self.parts(row), separators=(",", ":"))
        return f'[{{"chips":{pot},"seats":[{",".join(map(str, live))}]}}]' if pot else "[]"

    def parts(self, row: int) -> list[dict[str, Any]]:
        """The pot where somebody is all in: by the rule for one table."""
        return [{"chips": pot.chips, "seats": list(pot.seats)} for pot in side_pots(self.tables.batch.hand(row))]

    def seats(self, h: list[int], put: list[int], own_seat: int, own: str) -> str:
        live, down = h[f.LIVE], self.down
        return ",".join(
            [
                f'{{"seat":{seat},"stack":{h[f.STACKS + seat] + h[f.ASIDE + seat]},"bet":{h[f.BETS + seat]},'
                f'"put":{chips},"folded":{"false" if live >> seat & 1 else "true"},'
                f'"all_in":{"true" if live >> seat & 1 and chips >= self.all_in[seat] else "false"},'
                f'"cards":"{own if seat == own_seat else ""}","up":"","down":{down},"won":0}}'
                for seat, chips in enumerate(put)
            ]
        )

    def history(self, row: int, h: list[int], own: str, board: list[str]) -> str:
        street, past = h[f.STREET], self.past
        told, dealt, text = self.histories.get(row) or (0, 0, self.first_deal(h, own, board))
        for codes, places in past[told:]:
            code, place = codes[row], places[row]
            if place >> 4 > dealt:
                text += self.deals(dealt + 1, place >> 4, board)
                dealt = place >> 4
            text += _move(code, place & 15)
        if street > dealt:
            text += self.deals(dealt + 1, street, board)
        self.histories[row] = (len(past), street, text)
        return text

    def first_deal(self, h: list[int], own: str, board: list[str]) -> str:
        own_seat, after = h[f.TURN], h[f.BUTTON] + 1
        text, down = "", self.down
        for seat in (*range(after, self.players), *range(after)) if down else ():
            cards = f'"cards":"{own}","count":{down}' if seat == own_seat else f'"count":{down}'
            text += f',{{"kind":"down","seat":{seat},{cards}}}'
        return text[1:] + self.deals(0, 0, board) if text else self.deals(0, 0, board)[1:]

    def deals(self, first: int, last: int, board: list[str]) -> str:
        text = ""
        for street in range(first, last + 1):
            cards = board[self.boards[street] : self.boards[street + 1]]
            if cards:
                text += f',{{"kind":"board","cards":"{"".join(cards)}","count":{len(cards)}}}'
        return text


def _legal(legal: list[int]) -> str:
    fold, call, least, most, _, _ = legal
    raise_to = f'{{"least":{least},"most":{most}}}' if least > 0 else "null"
    return (
        f'{{"fold":{"true" if fold else "false"},"call":{call if call >= 0 else "null"},'
        f'"raise_to":{raise_to},"exchange":null}}'
    )


def _move(code: int, seat: int) -> str:
    move = code & 3
    if move == RAISE:
        return f',{{"kind":"raise","seat":{seat},"amount":{code >> 2}}}'
    return f',{{"kind":"{"call" if move == CALL else "fold"}","seat":{seat}}}'
