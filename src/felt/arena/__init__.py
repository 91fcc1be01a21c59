"""The arena: agents against each other, and what the results mean.

Read `match/run.py` first: `play` plays a match. Leagues and duplicate competitions are several matches
(`match/league.py`, `competition`); tournaments, rings and evolutions are runs (`tournament`, `ring`, `evolution`). One
scheduler divides all of them into tasks (`schedule`), one conductor plays their hands (`conductor`), and `report` makes
pages and plots of the results.
"""

from felt.arena.conductor.conduct import Conduct, Fault, Incident, Penalty
from felt.arena.match.league import League, play_league
from felt.arena.match.result import Result
from felt.arena.match.run import play
from felt.arena.match.spec import Match

__all__ = ["Conduct", "Fault", "Incident", "League", "Match", "Penalty", "Result", "play", "play_league"]
