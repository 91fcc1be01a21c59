"""Other libraries behind one face each. Those that are not installed are left out.

Cards are converted before anything is timed: each library gets its own cards, as a program that uses it would
hold them, and the quickest of its public functions.
"""

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards import format_card, format_cards, parse_cards
from felt.cards.combos import COMBO_CARDS

Hands = NDArray[np.integer[Any]]
Ranker = Callable[[], list[int]]
"""Ranks hands that were prepared before; one call a hand."""

RANDOM = "random"


def installed(name: str) -> bool:
    return find_spec(name) is not None


def names(hands: Hands) -> list[list[str]]:
    return [[format_card(int(card)) for card in hand] for hand in hands]


def eval7_rankers(hands: Hands) -> Ranker:
    """eval7.evaluate: higher is better."""
    import eval7

    deck = {name: eval7.Card(name) for name in map(format_card, range(52))}
    return _one_by_one(eval7.evaluate, [[deck[name] for name in hand] for hand in names(hands)])


def phevaluator_rankers(hands: Hands) -> Ranker:
    """phevaluator's function for this many cards, given card numbers (the same as ours): lower is better."""
    evaluator = import_module("phevaluator.evaluator")  # its package cannot be asked for it by `from`
    function = getattr(evaluator, f"evaluate_{hands.shape[1]}cards")
    return _one_by_one_spread(function, [tuple(hand) for hand in hands.tolist()])


def phevaluator_core_rankers(hands: Hands) -> Ranker:
    """The C function inside phevaluator, past its public door: lower is better."""
    function = getattr(import_module("phevaluator._pheval"), f"evaluate_{hands.shape[1]}cards")
    return _one_by_one_spread(function, [tuple(hand) for hand in hands.tolist()])


def phevaluator_omaha_rankers(holes: Hands, boards: Hands) -> Ranker:
    """phevaluator's Omaha function: five board cards, then four hole cards; lower is better."""
    from phevaluator.evaluator_omaha import evaluate_omaha_cards

    return _one_by_one_spread(evaluate_omaha_cards, [tuple(hand) for hand in np.hstack([boards, holes]).tolist()])


def treys_rankers(hands: Hands) -> Ranker:
    """treys' Evaluator.evaluate: lower is better."""
    from treys import Card, Evaluator

    deck = [Card.new(format_card(card)) for card in range(52)]
    ready = [([deck[card] for card in hand[:2]], [deck[card] for card in hand[2:]]) for hand in hands.tolist()]
    return _one_by_one_spread(Evaluator().evaluate, ready)


def pokerkit_rankers(hands: Hands) -> Ranker:
    """PokerKit's StandardHighHand: hands that compare by themselves, here by the index of their entry."""
    from pokerkit import Card, StandardHighHand

    ready = [(tuple(Card.parse(format_cards(hand[:2]))), tuple(Card.parse(format_cards(hand[2:])))) for hand in hands]

    def call() -> list[int]:
        return [StandardHighHand.from_game(hole, board).entry.index for hole, board in ready]

    return call


def _one_by_one(function: Callable[[Any], int], hands: Sequence[Any]) -> Ranker:
    return lambda: [function(hand) for hand in hands]


def _one_by_one_spread(function: Callable[..., int], hands: Sequence[Any]) -> Ranker:
    return lambda: [function(*hand) for hand in hands]


RANKERS: dict[str, tuple[str, Callable[[Hands], Ranker], int]] = {
    "eval7": ("eval7", eval7_rankers, 1),
    "phevaluator": ("phevaluator", phevaluator_rankers, -1),
    "phevaluator's C function": ("phevaluator", phevaluator_core_rankers, -1),
    "treys": ("treys", treys_rankers, -1),
    "PokerKit": ("pokerkit", pokerkit_rankers, 1),
}
"""By the name shown: the package, what prepares the hands, and 1 where higher is better."""


def rankers() -> dict[str, tuple[Callable[[Hands], Ranker], int]]:
    """Those of `RANKERS` that are installed."""
    return {name: (make, sign) for name, (package, make, sign) in RANKERS.items() if installed(package)}


def same_order(ours: NDArray[np.integer[Any]], theirs: list[int], sign: int) -> bool:
    """Whether two rankings agree: the same hands tie, and the rest come in the same order."""
    other = sign * np.asarray(theirs, dtype=np.int64)
    order = np.argsort(other, kind="stable")
    mine, other = ours[order].astype(np.int64), other[order]
    return bool(np.array_equal(np.sign(np.diff(mine)), np.sign(np.diff(other))))


def eval7_equity(hand: str, villain: str, board: str, deals: int) -> Callable[[], float]:
    """eval7's Monte Carlo of a hand against a range, its range read beforehand."""
    import eval7

    hero, known, there = _eval7_cards(hand), _eval7_cards(board), eval7.HandRange(_spelled(villain))
    return lambda: float(eval7.py_hand_vs_range_monte_carlo(tuple(hero), there, known, deals))


