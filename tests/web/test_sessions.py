"""Hints, sentences, sessions and the bin, as the page's programs get them."""

from pathlib import Path

import pytest

from cardwin.players.coach import sentence
from cardwin.runs import launch, reader
from cardwin.runs.experiment import DEFAULT_KIND, presets
from cardwin.web.forms import preset_form
from web.served import Person, client_of


def test_a_hint_in_a_small_game_is_exact(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "kuhn", ["person", "equilibrium"])
    with person.sits() as sat:
        sat.say(do="deal")
        for _ in range(20):
            hint = sat.say(do="hint") if not sat.seen["over"] else {}
            if hint:
                assert hint["exact"]
                assert {one["move"] for one in hint["choices"]} == set(sat.moves())
                worst = max(hint["choices"], key=lambda one: one["ev_loss"])
                sat.act(worst["move"])
                if sat.seen["over"] and worst["ev_loss"] > 0:
                    assert worst["ev_loss"] in sat.seen["ev_loss"].values()
                    break
            else:
                sat.say(do="deal")
        else:
            raise AssertionError("no mistake was possible in 20 turns")
        assert sat.say(do="hint")["type"] == "refused", "there is nothing to decide"
        assert sat.seen["hints"] > 0


@pytest.mark.parametrize("spec", ["standard", "loki", "random", "net:by-hand", "xcs:caller-beater"])
def test_a_hint_in_holdem_is_legal_and_depends_on_nothing_that_the_seat_does_not_know(
    spec: str, tmp_path: Path
) -> None:
    game = "holdem-limit" if spec.startswith("xcs") else "holdem-nl"
    client = client_of(tmp_path)
    person = Person(client, game, ["person", "call", "call"], seed=5)
    with person.sits() as sat:
        sat.say(do="deal")
        while not sat.seen["over"]:
            table = person.table.interactive.table
            first = sat.say(do="hint", player=spec)
            assert first["type"] == "hint", first
            assert first["move"].split(" ")[0] in {one["name"] for one in sat.seen["actions"]}
            hidden = table.tables["hole"][0].copy()
            table.tables["hole"][0, 2:6] = table.tables["hole"][0, [4, 5, 2, 3]]  # the others exchange their cards
            assert sat.say(do="hint", player=spec)["text"] == first["text"]
            table.tables["hole"][0] = hidden
            sat.act("call" if sat.seen["to_call"] else "check")


@pytest.mark.parametrize("spec", ["python:os:system", "champion:../../x", "nobody", None, 7])
def test_only_registered_players_give_hints(spec: object, tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "holdem-nl", ["person", "call"])
    with person.sits() as sat:
        sat.say(do="deal")
        assert sat.say(do="hint", player=spec)["type"] == "refused"


def test_every_kind_of_player_has_a_sentence() -> None:
    loki = {"income": 441.1, "threshold": 300.0, "rule": "Make4", "players": 1.6}
    assert sentence("loki", "raise", 300, loki, ["9s", "9h"]) == (
        "Loki raised to 300: 9♠ 9♥ earns about 441 for every 1,000 bet if everybody calls to the end, and 300 are "
        "enough to raise up to four bets."
    )
    bet = {"hs_n": 0.71, "ehs": 0.8, "ppot": 0.1, "threshold": 0.5, "rule": "bet if nobody has, else call"}
    assert sentence("loki #2", "bet", 200, bet, ["9s", "9h"]).endswith("and with 80% if it improves; it bets from 50%.")
    assert sentence("call", "call", 0, {}) == "Call called: it calls every bet, never bets."
    v1 = {"text": "win rate 55%, pot odds 0.33, return rate 1.65"}
    assert "wins 55% of its simulated hands, a call pays 33%" in sentence("v1:rollouts=10", "call", 0, v1)
    kuhn = {"plays": {"check": 0.25, "bet 1": 0.75}}
    assert sentence("equilibrium", "bet", 1, kuhn, ["K"]) == (
        "Equilibrium bet 1: with K its policy does that 75.0% of the time."
    )
    assert sentence("mine", "fold", 0, {}) == "Mine folded; it does not say why."
    net = {"outputs": {"fold": 0.7, "call": 0.2, "raise": 0.1}, "inputs": {"win_odds": 0.4}}
    assert sentence("net:by-hand", "check", 0, net) == (
        "The network checked: its outputs give that action 90%, with win odds of 40%."
    )
    blueprint = {"text": "", "probabilities": {"check": 0.47, "bet 0.5 pot": 0.4, "all-in": 0.13}}
    assert sentence("cfr:nl20", "bet", 200, blueprint, ["Ah", "Kh"]) == (
        "The blueprint bet 200: with A♥ K♥ after these bets it bets or raises 53% of the time."
    )
    always = {"text": "", "probabilities": {"check": 1.0}}
    assert sentence("cfr:nl20", "check", 0, always).endswith("its hand after these bets it always does that.")
    assert "its pot odds are 33%" in sentence("v1", "check", 0, v1), "there is nothing to call"


