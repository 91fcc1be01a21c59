"""What to ask so that every kernel of this room is compiled: see `felt._warm`."""

from collections.abc import Callable

import numpy as np

from felt.games import GameRules, Hand, load
from felt.games.engine.batch import HandBatch
from felt.games.views.facts import trace
from felt.odds.equity.calculate import equity
from felt.odds.state.allin import adjusted_payoffs
from felt.odds.state.at_state import at_state
from felt.odds.state.from_view import expected_strength, sensible_exchange
from felt.odds.strength.calculate import strength
from felt.odds.strength.lookup import expected_hs_batch


def steps() -> dict[str, Callable[[], object]]:
    """Questions by name, small ones, that reach every kernel."""
    return {
        "two ranges": lambda: equity(["AA:0.5", "KK"], board="2c7d9h"),  # weighted: few plain hands need no kernel
        "three hands": lambda: equity(["AsAd", "KsKd", "QsQd"], board="2c7d9h", exact=True),
        "sampled hands": lambda: equity(["AA", "random"], samples=10),
        "Omaha": lambda: equity(["AsAdKsKd", "QsQdJsJd"], board="2c7d9h", game="omaha", exact=True),
        "sampled stud": lambda: equity(["AsAd", "KsKd"], game="stud", samples=10),
        "sampled badugi": lambda: equity(["As2d", "3s4d"], game="badugi", samples=10),
        "hand strength": lambda: strength("AsAd", "2c7d9h"),
        "hand strength by ranks": lambda: expected_hs_batch(np.array([[51, 50]]), np.array([[0, 17, 34, 9, 2]])),
        "hand strength by look-up": lambda: expected_hs_batch(np.array([[51, 50]]), np.array([[0, 17, 34]])),
        "all in": lambda: _all_in(load("plo")),
        # last: by now the room of games, which compiles beside this one, has most of what it needs
        "a state in play": lambda: at_state(Hand.new(load("five-card-draw")), samples=1),
        "a view of Omaha": lambda: expected_strength(Hand.new(load("plo")).view(0), samples=1),
        "a view of a draw": lambda: expected_strength(Hand.new(load("five-card-draw")).view(0), samples=1),
        "an exchange": _exchange,
    }


def _all_in(rules: GameRules) -> object:
    """Two players all in on the flop."""
    batch = HandBatch(rules, 1, stack=rules.big_blind)
    facts = trace(rules, *batch.arrays, batch.stacks, np.ones(1, dtype=np.int64), np.ones(1, dtype=np.int64))
    return adjusted_payoffs(facts, np.zeros(1, dtype=np.int64))


def _exchange() -> object:
    hand = Hand.new(load("five-card-draw"))
    while not hand.legal().exchange:
        hand.call()
    return sensible_exchange(hand.view(hand.turn))
