"""The same game for more chips: what a rising blind level makes of it."""

from dataclasses import replace

from felt.games.rules import Betting, GameRules, RulesError


def scaled(rules: GameRules, factor: int, *, most: int | None = None) -> GameRules:
    """A game with all its amounts multiplied, up to `most` each; stacks are the players' own affair.

    >>> from felt.games import load
    >>> scaled(load("nlhe"), 4).blinds, scaled(load("nlhe"), 4, most=7).blinds
    ((4, 8), (4, 7))
    """
    if not isinstance(factor, int) or factor < 1:
        raise RulesError(f"stakes times {factor!r}: give a whole number, 1 or more")

    def grown(amount: int) -> int:
        return amount * factor if most is None else min(amount * factor, most)

    def bets(betting: Betting | None) -> Betting | None:
        return betting and replace(betting, bet=grown(betting.bet), most=grown(betting.most))

    return replace(
        rules,
        rounds=tuple(replace(part, betting=bets(part.betting)) for part in rules.rounds),
        ante=grown(rules.ante),
        big_blind_ante=grown(rules.big_blind_ante),
        blinds=tuple(grown(blind) for blind in rules.blinds),
        bring_in=grown(rules.bring_in),
        cap=grown(rules.cap),
        rake=replace(rules.rake, cap=grown(rules.rake.cap)),
    )


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
