"""Playing a duplicate competition by the rules of the computer poker competitions (Teófilo 2016, section 7.2.1).

Every combination of agents that fills a table plays a match. Its deals are played in every seating, the button goes
round from deal to deal, and for each seating agents begin without a memory. With two to four seats these are all
orders of the players; with more, where there would be 120 and more, as many as there are seats, such that everybody
holds every hand once, in an order around the table that is drawn anew for each deal.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

from felt._chance import block_seed
from felt.arena.competition.standings import Standings
from felt.arena.match import CrewMaker, Progress, play
from felt.arena.spec import Match
from felt.arena.work import Log
from felt.errors import FeltError

STREAM = 0x636F6D70  # "comp"
SEEDS = 2**31
HANDS = 3000
"""Of a match, all seatings included: as in the competition of 2014."""
MOST_MATCHES = 100_000


def play_competition(
    everybody: Match,
    seats: int,
    hands: int = HANDS,
    *,
    workers: int | None = None,
    log: Callable[[int, Match], Log] | None = None,
    progress: Callable[[int, int, Match], Progress] | None = None,
    crew: CrewMaker | None = None,
) -> Standings:
    """Play a duplicate match of `hands` between every `seats` of the players of `everybody`.

    Every match has cards of its own, from a seed that is drawn from that of the competition. `log` gives the log of a
    match by its number, from 1; `progress` is asked for a callback as each begins: which it is, of how many, and the
    match; `crew` says who plays, as in `felt.arena.play`.

    >>> from felt.games import load
    >>> kuhn = load("kuhn", players=3)
    >>> found = play_competition(Match.of(["call", "fold", "raise", "random"], kuhn, seats=3), 3, 600)
    >>> len(found.results), [found.names[agent] for agent in found.run_off_table]
    (4, ['raise', 'call', 'random', 'fold'])
    """
    if not 2 <= seats <= everybody.players:
        raise FeltError(f"{seats} players at a table: with {everybody.players} agents give 2 to {everybody.players}")
    matches = comb(everybody.players, seats)
    if matches > MOST_MATCHES:
        raise FeltError(f"{everybody.players} agents at tables of {seats} have {matches:,} matches: enter fewer")
    results = {}
    for number, table in enumerate(combinations(range(everybody.players), seats), 1):
        match = table_match(everybody, table, number)
        results[table] = play(
            match,
            hands,
            workers=workers,
            log=log(number, match) if log else None,
            progress=progress(number, matches, match) if progress else None,
            crew=crew,
        )
    return Standings(everybody.names, results, everybody.seed)


def table_match(everybody: Match, table: Sequence[int], number: int) -> Match:
    """The match of some of the players, which is `number` of the competition."""
    seed = int(block_seed(everybody.seed, number, STREAM)) % SEEDS
    entrants = tuple(everybody.entrants[place] for place in table)
    return replace(everybody, entrants=entrants, seed=seed, duplicate=True, turning=True)
