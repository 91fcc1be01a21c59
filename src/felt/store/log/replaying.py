"""The hands of a log played again from their deals and moves, as facts and as records: the engine tells the rest."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from felt.games.actions import Action
from felt.games.engine.batch import HandBatch, VariedBatch
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.games.moves import Move, decode_move
from felt.games.views.facts import Facts, trace
from felt.store.log.logged import LoggedMatch
from felt.store.log.part_reader import PlayedHands


def facts_of(match: LoggedMatch, hands: PlayedHands) -> Iterator[tuple[Facts, NDArray[np.int64]]]:
    """Hands as facts, those of one game, number of players and seed together; and who sat where: ``[hands, seats]``."""
    size, seats = hands.seatings.shape
    if not match.has_runs:
        batch = HandBatch(
            match.rules, size, players=seats, stack=match.stack, seed=match.seed, deals=hands.deals, threads=1
        )
        yield trace(match.rules, *batch.arrays, batch.stacks, hands.codes, hands.counts), hands.seatings
        return
    seeds = {run: match.seed_of(run) for run in np.unique(hands.runs).tolist()}
    kinds = np.stack([hands.seats, hands.levels, [seeds[run] for run in hands.runs.tolist()]], axis=1)
    for players, level, seed in np.unique(kinds, axis=0).tolist():
        own = np.flatnonzero((kinds == (players, level, seed)).all(axis=1))
        rules, codes = match.rules_of(level, players), hands.codes[np.repeat(_mask(own, size), hands.counts)]
        varied = VariedBatch(
            rules, hands.stacks[own, :players].tolist(), hands.buttons[own].tolist(), seed=seed, deals=hands.deals[own]
        )
        facts = trace(rules, *varied.arrays, varied.stacks, codes, hands.counts[own])
        yield facts, hands.seatings[own, :players]


def records_of(match: LoggedMatch, hands: PlayedHands) -> Iterator[HandRecord]:
    """Hands as records, one after the other."""
    moves = np.split(hands.codes, np.cumsum(hands.counts)[:-1])
    for i, codes in enumerate(moves):
        yield _record(match, hands, i, codes.tolist())


def _record(match: LoggedMatch, hands: PlayedHands, i: int, codes: list[int]) -> HandRecord:
    seats, deal, run = int(hands.seats[i]), int(hands.deals[i]), int(hands.runs[i])
    seed = match.seed_of(run)
    stacks, button = hands.stacks[i, :seats].tolist(), int(hands.buttons[i])
    hand = Hand.new(match.rules_of(int(hands.levels[i]), seats), stacks, seed, number=deal, button=button)
    for code in codes:
        hand.act(action_of(hand, code))
    number, place = (run, int(hands.run_places[i])) if match.has_runs else (match.number, int(hands.numbers[i]))
    meta = {"event": f"{match.kind} {number}", "seed": str(seed)}
    return replace(
        hand.record(),
        names=tuple(match.names[player] for player in hands.seatings[i, :seats].tolist()),
        hand_id=f"{number}-{place}",
        rake=hand.rake,
        meta=meta if match.has_runs else {**meta, "deal": str(deal)},
    )


def action_of(hand: Hand, code: int) -> Action:
    """The move that a code stands for, in the hand in which it is made."""
    number, amount = decode_move(code)
    move = Move(number)
    if move != Move.EXCHANGE:
        return Action(move, amount)
    return Action(move, cards=tuple(card for i, card in enumerate(hand.cards(hand.turn)) if amount >> i & 1))


def _mask(places: NDArray[np.intp], size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, dtype=np.bool_)
    mask[places] = True
    return mask
