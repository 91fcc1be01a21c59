"""The stops of the tour. Each runs until the visitor leaves it."""

from felt.cli import output
from felt.cli.cards.chart import range_chart
from felt.cli.service.tour import Guide, Stop, asked_until_right
from felt.errors import FeltError, counted

Cards = tuple[int, ...]


def rank_a_hand(guide: Guide) -> None:
    """What a hand is worth among the 7,462 that poker can tell apart."""
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.kinds import example
    from felt.cards.ranking.names import describe

    guide.say("Type five to seven cards, like [bold]As Kd 10h 9h 2c[/], and see what they are.")
    while True:
        cards = asked_until_right(guide, "Your cards (Enter deals seven):", lambda text: _some_cards(guide, text))
        value = rank(cards)
        guide.say(f"  {output.cards(cards)}")
        guide.say(f"  [bold]{describe(value)}[/], number {value:,} of 7,462")
        for word, neighbour in (("just beats", value - 1), ("just loses to", value + 1)):
            if 1 <= neighbour <= 7462:
                guide.say(f"  [dim]{word} {output.cards(example(neighbour))}: {describe(neighbour)}[/]")


def _some_cards(guide: Guide, text: str) -> Cards:
    from felt.cards.card import parse_cards

    cards = parse_cards(text) if text else guide.deal(7)
    if not 5 <= len(cards) <= 7 or max(cards) > 51:
        raise FeltError(f"{text!r} is {counted(len(cards), 'card')}: type five to seven from the 52")
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
        guess = asked_until_right(guide, "Your guess in %:", _percentage)
        result = equity([format_cards(first), format_cards(second)])
        exact = 100 * result.players[0].equity
        misses.append(abs(exact - guess))
        guide.say(_bar(exact / 100))
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


def _bar(share: float) -> str:
    filled = round(50 * share)
    return f"  [green]{'█' * filled}[/][dim]{'░' * (50 - filled)}[/]"


def _praise(miss: float) -> str:
    for limit, words in ((1, "[bold green]spot on[/]"), (5, "[green]close[/]"), (12, "[yellow]not far off[/]")):
        if miss <= limit:
            return words
    return "[red]a good one to remember[/]"


def look_at_a_range(guide: Guide) -> None:
    """Any range as players write it, on the 13 × 13 chart."""
    from felt.cards.ranges.range import Range

    guide.say("Type a range as you would paste it: [bold]TT+, AQs+, A5s-A2s:0.5[/] or [bold]top 15%[/].")
    while True:
        answer = asked_until_right(
            guide, "Your range (Enter shows the best 20 %):", lambda text: Range.parse(text or "20%")
        )
        guide.say(range_chart(answer.class_weights()))
        guide.say(f"{output.chips(answer.combos)} of 1,326 combos, {output.percent(answer.share)} of all hands")


def street_by_street(guide: Guide) -> None:
    """A hand followed from the deal to the showdown."""
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.names import describe

    guide.say("You are dealt a hand against one opponent. Enter turns the next card.")
    while True:
        hand = asked_until_right(guide, "Your two cards (Enter deals them):", lambda text: _hole_cards(guide, text))
        board = guide.deal(5, without=hand)
        villain = guide.deal_hand(without=hand + board)
        _before_the_flop(guide, hand)
        for street, seen in (("flop", 3), ("turn", 4), ("river", 5)):
            guide.ask(f"Enter for the {street}:")
            _on_the_board(guide, hand, board[:seen])
        mine, theirs = rank(hand + board), rank(villain + board)
        outcome = "You win" if mine > theirs else "You lose" if mine < theirs else "You split the pot"
        guide.say(f"  Your opponent shows {output.cards(villain)}: {describe(theirs)}. [bold]{outcome}.[/]\n")


def _hole_cards(guide: Guide, text: str) -> Cards:
    from felt.cards.card import parse_cards

    cards = parse_cards(text) if text else guide.deal_hand()
    if len(cards) != 2 or max(cards) > 51:
        raise FeltError(f"{text!r} is {counted(len(cards), 'card')}: type two from the 52")
    return cards


def _before_the_flop(guide: Guide, hand: Cards) -> None:
    from felt.cards.starting import chen, percentile, preflop_equity, sklansky_group

    group = sklansky_group(hand)
    grouped = f"Sklansky–Malmuth group {group}" if group < 9 else "in no Sklansky–Malmuth group"
    guide.say(f"  {output.cards(hand)}: Chen {chen(hand)}, {grouped}, in the top {percentile(hand):.1f} %")
    guide.say(f"  equity against a random hand [bold]{output.percent(preflop_equity(hand))}[/]")


def _on_the_board(guide: Guide, hand: Cards, board: Cards) -> None:
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.names import describe
    from felt.odds.outs import draw_chances, outs
    from felt.odds.strength.calculate import strength

    with guide.console.status("counting (compiling first, if this is new here) …"):
        measures = strength(_text(hand), _text(board))
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
    from felt.odds.decisions import ev_call, pot_odds, required_equity
    from felt.odds.outs import outs

    guide.say("You are behind on the turn and see both hands. One card to come, no more betting.")
    right = rounds = 0
    while True:
        hand, villain, board = _a_draw(guide)
        before = guide.dice.choice((40, 60, 80, 100, 120, 200))
        bet = before // guide.dice.choice((1, 2, 3, 4, 5, 8, 10))
        helping = outs(hand, board, _text(villain))
        equity = _turn_equity(hand, villain, board)
        guide.say(f"\n  board {output.cards(board)}")
        guide.say(f"  you   {output.cards(hand)}      villain   {output.cards(villain)}")
        guide.say(f"  The pot was {before}, villain bets {bet}: [bold]{bet} to win {before + bet}[/].")
        calls = asked_until_right(guide, "Call or fold (c/f)?", _call_or_fold)
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
    if text.lower() in ("c", "call"):
        return True
    if text.lower() in ("f", "fold"):
        return False
    raise FeltError(f"{text!r} is neither: type c to call, f to fold, m for the menu")


def _text(cards: Cards) -> str:
    from felt.cards.card import format_cards

    return format_cards(cards)


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
    rules = asked_until_right(guide, "Which game (Enter for nlhe)?", lambda text: load(text or "nlhe"))
    seed = guide.dice.randrange(2**32)
    Table(rules, seats_for(rules), None, console=guide.console, seed=seed, someone_there=not guide.alone).run()


def let_agents_play(guide: Guide) -> None:
    """Two agents, 2,000 duplicate hands, and what the result is worth."""
    from felt.agents import BUILT_IN
    from felt.arena import Match, play
    from felt.games import load

    guide.say(f"Agents that come with Felt: [dim]{', '.join(BUILT_IN)}[/]")
    while True:
        match = asked_until_right(
            guide,
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


STOPS: dict[str, tuple[str, str, Stop]] = {
    "1": ("Rank a hand", "what beats what", rank_a_hand),
    "2": ("Guess the equity", "two hands, all in: how much is yours?", guess_the_equity),
    "3": ("Look at a range", "the 13 × 13 chart of anything you paste", look_at_a_range),
    "4": ("Street by street", "a live deal and its odds", street_by_street),
    "5": ("Train pot odds", "call or fold?", train_pot_odds),
    "6": ("Play at a table", "any game, against players who act at random", play_at_a_table),
    "7": ("Let agents play", "two of them, 2,000 hands: who wins, and how sure is that?", let_agents_play),
}
