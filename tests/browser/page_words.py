"""How tests find things on the page: the one place that knows its markup."""

import re
from dataclasses import dataclass, field
from typing import Any

LOOK = """() => {
  const testid = (name, within = document) => within.querySelector(`[data-testid="${name}"]`);
  const text = (node) => (node ? node.textContent.trim() : "");
  const shown = (node) => !!node && node.checkVisibility({ visibilityProperty: true });
  const number = (node) => {
    const found = /[-−]?[\\d,]+/.exec(text(node));
    return found ? Number(found[0].replaceAll(",", "").replace("−", "-")) : 0;
  };
  const chips = (node) => (node ? Number(node.dataset.chips) : 0);
  const cards = (node) => [...node.querySelectorAll("svg[role=img]")].map((card) => card.getAttribute("aria-label"));
  const bar = document.querySelector("[aria-label='Your move']") ?? testid("watching");
  const places = [...document.querySelectorAll("main [data-testid^=seat-]")];
  if (!bar || !places.length) return null;
  const seats = places.map((seat) => ({
    name: seat.getAttribute("aria-label"), stack: number(testid("stack", seat)),
    bet: chips(testid(seat.dataset.testid.replace("seat", "bet"))), cards: cards(testid("cards", seat)),
    button: shown(testid("button", seat)), note: text(testid("note", seat)), own: seat.classList.contains("own"),
  }));
  const moves = [...bar.querySelectorAll(".moves button")].map((button) => ({
    name: [...button.childNodes].filter((node) => !node.ariaHidden).map(text).filter(Boolean).join(" "),
    enabled: !button.disabled && shown(button),
  }));
  const message = testid("message");
  const presets = [...bar.querySelectorAll("[aria-label='Set the amount'] button")];
  return {
    status: text(testid("status")), hold: text(testid("hold")), pot: chips(testid("pot")),
    board: cards(testid("board")), seats, moves, typed: bar.querySelector("label input")?.value ?? "",
    presets: presets.filter((button) => !button.disabled).map(text), title: text(document.querySelector("header p")),
    hand: number(testid("hand-number")), hands_left: number(testid("hands-left")),
    log: [...testid("log").querySelectorAll("li:not([aria-hidden])")].map(text).filter(Boolean),
    message: message?.open ? text(message.querySelector("p")) : "", verdict: text(testid("verdict")),
    link: text(testid("link")), notice: text(testid("notice")),
  };
}"""
"""What is on the screen at one moment, asked at once: asked piece by piece it could change in between."""

NAME_FIELD = "Your name"
BACK = "hidden card"
AMOUNT_FIELD = "Amount to bet or raise to"


@dataclass(frozen=True)
class SeatSeen:
    """A seat as it is shown."""

    name: str
    stack: int
    bet: int
    cards: list[str]
    """In words: `ace of spades`, `hidden card`."""
    button: bool
    note: str
    own: bool


@dataclass(frozen=True)
class MoveSeen:
    """A button of the bar by its whole name: `Fold`, `Call 2`, `Raise to 12 · all in`."""

    name: str
    enabled: bool

    @property
    def verb(self) -> str:
        """What the name says without the amount."""
        return re.sub(r" ([\d,]+|…)( · all in)?$", "", self.name)

    @property
    def amount(self) -> int:
        found = re.search(r" ([\d,]+)", self.name)
        return int(found[1].replace(",", "")) if found else 0


@dataclass(frozen=True)
class Seen:
    """The table as it is shown."""

    status: str
    hold: str
    pot: int
    board: list[str]
    seats: list[SeatSeen]
    moves: list[MoveSeen]
    typed: str
    presets: list[str]
    title: str
    hand: int
    hands_left: int
    log: list[str] = field(repr=False)
    message: str
    verdict: str
    link: str
    notice: str

    @property
    def you(self) -> SeatSeen:
        return next(seat for seat in self.seats if seat.own)

    @property
    def rival(self) -> SeatSeen:
        return next(seat for seat in self.seats if not seat.own)

    @property
    def options(self) -> list[str]:
        """What may be done: the buttons that can be pressed."""
        return [move.verb for move in self.moves if move.enabled]

    @property
    def yours(self) -> bool:
        """Whether it is one's own turn."""
        return self.status == "Your turn" and bool(self.options)

    def move(self, verb: str) -> MoveSeen:
        return next(move for move in self.moves if move.verb == verb)


def read(told: dict[str, Any]) -> Seen:
    """What `LOOK` gave."""
    seats = [SeatSeen(**seat) for seat in told.pop("seats")]
    moves = [MoveSeen(**move) for move in told.pop("moves")]
    return Seen(seats=seats, moves=moves, **told)
