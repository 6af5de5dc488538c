"""Shipped champions: small, named, and what their own experiments make again, bit for bit."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.players.cfr import files as blueprints
from cardwin.players.champions import COMMANDS, FOLDER, names
from cardwin.players.network import by_hand
from cardwin.players.network.atlas import SHIPPED_FILE, load_atlas
from cardwin.players.network.files import SUFFIX, load_network
from cardwin.players.registry import player
from cardwin.players.robots.robot import expert_matrix, load_matrix
from cardwin.players.xcs import files
from cardwin.players.xcs.training.holdem import HoldemExperiment
from cardwin.results.match import judge_match
from cardwin.runs import launch
from cardwin.runs.experiment import as_toml, check
from make_champions import experiment_of, make
from support import answer

NL = holdem_game("holdem-nl", {})
MATRICES, NETWORKS = names(".json"), names(SUFFIX)
LARGER = {SHIPPED_FILE.suffix: 350_000, ".cfr": 6_000_000, ".xcs": 500_000}  # bytes
TRAINED = [name for name in names(".xcs") if name in COMMANDS]
EVOLVED = [
    SHIPPED_FILE.name,
    *(f"{name}.json" for name in MATRICES if name != "old-start"),
    *(f"{name}{SUFFIX}" for name in NETWORKS if name not in by_hand.NAMES),
]


def lineage_of(path: Path) -> dict[str, str]:
    if path.suffix == SUFFIX:
        return load_network(path).lineage
    if path.suffix == SHIPPED_FILE.suffix:
        return dict(load_atlas(path).lineage)
    found: dict[str, str] = json.loads(path.read_text())["lineage"]
    return found


def content_of(path: Path) -> tuple[list[bytes], dict[str, str]]:
    """What a champion is: its numbers, bit by bit, and its lineage with the settings that its version did not have."""
    if path.suffix == SUFFIX:
        numbers = [load_network(path).form.weights.tobytes()]
    elif path.suffix == SHIPPED_FILE.suffix:
        atlas = load_atlas(path)
        numbers = [atlas.cells.tobytes(), atlas.weights.tobytes(), atlas.values.tobytes()]
    else:
        numbers = [load_matrix(path).tobytes()]
    lineage = lineage_of(path)
    settings = as_toml(check(tomllib.loads(lineage["experiment"]), path.name))
    return numbers, {**lineage, "experiment": settings}


def origin_of(path: Path) -> object:
    """What made a champion: its experiment, or for rules whom they met, how long and with what seed."""
    if path.suffix == ".xcs":
        about = files.read(path).about
        return about["against"] and about["hands"] and about["seed"]
    if path.suffix == ".cfr":
        about = blueprints.read(path).about
        return about["iterations"] and about["seed"]
    return lineage_of(path)["experiment"]


def test_all_are_small_and_tell_where_they_come_from() -> None:
    assert "old-start" in MATRICES
    for path in FOLDER.glob("*[!y]"):
        if path.is_file():
            assert path.stat().st_size < LARGER.get(path.suffix, 100_000)
            assert path.suffix in (".py", ".toml") or origin_of(path)


def test_the_head_start_is_the_experts() -> None:
    assert np.abs(load_matrix(FOLDER / "old-start.json") - expert_matrix()).max() < 1e-12
    assert player("matrix:old-start")


def test_networks_by_hand_are_what_their_module_writes() -> None:
    for name, nodes in by_hand.NAMES.items():
        form = by_hand.by_hand(nodes)
        assert np.array_equal(load_network(FOLDER / f"{name}{SUFFIX}").form.weights, form.weights)
        hidden = form.weights[: form.shape.split].reshape(-1, form.shape.hidden)
        assert int(hidden.any(axis=0).sum()) == nodes


def test_networks_by_hand_beat_every_robot_heads_up() -> None:
    """As the issue states it; a search over the same weights should do better than this."""
    for name in by_hand.NAMES:
        for robot in ("fold", "call", "raise", "random", "call-or-raise", "all-in"):
            record = match(NL, [f"net:{name}", robot], 4_000, seed=5, options=MatchOptions(duplicate=True))
            assert judge_match(record).players[0].low > 0, (name, robot)


def test_each_has_a_command_that_resolves_to_its_lineage() -> None:
    """What was written down is what ran: the command's experiment is the one in the file, key by key."""
    assert set(COMMANDS) == {Path(name).stem for name in EVOLVED} | set(TRAINED)
    for name in TRAINED:
        experiment, about = experiment_of(COMMANDS[name]["command"]), files.read(FOLDER / f"{name}.xcs").about
        assert isinstance(experiment, HoldemExperiment)
        assert about["encoding"] == experiment.encoding.as_dict()
        assert (about["against"], about["hands"], about["seed"]) == (
            list(experiment.against), experiment.hands, experiment.seed
        )  # fmt: skip
    for name in EVOLVED:
        made, lineage = COMMANDS[Path(name).stem], lineage_of(FOLDER / name)
        assert lineage["population"] == made["population"]
        kept = check(tomllib.loads(lineage["experiment"]), name)  # whose keys may have names of an earlier version
        assert as_toml(experiment_of(made["command"])) == as_toml(kept)


@pytest.mark.parametrize(
    "command",
    [
        "cardwin match call raise",
        "cardwin evolve neuro --out x --seed 1",
        "cardwin train xcs --game holdem-limit --hands 9 --seed 1",
        "cardwin train cfr --game holdem-limit --against call --hands 9 --seed 1",
    ],
)
def test_only_commands_that_can_be_made_again_are_read(command: str) -> None:
    with pytest.raises(InputError, match="should read"):
        experiment_of(command)


def test_rules_are_made_again_as_the_command_leaves_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "train xcs:N=100,every=200,deals=2,final_deals=2 --game holdem-limit --against call --hands 400 --seed 3"
    monkeypatch.setitem(COMMANDS, "small", {"command": f"cardwin {words}", "population": "rules"})
    (made,) = make(["small"], tmp_path)
    left = answer(*words.split(), "--no-report", "--out", str(tmp_path / "run"))["file"]
    assert made.name == "small.xcs"
    assert made.read_bytes() == Path(left).read_bytes()


@pytest.mark.slow  # evolutions of up to minutes each
@pytest.mark.parametrize("name", EVOLVED)
def test_champions_are_what_their_commands_make(name: str, tmp_path: Path) -> None:
    make([Path(name).stem], tmp_path, workers=2)
    assert content_of(tmp_path / name) == content_of(FOLDER / name)


@pytest.mark.slow  # a million hands
def test_rules_that_beat_loki_are_what_their_command_makes(tmp_path: Path) -> None:
    make(["loki-beater"], tmp_path)
    assert (tmp_path / "loki-beater.xcs").read_bytes() == (FOLDER / "loki-beater.xcs").read_bytes()


@pytest.mark.slow  # a whole run with its report
def test_the_command_itself_leaves_the_same_file(tmp_path: Path) -> None:
    experiment = tmp_path / "again.toml"
    experiment.write_text(as_toml(experiment_of(COMMANDS["old-best"]["command"])))
    launch.evolve(str(experiment), launch=launch.Launch(tmp_path / "run"))
    assert content_of(tmp_path / "run" / "champions" / "red.json") == content_of(FOLDER / "old-best.json")
