"""Push or fold before the flop: heads-up, multiway, with prizes (ICM), as charts.

Begin with `game` and `headsup`; `multiway_game` and `multiway` are for three to nine players, `lookup` saves solutions.
"""

from felt._doors import open_door

__all__, __getattr__ = open_door(
    __name__,
    {
        "game": "PushFold",
        "headsup": "Solution by_hand share sharpen solve",
        "lookup": "solve_or_look_up",
        "multiway": "MultiSolution solve_multi",
        "multiway_game": "MultiPushFold Spot",
        "scan": "Scan",
    },
)
