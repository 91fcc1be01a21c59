"""Figures as people read them: 1.23 ms, 285 M/s, 71×, always with their spread."""

from benchmarks.rows import Figure, Row, Target

PREFIXES = ((1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, " "))
SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def digits(value: float) -> str:
    """Three digits that count.

    >>> [digits(v) for v in (0.123456, 1.0, 12.34, 123.4, 12345.6, 0)]
    ['0.123', '1.00', '12.3', '123', '12,346', '0']
    """
    if value == 0:
        return "0"
    whole = len(str(int(value))) if value >= 1 else 0
    return f"{value:,.{max(0, 3 - whole)}f}"


def amount(value: float, unit: str) -> str:
    """A value with its unit, scaled so that it is easy to read.

    >>> amount(0.00123, "s"), amount(285e6, "hands/s"), amount(71.3, "×"), amount(31400, "requests/s")
    ('1.23 ms', '285 M/s', '71.3×', '31.4 k/s')
    """
    if unit == "×":
        return digits(value) + "×"
    if unit == "s":
        scale, name = next(((s, n) for s, n in SECONDS if abs(value) >= s), SECONDS[-1])
        return f"{digits(value / scale)} {name}"
    scale, prefix = next(((s, p) for s, p in PREFIXES if abs(value) >= s), PREFIXES[-1])
    return f"{digits(value / scale)}{prefix}{'/s' if unit.endswith('/s') else unit}"


def with_spread(figure: Figure) -> str:
    """A figure and, in brackets, its spread and its best run; a quoted one says so instead.

    >>> with_spread(Figure(0.002, "s", 0.0019, 0.0022)), with_spread(Figure(0.002, "s", 0.0019, 0.0022, (0.001, 0.002)))
    ('2.00 ms (1.90–2.20)', '2.00 ms (1.90–2.20, best 1.00 ms)')
    """
    text = amount(figure.value, figure.unit)
    if figure.quoted:
        return f"{text}, quoted"
    if figure.low == figure.high:
        return text
    best = "" if figure.best is None else f", best {amount(figure.best, figure.unit)}"
    return f"{text} ({ends(figure)}{best})"


def ends(figure: Figure) -> str:
    """Both ends of the spread, with one unit where one is enough."""
    low, high, middle = (amount(v, figure.unit) for v in (figure.low, figure.high, figure.value))
    units = {text.lstrip("0123456789.,") for text in (low, high, middle)}
    if len(units) == 1:
        low, high = (text[: len(text) - len(units.copy().pop())] for text in (low, high))
    return f"{low}–{high}"


def asked(target: Target, unit: str) -> str:
    """What was asked, in few words.

    >>> asked(Target(70, "at least", "ratio", aim=115), "hands/s"), asked(Target(0.009, "under"), "s")
    ('≥ 70×, aim 115×', '< 9 ms')
    """
    shown = "×" if target.of == "ratio" else unit
    text = f"{'≥' if target.kind == 'at least' else '<'} {short(target.limit, shown)}"
    return text if target.aim is None else f"{text}, aim {short(target.aim, shown)}"


def short(value: float, unit: str) -> str:
    """A round number without the noughts that `amount` adds."""
    number, *rest = amount(value, unit).replace("×", " ×").split(" ", 1)
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return (number + " " + " ".join(rest)).replace(" ×", "×")


def verdict(row: Row) -> str:
    """``yes`` or ``no`` by the median, with a word about the best run or the aim; empty without a target."""
    if row.met is None:
        return ""
    if not row.met:
        return "no, but the best run" if row.met_at_best else "no"
    return "yes" if row.aim_met is None else "yes, and the aim" if row.aim_met else "yes, not the aim"
