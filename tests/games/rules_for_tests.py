"""Games for the tests: those of the catalogue with other stakes, and a few that it does not have."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from felt.cards import parse_cards
from felt.games import Hand
from felt.games.catalogue import load, names
from felt.games.catalogue import scaled as more_chips
from felt.games.rules import Betting, First, GameRules, Round, Structure


def scaled(rules: GameRules, factor: int) -> GameRules:
    """The same game with every amount `factor` times as large, stacks too, so that shares come out even."""
    return replace(more_chips(rules, factor), stack=rules.stack * factor)


def with_raises(rules: GameRules, first: int, later: int) -> GameRules:
    """The same game with other caps on raises, of the first round and of those after it."""
    rounds = tuple(
        replace(part, betting=replace(part.betting, max_raises=later if i else first)) if part.betting else part
        for i, part in enumerate(rules.rounds)
    )
    return replace(rules, rounds=rounds)


def holdem(
    structure: Structure = Structure.NO_LIMIT, *, bet: int = 100, big: int | None = None, **more: Any
) -> GameRules:
    """Hold'em with blinds of 50 and 100, or what `more` says; `most` and `max_raises` go to the betting."""
    chosen = {name: more.pop(name) for name in ("most", "max_raises") if name in more}
    small, large = Betting(structure, bet, **chosen), Betting(structure, big or bet, **chosen)
    rounds = (
        Round(
            "preflop",
            down=2,
            betting=small,
            first=First.AFTER_BLINDS if more.get("blinds", True) else First.AFTER_BUTTON,
        ),
        Round("flop", board=3, betting=small),
        Round("turn", board=1, betting=large),
        Round("river", board=1, betting=large),
    )
    return GameRules("hold'em", rounds, **{"max_players": 10, "blinds": (50, 100), **more})


def stacked(rules: GameRules, *dealt: str) -> tuple[int, ...]:
    """A deck that deals these cards, in the order of dealing, and then the rest."""
    first = parse_cards("".join(dealt))
    return (*first, *(card for card in rules.deck if card not in first))


def play(hand: Hand, moves: str) -> Hand:
    """Make moves told in short: f(old), c(all or check), r300 (raise to), x2c3d (exchange cards, x for none)."""
    for move in moves.split():
        match move[0]:
            case "f":
                hand.fold()
            case "c":
                hand.call()
            case "r":
                hand.raise_to(int(move[1:]))
            case _:
                hand.exchange(move[1:])
    return hand


def pineapple() -> GameRules:
    """Crazy pineapple: three cards, one of which is thrown away after the flop."""
    rules = holdem(bet=2, blinds=(1, 2))
    deal, flop, *rest = rules.rounds
    return replace(rules, name="pineapple", rounds=(replace(deal, down=3), flop, replace(rest[0], discards=1), rest[1]))


def full_stud() -> GameRules:
    """Seven-card stud for eight, whose cards run out."""
    return replace(load("stud"), name="stud for eight", max_players=8)


def every_game() -> Iterator[GameRules]:
    """The catalogue, and the games above."""
    for name in names():
        yield load(name)
    yield pineapple()
    yield full_stud()
    yield replace(load("nlhe"), name="nlhe with a big-blind ante", big_blind_ante=2)
    yield replace(load("plo"), name="plo with antes and a straddle", ante=1, blinds=(1, 2, 4))
