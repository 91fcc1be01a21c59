"""What a player sees at many tables, written as JSON straight from their arrays: the text is that of `View.as_dict`."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.tables import Tables
from felt.cards.card import CARD_NAMES
from felt.games.engine import fields as f
from felt.games.moves import CALL, RAISE, decode_move
from felt.games.rules import GameRules
from felt.games.views.public import side_pots

SCALARS = (f.TURN, f.STREET, f.BUTTON, f.LIVE, f.DECK_AT, f.DECK_COUNT, f.RAKE, f.BOARD_COUNT)
"""Places of a board."""


def writes(rules: GameRules) -> bool:
    """Whether the quick way knows a game: cards face down in the first round, then a board, and bets."""
    return not (rules.has_draws or rules.shows_cards) and all(
        not (at and (part.down or not part.board)) for at, part in enumerate(rules.rounds)
    )


Past = list[tuple[list[int], list[int]]]
"""For every step the moves by table, and where they were made."""


class Scribe:
    """Writes views. Keeps the histories of the tables that it has written down, and adds to them."""

    def __init__(self, *, named: bool = False) -> None:
        """`named`: whether views have the names of the players."""
        self._named = named
        self._batch: Any = None
        self._histories: dict[int, tuple[int, int, str]] = {}
        """By table: how many steps are told, of which street the last deal, and the text."""
        self._past: Past = []

    def views(self, tables: Tables) -> list[tuple[int, str, str]]:
        """For every table the player's seat and cards, and the view."""
        written = self._views(tables)
        if not self._named:
            return written
        names = [[]] * len(tables) if tables.names is None else tables.names.tolist()
        texts = [json.dumps(row, separators=(",", ":")) for row in names]
        return [
            (seat, own, f'{view[:-1]},"names":{text}}}') for (seat, own, view), text in zip(written, texts, strict=True)
        ]

    def _views(self, tables: Tables) -> list[tuple[int, str, str]]:
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
        return view.seat, own, json.dumps(view.as_dict(), separators=(",", ":"))


