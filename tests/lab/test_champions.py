"""Shipped champions: small, named, and what their own experiments make again, bit for bit."""

import json
from pathlib import Path

import numpy as np
import pytest

from cardwin.lab import launch
from cardwin.players.champions import FOLDER, names
from cardwin.players.network.saved import SUFFIX, load_network
from cardwin.players.registry import player
from cardwin.players.robots import expert_matrix, load_matrix

MATRICES, NETWORKS = names(".json"), names(SUFFIX)
EVOLVED = [*(f"{name}.json" for name in MATRICES if name != "old-start"), *(f"{name}{SUFFIX}" for name in NETWORKS)]


def lineage_of(path: Path) -> dict[str, str]:
    if path.suffix == SUFFIX:
        return load_network(path).lineage
    found: dict[str, str] = json.loads(path.read_text())["lineage"]
    return found


def test_all_are_small_and_tell_where_they_come_from() -> None:
    assert "old-start" in MATRICES
    for path in FOLDER.glob("*[!y]"):
        if path.is_file():
            assert path.stat().st_size < 100_000
            assert path.suffix == ".py" or lineage_of(path)["experiment"]


def test_the_head_start_is_the_experts() -> None:
    assert np.abs(load_matrix(FOLDER / "old-start.json") - expert_matrix()).max() < 1e-12
    assert player("matrix:old-start")


@pytest.mark.slow
def test_champions_are_what_their_experiments_make(tmp_path: Path) -> None:
    for name in EVOLVED:
        check_again(FOLDER / name, tmp_path / name)


def check_again(shipped: Path, tmp_path: Path) -> None:
    tmp_path.mkdir()
    lineage = lineage_of(shipped)
    file = tmp_path / "again.toml"
    file.write_text(lineage["experiment"])
    launch.evolve(str(file), out=tmp_path / "run", workers=2)
    again = tmp_path / "run" / "champions" / f"{lineage['population']}{shipped.suffix}"
    assert again.read_bytes() == shipped.read_bytes()
