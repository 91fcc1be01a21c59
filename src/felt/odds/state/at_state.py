"""The odds in a state: price, equity and value of a call at any moment of any game, by what one seat sees."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from felt.cards.card import format_cards
from felt.errors import OddsError
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.moves import Phase
from felt.odds.decisions import PotOdds, pot_odds, required_fold_equity
from felt.odds.equity.calculate import read_question, settle
from felt.odds.equity.question import Effort
from felt.odds.equity.showdown import GAMES, Showdown
from felt.odds.state.dealing import PotEquities, Seats, deal_out_equities, exchanges_ahead
from felt.odds.state.knowledge import Knowledge, knowledge

MOST_SAMPLES = 1_000_000


@dataclass(frozen=True)
class PotShare:
    """One pot that a player may win."""

    chips: int
    """With the player's call in, and after rake."""
    seats: Seats
    """Who contests it."""
    equity: float


@dataclass(frozen=True)
class Price:
    """What a call costs one seat, and what it is for. All of it is public."""

    call: int
    """Chips to add to stay in; 0 is a check."""
    price: int
    """Those of them that can be lost: what nobody has matched comes back."""
    pot: int
    """Chips in the middle that the player can win, before the call."""
    odds: PotOdds | None
    """None when the call is free."""
    required: float
    """The share of the pot, with the call in it, that makes the call break even."""
    pots: tuple[tuple[int, Seats], ...]
    """The parts of the pot with the call in, after rake, and who contests them."""


