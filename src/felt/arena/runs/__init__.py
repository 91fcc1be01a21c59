"""Runs: a competition as a row of independent plays, each of them known by its number.

Tournaments are runs, and whatever else is repeated many times: `play_runs` shares them out among workers, keeps what
came of them, and goes on where it was cut off. The same competition gives the same records, byte for byte, whoever
plays them.
"""

from felt.arena.runs.bench import Bench, do
from felt.arena.runs.coordinator import iterate_runs, play_runs
from felt.arena.runs.spec import Competition, Crew, Done, Keep, Lost, Parcel, Record, conduct_of, hand_number, run_of

__all__ = [
    "Bench",
    "Competition",
    "Crew",
    "Done",
    "Keep",
    "Lost",
    "Parcel",
    "Record",
    "conduct_of",
    "do",
    "hand_number",
    "iterate_runs",
    "play_runs",
    "run_of",
]
