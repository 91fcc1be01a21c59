"""Hands that are over, over HTTP: whose they are, what is in them, and files that our own readers read."""

import tomllib

import pytest

from felt.cards.card import format_cards
from felt.games.fair import verify_deal
from felt.interop.phh.reader import read_phh
from felt.interop.results import check
from felt.interop.rooms.pokerstars import read_pokerstars
from felt.interop.rooms.text import escape_name
from felt.server.study.replays import Replay, as_phh, as_pokerstars
from tests.server.live_helpers import BASE, Guest, plain_move, refused, service
from tests.server.study_helpers import past_hands
from tests.server.test_replays import cards_in
from tests.server.test_service import until

NASTY = "<b>'; DROP TABLE hands--"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data")) as running:
        yield running


def play(guest, table, hands, others=()):
    """Call until so many hands are over."""
    players = (guest, *others)
    while guest.state(table)["hand"] <= hands:
        for one in players:
            if (state := one.state(table))["turn"] == state["you"] >= 0:
                one.post(f"/tables/{table}/act", **plain_move(state))


@pytest.fixture(scope="module")
def ada(client):
    guest = Guest(client, NASTY)
    guest.here = guest.table(agents=["call"])
    play(guest, guest.here, 4)
    guest.post(f"/tables/{guest.here}/leave")
    until(lambda: guest.state(guest.here), lambda state: state["seats"][0] is None)
    return guest


def test_ones_hands_are_listed_newest_first(ada):
    found = until(lambda: ada.get("/hands").json()["hands"], lambda hands: len(hands) >= 4)
    assert [hand["number"] for hand in found] == list(range(len(found), 0, -1))
    first = found[-1]
    assert first["id"] == f"{ada.here}-1" and first["players"] == [NASTY, "Bo"] and first["seat"] == 0
    assert first["game"] == "nlhe" and len(first["cards"]) == 2 and first["big_blind"] == 2
    assert first["when"].endswith("Z") and first["text"]
    page = ada.get("/hands?limit=2").json()
    assert page["hands"] == found[:2] and page["next"] == found[1]["id"]
    assert ada.get(f"/hands?limit=2&before={page['next']}").json()["hands"] == found[2:4]
    assert ada.get("/hands?before=2000-01-01T00:00").json() == {"hands": [], "next": None}
    assert ada.get("/hands?before=2999-01-01T00:00:00Z&game=nlhe").json()["hands"] == found
    assert ada.get("/hands?game=stud").json()["hands"] == []
    refused(ada.get("/hands?before=soon"), 422, "before")
    refused(ada.get("/hands?limit=0"), 422, "invalid")
    refused(ada.get("/hands?table=a%00b"), 422, "invalid")
    refused(ada.get("/hands?game=x'%20OR%201"), 422, "invalid")


def test_a_public_tables_hands_are_for_anybody_as_a_spectator_saw_them(client, ada):
    bo = Guest(client, "Bo")
    assert bo.get("/hands").json()["hands"] == []
    for answer in (bo.get(f"/hands?table={ada.here}"), client.get(f"{BASE}/hands?table={ada.here}")):
        told = answer.json()["hands"][-1]
        assert told["seat"] == -1 and told["cards"] == [] and told["won"] == 0
    replay = client.get(f"{BASE}/hands/{ada.here}-1").json()
    assert replay["all_cards"] is False and replay["hand"]["seat"] == -1
    refused(client.get(f"{BASE}/hands/{ada.here}-1?cards=all"), 403, "other_peoples_cards")
    refused(bo.get(f"/hands/{ada.here}-1/phh?cards=all"), 403, "other_peoples_cards")


def test_a_replay_over_http(ada):
    replay = ada.get(f"/hands/{ada.here}-1?cards=all").json()
    assert replay["all_cards"] is True and replay["seats"][0]["name"] == NASTY
    assert replay["steps"][0]["decision"]["words"] in ("calls 1", "checks")
    assert all(len(seat["cards"]) == 2 for step in replay["steps"] for seat in step["state"]["seats"])
    mine = ada.get(f"/hands/{ada.here}-1").json()
    first, last = (mine["steps"][at]["state"]["seats"][1]["cards"] for at in (0, -1))
    assert first == last  # who showed lies open from the start, who did not never does


