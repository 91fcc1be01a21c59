"""`felt tour`: a walk through what Felt can do, with cards in your hand.

Everything goes through a `Guide`, who speaks and asks. Where nobody sits at the keyboard the guide answers
its own questions, so a pipe or a CI log shows the whole tour and ends.
"""

import random
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from felt.cli import output
from felt.cli.cards.range_ import range_chart
from felt.cli.options import option, seed_number
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Cards = tuple[int, ...]
T = TypeVar("T")


class Leave(Exception):  # noqa: N818 - not an error: the way out
    """The visitor wants to go: out of the stop, or out of the tour."""

    def __init__(self, *, tour: bool) -> None:
        super().__init__()
        self.tour = tour


class Guide:
    """Prints, asks and shuffles. Asked for `m` it returns to the menu, for `q` it ends the tour."""

    def __init__(self, console: "Console", dice: random.Random, script: Iterator[str] | None = None) -> None:
        self.console = console
        self.dice = dice
        self._script = script

    @property
    def alone(self) -> bool:
        """Whether the answers come from a script because nobody is there to give them."""
        return self._script is not None

    def say(self, content: "RenderableType" = "", *, end: str = "\n") -> None:
        """Print a line or anything else that Rich can show."""
        self.console.print(content, end=end)

    def ask(self, question: str) -> str:
        """The visitor's answer, trimmed; empty for Enter."""
        prompt = f"[bold cyan]{question}[/] "
        if self._script is None:
            answer = self.console.input(prompt).strip()
        else:
            answer = next(self._script, "q")
            self.console.print(f"{prompt}[dim]{answer or '(Enter)'}[/]")
        if answer.lower() in ("q", "quit", "exit"):
            raise Leave(tour=True)
        if answer.lower() in ("m", "menu"):
            raise Leave(tour=False)
        return answer

    def ask_for(self, question: str, read: Callable[[str], T]) -> T:
        """Ask until `read` accepts the answer; its complaint is shown as it stands."""
        while True:
            try:
                return read(self.ask(question))
            except FeltError as mistake:
                self.say(f"[red]{output.plain(str(mistake))}[/]")

    def deal(self, count: int, *, without: Cards = ()) -> Cards:
        """Cards at random from what is left of the deck."""
        return tuple(self.dice.sample([card for card in range(52) if card not in without], count))

    def deal_hand(self, *, without: Cards = ()) -> Cards:
        """Two hole cards, the higher first."""
        return tuple(sorted(self.deal(2, without=without), reverse=True))


DEMONSTRATION = (
    *("1", "AsAd5h5cKd7s2c", "m", "2", "60", "m", "3", "22+, A2s+, KTs+, AJo+, KQo:0.5", "m"),
    *("5", "c", "m", "q"),
)
"""What the guide answers itself when nobody is there: stops that need no compiling."""


def tour(
    seed: int | None = option(None, "--seed", "N", "The same seed deals the same cards.", seed_number),
) -> None:
    """An interactive tour: rank hands, guess equities, look at ranges, follow a deal, train pot odds, play.

    Without a keyboard (in a pipe) it shows a demonstration and ends.

    Example: `felt tour --seed 1`
    """
    console = output.console()
    if sys.stdin.isatty() and console.is_terminal:
        guide = Guide(console, random.Random(seed))
    else:
        guide = Guide(console, random.Random(seed or 0), iter(DEMONSTRATION))
    try:
        _walk(guide)
    except (EOFError, KeyboardInterrupt):
        guide.say()
    guide.say("[dim]Thank you for coming. All of it is in[/] felt --help [dim]too.[/]")


def _walk(guide: Guide) -> None:
    try:
        while True:
            _menu(guide)
            choice = _choice(guide)
            title, _, stop = STOPS[choice]
            guide.say(f"\n[bold underline]{title}[/]  [dim]m: menu, q: leave[/]")
            try:
                stop(guide)
            except Leave as leave:
                if leave.tour:
                    raise
    except Leave:
        return


