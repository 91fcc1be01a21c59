"""Cards, decks, hand ranking, starting hands and ranges."""

from felt.cards.card import format_card, format_cards, parse_card, parse_cards, pretty_cards
from felt.cards.combos import CLASS_NAMES, class_name, combo_index, parse_class
from felt.cards.deck import Deck, kuhn_deck, leduc_deck, make_deck, parse_deck, short_deck, standard_deck
from felt.cards.ranges.range import Range
from felt.cards.ranking.evaluator import rank, rank_batch, rank_omaha, rank_omaha_batch
from felt.cards.ranking.kinds import KINDS
from felt.cards.ranking.names import category, describe
from felt.cards.starting import chen, percentile, sklansky_group

__all__ = [
    "CLASS_NAMES",
    "KINDS",
    "Deck",
    "Range",
    "category",
    "chen",
    "class_name",
    "combo_index",
    "describe",
    "format_card",
    "format_cards",
    "kuhn_deck",
    "leduc_deck",
    "make_deck",
    "parse_card",
    "parse_cards",
    "parse_class",
    "parse_deck",
    "percentile",
    "pretty_cards",
    "rank",
    "rank_batch",
    "rank_omaha",
    "rank_omaha_batch",
    "short_deck",
    "sklansky_group",
    "standard_deck",
]
