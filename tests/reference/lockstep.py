"""Hands played side by side: Felt's engine, the slow twin of its rules, and PokerKit, an independent engine.

The twin has the rule book's word. Where PokerKit allows something else, the difference must be one that is known and
named here; play goes on with a move that all of them allow.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from pokerkit import (
    Automation,
    BadugiHand,
    BettingStructure,
    Card,
    EightOrBetterLowHand,
    KuhnPokerHand,
    LeducHoldemHand,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    RegularLowHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
    State,
    Street,
)

from felt.cards.card import format_card
from felt.games import Hand, Legal
from felt.games.rules import First, GameRules, Round, Structure
from tests.reference.engine import SlowTable, hand_values, opening_seat, pay, pots, up_rank

SHORT_WAGER = "all-in for less than a whole bet"
"""PokerKit lets those who have acted raise after a short all-in that opens the betting (TDA 47-A says no); in limit
games it counts every all-in as a raise, however small, where half a bet is needed (TDA 47-B)."""

SHORT_BRING_IN = "bring-in all-in called a completion"
"""PokerKit offers a player who has no more than the bring-in to complete with it."""

TIED_CARDS_UP = "tied cards up"
"""PokerKit lets the first seat open; by TDA RP-10-D suits decide. The hand cannot go on together."""

NO_LOW_IN_SIDE_POT = "low half of a side pot without a low"
"""PokerKit gives it to all players of the side pot when somebody has a low in the main pot; the high hand wins it."""

NOTHING_TO_DECIDE = "asked although nothing is left to decide"
"""PokerKit asks a player who has matched everything when all others are all-in."""

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
OPENINGS = {
    First.AFTER_BUTTON: Opening.POSITION,
    First.AFTER_BLINDS: Opening.POSITION,
    First.LOWEST_UP: Opening.LOW_CARD,
    First.HIGHEST_UP: Opening.HIGH_CARD,
    First.BEST_UP: Opening.HIGH_HAND,
    First.BEST_LOW_UP: Opening.LOW_HAND,
}
STRUCTURES = {
    Structure.NO_LIMIT: BettingStructure.NO_LIMIT,
    Structure.LIMIT: BettingStructure.FIXED_LIMIT,
    Structure.POT_LIMIT: BettingStructure.POT_LIMIT,
}


def remembering(hand_type: type[Any]) -> type[Any]:
    """PokerKit's own hands, but each made and looked up once: its showdown does that ten times over."""

    class Remembering(hand_type):  # type: ignore[misc]
        @classmethod
        def from_game(cls, hole_cards: Iterable[Card], board_cards: Iterable[Card] = ()) -> Any:
            found = made(tuple(hole_cards), tuple(board_cards))
            if found is None:
                raise ValueError("no hand")
            return found

        @cached_property
        def entry(self) -> Any:
            return self.lookup.get_entry(self.cards)

    @lru_cache(maxsize=200)
    def made(hole_cards: tuple[Card, ...], board_cards: tuple[Card, ...]) -> Any:
        try:
            return super(Remembering, Remembering).from_game(hole_cards, board_cards)
        except ValueError:
            return None

    return Remembering


HAND_TYPES = {
    ("high", 5, 0): remembering(StandardHighHand),
    ("high", 5, 2): remembering(OmahaHoldemHand),
    ("high", 1, 0): remembering(KuhnPokerHand),
    ("high", 2, 0): remembering(LeducHoldemHand),
    ("low-8", 5, 0): remembering(EightOrBetterLowHand),
    ("low-8", 5, 2): remembering(OmahaEightOrBetterLowHand),
    ("low-a5", 5, 0): remembering(RegularLowHand),
    ("low-27", 5, 0): remembering(StandardLowHand),
    ("badugi", 5, 0): remembering(BadugiHand),
    ("badugi", 4, 0): remembering(BadugiHand),
    ("short", 5, 0): remembering(ShortDeckHoldemHand),
}
"""By kind, size, and hole cards that must be used."""

CARDS: list[Card] = [next(Card.parse(format_card(card))) for card in range(52)]


def their_street(part: Round, blind: bool) -> Street:
    """A round as PokerKit has it. It does not count a blind as the first bet (TDA 48), so its cap is one lower."""
    assert part.betting is not None
    return Street(
        False,  # we burn no cards
        (False,) * part.down + (True,) * part.up,
        part.board,
        part.draw_most > 0,
        OPENINGS[part.first],
        part.betting.bet,
        part.betting.max_raises - blind if part.betting.max_raises else None,
    )


