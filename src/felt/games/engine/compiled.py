"""Rules as the numbers that the kernels run."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import is_joker
from felt.cards.ranking.evaluator import Tables, badugi_table, tables
from felt.cards.ranking.wild import wild_bits
from felt.games.engine import fields
from felt.games.rules import First, GameRules, Structure
from felt.games.scoring.formulas import ScoringArrays, compile_scoring

_NO_BETTING = {"structure": fields.NO_BETTING, "bet": 0, "most": 0, "max_raises": 0}
_CODES = {code: getattr(fields, code.name) for code in (*Structure, *First)}


@dataclass(frozen=True, eq=False)
class Compiled:
    """What a kernel needs to know about a game."""

    rules: GameRules
    game: NDArray[np.int64]
    """As `felt.games.engine.fields` has it."""
    tables: tuple[Tables, Tables]
    """Of the first and second kind that share the pot."""
    extra: tuple[NDArray[np.uint16], np.uint64, ScoringArrays]
    """Values of badugi hands, the set of wild cards, the scoring by formulas."""
    shown: tuple[Tables, Tables]
    """Of cards that are face up, high and low, for who acts first."""
    deck: NDArray[np.uint8]
    """The cards in the deck's own order."""
    plain: bool
    """Whether cards only ever come, and face down or to the board: none is exchanged or shown."""
    rolls: bool
    """Whether players turn up cards of their choice, which are then sorted: those face down first."""
    fingerprint: bytes
    """Eight bytes by which a snapshot knows its game."""
    setups: dict[object, Any] = field(default_factory=dict)
    """Beginnings of hands that were checked: `felt.games.engine.stakes`."""


_latest: list[tuple[GameRules, Compiled]] = []


def compile_rules(rules: GameRules) -> Compiled:
    """The numbers of a game; the same object for equal rules."""
    known, compiled = _latest[0] if _latest else (None, None)
    if known is rules and compiled is not None:  # hashing rules takes longer than a move
        return compiled
    compiled = _compile(rules)
    _latest[:] = [(rules, compiled)]
    return compiled


@lru_cache(maxsize=256)
def _compile(rules: GameRules) -> Compiled:
    game = np.zeros((fields.GAME_ROWS, fields.GAME_COLUMNS), dtype=np.int64)
    for column, part in enumerate(rules.rounds):
        numbers = vars(part) | (vars(part.betting) if part.betting else _NO_BETTING)
        values = (numbers[name] for name in fields.ROUND_FIELDS)
        game[: len(fields.ROUND_FIELDS), column] = [_CODES.get(value, value) for value in values]
    shown, rake = rules.showdown, rules.rake
    for column, kind in enumerate(shown.kinds):
        game[fields.METHOD, column] = _method(rules, kind)
        game[fields.ACE_LOW, column] = kind.startswith(("low-a5", "low-8"))
        game[fields.HOLE_EXACTLY, column] = shown.hole_exactly
    scalars = {
        "rounds": len(rules.rounds),
        "bring_in": rules.bring_in,
        "blinds": len(rules.blinds),
        "size": shown.size,
        "kinds": len(shown.kinds),
        "odd_by_suit": rules.shows_cards,
        "rake_millionths": round(rake.share * 1_000_000),
        "rake_cap": rake.cap,
        "rake_from": rules.raked_from,
        "wild": sum(1 << card for card in shown.wild) | shown.bug << fields.BUG,
    }
    game[fields.SCALARS, : len(scalars)] = [scalars[name] for name in fields.GAME_FIELDS]
    game.flags.writeable = False
    first, second = (tables("high" if kind == "badugi" else kind) for kind in (shown.kinds[0], shown.kinds[-1]))
    natural = wild_bits((card for card in shown.wild if not is_joker(card)), bug=shown.bug)
    return Compiled(
        rules=rules,
        game=game,
        tables=(first, second),
        extra=(badugi_table(), natural, compile_scoring(shown)),
        shown=(tables("high"), tables("low-a5")),
        deck=np.array(rules.deck.cards, dtype=np.uint8),
        plain=not rules.has_draws and not rules.shows_cards,
        rolls=any(part.rolls for part in rules.rounds),
        fingerprint=fingerprint_of(rules),
    )


def fingerprint_of(rules: GameRules) -> bytes:
    """Eight bytes of everything that the rules say, but for names and descriptions."""
    text = repr(replace(rules, name="game", title="", description=""))
    if rules.showdown.bug:  # what 0.1 could not say is added, so that the games of its snapshots are known by the same
        text += "bug"
    if any(part.rolls for part in rules.rounds):
        text += f"rolls {[part.rolls for part in rules.rounds]}"
    return hashlib.sha256(text.encode()).digest()[:8]


def _method(rules: GameRules, kind: str) -> int:
    if rules.showdown.scoring:
        return fields.FORMULAS
    if rules.showdown.wild and kind == "high":
        return fields.WILD
    return {"low-27": fields.LOW_27, "badugi": fields.BADUGI}.get(kind, fields.PLAIN)
