"""What is on the table before the first card: stacks, antes, blinds and the button, checked. And snapshots, which carry
that with the record of a hand.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.amounts import in_unit
from felt.games.engine.compiled import Compiled, fingerprint_of
from felt.games.engine.record import SIZES, VERSION, read_record
from felt.games.rules import MAX_BOARD, MAX_CARDS, MAX_CHIPS, MAX_PLAYERS, GameRules

MOST_KEPT = 512
"""Set-ups of a game that are remembered: most hands begin like the one before."""


class Stakes(NamedTuple):
    """What was on the table before the first card, by seat."""

    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    posts: tuple[int, ...]
    dead_antes: bool


class Setup(NamedTuple):
    """How a hand begins, in the form that the kernels take."""

    stakes: Stakes
    button: int
    amounts: NDArray[np.int64]
    """Stacks, antes and posts."""
    missing: int
    """What dead blinds lack."""


class Asked(NamedTuple):
    """A beginning as `Hand.new` is asked for it, amounts as tuples."""

    stacks: tuple[int, ...] | int | None
    players: int | None
    button: int
    antes: tuple[int, ...] | None
    posts: tuple[int, ...] | None
    dead_antes: bool | None


def set_up(compiled: Compiled, asked: Asked) -> Setup:
    """The beginning of a hand, checked once for all hands that begin alike."""
    setup: Setup | None = compiled.setups.get(asked)
    if setup is None:
        setup = _checked(compiled.rules, asked)
        if len(compiled.setups) >= MOST_KEPT:
            compiled.setups.clear()
        compiled.setups[asked] = setup
    return setup


def plain(amounts: Sequence[int] | int | None) -> Any:
    """Amounts by seat as a tuple; anything else as it is."""
    return tuple(amounts) if isinstance(amounts, Iterable) else amounts


def _checked(rules: GameRules, asked: Asked) -> Setup:
    chips = _stacks(rules, asked.stacks, asked.players)
    count, button = len(chips), asked.button
    if button < -1 or button >= count:
        raise FeltError(f"button={button}: seats are 0 to {count - 1}, or -1 for the last")
    place = button % count
    antes, posts = _forced(rules, count, place)
    if asked.antes is not None:
        antes = _amounts("antes", asked.antes, count, rules.unit)
    if asked.posts is not None:
        posts = _amounts("posts", asked.posts, count, rules.unit)
    dead_antes = rules.big_blind_ante > 0 if asked.dead_antes is None else asked.dead_antes
    stakes = Stakes(chips, antes, posts, dead_antes)
    missing = max(0, sum(rules.blinds[:count]) - sum(stakes.posts))
    return Setup(stakes, place, np.array(stakes[:3], dtype=np.int64), missing)


def _stacks(rules: GameRules, stacks: Sequence[int] | int | None, players: int | None) -> tuple[int, ...]:
    if stacks is None:
        stacks = rules.stack or 100 * rules.big_blind
    count = rules.min_players if players is None else players
    if not isinstance(stacks, Iterable):
        if not rules.min_players <= count <= rules.max_players:
            raise FeltError(f"{rules.name} is for {rules.seats_text}, not {count}{_remedy(rules, count)}")
        stacks = [stacks] * count
    chips = _whole_numbers("stacks", stacks)
    if players is not None and players != len(chips):
        raise FeltError(f"{len(chips)} stacks were given for {players} players: leave one of the two out")
    if not rules.min_players <= len(chips) <= rules.max_players:
        remedy = _remedy(rules, len(chips))
        raise FeltError(f"{rules.name} is for {rules.seats_text}; {len(chips)} stacks were given{remedy}")
    if min(chips) < 1 or sum(chips) > MAX_CHIPS:
        shown, (least, most) = _in_units(chips, rules.unit), (in_unit(bound, rules.unit) for bound in (1, MAX_CHIPS))
        raise FeltError(f"stacks {shown}: each must be {least} or more, all together {most} at most")
    _check_deck(rules, len(chips))
    return chips


def _remedy(rules: GameRules, players: int) -> str:
    """How to get a game for so many players, where their number is one of its parameters."""
    from felt.games.catalogue import has_players  # only mistakes need it

    return f": load({rules.name!r}, players={players}) is" if has_players(rules.name) and players > 1 else ""


def _check_deck(rules: GameRules, players: int) -> None:
    """Refuse more players than the deck can serve. Later than the first deal one card for all will do for one each,
    unless players are still to turn up cards of their own.
    """
    left = len(rules.deck)
    if players * MAX_CARDS + MAX_BOARD <= left:
        return
    for number, part in enumerate(rules.rounds):
        each = part.down + part.up
        turned = any(later.rolls for later in rules.rounds[number:])
        shared = number > 0 and each == 1 and 1 <= left < players and rules.board_cards < MAX_BOARD and not turned
        left -= (1 if shared else players * each) + part.board
    if left < 0:
        raise FeltError(
            f"{rules.name}: {players} players need {len(rules.deck) - left} cards and the deck has {len(rules.deck)}"
        )


def _in_units(chips: Sequence[int], unit: float) -> str:
    return str(list(chips)) if unit == 1 else f"[{', '.join(in_unit(amount, unit) for amount in chips)}]"


def _amounts(name: str, amounts: Sequence[int], count: int, unit: float) -> tuple[int, ...]:
    chips = _whole_numbers(name, amounts)
    if len(chips) != count or min(chips) < 0 or sum(chips) > MAX_CHIPS:
        raise FeltError(f"{name} {_in_units(chips, unit)}: give {count} amounts of 0 or more, one for each seat")
    return chips


def _whole_numbers(name: str, amounts: Iterable[int]) -> tuple[int, ...]:
    chips = tuple(amounts)
    try:
        return tuple(map(index, chips))
    except TypeError:
        raise FeltError(f"{name} {list(chips)}: chips are whole numbers; scale the amounts") from None


def _forced(rules: GameRules, count: int, button: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Antes and blinds by seat: left of the button in turn; heads-up the button posts the first blind (TDA 34)."""
    first = button + (0 if count == 2 and rules.heads_up_button_blind else 1)
    antes, posts = [rules.ante] * count, [0] * count
    antes[(first + 1) % count] += rules.big_blind_ante
    for number, blind in enumerate(rules.blinds[:count]):
        posts[(first + number) % count] = blind
    return tuple(antes), tuple(posts)


