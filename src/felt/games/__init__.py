"""Games: rules as data, and one engine that plays them all."""

from felt.games.actions import Action, IllegalAction, Legal
from felt.games.catalogue import load, names, parameters
from felt.games.hand import Hand
from felt.games.history import Event, HandRecord
from felt.games.moves import EventKind, Move, Phase
from felt.games.pgdl import Parameter, PgdlError, load_pgdl, read_pgdl, save_pgdl, write_pgdl
from felt.games.replay import ReplayError, replay
from felt.games.rules import Betting, First, GameRules, Rake, Round, RulesError, Score, Showdown, Structure

__all__ = [
    "Action",
    "Betting",
    "Event",
    "EventKind",
    "First",
    "GameRules",
    "Hand",
    "HandRecord",
    "IllegalAction",
    "Legal",
    "Move",
    "Parameter",
    "PgdlError",
    "Phase",
    "Rake",
    "ReplayError",
    "Round",
    "RulesError",
    "Score",
    "Showdown",
    "Structure",
    "load",
    "load_pgdl",
    "names",
    "parameters",
    "read_pgdl",
    "replay",
    "save_pgdl",
    "write_pgdl",
]
