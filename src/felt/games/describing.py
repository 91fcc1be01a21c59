"""Rules in words: what the pages of the variants and the command line show."""

from felt.cards.card import DECK_SIZE, RANKS, format_cards
from felt.cards.deck import Deck, group_by_rank
from felt.cards.ranking.kinds import find_kind
from felt.cards.ranking.names import rank_words
from felt.games.amounts import in_unit
from felt.games.rules import Betting, First, GameRules, Round, Showdown, Structure

NOTHING = "–"
"""Stands where a round has nothing of a sort: no cards dealt, none exchanged."""

_FIRSTS = {
    First.AFTER_BUTTON: "left of the button",
    First.AFTER_BLINDS: "left of the blinds",
    First.LOWEST_UP: "lowest card up",
    First.HIGHEST_UP: "highest card up",
    First.BEST_UP: "best hand up",
    First.BEST_LOW_UP: "lowest hand up",
}


def facts(rules: GameRules) -> dict[str, str]:
    """The rules that hold for the whole game, by name, in words; amounts are those of the game, not its chips.

    >>> from felt.games import load
    >>> facts(load("nlhe"))["forced bets"], facts(load("nlhe", small_blind=0.5, big_blind=1))["forced bets"]
    ('blinds of 1 and 2', 'blinds of 0.5 and 1')
    """
    description = {
        "players": _range(rules.min_players, rules.max_players),
        "deck": _deck(rules.deck, rules.showdown),
        "forced bets": _forced(rules),
        "hands": _hands(rules.showdown),
    }
    if rules.cap:
        description["cap"] = f"{in_unit(rules.cap, rules.unit)} a player and hand"
    if rules.rake.share:
        cap = f", at most {in_unit(rules.rake.cap, rules.unit)}" if rules.rake.cap else ""
        spared = "; none of hands that end in the first betting round" if rules.rake.no_flop_no_drop else ""
        description["rake"] = f"{100 * rules.rake.share:.4g}% of the pot{cap}{spared}"
    if rules.stack:
        description["usual stack"] = in_unit(rules.stack, rules.unit, grouped=False)
    if rules.unit != 1:
        description["one chip"] = f"{rules.unit:g}"
    return description


def round_facts(part: Round, unit: float = 1.0) -> dict[str, str]:
    """One round in words: its name, what is dealt and exchanged, who acts first, and the betting.

    `unit` is what one chip is in the game's own amounts.

    >>> from felt.games import load
    >>> round_facts(load("limit-holdem").rounds[0])["betting"]
    'limit 2, 4 bets at most'
    """
    return {
        "round": part.name,
        "dealt": _dealt(part),
        "exchanged": _exchanged(part),
        "first to act": _FIRSTS[part.first] + ("" if part.clockwise else ", then to the right")
        if part.betting
        else NOTHING,
        "betting": _betting(part.betting, unit),
    }


def cards_dealt(rules: GameRules) -> str:
    """The cards of a whole game in a few words.

    >>> from felt.games import load
    >>> cards_dealt(load("stud"))
    '7 each, 4 up'
    """
    up, board = sum(part.up + part.rolls for part in rules.rounds), rules.board_cards
    text = f"{rules.hole_cards} each" + (f", {up} up" if up else "") + (f", board {board}" if board else "")
    for word, field in {"roll": "rolls", "draw": "draw_most", "pass": "passes", "discard": "discards"}.items():
        count = sum(getattr(part, field) > 0 for part in rules.rounds)
        if count:
            text += f", {word}" if count == 1 else f", {word} ×{count}"
    return text


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _joined(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _deck(deck: Deck, showdown: Showdown) -> str:
    jokers = sum(card >= DECK_SIZE for card in deck)
    cards = [card for card in deck if card < DECK_SIZE]
    ranks = sorted({card >> 2 for card in cards})
    text = f"{len(cards)} cards"
    if len(cards) < DECK_SIZE:
        complete = len(cards) == len(ranks) * len({card & 3 for card in cards})
        run = ranks == list(range(ranks[0], ranks[-1] + 1))
        text += f", {RANKS[ranks[0]]} to {RANKS[ranks[-1]]}" if complete and run else f": {format_cards(cards)}"
        suits = len({card & 3 for card in cards})
        text += f" in {suits} suit{'s' * (suits > 1)}" if suits < 4 else ""
    if jokers:
        text += f" and {jokers} joker{'s' * (jokers > 1)}"
    wild = tuple(card for card in showdown.wild if card < DECK_SIZE or not showdown.bug)
    return (
        text
        + (f"; {_joined(group_by_rank(deck, wild, tuple(map(rank_words, range(13)))))} wild" if wild else "")
        + ("; jokers are bugs" if showdown.bug else "")
    )


def _forced(rules: GameRules) -> str:
    def money(chips: int) -> str:
        return in_unit(chips, rules.unit, grouped=False)

    bets = {
        "an ante of": money(rules.ante) if rules.ante else "",
        "a big-blind ante of": money(rules.big_blind_ante) if rules.big_blind_ante else "",
        "blinds of": _joined([money(blind) for blind in rules.blinds]),
        "a bring-in of": money(rules.bring_in) if rules.bring_in else "",
    }
    return _joined([f"{name} {amount}" for name, amount in bets.items() if amount]) or "none"


def _hands(showdown: Showdown) -> str:
    if showdown.scoring:
        best_first = sorted(showdown.scoring, key=lambda score: -score.rank)
        text = f"{showdown.size} cards, by formulas: {_joined([score.name for score in best_first])}"
    else:
        kinds = _joined([find_kind(kind).title for kind in showdown.kinds])
        share = " share the pot" if len(showdown.kinds) > 1 else ""
        text = f"{showdown.size} card{'s' * (showdown.size > 1)}, {kinds}{share}"
    return text + (f"; exactly {showdown.hole_exactly} of one's own" if showdown.hole_exactly else "")


def _dealt(part: Round) -> str:
    counts = {"down": part.down, "up": part.up, "to the board": part.board}
    return ", ".join(f"{count} {where}" for where, count in counts.items() if count) or NOTHING


def _exchanged(part: Round) -> str:
    counts = {
        f"turn up {part.rolls}": part.rolls,
        f"pass {part.passes} to the {'left' if part.pass_left else 'right'}": part.passes,
        f"discard {part.discards}": part.discards,
        f"draw {_range(part.draw_least, part.draw_most)}": part.draw_most,
    }
    return ", ".join(words for words, count in counts.items() if count) or NOTHING


def _betting(betting: Betting | None, unit: float) -> str:
    if betting is None:
        return "none"
    raises = f", {betting.max_raises} bet{'s' * (betting.max_raises > 1)} at most" if betting.max_raises else ""
    least, most = (in_unit(chips, unit, grouped=False) for chips in (betting.bet, betting.most))
    if betting.structure == Structure.LIMIT:
        return f"limit {least}{raises}"
    amounts = f"{least} to {most}" if betting.most else f"from {least}"
    return f"{betting.structure.replace('-', ' ')}, {amounts}{raises}"
