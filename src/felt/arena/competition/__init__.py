"""Duplicate competitions for any number of seats: every combination of agents, every deal in all seatings.

Read `play` first; `Standings` ranks the agents by total bankroll and by instant run-off.
"""

from felt.arena.competition.play import Round, Standings, play_competition, table_match

__all__ = ["Round", "Standings", "play_competition", "table_match"]
