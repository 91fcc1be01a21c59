"""Ring games: agents keep a bankroll, choose tables and stakes, buy in, leave, and may be ruined.

Read `spec` first; `play` has one history, `policies` how bankrolls are managed, `theory` the chance of ruin.
"""

from felt.arena.ring.policies import BuyIns, Kelly, Never, Offer, Policy, Whole
from felt.arena.ring.result import RingResult, play_rings
from felt.arena.ring.spec import Ring

__all__ = ["BuyIns", "Kelly", "Never", "Offer", "Policy", "Ring", "RingResult", "Whole", "play_rings"]
