"""One decision of an agent with all that can be said about it."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from felt.agents.adapters import as_agent
from felt.agents.api import check_or_fold
from felt.agents.dice import Dice
from felt.errors import FeltError, printable
from felt.games import Action, Hand, Move
from felt.games.amounts import in_unit
from felt.games.views.view import View
from felt.odds.state.at_state import price_at
from felt.server.agents.asking import ask_agent, dismiss
from felt.server.study.replays import equity_told, shares
from felt.server.tables.viewer_state import cards_told, move_words
from felt.server.web.schemas.decide import Decided, Likely, MoveTold, Reasons, Worth

MOST_WORDS = 1000
"""Letters of an agent's explanation that are passed on."""


class Thought(NamedTuple):
    """What an agent made of a view."""

    action: Action
    probabilities: Mapping[Action, float] | None
    values: Mapping[Action, float] | None
    seconds: float
    why: str = ""
    """What the agent says about it."""


def think(made: Any, view: View, seed: int, patience: float) -> Thought:
    """Have an agent decide, who is not needed again; agents from elsewhere need not say more than that."""
    agent = as_agent(made)
    agent.dice = Dice(seed)
    agent.dice.begin(0)
    began = time.perf_counter()
    try:
        action = ask_agent(agent, view, patience)
        seconds = time.perf_counter() - began
    finally:
        dismiss(agent)
    agent.dice.begin(0)
    explanation = agent.explain(view)
    why = "" if explanation is None else printable(str(explanation.words)[:MOST_WORDS])
    return Thought(action, agent.probabilities(view), agent.values(view), seconds, why)


def checked(hand: Hand, thought: Thought | None, fault: str) -> tuple[Action, str | None]:
    """The agent's move; or the rule's, check or else fold, and why it steps in."""
    if thought is not None:
        try:
            hand.copy().act(thought.action)
            return thought.action, None
        except FeltError as error:
            fault = f"made a move that is not allowed ({error})"
    return check_or_fold(hand.view(hand.turn)), fault


def decided(hand: Hand, thought: Thought | None, fault: str, seconds: float) -> Decided:
    """The whole answer."""
    seen = hand.view(hand.turn)
    action, fallback = checked(hand, thought, fault)
    chances = thought.probabilities if thought is not None and fallback is None else None
    return Decided(
        seat=seen.seat,
        action=MoveTold(**move_told(seen, action)),
        probabilities=None
        if chances is None
        else [
            Likely(**move_told(seen, move), probability=round(chance, 6))
            for move, chance in sorted(chances.items(), key=lambda pair: -pair[1])
            if chance > 0
        ],
        reasons=_reasons(hand, seen, thought if fallback is None else None),
        seconds=round(thought.seconds if thought is not None else seconds, 6),
        fallback=fallback,
    )


def move_told(seen: View, action: Action) -> dict[str, Any]:
    """A move as answers have it."""
    legal = seen.legal
    assert legal is not None
    me, opened = seen.seats[seen.seat], max(seen.bets) > 0
    paid = action.amount - me.bet if action.move == Move.RAISE else legal.call if action.move == Move.CALL else 0
    words = move_words(action, legal, opened=opened, all_in=bool(paid) and paid == me.stack, unit=seen.rules.unit)
    name, cards = action.move.name.lower(), cards_told(tuple(action.cards))
    return {"move": name, "amount": int(action.amount), "cards": cards, "words": words}


def _reasons(hand: Hand, seen: View, thought: Thought | None) -> Reasons:
    """What the agent says, then the price and the equity."""
    values = None if thought is None else thought.values
    price, equity = price_at(hand, seen.seat), equity_told(hand, seen.seat)
    evs = None if values is None else [
        Worth(**move_told(seen, move), chips=round(float(chips), 4)) for move, chips in values.items()
    ]  # fmt: skip
    reasons = [thought.why] if thought is not None and thought.why else []
    if price.price:
        cost, pot = (in_unit(chips, hand.rules.unit, grouped=False) for chips in (price.price, price.pot))
        reasons.append(f"To call costs {cost} for a pot of {pot}, which needs {price.required:.0%} equity.")
    if equity.equity is not None:
        reasons.append(f"The hand has {equity.equity:.0%}, {equity.note}.")
    return Reasons(
        equity=equity.equity,
        equity_interval=equity.interval,
        **shares(price),
        ev=evs,
        text=" ".join(reasons) or "Nothing has to be paid.",
    )
