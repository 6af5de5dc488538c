"""What the page is told of an evolution: the map, the line of champions, the hall; digests stay as they were."""

import base64
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardwin
from cardwin.evolution import hall as archive
from cardwin.runs import launch
from cardwin.runs.experiment import presets
from cardwin.runs.trainers import evolution
from cardwin.web import processes
from cardwin.web.population_map import MAX_FRAMES, NO_SKETCHES, principal_axes
from web.served import client_of

KUHN = ["generations=40", "population.size=30", "hall.capacity=20"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of several kinds."""
    folder = tmp_path_factory.mktemp("home")
    cardwin.evolve("kuhn-coevolution", KUHN, seed=1, out=folder / "kuhn")
    launch.begin(
        "xcs-problem",
        {"problem": "multiplexer-6", "every": 100, "trials": 900},
        1,
        launch.Launch(folder / "rules", report=False),
    )
    launch.begin(
        "match",
        {"players": ["call", "random"], "hands": 400, "game": "holdem-nl"},
        1,
        launch.Launch(folder / "match", report=False),
    )
    return folder


def evolution_of(home: Path, name: str) -> Any:
    found = client_of(home).get(f"/api/runs/{name}/evolution")
    assert found.status_code == 200, found.text
    return found.json()


def points(own: dict[str, Any]) -> Any:
    flat = np.frombuffer(base64.b64decode(own["points"]), np.uint8)
    return flat.reshape(len(own["generation"]), own["members"], 2)


def test_the_map_has_a_frame_for_each_generation_and_moves(home: Path) -> None:
    found = evolution_of(home, "kuhn")
    assert (found["map"]["kind"], found["last"]) == ("genes", 39)
    for own in found["map"]["populations"].values():
        assert own["generation"] == list(range(40))
        frames = points(own)
        assert frames.shape == (40, 31, 2)
        assert (frames[0] != frames[-1]).any()
        assert frames.min() >= 0
        assert frames.max() == 255
        assert own["spread"][0] > own["spread"][-1]
        ranks = np.frombuffer(base64.b64decode(own["ranks"]), np.uint8).reshape(40, 31)
        assert (ranks.max(axis=1) == 255).all()
        assert (ranks[:, 0] == 255).all(), "the champion, who comes first, is the fittest"
        assert 0 < sum(own["shares"]) <= 1 + 1e-9
    later = client_of(home).get("/api/runs/kuhn/evolution?since=39").json()
    assert later == {"last": 39}


def test_the_line_of_champions_and_the_hall(home: Path) -> None:
    for own in evolution_of(home, "kuhn")["line"]["populations"].values():
        assert own["generation"] == list(range(40))
        assert len(base64.b64decode(own["columns"])) == 40 * own["numbers"]
        assert len(own["unbroken"]) == 40
        assert any(own["unbroken"])
        hall = own["hall"]
        assert hall["kind"] == "hall"
        assert hall["counts"][0] == 1
        assert hall["counts"][-1] == archive.SKETCHED_HALL
        assert len(base64.b64decode(hall["cells"])) == len(hall["generation"]) * 12 * hall["numbers"]


def test_rules_have_a_map_and_are_told_step_by_step(home: Path) -> None:
    found = evolution_of(home, "rules")
    assert found["map"]["kind"] == "rules"
    assert len(found["map"]["populations"]["rules"]["generation"]) == 9
    client = client_of(home)
    first, last = (client.get(f"/api/runs/rules/champion?generation={step}").json() for step in (0, 8))
    assert (first["of"], last["of"]) == (0, 8)
    assert len(last["rules"]) == 12
    assert first["rules"] != last["rules"]
    assert last["rules"][0]["condition"].startswith(("if ", "whatever"))
    assert last["rules"][0]["fitness"] >= last["rules"][1]["fitness"]


def test_a_run_without_a_population_is_a_path_or_says_why_not(home: Path) -> None:
    found = evolution_of(home, "match")
    assert found["map"]["kind"] in ("figures", "none")
    assert found["line"]["populations"] == {}
    assert "population" in found["map"]["text"]


def test_a_run_of_an_earlier_version_says_that_it_has_no_map(tmp_path: Path) -> None:
    cardwin.evolve("kuhn-coevolution", ["generations=5"], seed=1, out=tmp_path / "old")
    with sqlite3.connect(tmp_path / "old" / "run.db") as db:
        for label in ("sketch", "sketch_fitness"):
            db.execute(f"ALTER TABLE arrays DROP COLUMN {label}")
    found = evolution_of(tmp_path, "old")
    assert found["map"] == {"kind": "none", "text": NO_SKETCHES, "populations": {}}
    assert list(found["line"]["populations"]) == ["first", "second"]
    hall = found["line"]["populations"]["first"]["hall"]
    assert (hall["kind"], hall["entered"]) == ("champions", True)
    empty = processes.prepare(tmp_path, "new", presets()["kuhn-coevolution"])
    assert evolution_of(tmp_path, empty.name)["map"]["populations"] == {}


def test_sketches_change_no_digest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_sketch = cardwin.evolve("kuhn-coevolution", KUHN, seed=5, out=tmp_path / "with")
    monkeypatch.setattr(evolution, "has_sketch", lambda *_: False)
    without = cardwin.evolve("kuhn-coevolution", KUHN, seed=5, out=tmp_path / "without")
    assert with_sketch["digest"] == without["digest"]
    assert evolution_of(tmp_path, "without")["map"]["kind"] == "none"


@pytest.mark.parametrize("count", [1, 2, 199, 200, 201, 400, 20_000])
def test_about_two_hundred_generations_of_a_run_have_a_sketch(count: int) -> None:
    chosen = [number for number in range(count) if archive.has_sketch(number, count)]
    assert chosen[0] == 0
    assert chosen[-1] == count - 1
    assert min(count, 100) <= len(chosen) <= archive.FRAMES + 1
    assert MAX_FRAMES <= archive.FRAMES


def test_long_genomes_keep_their_distances_and_short_ones_are_kept() -> None:
    rng = np.random.default_rng(1)
    few = rng.random((5, 7))
    assert np.allclose(archive.project(few), few)
    many = rng.standard_normal((40, 1_000)).astype(np.float32)
    short = archive.project(many)
    assert short.shape == (40, archive.DIMENSIONS)
    ratio = np.linalg.norm(short[1:] - short[0], axis=1) / np.linalg.norm(many[1:] - many[0], axis=1)
    assert ratio.mean() == pytest.approx(1, abs=0.25)


def test_principal_axes_are_those_of_an_ellipse() -> None:
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((4_000, 3)) * [1.0, 5.0, 2.0] + [3.0, 0.0, -1.0]
    middle, axes, shares = principal_axes(rows)
    assert middle == pytest.approx([3.0, 0.0, -1.0], abs=0.3)
    assert np.abs(axes.T) == pytest.approx(np.array([[0, 1, 0], [0, 0, 1]]), abs=0.05)
    assert shares == pytest.approx((25 / 30, 4 / 30), abs=0.02)
    _, axes, shares = principal_axes(np.zeros((3, 1)))
    assert axes.shape == (1, 2)
    assert shares == (0.0, 0.0)
