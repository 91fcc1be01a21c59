"""`felt game play`: a table in the terminal, any game, against players who act at random.

Everybody at the table, the visitor included, decides by a `View` of the hand and by nothing else.
"""

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from felt.cli import output
from felt.errors import FeltError, counted
from felt.games import Action, Event, EventKind, GameRules, Hand, Legal, Move
from felt.games.amounts import chip_note, in_unit
from felt.games.rules import Structure
from felt.games.trees.tree import menu_amounts
from felt.games.typed_moves import read_move as read_any_move
from felt.games.views.view import SeatView, View, made_hand

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from felt.games import Legal

NAMES = ("Ada", "Bo", "Cem", "Dot", "Eli", "Fay", "Gus", "Hana", "Ivo")
YOU = 0
"""The visitor's seat."""

HIDDEN = "▒▒"


class Leave(Exception):  # noqa: N818 - not an error: the way out
    """The visitor gets up."""


def random_action(seen: View, dice: random.Random) -> Action:
    """What a player does who acts at random: calls mostly, raises and folds now and then, draws some cards."""
    legal = seen.legal
    if legal is None:
        raise FeltError(f"it is not the turn of seat {seen.seat}")
    if legal.exchange:
        _, least, most = legal.exchange
        count = dice.randint(least, min(most, max(least, 3)))
        return Action(Move.EXCHANGE, cards=tuple(dice.sample(seen.choosable(), count)))
    roll = dice.random()
    if legal.raise_to and roll < 0.2:
        least, most = legal.raise_to
        call = legal.call or 0
        sizes = menu_amounts([0, 0.5, 1], least, most, high=seen.seats[seen.seat].bet + call, pot=seen.pot + call)
        return Action(Move.RAISE, dice.choice(sizes))
    if legal.fold and legal.call and roll > 0.85:
        return Action(Move.FOLD)
    return Action(Move.CALL)


def seats_for(rules: GameRules) -> int:
    """How many sit at a table if nobody says: four, where the game is for so many."""
    return min(max(rules.min_players, 4), rules.max_players)


def demonstration(rules: GameRules, players: int, stack: int | None, seed: int) -> Hand:
    """One hand among players who act at random."""
    dice = random.Random(seed)
    hand = Hand.new(rules, stack, players=players, seed=seed)
    while not hand.over:
        hand.act(random_action(hand.view(hand.turn), dice))
    return hand


