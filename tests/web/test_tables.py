"""A table through its socket: played to the end, and unmoved by whatever else is sent."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from cardwin.games.formats.phh import replay_text
from web.served import SOCKETS, Person, client_of


def test_a_table_is_opened_with_its_id_socket_and_token(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    body = {"game": "holdem-nl", "players": ["person", "call", "random"], "seed": 1}
    answer = client.post("/api/tables", json=body).json()
    assert answer["socket"] == f"ws://127.0.0.1:8765/api/tables/{answer['id']}/socket"
    assert len(answer["token"]) > 20
    assert answer["players"] == ["person", "call", "random"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"game": "holdem-nl", "players": ["call", "random"]}, "person"),
        ({"game": "chess", "players": ["person", "call"]}, "unknown game"),
        ({"game": "kuhn:cards=9999", "players": ["person", "uniform"]}, "unknown game"),
        ({"game": "kuhn", "players": ["person", "uniform", "uniform"]}, "expected 2 players"),
        ({"game": "holdem-nl", "players": ["person"]}, "players"),
        ({"game": "holdem-nl", "players": ["person", "python:os:system"]}, "unknown player"),
        ({"game": "holdem-nl", "players": ["person", "net:/etc/passwd"]}, "file"),
        ({"game": "holdem-nl", "players": ["person", "v3:file=../../x.json"]}, "file"),
        ({"game": "holdem-nl", "players": ["person", "loki:file=x.json"]}, "file"),
        ({"game": "kuhn", "players": ["person", "../../etc/passwd"]}, "unknown policy"),
        ({"game": "kuhn", "players": ["person", "x.json"]}, "unknown policy"),
        ({"game": "kuhn", "players": ["person", "champion:../x/hall.json"]}, "unknown run"),
        ({"game": "holdem-nl", "players": ["person", "v1:rollouts=999999"]}, "1000"),
        ({"game": "holdem-nl", "players": ["person", "call"], "seed": -1}, "seed"),
        ({"game": "holdem-nl", "players": ["person", "call"], "more": 1}, "more"),
    ],
)
def test_what_a_browser_may_not_name_is_refused_with_a_reason(body: dict[str, Any], said: str, tmp_path: Path) -> None:
    answer = client_of(tmp_path).post("/api/tables", json=body)
    assert 400 <= answer.status_code < 500
    assert said in answer.json()["error"]


def test_messages_that_are_wrong_get_a_reason_and_change_nothing(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "holdem-nl", ["person", "call", "random"])
    with person.sits() as sat:
        sat.say(do="deal")
        before = json.loads(person.frames[-1])
        turn = before["turn_number"]
        wrong: list[Any] = [
            {"do": "deal"},  # the hand is not over
            {"do": "act", "turn": turn - 1, "move": "fold"},  # late
            {"do": "act", "turn": turn, "move": "bet 1"},
            {"do": "act", "turn": turn, "move": "dance"},
            {"do": "act", "turn": turn, "move": 7},
            {"do": "act", "turn": "now", "move": "call"},
            {"do": "act", "turn": turn},
            {"do": "act", "move": "call"},
            {"do": "why", "hand": 1, "event": 0},
            {"do": "why", "hand": 10**30, "event": 0},
            {"do": "sing"},
            {},
            [],
            None,
            "call",
            3,
            [[[[[]]]]],
            {"do": ["act"]},
        ]
        for message in wrong:
            sat.socket.send_text(json.dumps(message))
            said = sat.read()
            assert said["type"] == "refused", message
            assert said["reason"]
        for text in ("", "{", "nul", "[" * 1500, "x" * 5000, '{"do": "act", "turn": 1e999}'):
            sat.socket.send_text(text)
            assert sat.read()["type"] == "refused"
        sat.socket.send_bytes(b"\x00\xff")
        assert sat.read()["type"] == "refused"
        assert sat.say(do="look") == before


def test_a_double_click_acts_once(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "holdem-nl", ["person", "call"])
    with person.sits() as sat:
        sat.say(do="deal")
        turn = sat.seen["turn_number"]
        for _ in range(2):
            sat.socket.send_json({"do": "act", "turn": turn, "move": "call"})
        first, second = sat.read(), sat.read()
        assert first["type"] == "look"
        assert second["type"] == "refused"
        assert f"turn {turn}" in second["reason"]


def test_two_people_see_their_own_cards_and_take_their_own_turns(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "holdem-nl", ["person", "person"])
    tokens = person.opened["tokens"]
    with (
        person.client.websocket_connect(person.address(tokens["0"])) as one,
        person.client.websocket_connect(person.address(tokens["1"])) as two,
    ):
        one.receive_json(), two.receive_json()
        one.send_json({"do": "deal"})
        seen = [one.receive_json(), two.receive_json()]
        assert [list(look["cards"]) for look in seen] == [["0"], ["1"]]
        actor = seen[0]["turn"]
        other = (one, two)[1 - actor]
        other.send_json({"do": "act", "turn": seen[0]["turn_number"], "move": "call"})
        assert other.receive_json()["type"] == "refused"
        (one, two)[actor].send_json({"do": "act", "turn": seen[0]["turn_number"], "move": "fold"})
        assert one.receive_json()["over"]
        assert two.receive_json()["over"]


def test_a_closed_tab_comes_back_to_its_table_and_a_stranger_does_not(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "leduc", ["person", "equilibrium"])
    with person.sits() as sat:
        before = sat.say(do="deal")
    with person.sits() as sat:
        assert sat.seen == before
    for address in (person.address("wrong"), f"{SOCKETS}/api/tables/nosuch/socket?token=x"):
        with pytest.raises(WebSocketDisconnect), person.client.websocket_connect(address):
            pass
    assert person.client.get(f"/api/tables/{person.opened['id']}?token=wrong").status_code == 404


def test_one_table_ends_nobody_elses_game(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    good, bad = Person(client, "kuhn", ["person", "uniform"]), Person(client, "kuhn", ["person", "uniform"])
    with good.sits() as sat:
        sat.say(do="deal")
        with bad.sits() as other:
            other.socket.send_text("x" * 10_000)
            other.read()
        assert sat.act(sat.moves()[0])["type"] == "look"


@pytest.mark.parametrize("game", ["kuhn", "leduc", "onecard"])
def test_what_a_decision_gives_away_is_exact(game: str, tmp_path: Path) -> None:
    """Against the equilibrium nobody who plays it gives anything away; folding the best hand does."""
    person = Person(client_of(tmp_path), game, ["person", "uniform"], open_cards=True)
    with person.sits() as sat:
        given = []
        for _ in range(40):
            sat.say(do="deal")
            while not sat.seen["over"]:
                sat.act(sat.moves()[0])
            given += list(sat.seen["ev_loss"].values())
        assert min(given) == 0
        assert max(given) > 0
        assert sat.seen["score"]["ev_loss"] == pytest.approx(sum(given) / 40)


def test_a_hand_is_saved_as_phh_that_replays_to_the_same_stacks(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "holdem-nl", ["call", "person", "random"], seed=4)
    with person.sits() as sat:
        for hand in range(1, 6):
            sat.say(do="deal")
            while not sat.seen["over"]:
                sat.act(sat.moves()[min(1, len(sat.moves()) - 1)])
            won = next(event for event in sat.seen["events"] if event["what"] == "ended")["won"]
            address = f"/api/tables/{person.opened['id']}/hands/{hand}.phh?token={person.opened['token']}"
            (replayed,) = replay_text(person.client.get(address).text)
            assert replayed.final_stacks is not None, replayed.reason
            assert sorted(int(stack) - 10_000 for stack in replayed.final_stacks) == sorted(won)


def test_a_finished_table_is_there_after_a_restart_for_its_owner_only(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "holdem-nl", ["person", "fold"])
    with person.sits() as sat:
        for _ in range(3):
            sat.say(do="deal")
            while not sat.seen["over"]:
                sat.act("call" if "call" in sat.moves() else "check")
    again = client_of(tmp_path)
    (row,) = again.get("/api/tables").json()["tables"]
    assert (row["id"], row["hands"], row["open"]) == (person.opened["id"], 3, False)
    found = again.get(f"/api/tables/{row['id']}?token={person.opened['token']}").json()
    assert [hand["number"] for hand in found["hands"]] == [1, 2, 3]
    assert found["chips"] == sat.seen["score"]["chips"]
    assert again.get(f"/api/tables/{row['id']}?token=wrong").status_code == 404
    assert again.get("/api/tables/..%2f..%2fetc?token=x").status_code == 404
