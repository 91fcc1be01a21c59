"""Player statistics counted slowly: every decision is written down, then each definition is asked about each.

Written from the table of definitions in the docs; it shares nothing with the kernel but the names.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from felt.games import EventKind, First, Hand, HandRecord
from felt.games.engine import fields as f
from felt.games.replay import replay_moves

Key = tuple[str, str, str, int, str, str]
"""Player, indicator, position, betting round, "in" or "out", "num" or "den"."""


@dataclass(frozen=True)
class Decision:
    """One turn to bet, with all that the definitions ask about."""

    number: int
    seat: int
    round: int
    did: str
    """fold, check, call, raise or post."""
    to_call: int
    could_raise: bool
    able: frozenset[int]
    """Who is in and has chips to bet, the player included."""
    in_position: bool


@dataclass(frozen=True)
class Told:
    """A hand that is over, as its decisions."""

    hand: Hand
    decisions: list[Decision]
    positions: list[str]
    rounds: list[int]
    """The rounds with betting."""
    finishing: tuple[int, ...] | None
    """Stacks at the end by the record."""

    def before(self, d: Decision) -> list[Decision]:
        """Earlier decisions of the same round."""
        return [other for other in self.decisions if other.round == d.round and other.number < d.number]

    def raises(self, d: Decision) -> list[Decision]:
        """Raises that the player faces."""
        return [other for other in self.before(d) if other.did == "raise"]

    def unopened(self, d: Decision) -> bool:
        return not any(other.did in ("call", "raise") for other in self.before(d))

    def aggressor_before(self, d: Decision) -> int | None:
        """The aggressor of the round before."""
        raisers = [other.seat for other in self.decisions if other.round == d.round - 1 and other.did == "raise"]
        return raisers[-1] if raisers else None

    def is_steal(self, d: Decision) -> bool:
        """Whether a decision is one to steal at."""
        from_there = self.positions[d.seat] in ("CO", "BTN", "SB") and bool(self.hand.rules.blinds)
        return d.round == 0 and d.could_raise and self.unopened(d) and from_there

    def is_cbet_chance(self, d: Decision) -> bool:
        aggressor = self.aggressor_before(d)
        return d.round > 0 and not self.raises(d) and aggressor == d.seat and d.could_raise

    def waits_for_aggressor(self, d: Decision) -> bool:
        """Whether another player was the aggressor of the round before, and is still to act in this one."""
        aggressor = self.aggressor_before(d)
        acted = {other.seat for other in self.before(d)}
        return aggressor is not None and aggressor in d.able - acted - {d.seat}

    def checked(self, d: Decision) -> bool:
        """Whether the player's last move in the round was a check, and there is something to call now."""
        own = [other for other in self.before(d) if other.seat == d.seat]
        return bool(own) and own[-1].did == "check" and d.to_call > 0

    @cached_property
    def gone(self) -> set[int]:
        """Who folded in the first round."""
        return {d.seat for d in self.decisions if d.round == 0 and d.did == "fold"}

    def saw_second(self, seat: int) -> bool:
        return len(self.rounds) > 1 and seat not in self.gone and self.hand.street >= self.rounds[1]

    def won(self, seat: int) -> bool:
        """Took a part of the pot, as the record has it: a bet that nobody matched comes back, and is none."""
        put, taken = self.hand.put, self.hand.won[seat]
        if self.finishing is not None:
            taken += self.finishing[seat] - self.hand.stacks[seat]
        matched = max(chips for other, chips in enumerate(put) if other != seat)
        return taken > max(put[seat] - matched, 0)


def tell(record: HandRecord) -> Told:
    """Play a record again and write its decisions down."""
    hand = replay_moves(record).dealt
    rounds = [number for number, part in enumerate(record.rules.rounds) if part.betting]
    decisions: list[Decision] = []
    first_of: dict[int, int] = {}
    for event in record.events:
        if event.kind in (EventKind.DRAW, EventKind.DISCARD, EventKind.PASS, EventKind.ROLL):
            hand.exchange(event.cards)
        elif event.kind in (EventKind.FOLD, EventKind.CALL, EventKind.RAISE):
            first_of.setdefault(hand.street, hand.turn)
            decisions.append(_decision(hand, event.kind, rounds, first_of[hand.street], len(decisions)))
            match event.kind:
                case EventKind.FOLD:
                    hand.fold()
                case EventKind.CALL:
                    hand.call()
                case EventKind.RAISE:
                    hand.raise_to(event.amount)
    assert hand.over
    return Told(hand, decisions, names_of_seats(record), rounds, record.finishing)


def _decision(hand: Hand, kind: EventKind, rounds: list[int], first: int, number: int) -> Decision:
    legal, seat, players = hand.legal(), hand.turn, hand.players
    forced = bool(hand.rules.bring_in) and hand.street == rounds[0] and not any(hand.bets)
    to_call = 0 if forced else legal.call or 0
    did = str(kind)
    if kind == EventKind.CALL and not to_call:
        did = "post" if forced else "check"
    chips = hand.arrays[0][f.STACKS : f.STACKS + players]
    able = frozenset(other for other in range(players) if not hand.folded[other] and chips[other] > 0)
    part = hand.rules.rounds[hand.street]
    begin = (hand.button + 1) % players if part.first == First.AFTER_BLINDS else first
    order = [(begin + step * (1 if part.clockwise else -1)) % players for step in range(players)]
    last = [other for other in order if other in able][-1]
    return Decision(
        number=number,
        seat=seat,
        round=rounds.index(hand.street),
        did=did,
        to_call=to_call,
        could_raise=legal.raise_to is not None,
        able=able,
        in_position=last == seat,
    )


