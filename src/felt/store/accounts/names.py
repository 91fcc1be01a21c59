"""Names of players: which may be used, and which people would take for one another."""

import unicodedata
from functools import cache, lru_cache

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


# The facts are those of Unicode's list of confusables (Unicode Technical Standard #39, version 15.1), as far as they
# lead to ASCII letters, digits and the signs of names, without what NFKC makes equal anyway.
_SEVERAL = (
    "'' \"ʺˮ˶\u05f2\u05f4᳓“”‟〃  'B Ɓ  'D Ɗ  'P Ƥ  'T Ƭ  'Y Ƴ  -. ꓾  .. ꓺ  AA Ꜳ  AE ÆӔ  AO Ꜵ  AR \U0001f707  "
    "AU Ꜷ  AV ꜸꜺ  AY Ꜽ  C' Ƈ  G' Ɠ  K' Ƙ  MB \U0001f76b  O' ƠᎤ  OE Œ  OO ꚘꝎ  P' ᒆ  QE \U0001f700  T3 Ꜩ  U' ᑧ  "
    "VB \U0001f76c  aa ꜳ  ae æӕ  ao ꜵ  au ꜷ  av ꜹꜻ  ay ꜽ  b' ᒈ  bl Ы  d' ᒇ  dz ʣ  l' \u05f1  lO Ю  ll ǁ\u05f0‖∥  "
    "ls ʪ  lt ₶  lz ʫ  o' ơ  oe œ  oo ∞ꚙꝏ  r' ґ  rn m\U00011700\U000118e3  sss \U0001f75c  tf ꝷ  ts ʦ  ue ᵫ  "
    "uo ꭣ"
)
"""Letters that look like several: what they look like, and they."""

LOOK_LIKE = {
    "'": "`ʹʻʼʽʾˈˊˋ˴՚՝\u05d9\u05f3\u07f4\u07f5ᑊᛌ‘’‛′‵ꞌ",
    "-": "˗\u06d4‐‒–⁃−➖Ⲻ",
    ".": "\u0660۰\u0701\u0702ꓸ꘎\U00010a50",
    "2": "ƧϨᒿꙄꛯꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ\U000118ca\U00016f3b\U0001d206",
    "4": "Ꮞ\U000118af",
    "5": "Ƽ\U000118bb",
    "6": "бᏮⳒ\U000118d5",
    "7": "\U000104d2\U000118c6\U0001d212",
    "8": "Ȣȣ৪੪\U0001031a\U0001e8cb",
    "9": "৭੧୨൭ⳊꝮ\U000118ac\U000118cc\U000118d6",
    "A": "ΑАᎪᗅꓮ\U000102a0\U00016f40",
    "B": "ΒВᏴᗷꓐꞴ\U00010282\U000102a1\U00010301",
    "C": "СᏟⲤꓚ\U000102a2\U00010302\U00010415\U0001051c\U000118e9\U000118f2\U0001f74c",
    "D": "Ꭰᗞᗪꓓ",
    "E": "ΕЕᎬ⋿ⴹꓰ\U00010286\U000118a6\U000118ae",
    "F": "ϜᖴꓝꞘ\U00010287\U000102a5\U00010525\U000118a2\U000118c2\U0001d213",
    "G": "ԌᏀᏳꓖ",
    "H": "ΗНᎻᕼⲎꓧ\U000102cf",
    "J": "ͿЈᎫᒍꓙꞲ",
    "K": "ΚКᏦᛕⲔꓗ\U00010518",
    "L": "ᏞᒪⳐꓡ\U0001041b\U00010526\U000118a3\U000118b2\U00016f16\U0001d22a",
    "M": "ΜϺМᎷᗰᛖⲘꓟ\U000102b0\U00010311",
    "N": "ΝⲚꓠ\U00010513",
    "O": ("0ΟОՕ\u07c0০ଠ୦ዐⲞⵔ〇ꓳ\U00010292\U000102ab\U00010404\U000104c2\U00010516\U000114d0\U000118b5\U000118e0"),
    "P": "ΡРᏢᑭⲢꓑ\U00010295",
    "Q": "ⵕ",
    "R": "ƦᎡᏒᖇꓣ\U000104b4\U00016f35\U0001d216",
    "S": "ЅՏᏕᏚꓢ\U00010296\U00010420\U00016f3a",
    "T": "ΤТᎢ⊤⟙Ⲧꓔ\U00010297\U000102b1\U00010315\U000118bc\U00016f0a\U0001f768",
    "U": "Սሀᑌ∪⋃ꓴ\U000104ce\U000118b8\U00016f42",
    "V": "Ѵ\u0667۷Ꮩᐯⴸꓦꛟ\U0001051d\U000118a0\U00016f08\U0001d20d",
    "W": "ԜᎳᏔꓪ\U000118e6\U000118ef",
    "X": "ΧХ᙭ᚷ╳ⲬⵝꓫꞳ\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec",
    "Y": "ΥУҮᎩᎽⲨꓬ\U000102b2\U000118a4\U00016f43",
    "Z": "ΖᏃꓜ\U000102f5\U000118a9\U000118e5",
    "a": "ɑαа⍺",
    "b": "ƄЬᏏᑲᖯ",
    "c": "сᴄⲥꮯ\U0001043d",
    "d": "ԁᏧᑯꓒ",
    "e": "еҽ℮ꬲ",
    "f": "քẝꞙꬵ",
    "g": "ƍɡցᶃ",
    "h": "һհᏂ",
    "i": "ıɩɪιіӏᎥ⍳ꙇꭵ\U000118c3",
    "j": "ϳј",
    "l": ("1I|ƖǀΙІӀ\u05c0\u05d5\u05df\u0627\u0661۱\u07caᛁ∣⏽Ⲓⵏꓲ\U0001028a\U00010309\U00010320\U00016f28\U0001e8c7"),
    "n": "ոռ",
    "o": ("οσоօ\u05e1\u0647\u0665\u06be\u06c1\u06d5۵०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ\U0001042c\U000104ea\U000118c8\U000118d7"),
    "p": "ρр⍴ⲣ",
    "q": "ԛգզ",
    "r": "гᴦⲅꭇꭈꮁ",
    "s": "ƽѕꜱꮪ\U00010448\U000118c1",
    "u": "ʋυսᴜꞟꭎꭒ\U000104f6\U000118d8",
    "v": "νѵ\u05d8ᴠ∨⋁ꮩ\U00011706\U000118c0",
    "w": "ɯѡԝաᴡꮃ\U0001170a\U0001170e\U0001170f",
    "x": "×хᕁᕽ᙮⤫⤬⨯",
    "y": "ɣʏγуүყᶌỿꭚ\U000118dc",
    "z": "ᴢꮓ\U000118c4",
    **dict(zip(_SEVERAL.split()[::2], _SEVERAL.split()[1::2], strict=True)),
}
"""By what they look like."""