def eval7_ranges(hero: str, villain: str, board: str, deals: int) -> Callable[[], float]:
    """eval7's Monte Carlo of each hand of a range against a range, `deals` for each hand; the plain mean."""
    import eval7

    ranges = [eval7.HandRange(_spelled(text)) for text in (hero, villain)]
    known = _eval7_cards(board)

    def call() -> float:
        found = eval7.py_all_hands_vs_range(*ranges, known, deals)
        return float(sum(found.values()) / len(found))

    return call


def _eval7_cards(text: str) -> list[Any]:
    import eval7

    return [eval7.Card(format_card(card)) for card in parse_cards(text)]


def _spelled(text: str) -> str:
    """eval7 has no word for every hand."""
    if text != RANDOM:
        return text
    ranks = "AKQJT98765432"
    return ",".join(["22+", *(f"{r}2s+,{r}2o+" for r in ranks[:-2]), "32s", "32o"])


def pokerkit_equity(hands: Sequence[str], board: str, deals: int) -> Callable[[], float]:
    """PokerKit's calculate_equities, its ranges read beforehand; the first player's equity."""
    from pokerkit import Card, Deck, StandardHighHand, calculate_equities, parse_range

    everything = [frozenset(Card.parse(format_cards(combo))) for combo in COMBO_CARDS]
    ranges = [everything if text == RANDOM else list(parse_range(text)) for text in hands]
    known = tuple(Card.parse(board))

    def call() -> float:
        found = calculate_equities(ranges, known, 2, 5, Deck.STANDARD, (StandardHighHand,), sample_count=deals)
        return float(found[0])

    return call


ENGINES = {"OpenSpiel": "pyspiel", "PokerKit": "pokerkit", "RLCard": "rlcard"}
"""Engines that play whole hands, and the modules they are."""

Player = tuple[Callable[[], object], float]
"""Plays a number of random hands at each call, of so many moves on average."""


def _openspiel_game(stack: int) -> Any:
    import pyspiel

    return pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
        f"numHoleCards=2,numBoardCards=0 3 1 1,stack={stack} {stack},bettingAbstraction=fullgame)"
    )


def _openspiel_hand(state: Any, dice: random.Random, by_kind: bool = True) -> int:
    """Play a hand to its end: by kind first, or any action alike. 0 is to fold, 1 to call, more a raise to so much."""
    moves = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        if state.is_chance_node() or not by_kind:
            moves += not state.is_chance_node()
            state.apply_action(dice.choice(actions))
            continue
        moves += 1
        few = 1 if actions[0] == 1 else 2
        pick = dice.randrange(few + (len(actions) > few))
        state.apply_action(actions[pick] if pick < few else dice.choice(actions[few:]))
    assert sum(state.returns()) == 0
    return moves


def openspiel_hands(hands: int, stack: int) -> Player:
    """OpenSpiel's universal_poker, driven from Python."""
    game, dice = _openspiel_game(stack), random.Random(1)

    def call() -> int:
        return sum(_openspiel_hand(game.new_initial_state(), dice) for _ in range(hands))

    return call, call() / hands


def openspiel_rollouts(hands: int, stack: int) -> Player:
    """Its own random rollouts, as its tree search makes them to value one state: Python is not in the loop."""
    import pyspiel

    game, dice = _openspiel_game(stack), random.Random(1)
    dealt = game.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(dice.choice(dealt.legal_actions()))
    moves = sum(_openspiel_hand(dealt.clone(), dice, by_kind=False) for _ in range(2_000)) / 2_000
    evaluator = pyspiel.RandomRolloutEvaluator(hands, 1)
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 1, False)
    return lambda: search.mcts_search(dealt), moves


def pokerkit_hands(hands: int, stack: int) -> Player:
    """PokerKit's no-limit hold'em, all but the players' decisions left to it."""
    from pokerkit import Automation, NoLimitTexasHoldem

    dice = random.Random(1)
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (1, 2), 2)

    def play() -> int:
        state, moves = game((stack, stack), 2), 0
        while state.status:
            moves += 1
            kinds = [state.check_or_call]
            least = state.min_completion_betting_or_raising_to_amount
            if state.can_fold():
                kinds.append(state.fold)
            pick = dice.randrange(len(kinds) + (least is not None))
            if pick < len(kinds):
                kinds[pick]()
            else:
                state.complete_bet_or_raise_to(dice.randint(least, state.max_completion_betting_or_raising_to_amount))
        assert sum(state.payoffs) == 0
        return moves

    return (lambda: [play() for _ in range(hands)]), sum(play() for _ in range(300)) / 300


def rlcard_hands(hands: int, stack: int) -> Player:
    """RLCard's no-limit hold'em without its environment around it; it knows two sizes of raises and all-in."""
    from rlcard.games.nolimitholdem import Game

    dice, game = random.Random(1), Game()
    game.configure({"game_num_players": 2, "chips_for_each": stack, "dealer_id": None})

    def play() -> int:
        game.init_game()
        moves = 0
        while not game.is_over():
            game.step(dice.choice(game.get_legal_actions()))
            moves += 1
        assert abs(sum(game.get_payoffs())) < 1e-9
        return moves

    return (lambda: [play() for _ in range(hands)]), sum(play() for _ in range(1_000)) / 1_000
