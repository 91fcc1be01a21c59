"""How tests find things on the page: the one place that knows its markup."""

from dataclasses import dataclass, field
from typing import Any

LOOK = """() => {
  const shown = (node) => node && node.checkVisibility({ visibilityProperty: true });
  const text = (node) => (node ? node.textContent.trim() : "");
  const number = (node) => { const found = /[-−]?[\\d,]+/.exec(text(node)); return found ? Number(found[0].replaceAll(",", "").replace("−", "-")) : 0; };
  const cards = (node) => [...node.querySelectorAll("svg[role=img]")].map((card) => card.getAttribute("aria-label"));
  const stage = document.querySelector("main[aria-label=Table]");
  if (!stage || !stage.querySelector(".seat")) return null;
  const bets = [...stage.querySelectorAll(".bet .unseen")].map((node) => [text(node), node.parentElement]);
  const seats = [...stage.querySelectorAll(".seat")].map((seat) => {
    const name = [...seat.querySelector(".name").childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("");
    const laid = bets.find(([words]) => words === `bet by ${name}`);
    const noted = seat.querySelector(".note.bet");
    return {
      name, stack: number(seat.querySelector(".stack")), bet: laid ? number(laid[1]) : noted ? number(noted) : 0,
      cards: cards(seat), button: shown(seat.querySelector(".dealer")) === true, note: text(seat.querySelector(".note")), own: seat.classList.contains("own"),
    };
  });
  const bar = document.querySelector("[aria-label='Your move']");
  const moves = [...bar.querySelectorAll(".move")].map((button) => ({
    name: text(button.querySelector("span")), amount: number(button.querySelector("small")), all_in: /all in/.test(text(button)), enabled: !button.disabled && shown(button) }));
  const dialog = document.querySelector("dialog[open]");
  return {
    status: text(bar.querySelector(".line b")), hold: text(bar.querySelector(".line span")),
    pot: number(stage.querySelector(".pots")), board: cards(stage.querySelector("[aria-label=Board]")), seats, moves,
    typed: bar.querySelector("input.field").value,
    presets: [...bar.querySelectorAll(".preset")].filter((button) => !button.disabled).map(text),
    title: text(document.querySelector("header p")),
    log: [...document.querySelectorAll("[aria-label='What has happened'] li")].map(text).filter(Boolean),
    dialog: dialog ? text(dialog.querySelector("p")) : "", over: text(stage.querySelector(".over")),
    link: text(document.querySelector("[role=status]")),
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
    """A button of the bar."""

    name: str
    amount: int
    all_in: bool
    enabled: bool


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
    log: list[str] = field(repr=False)
    dialog: str
    over: str
    link: str

    @property
    def you(self) -> SeatSeen:
        return next(seat for seat in self.seats if seat.own)

    @property
    def rival(self) -> SeatSeen:
        return next(seat for seat in self.seats if not seat.own)

    @property
    def options(self) -> list[str]:
        """What may be done: the buttons that can be pressed."""
        return [move.name for move in self.moves if move.enabled]

    @property
    def yours(self) -> bool:
        """Whether it is one's own turn."""
        return self.status == "Your turn" and bool(self.options)

    @property
    def hand(self) -> int:
        """The number of the hand."""
        return int(self.title.partition("hand ")[2].split()[0])

    def move(self, name: str) -> MoveSeen:
        return next(move for move in self.moves if move.name == name)


def read(told: dict[str, Any]) -> Seen:
    """What `LOOK` gave."""
    seats = [SeatSeen(**seat) for seat in told.pop("seats")]
    moves = [MoveSeen(**move) for move in told.pop("moves")]
    return Seen(seats=seats, moves=moves, **told)
