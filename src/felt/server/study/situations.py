"""A hand up to somebody's turn, built from what one seat knows of it.

The moves are played by the engine from the deal on. Cards that the seat knows are put where the deck has dealt them;
all others are drawn at random from what is left, so that nothing can depend on them.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import felt.games.engine.fields as f
from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.games import Action, GameRules, Hand, Move
from felt.games.history import UNKNOWN
from felt.games.moves import EventKind
from felt.games.replay import replay
from felt.games.typed_moves import read_count, read_move
from felt.interop.phh.reader import read_phh
from felt.server.tables.settings import TableError
from felt.server.web.schemas.decide import MoveAsked, PhhAsked, SituationAsked

MOST_TRIES = 40
bad_state = partial(TableError, "bad_state")


def situation(question: SituationAsked, rules: GameRules, dice: random.Random) -> Hand:
    """The hand that was asked about; what is impossible is refused with code `bad_state`."""
    try:
        return _Building(rules, question, dice).hand()
    except TableError:
        raise
    except FeltError as error:
        raise bad_state(str(error)) from None


def from_phh(question: PhhAsked) -> Hand:
    """The hand of a partial PHH; the cards of the seat to act must be there."""
    try:
        history = read_phh(question.phh)
        if len(history.hands) != 1 or history.problems:
            why = history.problems[0].why if history.problems else f"it has {len(history.hands)} hands"
            raise bad_state(f"the PHH cannot be used: {why}; give one hand up to somebody's turn")
        hand = replay(history.hands[0])
    except TableError:
        raise
    except FeltError as error:
        raise bad_state(str(error)) from None
    _check_open(hand)
    dealt = [event for event in history.hands[0].events if event.kind in (EventKind.DOWN, EventKind.UP)]
    if any(UNKNOWN in event.cards for event in dealt if event.seat == hand.turn):
        raise bad_state(f"it is the turn of p{hand.turn + 1}, whose cards are unknown: give them")
    return hand


def _check_open(hand: Hand) -> None:
    if hand.over:
        raise bad_state("the hand is over after these moves: nobody has to act")


@dataclass
class _Building:
    """A deck that deals the known cards, found by playing the moves and looking where cards come from."""

    rules: GameRules
    question: SituationAsked
    dice: random.Random
    fixed: dict[int, int] = field(default_factory=dict)  # known cards by their places in the deck
    counted: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By the number of a move that says only how many cards: the places from which they were dealt."""
    refills: dict[int, list[int]] = field(default_factory=dict)
    """By the number of a draw for which the muck was shuffled: the places of its cards, in their new order."""
    traded: int = 0  # how often cards of the muck have changed places in that order

    def __post_init__(self) -> None:
        parse = self.rules.deck.parse
        self.own, self.board = parse(self.question.cards), parse(self.question.board)
        self.up = [parse(cards) for cards in self.question.up]
        if len(self.up) not in (0, len(self.question.stacks)):
            raise bad_state(f"up has {len(self.up)} entries for {len(self.question.stacks)} seats: give one for each")
        known = {*self.own, *self.board, *(card for cards in self.up for card in cards)}
        loose = [card for card in self.rules.deck if card not in known]
        self.dice.shuffle(loose)
        self.loose = [*loose, *known]
        """What lies where nothing is known of, in this order: known cards only where there are no others."""

    def hand(self) -> Hand:
        for _ in range(MOST_TRIES):
            before = self.traded, dict(self.fixed)
            hand, failed = self._played()
            self._place_public(hand)
            if (self.traded, self.fixed) != before:
                continue  # cards face up say whose turn it is: play again with them
            if failed is not None:
                raise failed
            _check_open(hand)
            self._place_own(hand)
            if (self.traded, self.fixed) == before:
                return hand
        raise bad_state("no deal of these cards leads to these moves")

    def _played(self) -> tuple[Hand, FeltError | None]:
        """As far as the moves can be played with the deck so far."""
        button, count = self.question.button, len(self.question.stacks)
        self.deck = self._deck()
        hand = Hand.new(self.rules, self.question.stacks, deck=self.deck, button=button if button < count else count)
        for number, move in enumerate(self.question.moves, start=1):
            try:
                if hand.over:
                    raise FeltError("the hand is over already")
                action = self._move(hand, move, number)
                self._refill(hand, len(action.cards), number)
                hand.act(action)
            except FeltError as error:
                text = move if isinstance(move, str) else move.words or move.move
                return hand, bad_state(f"move {number}, {text!r}: {error}")
        return hand, None

    def _deck(self) -> list[int]:
        known = set(self.fixed.values())
        rest = iter([card for card in self.loose if card not in known])
        return [self.fixed[place] if place in self.fixed else next(rest) for place in range(len(self.rules.deck))]

    def _move(self, hand: Hand, move: str | MoveAsked, number: int) -> Action:
        held = hand.cards(hand.turn)
        if isinstance(move, MoveAsked):
            action = Action(Move[move.move.upper()], move.amount, self.rules.deck.parse(move.cards))
        else:
            count = read_count(move.strip(), hand.legal())
            if count is not None:
                return Action(Move.EXCHANGE, cards=self._any_cards(hand, count, number))
            action = read_move(move.strip(), hand.view(hand.turn))
        for card in set(action.cards) & set(held):  # by chance, or known before: it stays there
            self._put(card, self.deck.index(card), f"the cards of seat {hand.turn}")
        if action.move == Move.EXCHANGE and not set(action.cards) <= set(held):
            others = [card for card in hand.choosable() if card not in action.cards]
            self._place([card for card in action.cards if card not in held], others, f"the cards of seat {hand.turn}")
            raise FeltError(f"seat {hand.turn} does not hold {format_cards(action.cards)}")
        return action

    def _any_cards(self, hand: Hand, count: int, number: int) -> tuple[int, ...]:
        """So many cards of the seat to act, of which nobody says which.

        First come cards that are needed later, in that order: somebody else must have been passed them. Then unknown
        ones. When the hand is played again the same places are taken, so that what is known of others still holds.
        """
        held = hand.choosable()
        if count > len(held):
            raise FeltError(f"seat {hand.turn} holds {len(held)} cards, not {count}")
        places = [self.deck.index(card) for card in held]
        if number not in self.counted or not set(self.counted[number]) <= set(places):
            exchange = hand.legal().exchange
            passes = exchange is not None and exchange[0] == "pass"
            later = [card for move in self.question.moves[number:] for card in self._named(move)]
            needed = (*later, *self.own)

            def order(place: int) -> int:
                card = self.fixed.get(place, -1)
                if passes and card in needed:
                    return needed.index(card)
                return len(needed) + (card >= 0)

            self.counted[number] = tuple(sorted(places, key=order)[:count])
        return tuple(self.deck[place] for place in self.counted[number])

    def _named(self, move: str | MoveAsked) -> tuple[int, ...]:
        """The cards that a move names."""
        if isinstance(move, MoveAsked):
            return self.rules.deck.parse(move.cards)
        try:
            return self.rules.deck.parse(move.strip().partition(" ")[2])
        except FeltError:
            return ()

    def _refill(self, hand: Hand, count: int, number: int) -> None:
        """Shuffle the muck for more cards, where a draw needs them.

        The engine would do it by itself, but in an order that depends on the cards. Here it depends on their places, so
        that it is the same when the hand is played again with other cards.
        """
        exchange, (numbers, cards) = hand.legal().exchange, hand.arrays
        at, end, muck = (int(numbers[name]) for name in (f.DECK_AT, f.DECK_COUNT, f.MUCK_COUNT))
        if not (exchange and exchange[0] == "draw" and count > end - at and muck):
            return
        places = [self.deck.index(int(card)) for card in cards[f.MUCK : f.MUCK + muck]]
        order = [place for place in self.refills.get(number, []) if place in places]
        new = [place for place in places if place not in order]
        self.dice.shuffle(new)
        self.refills[number] = order + new
        left = cards[f.DECK + at : f.DECK + end].tolist()
        deck = left + [self.deck[place] for place in self.refills[number]]
        cards[f.DECK : f.DECK + len(deck)] = deck
        numbers[f.DECK_AT], numbers[f.DECK_COUNT], numbers[f.MUCK_COUNT] = 0, len(deck), 0

    def _trade(self, slots: list[int], places: Sequence[int]) -> bool:
        """Let one of these places of the deck come again where one of the slots did, if both are from the muck."""
        for order in reversed(self.refills.values()):
            slot = next((slot for slot in slots if slot in order), None)
            place = next((place for place in places if place in order and place not in slots), None)
            if slot is not None and place is not None:
                first, other = order.index(slot), order.index(place)
                order[first], order[other] = place, slot
                slots.remove(slot)
                self.traded += 1
                return True
        return False

    def _place_public(self, hand: Hand) -> None:
        """What everybody sees. Of cards face up first the first ones: they say who did what before the next came."""
        for depth in range(max(map(len, self.up), default=0)):
            before = len(self.fixed)
            for seat, cards in enumerate(self.up):
                lying = hand.up_cards(seat)
                if depth < min(len(cards), len(lying)):
                    self._put(cards[depth], self.deck.index(lying[depth]), f"seat {seat}'s cards")
            if len(self.fixed) > before:
                return
        for card, dealt in zip(self.board, hand.board, strict=False):
            self._put(card, self.deck.index(dealt), "the board")

    def _place_own(self, hand: Hand) -> None:
        seat = hand.turn
        held, lying = hand.cards(seat), hand.up_cards(seat)
        if len(self.board) != len(hand.board):
            raise bad_state(f"after these moves the board has {len(hand.board)} cards: {len(self.board)} were given")
        for other, cards in enumerate(self.up):
            if cards and len(cards) != len(hand.up_cards(other)):
                many = len(hand.up_cards(other))
                raise bad_state(f"seat {other} has {many} cards face up by then: {len(cards)} were given")
        own = self.own if len(self.own) == len(held) else (*self.own, *lying)
        if len(own) != len(held):
            raise bad_state(f"seat {seat}, whose turn it is, has {len(held)} cards: {len(self.own)} were given")
        if len(set(own)) != len(own):
            raise bad_state(f"a card stands twice in {self.question.cards!r}")
        for card in own:
            if card in held:
                self._put(card, self.deck.index(card), "the hand")
        self._place([card for card in own if card not in held], [card for card in held if card not in own], "the hand")

    def _place(self, cards: Sequence[int], dealt: Sequence[int], whose: str) -> None:
        """Have these cards dealt where others, of which nothing is known yet, were."""
        slots = list(map(self.deck.index, dealt))
        for card in cards:
            place = next((place for place, known in self.fixed.items() if known == card), None)
            if place is not None and self._trade(slots, [place]):
                continue  # it came again from the muck
            free = [slot for slot in slots if slot not in self.fixed]
            if free:
                slots.remove(free[0])
                self._put(card, free[0], whose)
            elif not self._trade(slots, [place for place in range(len(self.deck)) if place not in self.fixed]):
                raise bad_state(f"{format_cards([card])} cannot be among {whose}: others are known to be there")

    def _put(self, card: int, place: int, whose: str) -> None:
        if self.fixed.get(place, card) != card:
            there = format_cards([self.fixed[place]])
            raise bad_state(f"{format_cards([card])} cannot be among {whose}: {there} is known to be there")
        if card in self.fixed.values() and self.fixed.get(place) != card:
            raise bad_state(f"{format_cards([card])} is dealt twice: it cannot be among {whose} too")
        self.fixed[place] = card
