"""Duplicate competitions for any number of seats: every combination of agents, every deal in all seatings."""

from felt.arena.competition.play import play_competition, table_match
from felt.arena.competition.standings import Round, Standings

__all__ = ["Round", "Standings", "play_competition", "table_match"]
