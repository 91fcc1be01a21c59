"""What is behind the pages for studying: hands that are over, what players did in them, agents that are asked."""

from felt.server.limits import Allowance, Limits
from felt.server.live_table import TableError
from felt.server.totals import TotalsKept
from felt.store.db import Store
from felt.store.past import PastHand, one_hand, split_id


class Study:
    """Past hands for who may see them."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.store = store
        self.totals = TotalsKept(store)
        self.allowance = Allowance(rate=limits.studies, at_once=limits.studies_at_once)

    def hand(self, text: str, player: str | None) -> PastHand:
        """A hand by its id, for one player; what they may not see is not there."""
        place = split_id(text)
        found = None if place is None else one_hand(self.store, *place)
        if found is None or not found.visible_to(player):
            raise TableError("no_such_hand", "there is no such hand, or it is not yours to see")
        return found