def _choice(guide: Guide) -> str:
    while True:
        try:
            choice = guide.ask(f"Where to? [1-{len(STOPS)}, q to quit]".replace("[", r"\["))
        except Leave as leave:
            if leave.tour:
                raise
            continue
        if choice in STOPS:
            return choice
        if choice:
            guide.say(f"[red]{output.plain(repr(choice))} is not on the menu: type a number, or q to quit.[/]")


def _menu(guide: Guide) -> None:
    from rich.panel import Panel
    from rich.table import Table

    lines = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for key, (title, words, _) in STOPS.items():
        lines.add_row(f"[bold cyan]{key}[/]", f"[bold]{title}[/]", f"[dim]{words}[/]")
    lines.add_row("[bold cyan]q[/]", "Leave", "[dim]see you[/]")
    suits = "[bold]♠[/] [red]♥[/] [blue]♦[/] [green]♣[/]"
    guide.say()
    guide.say(Panel(lines, title=f"{suits}  Felt: a tour  {suits}", padding=(1, 2), width=min(76, guide.console.width)))


def rank_a_hand(guide: Guide) -> None:
    """What a hand is worth among the 7,462 that poker can tell apart."""
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.kinds import example
    from felt.cards.ranking.names import describe

    guide.say("Type five to seven cards, like [bold]As Kd 10h 9h 2c[/], and see what they are.")
    while True:
        cards = guide.ask_for(
            "Your cards (Enter deals seven):",
            lambda text: _typed_cards(text, lambda: guide.deal(7), 5, 7, "five to seven"),
        )
        value = rank(cards)
        guide.say(f"  {output.cards(cards)}")
        guide.say(f"  [bold]{describe(value)}[/], number {value:,} of 7,462")
        for word, neighbour in (("just beats", value - 1), ("just loses to", value + 1)):
            if 1 <= neighbour <= 7462:
                guide.say(f"  [dim]{word} {output.cards(example(neighbour))}: {describe(neighbour)}[/]")


def _typed_cards(text: str, dealt: Callable[[], Cards], least: int, most: int, wish: str) -> Cards:
    """Cards as they were typed, so many of them; `dealt` for Enter."""
    from felt.cards.card import parse_cards

    cards = parse_cards(text) if text else dealt()
    if not least <= len(cards) <= most or max(cards) > 51:
        raise FeltError(f"{text!r} is {counted(len(cards), 'card')}: type {wish} from the 52")
    return cards


def guess_the_equity(guide: Guide) -> None:
    """Two hands before the flop: how often does the first win?"""
    from felt.cards.card import format_cards
    from felt.odds import equity

    guide.say("Two hands, all in before the flop. How many per cent of the pot has the first?")
    misses: list[float] = []
    while True:
        first = guide.deal_hand()
        second = guide.deal_hand(without=first)
        guide.say(f"\n  {output.cards(first)}   against   {output.cards(second)}")
        guess = guide.ask_for("Your guess in %:", _percentage)
        result = equity([format_cards(first), format_cards(second)])
        exact = 100 * result.players[0].equity
        misses.append(abs(exact - guess))
        filled = round(50 * (exact / 100))
        guide.say(f"  [green]{'█' * filled}[/][dim]{'░' * (50 - filled)}[/]")
        guide.say(
            f"  Exactly [bold]{exact:.2f} %[/] (ties {100 * result.players[0].tie:.2f} %): {_praise(misses[-1])}."
        )
        guide.say(f"  [dim]You miss by {sum(misses) / len(misses):.1f} points on average, over {len(misses)}.[/]")


def _percentage(text: str) -> float:
    try:
        guess = float(text.removesuffix("%").replace(",", "."))
    except ValueError:
        guess = -1.0
    if not 0 <= guess <= 100:
        raise FeltError(f"{text!r} is not a percentage: type a number from 0 to 100, m for the menu")
    return guess


def _praise(miss: float) -> str:
    praise = ((1, "[bold green]spot on[/]"), (5, "[green]close[/]"), (12, "[yellow]not far off[/]"))
    return next((words for limit, words in praise if miss <= limit), "[red]a good one to remember[/]")


