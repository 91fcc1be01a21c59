"""The rows of numbers that are told of every action: `felt.games.views.facts`."""

FACT_COLUMNS = (
    "number",  # place among the actions of its hand, from 0
    "street",
    "seat",
    "move",  # a `Move`
    "amount",  # of a raise the total for the street, of an exchange the places of the cards as bits
    "added",  # chips that the action put in
    "to_call",
    "least",  # least and most that a raise could be to; 0 where none was allowed
    "most",
    "pot",  # all chips in the middle
    "live",  # bits of the seats that had not folded
)
NUMBER, STREET, SEAT, MOVE, AMOUNT, ADDED, TO_CALL, LEAST, MOST, POT, LIVE = range(len(FACT_COLUMNS))
COLUMNS = len(FACT_COLUMNS)

CLOSED_STREET, CLOSED_BOARD, CLOSED_CARDS = range(3)
"""Columns of `Facts.closed`, when the last decision was made: the street (-1: it was about cards), how many cards lay
on the board, and from there on how many each player held."""
