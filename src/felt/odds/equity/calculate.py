"""Equity: how much of the pot each hand or range owns."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from felt._pool import Progress
from felt.cards.ranges.range import Range
from felt.errors import OddsError
from felt.odds.equity.question import Effort, Question, ask
from felt.odds.equity.result import Equity, PlayerEquity
from felt.odds.equity.showdown import Showdown, find_game

if TYPE_CHECKING:
    from felt.odds.equity.any_game import Deal

PATIENCE = 1.0
"""Seconds (about) that an exact answer may take one thread before sampling is chosen instead."""

LIMIT = 24 * 3600.0
"""Seconds beyond which an exact answer is refused, even with ``exact=True``."""

DEFAULT_STDERR = 0.0005


def equity(
    hands: Sequence[str | Range],
    *,
    board: str = "",
    dead: str = "",
    game: str = "holdem",
    exact: bool | None = None,
    samples: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Equity:
    """Each player's share of the pot if all cards were dealt now and nobody folded.

    `hands` are texts (a hand, a range, ``random``) or `Range` objects, one for each of 2 to 10 players; in games
    other than hold'em and short deck they are the cards that are known (`felt.odds.equity.showdown.GAMES` lists the
    games). Unless told otherwise the answer is exact when that takes about a second at most, and else sampled to
    a standard error of 0.0005; ``exact=True`` insists, ``exact=False``, `samples` and `stderr` ask for sampling.
    The same seed gives the same answer on any number of threads.

    >>> result = equity(["AsKs", "QQ"])
    >>> round(result.players[0].equity, 6), result.exact
    (0.460485, True)
    """
    effort = Effort(exact, samples, stderr, seed, threads, progress)
    if isinstance(hands, str):
        raise OddsError(f"{hands!r} is one text: give a list with a hand for each player, like ['AsKs', 'QQ']")
    return settle(read_question(hands, board, dead, find_game(game)), effort)


def settle(question: "Question | Deal", effort: Effort) -> Equity:
    """The answer to a question that has been read and checked, counted or sampled."""
    begin = time.perf_counter()
    sampling = effort.samples is not None or effort.stderr is not None
    if sampling or effort.exact is False or (effort.exact is None and not _quick(question)):
        players, count, error = _sampled(question, effort if sampling else replace(effort, stderr=DEFAULT_STDERR))
        method = "simulation"
    else:
        players, count, method = _exactly(question, effort)
        error = 0.0
    return Equity(tuple(players), method != "simulation", count, error, time.perf_counter() - begin, method)


def read_question(hands: Sequence[str | Range], board: str, dead: str, game: Showdown) -> "Question | Deal":
    """A question about a game, in the form that its hands call for: ranges or cards."""
    if game.takes_ranges:
        return ask(hands, board=board, dead=dead, lowest_rank=game.lowest_rank, kind=game.kinds[0])
    from felt.odds.equity.any_game import ask_cards

    return ask_cards(hands, board=board, dead=dead, game=game)


def _quick(question: "Question | Deal") -> bool:
    return (isinstance(question, Question) and _in_table(question)) or _cost(question) <= PATIENCE


def _in_table(question: Question) -> bool:
    return len(question.names) == 2 and not question.known and not question.final and question.kind == "high"


def _cost(question: "Question | Deal") -> float:
    if isinstance(question, Question):
        from felt.odds.equity.exact import cost

        return cost(question)
    from felt.odds.equity.any_game import cost as cost_of_cards

    return cost_of_cards(question)


def _sampled(question: "Question | Deal", effort: Effort) -> tuple[list[PlayerEquity], int, float]:
    if isinstance(question, Question):
        from felt.odds.equity.sampled import sampled_equity

        return sampled_equity(question, effort)
    from felt.odds.equity.any_game import sampled_cards

    return sampled_cards(question, effort)


def _exactly(question: "Question | Deal", effort: Effort) -> tuple[list[PlayerEquity], int, str]:
    if isinstance(question, Question) and _in_table(question):
        from felt.odds.equity.exact import from_table

        return *from_table(question), "table"
    seconds = _cost(question)
    if seconds > LIMIT:
        raise OddsError(
            f"counting every deal of {' v '.join(map(repr, question.names))} would take about"
            f" {seconds / 86400:,.0f} days of one core: leave out exact, or ask for a standard error"
        )
    if isinstance(question, Question):
        from felt.odds.equity.exact import exact_equity

        return *exact_equity(question, effort), "enumeration"
    from felt.odds.equity.any_game import exact_cards

    return *exact_cards(question, effort), "enumeration"
