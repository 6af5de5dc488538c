"""Networks by their style: an atlas in a file, its names, and the one that comes with Cardwin."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.match import match
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of
from cardwin.games.holdem import holdem_game
from cardwin.players.network.atlas import SHIPPED_FILE, Atlas, StyleGrid, atlas_file, load_atlas, shipped_atlas
from cardwin.players.network.inputs import NO_ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.registry import named_player, player

GRID = StyleGrid(((10, 20, 30, 60), (10, 20), (1, 2, 4)))
BINS = np.array([(2, 1, 2), (0, 0, 0), (4, 2, 3)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    weights = generator_of(1).uniform(-1, 1, (3, 783)).astype(np.float32)
    styles, values = np.array([(0.25, 0.15, 2.5), (0.05, 0.01, 0.5), (0.8, 0.5, np.inf)]), np.arange(9.0).reshape(3, 3)
    atlas = Atlas(GRID, weights, BINS, styles, values, NetworkForm(weights[0], odds=NO_ODDS), {"population": "styles"})
    file = tmp_path / "mine.atlas"
    file.write_bytes(atlas_file(atlas))
    return file


def test_saved_equals_loaded_and_equal_atlases_are_equal_files(path: Path) -> None:
    found = load_atlas(path)
    assert found.grid == GRID
    assert found.cells.tolist() == BINS.tolist()
    assert atlas_file(found) == path.read_bytes()
    assert [cell["name"] for cell in found.as_json()["cells"]] == ["20-10-2", "0-0-0", "60-20-4"]
    assert found.as_json()["cells"][2]["aggression"] is None


def test_a_style_names_the_network_of_its_cell(path: Path) -> None:
    weights = load_atlas(path).weights
    for style, row in (("27-18-2", 0), ("20-10-2", 0), ("29.9-19-3.9", 0), ("9-9-0", 1), ("100-100-50", 2)):
        found = player(f"net:{path}/{style}")
        assert isinstance(found, NetworkPlayer)
        assert found.form.weights.tolist() == weights[row].tolist()
        assert found.form.odds == NO_ODDS
        assert found.lineage["population"] == ("20-10-2", "0-0-0", "60-20-4")[row]
    game = holdem_game("holdem-nl", {})
    assert match(game, [f"net:{path}/27-18-2", f"net:{path}/5-5-0", "random"], 30, 1).report.faults == (0, 0, 0)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("{}/35-5-2", r"no network of style 35-5-2 \(VPIP 30 to 60%, PFR 0 to 10%, aggression 2 to 4\).*20-10-2"),
        ("{}/20-30-2", "PFR at most VPIP"),
        ("{}/120-30-2", "at most 100"),
        ("{}/tight", "VPIP-PFR-AGGRESSION"),
        ("{}", "expected a style"),
        ("atlas", "expected a style"),
        ("nowhere.atlas/27-18-2", "there is no file"),
    ],
)
def test_what_is_no_network_of_the_atlas_is_said_in_a_sentence(path: Path, spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        player("net:" + spec.format(path))


def test_other_files_and_edited_ones_are_refused(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match="was edited"):
        load_atlas(path)
    path.write_bytes((SHIPPED_FILE.parent / "by-hand.safetensors").read_bytes())
    with pytest.raises(InputError, match="expected an atlas"):
        load_atlas(path)
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        load_atlas(path)


def test_the_shipped_atlas_is_small_and_every_cell_has_its_network_and_its_value() -> None:
    assert SHIPPED_FILE.stat().st_size < 350_000
    atlas, shown = load_atlas(SHIPPED_FILE), shipped_atlas()
    assert len(atlas.weights) == len(shown["cells"]) >= 50
    for place, cell in enumerate(shown["cells"]):
        assert atlas.row(cell["name"]) == place
        assert cell["low"] < cell["value"] < cell["high"]
        assert cell["pfr"] <= cell["vpip"]
        assert named_player(cell["spec"]) == cell["spec"]
    assert isinstance(player(shown["cells"][0]["spec"]), NetworkPlayer)


def test_a_page_may_name_styles_of_the_shipped_atlas_only(path: Path) -> None:
    for spec in (f"net:{path}/27-18-2", "net:other.atlas/27-18-2"):
        with pytest.raises(InputError, match="names a file"):
            named_player(spec)
