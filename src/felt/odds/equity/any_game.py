"""Equity in any game whose players are known by their cards: Omaha, stud, draw and the lows.

Every player and the board may have unknown cards. Exact answers deal these in every possible way (which cards,
not in which order); sampled ones at random, in the blocks of `felt.odds.equity.sampled`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seeds
from felt._pool import map_ordered
from felt.cards.card import format_cards, is_joker, parse_cards
from felt.cards.ranges.range import Range
from felt.cards.ranking.evaluator import badugi_table, omaha_tables, tables
from felt.cards.ranking.hashing import CARD_KEYS, CARD_MASKS, START
from felt.errors import CardError, OddsError, counted
from felt.odds.equity.question import ALL_CORES, MAX_PLAYERS, Effort, check_known
from felt.odds.equity.result import PlayerEquity, players_equity
from felt.odds.equity.sampled import Counts, sample
from felt.odds.equity.showdown import GAMES, Showdown

POT_UNIT = 5040
"""A pot in parts: both halves of it divide evenly among one to ten players."""

UNKNOWN = "?xX*"
ANY_HAND = ("random", "any")

BLOCK = 4096
"""Deals that are listed, valued and settled at once."""

PARTS = 256
"""Into how many parts an enumeration is cut, at most, however many threads there are; the progress bar counts them."""

STREAM = 0x73686F77  # "show": keeps these streams apart from those of other rooms

DEAL_SECONDS, HAND_SECONDS, BADUGI_SECONDS, PAIR_SECONDS, BOARD_SECONDS = 25e-9, 20e-9, 100e-9, 5e-9, 110e-9
"""To list a deal, to value a hand (a badugi; a pair of hole cards in Omaha), to read an Omaha board, all on one
thread and roughly: only used to say what is feasible."""


@dataclass(frozen=True)
class Deal:
    """What is known of one deal: everybody's cards, the board and the dead cards."""

    game: Showdown
    names: tuple[str, ...]
    """The hands as they were given."""
    hands: tuple[tuple[int, ...], ...]
    """The known cards of each player."""
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """How many cards the board still gets, and then each player."""
        return self.game.board - len(self.board), *(self.game.hole - len(hand) for hand in self.hands)

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards that may still be dealt."""
        known = {card for cards in (*self.hands, self.board, self.dead) for card in cards}
        return tuple(card for card in range(52 - self.game.deck_size, 52) if card not in known)

    def count(self) -> int:
        """In how many ways the unknown cards may fall, their order apart."""
        left, ways = len(self.deck), 1
        for size in self.missing:
            ways *= comb(left, size)
            left -= size
        return ways


def ask_cards(hands: Sequence[str | Range], *, game: Showdown, board: str = "", dead: str = "") -> Deal:
    """Read and check a question about known and unknown cards; OddsError or CardError say what is wrong.

    >>> from felt.odds.equity.showdown import find_game
    >>> ask_cards(["AsAd", "KsKdQs?", "random"], game=find_game("omaha")).missing
    (5, 2, 1, 4)
    """
    if not 2 <= len(hands) <= MAX_PLAYERS:
        raise OddsError(f"equity is for 2 to {MAX_PLAYERS} players, not {len(hands)}")
    board_cards, dead_cards = parse_cards(board), parse_cards(dead)
    if board_cards and not game.board:
        raise OddsError(f"{game.title} has no board: put {board!r} into the hands, or among the dead cards")
    if len(board_cards) > game.board:
        raise OddsError(f"the board {board!r} has {counted(len(board_cards), 'card')}: give at most {game.board}")
    check_known(board_cards, dead_cards, game.lowest_rank)
    names = tuple(hand.strip() if isinstance(hand, str) else str(hand) for hand in hands)
    deal = Deal(game, names, tuple(read_hand(hand, game) for hand in hands), board_cards, dead_cards)
    _check_apart(deal)
    need, left = sum(deal.missing), len(deal.deck)
    if need > left:
        raise OddsError(
            f"{need} cards are to come for {len(hands)} players of {game.title} and the deck has {left} left:"
            " fewer players or dead cards, please"
        )
    return deal


def read_hand(text: str | Range, game: Showdown) -> tuple[int, ...]:
    """The known cards of a hand; ``?``, ``x`` and ``*`` are unknown ones, and so are all that are left out.

    >>> from felt.cards.card import format_cards
    >>> format_cards(read_hand("As Ad ??", GAMES["omaha"])), read_hand("random", GAMES["stud"])
    ('AsAd', ())
    """
    if isinstance(text, Range):
        with_ranges = " and ".join(name for name, other in GAMES.items() if other.takes_ranges)
        raise OddsError(
            f"{game.title} takes cards, not ranges like {str(text)!r}: write AsAd?? for two known cards and two"
            f" unknown ones (ranges are for {with_ranges})"
        )
    if text.strip().lower() in ANY_HAND:
        return ()
    unknown = sum(text.count(sign) for sign in UNKNOWN)
    try:
        cards = parse_cards(text.translate(str.maketrans(UNKNOWN, " " * len(UNKNOWN))))
    except CardError as error:
        raise OddsError(f"{text!r} is no hand of {game.title}: {error}") from None
    if not cards and not unknown:
        raise OddsError(f"{text!r} names no cards: write random for a hand of which nothing is known")
    if len(cards) + unknown > game.hole:
        raise OddsError(f"{text!r} has {counted(len(cards) + unknown, 'card')}: a hand of {game.title} has {game.hole}")
    foreign = [card for card in cards if is_joker(card) or card < 4 * game.lowest_rank]
    if foreign:
        raise OddsError(f"{format_cards(foreign[:1])} in {text!r} is not in the deck of {game.title}: leave it out")
    return cards


def _check_apart(deal: Deal) -> None:
    """Refuse a card that is in two places."""
    places = [
        *((f"the hand {name!r}", hand) for name, hand in zip(deal.names, deal.hands, strict=True)),
        (f"the board {format_cards(deal.board)!r}", deal.board),
        (f"the dead cards {format_cards(deal.dead)!r}", deal.dead),
    ]
    seen: dict[int, str] = {}
    for place, cards in places:
        for card in cards:
            if card in seen:
                raise OddsError(
                    f"{format_cards([card])} is in {seen[card]} and in {place}: every card may be used once"
                )
            seen[card] = place


def cost_of_cards(deal: Deal) -> float:
    """About how many seconds an exact answer takes one thread."""
    game, deals = deal.game, deal.count()
    boards, hand = 0, BADUGI_SECONDS if "badugi" in game.kinds else HAND_SECONDS
    if game.exactly_two:
        boards, hand = comb(len(deal.deck), deal.missing[0]), PAIR_SECONDS * comb(game.hole, 2)
    half_pot = deals * len(deal.hands) * hand + boards * BOARD_SECONDS
    return deals * DEAL_SECONDS + len(game.kinds) * half_pot


def exact_cards(deal: Deal, effort: Effort = ALL_CORES) -> tuple[list[PlayerEquity], int]:
    """Every player's equity, and the number of deals counted."""
    from felt.odds.equity.general_kernels import list_deals

    deck, edges = np.array(deal.deck, dtype=np.uint8), _edges(deal)
    # The board, then the players with fewest unknown cards: Omaha reads a board once for all hands tried on it.
    players = sorted(range(1, len(deal.missing)), key=deal.missing.__getitem__)
    order = np.array([part for part in (0, *players) if deal.missing[part]], dtype=np.int64)
    count_shares = _croupier(deal)

    def work(part: range) -> Counts:
        chosen = choice_at(part.start, deal, order)
        counts = np.zeros((len(deal.hands), 4), dtype=np.int64)
        for begin in range(part.start, part.stop, BLOCK):
            cards = np.empty((min(BLOCK, part.stop - begin), edges[-1]), dtype=np.uint8)
            list_deals(deck, edges, order, chosen, cards)
            counts += count_shares(cards)
        return counts

    total = deal.count()
    size = min(PARTS, -(-total // BLOCK))
    parts = [range(total * i // size, total * (i + 1) // size) for i in range(size)]
    counts = np.zeros((len(deal.hands), 4), dtype=np.int64)
    for done, part in enumerate(map_ordered(work, parts, effort.threads), 1):
        counts += part
        if effort.progress:
            effort.progress(done, len(parts))
    return players_equity(deal.names, counts, POT_UNIT, total), total


def sampled_cards(deal: Deal, effort: Effort) -> tuple[list[PlayerEquity], int, float]:
    """Every player's equity, the number of deals, and the largest standard error, as `sampled_equity` has them."""
    from felt._chance_kernels import wrapping
    from felt.odds.equity.general_kernels import draw_deals

    deck, edges = np.array(deal.deck, dtype=np.uint8), _edges(deal)
    count_shares = _croupier(deal)

    def work(block: tuple[int, int]) -> tuple[Counts, int]:
        number, dealt = block
        cards = np.empty((dealt, edges[-1]), dtype=np.uint8)
        with wrapping():
            draw_deals(block_seeds(effort.seed, number, 1, STREAM)[0], deck, cards)
        return count_shares(cards), dealt

    return sample(work, deal.names, POT_UNIT, effort)


def _edges(deal: Deal) -> NDArray[np.int64]:
    """Where the parts of a row of unknown cards end: see `felt.odds.equity.general_kernels`."""
    return np.cumsum([0, *deal.missing], dtype=np.int64)


def choice_at(number: int, deal: Deal, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deal `number` in the order of `list_deals`: for each part, positions in what is left of the deck."""
    chosen = np.zeros((len(order), max(deal.missing)), dtype=np.int64)
    sizes = [deal.missing[part] for part in order]
    left = len(deal.deck) - sum(sizes)
    for i in range(len(sizes) - 1, -1, -1):  # the last part changes fastest
        left += sizes[i]
        number, own = divmod(number, comb(left, sizes[i]))
        chosen[i, : sizes[i]] = subset_at(own, sizes[i])
    return chosen


def subset_at(number: int, size: int) -> list[int]:
    """The positions of subset `number` of `size`, ascending, as `next_subset` counts them.

    >>> [subset_at(n, 2) for n in range(4)]
    [[0, 1], [0, 2], [1, 2], [0, 3]]
    """
    positions: list[int] = []
    for left in range(size, 0, -1):
        at = left - 1
        while comb(at + 1, left) <= number:
            at += 1
        number -= comb(at, left)
        positions.insert(0, at)
    return positions


def _croupier(deal: Deal) -> Callable[[NDArray[np.uint8]], Counts]:
    """A function that takes rows of unknown cards, shows the hands down and counts what everybody gets."""
    from felt.odds.equity.general_kernels import split_pots

    half_pots = [_valuer(deal, kind) for kind in deal.game.kinds]

    def count_shares(cards: NDArray[np.uint8]) -> Counts:
        values = np.empty((len(half_pots), len(deal.hands), len(cards)), dtype=np.uint16)
        for value, out in zip(half_pots, values, strict=True):
            value(cards, out)
        counts = np.zeros((len(deal.hands), 4), dtype=np.int64)
        split_pots(values, POT_UNIT, counts)
        return counts

    return count_shares


def _valuer(deal: Deal, kind: str) -> Callable[[NDArray[np.uint8], NDArray[np.uint16]], None]:
    """A function that writes everybody's value of one kind for rows of unknown cards."""
    from felt.odds.equity.general_kernels import value_any_five, value_badugi, value_exactly_two

    edges = _edges(deal)
    holes = np.zeros((len(deal.hands), deal.game.hole), dtype=np.uint8)
    for player, hand in enumerate(deal.hands):
        holes[player, : len(hand)] = hand
    if kind == "badugi":
        return lambda cards, out: value_badugi(cards, edges, holes, badugi_table(), out)
    if deal.game.exactly_two:
        board = np.zeros(deal.game.board, dtype=np.uint8)
        board[: len(deal.board)] = deal.board
        return lambda cards, out: value_exactly_two(cards, edges, holes, board, omaha_tables(kind), out)
    start = START[deal.game.hole + deal.game.board]
    known = [hand + deal.board for hand in deal.hands]
    keys = np.array([start + sum(CARD_KEYS[card] for card in cards) for cards in known], dtype=np.uint64)
    masks = np.array([sum(CARD_MASKS[card] for card in cards) for cards in known], dtype=np.uint64)
    return lambda cards, out: value_any_five(cards, edges, keys, masks, tables(kind), out)
