"""Playing a duplicate competition by the rules of the computer poker competitions (Teófilo 2016, section 7.2.1).

Every combination of agents that fills a table plays a match. Its deals are played in every seating, the button goes
round from deal to deal, and for each seating agents begin without a memory. With two to four seats these are all
orders of the players; with more, where there would be 120 and more, as many as there are seats, such that everybody
holds every hand once, in an order around the table that is drawn anew for each deal.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from felt._moved import renamed_arguments
from felt.arena.competition.standings import Standings
from felt.arena.match.several import LogMaker, ProgressMaker, choose_players, play_matches
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Executor
from felt.errors import FeltError

STREAM = 0x636F6D70  # "comp"
HANDS = 3000
"""Hands of a match by default, all seatings included: as in the competition of 2014."""
MOST_MATCHES = 100_000


@renamed_arguments(crew="executor")
def play_competition(
    everybody: Match,
    seats: int,
    hands: int = HANDS,
    *,
    workers: int | None = None,
    log: LogMaker | None = None,
    progress: ProgressMaker | None = None,
    executor: Executor | None = None,
) -> Standings:
    """Play a duplicate match of `hands` between every `seats` of the players of `everybody`.

    Every match has cards of its own, from a seed that is drawn from that of the competition. `log` gives the log of a
    match by its number, from 1; `progress` is asked for a callback as each begins: which it is, of how many, and the
    match; `executor` plays, as in `felt.arena.play`.

    >>> from felt.games import load
    >>> kuhn = load("kuhn", players=3)
    >>> standings = play_competition(Match.of(["call", "fold", "raise", "random"], kuhn, seats=3), 3, 600)
    >>> len(standings.results), [standings.names[agent] for agent in standings.run_off_table]
    (4, ['raise', 'call', 'random', 'fold'])
    """
    if not 2 <= seats <= everybody.players:
        raise FeltError(f"{seats} players at a table: with {everybody.players} agents give 2 to {everybody.players}")
    count = comb(everybody.players, seats)
    if count > MOST_MATCHES:
        raise FeltError(f"{everybody.players} agents at tables of {seats} have {count:,} matches: enter fewer")
    tables = combinations(range(everybody.players), seats)
    matches = {table: table_match(everybody, table, number) for number, table in enumerate(tables, 1)}
    results = play_matches(matches, hands, workers=workers, log=log, progress=progress, executor=executor)
    return Standings(everybody.names, results, everybody.seed)


def table_match(everybody: Match, table: Sequence[int], number: int) -> Match:
    """The match of some of the players, which is `number` of the competition."""
    return choose_players(everybody, tuple(table), number, STREAM, duplicate=True, turning=True)
