"""Tournaments: freeze-outs at one table or many, played thousands of times.

Read `spec` first; `play` has one tournament, `room` its seats, `blind_levels` its levels, `result` the finishing
places.
"""

from felt.arena.tournament.blind_levels import Schedule
from felt.arena.tournament.payouts import Payouts
from felt.arena.tournament.result import TournamentResult, play_tournaments
from felt.arena.tournament.spec import Tournament

__all__ = ["Payouts", "Schedule", "Tournament", "TournamentResult", "play_tournaments"]