@dataclass(frozen=True)
class StateOdds:
    """What a call is worth to one seat. Chips are compared with folding now, which is worth 0."""

    seat: int
    call: int
    """Chips to add to stay in; 0 is a check. What nobody has matched, as of a bring-in, is not part of the price."""
    pot: int
    """Chips in the middle that the player can win, before the call: none that they cannot match."""
    odds: PotOdds | None
    """The price of the call; None when it is free."""
    required: float
    """The share of the pot, with the call in it, that makes the call break even."""
    share: float
    """The share of that pot that the player can expect, over all its parts."""
    equity: float
    """The share of one pot that everybody still in the hand contests."""
    ev_call: float
    """Expected chips of the call, if nobody puts in another chip."""
    implied: float | None
    """Chips that must be won later, on average over the times the player wins, to make the call right: 0 where it is
    right already, None where the player never wins."""
    pots: tuple[PotShare, ...]
    opponents: int
    """How many others have not folded."""
    exact: bool
    samples: int
    """Deals counted or sampled."""
    stderr: float
    """The largest standard error of an equity; 0 when exact."""
    method: str
    """How it was found: "table", "enumeration" or "simulation"."""

    def required_fold_equity(self, added: int) -> float:
        """How often all others must fold to make it right to put in `added` chips, the call among them.

        If one calls, the player has `equity`; rake is left out. ``inf`` where no amount of folding is enough.
        """
        return required_fold_equity(pot=self.pot, bet=added, call=self.call, equity=self.equity)

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values, for JSON."""
        return asdict(self)


def at_state(
    hand: Hand, seat: int | None = None, *, samples: int | None = None, seed: int = 0, threads: int | None = None
) -> StateOdds:
    """Pot odds, equity and the value of a call in a state of any game, for the seat to act or another.

    Opponents hold any cards that the seat has not seen, all equally likely. Cards to come are dealt, those that may be
    exchanged are exchanged sensibly, and nobody bets any more; players who have not matched the bet contest
    what they have paid for. The answer is exact where the deals can be counted, else sampled.

    >>> from felt.games import load
    >>> rules = load("nlhe")
    >>> hand = Hand.new(rules, [200, 200], deck=rules.deck.parse("2c7d") + rules.deck.without("2c7d"))
    >>> hand.raise_to(6)
    >>> odds = at_state(hand)
    >>> odds.call, odds.pot, str(odds.odds), round(odds.required, 3), round(odds.equity, 4), odds.exact
    (4, 8, '2:1', 0.333, 0.3458, True)
    """
    who = hand.turn if seat is None else seat
    effort = _check(hand, who, samples, seed, threads)
    decision = price_at(hand, who)
    price, everybody = decision.price, _live(hand)
    sets = list(dict.fromkeys([everybody, *(seats for _, seats in decision.pots)]))
    answer = _equities(hand, who, sets, knowledge(hand.view(who)), effort)
    pots = tuple(PotShare(chips, seats, answer.equities[seats]) for chips, seats in decision.pots)
    after, value = sum(pot.chips for pot in pots), sum(pot.chips * pot.equity for pot in pots)
    won, lacking = answer.equities[everybody], max(0.0, price - value)
    return StateOdds(
        seat=who,
        call=decision.call,
        pot=decision.pot,
        odds=decision.odds,
        required=decision.required,
        share=value / after if after else 0.0,
        equity=won,
        ev_call=value - price,
        implied=lacking / won if won else 0.0 if lacking == 0 else None,
        pots=pots,
        opponents=len(everybody) - 1,
        exact=answer.method != "simulation",
        samples=answer.samples,
        stderr=answer.stderr,
        method=answer.method,
    )


def price_at(hand: Hand, seat: int) -> Price:
    """What a call costs a seat and what it is for: chips only, which everybody at the table can count."""
    call = _to_call(hand, seat)
    price, parts = _contested(hand, seat, call)
    pots = tuple(_after_rake(hand, parts))
    before, after = sum(chips for chips, _ in parts), sum(chips for chips, _ in pots)
    return Price(
        call=call,
        price=price,
        pot=before - price,
        odds=pot_odds(pot=before - price, call=price) if price else None,
        required=price / after if after else 0.0,
        pots=pots,
    )


def open_equity(
    hand: Hand, seat: int, *, samples: int | None = None, seed: int = 0, threads: int | None = None
) -> float:
    """The equity of a seat against the cards that the others really hold, for viewers who may see them all.

    Everybody stays in to the end, and only the cards that are left in the deck can come.

    >>> from felt.games import load
    >>> rules, dealt = load("nlhe"), "AsAhKsKh"
    >>> hand = Hand.new(rules, [200, 200], deck=rules.deck.parse(dealt) + rules.deck.without(dealt))
    >>> round(open_equity(hand, 0), 4)
    0.8264
    """
    effort = _check(hand, seat, samples, seed, threads)
    everybody, (h, k) = _live(hand), hand.arrays
    held = {other: hand.cards(other) for other in everybody if other != seat}
    left = set(k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]].tolist())
    in_play = {*hand.cards(seat), *hand.board, *chain.from_iterable(held.values())}
    dead = tuple(card for card in hand.rules.deck if card not in left and card not in in_play)
    unseen = tuple(card for card in hand.rules.deck if card in left)
    return _equities(hand, seat, [everybody], Knowledge(unseen, dead, held), effort).equities[everybody]


def _live(hand: Hand) -> Seats:
    return tuple(seat for seat, folded in enumerate(hand.folded) if not folded)


def _check(hand: Hand, seat: int, samples: int | None, seed: int, threads: int | None) -> Effort:
    if hand.over:
        raise OddsError("the hand is over: there is nothing left to call; see its payoffs")
    if not 0 <= seat < hand.players:
        raise OddsError(f"seat {seat}: seats are 0 to {hand.players - 1}")
    if hand.folded[seat]:
        raise OddsError(f"seat {seat} has folded and can win nothing: ask for a seat that is still in")
    effort = Effort(samples=samples, seed=seed, threads=threads)
    if samples is not None and samples > MOST_SAMPLES:
        raise OddsError(f"samples={samples}: {MOST_SAMPLES:,} at most; the standard error is below 0.0005 by then")
    return effort


# Chips


def _to_call(hand: Hand, seat: int) -> int:
    """What a seat has to add to stay in, whether or not it is its turn."""
    if hand.turn == seat:
        return hand.legal().call or 0
    if hand.phase != Phase.BET:
        return 0
    h, _ = hand.arrays
    return int(min(max(h[f.HIGH] - h[f.BETS + seat], 0), h[f.STACKS + seat]))


def _contested(hand: Hand, seat: int, call: int) -> tuple[int, list[tuple[int, Seats]]]:
    """What a call costs, and the pots that the seat is in then if nobody adds a chip: chips, and who contests them."""
    put, others = list(hand.put), [amount for other, amount in enumerate(hand.put) if other != seat]
    put[seat] = min(put[seat] + call, max(others))  # what nobody has matched comes back
    live = _live(hand)
    chips, below, pots = hand.pot - sum(hand.put), 0, []
    top = max(put[other] for other in live)
    for level in sorted({put[other] for other in live if put[other] <= put[seat]}):
        chips += sum((amount if level == top else min(amount, level)) - min(amount, below) for amount in put)
        below = level
        if chips:
            pots.append((chips, tuple(other for other in live if put[other] >= level)))
            chips = 0
    return max(put[seat] - hand.put[seat], 0), pots


def _after_rake(hand: Hand, parts: Sequence[tuple[int, Seats]]) -> Iterator[tuple[int, Seats]]:
    """The pots as they are paid out at the showdown: the house takes nothing of chips that nobody matched."""
    rake, taken = hand.rules.rake, 0
    raked = len(hand.rules.rounds) > hand.rules.raked_from
    for chips, seats in parts:
        part = round(rake.share * 1_000_000) * chips // 1_000_000 if raked and len(seats) > 1 else 0
        if rake.cap:
            part = min(part, rake.cap - taken)
        taken += part
        yield chips - part, seats


# Cards


def _equities(hand: Hand, seat: int, sets: Sequence[Seats], known: Knowledge, effort: Effort) -> PotEquities:
    game = _plain_game(hand)
    if game is None:
        return deal_out_equities(hand, seat, sets, known, effort)
    cards = {seat: format_cards(hand.cards(seat))}
    cards |= {other: format_cards(held) or "random" for other, held in known.held.items()}
    board, dead = format_cards(hand.board), format_cards(known.dead)
    equities: dict[Seats, float] = {}
    count, error, method = 1, 0.0, "enumeration"
    for seats in sets:
        hands = [cards[other] for other in (seat, *(other for other in seats if other != seat))]
        if len(hands) == 1:
            equities[seats] = 1.0
            continue
        answer = settle(read_question(hands, board, dead, game), effort)
        equities[seats] = answer.players[0].equity
        if answer.stderr >= error:
            count, error, method = answer.samples, answer.stderr, answer.method
    return PotEquities(equities, count, error, method)


def _plain_game(hand: Hand) -> Showdown | None:
    """The game of `equity.showdown.GAMES` whose showdown this hand comes to, if cards are only dealt until then."""
    rules, shown = hand.rules, hand.rules.showdown
    later = rules.rounds[hand.street + 1 :]
    if hand.phase != Phase.BET or exchanges_ahead(hand) or shown.wild or shown.scoring:
        return None
    if len(hand.board) + sum(part.board for part in later) != rules.board_cards:
        return None  # a card for all in place of one each
    dealt, live = sum(part.down + part.up for part in later), _live(hand)
    hole = {len(hand.cards(seat)) + dealt for seat in live}
    if dealt * len(live) > hand.deck_left or len(hole) > 1:
        return None
    made = (*hole, rules.board_cards, shown.kinds, shown.hole_exactly, shown.size, set(rules.deck))
    return next((game for game in GAMES.values() if made == _made_of(game)), None)


def _made_of(game: Showdown) -> tuple[Any, ...]:
    size = 4 if game.kinds == ("badugi",) else 5
    exactly = 2 if game.exactly_two else 0
    return game.hole, game.board, game.kinds, exactly, size, set(range(52 - game.deck_size, 52))
