"""What is on the table before the first card: stacks, antes, blinds and the button, checked."""

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.amounts import in_unit
from felt.games.engine.compiled import Compiled
from felt.games.rules import MAX_BOARD, MAX_CARDS, MAX_CHIPS, GameRules

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
    stakes = Stakes(
        stacks=chips,
        antes=_antes(rules, count, place) if asked.antes is None else _amounts("antes", asked.antes, count, rules.unit),
        posts=_posts(rules, count, place) if asked.posts is None else _amounts("posts", asked.posts, count, rules.unit),
        dead_antes=rules.big_blind_ante > 0 if asked.dead_antes is None else asked.dead_antes,
    )
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


def _antes(rules: GameRules, count: int, button: int) -> tuple[int, ...]:
    antes = [rules.ante] * count
    if rules.big_blind_ante:
        antes[_blind_seat(rules, 1, count, button)] += rules.big_blind_ante
    return tuple(antes)


def _posts(rules: GameRules, count: int, button: int) -> tuple[int, ...]:
    posts = [0] * count
    for number, blind in enumerate(rules.blinds[:count]):
        posts[_blind_seat(rules, number, count, button)] = blind
    return tuple(posts)


def _blind_seat(rules: GameRules, number: int, count: int, button: int) -> int:
    """The seat of a blind: left of the button in turn; heads-up the button posts the first (TDA 34)."""
    ahead = 0 if count == 2 and rules.heads_up_button_blind else 1
    return (button + ahead + number) % count
