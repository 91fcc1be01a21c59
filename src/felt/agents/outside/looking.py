"""Looking for an answer before one sleeps until it comes: to be woken takes longer than most programs need for it."""

import os

LOOKS = 100
"""How often; some tenths of a millisecond in all."""

give_way = getattr(os, "sched_yield", lambda: None)
"""Between two looks, let whoever has to answer run on this core."""
