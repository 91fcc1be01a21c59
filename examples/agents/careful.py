#!/usr/bin/env python3
"""A careful player for Felt in plain Python: JSON lines on standard input and output, nothing to install.

Play it: felt match "cmd:python3 examples/agents/careful.py" call
"""

import json
import sys

HIGH = "TJQKA"


def points(own, board):
    """One for every high card, two for every own card that has a partner."""
    cards = [own[i : i + 2] for i in range(0, len(own), 2)]
    ranks = own[::2] + board[::2]
    return sum((rank in HIGH) + 2 * (ranks.count(rank) > 1) for rank in (card[0] for card in cards))


def decide(question):
    """Raise with four points or more, and now and then with less; call at a price; else fold."""
    view = question["view"]
    legal, pot = view["legal"], view["pot"]
    if legal["exchange"]:
        return {"move": "exchange", "cards": question["own"][: 2 * legal["exchange"]["least"]]}
    value, call, raises = points(question["own"], view["board"]), legal["call"], legal["raise_to"]
    if raises and (value >= 4 or question["dice"] % 16 == 0) and 2 * (call or 0) <= pot:
        return {"move": "raise", "amount": max(raises["least"], min(pot, raises["most"]))}
    if call is not None and (not legal["fold"] or (value >= 2 and call <= pot) or 4 * call <= pot):
        return {"move": "call"}
    return {"move": "fold"}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "careful in Python", "remembers": False}
    elif message["type"] == "act":
        answer = {"id": message["id"], **decide(message)}
    else:
        continue
    print(json.dumps(answer), flush=True)
