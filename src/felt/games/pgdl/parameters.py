"""Parameters of a document: numbers that whoever loads the game may choose, within bounds that it gives."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from felt.games.pgdl.fields import Node, Reading
from felt.games.pgdl.tree import PgdlError, shown
from felt.games.pgdl.words import words
from felt.games.scoring.expressions import FormulaError, evaluate_exactly, parse_formula

_COUNT, _AMOUNT = "count", "amount"
_TYPES = words((_COUNT, (_COUNT,)), (_AMOUNT, (_AMOUNT,)))
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