def look_at_a_range(guide: Guide) -> None:
    """Any range as players write it, on the 13 × 13 chart."""
    from felt.cards.ranges.range import Range

    guide.say("Type a range as you would paste it: [bold]TT+, AQs+, A5s-A2s:0.5[/] or [bold]top 15%[/].")
    while True:
        answer = guide.ask_for("Your range (Enter shows the best 20 %):", lambda text: Range.parse(text or "20%"))
        guide.say(range_chart(answer.class_weights()))
        guide.say(f"{output.chips(answer.combos)} of 1,326 combos, {output.percent(answer.share)} of all hands")


def street_by_street(guide: Guide) -> None:
    """A hand followed from the deal to the showdown."""
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.names import describe

    guide.say("You are dealt a hand against one opponent. Enter turns the next card.")
    while True:
        hand = guide.ask_for(
            "Your two cards (Enter deals them):", lambda text: _typed_cards(text, guide.deal_hand, 2, 2, "two")
        )
        board = guide.deal(5, without=hand)
        villain = guide.deal_hand(without=hand + board)
        _before_the_flop(guide, hand)
        for street, seen in (("flop", 3), ("turn", 4), ("river", 5)):
            guide.ask(f"Enter for the {street}:")
            _on_the_board(guide, hand, board[:seen])
        mine, theirs = rank(hand + board), rank(villain + board)
        outcome = "You win" if mine > theirs else "You lose" if mine < theirs else "You split the pot"
        guide.say(f"  Your opponent shows {output.cards(villain)}: {describe(theirs)}. [bold]{outcome}.[/]\n")


def _before_the_flop(guide: Guide, hand: Cards) -> None:
    from felt.cards.starting import chen, percentile, preflop_equity, sklansky_group

    group = sklansky_group(hand)
    grouped = f"Sklansky–Malmuth group {group}" if group < 9 else "in no Sklansky–Malmuth group"
    guide.say(f"  {output.cards(hand)}: Chen {chen(hand)}, {grouped}, in the top {percentile(hand):.1f} %")
    guide.say(f"  equity against a random hand [bold]{output.percent(preflop_equity(hand))}[/]")


def _on_the_board(guide: Guide, hand: Cards, board: Cards) -> None:
    from felt.cards.card import format_cards
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.names import describe
    from felt.odds.outs import draw_chances, outs
    from felt.odds.strength.calculate import strength

    with guide.console.status("counting (compiling first, if this is new here) …"):
        measures = strength(format_cards(hand), format_cards(board))
    guide.say(f"  {output.cards(board)}   you have [bold]{describe(rank(hand + board))}[/]")
    guide.say(f"  ahead of [bold]{output.percent(measures.hs or 0.0, 1)}[/] of hands now", end="")
    if len(board) == 5:
        guide.say()
        return
    guide.say(f", of [bold]{output.percent(measures.expected_hs, 1)}[/] on the river, on average")
    helping = outs(hand, board)
    if helping:
        chance = draw_chances(outs=len(helping), to_come=5 - len(board))
        guide.say(
            f"  {counted(len(helping), 'out')} to improve ({output.percent(chance.next_card, 1)} next card): "
            + output.cards(out.card for out in helping)
        )


def train_pot_odds(guide: Guide) -> None:
    """A bet on the turn, you are behind: does the price fit the outs?"""
    from felt.cards.card import format_cards
    from felt.odds.decisions import ev_call, pot_odds, required_equity
    from felt.odds.outs import outs

    guide.say("You are behind on the turn and see both hands. One card to come, no more betting.")
    right = rounds = 0
    while True:
        hand, villain, board = _a_draw(guide)
        before = guide.dice.choice((40, 60, 80, 100, 120, 200))
        bet = before // guide.dice.choice((1, 2, 3, 4, 5, 8, 10))
        helping = outs(hand, board, format_cards(villain))
        equity = _turn_equity(hand, villain, board)
        guide.say(f"\n  board {output.cards(board)}")
        guide.say(f"  you   {output.cards(hand)}      villain   {output.cards(villain)}")
        guide.say(f"  The pot was {before}, villain bets {bet}: [bold]{bet} to win {before + bet}[/].")
        calls = guide.ask_for("Call or fold (c/f)?", _call_or_fold)
        ev = ev_call(pot=before + bet, call=bet, equity=equity)
        rounds += 1
        right += calls == (ev > 0)
        guide.say(f"  {counted(len(helping), 'out')}: {output.cards(out.card for out in helping)}")
        guide.say(
            f"  {pot_odds(pot=before + bet, call=bet)} needs "
            f"{output.percent(required_equity(pot=before + bet, call=bet), 1)}, you have {output.percent(equity, 1)}: "
            f"calling is worth [bold]{ev:+.1f}[/] chips"
        )
        verdict = "[bold green]Right[/]" if calls == (ev > 0) else "[bold red]Wrong[/]"
        guide.say(f"  {verdict}. [dim]{right} of {rounds}.[/]")


