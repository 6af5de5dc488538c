"""Networks in files, and what they say of a decision."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from cardwin.analysis.hand_review import review_decisions
from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of
from cardwin.games.formats.phh import histories_of
from cardwin.games.holdem.game import holdem_game
from cardwin.players.network.decision import TABLE_3, Shape
from cardwin.players.network.files import as_json, file_of, load_network
from cardwin.players.network.inputs import NO_ODDS, POWER_ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.network.preflop import SITUATIONS, likely_hands, position_of, preflop_chances, preflop_style
from cardwin.players.registry import player

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [
  "d dh p1 AhKh", "d dh p2 7c2d", "d dh p3 QsQd",
  "p3 cbr 300", "p1 cc", "p2 f",
  "d db Jh4h9c", "p1 cc", "p3 cbr 500", "p1 cc",
  "d db 2s", "p1 cc", "p3 cc",
  "d db 3h", "p1 cbr 1000", "p3 cc", "p1 sm AhKh", "p3 sm QsQd",
]
"""


def a_network(hidden: int = 20, odds: int = NO_ODDS) -> NetworkForm:
    shape = Shape(hidden=hidden)
    return NetworkForm(generator_of(9).uniform(-1, 1, shape.weights).astype(np.float32), shape, odds)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.safetensors"
    file.write_bytes(file_of(a_network(), {"seed": "9"}))
    return file


def test_odds_are_the_same_without_their_table(monkeypatch: pytest.MonkeyPatch) -> None:
    state = holdem_game("holdem-nl", {}).start(["AhKh", "QcQd"], "2c7d9hTsJs")
    for move in ("call", "check", "check", "check", "check", "check"):
        state = state.apply(move)
    view, form = state.view(state.actor), a_network(odds=POWER_ODDS)
    with_table = NetworkPlayer(form).chances(view)
    monkeypatch.setattr(win_odds_store, "load", lambda: NO_TABLE)
    assert NetworkPlayer(form).chances(view) == with_table


def test_what_was_saved_is_loaded(path: Path) -> None:
    loaded = load_network(path)
    assert loaded.form.weights.tolist() == a_network().weights.tolist()
    assert (loaded.form.shape, loaded.form.odds, loaded.form.sizes) == (Shape(), NO_ODDS, TABLE_3)
    assert loaded.lineage == {"seed": "9"}
    assert len(path.read_bytes()) < 100_000
    built = player(f"net:{path}")
    assert isinstance(built, NetworkPlayer)
    assert built.form.layout == loaded.form.layout


def test_damaged_files_are_refused_by_name(path: Path) -> None:
    whole = path.read_bytes()
    for content in (whole[:100], whole[:-4], b"", b"no safetensors at all"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"mine\.safetensors"):
            load_network(path)


def test_edited_files_are_refused(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(InputError, match="edited"):
        load_network(path)
    path.write_bytes(file_of(a_network(), {"seed": "9"}).replace(b"tanh", b"relu"))
    with pytest.raises(InputError, match="edited"):
        load_network(path)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(path: Path, value: float) -> None:
    form = a_network()
    form.weights[5] = value
    path.write_bytes(file_of(form, {}))
    with pytest.raises(InputError, match=r"\b1\b"):
        load_network(path)


def test_other_shapes_and_other_files_are_refused(path: Path) -> None:
    path.write_bytes(file_of(NetworkForm(a_network().weights[:700], odds=NO_ODDS), {}))
    with pytest.raises(InputError, match=r"\(783,\).*\(700,\)"):
        load_network(path)
    path.write_bytes(file_of(NetworkForm(np.zeros(600, np.float32), Shape(inputs=26)), {}))
    with pytest.raises(InputError, match="35 inputs"):
        load_network(path)
    save_file({"genes": np.zeros(3)}, path)
    with pytest.raises(InputError, match="network"):
        load_network(path)
    assert load_file(path)
    with pytest.raises(InputError, match="no file"):
        player(f"net:{path.parent / 'other.safetensors'}")
    with pytest.raises(InputError, match="'nobody'"):
        player("net:nobody")
    with pytest.raises(InputError, match="name one"):
        player("net")


def test_an_explanation_can_be_computed_again_from_the_printed_layers(path: Path) -> None:
    explainer = load_network(path)
    with_report = as_json(explainer)
    hidden, out = json.loads(json.dumps(with_report))["layers"]
    decisions = review_decisions(next(histories_of(HAND)), 0, explainer)
    assert len(decisions) == 5
    for decision in decisions:
        explanation = decision.explanation
        assert len(explanation["scaled"]) == len(explanation["inputs"]) == 35
        first = np.tanh(np.array(hidden["weights"]) @ explanation["scaled"] + hidden["biases"])
        sums = np.array(out["weights"]) @ first + out["biases"]
        chances = np.exp(sums) / np.exp(sums).sum()
        assert np.abs(chances - list(explanation["outputs"].values())).max() < 1e-5
        assert list(explanation["outputs"]) == ["fold", "call", "raise"]
        low, high = explanation["sizes"]["medium"]
        assert decision.view.min_raise_to <= low <= high <= decision.view.max_raise_to


def test_inputs_of_a_hand_that_was_worked_out_by_hand(path: Path) -> None:
    first, second, *_ = review_decisions(next(histories_of(HAND)), 0, load_network(path))
    # Small blind, the button raised to 300.
    expected = {"pot": 450, "to_call": 250, "opponents": 2, "hands_to_button": 1, "chips_0": 9950, "chips_1": 9900,
                "chips_2": 9700, "chips_3": 0, "aggression_0": 1, "aggression_2": 3, "recent_2": 3}  # fmt: skip
    assert {name: first.explanation["inputs"][name] for name in expected} == expected
    # On the flop it called, the big blind folded.
    expected = {"pot": 700, "to_call": 0, "opponents": 1, "aggression_0": 1, "aggression_1": 0, "aggression_2": 3}
    assert {name: second.explanation["inputs"][name] for name in expected} == expected


def test_before_the_flop() -> None:
    form = a_network()
    for situation in SITUATIONS:
        chances = preflop_chances(form, situation)
        assert np.abs(chances.sum(axis=1) - 1).max() < 1e-6
        assert position_of(situation).actor >= 0
        assert "raise" in likely_hands(form, situation)
    assert position_of(SITUATIONS[1]).actor == 8
    assert position_of(SITUATIONS[3]).actor == 1
    style = preflop_style(form)
    assert 0 <= style["raises_first"] <= style["plays_first"] <= 1
    # Without win odds a network cannot tell hands apart.
    assert np.ptp(chances, axis=0).max() < 1e-9
