"""A description that makes no sense fails when it is built, and the message names the part."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from felt.cards.deck import kuhn_deck, make_deck, short_deck, standard_deck
from felt.errors import FeltError
from felt.games.rules import (
    MAX_CHIPS,
    Betting,
    First,
    GameRules,
    Rake,
    Round,
    RulesError,
    Score,
    Showdown,
    Structure,
)

BET = Betting(Structure.LIMIT, 2)
HOLDEM = GameRules(
    "holdem",
    (
        Round("preflop", down=2, betting=BET, first=First.AFTER_BLINDS),
        Round("flop", board=3, betting=BET),
        Round("river", board=2, betting=BET),
    ),
    blinds=(1, 2),
)
STUD = GameRules(
    "stud",
    (
        Round("third", down=2, up=1, betting=Betting(Structure.LIMIT, 10), first=First.LOWEST_UP),
        Round("seventh", down=1, up=3, betting=Betting(Structure.LIMIT, 20), first=First.BEST_UP),
    ),
    max_players=7,
    ante=1,
    bring_in=3,
)
DRAW = GameRules("draw", (Round("deal", down=5, betting=BET), Round("draw", draw_most=5, betting=BET)), ante=1)
PAIR = Score("pair", 1, "$c1.rank", ("$c1.rank == $c2.rank",))
HIGH = Score("high card", 0, "$c2.rank * 13 + $c1.rank", default=True)
TWO_CARDS = Showdown(size=2, scoring=(HIGH, PAIR))


def rounds(*parts: Round, **changes: Any) -> GameRules:
    return replace(HOLDEM, rounds=parts, **changes)


def test_sensible_games_are_built() -> None:
    for game in (HOLDEM, STUD, DRAW):
        assert game.rounds
    assert (HOLDEM.hole_cards, HOLDEM.board_cards, HOLDEM.big_blind, HOLDEM.has_draws) == (2, 5, 2, False)
    assert (STUD.hole_cards, STUD.board_cards, STUD.big_blind, DRAW.has_draws) == (7, 0, 10, True)


def test_rules_are_values() -> None:
    assert replace(HOLDEM, ante=0) == HOLDEM
    assert hash(replace(HOLDEM, ante=0)) == hash(HOLDEM)
    with pytest.raises(FrozenInstanceError):
        HOLDEM.ante = 1  # type: ignore[misc]


def test_whole_numbers_of_arrays_are_chips_too() -> None:
    blinds = tuple(np.array([1, 2], dtype=np.int32))
    assert replace(HOLDEM, blinds=blinds) == HOLDEM


def test_formulas_are_kept_on_one_line() -> None:
    assert Score("high", 0, "  $c1.rank\n\t+ 1 ", default=True).subrank == "$c1.rank + 1"


NONSENSE: list[tuple[Callable[[], object], str]] = [
    # betting
    (lambda: Betting(Structure.LIMIT, 0), "betting: the bet is 0; it must be 1 chip or more"),
    (lambda: Betting(Structure.LIMIT, -2), "betting: bet is -2; it cannot be negative"),
    (lambda: Betting(Structure.LIMIT, 0.5), "betting: bet is 0.5; it must be a whole number"),  # type: ignore[arg-type]
    (lambda: Betting(Structure.LIMIT, True), "betting: bet is True; it must be a whole number"),
    (lambda: Betting(Structure.LIMIT, MAX_CHIPS + 1), "betting: bet is 2000000001; at most 2000000000"),
    (lambda: Betting(Structure.LIMIT, 2, max_raises=-1), "betting: max_raises is -1"),
    (lambda: Betting(Structure.SPREAD, 4, most=2), "betting: a spread from 4 to 2 is empty"),
    (lambda: Betting(Structure.SPREAD, 4), "betting: a spread from 4 to 0 is empty"),
    (lambda: Betting(Structure.LIMIT, 2, most=4), "betting: 'most' (4) is for spread limit only, not limit"),
    # rounds
    (lambda: Round("flop", board=-1), "round 'flop': board is -1; it cannot be negative"),
    (lambda: Round("draw", draw_most=1, draw_least=2), "round 'draw': draws from 2 to 1 cards are none"),
    (lambda: Round("idle"), "round 'idle': nothing is dealt, moved or bet in it"),
    # scores
    (lambda: Showdown(size=2, scoring=(PAIR,)), "one score must be the default, for hands that meet no condition; "),
    (
        lambda: Showdown(size=2, scoring=(HIGH, replace(HIGH, name="other", rank=2))),
        "one score must be the default, for hands that meet no condition; 'high card', 'other' is",
    ),
    (lambda: Showdown(size=2, scoring=(HIGH, replace(PAIR, rank=0))), "score 'pair': another one has rank 0 too"),
    (lambda: Showdown(size=1, scoring=(HIGH,)), "score 'high card': subrank at 1: '$c2.rank' is no card of the hand"),
    (
        lambda: Showdown(size=2, scoring=(HIGH, replace(PAIR, conditions=("$c1.rank = 2",)))),
        "score 'pair': condition at 10: '=' compares nothing: write '=='",
    ),
    (lambda: Showdown(size=2, scoring=(HIGH, replace(PAIR, conditions=()))), "score 'pair': has no condition"),
    (lambda: Showdown(size=2, scoring=(replace(HIGH, conditions=("1",)),)), "is the default and has conditions"),
    (lambda: Score("pair", -1, "1"), "score 'pair': rank is -1"),
    (
        lambda: Showdown(size=1, scoring=tuple(Score(f"s{i}", i, "1", ("1",)) for i in range(1001))),
        "showdown: 1001 scores; up to 500",
    ),
    # showdown
    (lambda: Showdown(kinds=()), "showdown: 0 kinds share the pot; 1 or 2 can"),
    (lambda: Showdown(kinds=("high", "low-8", "low-a5")), "showdown: 3 kinds share the pot"),
    (lambda: Showdown(kinds=("high", "high")), "showdown: the kind 'high' stands twice"),
    (lambda: Showdown(kinds=("hihg",)), "showdown: 'hihg' is not a kind of hand: use one of high, "),
    (lambda: Showdown(kinds=("low-27",), size=3), "showdown: 3 cards are no deuce-to-seven low hand"),
    (lambda: Showdown(size=6), "showdown: a hand of 6 cards; 1 to 5 can be ranked"),
    (lambda: Showdown(size=0), "showdown: a hand of 0 cards"),
    (lambda: Showdown(size=2, hole_exactly=3), "showdown: hands of 2 cards cannot use 3 hole cards"),
    (lambda: Showdown(wild=(1, 1)), "showdown: wild cards '2d2d' name a card twice"),
    (lambda: Showdown(kinds=("low-8",), wild=(1,)), "showdown: wild cards are known for high hands of 5 cards only"),
    (lambda: Showdown(size=2, wild=(1,)), "showdown: wild cards are known for high hands of 5 cards only"),
    (lambda: replace(TWO_CARDS, wild=(1,)), "showdown: wild cards are known for high hands"),
    # rake
    (lambda: Rake(1.0), "rake: a share of 1.0; use 0 to under 1"),
    (lambda: Rake(-0.1), "rake: a share of -0.1"),
    (lambda: Rake(float("nan")), "rake: a share of nan"),
    (lambda: Rake(0.05, cap=-1), "rake: cap is -1"),
    # the table
    (lambda: replace(HOLDEM, name=""), "name: ''; give the game a name"),
    (lambda: replace(HOLDEM, name=" x"), "name: ' x'; give the game a name without blanks around it"),
    (lambda: replace(HOLDEM, min_players=1), "holdem: players 1 to 9; use 2 to 10, least first"),
    (lambda: replace(HOLDEM, max_players=11), "holdem: players 2 to 11"),
    (lambda: replace(HOLDEM, min_players=5, max_players=4), "holdem: players 5 to 4"),
    (lambda: rounds(), "holdem: 0 rounds; use 1 to 8"),
    (lambda: rounds(*[Round("r", board=1)] * 9), "holdem: 9 rounds; use 1 to 8"),
    (lambda: replace(HOLDEM, unit=0), "holdem: unit is 0; a chip is worth a number above 0"),
    (lambda: replace(HOLDEM, unit=float("inf")), "holdem: unit is inf"),
    (lambda: replace(HOLDEM, unit=float("nan")), "holdem: unit is nan"),
    # money
    (lambda: replace(HOLDEM, ante=-1), "holdem: ante is -1; it cannot be negative"),
    (lambda: replace(HOLDEM, ante=0.5), "holdem: ante is 0.5; it must be a whole number (scale fractions, see `unit`)"),
    (lambda: replace(HOLDEM, big_blind_ante=-1), "holdem: big_blind_ante is -1"),
    (lambda: replace(HOLDEM, cap=-1), "holdem: cap is -1"),
    (lambda: replace(HOLDEM, stack=-1), "holdem: stack is -1"),
    (lambda: replace(STUD, bring_in=-1), "stud: bring_in is -1"),
    (lambda: replace(HOLDEM, blinds=(1, -2)), "holdem: blind 2 is -2; it cannot be negative"),
    (lambda: replace(HOLDEM, blinds=(1,) * 11), "holdem: 11 blinds; at most 10 players can post one"),
    (lambda: replace(HOLDEM, blinds=(0, 0)), "holdem: blinds (0, 0) are nothing; leave them out"),
    (lambda: replace(STUD, big_blind_ante=2), "stud: a big-blind ante of 2 needs a big blind to pay it"),
    (lambda: replace(HOLDEM, cap=1), "holdem: a cap of 1 chips is under the blinds (1, 2)"),
    (lambda: replace(STUD, blinds=(1, 2)), "stud: has both blinds (1, 2) and a bring-in 3; choose one"),
    (lambda: replace(STUD, bring_in=11), "stud: a bring-in of 11 is more than a bet of 10"),
    (lambda: replace(DRAW, bring_in=1), "draw: a bring-in needs betting in the first round, started by lowest-up"),
    (
        lambda: replace(STUD, rounds=(replace(STUD.rounds[0], betting=None), STUD.rounds[1])),
        "stud: a bring-in needs betting in the first round",
    ),
    # cards
    (lambda: rounds(Round("deal", down=8, betting=BET)), "holdem: deals 8 cards to a player; at most 7 can be held"),
    (lambda: rounds(Round("deal", down=2, board=9)), "holdem: deals 9 board cards; at most 8 fit"),
    (lambda: rounds(Round("deal", board=5)), "holdem: no round deals a card to the players"),
    (lambda: rounds(Round("deal", down=5, passes=6)), "holdem: round 'deal' moves more cards than a player holds (5)"),
    (lambda: rounds(Round("deal", down=5, discards=6)), "holdem: round 'deal' moves more cards"),
    (lambda: rounds(Round("deal", down=5, draw_most=6)), "holdem: round 'deal' moves more cards"),
    (
        lambda: rounds(Round("deal", down=6, discards=4), Round("draw", draw_most=3)),
        "holdem: round 'draw' moves more cards than a player holds (2)",
    ),
    (lambda: rounds(Round("deal", down=7, discards=3)), "holdem: hands of 5 cards cannot be made of 4"),
    (lambda: replace(HOLDEM, deck=kuhn_deck(5)), "holdem: 2 players need 9 cards and the deck has 5"),
    (
        lambda: replace(HOLDEM, showdown=Showdown(hole_exactly=3)),
        "holdem: hands of 5 cards with exactly 3 hole cards cannot be made of 2 and a board of 5",
    ),
    (
        lambda: rounds(Round("deal", down=5, board=1), showdown=Showdown(hole_exactly=2)),
        "holdem: hands of 5 cards with exactly 2 hole cards cannot be made of 5 and a board of 1",
    ),
    (
        lambda: replace(HOLDEM, deck=short_deck(), showdown=Showdown(wild=(0, 16))),
        "holdem: wild: 2c are not in the deck; add or drop them",
    ),
    (
        lambda: replace(HOLDEM, deck=standard_deck(jokers=2), showdown=Showdown(wild=(52,))),
        "holdem: deck: JK have no rank and no suit; make them wild, or leave them out",
    ),
    (
        lambda: replace(HOLDEM, deck=make_deck("fives up", ranks=range(3, 13)), showdown=Showdown(("short",))),
        "holdem: deck: 5c5d5h5s are not known to short hands; leave them out",
    ),
    # who is first
    (
        lambda: rounds(Round("deal", down=5, betting=BET, first=First.BEST_UP)),
        "holdem: round 'deal' starts by best-up, but no card is up",
    ),
    (lambda: replace(HOLDEM, blinds=()), "holdem: round 'preflop' starts after the blinds, but none are posted there"),
    (
        lambda: rounds(Round("deal", down=5, betting=BET), Round("more", board=1, first=First.AFTER_BLINDS)),
        "holdem: round 'more' starts after the blinds, but none are posted there",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("build", "message"), NONSENSE, ids=[message[:60] for _, message in NONSENSE])
def test_nonsense_is_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        build()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, FeltError)
