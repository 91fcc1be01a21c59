"""Chips in words: in the unit of the game or file that they come from, as people write and type them.

Inside, money is whole chips. Where a source has blinds of 0.5 or stakes in cents, a chip is a part of its unit, which
nobody who reads a message has to know.
"""

from fractions import Fraction

FINEST = 1000
"""Units are whole parts of one, this many at most."""

MOST_DIGITS = 6


def in_unit(chips: int, unit: float = 1.0, *, grouped: bool = True) -> str:
    """An amount of chips as the source would write it; thousands are `grouped` by commas.

    >>> in_unit(3, 0.5), in_unit(1250, 0.01), in_unit(-4, 0.5), in_unit(12000), in_unit(1, 1 / 3)
    ('1.5', '12.5', '-2', '12,000', '0.333333')
    """
    value = chips * _exact(unit) if unit != 1 else Fraction(chips)
    comma = "," if grouped else ""
    if value.denominator == 1:
        return f"{int(value):{comma}}"
    return f"{float(value):{comma}.{MOST_DIGITS}f}".rstrip("0")


def from_unit(text: str, unit: float = 1.0) -> int | None:
    """The chips of an amount that somebody typed; None where it is no amount, or no whole number of chips.

    >>> from_unit("1.5", 0.5), from_unit("1,250"), from_unit("0.3", 0.5), from_unit("many")
    (3, 1250, None, None)
    """
    digits = text.replace(",", "").strip()
    units, _, rest = digits.partition(".")
    parts = [part for part in (units, rest) if part]
    if not parts or not all(part.isascii() and part.isdigit() and len(part) <= 12 for part in parts):
        return None
    chips = Fraction(f"{units or 0}.{rest or 0}") / _exact(unit)
    return int(chips) if chips.denominator == 1 else None


def chip_note(unit: float) -> str:
    """What a chip is, for those who count in chips; empty where it is one unit.

    >>> chip_note(0.5), chip_note(1.0)
    (' (one chip is 0.5)', '')
    """
    return "" if unit == 1 else f" (one chip is {in_unit(1, unit)})"


def _exact(unit: float) -> Fraction:
    exact = Fraction(str(unit))
    return exact if exact.denominator <= 10**MOST_DIGITS else Fraction(unit).limit_denominator(FINEST)
