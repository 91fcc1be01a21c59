"""Hands in the Poker Hand History format (PHH): TOML, one hand a file, or many in a ``.phhs`` file.

The format is that of Kim (2024), "Recording and Describing Poker Hands", with its eleven codes for variants. In it
``p1`` is the player left of the button; heads-up the lists of antes and blinds begin with the button.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from felt.games.amounts import in_unit
from felt.games.history import HandRecord
from felt.games.moves import EventKind
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS, Structure
from felt.interop.histories import (
    Histories,
    HistoryError,
    check_cards,
    decimals,
    in_dealing_order,
    quoted,
    read_each,
    to_chips,
    unit_of,
)
from felt.interop.phh.actions import action_amount, parse_phh, read_actions, with_source_actions
from felt.interop.rooms.ledger import Ledger
from felt.interop.variants import Game, SourceStakes, antes_as_rules, blinds_as_rules, fitted, make_rules

CODES = {
    "NT": (Game.HOLDEM, Structure.NO_LIMIT),
    "FT": (Game.HOLDEM, Structure.LIMIT),
    "NS": (Game.SHORT_DECK, Structure.NO_LIMIT),
    "PO": (Game.OMAHA, Structure.POT_LIMIT),
    "FO/8": (Game.OMAHA8, Structure.LIMIT),
    "F7S": (Game.STUD, Structure.LIMIT),
    "F7S/8": (Game.STUD8, Structure.LIMIT),
    "FR": (Game.RAZZ, Structure.LIMIT),
    "N2L1D": (Game.SINGLE_DRAW, Structure.NO_LIMIT),
    "F2L3D": (Game.TRIPLE_DRAW, Structure.LIMIT),
    "FB": (Game.BADUGI, Structure.LIMIT),
}
"""What PHH calls the variants that it knows."""

STUD_CODES = ("F7S", "F7S/8", "FR")
OWN_FIELDS = ("_unit", "_rake", "_cap", "_shown", "_sitting_out", "_cash_outs", "_source_actions")
"""Fields that Felt adds where PHH has no place for what it knows; other programs pass them over."""

_READ = {"variant", "antes", "blinds_or_straddles", "bring_in", "small_bet", "big_bet", "min_bet", "starting_stacks",
         "actions", "players", "hand", "currency", "finishing_stacks", "winnings", "ante_trimming_status",
         *OWN_FIELDS}  # fmt: skip
_SECTION = re.compile(r"\s*\[\s*(?:\"([^\"]+)\"|'([^']+)'|([\w.-]+))\s*\]\s*(?:#.*)?")
_OWN_TABLE = re.compile(r"(?:[^.]+\.)?(_[\w.-]*)")
"""A table of somebody's own fields: part of a hand, and no hand."""

_MOST_RAKE = 4
"""No house takes more than one chip in so many, a drop for a jackpot included: more is an error."""


def read_phh(text: str) -> Histories:
    """The hands of a ``.phh`` or ``.phhs`` text.

    >>> found = read_phh('''
    ... variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [200, 200]
    ... actions = ["d dh p1 AsKd", "d dh p2 ????", "p2 f"]
    ... ''')
    >>> found.hands[0].posts, len(found.problems)
    ((2, 1), 0)
    """
    hands = ((line, name, partial(_read_hand, part, line)) for name, line, part in _sections(text))
    return read_each(hands, "no hand in PHH: a hand begins with a line like variant = 'NT'")


def _sections(text: str) -> Iterator[tuple[str, int, str]]:
    """Each hand's name, first line and text. They are parsed one by one, so that one may be broken."""
    name, start, lines = "", 1, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        match = _SECTION.fullmatch(line)
        own = _OWN_TABLE.fullmatch(match[3]) if match and match[3] else None
        if own:
            lines.append(f"[{own[1]}]")
        elif match:
            if any(_says_something(inner) for inner in lines):
                yield name, start, "\n".join(lines)
            name, start, lines = match[1] or match[2] or match[3], number + 1, []
        else:
            lines.append(line)
    if any(_says_something(inner) for inner in lines):
        yield name, start, "\n".join(lines)


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


