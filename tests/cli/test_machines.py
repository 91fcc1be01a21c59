"""`--ray`: mistakes are told before anything is played."""

import pytest

from felt.cli.app import run


@pytest.mark.parametrize(
    "words",
    [["match", "call", "raise"], ["league", "call", "raise"], ["tournament", "call", "raise"]],
    ids=lambda words: words[0],
)
def test_workers_are_the_clusters_own(words, capsys):
    assert run([*words, "--ray", "127.0.0.1:1", "--workers", "2"]) == 2
    assert "--workers 2: with --ray every core of the cluster plays" in capsys.readouterr().err
