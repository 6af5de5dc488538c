"""Hold'em players evolved by tournaments: one digest however it is run, halls by the document's rule, and learning."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.core.executor import Serial, Threads
from cardwin.core.rng import generator_of
from cardwin.evolution import Hall
from cardwin.games.holdem import holdem_game
from cardwin.players.network.files import load_network
from cardwin.players.network.preflop import SITUATIONS, preflop_chances
from cardwin.players.registry import player
from cardwin.reports import report
from cardwin.results.match import judge_match
from cardwin.runs import launch, reader
from cardwin.runs.experiment import load, presets
from cardwin.runs.problems.tournament import TournamentEvolutionExperiment
from cardwin.runs.problems.tournament.problem import TournamentEvaluation, TournamentProblem
from cardwin.runs.run import Progress

SMALL = (
    "population.size=20",
    "tournaments=3",
    "generations=4",
    "network.odds=none",
    "save_seconds=0",
    "hall.capacity=6",
)
OURS = [name for name, values in presets().items() if values.get("kind") == "tournament-evolution"]


def experiment_of(name: str, *changes: str) -> TournamentEvolutionExperiment:
    experiment = load(name, changes, 1)[1]
    assert isinstance(experiment, TournamentEvolutionExperiment)
    return experiment


def evolved(folder: Path, workers: int = 1, name: str = "neuro-2pop", *changes: str) -> dict[str, Any]:
    return launch.evolve(name, (*SMALL, *changes), 1, launch.Launch(folder, workers=workers))


def test_one_digest_with_one_worker_and_two_stopped_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = evolved(tmp_path / "one")
    monkeypatch.setattr(report, "write", lambda folder: folder)  # one report is enough
    assert evolved(tmp_path / "two", 2)["digest"] == whole["digest"]

    def stop(progress: Progress) -> None:
        if progress.generation == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        launch.evolve("neuro-2pop", SMALL, 1, launch.Launch(tmp_path / "three", workers=1, watch=stop))
    resumed = launch.resume(tmp_path / "three", launch.Launch(workers=2))
    assert resumed["digest"] == whole["digest"]
    for name in ("red", "blue"):
        files = [(tmp_path / run / "champions" / f"{name}.safetensors").read_bytes() for run in ("one", "three")]
        assert files[0] == files[1]
    assert (tmp_path / "one" / "report.html").stat().st_size > 10_000
    data = reader.read(tmp_path / "one")
    assert set(data.populations) == {"red", "blue"}
    assert data.populations["red"].metrics["hall"].tolist() == [0, 2, 4, 6]
    assert load_network(tmp_path / "one" / "champions" / "red.safetensors").lineage["population"] == "red"


def test_the_report_shows_the_champion_that_the_final_chose(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    evolved(folder, 1, "neuro", "generations=2", "final=8")
    form = load_network(folder / "champions" / "red.safetensors").form
    last = reader.read(folder).populations["red"].arrays["champion"][-1]
    assert not np.array_equal(form.weights, last), "the final chose another than the best of the last generation"
    with next(folder.rglob("preflop-red.csv")).open(encoding="utf-8") as file:
        drawn = [float(row[f"fold, {SITUATIONS[0].title}"]) for row in csv.DictReader(file)]
    assert np.allclose(drawn, preflop_chances(form, SITUATIONS[0])[:, 0], atol=1e-4)


@pytest.mark.parametrize("name", OURS)
def test_every_preset_runs(name: str, tmp_path: Path) -> None:
    changes = ["generations=2", "matrix.rollouts=2", "hall.capacity=0"]
    if name == "neuro-es":
        changes += ["final=40", "field.deals=10", "field.rings=5"]
    answer = evolved(tmp_path / "run", 1, name, *changes)
    assert 0 <= answer["outlived"] <= 1 if name != "neuro-es" else -3.4 <= answer["fitness"] <= 2.4
    assert len(answer["best"]) == len(presets()[name].get("populations", ["red"]))
    for path in answer["champions"]:
        spec = f"net:{path}" if path.endswith(".safetensors") else f"matrix:{path},rollouts=2"
        assert match(holdem_game("holdem-nl", {}), [spec, "call"], 20, 1).report.faults == (0, 0)
    assert player(spec)


def test_fitness_is_minus_the_mean_place_of_everybody_together() -> None:
    experiment = experiment_of("neuro-2pop", *SMALL)
    problem = TournamentProblem(experiment)
    rng = generator_of(1)
    asked = {name: rng.uniform(-1, 1, (20, 783)).astype(np.float32) for name in ("red", "blue")}
    halls = {name: problem.hall(name, 1) for name in asked}
    halls["red"].add(rng.uniform(-1, 1, (3, 783)).astype(np.float32), np.zeros(3))
    judged = problem.evaluate(asked, halls, 5, Serial())
    assert isinstance(judged, TournamentEvaluation)
    everybody = np.concatenate(
        [-judged.fitness["red"], -judged.fitness["blue"], -judged.value[judged.hall_members["red"]]]
    )
    assert len(everybody) == 43
    # Places 1 to 43 are all given away in every tournament.
    assert abs(everybody.mean() - 22) < 1e-9
    assert everybody.min() >= 1


def test_fitness_by_choice() -> None:
    genomes = generator_of(3).uniform(-1, 1, (20, 783)).astype(np.float32)
    found = {}
    for name in ("place", "hands", "chips", "wins"):
        problem = TournamentProblem(experiment_of("neuro", *SMALL, f"fitness={name}"))
        sums, _ = problem.series.play(genomes, 9, 30, Serial())
        found[name] = problem.value(sums)
    assert (found["place"] == -sums.places / 30).all()
    assert (found["wins"] == sums.wins / 30).all()
    assert (found["chips"] == sums.won / sums.hands).all()
    # Somebody comes out ahead of every hand, seldom two, and the one who wins it all took some.
    assert (found["hands"] == sums.taken / 30).all()
    assert (sums.taken <= sums.hands).all()
    assert sums.hands.sum() / 10 <= sums.taken.sum() <= sums.hands.sum() / 2
    assert (sums.taken >= sums.wins).all()


def test_without_aggressiveness_everybody_counts_as_a_caller() -> None:
    with_report, untold = (experiment_of("neuro", *SMALL, f"network.aggression={word}") for word in ("true", "false"))
    genomes = generator_of(3).uniform(-1, 1, (20, 783)).astype(np.float32)
    blind = genomes.copy()
    blind[:, 15 * 20 : 35 * 20] = 0.0  # from aggression_0 on to recent_9

    def places(experiment: TournamentEvolutionExperiment, rows: Any) -> list[float]:
        problem = TournamentProblem(experiment)
        sums, _ = problem.series.play(rows, 9, 5, Serial())
        return [float(place) for place in sums.places]

    assert places(with_report, genomes) != places(untold, genomes)
    assert places(with_report, blind) == places(untold, blind)


def test_the_kept_enter_the_hall_and_futile_members_leave() -> None:
    experiment = experiment_of("neuro-hof", *SMALL)
    problem = TournamentProblem(experiment)
    asked = {"red": generator_of(2).uniform(-1, 1, (20, 783)).astype(np.float32)}
    hall = problem.hall("red", 1)
    assert isinstance(hall, Hall)
    for generation in range(5):
        judged = problem.evaluate(asked, {"red": hall}, generation, Serial())
        assert isinstance(judged, TournamentEvaluation)
        before, value = hall.members.copy(), judged.value[judged.hall_members["red"]]
        judged.admit("red", hall)
        if generation < 3:
            assert len(hall.members) == 2 * (generation + 1)
            continue
        # The document's REPLACE: only of the last two, and only by fitter ones.
        best = np.sort(judged.fitness["red"])[::-1][:2]
        gone = [row for row in range(6) if not (hall.members[row] == before[row]).all()]
        assert set(gone) <= set(np.argsort(-value, kind="stable")[-2:].tolist())
        assert all(value[row] < best[0] for row in gone)


def test_threads_add_up_to_the_same_sums() -> None:
    problem = TournamentProblem(experiment_of("neuro", *SMALL))
    genomes = generator_of(3).uniform(-1, 1, (30, 783)).astype(np.float32)
    alone, _ = problem.series.play(genomes, 9, 300, Serial())
    with Threads(2) as threads:
        shared, _ = problem.series.play(genomes, 9, 300, threads)
    assert alone.tournaments == shared.tournaments == 300
    for name in ("places", "wins", "hands", "won"):
        assert getattr(alone, name).tolist() == getattr(shared, name).tolist()
    assert alone.wins.sum() == 300


def test_evolution_learns_to_beat_those_who_look_at_nothing(tmp_path: Path) -> None:
    """Without win odds even, a champion of a short run wins chips from Random heads-up."""
    changes = ("population.size=60", "generations=12", "tournaments=20", "network.odds=none", "fitness=chips")
    answer = launch.evolve("neuro", changes, 2, launch.Launch(tmp_path / "run"))
    record = match(
        holdem_game("holdem-nl", {}),
        [f"net:{answer['champions'][0]}", "random"],
        20_000,
        3,
        options=MatchOptions(duplicate=True),
    )
    assert judge_match(record).players[0].low > 0


@pytest.mark.parametrize(
    ("change", "clue"),
    [
        ("network.activation=sine", "activation"),
        ("network.odds=guessed", "odds"),
        ("keep=1.0", "keep"),
        ("game=holdem-limit", "no-limit"),
        ("populations=[]", "populations"),
        ("structure.growth=1.0", "growth"),
        ("fitness=luck", "fitness"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        experiment_of("neuro", change)


def test_a_head_start_begins_around_the_expert() -> None:
    problem = TournamentProblem(experiment_of("matrix-start"))
    members = problem.initial_members("red")
    assert members.shape == (60, 120)
    spread = np.abs(members[1:] - members[0]).mean()
    assert 0.02 < spread < 0.1
    assert len(TournamentProblem(experiment_of("matrix-scratch")).initial_members("red")) == 0
