"""Classifier systems on the page: those of the package and of finished runs are listed and sit down."""

import json
from pathlib import Path

import pytest

from cardwin.players.champions import names
from cardwin.runs import champions
from support import answer
from web.served import Person, client_of


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with finished trainings: at hold'em, and on a problem whose rules play nothing."""
    folder = tmp_path_factory.mktemp("home")
    answer("train", "xcs:N=100,every=200,deals=2,final_deals=2", "--game", "holdem-limit", "--against", "call",
           "--hands", "200", "--seed", "3", "--no-report", "--out", str(folder / "rules"))  # fmt: skip
    answer("train", "xcs", "--problem", "multiplexer-6", "--trials", "200", "--seed", "1", "--no-report", "--out",
           str(folder / "problem"))  # fmt: skip
    return folder


def test_rules_of_runs_and_of_the_package_are_listed(home: Path) -> None:
    found = client_of(home).get("/api/players").json()
    assert {f"xcs:{name}" for name in names(".xcs")} <= {one["spec"] for one in found["players"]}
    assert [one["spec"] for one in found["champions"]] == ["champion:rules/rules.xcs"]
    assert [one.game for one in champions.run_champions(home)] == [None]


@pytest.mark.parametrize("spec", ["champion:rules/rules.xcs", *(f"xcs:{name}" for name in names(".xcs"))])
def test_they_play_a_hand_with_a_person(spec: str, home: Path) -> None:
    with Person(client_of(home), "holdem-limit", ["person", spec], seed=4).sits() as sat:
        sat.say(do="deal")
        while not sat.seen["over"]:
            sat.act("call" if sat.seen["to_call"] else "check")
        assert sat.seen["over"]


def test_rules_of_a_problem_do_not_sit_down(home: Path) -> None:
    body = {"game": "holdem-limit", "players": ["person", "champion:problem/rules.safetensors"], "seed": 1}
    refused = client_of(home).post("/api/tables", json=body)
    assert refused.status_code == 400, refused.text
    assert "unknown champion" in refused.text


def test_a_champion_that_is_written_again_is_read_again(tmp_path: Path) -> None:
    answer("evolve", "kuhn-coevolution", "--set", "generations=1", "--set", "population.size=10", "--seed", "1",
           "--no-report", "--out", str(tmp_path / "run"))  # fmt: skip
    file = next((tmp_path / "run" / "champions").glob("*.json"))
    policy = json.loads(file.read_text(encoding="utf-8"))
    for game in (policy["game"], "leduc"):
        file.write_text(json.dumps(policy | {"game": game}), encoding="utf-8")
        assert [one.game for one in champions.run_champions(tmp_path) if one.spec.endswith(file.name)] == [game]
