"""Makes the tables that ship in ``src/felt/data``, from nothing but the rules of poker.

python -m scripts.build_tables            all of them, a few minutes on two cores
python -m scripts.build_tables ranking    one group only
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).parent.parent / "src" / "felt" / "data"


def save(name: str, table: NDArray[np.generic]) -> None:
    """Write a table beside its place, then move it there."""
    DATA.mkdir(exist_ok=True)
    draft = DATA / f"{name}.tmp.npy"
    np.save(draft, table)
    draft.replace(DATA / f"{name}.npy")
    print(f"{name:24} {table.dtype!s:8} {table.shape!s:16} {table.nbytes / 1e6:8.2f} MB", flush=True)


def save_archive(name: str, **tables: NDArray[np.generic]) -> None:
    """The same for several tables in one compressed file."""
    draft = DATA / f"{name}.tmp.npz"
    np.savez_compressed(draft, **tables)
    draft.replace(DATA / f"{name}.npz")
    print(f"{name:24} {', '.join(tables):25} {(DATA / f'{name}.npz').stat().st_size / 1e6:8.2f} MB", flush=True)


def ranking() -> None:
    """Hash offsets, and the values of each kind of hand."""
    from scripts import ranking_tables

    offsets, slots = ranking_tables.displace_rows()
    save("rank_offsets", offsets)
    for family in ranking_tables.FAMILIES:
        values = ranking_tables.rank_values(family)
        save(f"values_{family}", ranking_tables.value_table(values, offsets, slots))
    for family in ranking_tables.SUITED:
        save(f"flushes_{family}", ranking_tables.flush_values(family))
    save("values_badugi", ranking_tables.badugi_values())


def matchups() -> None:
    """Heads-up before the flop: wins and ties of every matchup."""
    from scripts.odds_tables import matchup_tables

    wins, ties = matchup_tables()
    save("matchup_wins", wins)
    save("matchup_ties", ties)


def flop() -> None:
    """Exact strength of every flop hand: points, and the sum of their squares."""
    from felt.odds.strength.lookup import strength_tables

    points, squares = strength_tables(3)
    save("flop_points", points)
    save("flop_squares", squares.astype(np.uint32))  # at most 1081 x 1980², which fits


def ars() -> None:
    """Average Rank Strength of each street, with the least and the most that it averages."""
    from scripts.odds_tables import board_rank_strengths, river_rank_strengths

    from felt.cards.isomorphism import board_classes
    from felt.odds.strength.ars import SCALE
    from felt.odds.strength.lookup import POINTS, strength_tables

    flop_points, turn_points = strength_tables(3).points, strength_tables(4).points
    made = {
        "flop": board_rank_strengths(board_classes(3), flop_points / (1081 * POINTS)),
        "turn": board_rank_strengths(board_classes(4), turn_points / (46 * POINTS)),
        "river": river_rank_strengths(),
    }
    for street, found in made.items():
        seen = found.counts > 0
        arrays = {
            name: np.where(seen, np.round(getattr(found, name) * SCALE), 0).astype(np.uint16)
            for name in ("mean", "least", "most")
        }
        save_archive(f"ars_{street}", **arrays)


def starting() -> None:
    """Equity of the 169 starting hands against one to nine strangers."""
    from scripts.odds_tables import starting_equities

    save("starting_equity", starting_equities(2_000_000))


GROUPS = {"ranking": ranking, "matchups": matchups, "flop": flop, "ars": ars, "starting": starting}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        print(f"no such group of tables: {unknown[0]!r}; there are {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    for name in names or GROUPS:
        GROUPS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
