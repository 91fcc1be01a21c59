"""Money as whole chips: decimals are scaled exactly, and the scale is remembered.

A source that writes ``$0.05`` becomes chips of one cent, and ``unit`` says so (0.01). No amount ever passes
through a float.
"""

import re
from collections.abc import Iterable
from decimal import Decimal

from felt.games.amounts import in_unit
from felt.games.rules import MAX_CHIPS
from felt.interop.histories import HistoryError, quoted

AMOUNT = r"[^\d\s.,()\[\]-]{0,4}(\d[\d,]*(?:\.\d+)?|\.\d+)"
"""A pattern for an amount in English text: a sign of a currency, then digits with commas and a point."""

MOST_DECIMALS = 6
_NUMBER = re.compile(r"\d{1,15}(\.\d{1,15})?|\.\d{1,15}")


def parse_amount(text: str) -> Decimal:
    """The number in text such as ``1,020.50``.

    >>> parse_amount("1,020.50")
    Decimal('1020.50')
    """
    digits = text.replace(",", "")
    if not _NUMBER.fullmatch(digits):
        raise HistoryError(f"{quoted(text)} is not an amount: write it like 12 or 1,020.50")
    return Decimal(digits)


def decimals(amounts: Iterable[Decimal]) -> int:
    """How many digits after the point the finest of these amounts has."""
    exponents = [amount.as_tuple().exponent for amount in amounts]
    return max((-e for e in exponents if isinstance(e, int) and e < 0), default=0)


def to_chips(amount: Decimal, places: int) -> int:
    """The amount in chips of which ``10 ** places`` make one unit of the source."""
    if places > MOST_DECIMALS:
        raise HistoryError(f"the amount {quoted(amount)} or another has {places} decimals: {MOST_DECIMALS} can be kept")
    if not amount.is_finite() or amount.adjusted() > 12 or abs(chips := amount.scaleb(places)) > MAX_CHIPS:
        most = in_unit(MAX_CHIPS, unit_of(places))
        raise HistoryError(f"the amount {quoted(amount)} is out of reach: write one up to {most}")
    if chips != chips.to_integral_value():
        raise HistoryError(f"the amount {quoted(amount)} is too fine: others have {places} digits after the point")
    return int(chips)


def unit_of(places: int) -> float:
    """What one chip is in the source: 0.01 for two digits after the point."""
    return float(Decimal(1).scaleb(-places))


def places_of(unit: float) -> int | None:
    """Digits after the point that amounts in this unit have; None where the unit is no power of ten.

    >>> places_of(0.01), places_of(1.0), places_of(0.5)
    (2, 0, None)
    """
    return next((p for p in range(MOST_DECIMALS + 1) if unit_of(p) == unit), None)


def in_units(chips: int, unit: float) -> str:
    """Chips as the source writes them, with every digit that the unit has.

    >>> in_units(125, 0.01), in_units(125, 1.0)
    ('1.25', '125')
    """
    places = places_of(unit)
    return str(chips) if places is None else str(Decimal(chips).scaleb(-places))


def in_money(chips: int, unit: float) -> str:
    """Chips as a poker room writes them: cents only where there are any.

    >>> in_money(125, 0.01), in_money(400, 0.01)
    ('1.25', '4')
    """
    places = places_of(unit)
    if places is None:
        return in_unit(chips, unit, grouped=False)
    units, rest = divmod(chips, 10**places)
    return f"{units}.{rest:0{places}}" if rest else str(units)
