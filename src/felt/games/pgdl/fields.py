"""Attributes with their types: every way in which one can be wrong ends in an error that names it.

A `Node` is an element whose attributes are known by the names that are written, whatever spelling stood there.
Where a document declares parameters, ``{…}`` in an attribute is a formula over them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import NoReturn, TypeVar

from felt.games.pgdl.tree import Element, PgdlError, shown
from felt.games.pgdl.words import ATTRIBUTES, CHILDREN, MANY, MISSPELT, TEXT, YES_NO, key, spellings
from felt.games.rules import MAX_CHIPS
from felt.games.scoring.expressions import FormulaError, evaluate_exactly, parse_formula

T = TypeVar("T")

_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?")
_ENDLESS = 10**18
"""What a formula gives is written below this: far beyond any amount, and short enough for a message."""
_FLOAT = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,20})?(?:e[-+]?[0-9]{1,3})?", re.IGNORECASE)


@dataclass
class Reading:
    """What holds for a whole document: the values of its parameters, and chips for one unit of its amounts."""

    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    scale: int = 1
    warned: set[tuple[int, int]] = field(default_factory=set)
    """Where the document was warned of already: elements are looked at more than once."""
    whole_chips: bool = False
    """Whether the document says what a chip is worth, so that its amounts are chips."""


@cache
def _elements() -> dict[str, str]:
    return {key(name): name for name in ATTRIBUTES}


@cache
def _spellings(element: str) -> dict[str, str]:
    return {key(spelling): name for name, others in ATTRIBUTES[element].items() for spelling in (name, *others)}


def element_name(element: Element) -> str:
    """The element's name as it is written; empty for one that the language does not know."""
    return _elements().get(key(element.name), "")


