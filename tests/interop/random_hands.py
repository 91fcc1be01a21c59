"""Hands that random players play through the engine: every game that hand histories have a name for."""

import random
from collections.abc import Iterator

from felt.games import Hand
from felt.games.history import HandRecord
from felt.games.rules import Structure
from felt.interop.variants import DRAW_GAMES, STUD_GAMES, Game, SourceStakes, hole_cards, make_rules


def random_records(
    game: Game, structure: Structure, count: int, *, seed: str = "", even: bool = False, ante: bool = True
) -> Iterator[HandRecord]:
    """Finished hands at random tables: two players or many, short stacks or deep, with antes or without.

    `even` gives everybody the same stack, as ACPC games do.
    """
    rng = random.Random(f"{game} {structure} {seed}")
    most = 5 if game in DRAW_GAMES else 7 if hole_cards(game) > 4 or game in STUD_GAMES else 9
    for number in range(count):
        players = rng.choice((2, 3, rng.randint(2, most)))
        rules = make_rules(game, _stakes(game, structure, rng.choice((0, 0, 2)) if ante else 0))
        stacks = [rng.choice((15, 60, 200, 1000)) + rng.randrange(30) for _ in range(players)]
        hand = Hand.new(rules, [1000] * players if even else stacks, seed=rng.randrange(1 << 30), number=number)
        while not hand.over:
            move_at_random(hand, rng)
        yield hand.record()


def _stakes(game: Game, structure: Structure, ante: int) -> SourceStakes:
    limit = structure == Structure.LIMIT
    if game in STUD_GAMES:
        return SourceStakes(structure, small=10, big=20, ante=ante or 1, bring_in=4)
    blinds = (5, 10)
    return SourceStakes(structure, small=10, big=20 if limit else 0, blinds=blinds, ante=ante)


def move_at_random(hand: Hand, rng: random.Random) -> None:
    """One legal move: seldom a fold, so that hands get somewhere."""
    legal = hand.legal()
    if legal.exchange is not None:
        _, least, most = legal.exchange
        hand.exchange(rng.sample(hand.choosable(), rng.randint(least, most)))
    elif legal.fold and rng.random() < 0.2:
        hand.fold()
    elif legal.raise_to is not None and rng.random() < 0.35:
        least, most = legal.raise_to
        hand.raise_to(rng.choice((least, least, most, rng.randint(least, most))))
    else:
        hand.call()
