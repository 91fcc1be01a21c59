"""Tournaments: freeze-outs at one table or many, played thousands of times."""

from felt.arena.tournament.payouts import Payouts
from felt.arena.tournament.result import TournamentResult, play_tournaments
from felt.arena.tournament.schedule import Schedule
from felt.arena.tournament.spec import Tournament

__all__ = ["Payouts", "Schedule", "Tournament", "TournamentResult", "play_tournaments"]
