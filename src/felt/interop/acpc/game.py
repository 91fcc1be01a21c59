"""Game definitions of the Annual Computer Poker Competition: ``.game`` files, read and written.

They describe hold'em-like games only: limit or no limit, hole cards dealt once, board cards, blinds. Where everyone
posts the same blind it is an ante here, which comes to the same. Their count of raises leaves the blinds out, ours
counts them as the first bet.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from felt._files import read_start
from felt.cards.deck import Deck, make_deck, standard_deck
from felt.games.rules import (
    MAX_BOARD,
    MAX_CARDS,
    MAX_CHIPS,
    MAX_PLAYERS,
    MAX_ROUNDS,
    Betting,
    First,
    GameRules,
    Round,
    RulesError,
    Showdown,
    Structure,
)
from felt.interop.variants import blinds_as_rules

NO_LIMIT_TO_RAISES = 255
NO_STACK = 2**31 - 1
"""What the dealer takes for a stack that is not given."""

MAX_CHARACTERS = 100_000
GAME_BEGINS, GAME_ENDS = "GAMEDEF", "END GAMEDEF"
_ROUND_NAMES = ("preflop", "flop", "turn", "river")


class GameFileError(RulesError):
    """A ``.game`` file that cannot be used, or a game that cannot be written as one."""


@dataclass
class _GameFields:
    """The numbers of a file by their names, and where each stands."""

    source: str
    structure: Structure = Structure.LIMIT
    numbers: dict[str, list[int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def fail(self, name: str, message: str) -> NoReturn:
        self.fail_at(self.lines.get(name, 0), message)

    def fail_at(self, line: int, message: str) -> NoReturn:
        place = f"line {line}: " if line else ""
        raise GameFileError(f"{self.source + ' ' if self.source else ''}{place}{message}")

    def number(self, name: str, least: int, most: int) -> int:
        value = self.many(name, 1)[0]
        if not least <= value <= most:
            self.fail(name, f"{name} is {value}: use {least} to {most}")
        return value

    def many(self, name: str, count: int, default: int | None = None) -> list[int]:
        if name not in self.numbers:
            if default is None:
                self.fail(name, f"there is no {name}: add a line '{name} = …'")
            return [default] * count
        values = self.numbers[name]
        if len(values) != count:
            self.fail(name, f"{name} has {len(values)} numbers: {count} are wanted")
        return values


_NAMES = (
    "numPlayers", "numRounds", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises", "numSuits", "numRanks",
    "numHoleCards", "numBoardCards",
)  # fmt: skip
_BY_LOWER = {name.lower(): name for name in _NAMES}


def read_acpc_game(text: str | bytes, *, name: str = "acpc", source: str = "") -> GameRules:
    """The game of an ACPC definition; `source` names it in errors.

    >>> game = read_acpc_game('''GAMEDEF
    ... nolimit
    ... numPlayers = 2
    ... numRounds = 4
    ... stack = 20000 20000
    ... blind = 100 50
    ... firstPlayer = 2 1 1 1
    ... numSuits = 4
    ... numRanks = 13
    ... numHoleCards = 2
    ... numBoardCards = 0 3 1 1
    ... END GAMEDEF''')
    >>> game.blinds, game.heads_up_button_blind, game.stack
    ((50, 100), True, 20000)
    """
    fields = _read_fields(text, source)
    players = fields.number("numPlayers", 2, MAX_PLAYERS)
    posted = fields.many("blind", players)
    in_turn = sorted(posted) if players == 2 else posted  # heads-up, the button posts the smaller one
    ante, blinds = (posted[0], ()) if len(set(posted)) == 1 else (0, blinds_as_rules(in_turn))
    reverse = players == 2 and posted[0] > posted[1]
    rounds = _read_rounds(fields, posted, blinds)
    held, board = rounds[0].down, sum(part.board for part in rounds)
    try:
        return GameRules(
            name=name,
            rounds=rounds,
            deck=_deck(fields.number("numRanks", 1, 13), fields.number("numSuits", 1, 4)),
            min_players=players,
            max_players=players,
            ante=ante,
            blinds=blinds,
            heads_up_button_blind=reverse or not blinds or players > 2,
            showdown=Showdown(size=min(5, held + board)),
            stack=_stack(fields, players),
        )
    except GameFileError:
        raise
    except RulesError as error:
        fields.fail("", str(error))


def load_acpc_game(path: str | Path) -> GameRules:
    """The game in a ``.game`` file, named after it."""
    content = read_start(path, MAX_CHARACTERS, GameFileError)
    return read_acpc_game(content, name=Path(path).stem, source=Path(path).name)


def _read_fields(text: str | bytes, source: str) -> _GameFields:
    decoded = text.decode("utf-8", errors="replace") if isinstance(text, bytes) else text
    if len(decoded) > MAX_CHARACTERS:
        raise GameFileError(f"{source or 'this'} is no game definition: it has over {MAX_CHARACTERS} characters")
    fields = _GameFields(source)
    lines = ((number, " ".join(line.split())) for number, line in enumerate(decoded.split("\n"), start=1))
    written = [(number, words) for number, words in lines if words and not words.startswith("#")]
    if not written or written[0][1].lower() != "gamedef":
        number, words = written[0] if written else (1, "")
        fields.fail_at(number, f"{words[:40]!r} stands where a definition starts: the first line is GAMEDEF")
    for number, words in written[1:]:
        if words.lower() == "end gamedef":
            return fields
        _read_line(fields, words, number)
    return fields.fail_at(written[-1][0], "the definition has no end: the last line is END GAMEDEF")


def _read_line(fields: _GameFields, words: str, number: int) -> None:
    match = re.fullmatch(r"([A-Za-z]+) ?=? ?([0-9 ]*)", words)
    name = match[1].lower() if match else ""
    if match and name in ("limit", "nolimit") and not match[2]:
        fields.structure = Structure.LIMIT if name == "limit" else Structure.NO_LIMIT
    elif match and name in _BY_LOWER:
        name, values = _BY_LOWER[name], match[2].split()
        if name in fields.numbers:
            fields.fail_at(number, f"{name} stands twice: give it once")
        if any(len(value) > 10 for value in values):
            fields.fail_at(number, f"{name} has a number with more than 10 digits")
        fields.numbers[name], fields.lines[name] = [int(value) for value in values], number
    else:
        known = ", ".join(_NAMES)
        fields.fail_at(number, f"{words[:40]!r} is not understood: use limit, nolimit or 'NAME = numbers' with {known}")


def _read_rounds(fields: _GameFields, posted: list[int], blinds: tuple[int, ...]) -> tuple[Round, ...]:
    count = fields.number("numRounds", 1, MAX_ROUNDS)
    firsts = fields.many("firstPlayer", count, 1)
    raises = fields.many("maxRaises", count, NO_LIMIT_TO_RAISES)
    boards = fields.many("numBoardCards", count)
    hole = fields.number("numHoleCards", 1, MAX_CARDS)
    if sum(boards) > MAX_BOARD:
        fields.fail("numBoardCards", f"numBoardCards are {sum(boards)} together: at most {MAX_BOARD} fit")
    limit = fields.structure == Structure.LIMIT
    bets = fields.many("raiseSize", count) if limit else [max(*posted, 1)] * count
    if not all(0 < bet <= MAX_CHIPS for bet in bets):
        fields.fail("raiseSize", f"raiseSize is {bets}: use numbers from 1 to {MAX_CHIPS}")
    rounds = []
    for i in range(count):
        opened = i == 0 and bool(blinds)
        rounds.append(
            Round(
                name=_ROUND_NAMES[i] if count == 4 else f"round {i + 1}",
                down=hole if i == 0 else 0,
                board=boards[i],
                betting=Betting(fields.structure, bets[i], max_raises=_raises(fields, raises[i], opened)),
                first=_first(fields, firsts[i] - 1, posted if opened else ()),
            )
        )
    return tuple(rounds)


def _raises(fields: _GameFields, count: int, opened: bool) -> int:
    if count >= NO_LIMIT_TO_RAISES:
        return 0
    if count + opened == 0:
        fields.fail("maxRaises", "maxRaises is 0 in a round without blinds: nobody could bet; use 1 or more")
    return count + opened


def _first(fields: _GameFields, seat: int, posted: Sequence[int]) -> First:
    """Who acts first, as a rule: left of the blinds where there are any, else left of the button."""
    if posted and seat == _after_blinds(posted):
        return First.AFTER_BLINDS
    if seat == 0:
        return First.AFTER_BUTTON
    allowed = f"1 or {_after_blinds(posted) + 1}" if posted else "1"
    return fields.fail("firstPlayer", f"firstPlayer is {seat + 1}: use {allowed} here, others are no rule of poker")


def _after_blinds(posted: Sequence[int]) -> int:
    """The seat left of the last blind; heads-up with the larger blind first, the button."""
    if len(posted) == 2:
        return 1 if posted[0] > posted[1] else 0
    return (max(seat for seat, blind in enumerate(posted) if blind) + 1) % len(posted)


def _deck(ranks: int, suits: int) -> Deck:
    """The highest ranks in the last suits, as the dealer shuffles them."""
    if (ranks, suits) == (13, 4):
        return standard_deck()
    return make_deck(f"acpc-{ranks}x{suits}", ranks=range(13 - ranks, 13), suits=range(4 - suits, 4))


def _stack(fields: _GameFields, players: int) -> int:
    stacks = set(fields.many("stack", players, NO_STACK))
    if len(stacks) > 1:
        fields.fail("stack", f"stack is {sorted(stacks)}: rules know one usual stack; give stacks when a hand is dealt")
    stack = stacks.pop()
    return 0 if stack == NO_STACK else stack


def write_acpc_game(rules: GameRules, *, players: int | None = None) -> str:
    """The game as an ACPC definition for so many players (by default the least it can be played with).

    >>> from felt.games import load
    >>> print(write_acpc_game(load("kuhn")).splitlines()[5])
    blind = 1 1
    """
    count = rules.min_players if players is None else players
    obstacle = next(_obstacles(rules, count), None)
    if obstacle:
        raise GameFileError(f"{rules.name} cannot be written as an ACPC game: {obstacle}")
    limit = _structures(rules)[0] == Structure.LIMIT
    posted, bettings = _posted(rules, count), [part.betting for part in rules.rounds if part.betting]
    opened = [bool(rules.blinds), *[False] * (len(bettings) - 1)]
    raises = [b.max_raises - o if b.max_raises else NO_LIMIT_TO_RAISES for b, o in zip(bettings, opened, strict=True)]
    ranks, suits = _shape(rules.deck)
    fields = {
        "numPlayers": [count],
        "numRounds": [len(rules.rounds)],
        "stack": [rules.stack] * count if rules.stack else [],
        "blind": posted,
        "raiseSize": [betting.bet for betting in bettings] if limit else [],
        "firstPlayer": [
            1 + (_after_blinds(posted) if part.first == First.AFTER_BLINDS else 0) for part in rules.rounds
        ],
        "maxRaises": raises if any(betting.max_raises for betting in bettings) else [],
        "numSuits": [suits],
        "numRanks": [ranks],
        "numHoleCards": [rules.hole_cards],
        "numBoardCards": [part.board for part in rules.rounds],
    }
    return definition_text(fields, limit=limit) + "\n"


def definition_text(fields: Mapping[str, Sequence[int]], *, limit: bool) -> str:
    """The lines of a definition; fields without numbers are left out."""
    lines = (f"{name} = {' '.join(map(str, numbers))}" for name, numbers in fields.items() if numbers)
    return "\n".join([GAME_BEGINS, "limit" if limit else "nolimit", *lines, GAME_ENDS])


def _structures(rules: GameRules) -> list[Structure | None]:
    return list(dict.fromkeys(part.betting.structure if part.betting else None for part in rules.rounds))


def _posted(rules: GameRules, players: int) -> list[int]:
    """What each seat posts: the ante, or the blinds from the left of the button."""
    if not rules.blinds:
        return [rules.ante] * players
    posted = [*rules.blinds, *[0] * players][:players]
    return posted[::-1] if players == 2 and rules.heads_up_button_blind else posted


def _shape(deck: Deck) -> tuple[int, int]:
    return len({card >> 2 for card in deck}), len({card & 3 for card in deck})


def _obstacles(rules: GameRules, players: int) -> Iterator[str]:
    """What a definition has no words for."""
    if not rules.min_players <= players <= rules.max_players:
        yield f"it is for {rules.seats_text}, not {players}"
    structures = _structures(rules)
    if len(structures) > 1 or structures[0] not in (Structure.LIMIT, Structure.NO_LIMIT):
        yield "all rounds must have betting, all limit or all no limit"
    if rules.blinds and (rules.ante or len(rules.blinds) > players or len(set(_posted(rules, players))) == 1):
        yield "it has one amount for each player, a blind or an ante"
    if rules.big_blind_ante or rules.bring_in or rules.cap or rules.rake.share:
        yield "it knows no big-blind ante, bring-in, cap or rake"
    if structures[0] == Structure.NO_LIMIT:
        least = max(*_posted(rules, players), 1)
        if any(part.betting and part.betting.bet != least for part in rules.rounds):
            yield f"without a limit the least bet is the largest blind ({least})"
    if rules.hole_cards > 3 or rules.board_cards > 7 or len(rules.rounds) > 4:
        yield "it has room for 3 hole cards, 7 board cards and 4 rounds"
    if rules.has_draws or any(part.up for part in rules.rounds) or any(part.down for part in rules.rounds[1:]):
        yield "hole cards are dealt once, face down, and kept"
    if any(not part.clockwise or part.first not in (First.AFTER_BUTTON, First.AFTER_BLINDS) for part in rules.rounds):
        yield "play goes clockwise from the button or the blinds"
    size = min(5, rules.hole_cards + rules.board_cards)
    if rules.showdown != Showdown(size=size):
        yield f"the best high hand of {size} cards wins, without wild cards or further rules"
    ranks, suits = _shape(rules.deck)
    complete = len(rules.deck) == ranks * suits and max(rules.deck) < 52
    if not complete or (size == 5 and set(rules.deck) != set(_deck(ranks, suits))):
        yield "its decks are the highest ranks in one to four suits, complete"


def save_acpc_game(rules: GameRules, path: str | Path, *, players: int | None = None) -> None:
    """Write a game to a ``.game`` file."""
    Path(path).write_text(write_acpc_game(rules, players=players), encoding="utf-8")
