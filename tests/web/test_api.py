"""What the page's programs are told: runs, players, hands, leaderboards, papers, and that nothing else is needed."""

import time
from pathlib import Path
from typing import Any

import pytest

import cardwin
from cardwin.runs import reader
from cardwin.web import processes
from support import answer, refusal
from web.served import client_of


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run, a finished leaderboard and a finished reproduction."""
    folder = tmp_path_factory.mktemp("home")
    cardwin.evolve("kuhn-coevolution", ["generations=60"], seed=1, out=folder / "kuhn-one")
    cardwin.evolve("kuhn-coevolution", ["generations=60", "population.size=50"], seed=2, out=folder / "kuhn-two")
    cardwin.leaderboard(["call", "raise", "fold"], hands=200, seed=1, out=folder / "board")
    cardwin.reproduce("morsomme", "bluffing", seed=1, out=folder / "bluffs")
    return folder


def get(home: Path, path: str) -> Any:
    found = client_of(home).get(path)
    assert found.status_code == 200, found.text
    return found.json()


def test_what_there_is(home: Path) -> None:
    assert get(home, "/api/health")["ok"]
    games = {one["name"]: one for one in get(home, "/api/games")["games"]}
    assert games["kuhn"]["policies"][:2] == ["equilibrium", "uniform"]
    assert games["holdem-nl"]["seats"] == [2, 10]
    found = get(home, "/api/players")
    assert {"call", "v1", "loki"} <= {one["spec"] for one in found["players"]}
    assert "champion:kuhn-one/hall.json" in {one["spec"] for one in found["champions"]}
    paths = get(home, "/api/openapi.json")["paths"]
    assert {"/api/runs", "/api/tables", "/api/players", "/api/games", "/api/health"} <= set(paths)


def test_runs_are_listed_with_state_figure_and_curve(home: Path) -> None:
    runs = {one["name"]: one for one in get(home, "/api/runs")["runs"]}
    one = runs["kuhn-one"]
    assert (one["state"], one["generations"], one["of"], one["game"]) == ("finished", 60, 60, "kuhn")
    assert one["primary_metric"] == "exploitability"
    assert len(one["curve"]) == 40
    assert str(home) not in str(runs), "the page needs no paths"


def test_a_runs_champion_stands_beside_the_best_response_and_the_equilibrium(home: Path) -> None:
    for generation in (0, 30, 59, 10**6):
        found = get(home, f"/api/runs/kuhn-one/champion?generation={generation}")
        assert found["generation"] == min(generation, 59)
        for seat in found["seats"]:
            assert seat["value"] <= seat["most"] + 1e-9
            assert seat["exploitability"] >= -1e-9
            assert seat["distance"] > 0
            for one in seat["sets"]:
                for chances in (one["champion"], one["response"], one["equilibrium"]):
                    assert sum(chances) == pytest.approx(1)
    assert len(get(home, "/api/runs/kuhn-one/curves")["generation"]) == 60
    later = get(home, "/api/runs/kuhn-one/curves?since=49")
    assert later["generation"][0] == 50
    assert len(later["populations"]["first"]["metrics"]["diversity"]) == 10
    memory = get(home, "/api/runs/kuhn-one/memory")
    assert memory["scores"][3][5] == pytest.approx(-memory["scores"][5][3])
    assert get(home, "/api/runs/kuhn-one/pedigree")["populations"]["first"]["links"]


def test_runs_are_compared_in_what_they_differ(home: Path) -> None:
    found = get(home, "/api/compare?run=kuhn-one&run=kuhn-two")
    assert found["differences"]["population.size"] == [100, 50]
    assert [len(one["value"]) for one in found["runs"]] == [60, 60]
    assert client_of(home).get("/api/compare?run=kuhn-one").status_code == 400


def test_a_run_is_started_stopped_and_resumed_as_a_process_of_its_own(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    new = {"preset": "kuhn-coevolution", "values": {"generations": 5000, "seed": 3, "save_seconds": 0}}
    assert client.post("/api/runs", json=new).status_code == 400  # no field of the form
    del new["values"]["save_seconds"]  # type: ignore[attr-defined]
    name = client.post("/api/runs", json=new).json()["name"]

    def state() -> dict[str, Any]:
        found: dict[str, Any] = client.get(f"/api/runs/{name}").json()
        return found

    def until(wanted: Any) -> dict[str, Any]:
        for _ in range(600):
            if wanted(state()):
                return state()
            time.sleep(0.1)
        raise AssertionError(state())

    assert state()["state"] == "running"
    assert client.post(f"/api/runs/{name}/resume").status_code == 400  # it runs already
    until(lambda run: run["generations"] > 0 or run["state"] != "running")
    client.post(f"/api/runs/{name}/stop")
    stopped = until(lambda run: run["state"] in ("stopped", "finished"))
    if stopped["state"] == "stopped":
        assert client.post(f"/api/runs/{name}/resume").status_code == 200
        assert until(lambda run: run["generations"] > stopped["generations"])
        client.post(f"/api/runs/{name}/stop")
        until(lambda run: run["state"] in ("stopped", "finished"))
    assert client.post(f"/api/runs/{name}/stop").status_code == 400
    while processes.reap():
        time.sleep(0.1)


def test_a_run_that_gave_up_says_why(tmp_path: Path) -> None:
    values = {"kind": "small-game", "game": "kuhn", "seed": 1, "generations": 50, "first": {"against": ["rational"]}}
    folder = processes.prepare(tmp_path, "broken", values)
    processes.continue_run(folder)
    while processes.reap():
        time.sleep(0.1)
    assert reader.state_of(folder) == "finished"
    (folder / "result.json").unlink()
    (folder / "failure.txt").write_text("MemoryError: none left\n")
    found = get(tmp_path, f"/api/runs/{folder.name}")
    assert found["state"] == "failed"
    assert "none left" in found["failure"]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"population.size": 1}, "population.size"),
        ({"seed": -4}, "seed"),
        ({"search.elites": 100000}, "search.elites"),
        ({"searcher": "magic"}, "searcher"),
        ({"first.against": ["nobody"]}, ""),
        ({"first.against": ["../secret.json"]}, "first.against"),
        ({"first.against": ["python:os:system"]}, "first.against"),
        ({"fitness.play": "maybe"}, "fitness.play"),
        ({"no.such": 1}, "no"),
    ],
)
def test_every_mistake_of_a_form_is_told_at_its_field(values: dict[str, Any], field: str, tmp_path: Path) -> None:
    answered = client_of(tmp_path).post("/api/runs", json={"preset": "kuhn-coevolution", "values": values})
    assert answered.status_code == 422
    assert field in [one["field"] for one in answered.json()["fields"]]
    assert not list(tmp_path.iterdir())


def test_a_form_has_a_field_for_every_key_with_its_presets_value(home: Path) -> None:
    for preset in ("kuhn-coevolution", "neuro"):
        form = get(home, f"/api/presets/{preset}")
        fields = {one["key"]: one for one in form["fields"]}
        assert fields["generations"]["kind"] == "integer"
        assert fields["hall.enters"]["choices"] == ["best", "average"]
    assert client_of(home).get("/api/presets/nothing").status_code == 400


def test_what_a_policy_gives_away_splits_over_its_information_sets(home: Path) -> None:
    for game, spec in (("kuhn", "bluffer"), ("leduc", "uniform"), ("kuhn", "champion:kuhn-one/hall.json")):
        found = get(home, f"/api/look/policy?game={game}&spec={spec}")
        for seat in found["seats"]:
            assert sum(one["loss"] for one in seat["sets"]) == pytest.approx(seat["ev_loss"])
            assert seat["best"] - seat["value"] == pytest.approx(seat["ev_loss"])
    equal = get(home, "/api/look/policy?game=kuhn&spec=equilibrium&against=equilibrium")
    assert [seat["ev_loss"] for seat in equal["seats"]] == [0, 0]


def test_a_grid_tells_what_is_known_of_simple_players(home: Path) -> None:
    for spec, plays in (("call", [0, 1, 0]), ("raise", [0, 0, 1]), ("fold", [1, 0, 0])):
        cells = get(home, f"/api/look/grid?game=holdem-nl&spec={spec}")["cells"]
        assert len(cells) == 169
        assert all(cell["plays"] == plays and cell["reach"] == 1 for cell in cells)
    cells = get(home, "/api/look/grid?game=holdem-nl&spec=call&line=raise 300,call,check&board=AhKd2c")["cells"]
    assert all(cell["plays"] is None and cell["reach"] == 0 for cell in cells), "who never raises never comes there"
    chart = {cell["hand"]: cell for cell in get(home, "/api/look/grid?game=holdem-nl&seats=6&spec=standard")["cells"]}
    assert chart["72o"]["plays"][0] > chart["AA"]["plays"][0] == 0
    missing = get(home, "/api/look/grid?game=holdem-nl&spec=call&line=call,check")
    assert (missing["missing"], missing["cells"]) == (3, None)


def test_a_style_has_intervals_around_what_is_known(home: Path) -> None:
    figures = get(home, "/api/look/style?game=holdem-nl&spec=raise&hands=60")["figures"]
    assert figures["vpip"]["mean"] == figures["pfr"]["mean"] == 1
    assert figures["vpip"]["low"] < 1


def test_hands_leaderboards_and_papers(home: Path) -> None:
    text = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n'
        'starting_stacks = [1000, 1000]\nactions = ["d dh p1 AhAd", "d dh p2 KcKs", "p2 cbr 1000", "p1 cc", '
        '"d db 2c3d4h", "d db 8s", "d db 9d", "p1 sm AhAd", "p2 sm KcKs"]\n'
    )
    found = client_of(home).post("/api/hands", json={"text": text}).json()
    (hand,) = found["hands"]
    assert hand["odds"][0][0] == pytest.approx(0.82, abs=0.03)
    assert hand["odds"][-1] == [1, 0]
    assert hand["events"][-1]["won"] == [1000, -1000]
    wrong = client_of(home).post("/api/hands", json={"text": text.replace("cbr 1000", "cbr 120")}).json()
    assert wrong["failed"][0]["line"] == 6
    (board,) = get(home, "/api/leaderboards")["leaderboards"]
    assert {one["spec"] for one in board["players"]} == {"call", "raise", "fold"}
    found = get(home, "/api/papers")
    assert {one["name"] for one in found["papers"]} >= {"morsomme", "chen"}
    assert {one["verdict"] for one in found["reproductions"][0]["experiments"]} >= {"agrees", None}


def test_news_of_a_run_come_as_events_and_end(home: Path) -> None:
    text = client_of(home).get("/api/runs/kuhn-one/events").text
    assert text.count("event: row") == 1
    assert text.count("event: curves") == 1
    assert text.endswith("event: done\ndata: {}\n\n")


def test_the_commands_list_tells_the_state_too(home: Path) -> None:
    assert {one["state"] for one in answer("runs", "--in", str(home))["runs"]} == {"finished"}
    assert "expected a folder" in refusal("serve", "--runs", str(home / "kuhn-one" / "run.db"), "--no-open")
