"""Tournaments: freeze-outs at one table or many, played thousands of times.

Read `spec` first; `play` has one tournament, `structure` its levels and prizes, `result` the finishing
places.
"""

from felt.arena.tournament.result import TournamentResult, play_tournaments
from felt.arena.tournament.spec import Tournament
from felt.arena.tournament.structure import Payouts, Schedule

__all__ = ["Payouts", "Schedule", "Tournament", "TournamentResult", "play_tournaments"]
