"""Somebody who plays through the page: clicks or taps, types, and looks."""

import re
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page

from tests.browser.page_words import AMOUNT_FIELD, BACK, LOOK, NAME_FIELD, Seen, read
from tests.browser.service import Served

USUAL_STACK = 200
PATIENCE = 8.0
"""Seconds until something that does not come is missed."""


def check_sense(seen: Seen) -> None:
    """What holds whenever one looks: no stack below nothing, and no card twice."""
    assert all(seat.stack >= 0 and seat.bet >= 0 for seat in seen.seats), seen
    faces = [card for cards in (seen.board, *(seat.cards for seat in seen.seats)) for card in cards if card != BACK]
    assert len(set(faces)) == len(faces), seen


class Player:
    """A person at a page. Whatever they do is done once the page lets them; whatever they look for is waited for."""

    def __init__(self, page: Page, served: Served, *, touch: bool) -> None:
        self.page, self.served, self.touch = page, served, touch
        self.name = served.new_name()

    # In the lobby

    def sit_down(
        self, *, name: str | None = None, stack: int = USUAL_STACK, hands_per_level: int | None = None
    ) -> "Player":
        """Open a table with one agent and wait for the first hand; with `hands_per_level` it is a tournament."""
        self.name = name or self.name
        self.page.get_by_role("textbox", name=NAME_FIELD).fill(self.name)
        self.opponent("call").wait_for()
        if stack == USUAL_STACK and hands_per_level is None:
            self.press(self.opponent("call"))
        else:
            self.set_up(stack, hands_per_level)
        self.until(lambda seen: seen.hand == 1 and seen.you.cards != [], "a hand is dealt")
        return self

    def set_up(self, stack: int, hands_per_level: int | None) -> None:
        """Open a table that is not the usual one."""
        self.press(self.page.get_by_role("button", name="Set up a table"))
        dialog = self.page.get_by_role("dialog", name="Set up a table")
        if hands_per_level is not None:
            dialog.get_by_label("Tournament").check()
            dialog.get_by_label("Hands per level").fill(str(hands_per_level))
        dialog.get_by_label("Buy-in" if hands_per_level is None else "Starting stack").fill(str(stack))
        self.press(dialog.get_by_role("button", name="Open the table"))

    def opponent(self, agent: str) -> Locator:
        """The button that opens a table against an agent."""
        return self.page.locator(f"button[data-agent='{agent}']")

    def name_refused(self, words: str) -> None:
        """A dialog says what is wrong with the name, and nobody has sat down."""
        self.page.get_by_test_id("name-problem").filter(has_text=words, visible=True).wait_for()
        assert self.look() is None

    # At the table

    @property
    def table(self) -> str:
        """The id of the table."""
        return self.page.url.partition("#/table/")[2].partition("?")[0]

    def look(self) -> Seen | None:
        """The table as it is shown now; None where there is none."""
        told = self.page.evaluate(LOOK)
        if not told:
            return None
        seen = read(told)
        check_sense(seen)
        return seen

    def until(self, holds: Callable[[Seen], object], what: str, *, patience: float = PATIENCE) -> Seen:
        """Look until something is shown."""
        end = time.monotonic() + patience
        while True:
            seen = self.look()
            if seen is not None and holds(seen):
                return seen
            assert time.monotonic() < end, f"not shown: {what}\n{seen}"
            self.page.wait_for_timeout(20)

    def your_turn(self) -> Seen:
        return self.until(lambda seen: seen.yours, "your turn")

    def rivals_turn(self) -> Seen:
        """The agent has to act, and nothing can be pressed meanwhile."""
        seen = self.until(lambda seen: seen.status == f"{seen.rival.name} to act", "the rival's turn")
        assert seen.options == []
        return seen

    def next_hand(self, number: int) -> Seen:
        """The table once that hand has been dealt."""
        self.served.keep_hands(self.table, False)
        return self.until(lambda seen: seen.hand == number and seen.you.cards and seen.pot, f"hand {number}")

    def showdown(self) -> Seen:
        """The end of a hand with the cards of both, which stays until `next_hand` is looked for."""
        return self.until(
            lambda seen: len(seen.rival.cards) == 2 and BACK not in seen.rival.cards, "both players' cards"
        )

    def keep_hands(self) -> "Player":
        """The ends of hands stay until `next_hand` is looked for."""
        self.served.keep_hands(self.table)
        return self

    def press(self, what: Locator) -> None:
        what.tap() if self.touch else what.click()

    def move(self, words: str) -> None:
        """Fold, check, call, bet 4, raise 12: with the button that says so."""
        verb, _, amount = words.partition(" ")
        seen = self.your_turn()
        named = {"fold": "Fold", "check": "Check", "call": "Call", "bet": "Bet", "raise": "Raise to"}[verb]
        assert named in seen.options, f"{named} is not offered: {seen.options}"
        if amount:
            self.type_amount(amount)
        self.press_move(named)

    def press_move(self, named: str) -> None:
        bar = self.page.get_by_role("region", name="Your move")
        self.press(bar.get_by_role("button", name=re.compile(rf"^{named}( [\d…]|$)")))

    def type_amount(self, amount: str) -> None:
        self.page.get_by_label(AMOUNT_FIELD).fill(amount)

    def press_preset(self, name: str) -> None:
        presets = self.page.get_by_role("group", name="Set the amount")
        self.press(presets.get_by_role("button", name=name, exact=True))

    def all_in(self) -> None:
        """Set the amount to all one has; nothing is submitted yet."""
        self.your_turn()
        self.press_preset("All-in")

    def rival(self, words: str) -> None:
        """The agent moves, once the page says that it is its turn."""
        told = len(self.rivals_turn().log)
        self.served.tell_agent(self.table, words)
        self.until(lambda seen: len(seen.log) > told, f"that the rival does {words}")

    def play(self, *moves: str) -> None:
        """Moves in their order: `you call`, `Bo checks` is `Bo check`."""
        for words in moves:
            who, _, move = words.partition(" ")
            self.move(move) if who == "you" else self.rival(move)

    def give_away_the_button(self) -> None:
        """Fold the first hand, in which one has the button, so that the agent has it next."""
        assert self.your_turn().you.button
        self.move("fold")
        assert self.next_hand(2).rival.button
