"""Strategies of ours as OpenSpiel has them, for the two games that both know."""

from collections.abc import Iterator
from typing import Any

from felt.solvers.trees.tree import GameTree

RANKS = "JQK"


def policy_of(spiel: Any, game: Any, tree: GameTree, chances: Any) -> Any:
    """Our strategy as OpenSpiel's tabular policy."""
    infosets = tree.infosets
    numbers = {}
    for seat in range(infosets.players):
        for i in range(*infosets.of_player[seat : seat + 2]):
            numbers[seat, infosets.labels[i]] = i
    table: dict[str, list[tuple[int, float]]] = {}
    for state, label in decisions(game.new_initial_state(), game.get_type().short_name == "leduc_poker"):
        seat = state.current_player()
        begin, end = infosets.first[numbers[seat, label(seat)] :][:2]
        actions = state.legal_actions()
        assert len(actions) == end - begin, (label(seat), actions)
        table[state.information_state_string()] = [
            (action, float(chance)) for action, chance in zip(actions, chances[begin:end], strict=True)
        ]
    return spiel.TabularPolicy(table)


def decisions(state: Any, leduc: bool) -> Iterator[tuple[Any, Any]]:
    """Every state in which somebody decides, with a function that says what a seat knows there in our words."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        yield state, lambda seat: known(state, seat, leduc)
    for action in state.legal_actions():
        yield from decisions(state.child(action), leduc)


def known(state: Any, seat: int, leduc: bool) -> str:
    """Our name of an information set, from OpenSpiel's history."""
    cards, moves = state.history()[:2], state.history()[2:]
    own = RANKS[cards[seat] // 2] if leduc else RANKS[cards[seat]]
    words, bet, street, passed = [], 0, 0, 0
    for at, move in enumerate(moves):
        if leduc and street == 0 and passed == -1:
            words.append(f"[{RANKS[move // 2]}]")
            bet, street, passed = 0, 1, 0
            continue
        if leduc:
            raised, closing = move == 2, move == 1 and (bet > 0 or passed == 1)
            size = 2 if street == 0 else 4
        else:
            raised, closing, size = move == 1 and not bet, False, 1
        bet += size * raised
        words.append(f"r{bet}" if raised else "c" if move == 1 or not bet else "f")
        passed = -1 if closing else passed + (not raised)
        assert at < 20
    return " ".join([own, *words])