class _PhhFields:
    """The fields of a hand, asked for by name and kind."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw

    def __getitem__(self, name: str) -> Any:
        if name not in self.raw:
            raise HistoryError(f"the field {name!r} is missing: a hand of this variant needs it")
        return self.raw[name]

    def __contains__(self, name: str) -> bool:
        return name in self.raw

    def number(self, name: str) -> Decimal:
        return _number(self[name], name)

    def numbers(self, name: str, *, most: int = MAX_PLAYERS) -> list[Decimal]:
        value = self[name]
        if not isinstance(value, list) or len(value) > most:
            raise HistoryError(f"{name} is {quoted(value)}: give a list of up to {most} amounts")
        return [_number(item, name) for item in value]

    def texts(self, name: str) -> list[str]:
        value = self[name]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise HistoryError(f"{name} is {quoted(value)}: give a list of texts")
        return value


def _number(value: object, name: str) -> Decimal:
    if isinstance(value, Decimal) and not value.is_nan():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    raise HistoryError(f"{name} has {quoted(value)} where an amount is wanted")


def _read_hand(text: str, first_line: int) -> HandRecord:
    raw = parse_phh(text, first_line=first_line)
    if "variant" not in raw:
        raise HistoryError("the field 'variant' is missing: a hand begins with one, like variant = 'NT'")
    code = raw["variant"]
    if not isinstance(code, str) or code not in CODES:
        raise HistoryError(f"the variant {quoted(code)} is unknown: PHH has {', '.join(CODES)}")
    return _Builder(_PhhFields(raw), code).record()


class _Builder:
    """A record from the fields of a hand."""

    def __init__(self, fields: _PhhFields, code: str) -> None:
        stacks = fields.numbers("starting_stacks")
        if len(stacks) < 2:
            raise HistoryError(f"starting_stacks has {len(stacks)} players: a hand has 2 to {MAX_PLAYERS}")
        self.fields, self.code, self.players = fields, code, len(stacks)
        self.actions = fields.texts("actions")
        if "_source_actions" in fields:
            self.actions = with_source_actions(self.actions, fields.texts("_source_actions"))
        self.posts = [] if code in STUD_CODES else self._by_seat("blinds_or_straddles")
        self.antes = self._by_seat("antes")
        names = ["bring_in"] if code in STUD_CODES else []
        names += ["small_bet", "big_bet"] if CODES[code][1] == Structure.LIMIT else ["min_bet"]
        self.sizes = {name: fields.number(name) for name in names}
        paid = [*self.posts, *self.antes, *self.sizes.values(), *filter(None, map(action_amount, self.actions))]
        results = [name for name in ("finishing_stacks", "winnings", "_cash_outs") if name in fields]
        self.places = decimals([*stacks, *paid, *(amount for name in results for amount in fields.numbers(name))])
        ample = 100 * max(paid)  # for stacks that the source does not know
        self.stacks = tuple(self._chips(stack if stack.is_finite() else ample) for stack in stacks)
        self.known = all(stack.is_finite() for stack in stacks)
        if sum(self.stacks) > MAX_CHIPS:
            total, most = (in_unit(chips, unit_of(self.places)) for chips in (sum(self.stacks), MAX_CHIPS))
            raise HistoryError(f"the stacks are {total} together: at most {most} can be kept")

    def _by_seat(self, name: str) -> list[Decimal]:
        values = self.fields.numbers(name, most=self.players)
        values += [Decimal(0)] * (self.players - len(values))
        return values[::-1] if self.players == 2 else values

    def _chips(self, amount: Decimal) -> int:
        return to_chips(amount, self.places)

    def record(self) -> HandRecord:
        raw = self.fields.raw
        game, structure = CODES[self.code]
        if min(self.antes) < 0 or min(self.stacks) < 0:
            raise HistoryError("a stack or an ante is negative: only blinds may be, for a post out of turn")
        posts = tuple(self._chips(abs(post)) for post in self.posts) or (0,) * self.players
        antes = tuple(map(self._chips, self.antes))
        source_antes = antes
        posts, antes = self._without_dead_posts(posts, antes)
        sizes, unit = {name: self._chips(value) for name, value in self.sizes.items()}, self._unit()
        ante, big_blind_ante = antes_as_rules(antes)
        stakes = SourceStakes(
            structure,
            small=sizes.get("min_bet", sizes.get("small_bet", 0)),
            big=sizes.get("big_bet", 0),
            blinds=self._blinds(),
            ante=ante,
            big_blind_ante=big_blind_ante,
            bring_in=sizes.get("bring_in", 0),
            cap=self._own("_cap"),
            unit=unit,
        )
        rules = replace(make_rules(game, stakes), heads_up_button_blind=not self._small_blind_first())
        events = in_dealing_order(read_actions(self.actions, rules, self.players, self._chips), rules)
        if raw.get("_shown") is False:
            events = tuple(event for event in events if event.kind != EventKind.SHOW)
        rules = fitted(rules, events, opened=any(posts))
        names = self.fields.texts("players") if "players" in raw else []
        record = HandRecord(
            rules=rules,
            stacks=self.stacks,
            antes=antes,
            posts=posts,
            events=events,
            button=self.players - 1,
            names=tuple(names) if len(names) == self.players else (),
            hand_id=str(raw.get("hand", "")),
            unit=unit,
            currency=str(raw.get("currency", "")),
            dead_antes=any(antes) and (antes != source_antes or raw.get("ante_trimming_status") is not True),
            meta={key: _as_text(value) for key, value in raw.items() if key not in _READ},
            sitting_out=self._sitting_out(),
            cash_outs=self._amounts("_cash_outs") if "_cash_outs" in raw else (),
        )
        check_cards(record)
        return self._with_result(record)

    def _unit(self) -> float:
        if "_unit" not in self.fields:
            return unit_of(self.places)
        own = self.fields.number("_unit")
        if self.places or not 0 < own < 1:
            raise HistoryError(f"_unit is {quoted(own)}: a part of one, with whole numbers for all amounts")
        return float(own)

    def _own(self, name: str) -> int:
        return max(0, self._chips(self.fields.number(name))) if name in self.fields else 0

    def _sitting_out(self) -> tuple[int, ...]:
        """Seats from players' numbers."""
        numbers = self.fields.numbers("_sitting_out") if "_sitting_out" in self.fields else []
        if any(number not in range(1, self.players + 1) for number in numbers):
            raise HistoryError(f"_sitting_out has {quoted([*map(str, numbers)])}: players are 1 to {self.players}")
        return tuple(sorted({int(number) - 1 for number in numbers}))

    def _blinds(self) -> tuple[int, ...]:
        """The blinds as rules have them; a negative one is a post of somebody who takes a seat, and no blind."""
        by_seat = self.posts[::-1] if self.players == 2 and not self._small_blind_first() else self.posts
        return blinds_as_rules([max(0, self._chips(post)) for post in by_seat])

    def _small_blind_first(self) -> bool:
        """Whether, heads-up, the small blind is not on the button: an old custom, as on IRC."""
        return self.players == 2 and len(self.posts) == 2 and 0 < self.posts[0] < self.posts[1]

    def _without_dead_posts(self, posts: tuple[int, ...], antes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """Posts out of turn are of a big blind; what is over is a small one missed, and dead like an ante."""
        most = max(self._blinds(), default=0)
        dead = [max(0, post - most) if own < 0 else 0 for post, own in zip(posts, self.posts, strict=False)]
        if not any(dead):
            return posts, antes
        paid = tuple(ante + over for ante, over in zip(antes, dead, strict=True))
        return tuple(post - over for post, over in zip(posts, dead, strict=True)), paid

    def _with_result(self, record: HandRecord) -> HandRecord:
        finished = "finishing_stacks" in self.fields and self.known
        is_raked = finished and "_rake" in self.fields
        won = self._amounts("winnings") if "winnings" in self.fields and not is_raked else ()
        if finished:
            finishing, rake = self._amounts("finishing_stacks"), self._own("_rake")
            if won:  # where both say that chips are missing, the house has them
                rake = _missing(record, finishing, won)
        elif any(won):
            finishing, rake = _from_winnings(record, won)
        else:  # zeros are what programs write that do not know
            return record
        return replace(record, finishing=finishing, rake=rake)

    def _amounts(self, name: str) -> tuple[int, ...]:
        values = tuple(map(self._chips, self.fields.numbers(name)))
        if len(values) != self.players:
            raise HistoryError(f"{name} has {len(values)} players, starting_stacks {self.players}")
        return values


def _from_winnings(record: HandRecord, won: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Stacks after the hand and the rake, from what each player took out of the pot.

    Rooms differ in whether an uncalled bet is counted as won; the sum tells, or that a loser won just that. What is
    missing is rake.
    """
    ledger = Ledger.of(record, played=True)
    seat, over = ledger.uncalled()
    contested = ledger.pot - over
    if sum(won) <= contested and not (over and won[seat] == over < sum(won)):
        finishing = ledger.settled(won)
    else:
        finishing = tuple(stack + chips for stack, chips in zip(ledger.stacks, won, strict=True))
    return finishing, _rake(record, finishing, contested)


def _rake(record: HandRecord, finishing: Sequence[int], contested: int) -> int:
    missing = sum(record.stacks) - sum(finishing)
    return missing if 0 < missing <= contested // _MOST_RAKE else 0


def _missing(record: HandRecord, finishing: tuple[int, ...], won: Sequence[int]) -> int:
    """The rake where stacks and winnings agree on it; winnings of nothing are those of a pot that was divided."""
    if any(won):
        stacks, rake = _from_winnings(record, won)
        return rake if stacks == finishing else 0
    return _rake(record, finishing, Ledger.of(record, played=True).pot)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict | bool):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)
