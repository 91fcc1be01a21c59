"""Equity: how much of the pot each hand or range owns."""

import operator
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from felt._pool import Progress
from felt.cards.range import Range
from felt.errors import OddsError
from felt.odds.question import Question, ask
from felt.odds.result import Equity, PlayerEquity
from felt.odds.showdown import Showdown, find_game

if TYPE_CHECKING:
    from felt.odds.general import Deal

PATIENCE = 1.0
"""Seconds (about) that an exact answer may take one thread before sampling is chosen instead."""

LIMIT = 24 * 3600.0
"""Seconds beyond which an exact answer is refused even when it is asked for."""

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
    other than hold'em and short deck they are the cards that are known (`felt.odds.showdown.GAMES` lists the
    games). Unless told otherwise the answer is exact when that takes about a second at most, and else sampled to
    a standard error of 0.0005; ``exact=True`` insists, ``exact=False``, `samples` and `stderr` ask for sampling.
    The same seed gives the same answer on any number of threads.

    >>> result = equity(["AsKs", "QQ"])
    >>> round(result.players[0].equity, 6), result.exact
    (0.460485, True)
    """
    check_request(exact=exact, samples=samples, stderr=stderr, seed=seed, threads=threads)
    if isinstance(hands, str):
        raise OddsError(f"{hands!r} is one text: give a list with a hand for each player, like ['AsKs', 'QQ']")
    question = _read(hands, board, dead, find_game(game))
    return settle(question, exact=exact, samples=samples, stderr=stderr, seed=seed, threads=threads, progress=progress)


def settle(
    question: "Question | Deal",
    *,
    exact: bool | None = None,
    samples: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Equity:
    """The answer to a question that has been read and checked, by the best way there is."""
    begin = time.perf_counter()
    sampling = samples is not None or stderr is not None
    if sampling or exact is False or (exact is None and not _quick(question)):
        wanted = stderr if sampling else DEFAULT_STDERR
        players, count, error = _sampled(question, samples, wanted, seed, threads, progress)
        method = "simulation"
    else:
        players, count, method = _exactly(question, threads, progress)
        error = 0.0
    return Equity(tuple(players), method != "simulation", count, error, time.perf_counter() - begin, method)


def check_request(
    *,
    exact: bool | None = None,
    samples: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> None:
    """Refuse requests that contradict themselves or cannot be met."""
    for name, value in (("samples", samples), ("seed", seed), ("threads", threads)):
        if value is not None or name == "seed":
            _check_whole(name, value)
    if samples is not None and samples <= 0:
        raise OddsError(f"samples={samples}: the number of deals must be 1 or more")
    if stderr is not None and not 0 < stderr < 1:
        raise OddsError(f"stderr={stderr}: a standard error is between 0 and 1, like 0.001")
    if seed < 0:
        raise OddsError(f"seed={seed}: a seed is 0 or more")
    if threads is not None and threads <= 0:
        raise OddsError(f"threads={threads}: use 1 or more, or leave it out for all cores")
    if sum((bool(exact), samples is not None, stderr is not None)) > 1:
        raise OddsError("choose one of exact, samples and stderr: they are three ways to the same answer")


def _check_whole(name: str, value: object) -> None:
    try:
        operator.index(value)  # type: ignore[arg-type]  # whatever else it is, the next line says so
    except TypeError:
        raise OddsError(f"{name}={value!r}: give a whole number, like 100000") from None


def _read(hands: Sequence[str | Range], board: str, dead: str, game: Showdown) -> "Question | Deal":
    if game.takes_ranges:
        return ask(hands, board=board, dead=dead, lowest_rank=game.lowest_rank, kind=game.kinds[0])
    from felt.odds.general import ask_cards

    return ask_cards(hands, board=board, dead=dead, game=game)


def _quick(question: "Question | Deal") -> bool:
    return (isinstance(question, Question) and _in_table(question)) or _cost(question) <= PATIENCE


def _in_table(question: Question) -> bool:
    return len(question.names) == 2 and not question.known and not question.final and question.kind == "high"


def _cost(question: "Question | Deal") -> float:
    if isinstance(question, Question):
        from felt.odds.exact import cost

        return cost(question)
    from felt.odds.general import cost as cost_of_cards

    return cost_of_cards(question)


def _sampled(
    question: "Question | Deal",
    samples: int | None,
    stderr: float | None,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> tuple[list[PlayerEquity], int, float]:
    if isinstance(question, Question):
        from felt.odds.sampled import sampled_equity

        return sampled_equity(question, samples=samples, stderr=stderr, seed=seed, threads=threads, progress=progress)
    from felt.odds.general import sampled_cards

    return sampled_cards(question, samples=samples, stderr=stderr, seed=seed, threads=threads, progress=progress)


def _exactly(
    question: "Question | Deal", threads: int | None, progress: Progress | None
) -> tuple[list[PlayerEquity], int, str]:
    if isinstance(question, Question) and _in_table(question):
        from felt.odds.matchups import from_table

        return *from_table(question), "table"
    seconds = _cost(question)
    if seconds > LIMIT:
        raise OddsError(
            f"counting every deal of {' v '.join(map(repr, question.names))} would take about"
            f" {seconds / 86400:,.0f} days of one core: leave out exact, or ask for a standard error"
        )
    if isinstance(question, Question):
        from felt.odds.exact import exact_equity

        return *exact_equity(question, threads=threads, progress=progress), "enumeration"
    from felt.odds.general import exact_cards

    return *exact_cards(question, threads=threads, progress=progress), "enumeration"
