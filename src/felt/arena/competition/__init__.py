"""Duplicate competitions for any number of seats: every combination of agents, every deal in all seatings.

Read `play` first; `standings` ranks the agents by total bankroll and by instant run-off.
"""

from felt.arena.competition.play import play_competition, table_match
from felt.arena.competition.standings import Round, Standings

__all__ = ["Round", "Standings", "play_competition", "table_match"]
