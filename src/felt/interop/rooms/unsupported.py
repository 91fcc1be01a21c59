"""Hand histories that Felt does not read: which room wrote them, so that the message can say so."""

import re

READ = "PHH, PokerStars, Full Tilt, ACPC logs and the IRC database"
"""What Felt reads, for messages."""

_ROOMS = tuple(
    (room, re.compile(pattern, re.IGNORECASE))
    for room, pattern in (
        ("Ignition", r"Ignition (?:Casino )?Hand #"),
        ("Bovada", r"Bovada (?:Poker )?Hand #"),
        ("Bodog", r"Bodog(?:\.\w+)? (?:Poker )?Hand #"),
        ("Run It Once", r"Run It Once Poker\b"),
        ("GGPoker", r"(?:GG ?Poker|Poker) Hand #[A-Z]{1,3}\d"),
        ("Winamax", r"Winamax Poker - "),
        ("888poker", r"\*{3,} ?(?:888|Cassava|Pacific)\S* (?:Poker )?Hand History\b"),
        ("Betfair", r"\*{3,} ?Betfair\b.*Hand History\b"),
        ("Everleaf", r"Everleaf\b|\*{3,} ?Hand history for game #"),
        ("PartyPoker", r"\*{3,} ?(?:Party\w* )?Hand History for Game \d"),
        ("Ongame", r"\*{3,} ?History for hand \S"),
        ("iPoker", r"(?:<\?xml[^>]*>\s*)?<session sessioncode="),
        ("Merge", r"(?:<\?xml[^>]*>\s*)?<description type="),
        ("Boss Media", r"(?:<\?xml[^>]*>\s*)?<HISTORY ID="),
        ("Microgaming", r"(?:<\?xml[^>]*>\s*)?<Game (?:hhversion|id)="),
        ("Absolute Poker", r"Stage #\d+:? "),
        ("Winning Poker Network", r"Game started at: |Hand #\d+ - (?:Holdem|Omaha|7Stud|5Stud|Seven)"),
        ("Cake", r"Hand#\w+ - "),
        ("Entraction", r"Game # ?\d+ - "),
        ("PKR", r"PKR\b.*\bHand\b|Table #\d+ - .*\bPKR\b"),
        ("CoinPoker", r"CoinPoker Hand #"),
        ("SwC Poker", r"Hand #\d+-\d+ - "),
    )
)


def other_room(line: str) -> str:
    """The room that begins its hands with such a line and that Felt does not read; empty if there is none.

    >>> other_room("Ignition Hand #3548320887: HOLDEM Tournament #18509313 TBL#1"), other_room("PokerStars Hand #1:")
    ('Ignition', '')
    """
    return next((room for room, begins in _ROOMS if begins.match(line)), "")


def not_read(room: str) -> str:
    """What to tell somebody who has hands of such a room."""
    return f"looks like a hand history of {room}, which Felt does not read; it reads {READ}"
