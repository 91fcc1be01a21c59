"""Files with valid checksums that no solver wrote: one clear line, in bounded memory, whatever they claim."""

import hashlib
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt.cli.app import run
from felt.errors import FeltError
from felt.games import load
from felt.solvers.best_response import evaluate
from felt.solvers.files import HEAD, MAGIC, StrategyFileError
from felt.solvers.public_tree.build import vector_tree
from felt.solvers.public_tree.solver import VectorSolver
from felt.solvers.pushfold.lookup import FolderCache
from felt.solvers.registry import begin
from felt.solvers.strategy import load_strategy, save_strategy

MEMORY = 60e6


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Strategies of each form."""
    folder, kuhn = tmp_path_factory.mktemp("saved"), load("kuhn")
    solvers: dict[str, Any] = {name: begin(kuhn, name) for name in ("dcfr", "external", "public-chance")}
    solvers["vector"] = VectorSolver(vector_tree(kuhn), "predictive")
    for name, solver in solvers.items():
        solver.run(5)
        save_strategy(folder / name, solver, None)
    return {name: folder / name for name in solvers}


def described(path: Path) -> tuple[dict[str, Any], bytes]:
    content = path.read_bytes()
    length = int.from_bytes(content[HEAD - 8 : HEAD], "little")
    return json.loads(content[HEAD : HEAD + length]), content[HEAD + length :]


def forge(path: Path, about: Any, rest: bytes, target: Path) -> Path:
    """The same arrays under another description, with the checksum that fits it."""
    head = about if isinstance(about, bytes) else json.dumps(about).encode()
    head += b" " * (-(HEAD + len(head)) % 64)
    target.write_bytes(MAGIC + hashlib.sha256(head).digest() + len(head).to_bytes(8, "little") + head + rest)
    return target


def use(path: Path) -> None:
    """All that Felt does with a file."""
    strategy = load_strategy(path)
    list(strategy.labels())
    strategy.at(0, "K")
    [strategy.action(sequence) for sequence in range(len(strategy.chances))]
    solver = strategy.solver(memory=MEMORY)
    solver.run(1)
    if strategy.whole and strategy.form != "vector":
        evaluate(strategy.tree(memory=MEMORY), strategy.chances)


def refused(path: Path) -> str:
    with pytest.raises(FeltError) as error:
        use(path)
    assert "\n" not in str(error.value) and len(str(error.value)) < 700
    return str(error.value)


FIELDS = [
    "rules", "stacks", "suits", "isomorphic", "form", "kind", "whole", "dice", "sizes", "start", "abstraction", "key",
    "algorithm", "own", "iterations", "exploitability", "values", "arrays", "bytes",
]  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_that_is_missing_is_named(saved, tmp_path, field) -> None:
    about, rest = described(saved["dcfr"])
    del about[field]
    text = refused(forge(saved["dcfr"], about, rest, tmp_path / "f"))
    assert field in text or "its arrays" in text


@pytest.mark.parametrize(
    "name", ["first", "of_player", "moves", "amounts", "labels", "label_ends", "chances", "regrets"]
)
def test_an_array_that_is_missing_is_named(saved, tmp_path, name) -> None:
    about, rest = described(saved["dcfr"])
    del about["arrays"][name]
    assert f"its array {name} is missing" in refused(forge(saved["dcfr"], about, rest, tmp_path / "f"))


def change(about: dict[str, Any], name: str, **parts: Any) -> None:
    about["arrays"][name] |= parts


@pytest.mark.parametrize(
    "parts",
    [
        {"shape": [10**12]}, {"shape": [10**30]}, {"shape": [-1]}, {"shape": [True]}, {"shape": [1.0]}, {"shape": "ab"},
        {"shape": [10**6, 10**6]}, {"shape": []}, {"shape": [0, 10**12]}, {"shape": [1] * 40}, {"shape": None},
        {"at": -64}, {"at": 10**12}, {"at": 2**70}, {"at": "0"}, {"at": None}, {"at": 0.0},
        {"type": "O"}, {"type": "V8"}, {"type": "x"}, {"type": "f8,f8"}, {"type": "(3,)f8"}, {"type": 7},
        {"type": None}, {"type": "<U1000000000"}, {"type": "f2"}, {"type": "c16"}, {"sha256": None}, {"sha256": "0"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["chances", "first"])
def test_an_array_of_another_shape_or_type_is_refused_without_memory_for_it(saved, tmp_path, name, parts) -> None:
    about, rest = described(saved["dcfr"])
    change(about, name, **parts)
    file = forge(saved["dcfr"], about, rest, tmp_path / "f")
    tracemalloc.start()
    try:
        refused(file)
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


def test_descriptions_that_are_none(saved, tmp_path) -> None:
    rest = described(saved["dcfr"])[1]
    deep = b"[" * 100_000 + b"]" * 100_000
    for about in ([], 3, None, "x", b"{", b"\xff\xfe", deep, b'{"a":' + b"9" * 5000 + b"}", {"arrays": {}, "bytes": 0}):
        refused(forge(saved["dcfr"], about, rest if about != {"arrays": {}, "bytes": 0} else b"", tmp_path / "f"))


def test_numbers_that_do_not_fit_each_other_are_refused(saved, tmp_path) -> None:
    """Arrays whose checksums fit, with what no strategy has in them."""
    wrong: dict[str, Callable[[Any], Any]] = {
        "first": lambda array: array[::-1], "of_player": lambda array: array + 1, "moves": lambda array: array + 200,
        "label_ends": lambda array: array * 2, "chances": lambda array: array + 7,
        "regrets": lambda array: array + np.nan,
    }  # fmt: skip
    for name, spoil in wrong.items():
        about, rest = described(saved["dcfr"])
        place = about["arrays"][name]
        kind, at = np.dtype(place["type"]), place["at"]
        array = np.frombuffer(rest, kind, int(np.prod(place["shape"])), at)
        content = np.ascontiguousarray(spoil(array)).astype(kind).tobytes()
        place["sha256"] = hashlib.sha256(content).hexdigest()
        rest = rest[:at] + content + rest[at + len(content) :]
        assert name in refused(forge(saved["dcfr"], about, rest, tmp_path / "f")).replace("its chances", "chances")


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(
        ["sampling", "vector", "forgetful", "levels", "external", "dcfr", "int16", 10**12, 2**70, -1, "ehs:3"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_forged_description_never_breaks_anything(saved, tmp_path_factory, data) -> None:
    """Some fields of a description are anything at all; it is used, or refused in one line."""
    origin = saved[data.draw(st.sampled_from(sorted(saved)))]
    about, rest = described(origin)
    for _ in range(data.draw(st.integers(1, 3))):
        inner: Any = about
        name = data.draw(st.sampled_from(sorted(inner)))
        while isinstance(inner[name], dict) and inner[name] and data.draw(st.booleans()):
            inner = inner[name]
            name = data.draw(st.sampled_from(sorted(inner)))
        if data.draw(st.integers(0, 4)) == 0:
            del inner[name]
        else:
            inner[name] = data.draw(ANYTHING)
    file = forge(origin, about, rest, tmp_path_factory.getbasetemp() / "forged")
    try:
        use(file)
    except FeltError as error:
        assert "\n" not in str(error) and len(str(error)) < 1500


@pytest.mark.parametrize(
    "words", [["exploitability"], ["solve"], ["match", "random", "--game", "kuhn", "--hands", "2"]]
)
def test_commands_say_it_in_one_line(saved, tmp_path, capsys, words) -> None:
    about, rest = described(saved["dcfr"])
    about["stacks"] = "many"
    file = forge(saved["dcfr"], about, rest, tmp_path / "f.felt")
    command = [words[0], f"strategy:{file}" if words[0] == "match" else str(file), *words[1:]]
    assert run(command) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1 and "its stacks, 'many', must be two to ten whole numbers above 0" in shown


def test_dice_of_another_solver_are_refused(saved, tmp_path) -> None:
    for dice in ({}, {"cards": {}, "dice": 1}, {"cards": 1, "dice": "x"}, {"dice": -5}, {"dice": 2**70}):
        about, rest = described(saved["external"])
        about["dice"] = dice
        assert "dice" in refused(forge(saved["external"], about, rest, tmp_path / "f"))


def test_a_looked_up_solution_that_claims_to_be_huge_is_none(tmp_path) -> None:
    cache = FolderCache(tmp_path)
    cache.put("key", np.zeros((2, 169)))
    assert cache.get("key") is not None
    (file,) = tmp_path.glob("*.npy")
    file.write_bytes(file.read_bytes().replace(b"(2, 169)", b"(2,9e9) ").replace(b"9e9", b"999"))
    assert cache.get("key") is None
    with file.open("wb") as out:
        np.lib.format.write_array_header_1_0(out, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    assert cache.get("key") is None


def test_a_good_file_is_read(saved) -> None:
    for path in saved.values():
        use(path)
    with pytest.raises(StrategyFileError, match="no strategy of Felt"):
        load_strategy(__file__)
