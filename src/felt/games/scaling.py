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


def with_blinds(rules: GameRules, small: int, big: int, ante: int = 0) -> GameRules:
    """A game with these two blinds and this ante for everybody; bets and limits grow as the big blind does.

    >>> from felt.games import load
    >>> level = with_blinds(load("limit-holdem"), 25, 50, 5)
    >>> level.blinds, level.ante, level.rounds[0].betting.bet, level.rounds[3].betting.bet
    ((25, 50), 5, 50, 100)
    """
    shown = f"blinds {small}/{big}" + (f"/{ante}" if ante else "")
    if len(rules.blinds) != 2:
        raise RulesError(f"{shown}: {rules.name} is not played with two blinds; give multiples of its stakes instead")
    if not 0 <= small <= big or big < 1 or ante < 0:
        raise RulesError(f"{shown}: the second blind is the larger one, and none is less than nothing")
    before = rules.big_blind

    def grown(amount: int) -> int:
        if amount * big % before:
            raise RulesError(f"{shown}: an amount of {amount} with a big blind of {before} would be no whole number")
        return amount * big // before

    def bets(betting: Betting | None) -> Betting | None:
        return betting and replace(betting, bet=grown(betting.bet), most=grown(betting.most))

    rounds = tuple(replace(part, betting=bets(part.betting)) for part in rules.rounds)
    return replace(
        rules,
        rounds=rounds,
        blinds=(small, big),
        ante=ante,
        big_blind_ante=0,
        bring_in=grown(rules.bring_in),
        cap=grown(rules.cap),
    )