def test_private_hands_are_only_for_who_was_dealt_in(client):
    one, other, third = Guest(client, "Cem"), Guest(client, "Dot"), Guest(client, "Eli")
    table = one.table(agents=[], private=True)
    other.post(f"/tables/{table}/sit", seat=1, invite=one.state(table)["table"]["invite"])
    play(one, table, 1, (other,))
    one.post(f"/tables/{table}/leave")
    assert one.get(f"/hands?table={table}").json()["hands"]
    assert other.get(f"/hands/{table}-1").status_code == 200
    refused(one.get(f"/hands/{table}-1?cards=all"), 403, "other_peoples_cards")
    assert third.get(f"/hands?table={table}").json()["hands"] == []
    for path in ("", "/phh", "/pokerstars", "/deal"):
        refused(third.get(f"/hands/{table}-1{path}"), 404, "no_such_hand")
        refused(client.get(f"{BASE}/hands/{table}-1{path}"), 404, "no_such_hand")


def test_the_deal_is_opened_as_far_as_the_caller_saw_it(client, ada):
    mine, spectators = ada.get(f"/hands/{ada.here}-1/deal").json(), client.get(f"{BASE}/hands/{ada.here}-1/deal").json()
    assert len(mine["leaves"]) == 52 and mine["commitment"] == spectators["commitment"]
    seen = {format_cards([card]) for card in verify_deal(mine).values()}
    replay = ada.get(f"/hands/{ada.here}-1").json()
    assert seen == cards_in(replay["steps"]) and set(replay["hand"]["cards"]) <= seen
    public = {format_cards([card]) for card in verify_deal(spectators).values()}
    assert public == cards_in(client.get(f"{BASE}/hands/{ada.here}-1").json()["steps"]) <= seen


@pytest.mark.parametrize("name", ["x", "x-1", "-1", "'; DROP TABLE hands---1", "é-1", "a-99999999999", "a%00b-1"])
def test_hands_that_are_not_there(ada, name):
    refused(ada.get(f"/hands/{name}"), 404, "no_such_hand")


def test_downloads_over_http(ada):
    answer = ada.get(f"/hands/{ada.here}-1/phh")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["content-disposition"] == f'attachment; filename="felt-{ada.here}-1.phh"'
    (hand,) = read_phh(answer.text).hands
    assert set(hand.names) == {NASTY, "Bo"} and hand.hand_id == f"{ada.here}-1"
    text = ada.get(f"/hands/{ada.here}-1/pokerstars").text
    (read,) = read_pokerstars(text).hands
    assert set(read.names) == {NASTY, "Bo"} and f"Dealt to {escape_name(NASTY)} [" in text
    numbers = {ada.get(f"/hands/{ada.here}-{number}/pokerstars").text.split(":")[0] for number in (1, 2)}
    assert len(numbers) == 2 and text.split(":")[0] in numbers
    every = read_phh(ada.get("/hands.phhs?cards=all").text).hands
    assert len(every) >= 4 and every[0].hand_id == f"{ada.here}-1"


@pytest.mark.parametrize(
    "game", ["nlhe", "plo", "stud", "omaha8", "27-triple-draw", "badugi", "short-deck", "limit-holdem"]
)
@pytest.mark.parametrize("everything", [False, True])
def test_files_are_read_by_our_own_readers_with_no_hidden_card(game, everything):
    people = 1 if everything else 2
    for past in past_hands(game, 2, people=people, seats=3):
        found = Replay(past, "id 0", everything=everything)
        text = as_phh(past, found, everything=everything)
        tomllib.loads(text)
        (hand,) = read_phh(text).hands
        assert not check(hand).why and hand.finishing is not None
        names = dict(zip(hand.names, hand.finishing, strict=True))
        assert names["Player 0"] == found.hand.stacks[found.own]
        seen = cards_in(Replay(past, "id 0").replay().model_dump(mode="json")["steps"])
        known = cards_in(text.partition("actions =")[2].partition("\n")[0])
        assert everything or known <= seen
        assert "??" not in text or not everything
        if game in ("nlhe", "plo", "stud", "omaha8", "limit-holdem"):
            room = as_pokerstars(past, found, everything=everything)
            (read,) = read_pokerstars(room).hands
            assert not check(read).why
            assert everything or cards_in(room.replace(past.table, "")) <= seen
            assert room.count("Dealt to Player 0 [") >= 1
            assert game == "stud" or room.count("Dealt to") == 1


@pytest.mark.parametrize("game", ["anaconda", "kuhn"])
def test_games_that_a_format_cannot_say(client, game):
    bo = Guest(client, "Bo")
    table = bo.table(
        game=game, agents=["call"] * (3 if game == "anaconda" else 1), seats=4 if game == "anaconda" else 2
    )
    play(bo, table, 1)
    bo.post(f"/tables/{table}/leave")
    refused(bo.get(f"/hands/{table}-1/phh"), 422, "no_format")
    refused(bo.get(f"/hands/{table}-1/pokerstars"), 422, "no_format")
    assert bo.get(f"/hands/{table}-1").status_code == 200
