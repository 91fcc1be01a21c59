"""Names of players: which may be used, and which people would take for one another."""

import unicodedata
from functools import cache, lru_cache

from felt.store.accounts.lookalikes import LOOK_LIKE

LONGEST = 24
MOST_MARKS = 2
"""Accents on one letter; more of them climb over the lines above."""
_INVISIBLE = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer vowels that are not written
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2800, 0x2800),  # Braille without dots
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFFA0, 0xFFA0),
    (0xFFFC, 0xFFFD),  # what stands for something else
    (0x16FE4, 0x16FE4),  # Khitan filler
    (0x1D159, 0x1D159),  # a note without a head
    (0xE0000, 0xE0FFF),  # tags, further variation selectors
)
"""Characters that nobody sees although their category does not say so (Default_Ignorable_Code_Point and blanks)."""
_SAME = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
"""Beyond Unicode's list: small letters whose capitals, or which themselves, are taken for others."""


def check_name(text: str) -> str:
    """A name as it is kept, with single blanks; what could not be told from another name is refused (`ValueError`).

    >>> check_name("  Ada   Lovelace ")
    'Ada Lovelace'
    >>> check_name("Ada\\u200b")
    Traceback (most recent call last):
      ...
    ValueError: give a name without invisible characters (there is U+200B in it)
    """
    name = " ".join(text.split())
    if not 1 <= len(name) <= LONGEST:
        raise ValueError(f"give a name of 1 to {LONGEST} characters")
    hidden = next((letter for letter in name if is_invisible(letter)), None)
    if hidden is not None:
        raise ValueError(f"give a name without invisible characters (there is U+{ord(hidden):04X} in it)")
    if ":" in name:  # hand histories in text have it between a name and what is said of it
        raise ValueError("give a name without ':'")
    marks = 0
    for at, letter in enumerate(unicodedata.normalize("NFD", name)):
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if marks > MOST_MARKS or (marks and not at):
            raise ValueError("give a name whose accents stand on letters, two on each at most")
    return name


def is_invisible(letter: str) -> bool:
    """Whether a character cannot be seen, or changes how others are shown.

    >>> is_invisible("\\u202e"), is_invisible("\\u3164"), is_invisible("a"), is_invisible(" ")
    (True, True, False, False)
    """
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return True
    return any(first <= ord(letter) <= last for first, last in _INVISIBLE)


@lru_cache(10_000)
def folded(name: str) -> str:
    """A name such that two of the same letters, whatever their case or spelling in Unicode, are the same.

    >>> folded("Ada") == folded("ＡDA"), folded("Straße") == folded("STRASSE")
    (True, True)
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


@lru_cache(10_000)
def skeleton(name: str) -> str:
    """A name such that two that look the same are the same (after UTS #39, section 4), whatever their scripts.

    >>> skeleton("Adа") == skeleton("Ada"), skeleton("lris") == skeleton("Iris"), skeleton("Ann") == skeleton("Ada")
    (True, True, False)
    """
    seen = "".join(letter for letter in unicodedata.normalize("NFKC", name) if not is_invisible(letter))
    plain = unicodedata.normalize("NFD", seen).translate(_look_like()).casefold().translate(_SAME)
    return " ".join(plain.replace("rn", "m").replace("vv", "w").split())


def keys(name: str) -> tuple[str, str]:
    """What a name is found by: nobody may have a name with one of the keys of another's."""
    return f"folded {folded(name)}", f"skeleton {skeleton(name)}"


def alike(name: str, other: str) -> bool:
    """Whether people would take one name for the other.

    >>> alike("НИНА", "нина"), alike("Bo", "Βо"), alike("Bo", "Bob")
    (True, True, False)
    """
    return folded(name) == folded(other) or skeleton(name) == skeleton(other)


@cache
def _look_like() -> dict[int, str]:
    return {ord(letter): plain for plain, letters in LOOK_LIKE.items() for letter in letters}