class Table:
    """A visitor and players who act at random, hand after hand; who is broke buys in again."""

    def __init__(
        self,
        rules: GameRules,
        players: int,
        stack: int | None,
        *,
        console: "Console",
        seed: int | None = None,
        someone_there: bool = True,
    ) -> None:
        self.rules = rules
        self.console = console
        self.names = ("You", *NAMES[: players - 1])
        first = Hand.new(rules, stack, players=players)  # refuses what cannot be played
        self.stacks = list(first.starting_stacks)
        self._buy_in = first.starting_stacks[YOU]
        self._paid = self._buy_in
        self._someone_there = someone_there
        self._seed = seed if seed is not None else (random.randrange(2**32) if someone_there else 0)
        self._dice = random.Random(self._seed)
        self._hands = 0
        self._hand: Hand | None = None

    def run(self) -> None:
        """Play until the visitor leaves; one hand where nobody is there."""
        self.say(f"[bold]{output.title(self.rules)}[/]  [dim]? for help, q to leave[/]")
        try:
            while True:
                self.play_hand()
                if not self._someone_there:
                    break
                self._ask("Enter for the next hand, q to leave:")
        except (Leave, EOFError, KeyboardInterrupt):
            self.say()
            if self._hand is not None:  # given up: what was put in stays in the pot
                self.stacks = list(self._hand.stacks)
                if self._hand.put[YOU] and not self._hand.over:
                    self.say(f"[dim]You leave {self._chips(self._hand.put[YOU])} behind in the pot.[/]")
        if self._someone_there:
            chips, net = self._chips(self.stacks[YOU]), self._signed(self.stacks[YOU] - self._paid)
            hands = f"{self._hands} hand" + "s" * (self._hands != 1)
            self.say(f"[dim]You leave with {chips} ({net}) after {hands}. See you.[/]")

    def say(self, text: "RenderableType" = "") -> None:
        """Print a line, or anything else that Rich can show."""
        self.console.print(text)

    def play_hand(self) -> None:
        """Deal and play one hand."""
        button = (self._hands - 1) % len(self.names)
        hand = Hand.new(self.rules, self.stacks, seed=self._seed, number=self._hands, button=button)
        self._hands += 1
        self._hand = hand
        self.console.rule(f"hand {self._hands}, {self.names[button]} {'have' if button == YOU else 'has'} the button")
        count = self._tell_new(hand, 0)
        while not hand.over:
            self.say(f"  {self._move(hand)}")
            count = self._tell_new(hand, count)
        self._finish(hand)
        self._hand = None

    # Moves

    def _move(self, hand: Hand) -> str:
        """Let the player to act act; the move in words."""
        seat, legal, opened = hand.turn, hand.legal(), max(hand.bets) > 0
        if seat == YOU:
            self.say(self.picture(hand.view(YOU)))
        if seat == YOU and self._someone_there:
            action = self._visitor_action(hand)
        else:
            action = random_action(hand.view(seat), self._dice)
            hand.act(action)
        return self._words(seat, action, legal, opened, all_in=hand.stacks[seat] == 0 and not hand.over)

    def _visitor_action(self, hand: Hand) -> Action:
        """Ask until a legal move is given, and make it."""
        while True:
            typed = self._ask(f"{choices(hand.legal(), self.rules.unit)}  >")
            try:
                action = self._read(typed, hand)
                if action is not None:
                    hand.act(action)
                    return action
            except FeltError as mistake:
                words = str(mistake).removesuffix(chip_note(self.rules.unit))
                self.say(f"[red]{output.plain(words.replace(f'seat {YOU} cannot', 'you cannot'))}[/]")

    def _read(self, typed: str, hand: Hand) -> Action | None:
        """The move that was typed; None where it was something else, and answered."""
        if typed.lower() in ("?", "h", "help"):
            for keys, words in help_lines(self.rules):
                self.say(f"  [bold cyan]{keys:8}[/] {words}")
            return None
        if typed.lower() in ("o", "odds"):
            self._odds(hand)
            return None
        return read_move(typed, hand.view(YOU))

    def _ask(self, question: str) -> str:
        typed = self.console.input(f"[bold cyan]{question}[/] ").strip()
        if typed.lower() in ("q", "quit", "exit", "leave"):
            raise Leave
        return typed

    def _odds(self, hand: Hand) -> None:
        from felt.odds.state.at_state import at_state

        with self.console.status("thinking …"):
            odds = at_state(hand, YOU)
        if odds.odds:
            self.say(
                f"  {self._money(odds.call)} to win {self._money(odds.pot)}: {odds.odds}, "
                f"you need {output.percent(odds.required, 1)}; calling is worth {odds.ev_call * self.rules.unit:+.1f}"
            )
        sure = "" if odds.exact else f" ±{output.percent(2 * odds.stderr, 1)}"
        rivals = "a random hand" if odds.opponents == 1 else f"{odds.opponents} random hands"
        self.say(f"  your equity against {rivals}: [bold]{output.percent(odds.equity, 1)}[/]{sure}")

    # Showing

    def picture(self, seen: View) -> "RenderableType":
        """The table as a seat sees it, in a dozen lines at most for most games."""
        from rich import box
        from rich.panel import Panel
        from rich.table import Table as Grid

        grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for number in (False, False, True, True, False):
            grid.add_column(justify="right" if number else "left", no_wrap=True)
        for seat in seen.seats:
            grid.add_row(*self._row(seat, seen))
        lines = Grid(box=None, show_header=False, pad_edge=False)
        lines.add_row(grid)
        if seen.board:
            lines.add_row(f"\n[dim]board[/]  {output.cards(seen.board)}")
        if made := output.plain(made_hand(seen)):
            lines.add_row(f"[dim]you have[/]  {made}")
        title = f"{output.plain(seen.round)}, pot {self._money(seen.pot)}"
        if len(seen.pots) > 1:
            title += " (" + " + ".join(self._money(pot.chips) for pot in seen.pots) + ")"
        return Panel(lines, title=title, title_align="left", box=box.ROUNDED, width=min(76, self.console.width))

    def _row(self, seat: SeatView, seen: View) -> tuple[str, str, str, str, str]:
        turn = "[bold yellow]>[/]" if seat.seat == seen.turn else " "
        name = self.names[seat.seat] + (" [dim](D)[/]" if seat.seat == seen.button else "")
        state = "[dim]folded[/]" if seat.folded else _cards(seat)
        if seat.all_in and not seat.folded:
            state += "  [bold]all in[/]"
        style = "dim" if seat.folded else "bold" if seat.seat == seen.seat else ""
        bet = f"bets {self._money(seat.bet)}" if seat.bet else ""
        return turn, f"[{style}]{name}[/]" if style else name, self._money(seat.stack), bet, state

    def _words(self, seat: int, action: Action, legal: "Legal", opened: bool, *, all_in: bool) -> str:
        s = "" if seat == YOU else "s"
        if action.move == Move.FOLD:
            words = f"fold{s}"
        elif action.move == Move.CALL:
            words = f"check{s}"
            if legal.call:
                words = f"call{s} " if legal.fold else f"bring{s} it in for "
                words += self._money(legal.call)
        elif action.move == Move.RAISE:
            words = f"raise{s} to " if opened else f"bet{s} "
            words += self._money(action.amount)
        else:
            words = _exchange_words(legal, len(action.cards), s)
        if all_in:
            words += f" and {'are' if seat == YOU else 'is'} all in"
        return f"{self.names[seat]} {words}"

    def _tell_new(self, hand: Hand, count: int) -> int:
        """Say what was dealt since; how much has been told by then."""
        history = hand.view(YOU).history
        for event in history[count:]:
            if line := self._dealt(event):
                self.say(f"  {line}")
        return len(history)

    def _dealt(self, event: Event) -> str:
        cards = output.cards(event.cards) if -1 not in event.cards else ""
        if event.kind == EventKind.BOARD:
            return f"[dim]on the board:[/] {cards}"
        if event.kind in (EventKind.UP, EventKind.ROLLED):
            return f"[dim]{self.names[event.seat]}:[/] {cards}"
        if event.kind == EventKind.DOWN and event.seat == YOU:
            return f"[dim]you get[/] {cards}"
        return ""

    def _finish(self, hand: Hand) -> None:
        """Show down, say who won, and let those who are broke buy in again."""
        for line in self._showdown(hand.view(YOU)):
            self.say(f"  {line}")
        for seat, net in enumerate(hand.payoffs):
            if hand.won[seat]:
                verb = "win" if seat == YOU else "wins"
                won = self._money(hand.won[seat])
                self.say(f"  [bold]{self.names[seat]} {verb} {won}[/] [dim]({self._signed(net)})[/]")
        self.stacks = list(hand.stacks)
        for seat, stack in enumerate(self.stacks):
            if stack == 0:
                self.stacks[seat] = self._buy_in
                self._paid += self._buy_in * (seat == YOU)
                buy_in = self._money(self._buy_in)
                self.say(f"  [dim]{self.names[seat]} buy{'' if seat == YOU else 's'} in again for {buy_in}[/]")

    def _showdown(self, seen: View) -> Iterator[str]:
        s = ["" if seat == YOU else "s" for seat in range(len(self.names))]
        if seen.shown and seen.board:
            yield f"[dim]board[/] {output.cards(seen.board)}"
        for seat in seen.shown:
            made = output.plain(made_hand(seen, seat))
            cards = output.cards(seen.seats[seat].cards)
            yield f"{self.names[seat]} show{s[seat]} {cards}" + (f"  [dim]{made}[/]" if made else "")
        for seat in seen.mucked:
            yield f"{self.names[seat]} muck{s[seat]}"

    # Amounts, in the unit of the game

    def _money(self, chips: int) -> str:
        return in_unit(chips, self.rules.unit)

    def _signed(self, chips: int) -> str:
        return f"{'+' if chips >= 0 else ''}{self._money(chips)}"

    def _chips(self, chips: int) -> str:
        return counted(chips, "chip") if self.rules.unit == 1 else self._money(chips)