def _call_or_fold(text: str) -> bool:
    if text.lower() not in ("c", "call", "f", "fold"):
        raise FeltError(f"{text!r} is neither: type c to call, f to fold, m for the menu")
    return text.lower() in ("c", "call")


def _a_draw(guide: Guide) -> tuple[Cards, Cards, Cards]:
    """Two hands on the turn where the first is behind with at least three outs."""
    from felt.cards.ranking.evaluator import rank

    while True:
        board = guide.deal(4)
        hand = guide.deal_hand(without=board)
        villain = guide.deal_hand(without=board + hand)
        if rank(hand + board) < rank(villain + board) and _turn_equity(hand, villain, board) > 2.5 / 44:
            return hand, villain, board


def _turn_equity(hand: Cards, villain: Cards, board: Cards) -> float:
    """Exact equity with one card to come, both hands known: 44 rivers."""
    from felt.cards.ranking.evaluator import rank

    points = 0.0
    for river in set(range(52)).difference(hand, villain, board):
        mine, theirs = rank((*hand, *board, river)), rank((*villain, *board, river))
        points += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return points / 44


def play_at_a_table(guide: Guide) -> None:
    """A table in the terminal, any game."""
    from felt.cli.games.table import Table, seats_for
    from felt.games import load, names

    guide.say(f"[dim]{', '.join(names())}[/]")
    rules = guide.ask_for("Which game (Enter for nlhe)?", lambda text: load(text or "nlhe"))
    seed = guide.dice.randrange(2**32)
    Table(rules, seats_for(rules), None, console=guide.console, seed=seed, someone_there=not guide.alone).run()


def let_agents_play(guide: Guide) -> None:
    """Two agents, 2,000 duplicate hands, and what the result is worth."""
    from felt.agents import BUILT_IN
    from felt.arena import Match, play
    from felt.games import load

    guide.say(f"Agents that come with Felt: [dim]{', '.join(BUILT_IN)}[/]")
    while True:
        match = guide.ask_for(
            "Which two (Enter for tag against ehs)?",
            lambda text: Match.of(_two(text), load("nlhe"), duplicate=True, seed=guide.dice.randrange(2**31)),
        )
        with guide.console.status("2,000 hands, every deal from both seats (compiling first, if this is new here) …"):
            result = play(match, 2000)
        for player, name in enumerate(match.names):
            guide.say(f"  {output.plain(name):<12} [bold]{result.rate(player)}[/]")
        guide.say(f"  [dim]{output.plain(result.sentence())}[/]")


def _two(text: str) -> list[str]:
    names = text.replace(",", " ").split() or ["tag", "ehs"]
    if len(names) != 2:
        raise FeltError(f"{text!r} names {counted(len(names), 'agent')}: type two, like tag call")
    return names


STOPS: dict[str, tuple[str, str, Callable[[Guide], None]]] = {
    "1": ("Rank a hand", "what beats what", rank_a_hand),
    "2": ("Guess the equity", "two hands, all in: how much is yours?", guess_the_equity),
    "3": ("Look at a range", "the 13 × 13 chart of anything you paste", look_at_a_range),
    "4": ("Street by street", "a live deal and its odds", street_by_street),
    "5": ("Train pot odds", "call or fold?", train_pot_odds),
    "6": ("Play at a table", "any game, against players who act at random", play_at_a_table),
    "7": ("Let agents play", "two of them, 2,000 hands: who wins, and how sure is that?", let_agents_play),
}