class Node:
    """An element that may stand where it does, with its attributes by name."""

    def __init__(self, element: Element, reading: Reading) -> None:
        self.element = element
        self.reading = reading
        self.name = element_name(element)
        self._given: dict[str, str] = {}
        for attribute in element.attributes:
            name = _spellings(self.name).get(key(attribute))
            if name is None:
                self.fail(f"has no attribute {shown(attribute)!r}: it has {_list(ATTRIBUTES[self.name])}", attribute)
            if name in self._given:
                self.fail(f"gives {name!r} twice, as {self._given[name]!r} and {attribute!r}", attribute)
            self._given[name] = attribute
            if key(attribute) in MISSPELT:
                self._warn(attribute, name)
        self._check_inside()

    def _warn(self, attribute: str, name: str) -> None:
        place = (self.element.line, self.element.column)
        if place not in self.reading.warned:
            self.reading.warned.add(place)
            self.element.warn(f"<{self.name}> {attribute!r} is read as {name!r}: mend the spelling", attribute)

    def _check_inside(self) -> None:
        inside = CHILDREN.get(self.name, ())
        seen: set[str] = set()
        for child in self.element.children:
            name = element_name(child)
            if name not in inside:
                allowed = f"allowed are {_list(f'<{n}>' for n in inside)}" if inside else "nothing may"
                child.fail(f"<{shown(child.name)}> may not stand in <{self.name}>: {allowed}")
            if name in seen and name not in MANY:
                child.fail(f"<{name}> stands twice in <{self.name}>: give it once")
            seen.add(name)
        if self.name not in TEXT and (stray := re.search(r"\S+", self.element.text)):
            self.element.fail_in_text(
                f"<{self.name}> holds no text, but {shown(stray[0])!r} stands there", stray.start()
            )

    def fail(self, message: str, attribute: str | None = None) -> NoReturn:
        """Raise an error about this element, at the place of an attribute (as it is spelled) if one is named."""
        self.element.fail(f"<{self.name}> {message}", attribute)

    def fail_at(self, name: str, message: str) -> NoReturn:
        """Raise an error about an attribute, or about the element where it has none of that name."""
        self.fail(message, self._given.get(name))

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def children(self, name: str) -> list["Node"]:
        """The elements of this name directly inside."""
        return [Node(child, self.reading) for child in self.element.children if element_name(child) == name]

    def child(self, name: str) -> "Node | None":
        """The one element of this name directly inside, if there is one."""
        return next(iter(self.children(name)), None)

    def text(self, name: str, default: str | None = None) -> str:
        """An attribute as it stands, parameters put in."""
        if name not in self._given:
            if default is None:
                self.fail(f'has no {name!r}: add {name}="…"')
            return default
        value = self.element.attributes[self._given[name]]
        if not self.reading.parameters:
            return value
        return re.sub(r"\{([^{}]*)\}", lambda match: self._formula(name, match[1]), value)

    def _formula(self, name: str, formula: str) -> str:
        parameters = self.reading.parameters
        try:
            value = evaluate_exactly(parse_formula(formula, names=parameters), parameters)
        except FormulaError as error:
            self.fail_at(name, f"{name}: in {{{shown(formula)}}} at {error.at + 1}: {error}")
        if max(abs(value.numerator), value.denominator) >= _ENDLESS:
            self.fail_at(name, f"{name}: {{{shown(formula)}}} gives a number that is too long: use smaller numbers")
        if value.denominator == 1:
            return str(value.numerator)
        decimal = f"{float(value):.6f}".rstrip("0")
        if Fraction(decimal) != value:
            self.fail_at(name, f"{name}: {{{shown(formula)}}} gives {value}, which is no decimal number")
        return decimal

    def word(self, name: str, meanings: Mapping[str, T], default: T | None = None) -> T:
        """One of a few words."""
        if name not in self._given and default is not None:
            return default
        text = self.text(name)
        matches = [meaning for spelling, meaning in meanings.items() if key(spelling) == key(text)]
        if not matches:
            written = {meaning: spelling for spelling, meaning in reversed(list(meanings.items()))}
            self.fail_at(
                name, f"{name} is {shown(text)!r}: use {_list(written[m] for m in dict.fromkeys(meanings.values()))}"
            )
        return matches[0]

    def yes(self, name: str, *, default: bool) -> bool:
        """Yes or no."""
        return self.word(name, YES_NO, default)

    def whole(
        self, name: str, default: int | None = None, *, least: int = 0, most: int = 1_000_000, otherwise: str = ""
    ) -> int:
        """A whole number; errors also offer the word `otherwise`, which the caller has looked for."""
        text = self.text(name, None if default is None else str(default)).strip()
        if not re.fullmatch("[0-9]{1,12}", text) or not least <= int(text) <= most:
            allowed = (
                f"a whole number from {least} to {most}" if most < 1_000_000 else f"a whole number from {least} up"
            )
            self.fail_at(name, f"{name} is {shown(text)!r}: use {allowed}{f', or {otherwise}' if otherwise else ''}")
        return int(text)

    def exact(self, name: str) -> Fraction:
        """A number as it stands: 0 or more, with up to six places."""
        text = self.text(name, "0").strip()
        if not _NUMBER.fullmatch(text):
            self.fail_at(name, f"{name} is {shown(text)!r}: use a number such as 2 or 0.5, with up to six places")
        return Fraction(text)

    def chips(self, name: str, default: int | None = None) -> int:
        """An amount of money in chips."""
        if name not in self._given:
            if default is None:
                self.fail(f'has no {name!r}: add {name}="…", an amount')
            return default
        chips = self.exact(name) * self.reading.scale
        if chips.denominator != 1:
            self.fail_at(name, f"{name} is {self.text(name)!r}: where a unit is given, amounts are whole chips")
        if chips > MAX_CHIPS:
            self.fail_at(name, f"{name} is {self.text(name)!r}, which is {chips} chips: at most {MAX_CHIPS} fit")
        return int(chips)

    def real(self, name: str, default: float) -> float:
        """A number with any number of places, or a percentage."""
        if name not in self._given:
            return default
        text = self.text(name).strip()
        number = text.removesuffix("%").strip()
        if not _FLOAT.fullmatch(number):
            self.fail_at(name, f"{name} is {shown(text)!r}: use a number such as 0.05 or 5%")
        return float(number) / 100 if text.endswith("%") else float(number)


def _list(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:-1]) + " or " + every[-1] if len(every) > 1 else "".join(every) or "none"


_COUNT, _AMOUNT = "count", "amount"
_TYPES = spellings((_COUNT, (_COUNT,)), (_AMOUNT, (_AMOUNT,)))
_NAME = re.compile("[a-z][a-z0-9_]*")
_WRITTEN = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
"""How a value may be written; longer numbers are more chips than there are, or finer than any."""