def _exchange_words(legal: "Legal", count: int, s: str) -> str:
    kind = legal.exchange[0] if legal.exchange else "exchange"
    if kind == "draw" and count == 0:
        return f"stand{s} pat"
    verb = "passes" if kind == "pass" and s else kind + s
    return f"{verb} {counted(count, 'card')}"


def _cards(seat: SeatView) -> str:
    """A player's cards: those that are known, and the backs of the others."""
    backs = " ".join([HIDDEN] * seat.down) if seat.cards == seat.up else ""
    return " ".join(filter(None, (f"[dim]{backs}[/]" if backs else "", output.cards(seat.cards))))


def read_move(typed: str, seen: View) -> Action:
    """The move that was typed by the player whose turn it is; it may still be against the rules."""
    return read_any_move(typed, seen, hint="type one of the letters, or ? for help")


def choices(legal: Legal, unit: float = 1.0) -> str:
    """What may be typed, in one line; `unit` is what one chip is in the game's own amounts."""
    parts = []
    if legal.exchange:
        kind, least, most = legal.exchange
        parts.append(f"d CARDS {kind} " + (f"{least}" if least == most else f"{least}–{most}"))
    if legal.fold:
        parts.append("f fold")
    if legal.call is not None:
        parts.append(f"c call {in_unit(legal.call, unit)}" if legal.call else "c check")
    if legal.raise_to:
        low, high = (in_unit(total, unit) for total in legal.raise_to)
        parts.append(f"r {low}" + (f"–{high}" if high != low else "") + " raise")
    return " · ".join(parts)


def help_lines(rules: GameRules) -> Iterator[tuple[str, str]]:
    """What can be typed at a table of this game, and what it does."""
    structures = {part.betting.structure for part in rules.rounds if part.betting}
    if structures:
        yield "f", "fold"
        yield "c", "call, or check (Enter checks too when it is free)"
    if structures == {Structure.LIMIT}:
        yield "r", "bet or raise by the limit"
    elif structures:
        yield "r 40", "bet or raise to 40 in all on this street"
    if Structure.NO_LIMIT in structures:
        yield "a", "all in"
    exchanges = {"roll": "rolls", "pass": "passes", "discard": "discards", "draw": "draw_most"}
    verbs = [verb for verb, name in exchanges.items() if any(getattr(part, name) for part in rules.rounds)]
    if verbs:
        pat = any(part.draw_most and not part.draw_least for part in rules.rounds)
        yield "d 2c 9h", f"{' or '.join(verbs)} these cards" + ("; d alone stands pat" if pat else "")
    yield "o", "the odds: price of the call, your equity against random hands"
    yield "q", "leave the table (whole words, like fold and raise, are fine too)"