CHECK, HEAD = 8, 3 + 8
"""Bytes of the check sum, and of version, players, whether antes are dead and the game's fingerprint; then come the
amounts, 12 bytes a player."""


def pack(compiled: Compiled, stakes: Stakes, record: NDArray[np.uint8]) -> bytes:
    """The snapshot of a hand: check sum, head, starting stacks, antes, posts, and the record."""
    amounts = np.array(stakes[:3], dtype="<i4").tobytes()
    head = bytes([VERSION, len(stakes.stacks), stakes.dead_antes]) + compiled.fingerprint
    body = head + amounts + record.tobytes()
    return hashlib.sha256(body).digest()[:CHECK] + body


def unpack(compiled: Compiled, snapshot: bytes) -> tuple[Stakes, NDArray[np.uint8]]:
    """What a snapshot holds; one that is damaged, of an unknown version or of another game is refused."""
    check, body = snapshot[:CHECK], snapshot[CHECK:]
    if not body or hashlib.sha256(body).digest()[:CHECK] != check:
        raise FeltError(f"a snapshot of {len(snapshot)} bytes is damaged: its check sum does not fit")
    version = body[0]
    if version not in SIZES:
        raise FeltError(f"a snapshot of version {version} cannot be read by version {VERSION} of the engine")
    cut = HEAD + 12 * body[1] if len(body) > HEAD else 0
    rules, fingerprint = compiled.rules, body[3:HEAD]
    same_game = fingerprint == compiled.fingerprint or any(  # for how many others it is has no bearing on a dealt hand
        fingerprint == fingerprint_of(replace(rules, max_players=most))
        for most in range(rules.min_players, MAX_PLAYERS + 1)
    )
    if not same_game or len(body) != cut + SIZES[version]:
        raise FeltError(f"a snapshot of {len(snapshot)} bytes is of another game than {compiled.rules.name} here")
    stacks, antes, posts = np.frombuffer(body[HEAD:cut], dtype="<i4").reshape(3, body[1]).tolist()
    stakes = Stakes(tuple(stacks), tuple(antes), tuple(posts), bool(body[2]))
    return stakes, read_record(body[cut:], version)
