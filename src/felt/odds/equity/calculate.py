"""Equity: how much of the pot each hand or range owns."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from felt._pool import Progress
from felt.cards.ranges.range import Range
from felt.errors import OddsError
from felt.odds.equity.exact import cost, exact_equity, from_table, is_in_table
from felt.odds.equity.question import Effort, Question, ask
from felt.odds.equity.result import Equity, PlayerEquity
from felt.odds.equity.sampled import sampled_equity
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
    estimate, count, sample = _ways(question)
    in_table = isinstance(question, Question) and is_in_table(question)
    sampling, exact = effort.samples is not None or effort.stderr is not None, effort.exact
    error, method = 0.0, "table"
    if sampling or exact is False or (exact is None and not in_table and estimate(question) > PATIENCE):
        effort = effort if sampling else replace(effort, stderr=DEFAULT_STDERR)
        (players, deals, error), method = sample(question, effort), "simulation"
    elif isinstance(question, Question) and in_table:
        players, deals = from_table(question)
    else:
        seconds = estimate(question)
        if seconds > LIMIT:
            raise OddsError(
                f"counting every deal of {' v '.join(map(repr, question.names))} would take about"
                f" {seconds / 86400:,.0f} days of one core: leave out exact, or ask for a standard error"
            )
        (players, deals), method = count(question, effort), "enumeration"
    return Equity(tuple(players), method != "simulation", deals, error, time.perf_counter() - begin, method)


def read_question(hands: Sequence[str | Range], board: str, dead: str, game: Showdown) -> "Question | Deal":
    """A question about a game, in the form that its hands call for: ranges or cards."""
    if game.takes_ranges:
        return ask(hands, board=board, dead=dead, lowest_rank=game.lowest_rank, kind=game.kinds[0])
    from felt.odds.equity.any_game import ask_cards

    return ask_cards(hands, board=board, dead=dead, game=game)


_Ways = tuple[
    Callable[[Any], float],
    Callable[[Any, Effort], tuple[list[PlayerEquity], int]],
    Callable[[Any, Effort], tuple[list[PlayerEquity], int, float]],
]


def _ways(question: "Question | Deal") -> _Ways:
    """What counting would cost in seconds of one thread, counting and sampling, for a question of this form."""
    if isinstance(question, Question):
        return cost, exact_equity, sampled_equity
    from felt.odds.equity.any_game import cost_of_cards, exact_cards, sampled_cards

    return cost_of_cards, exact_cards, sampled_cards
