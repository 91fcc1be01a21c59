"""Moves as people type them: by letters or whole words, in small letters or capitals."""

import re

from felt.cards.card import parse_cards
from felt.errors import FeltError
from felt.games.actions import Action, Legal
from felt.games.amounts import from_unit, in_unit
from felt.games.moves import Move
from felt.games.views.view import View

_CARD = r"(?:10|[2-9tjqka])[cdhs♣♦♥♠]|jk|🃏"
_FOLD = re.compile(r"f|folds?", re.IGNORECASE)
_CALL = re.compile(r"(?:c|calls?|brings? (?:it )?in(?: for)?)(?![a-z])\s*(?P<chips>.*)", re.IGNORECASE)
_CHECK = re.compile(r"k|x|checks?", re.IGNORECASE)
_ALL_IN = re.compile(r"a|all|all[ -]?in", re.IGNORECASE)
_RAISE = re.compile(r"(?:raises?|bets?|completes?|r|b)(?![a-z])\s*(?:to(?![a-z]))?\s*(?P<total>.*)", re.IGNORECASE)
_AND_ALL_IN = re.compile(r"\s+and is all[ -]?in", re.IGNORECASE)
"""Said of a move that takes all one has: the move says so already."""
_PAT = re.compile(r"pat|stands?|stands? pat", re.IGNORECASE)
_EXCHANGE = re.compile(
    r"(?P<verb>draws?|discards?|pass(?:es)?|rolls?|turns? up|exchanges?|d|p)(?![^\s,])[\s,]*(?P<cards>.*)"
    rf"|[dp](?P<joined>(?:{_CARD}).*)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"([0-9]{1,2})(?:\s+cards?)?", re.IGNORECASE)


def read_move(typed: str, seen: View, *, hint: str = "") -> Action:
    """The move that was typed by the player whose turn it is; it may still be against the rules.

    `hint` says what else can be typed, where that is told to people who typed no move.

    >>> from felt.games import Hand, load
    >>> seen = Hand.new(load("nlhe"), 200, players=2).view(1)
    >>> read_move("Raise to 8", seen).amount, read_move("all in", seen).amount
    (8, 200)

    What is said of somebody's move is understood, too:

    >>> read_move("raises to 200 and is all in", seen).amount
    200
    """
    legal, unit = seen.legal or Legal(), seen.rules.unit
    typed = _AND_ALL_IN.sub("", typed)
    if _FOLD.fullmatch(typed):
        return Action(Move.FOLD)
    if (called := _CALL.fullmatch(typed)) and (not called["chips"] or from_unit(called["chips"], unit) == legal.call):
        return Action(Move.CALL)
    if _CHECK.fullmatch(typed) or (not typed and legal.call == 0):
        if legal.call:
            costs = f"it costs {in_unit(legal.call, unit)} to call"
            raise FeltError(f"{typed!r}: {costs}; legal now: {legal.describe(unit)}")
        return Action(Move.CALL)
    if _ALL_IN.fullmatch(typed):
        return _all_in(typed, seen, legal)
    if raised := _RAISE.fullmatch(typed):
        everything = _ALL_IN.fullmatch(raised["total"])
        return _all_in(typed, seen, legal) if everything else Action(Move.RAISE, _total(raised["total"], legal, unit))
    if _PAT.fullmatch(typed) or (not typed and legal.exchange and legal.exchange[1] == 0):
        return Action(Move.EXCHANGE)
    if exchanged := _EXCHANGE.fullmatch(typed):
        _check_verb(exchanged["verb"] or "", legal)
        return Action(Move.EXCHANGE, cards=parse_cards(exchanged["joined"] or exchanged["cards"] or ""))
    shown = f"{typed!r} is no move" if typed else "nothing was typed"
    raise FeltError(f"{shown}{hint and ': '}{hint}; legal now: {legal.describe(unit)}")


def read_count(typed: str, legal: Legal) -> int | None:
    """How many cards are exchanged, where only that is said ("draw 2", "passes 3 cards"); None for other moves.

    >>> read_count("draws 2 cards", Legal(exchange=("draw", 0, 5)))
    2
    """
    exchanged = _EXCHANGE.fullmatch(typed)
    counted = exchanged and _COUNT.fullmatch(exchanged["cards"] or "")
    if not (exchanged and counted and legal.exchange):
        return None
    _check_verb(exchanged["verb"] or "", legal)
    return int(counted[1])


def _all_in(typed: str, seen: View, legal: Legal) -> Action:
    """All that one has: by a raise, or by a call where that takes all."""
    own, unit = seen.seats[seen.seat], seen.rules.unit
    if legal.raise_to and legal.raise_to[1] == own.bet + own.stack:
        return Action(Move.RAISE, legal.raise_to[1])
    if legal.call == own.stack:
        return Action(Move.CALL)
    raise FeltError(f"{typed!r}: you cannot bet all {in_unit(own.stack, unit)} now; legal now: {legal.describe(unit)}")


def _total(text: str, legal: Legal, unit: float) -> int:
    """The total of a raise; it need not be said where there is but one."""
    least, most = legal.raise_to or (0, 0)
    if not text and least == most > 0:
        return least
    total = from_unit(text, unit)
    if total is None:
        shown = f"{text!r} is no amount" if text else "no amount was typed"
        example = in_unit(least, unit) if least else "40"
        raise FeltError(f"{shown}: type r and the total, like r {example}; legal now: {legal.describe(unit)}")
    return total


def _check_verb(verb: str, legal: Legal) -> None:
    meant = verb.lower().replace("turn", "roll")
    if legal.exchange and len(verb) > 1 and not meant.startswith((legal.exchange[0], "exchange")):
        raise FeltError(f"{verb!r} is not what is asked for; legal now: {legal}")
