"""The runner of the examples itself: it must find every block, and notice when one is wrong."""

from pathlib import Path

import pytest

from tests.docs import test_examples as runner

PAGE = """\
1. In a list:

    ```python
    >>> cards = 52
    >>> cards
    52
    ```

```python
half = cards // 2
```

````text
```python
never run(
```
````

```console
$ make setup
$ felt rank \\
    AsKs
A line
another

$ felt tour
```
"""


def test_blocks_are_found_with_their_lines() -> None:
    found = list(runner.blocks(PAGE))
    assert [(block.language, block.line) for block in found] == [
        ("python", 4),
        ("python", 10),
        ("text", 14),
        ("console", 20),
    ]
    assert found[0].text == ">>> cards = 52\n>>> cards\n52\n"


def test_a_page_shares_its_names_from_block_to_block() -> None:
    names: dict[str, object] = {}
    for block in list(runner.blocks(PAGE))[:3]:
        runner.run_block(block, Path("page.md"), names)
    assert names["half"] == 26


def test_commands_come_with_the_output_below_them() -> None:
    console = list(runner.blocks(PAGE))[3]
    assert list(runner.commands(console)) == [
        ("make setup", "", 20),
        ("felt rank     AsKs", "A line\nanother\n", 21),
        ("felt tour", "", 25),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\nraise AssertionError\n```\n",
        "```console\n$ felt --version\nfelt 99\n```\n",
        "```console\n$ felt --no-such-option\n```\n",
        "```console\n$ felt rank ZZ\n...\n```\n",
        "```console\n$ felt --version | cat\n```\n",
    ],
)
def test_a_wrong_example_is_noticed(text: str) -> None:
    (block,) = runner.blocks(text)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        runner.run_block(block, Path("page.md"), {})


def test_a_right_command_and_a_shown_error_pass() -> None:
    (block,) = runner.blocks("```console\n$ felt --version\nfelt ...\n$ felt rank ZZ\nfelt: ...'ZZ'...\n```\n")
    runner.run_block(block, Path("page.md"), {})


def test_a_fence_that_is_never_closed_is_an_error() -> None:
    with pytest.raises(ValueError, match="never closed"):
        list(runner.blocks("```python\n>>> 1\n1\n"))
