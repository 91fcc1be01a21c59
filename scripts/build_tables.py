"""Makes the tables that ship in ``src/felt/data``, from nothing but the rules of poker.

python scripts/build_tables.py            all of them, a few minutes on two cores
python scripts/build_tables.py ranking    one group only
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
    from felt.cards import _build
    from felt.cards.hashing import displace_rows, value_table

    offsets, slots = displace_rows()
    save("rank_offsets", offsets)
    for family in _build.FAMILIES:
        save(f"values_{family}", value_table(_build.rank_values(family), offsets, slots))
    for family in _build.SUITED:
        save(f"flushes_{family}", _build.flush_values(family))
    save("values_badugi", _build.badugi_values())


def matchups() -> None:
    """Heads-up before the flop: wins and ties of every matchup."""
    from felt.odds import _build

    wins, ties = _build.matchup_tables()
    save("matchup_wins", wins)
    save("matchup_ties", ties)


def flop() -> None:
    """Exact strength of every flop hand: points, and the sum of their squares."""
    from felt.odds import _build

    points, squares = _build.strength_tables(3)
    save("flop_points", points)
    save("flop_squares", squares.astype(np.uint32))  # at most 1081 x 1980², which fits


def ars() -> None:
    """Average Rank Strength of each street, with the least and the most that it averages."""
    from felt.cards.isomorphism import board_classes
    from felt.odds import _build
    from felt.odds.ars import SCALE

    flop_points, turn_points = _build.strength_tables(3).points, _build.strength_tables(4).points
    made = {
        "flop": _build.board_rank_strengths(board_classes(3), flop_points / (1081 * _build.POINTS)),
        "turn": _build.board_rank_strengths(board_classes(4), turn_points / (46 * _build.POINTS)),
        "river": _build.river_rank_strengths(),
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
    from felt.odds import _build

    save("starting_equity", _build.starting_equities(2_000_000))


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
