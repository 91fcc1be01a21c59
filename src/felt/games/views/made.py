"""What a player's cards make, in words."""

from felt.errors import FeltError
from felt.games.views.view import View


def made_hand(seen: View, seat: int = -1) -> str:
    """What the cards of a seat (by default the viewer's) make so far; empty where there is no name for it.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("kuhn"), [2, 2], seed=1)
    >>> made_hand(hand.view(0))
    'high card, king'
    """
    from felt.cards.ranking.evaluator import rank, rank_omaha
    from felt.cards.ranking.kinds import scale
    from felt.cards.ranking.names import describe
    from felt.cards.ranking.wild import describe_wild, rank_wild

    shown, own = seen.rules.showdown, seen.seats[seat].cards if seat >= 0 else seen.own
    cards = (*own, *seen.board)
    names = []
    try:
        for kind in shown.kinds if not shown.scoring else ():
            if shown.wild:
                natural = [card for card in shown.wild if card < 52]
                names.append(describe_wild(rank_wild(cards, natural, bug=shown.bug)))
            elif shown.hole_exactly:
                names.append(describe(rank_omaha(own, seen.board, kind), kind))
            else:
                names.append(describe(rank(cards, kind), scale(kind, len(cards)).name))
    except FeltError:  # too few cards yet, or more than can be named
        return ""
    return "; ".join(names)