def their_state(rules: GameRules, hand: Hand) -> State:
    """PokerKit's state of the same hand, before any card is dealt."""
    shown, betting = rules.showdown, rules.rounds[0].betting
    assert betting is not None
    posts = hand.stakes.posts
    return State(
        AUTOMATIONS,
        tuple(CARDS[card] for card in rules.deck),
        tuple(HAND_TYPES[kind, shown.size, shown.hole_exactly] for kind in shown.kinds),
        tuple(their_street(part, bool(rules.blinds) and i == 0) for i, part in enumerate(rules.rounds)),
        STRUCTURES[betting.structure],
        not hand.stakes.dead_antes,
        hand.stakes.antes,
        posts[::-1] if len(posts) == 2 else posts,
        rules.bring_in,
        hand.starting_stacks,
        hand.players,
        mode=Mode.TOURNAMENT,
    )


@dataclass
class Lockstep:
    """One hand in three engines."""

    rules: GameRules
    stacks: Sequence[int]
    rng: random.Random
    unit: int = 1
    """Raises are multiples of it."""
    folds: float = 0.15
    """How often a player who faces a bet folds."""
    differences: Counter[str] = field(default_factory=Counter)

    def play(self) -> None:
        """Play the hand to its end; every disagreement that is not a known one is an AssertionError."""
        self.hand = Hand.new(self.rules, self.stacks, seed=self.rng.getrandbits(32))
        stakes = self.hand.stakes
        self.slow = SlowTable(list(stakes.stacks), stakes.antes, stakes.posts, stakes.dead_antes, self.rules.cap)
        self.theirs = their_state(self.rules, self.hand)
        self.street, self.short = -1, False
        tied = self.differences[TIED_CARDS_UP]
        self._deal()
        while not self.hand.over:
            self._open_street()
            if self.differences[TIED_CARDS_UP] > tied:
                return
            exchange = self.hand.legal().exchange
            if exchange:
                self._exchange(exchange[1], exchange[2])
            else:
                self._bet()
            self._deal()
        assert not self.theirs.status, f"they go on: {self.theirs.operations[-1]}"
        self._compare_payoffs()

    def _compare_payoffs(self) -> None:
        hand, slow = self.hand, self.slow
        values = [[0] * hand.players for _ in self.rules.showdown.kinds]
        for seat in hand.showdown:
            for kind, value in enumerate(hand_values(self.rules.showdown, hand.cards(seat), hand.board)):
                values[kind][seat] = value
        won, _ = pay(slow.put, slow.live, values, dead=slow.dead, layer=self.unit)
        owned = [sum(chips) for chips in zip(slow.stacks, slow.aside, won, strict=True)]
        assert list(hand.stacks) == owned, (hand.record(), won)
        if list(hand.payoffs) == self.theirs.payoffs:
            return
        low = values[-1]
        contested = [
            pot.players for pot in pots(slow.put, slow.live, slow.dead, layer=self.unit) if len(pot.players) > 1
        ]
        assert any(low) and not all(any(low[seat] for seat in players) for players in contested), hand.record()
        self.differences[NO_LOW_IN_SIDE_POT] += 1

    def _deal(self) -> None:
        """Give PokerKit the cards that ours has dealt, and its superfluous checks."""
        theirs, hand = self.theirs, self.hand
        while theirs.status:
            if theirs.stand_patter_or_discarder_index is not None:
                return
            if any(theirs.hole_dealing_statuses):
                for seat in range(hand.players):
                    have, wanted = len(theirs.hole_cards[seat]), len(theirs.hole_dealing_statuses[seat])
                    if wanted:
                        theirs.deal_hole(tuple(CARDS[c] for c in hand.cards(seat)[have : have + wanted]), seat)
            elif any(theirs.board_dealing_counts):
                have, wanted = len(theirs.board_cards), theirs.board_dealing_counts[0]
                theirs.deal_board(tuple(CARDS[card] for card in hand.board[have : have + wanted]))
            elif theirs.actor_index is not None and self._ahead():
                assert theirs.checking_or_calling_amount == 0
                assert theirs.min_completion_betting_or_raising_to_amount is None
                theirs.check_or_call()
                self.differences[NOTHING_TO_DECIDE] += 1
            else:
                return

    def _ahead(self) -> bool:
        """Whether our hand has left the betting round that PokerKit is in."""
        return self.hand.over or self.hand.legal().exchange is not None or self.hand.street != self.theirs.street_index

    def _open_street(self) -> None:
        """Let the twin open the betting of a street that has begun."""
        hand = self.hand
        if self.street == hand.street or hand.legal().exchange:
            return
        part = self.rules.rounds[hand.street]
        assert part.betting is not None
        if self.street >= 0:
            self.slow.close()
        self.street, self.short = hand.street, False
        if part.first == First.AFTER_BUTTON:
            opener = 0
        elif part.first == First.AFTER_BLINDS:
            posts = hand.stakes.posts
            opener = (max(seat for seat in range(hand.players) if posts[seat] == max(posts)) + 1) % hand.players
        else:
            opener = opening_seat(part.first, [hand.up_cards(seat) for seat in range(hand.players)], self.slow.live)
        self.slow.open(part.betting, opener, bring_in=self.rules.bring_in if hand.street == 0 else 0)
        other = self.theirs.opener_index
        if part.first in (First.BEST_UP, First.BEST_LOW_UP) and other != opener:
            assert hand.turn == self.slow.turn and other is not None
            assert up_rank(part.first, hand.up_cards(opener)) == up_rank(part.first, hand.up_cards(other))
            self.differences[TIED_CARDS_UP] += 1

    def _exchange(self, least: int, most: int) -> None:
        hand, theirs = self.hand, self.theirs
        assert theirs.stand_patter_or_discarder_index == hand.turn
        thrown = self.rng.sample(hand.cards(hand.turn), self.rng.randint(least, most))
        theirs.stand_pat_or_discard(tuple(CARDS[card] for card in thrown))
        hand.exchange(thrown)

    def _bet(self) -> None:
        hand, slow, theirs = self.hand, self.slow, self.theirs
        legal = hand.legal()
        assert (hand.turn, legal.fold, legal.call) == (slow.turn, slow.may_fold, slow.to_call), hand.record()
        assert legal.raise_to == slow.raise_to, (legal, slow, hand.record())
        assert hand.turn == theirs.actor_index, (hand.record(), theirs.operations)
        assert hand.pot == theirs.total_pot_amount == slow.pot
        assert list(hand.stacks) == theirs.stacks and list(hand.bets) == theirs.bets
        bring_in = theirs.effective_bring_in_amount
        assert legal.call == (theirs.checking_or_calling_amount if bring_in is None else bring_in)
        assert theirs.can_fold() == (bring_in is None and legal.call != 0)
        allowed = self._common_raise(legal)
        roll = self.rng.random()
        if allowed and roll < 0.35:
            total = self.unit * self.rng.randint(-(-allowed[0] // self.unit), allowed[1] // self.unit)
            self._raise(total)
        elif theirs.can_fold() and self.rng.random() < self.folds:
            hand.fold(), slow.fold(), theirs.fold()
        else:
            hand.call(), slow.call()
            theirs.post_bring_in() if bring_in is not None else theirs.check_or_call()

    def _common_raise(self, legal: Legal) -> tuple[int, int] | None:
        """Raises that all allow; what only one of them does must be a known difference."""
        least = self.theirs.min_completion_betting_or_raising_to_amount
        most = self.theirs.max_completion_betting_or_raising_to_amount
        allowed = None if least is None or most is None else (least, most)
        if allowed == legal.raise_to:
            return allowed
        if self.slow.bring_in and self.hand.stacks[self.hand.turn] <= self.slow.bring_in:
            assert legal.raise_to is None
            self.differences[SHORT_BRING_IN] += 1
            return None
        assert self.short, f"we allow {legal.raise_to}, they {allowed}: {self.hand.record()}"
        self.differences[SHORT_WAGER] += 1
        if not allowed or not legal.raise_to:
            return None
        both = max(allowed[0], legal.raise_to[0]), min(allowed[1], legal.raise_to[1])
        return both if both[0] <= both[1] else None

    def _raise(self, total: int) -> None:
        slow = self.slow
        whole = (slow.full_level if slow.limit else 0 if slow.only_bring_in else slow.high) + slow.full_size
        self.short |= total < whole
        self.hand.raise_to(total), slow.raise_by_total(total), self.theirs.complete_bet_or_raise_to(total)


def random_stacks(rng: random.Random, rules: GameRules, players: int, unit: int) -> list[int]:
    """Stacks from short to deep. Nobody is too short for a blind or bring-in: there PokerKit asks for less."""
    least = rules.ante + max(*rules.blinds, rules.bring_in, unit)
    deep = rng.choice((4, 12, 50, 200)) * rules.big_blind
    return [unit * rng.randint(-(-least // unit), max(least, deep) // unit) for _ in range(players)]
