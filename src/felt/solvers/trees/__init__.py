"""Game trees as flat arrays: built from rules or from a state.

Begin with `tree`, what every solver sees of a game, then `build`; information sets are numbered in `numbering`.
"""

from felt._doors import open_door

__all__, __getattr__ = open_door(
    __name__,
    {"build": "Origin Size build_tree size_of", "dominance": "Pruned prune", "tree": "GameTree Infosets SequenceForm"},
)
