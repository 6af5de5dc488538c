"""What a network is shown to have computed: while it plays (`match --watch`), afterwards from the file (`explain`), and
by a forward pass written here in NumPy and double precision.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cardwin.analysis.hand_review import earlier_hands, read_hand, review_decisions
from cardwin.arena import commentary
from cardwin.arena.match import Listeners, match
from cardwin.cli.holdem import history_writer
from cardwin.core.rng import generator_of
from cardwin.games.holdem import holdem_game
from cardwin.players.base import explanation_of
from cardwin.players.network.decision import Shape
from cardwin.players.network.files import file_of
from cardwin.players.network.inputs import NO_ODDS, POWER_ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.registry import player

GAME = holdem_game("holdem-nl", {})
Explanation = dict[str, Any]


@dataclass(frozen=True)
class Largest:
    """The number of decisions, and the largest differences of probabilities: file and play, NumPy and play."""

    decisions: int
    explained: float
    computed: float


def numpy_pass(form: NetworkForm, scaled: Sequence[float]) -> npt.NDArray[np.float64]:
    """Probabilities (3,) from the 35 scaled inputs: 35-20-3, tanh, softmax."""
    row = form.weights.astype(np.float64)
    first, last = row[: 36 * 20].reshape(36, 20), row[36 * 20 :].reshape(21, 3)
    hidden = np.tanh(np.array(scaled) @ first[:35] + first[35])
    sums = hidden @ last[:20] + last[20]
    powers = np.exp(sums - sums.max())
    chances: npt.NDArray[np.float64] = powers / powers.sum()
    return chances


def compared(specs: Sequence[str], hands: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Largest:
    """Play with every move told and every hand written, then explain the file."""
    told: dict[tuple[int, str], list[Explanation]] = defaultdict(list)
    lines: list[str] = []
    playing: dict[int, str] = {}

    def heard(one: object) -> Explanation:
        """What the commentator of --watch is told."""
        explanation = explanation_of(one)
        if isinstance(one, NetworkPlayer):
            name = playing.setdefault(id(one), next(spec for spec in specs if same(player(spec), one)))
            told[sum(line.startswith("hand ") for line in lines), name].append(explanation)
        return explanation

    file = folder / "hands.phhs"
    with monkeypatch.context() as patched, history_writer(file, specs) as write:
        patched.setattr(commentary, "explanation_of", heard)
        match(GAME, specs, hands, 5, listeners=Listeners(on_hand=write, print_line=lines.append))
    decisions, explained, computed = 0, 0.0, 0.0
    for number in range(1, hands + 1):
        history, earlier = read_hand(file, number), earlier_hands(file, number)
        for seat, spec in enumerate(history.names):
            network = player(spec)
            if not isinstance(network, NetworkPlayer):
                continue
            found = review_decisions(history, seat, network, earlier)
            assert len(found) == len(told[number, spec])
            for one, then in zip(found, told[number, spec], strict=True):
                chances = np.array(list(then["outputs"].values()))
                again = np.array(list(one.explanation["outputs"].values()))
                explained = max(explained, float(np.abs(chances - again).max()))
                exact = numpy_pass(network.form, then["scaled"])
                computed = max(computed, float(np.abs(chances - exact).max()))
                decisions += 1
    return Largest(decisions, explained, computed)


def same(one: object, two: NetworkPlayer) -> bool:
    return isinstance(one, NetworkPlayer) and one.form.weights.tobytes() == two.form.weights.tobytes()


def networks(folder: Path, odds: int, count: int) -> list[str]:
    """Files of random networks, as specifications; with a bias against folding, so that hands last."""
    specs = []
    for seed in range(count):
        weights = generator_of(seed).uniform(-1, 1, Shape().weights).astype(np.float32)
        weights[-3] -= 1.0
        path = folder / f"net-{seed}.safetensors"
        path.write_bytes(file_of(NetworkForm(weights, odds=odds), {}))
        specs.append(f"net:{path}")
    return specs


def test_play_file_and_numpy_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [*networks(tmp_path, NO_ODDS, 2), "call", "random"]
    found = compared(specs, 6, tmp_path, monkeypatch)
    assert found.decisions >= 15
    assert max(found.explained, found.computed) < 1e-6


@pytest.mark.slow  # looks win odds up in a table that takes a minute or two to build, and replays 100 hands often
def test_a_thousand_decisions_of_a_hundred_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [*networks(tmp_path, POWER_ODDS, 4), "net:by-hand", "net:large-hof", "call", "random"]
    found = compared(specs, 100, tmp_path, monkeypatch)
    print(f"{found.decisions} decisions, explain {found.explained:.2g}, NumPy {found.computed:.2g}")
    assert found.decisions >= 1000
    assert max(found.explained, found.computed) < 1e-6
