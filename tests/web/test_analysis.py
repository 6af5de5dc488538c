"""A hand that is taken back at the page's table: what the socket says, and that no hidden card leaves."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from web.served import Person, Sat, client_of


def own_events(sat: Sat) -> list[int]:
    events = sat.seen["events"]
    return [place for place, event in enumerate(events) if event["what"] == "acted" and event["seat"] == 0]


def to_the_end(sat: Sat) -> None:
    while not sat.seen["over"]:
        sat.act("check" if "check" in sat.moves() else "call")


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return client_of(tmp_path)


def test_an_analysis_is_marked_hides_cards_and_changes_nothing_else(client: TestClient) -> None:
    person = Person(client, "holdem-nl", ["person", "call", "standard"], 3, open_cards=True)
    with person.sits() as sat:
        sat.say(do="deal")
        to_the_end(sat)
        score, hands = sat.seen["score"], len(person.table.interactive.hands)
        assert sat.seen["analysis"] is None
        first = own_events(sat)[0]
        theirs = {card for seat, cards in sat.seen["cards"].items() if seat != "0" for card in cards}
        found = sat.say(do="analyse", hand=1, event=first)
        assert found["analysis"] == {"hand": 1, "event": first, "played": person.table.interactive.hands[0].won[0]}
        assert not found["over"]
        assert set(found["cards"]) == {"0"}
        assert not any(f'"{card}"' in person.frames[-1] for card in theirs), "their cards are hidden again"
        assert sat.say(do="deal")["reason"] == "an analysis is open: leave it before the next hand"
        assert sat.say(do="act", turn=0, move="fold")["type"] == "refused", "a message that is late"
        hint = sat.say(do="hint", player="standard")
        assert hint["type"] == "hint"
        assert hint["hints"] == 0, "hints of an analysis are not counted"
        sat.act("fold" if "fold" in sat.moves() else "check")
        to_the_end(sat)
        assert sat.seen["score"] == score
        asked = [place for place, event in enumerate(sat.seen["events"]) if event["what"] == "acted" and event["seat"]]
        if asked:
            assert sat.say(do="why", hand=1, event=asked[0])["sentence"]
        assert sat.say(do="leave")["analysis"] is None
        assert len(person.table.interactive.hands) == hands == 1
        assert sat.seen["hand"] == 1
        assert sat.say(do="deal")["hand"] == 2
    session = client.get(f"/api/tables/{person.opened['id']}/session?token={person.opened['token']}").json()
    assert session["total"] == 1


@pytest.mark.parametrize(
    ("message", "reason"),
    [({"hand": 2, "event": 3}, "hand 2 is not over"), ({"hand": 1, "event": 0}, "not a decision of yours"),
     ({"hand": 1}, '"event" is a whole number'), ({"hand": True, "event": 3}, '"hand" is a whole number'),
     ({"hand": 1, "event": -7}, "not a decision of yours")],
)  # fmt: skip
def test_what_cannot_be_analysed_is_refused(client: TestClient, message: dict[str, Any], reason: str) -> None:
    person = Person(client, "kuhn", ["person", "equilibrium"], 3, open_cards=True)
    with person.sits() as sat:
        sat.say(do="deal")
        while not sat.seen["over"]:
            sat.act(sat.moves()[0])
        assert reason in sat.say(do="analyse", **message)["reason"]
        assert sat.say(do="look")["analysis"] is None


def test_without_open_cards_a_hand_cannot_be_taken_back(client: TestClient) -> None:
    person = Person(client, "holdem-nl", ["person", "call"], 3)
    with person.sits() as sat:
        sat.say(do="deal")
        to_the_end(sat)
        assert "hidden cards could be seen" in sat.say(do="analyse", hand=1, event=own_events(sat)[0])["reason"]
