"""The same game for more chips: what a rising blind level makes of it."""

from dataclasses import replace

from felt.games.rules import Betting, GameRules, RulesError


def scaled(rules: GameRules, factor: int) -> GameRules:
    """A game with all its amounts multiplied; stacks are the players' own affair.

    >>> from felt.games import load
    >>> scaled(load("nlhe"), 4).blinds
    (4, 8)
    """
    if not isinstance(factor, int) or factor < 1:
        raise RulesError(f"stakes times {factor!r}: give a whole number, 1 or more")
    rounds = tuple(
        part if part.betting is None else replace(part, betting=_scaled(part.betting, factor)) for part in rules.rounds
    )
    return replace(
        rules,
        rounds=rounds,
        ante=rules.ante * factor,
        big_blind_ante=rules.big_blind_ante * factor,
        blinds=tuple(blind * factor for blind in rules.blinds),
        bring_in=rules.bring_in * factor,
        cap=rules.cap * factor,
        rake=replace(rules.rake, cap=rules.rake.cap * factor),
    )


def _scaled(betting: Betting, factor: int) -> Betting:
    return replace(betting, bet=betting.bet * factor, most=betting.most * factor)
