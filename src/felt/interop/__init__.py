"""Other formats, read and written: hand histories of other programs, and game files.

Read `formats` first: it finds the format of a file and calls its reader. Each format has a file or a folder: `phh`,
`rooms` (PokerStars, Full Tilt), `acpc`, `irc`. `results` plays a hand that was read and compares the result.
"""

from felt.interop.acpc.game import load_acpc_game, read_acpc_game, save_acpc_game, write_acpc_game
from felt.interop.formats import load_game, read_bytes, read_hands, write_text
from felt.interop.histories import Histories, HistoryError, Problem
from felt.interop.phh import read_phh, write_phh
from felt.interop.results import Outcome, check

__all__ = [
    "Histories",
    "HistoryError",
    "Outcome",
    "Problem",
    "check",
    "load_acpc_game",
    "load_game",
    "read_acpc_game",
    "read_bytes",
    "read_hands",
    "read_phh",
    "save_acpc_game",
    "write_acpc_game",
    "write_phh",
    "write_text",
]