def names_of_seats(record: HandRecord) -> list[str]:
    """What each seat is called: BTN, the blinds, CO and HJ before the button, UTG first, MP between."""
    rules, players = record.rules, record.players
    if rules.bring_in:
        return ["-"] * players
    button = record.button % players
    left = [(button + 1 + step) % players for step in range(players - 1)]  # all but the button
    names = {button: "BTN"}
    if players == 2 and rules.heads_up_button_blind:
        blinds = ["BB"] if len(rules.blinds) > 1 else []
    else:
        blinds = {0: [], 1: ["BB"]}.get(len(rules.blinds), ["SB", "BB"])
        dead = record.posts[left[0]] >= rules.big_blind and len(left) > 1 and record.posts[left[1]] == 0
        if len(blinds) == 2 and dead:
            blinds = ["BB"]
    for name in blinds[: len(left)]:
        names[left.pop(0)] = name
    for name in ("CO", "HJ"):
        if left and (name == "CO" or len(left) >= 3):
            names[left.pop()] = name
    early = (len(left) + 1) // 2
    for step, seat in enumerate(left):
        name, place = ("UTG", step) if step < early else ("MP", step - early)
        names[seat] = f"{name}+{place}" if place else name
    return [names[seat] for seat in range(players)]


def recount(records: list[HandRecord]) -> Counter[Key]:
    """All counts that are not zero, of hands whose seats have names."""
    total: Counter[Key] = Counter()
    for record in records:
        told = tell(record)
        for d in told.decisions:
            where = (told.positions[d.seat], d.round, "in" if d.in_position else "out")
            for indicator, num, den in _of_decision(told, d):
                _add(total, record.names[d.seat], indicator, where, num, den)
        for seat, name in enumerate(record.names):
            own = [d for d in told.decisions if d.seat == seat]
            first = next((d.in_position for d in own if d.round == 0), False)
            last = own[-1].in_position if own else False
            for indicator, inside, num in _of_hand(told, seat, first, last):
                _add(total, name, indicator, (told.positions[seat], 0, "in" if inside else "out"), num, True)
    return +total


def _add(total: Counter[Key], name: str, indicator: str, where: tuple[str, int, str], num: bool, den: bool) -> None:
    total[name, indicator, *where, "num"] += num
    total[name, indicator, *where, "den"] += den


def _of_decision(told: Told, d: Decision):
    """Indicators that a decision is a chance for: name, whether it counts above the line, and below it."""
    raises, did = told.raises(d), d.did
    folded, called, raised = did == "fold", did == "call", did == "raise"
    if d.round == 0:
        if told.unopened(d) and d.could_raise:
            yield "rfi", raised, True
        if not raises and d.to_call:
            yield "limp", called, True
        if len(raises) == 1 and d.could_raise:
            yield "three_bet", raised, True
        if len(raises) == 2 and raises[0].seat == d.seat:
            yield "fold_to_three_bet", folded, True
        if len(raises) == 2 and d.could_raise:
            yield "four_bet", raised, True
        if len(raises) == 3 and raises[1].seat == d.seat:
            yield "fold_to_four_bet", folded, True
        if told.is_steal(d):
            yield "steal", raised, True
        if told.positions[d.seat] in ("SB", "BB") and len(raises) == 1 and told.is_steal(raises[0]):
            since = takewhile(lambda other: other.number > raises[0].number, reversed(told.before(d)))
            if not any(other.did == "call" for other in since):
                yield "fold_to_steal", folded, True
        yield "pfr_d", raised, called or folded
    else:
        if told.is_cbet_chance(d):
            yield "cbet", raised, True
        if len(raises) == 1 and told.is_cbet_chance(raises[0]):
            yield "fold_to_cbet", folded, True
        if not raises and d.could_raise and told.waits_for_aggressor(d):
            yield "donk_bet", raised, True
        yield "af", raised, called
        yield "afq", raised, raised or called or folded
        if d.round == 1:
            yield "af_d", raised, called
    if told.checked(d):
        yield "check_fold", folded, True
        if d.could_raise:
            yield "check_raise", raised, True
    if raises:
        yield "fold_to_bet", folded, True


def _of_hand(told: Told, seat: int, first: bool, last: bool):
    """Indicators that count once a hand: name, whether in position, whether it was so."""
    own = [d for d in told.decisions if d.seat == seat and d.round == 0]
    put_in = any(d.did in ("call", "raise") for d in own)
    yield "vpip_d", first, put_in
    if any(d.to_call > 0 or d.could_raise for d in own):
        yield "vpip", first, put_in
        yield "pfr", first, any(d.did == "raise" for d in own)
    if told.saw_second(seat):
        yield "wtsd", last, seat in told.hand.showdown
        yield "wwsf", last, told.won(seat)
    if seat in told.hand.showdown:
        yield "wsd", last, told.won(seat)
