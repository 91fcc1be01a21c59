"""Hands played side by side: Felt's engine, the slow twin of its rules, and PokerKit, an independent engine.

The twin has the rule book's word. Where PokerKit rules otherwise, what it does must be exactly what is known of it and
written down here (`TheirRaises`, `their_winnings`); such differences are counted, and play goes on with a move that
all of them allow.
"""

import random
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from felt.games import Hand, Legal
from felt.games.rules import First, GameRules, Structure
from tests.games.rules_for_tests import scaled
from tests.reference.engine import SlowPot, SlowTable, hand_values, opening_seat, pay, pots, uncalled, up_rank
from tests.reference.pokerkit_games import CARDS, TheirGame

SHORT_WAGER = "all-in for less than a whole bet"
"""PokerKit lets those who have acted raise after a short all-in that opens the betting (TDA 47-A says no); in limit
games it counts every all-in as a raise, however small, where half a bet is needed (TDA 47-B)."""

SHORT_BRING_IN = "bring-in all-in called a completion"
"""PokerKit offers a player who has no more than the bring-in to complete with it."""

STRADDLE = "least raise over a straddle"
"""PokerKit asks for the least bet; a straddle is a bet, and the least raise is as much again."""

SHORT_BLIND = "call of a short big blind"
"""PokerKit asks for what is there, the rule book for the whole blind. The hand cannot go on together."""

MISSING_BLIND = "pot-limit raise over a short blind"
"""PokerKit counts the chips that are there; before the flop a blind counts as whole (TDA 54-B)."""

TIED_CARDS_UP = "tied cards up"
"""PokerKit lets the first seat open; by TDA RP-10-D suits decide. The hand cannot go on together."""

NO_LOW_IN_SIDE_POT = "low half of a side pot without a low"
"""PokerKit gives it to all players of the side pot when somebody has a low in the main pot; the high hand wins it."""

ODD_CHIPS = "odd chips"
"""PokerKit gives all of them to the first of the winners; by TDA 20-A they go one by one."""

NOTHING_TO_DECIDE = "asked although nothing is left to decide"
"""PokerKit asks a player who has matched everything when all others are all-in."""

RESHUFFLE = "muck shuffled for more cards"
"""PokerKit warns of cards that come from the muck."""

DIFFERENCES = (
    SHORT_WAGER, SHORT_BRING_IN, STRADDLE, SHORT_BLIND, MISSING_BLIND, TIED_CARDS_UP, NO_LOW_IN_SIDE_POT,
    ODD_CHIPS, NOTHING_TO_DECIDE, RESHUFFLE,
)  # fmt: skip


@dataclass
class TheirRaises:
    """What PokerKit lets a player raise to on one street, as far as it goes by other rules than ours."""

    cap: int | None
    bet: int
    completing: bool
    """Whether there is nothing but a bring-in yet: the next bet completes it."""
    largest: int = 0
    """The largest step of the street, short ones that open it included."""
    count: int = 0
    """Every all-in counts, however short; blinds do not."""
    shorts: list[int] = field(default_factory=list)
    acted: set[int] = field(default_factory=set)

    def bounds(self, table: SlowTable) -> tuple[int, int] | None:
        """Least and most, for the player whose turn it is at our table."""
        seat = table.turn
        assert seat is not None
        behind, bet, highest = table.stacks[seat], table.bets[seat], max(table.bets)
        short = self.shorts and sum(self.shorts) < self.largest and seat in self.acted
        to_call = min(behind, highest - bet)
        able = any(table.stacks[i] + table.bets[i] > highest for i in table.live if i != seat)
        facing_less = to_call < self.largest and not table.bring_in
        if facing_less or self.count == self.cap or short or behind <= highest - bet or not able:
            return None
        least = min(max(self.largest, self.bet) + (0 if self.completing else highest), behind + bet)
        if table.limit:
            return least, least
        pot_limit = table.betting.structure == Structure.POT_LIMIT
        return least, min(max(least, 2 * highest - bet + table.pot) if pot_limit else behind + bet, behind + bet)

    def note_raise(self, table: SlowTable, total: int) -> None:
        seat = table.turn
        assert seat is not None
        step, all_in = total - max(table.bets), total == table.stacks[seat] + table.bets[seat]
        self.acted = {seat} if step >= self.largest else self.acted | {seat}
        self.largest = max(self.largest, step)
        self.count += 1
        self.completing = False
        self.shorts = [*self.shorts, step] if all_in else []
        if sum(self.shorts) >= self.largest:
            self.shorts = []


