"""Write strategy files and logs as a release leaves them, to be read by all later versions.

Run once for a release, with that release: `python -m tests.baselines.make_files`. It writes `strategies-VERSION.zip`,
`logs-VERSION.zip`, `arrays-VERSION.json` (hashes of what the strategies are) and `names-VERSION.json` (what the docs
import from Felt) to `tests/baselines/files`. The files of a release are never written again by a later one.
"""

import json
import os
import re
import tempfile
import zipfile
from importlib import import_module
from pathlib import Path

import felt
from felt.abstraction.abstraction import Abstraction
from felt.cli.app import run
from felt.games import GameRules, load
from felt.games.hand import Hand
from felt.games.views.keys import information
from felt.solvers.best_response import evaluate
from felt.solvers.cfr.solver import Solver
from felt.solvers.strategy import save_strategy
from felt.solvers.trees.build import build_tree
from felt.solvers.trees.tree import GameTree
from tests.baselines.hooks import pair_or_high
from tests.baselines.running import FILES, hash_arrays

ROOT = Path(__file__).parent.parent.parent
IMPORTED = re.compile(r"^(?:>>> )? *from (felt[\w.]*) import ([\w, ]+)", re.MULTILINE)
NAMED = re.compile(r"`(felt(?:\.\w+)+)\.(\w+)`")

SOLVED = {
    "tree": "leduc --algorithm cfr+ --iterations 40",
    "public": "leduc --form vector --algorithm dcfr --iterations 30",
    "public-32": "leduc --form vector --algorithm cfr+ --float 32 --iterations 30",
    "levels": "leduc --form levels --algorithm predictive --iterations 30",
    "buckets": "leduc --cards ehs:2 --iterations 30",
    "forgetful": "leduc --history street --iterations 30",
    "external": "leduc --algorithm external --iterations 300 --seed 5",
    "sampled": "leduc --algorithm sampled --iterations 300 --seed 5",
    "outcome": "leduc --algorithm outcome --iterations 300 --seed 5",
    "public-chance": "leduc --algorithm public-chance --iterations 300 --seed 5",
    "three": "kuhn --players 3 --algorithm linear --iterations 50",
}

LOGGED = {
    "match": "match random tag --hands 60 --seed 6 --duplicate --workers 1 --log match",
    "draw": "match random call --game 27-triple-draw --hands 20 --seed 2 --workers 1 --log draw",
    "league": "league call random fold --hands 20 --seed 3 --workers 1 --log league",
    "begun": "match random tag --hands 40 --seed 7 --workers 1 --log cut",
    "ended": "match --resume cut --hands 90 --workers 1",
    "cups": "tournament random*2 call --stack 8 --repeat 6 --seed 4 --workers 1 --log cups",
    "cut-cups": "tournament random*2 call --stack 8 --repeat 6 --seed 4 --workers 1 --log cut-cups",
    "rings": "ring random call --bankroll 20 --rounds 8 --repeat 3 --seed 4 --workers 1 --log rings",
    "bred": "evolve dials --game limit-holdem --population 4 --generations 2 --deals 2 --meetings 2 --yardstick 1"
    " --seed 3 --workers 1 --log bred",
}  # fmt: skip


def main() -> None:
    """Write the files of this version."""
    FILES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_strategies(Path("strategies"))
        hashes = {file.stem: hash_arrays(file) for file in sorted(Path("strategies").iterdir())}
        (FILES / f"arrays-{felt.__version__}.json").write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")
        for line in LOGGED.values():
            assert run([*line.split(), "--json"]) == 0
        interrupt(Path("cut"), Path("cut-cups"))
        (FILES / f"names-{felt.__version__}.json").write_text(
            json.dumps(public_names(), indent=1) + "\n", encoding="utf-8"
        )
        pack("strategies")
        pack(
            "logs", *{words[words.index("--log") + 1] for words in map(str.split, LOGGED.values()) if "--log" in words}
        )
        os.chdir(FILES)


def write_strategies(folder: Path) -> None:
    """Solve games in every form that a file has, and some that only Python can ask for."""
    folder.mkdir()
    for name, words in SOLVED.items():
        assert run(["solve", *words.split(), "--save", str(folder / f"{name}.felt"), "--json"]) == 0
    leduc = load("leduc")
    trees: dict[str, GameTree] = {
        "own-hook": build_tree(leduc, abstraction=Abstraction(cards=pair_or_high)),
        "own-key": build_tree(load("kuhn"), key=information),
        "later": build_tree(second_street(leduc)),
    }
    for name, tree in trees.items():
        solver = Solver(tree, "dcfr")
        solver.run(20)
        save_strategy(folder / f"{name}.felt", solver, evaluate(tree, solver.average()))


def second_street(rules: GameRules) -> Hand:
    """A hand of Leduc after a bet and a call."""
    hand = Hand.new(rules, players=2, seed=3)
    hand.raise_to(2)
    hand.call()
    return hand


def interrupt(match: Path, cups: Path) -> None:
    """Leave logs as a run does that is killed: a part of actions without its hands, and half a line."""
    parts = sorted(match.glob("match=*/hands/*.parquet"))
    assert len(parts) == 2
    parts[1].unlink()
    for name in ("runs.jsonl", "hands.jsonl"):
        lines = (cups / name).read_bytes().splitlines(keepends=True)
        (cups / name).write_bytes(b"".join(lines[:3]) + lines[3][:20])


def public_names() -> dict[str, list[str]]:
    """The names that README, docs and examples import from each module, or name by their whole path."""
    names: dict[str, set[str]] = {}
    for file in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.py")]:
        text = file.read_text(encoding="utf-8")
        for module, imported in IMPORTED.findall(text):
            names.setdefault(module, set()).update(name.split(" as ")[0].strip() for name in imported.split(","))
        for module, name in NAMED.findall(text):
            if not name.startswith("_") and callable(getattr(import_module(module), name, None)):
                names.setdefault(module, set()).add(name)
    return {module: sorted(names[module]) for module in sorted(names)}


def pack(name: str, *folders: str) -> None:
    """Zip folders, with dates that say nothing."""
    with zipfile.ZipFile(FILES / f"{name}-{felt.__version__}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in sorted(folders) or [name]:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    archive.writestr(zipfile.ZipInfo(str(path)), path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