class _Page:
    """One call's tables."""

    def __init__(self, tables: Tables, histories: dict[int, tuple[int, int, str]], past: Past) -> None:
        self.tables, self.histories, self.past = tables, histories, past
        self.rules, self.players = tables.rules, tables.players
        self.head = f'{{"game":{json.dumps(self.rules.name)},"seat":'
        rounds = self.rules.rounds
        self.rounds = [f'{street},"round":{json.dumps(part.name)}' for street, part in enumerate(rounds)]
        self.boards = [sum(part.board for part in rounds[:street]) for street in range(len(rounds) + 1)]
        self.down = rounds[0].down
        self.all_in = _all_in(tables)
        self.sharing: dict[int, str] = {}

    def written(self) -> list[tuple[int, str, str]]:
        """For every table the player's seat and cards, and the view."""
        tables = self.tables
        numbers = tables.batch.arrays[0][tables.rows[:, None], SCALARS]
        # long lists of numbers and bytes, none for each table: Python would look through those for garbage
        self.columns = numbers.T.tolist()
        self.chips: list[Any] = [part.T.tolist() for part in (tables.stacks, tables.bets, tables.put, self.all_in)]
        self.own, self.board = tables.own[:, : self.down].tobytes(), tables.board.tobytes()
        self.legal, self.pot = tables.legal[:, :4].T.tolist(), tables.pot.tolist()
        self.parted = self.all_in.sum(axis=1).tolist()
        return [self.view(place, row) for place, row in enumerate(tables.rows.tolist())]

    def view(self, place: int, row: int) -> tuple[int, str, str]:
        """One of them."""
        seat, street, button, live, deck_at, deck_count, rake, count = [column[place] for column in self.columns]
        own = "".join([CARD_NAMES[card] for card in self.own[place * self.down : (place + 1) * self.down]])
        board = "".join([CARD_NAMES[card] for card in self.board[place * f.BOARD_SIZE : place * f.BOARD_SIZE + count]])
        pot = self.pot[place]
        text = (
            f'{self.head}{seat},"button":{button},"street":{self.rounds[street]},"phase":"bet",'
            f'"turn":{seat},"legal":{_legal(*[column[place] for column in self.legal])},"board":"{board}","pot":{pot},'
            f'"pots":{self.pots(place, row, pot, live)},"seats":[{self.seats(place, seat, live, own)}],'
            f'"shown":[],"mucked":[],"deck_left":{deck_count - deck_at},'
            f'"history":[{self.history(row, seat, street, button, own, board)}],"payoffs":null,"rake":{rake}}}'
        )
        return seat, own, text

    def seats(self, place: int, own_seat: int, live: int, own: str) -> str:
        stacks, bets, put, all_in = self.chips
        return ",".join(
            [
                f'{{"seat":{at},"stack":{stacks[at][place]},"bet":{bets[at][place]},"put":{put[at][place]},'
                f'"folded":{"false" if live >> at & 1 else "true"},"all_in":{"true" if all_in[at][place] else "false"},'
                f'"cards":"{own if at == own_seat else ""}","up":"","down":{self.down},"won":0}}'
                for at in range(self.players)
            ]
        )

    def pots(self, place: int, row: int, pot: int, live: int) -> str:
        if self.parted[place]:  # by the rule for one table
            parts = side_pots(self.tables.batch.hand(row))
            return json.dumps([{"chips": pot.chips, "seats": pot.seats} for pot in parts], separators=(",", ":"))
        return f'[{{"chips":{pot},"seats":{self.sharing.get(live) or self.share(live)}}}]' if pot else "[]"

    def share(self, live: int) -> str:
        """Who may win the pot while nobody is all in."""
        text = f"[{','.join(str(seat) for seat in range(self.players) if live >> seat & 1)}]"
        self.sharing[live] = text
        return text

    def history(self, row: int, seat: int, street: int, button: int, own: str, board: str) -> str:
        """What has happened, from what was written the last time on."""
        past = self.past
        written, dealt, text = self.histories.get(row) or (0, 0, self.first_deal(seat, button, own, board))
        for codes, places in past[written:]:
            code, place = codes[row], places[row]
            if place >> 4 > dealt:
                text += self.deals(dealt + 1, place >> 4, board)
                dealt = place >> 4
            text += _move(code, place & 15)
        if street > dealt:
            text += self.deals(dealt + 1, street, board)
        self.histories[row] = (len(past), street, text)
        return text

    def first_deal(self, own_seat: int, button: int, own: str, board: str) -> str:
        after, text, down = button + 1, "", self.down
        for seat in (*range(after, self.players), *range(after)) if down else ():
            cards = f'"cards":"{own}","count":{down}' if seat == own_seat else f'"count":{down}'
            text += f',{{"kind":"down","seat":{seat},{cards}}}'
        return (text + self.deals(0, 0, board))[1:]

    def deals(self, first: int, last: int, board: str) -> str:
        text = ""
        for street in range(first, last + 1):
            begin, end = self.boards[street], self.boards[street + 1]
            if end > begin:
                text += f',{{"kind":"board","cards":"{board[2 * begin : 2 * end]}","count":{end - begin}}}'
        return text


def _all_in(tables: Tables) -> NDArray[np.bool_]:
    """``[n, players]``: who has put in all that they may, and has not folded; as `PublicState.all_in`."""
    stakes, cap = tables.batch.stakes, tables.rules.cap
    most = np.array([min(stack, cap or stack) for stack in stakes.stacks])
    dead = np.minimum(stakes.antes, most) if stakes.dead_antes else 0
    all_in: NDArray[np.bool_] = (tables.put + dead >= most) & ~tables.folded
    return all_in


def _legal(fold: int, call: int, least: int, most: int) -> str:
    raise_to = f'{{"least":{least},"most":{most}}}' if least > 0 else "null"
    return (
        f'{{"fold":{"true" if fold else "false"},"call":{call if call >= 0 else "null"},'
        f'"raise_to":{raise_to},"exchange":null}}'
    )


def _move(code: int, seat: int) -> str:
    move, amount = decode_move(code)
    if move == RAISE:
        return f',{{"kind":"raise","seat":{seat},"amount":{amount}}}'
    return f',{{"kind":"{"call" if move == CALL else "fold"}","seat":{seat}}}'
