"""Matches: D's test of simulators, what a log costs, and what duplicate seating buys."""

import shutil
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmarks.measure import Contestant, race
from benchmarks.rows import Row, Section, Target, figure, quote, rate
from felt.arena import Match, Result, play
from felt.games import load
from felt.store.log.matches import open_match

NLHE = load("nlhe")
HANDS = 100_000
"""As many as in D table 16."""
PLAYERS = 4
PLAIN = Path(__file__).with_name("plain_agents.py")
SOURCE = "document D, table 16; an older machine"
LIACC, MEERKAT = quote(27.7, "s", SOURCE), quote(43.0, "s", SOURCE)


def bench(quick: bool = False) -> Section:
    rounds, share = (2, 50) if quick else (5, 1)
    rows = [
        *four_players(HANDS // share, rounds),
        *logged(HANDS // share, rounds),
        *duplicate(2_000 if quick else 40_000),
        *strength(1_000 if quick else 20_000),
    ]
    return Section(
        "Matches",
        tuple(rows),
        note="No-limit hold'em, 100 big blinds, on all cores unless a row says otherwise. Times are of whole matches: "
        "workers are started, cards dealt, decisions checked, results adjusted for all-ins, intervals computed. Plain "
        "agents are benchmarks/plain_agents.py; they play in processes of their own. `always call` takes 16 decisions "
        "a hand, and the log then has 16 rows for each.",
        order=40,
    )


def match(agents: list[str], **options: bool) -> Match:
    return Match.of(agents, NLHE, **options)  # type: ignore[arg-type]


def plain(name: str) -> str:
    return f"{PLAIN}:{name}"


def four_players(hands: int, rounds: int) -> list[Row]:
    """D table 16: 100,000 games of four players."""
    rows = []
    for name, agent, limit in (
        ("always call, in batch", "call", 1.5),
        ("random, in batch", "random", 1.5),
        ("always call, plain Python", plain("Caller"), 15.0),
        ("random, plain Python", plain("Chancer"), 15.0),
    ):
        found = match([agent] * PLAYERS)
        assert play(found, 200).conduct.clean
        runs = _runs(lambda found=found: play(found, hands), min(rounds, 3) if limit > 2 else rounds)
        per = HANDS / hands
        ours = figure([seconds * per for seconds in runs], "s")
        title = f"{HANDS:,} four-player games, {name}"
        rows.append(Row(title, ours, "LIACC simulator", LIACC, Target(limit, "under")))
        rows.append(Row(title, ours, "Open Meerkat", MEERKAT))
    one = match(["call"] * PLAYERS)
    runs = _runs(lambda: play(one, hands, workers=1), rounds)
    rows.append(
        Row(
            f"{HANDS:,} four-player games, always call, in batch, one worker",
            figure([s * HANDS / hands for s in runs], "s"),
        )
    )
    return rows


def _runs(call: Callable[[], object], rounds: int) -> list[float]:
    return race([Contestant("", call)], rounds=rounds, least=0.01)[""]


def logged(hands: int, rounds: int) -> list[Row]:
    """What it costs to keep every action."""
    rows = []
    with tempfile.TemporaryDirectory() as place:
        folders = count()

        def kept(found: Match, number: int) -> Result:
            folder = Path(place) / str(next(folders))
            result = play(found, number, log=open_match(folder, found))
            shutil.rmtree(folder)
            return result

        for name, agents, target in (
            ("two at random", ["random"] * 2, Target(150_000, "at least")),
            ("four who always call", ["call"] * 4, None),
        ):
            found, number = match(agents), 3 * hands
            times = race(
                [Contestant("log", lambda f=found, n=number: kept(f, n), number),
                 Contestant("none", lambda f=found, n=number: play(f, n), number)],
                rounds=rounds, least=0.01,
            )  # fmt: skip
            title = f"hands a second in batch with a log, {name}"
            rows.append(
                Row(title, rate(times["log"], "hands/s"), "the same without", rate(times["none"], "hands/s"), target)
            )
        found, number = match([plain("Caller")] * PLAYERS), hands // 2
        times = race(
            [Contestant("log", lambda: kept(found, number), number),
             Contestant("none", lambda: play(found, number), number)],
            rounds=rounds, least=0.01,
        )  # fmt: skip
        rows.append(
            Row("plain agents with a log, four who always call", rate(times["log"], "hands/s"), "the same without",
                rate(times["none"], "hands/s"), Target(1 / 1.1, "at least", "ratio"))
        )  # fmt: skip
    return rows


def duplicate(hands: int) -> list[Row]:
    """How much narrower an interval gets when every deal is played from both seats."""
    alone, both = (play(match(["potodds", "ehs"], duplicate=kind), hands).rate(1) for kind in (False, True))
    assert alone.half is not None and both.half is not None
    return [
        Row(
            f"ehs against potodds, {hands:,} hands: interval without duplicate seating beside that with it",
            figure([alone.half / both.half], "×"),
            note=f"{alone} without, {both} with",
        )
    ]


def strength(hands: int) -> list[Row]:
    """The E[HS] agent against the simple ones."""
    rows = []
    for other in ("call", "raise", "random"):
        result = play(match(["ehs", other], duplicate=True), hands)
        found = result.rate(0)
        assert found.low is not None and found.low > 0, f"ehs against {other}: {found}"
        rows.append(
            Row(f"ehs against {other}, {hands:,} duplicate hands", figure([result.hands_per_second], "hands/s"),
                note=f"{found}, adjusted {result.adjusted_rate(0)}")
        )  # fmt: skip
    return rows
