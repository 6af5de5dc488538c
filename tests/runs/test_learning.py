"""Evolution learns: best responses to the digit, equilibria to a stated distance, and the documents' own illusions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.games import game
from cardwin.players.small_games.kuhn_models import models
from cardwin.players.small_games.policies import policy
from cardwin.reports import report
from cardwin.runs import experiment, reader
from cardwin.runs.launch import Launch, evolve
from cardwin.runs.problems.small_game import seats
from cardwin.solvers.plans import best_response_value
from cardwin.solvers.tree import tree_of

VARIANTS = ("kuhn", "kuhn-breadth", "kuhn-depth", "kuhn-full")


@pytest.fixture(autouse=True)
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "write", lambda folder: folder)


def cases() -> Iterator[tuple[str, str, int]]:
    for name in VARIANTS:
        for model in models(game(name)):
            yield from ((name, model, seat) for seat in (1, 2))


def optimum(name: str, model: str, seat: int) -> float:
    tree = tree_of(game(name))
    return best_response_value(tree, seat - 1, policy(game(name), model).plan(2 - seat))


def against(model: str, seat: int) -> list[str]:
    opponents = {"first": [model] if seat == 1 else [], "second": [model] if seat == 2 else []}
    return [f"{name}.against={against}" for name, against in opponents.items()]


def best(folder: Path, preset: str, seed: int, *changes: str) -> dict[str, Any]:
    answer: dict[str, Any] = evolve(preset, changes, seed, Launch(folder))["best"][0]
    return answer


def test_there_are_thirty_six_cases() -> None:
    assert len(list(cases())) == 36


@pytest.mark.parametrize(("name", "model", "seat"), cases())
def test_our_settings_find_the_best_response(tmp_path: Path, name: str, model: str, seat: int) -> None:
    for seed in (1, 2):
        found = best(
            tmp_path / str(seed), "kuhn-best-response", seed, f"game={name}", "generations=60", *against(model, seat)
        )
        assert optimum(name, model, seat) - 1e-3 < found["value"] < optimum(name, model, seat) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("name", "model", "seat"), cases())
def test_our_settings_find_it_on_nine_seeds_of_ten(tmp_path: Path, name: str, model: str, seat: int) -> None:
    goal = optimum(name, model, seat) - 1e-3
    changes = [f"game={name}", *against(model, seat)]
    found = [best(tmp_path / str(seed), "kuhn-best-response", seed, *changes)["value"] > goal for seed in range(10)]
    assert sum(found) >= 9


@pytest.mark.parametrize(("name", "model", "seat"), cases())
def test_the_documents_settings_come_near(tmp_path: Path, name: str, model: str, seat: int) -> None:
    found = best(tmp_path / "run", f"lopez-{name}-{model}-{seat}", 1)
    assert found["value"] > optimum(name, model, seat) - 0.1


@pytest.mark.parametrize("seed", [1, 2])
def test_kuhn_coevolution_comes_within_a_hundredth(tmp_path: Path, seed: int) -> None:
    answer = evolve("kuhn-coevolution", launch=Launch(tmp_path / "run"), seed=seed)
    assert answer["exploitability"] < 0.005
    series = seats(reader.read(tmp_path / "run"))
    champions = np.mean([series[seat].metrics["best_exploitability"][-100:] for seat in (0, 1)])
    assert champions > 0.1  # a single champion is a pure strategy that others can beat; only their average is not


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS[1:])
def test_the_wider_games_come_within_a_fiftieth(tmp_path: Path, name: str) -> None:
    assert evolve(f"{name}-coevolution", launch=Launch(tmp_path / "run"), seed=1)["exploitability"] < 0.02


@pytest.mark.slow
def test_leduc_comes_within_a_fifth(tmp_path: Path) -> None:
    assert evolve("leduc-coevolution", launch=Launch(tmp_path / "run"), seed=1)["exploitability"] < 0.2


def test_plain_coevolution_circles(tmp_path: Path) -> None:
    hall = evolve("kuhn-coevolution", ["generations=2000"], 1, Launch(tmp_path / "hall"))["exploitability"]
    circling = evolve("kuhn-circling", ["generations=2000"], 1, Launch(tmp_path / "circling"))["exploitability"]
    assert hall < 0.01
    assert circling > 2 * hall


def test_the_fittest_of_many_noisy_means_is_the_luckiest(tmp_path: Path) -> None:
    found = best(tmp_path / "run", "lopez-sampled", 1, "generations=20")
    assert found["fitness"] > 1 / 12 + 0.05  # what it seems to win, against the most that can be won
    assert found["value"] < 1 / 12 + 1e-9


@pytest.mark.parametrize("play", ["sampled", "drawn", "pooled"])
def test_games_played_out_tend_to_the_exact_value(play: str, tmp_path: Path) -> None:
    changes = ["generations=1", "population={size=10, start='random'}", "fitness.games=200000", f"fitness.play={play}"]
    found = best(tmp_path / "run", "lopez-sampled", 1, *changes)
    assert abs(found["fitness"] - found["value"]) < 0.02


@pytest.mark.parametrize("play", ["sampled", "drawn"])
def test_two_populations_live_through_the_same_games(play: str, tmp_path: Path) -> None:
    changes = ["generations=1", f"fitness.play={play}", "population={size=30, start='random'}"]
    evolve("lopez-coevolution", changes, 1, Launch(tmp_path / "run"))
    first, second = (seats(reader.read(tmp_path / "run"))[seat].metrics["mean"][0] for seat in (0, 1))
    assert np.isclose(first, -second)


def test_pooled_games_have_the_noise_of_their_number(tmp_path: Path) -> None:
    """Against a population too: the measured mean differs from the exact value by about 1.3 / sqrt(games)."""
    wrong = {}
    for games in (100, 10_000):
        changes = [
            "generations=1",
            "fitness.play=pooled",
            f"fitness.games={games}",
            "population={size=200, start='random'}",
        ]
        evolve("lopez-coevolution", changes, 1, Launch(tmp_path / str(games)))
        series = seats(reader.read(tmp_path / str(games)))[0]
        wrong[games] = series.metrics["best"][0] - series.metrics["best_value"][0]
    assert 0.1 < wrong[100] < 0.6
    assert abs(wrong[10_000]) < 0.06


def test_fair_play_deals_every_hand_once(tmp_path: Path) -> None:
    """Without luck in the betting nothing is left to chance."""
    seeded = ["population={size=4, start='random', seeded=['caller','folder','safe','shy']}", "generations=1"]
    found = best(tmp_path / "run", "lopez-sampled-fair", 1, *seeded, *against("caller", 1), "fitness.games=1")
    assert np.isclose(found["fitness"], found["value"])


def test_fair_play_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match=r"fitness\.fair.*fitness\.play"):
        experiment.load("lopez-sampled-fair", ["fitness.play=drawn"])


def test_choices_and_cleaning_learn_the_one_card_game(tmp_path: Path) -> None:
    answer = evolve("morsomme-hall", ["generations=600"], 1, Launch(tmp_path / "run"))
    assert answer["exploitability"] < 0.1
    genes = answer["best"][1]["genes"]
    assert set(genes) <= {0.0, 1.0}
    tree = tree_of(game("onecard"))
    for text, gene in zip(tree.sequences[1].infosets, genes, strict=True):
        if text.startswith("4") or text.endswith("bet"):
            assert gene == 1.0, text
