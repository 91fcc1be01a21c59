"""The IRC database: letters become bets, and every chip is found again."""

import tarfile

import pytest

from felt.interop.formats import decoded
from felt.interop.histories import HistoryError
from felt.interop.irc import read_irc
from felt.interop.results import check
from tests.interop.samples import IRC

HDB, ROSTER, PDB = IRC


def changed(old: str, new: str):
    assert any(old in text for text in (HDB, *PDB))
    return read_irc(HDB.replace(old, new), ROSTER, [text.replace(old, new) for text in PDB])


def test_letters_become_bets():
    found = read_irc(HDB, ROSTER, PDB)
    assert not found.problems
    hand = found.hands[0]
    assert hand.rules.name == "limit-holdem" and hand.posts == (5, 10, 0) and hand.names == ("ann", "bob", "cleo")
    assert hand.finishing == (995, 565, 740)
    assert [check(hand).why for hand in found.hands] == ["", ""]


def test_larger_stakes_show_in_what_was_put_in():
    found = changed("1000 5 0", "1000 10 0")
    assert len(found.problems) == 1 and "come to" in found.problems[0].why


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cleo 700", "dan 700", "1 of 3 players have no line in pdb"),
        ("c c c c 800", "c c c - 800", "has to act on street 4"),
        ("c c c c 800", "k c c c 800", "with a bet to call"),
        ("c c c c 800", "c c x c 800", "are not actions"),
        ("500 60 125", "500 70 125", "come to 60 chips, and the line says 70"),
        ("500 60 125", "500 60 120", "are won of a pot of 125"),
        ("8s Jh Tc", "8s Jh", "the board has 4 cards"),
        ("700 1 12 3", "700 1 12 11", "Felt keeps hands of 2 to 10"),
        ("Qd Jd", "Qc Jd", "dealt twice"),
        ("Bf - - - 1000", "f - - - 1000", "come to"),
    ],
)
def test_what_does_not_add_up_is_listed(old, new, words):
    found = changed(old, new)
    assert any(words in problem.why for problem in found.problems), found.problems
    assert len(found.hands) + len(found.problems) == 2


def test_no_hands_at_all():
    with pytest.raises(HistoryError, match="no hand of the IRC database"):
        read_irc("", "", [])


def test_real_hands(shared_data):
    """The first thousand of a month; all of it takes half a minute (`felt replay holdem.199504.tgz --check`)."""
    with tarfile.open(shared_data / "irc" / "holdem.199504.tgz") as archive:
        texts = {name: decoded(archive.extractfile(name).read()) for name in archive.getnames() if _is_text(name)}
    hdb = next(text for name, text in texts.items() if name.endswith("hdb"))
    roster = next(text for name, text in texts.items() if name.endswith("hroster"))
    rows = [text for name, text in texts.items() if "pdb." in name]
    found = read_irc("\n".join(hdb.splitlines()[:1000]), roster, rows)
    crowded = [problem for problem in found.problems if "Felt keeps hands of 2 to 10" in problem.why]
    assert (len(found.hands), len(crowded), len(found.problems)) == (946, 53, 54)
    assert not [hand.hand_id for hand in found.hands if check(hand).why]


def _is_text(name: str) -> bool:
    return name.endswith(("hdb", "hroster")) or "pdb." in name