def their_winnings(found: Sequence[SlowPot], live: Sequence[int], values: Sequence[Sequence[int]]) -> Counter[int]:
    """What PokerKit pays out of pots: a kind that anybody has shares each of them, the first winner has odd chips."""
    won: Counter[int] = Counter()
    kinds = [kind for kind in values if any(kind[seat] for seat in live)] if len(live) > 1 else []
    for pot in found:
        for index, kind in enumerate(kinds or [[1] * len(values[0])]):
            share, rest = divmod(pot.chips, len(kinds) or 1)
            best = max(kind[seat] for seat in pot.players)
            winners = [seat for seat in pot.players if kind[seat] == best]
            each, odd = divmod(share + (rest if index == 0 else 0), len(winners))
            won.update(dict.fromkeys(winners, each))
            won[winners[0]] += odd
    return won


@dataclass
class Lockstep:
    """One hand in three engines."""

    rules: GameRules
    game: TheirGame
    stacks: Sequence[int]
    rng: random.Random
    unit: int = 1
    """Raises are multiples of it."""
    folds: float = 0.3
    """How often a player who faces a bet folds."""
    differences: Counter[str] = field(default_factory=Counter)

    def play(self) -> None:
        """Play the hand to its end; every disagreement that is not a known one is an AssertionError."""
        self.hand = Hand.new(self.rules, self.stacks, seed=self.rng.getrandbits(32))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self._play()
        if told:
            assert {warning.category for warning in told} == {UserWarning}
            dealt = sum(len(event.cards) for event in self.hand.events if event.kind in ("down", "up", "board"))
            assert dealt > len(self.rules.deck), [str(warning.message) for warning in told]
            self.differences[RESHUFFLE] += 1

    def _play(self) -> None:
        stakes = self.hand.stakes
        self.slow = SlowTable(list(stakes.stacks), stakes.antes, stakes.posts, stakes.dead_antes, self.rules.cap)
        self.theirs = self.game.state(self.hand)
        self.street, self.short = -1, False
        apart = self._apart()
        self._deal()
        while not self.hand.over:
            self._open_street()
            if self._apart() > apart:
                return
            exchange = self.hand.legal().exchange
            if exchange:
                self._exchange(exchange[1], exchange[2])
            else:
                self._bet()
            self._deal()
        assert not self.theirs.status, f"they go on: {self.theirs.operations[-1]}"
        self._compare_payoffs()

    def _apart(self) -> int:
        return self.differences[TIED_CARDS_UP] + self.differences[SHORT_BLIND]

    def _compare_payoffs(self) -> None:
        """Ours are what the twin pays; PokerKit's too, or else what its own rules make of the same pots."""
        hand, slow = self.hand, self.slow
        values = [[0] * hand.players for _ in self.rules.showdown.kinds]
        for seat in hand.showdown:
            for kind, value in enumerate(hand_values(self.rules.showdown, hand.cards(seat), hand.board)):
                values[kind][seat] = value
        won, _ = pay(slow.put, slow.live, values, dead=slow.dead)
        owned = [sum(chips) for chips in zip(slow.stacks, slow.aside, won, strict=True)]
        assert list(hand.stacks) == owned, (hand.record(), won)
        if list(hand.payoffs) == self.theirs.payoffs:
            return
        theirs = self._their_payoffs(values, won)
        assert self.theirs.payoffs == theirs, (hand.record(), values)
        low, contested = values[-1], [pot.players for pot in pots(slow.put, slow.live, slow.dead)]
        no_low = any(low) and not all(any(low[seat] for seat in players) for players in contested)
        if not no_low:
            apart = [ours - other for ours, other in zip(hand.payoffs, theirs, strict=True)]
            assert max(map(abs, apart)) < len(contested) * len(values) * hand.players, apart
        self.differences[NO_LOW_IN_SIDE_POT if no_low else ODD_CHIPS] += 1

    def _their_payoffs(self, values: Sequence[Sequence[int]], won: Sequence[int]) -> list[int]:
        """What PokerKit's rules make of the same pots; it has thrown away hands that cannot win, which must be so."""
        slow = self.slow
        seat, back = uncalled(slow.put, slow.live)
        left = [i for i in slow.live if self.theirs.statuses[i]]
        assert not any(won[i] - (back if i == seat else 0) for i in slow.live if i not in left)
        called = [chips - (back if i == seat else 0) for i, chips in enumerate(slow.put)]
        theirs = their_winnings(pots(called, left, slow.dead), left, values)
        theirs[seat] += back
        return [theirs[i] - chips for i, chips in enumerate(slow.put)]

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
                self._check_for_nothing()
            else:
                return

    def _check_for_nothing(self) -> None:
        """PokerKit asks somebody who has no choice: in a round without betting, or alone with all others all-in."""
        theirs = self.theirs
        assert theirs.checking_or_calling_amount == 0
        assert theirs.min_completion_betting_or_raising_to_amount is None
        if self.rules.rounds[theirs.street_index or 0].betting:
            others = [seat for seat in range(self.hand.players) if seat != theirs.actor_index and theirs.statuses[seat]]
            assert not any(theirs.stacks[seat] for seat in others)
            self.differences[NOTHING_TO_DECIDE] += 1
        theirs.check_or_call()

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
        bring_in = self.rules.bring_in if hand.street == 0 else 0
        self.slow.open(part.betting, opener, bring_in=bring_in)
        street = self.game.streets[hand.street]
        self.their_raises = TheirRaises(
            street.max_completion_betting_or_raising_count, part.betting.bet, completing=bring_in > 0
        )
        self._compare_opening(part.first, opener)

    def _compare_opening(self, first: First, opener: int) -> None:
        other = self.theirs.opener_index
        if first in (First.BEST_UP, First.BEST_LOW_UP) and other != opener:
            hand = self.hand
            assert hand.turn == self.slow.turn and other is not None
            assert up_rank(first, hand.up_cards(opener)) == up_rank(first, hand.up_cards(other))
            self.differences[TIED_CARDS_UP] += 1
        elif self.slow.high > max(self.slow.bets):  # whoever had to post so much had less
            assert self.hand.bets == tuple(self.theirs.bets) and max(self.hand.stakes.posts) == self.slow.high
            assert self.hand.legal().call == self.slow.to_call
            self.differences[SHORT_BLIND] += 1

    def _exchange(self, least: int, most: int) -> None:
        hand, theirs = self.hand, self.theirs
        assert theirs.stand_patter_or_discarder_index == hand.turn
        thrown = self.rng.sample(hand.choosable(), self.rng.randint(least, most))
        theirs.stand_pat_or_discard(tuple(CARDS[card] for card in thrown))
        hand.exchange(thrown)

    def _bet(self) -> None:
        hand, slow, theirs = self.hand, self.slow, self.theirs
        legal, seat = hand.legal(), hand.turn
        assert (seat, legal.fold, legal.call) == (slow.turn, slow.may_fold, slow.to_call), hand.record()
        assert legal.raise_to == slow.raise_to, (legal, slow, hand.record())
        assert seat == theirs.actor_index, (hand.record(), theirs.operations)
        assert hand.pot == theirs.total_pot_amount == slow.pot
        assert list(hand.stacks) == [a + b for a, b in zip(theirs.stacks, slow.aside, strict=True)]
        assert list(hand.bets) == theirs.bets
        bring_in = theirs.effective_bring_in_amount
        assert legal.call == (theirs.checking_or_calling_amount if bring_in is None else bring_in)
        may_fold = theirs.can_fold()
        assert may_fold == (bring_in is None and legal.call != 0)
        allowed = self._common_raise(legal)
        if allowed and self.rng.random() < 0.35:
            total = self.unit * self.rng.randint(-(-allowed[0] // self.unit), allowed[1] // self.unit)
            self._raise(total)
            return
        self.their_raises.acted.add(seat)
        if may_fold and self.rng.random() < self.folds:
            hand.fold(), slow.fold(), theirs.fold()
        else:
            hand.call(), slow.call()
            theirs.post_bring_in() if bring_in is not None else theirs.check_or_call()

    def _common_raise(self, legal: Legal) -> tuple[int, int] | None:
        """Raises that all allow; what only one of them does must be a known difference."""
        least = self.theirs.min_completion_betting_or_raising_to_amount
        most = self.theirs.max_completion_betting_or_raising_to_amount if least is not None else None
        allowed = None if least is None or most is None else (least, most)
        slow = self.slow
        assert allowed == self.their_raises.bounds(slow), (allowed, self.their_raises, self.hand.record())
        if allowed == legal.raise_to:
            return allowed
        if slow.bring_in and self.hand.stacks[self.hand.turn] <= slow.bring_in:
            assert legal.raise_to is None
            self.differences[SHORT_BRING_IN] += 1
            return None
        straddled = self.street == 0 and len(self.rules.blinds) > 2 and self.their_raises.largest < max(slow.posts)
        missing = slow.missing > 0 and slow.betting.structure == Structure.POT_LIMIT
        assert self.short or straddled or missing, f"we allow {legal.raise_to}, they {allowed}: {self.hand.record()}"
        self.differences[SHORT_WAGER if self.short else STRADDLE if straddled else MISSING_BLIND] += 1
        if not allowed or not legal.raise_to:
            return None
        both = max(allowed[0], legal.raise_to[0]), min(allowed[1], legal.raise_to[1])
        return both if both[0] <= both[1] else None

    def _raise(self, total: int) -> None:
        slow = self.slow
        whole = (slow.full_level if slow.limit else 0 if slow.only_bring_in else slow.high) + slow.full_size
        self.short |= total < whole
        self.their_raises.note_raise(slow, total)
        self.hand.raise_to(total), slow.raise_by_total(total), self.theirs.complete_bet_or_raise_to(total)


def random_stacks(
    rng: random.Random, rules: GameRules, players: int, unit: int = 1, *, short_blinds: bool = False
) -> list[int]:
    """Stacks from short to deep. Only where asked is anybody too short for a blind: there PokerKit asks for less."""
    least = rules.ante + (unit if short_blinds else max(*rules.blinds, rules.bring_in, unit))
    deep = rng.choice((4, 12, 50, 200)) * rules.big_blind
    return [unit * rng.randint(-(-least // unit), max(least, deep) // unit) for _ in range(players)]


def play_lockstep(rules: GameRules, hands: int, *, seed: int | str = 0, short_blinds: bool = False) -> Counter[str]:
    """Play `hands` with 2 to 6 players, mostly few; returns the differences that were met.

    Games of stud are played with chips that can be divided among any winners: there odd chips go by suits.
    """
    unit = 120 if any(part.up for part in rules.rounds) else 1
    rules = scaled(rules, unit if unit > 1 else 5)
    game, rng, differences = TheirGame.of(rules), random.Random(seed), Counter[str]()
    seats = [count for count in (2, 2, 2, 2, 3, 3, 3, 4, 5, 6) if rules.min_players <= count <= rules.max_players]
    for _ in range(hands):
        stacks = random_stacks(rng, rules, rng.choice(seats), unit, short_blinds=short_blinds)
        Lockstep(rules, game, stacks, rng, unit=unit, differences=differences).play()
    return differences