@pytest.mark.parametrize("open_cards", [True, False])
def test_a_session_has_only_what_the_person_may_know(open_cards: bool, tmp_path: Path) -> None:
    client = client_of(tmp_path)
    person = Person(client, "holdem-nl", ["person", "raise"], open_cards=open_cards)
    with person.sits() as sat:
        for _ in range(12):
            sat.say(do="deal")
            while not sat.seen["over"]:
                sat.act("fold" if sat.seen["to_call"] else "check")
    where = f"/api/tables/{person.opened['id']}"
    token = {"token": person.opened["token"]}
    found = client.get(f"{where}/session", params=token).json()
    assert found["total"] == len(found["hands"]) == 12
    assert found["winnings"]["chips"][-1] == sum(one["won"] for one in found["hands"])
    assert all(low <= high for low, high in zip(found["winnings"]["low"], found["winnings"]["high"], strict=True))
    text = client.get(f"{where}/session.phhs", params=token).text
    assert text.count("????") == (0 if open_cards else 12)
    assert client.post("/api/hands", json={"text": text}).json()["total"] == 12
    shown = client.get(f"{where}/hands/3.json", params=token).json()
    assert set(shown["cards"]) == ({"0", "1"} if open_cards else {"0"})
    assert client.get(f"{where}/session.csv", params=token).text.count("\n") == 13
    for path in ("session", "session.phhs", "session.csv", "hands/3.json", "hands/3.phh"):
        assert client.get(f"{where}/{path}", params={"token": "wrong"}).status_code == 404


def test_every_field_has_help_and_five_come_first() -> None:
    one_of_each = {values.get("kind", DEFAULT_KIND): name for name, values in presets().items()}
    assert len(one_of_each) >= 3
    for preset in one_of_each.values():
        form = preset_form(preset)
        assert all(one["help"] for one in form["fields"]), preset
        assert [one["first"] for one in form["fields"]] == [True] * 5 + [False] * (len(form["fields"]) - 5)


def test_a_run_is_renamed_discarded_restored_and_repeated(tmp_path: Path) -> None:
    launch.evolve("kuhn-coevolution", ["generations=4"], 1, launch.Launch(tmp_path / "one", report=False))
    client = client_of(tmp_path)
    assert client.post("/api/runs/one/title", json={"title": "  A \n b "}).status_code == 200
    assert client.get("/api/runs/one").json()["title"] == "A b"
    assert client.post("/api/runs/one/title", json={"title": " "}).status_code == 400
    form = client.get("/api/runs/one/form").json()
    assert {one["key"]: one["value"] for one in form["fields"]}["generations"] == 4
    assert client.post("/api/runs", json={"run": "one", "preset": "kuhn-coevolution"}).status_code == 400
    assert client.post("/api/runs", json={"run": "nothing"}).status_code == 404
    assert client.post("/api/runs", json={"run": "one", "values": {"generations": 0}}).status_code == 422
    for _ in range(2):
        assert client.post("/api/runs/one/discard").json() == {"name": "one"}
        assert client.get("/api/runs").json()["runs"] == []
        assert [one["name"] for one in client.get("/api/bin").json()["runs"]] == ["one"]
        assert client.post("/api/bin/one/restore").json() == {"name": "one"}
    assert reader.summary(tmp_path / "one")["finished"]
    for name in ("..", "one", "%2e%2e"):
        assert client.post(f"/api/bin/{name}/restore").status_code >= 400