@dataclass(frozen=True)
class Parameter:
    """A number that may be chosen."""

    name: str
    default: Fraction
    least: Fraction
    most: Fraction | None = None
    whole: bool = True
    description: str = ""
    formula: str = ""
    """What the default follows from, where it depends on other parameters; `default` is what it is by default."""

    @property
    def usual(self) -> str:
        """What it is unless chosen, in words."""
        return f"{written(self.default)} ({self.formula})" if self.formula else written(self.default)

    @property
    def allowed(self) -> str:
        """The values it may have, in words."""
        kind = "a whole number" if self.whole else "a number"
        if self.most is None:
            return f"{kind} from {written(self.least)} up"
        return f"{kind} from {written(self.least)} to {written(self.most)}"

    def refuses(self, value: Fraction) -> bool:
        """Whether the value is not allowed."""
        too_much = self.most is not None and value > self.most
        return value < self.least or too_much or (self.whole and value.denominator != 1)


def written(value: Fraction) -> str:
    """A number as people write it."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def declared(nodes: list[Node]) -> dict[str, Parameter]:
    """The parameters that a document declares."""
    parameters: dict[str, Parameter] = {}
    plain: dict[str, Fraction] = {}
    for node in sorted(nodes, key=lambda node: bool(_formula_of(node))):  # formulas are over those without
        parameter = _read(node, plain)
        if parameter.name in parameters:
            node.fail_at("name", f"name is {parameter.name!r}: another parameter has that name")
        parameters[parameter.name] = parameter
        if not parameter.formula:
            plain[parameter.name] = parameter.default
    return {name: parameters[name] for name in (node.text("name") for node in nodes)}


def _formula_of(node: Node) -> str:
    formula = re.fullmatch(r"\s*\{([^{}]*)\}\s*", node.text("default", ""))
    return formula[1].strip() if formula else ""


def _read(node: Node, plain: Mapping[str, Fraction]) -> Parameter:
    name = node.text("name")
    if not _NAME.fullmatch(name) or name in ("and", "or", "not"):
        node.fail_at("name", f"name is {shown(name)!r}: use small letters, digits and _, such as big_blind")
    if "default" not in node:
        node.fail("has no 'default': add default=\"…\", a number")
    parameter = Parameter(
        name=name,
        default=Node(node.element, Reading(plain)).exact("default"),
        least=node.exact("minimum"),
        most=node.exact("maximum") if "maximum" in node else None,
        whole=node.word("type", _TYPES, _COUNT) == _COUNT,
        description=node.text("description", ""),
        formula=_formula_of(node),
    )
    if parameter.refuses(parameter.default):
        node.fail_at("default", f"default is {written(parameter.default)}: use {parameter.allowed}")
    return parameter


def chosen(known: Mapping[str, Parameter], given: Mapping[str, object], *, source: str = "") -> dict[str, Fraction]:
    """The value of every parameter: as given, else by default."""
    values = {name: parameter.default for name, parameter in known.items()}
    for name, value in given.items():
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise PgdlError(f"there is no parameter {name!r}: {has}", source=source)
        values[name] = _value(known[name], value, source)
    plain = {name: value for name, value in values.items() if not known[name].formula}
    for name, parameter in known.items():
        if parameter.formula and name not in given:
            values[name] = _following(parameter, plain, source)
    return values


def _following(parameter: Parameter, values: Mapping[str, Fraction], source: str) -> Fraction:
    """The default of a parameter that follows from the values of others."""
    try:
        value = evaluate_exactly(parse_formula(parameter.formula, names=values), values)
    except FormulaError as error:
        raise PgdlError(
            f"{parameter.name} follows from {parameter.formula}: {error}; choose it", source=source
        ) from None
    if parameter.refuses(value):
        reason = f"{parameter.name} follows from {parameter.formula} and would be {written(value)}"
        raise PgdlError(f"{reason}: choose {parameter.allowed} for it", source=source)
    return value


def _value(parameter: Parameter, given: object, source: str) -> Fraction:
    try:
        text = str(given)
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        text = "thousands of digits"
    number = isinstance(given, int | float | Fraction | str) and not isinstance(given, bool)
    if number and _WRITTEN.fullmatch(text):
        value = Fraction(text)
        if not parameter.refuses(value):
            return value
    form = "" if _WRITTEN.fullmatch(text) else ", of at most 12 digits and 6 behind the point"
    raise PgdlError(f"{parameter.name} is {shown(text)!r}: use {parameter.allowed}{form}", source=source)
