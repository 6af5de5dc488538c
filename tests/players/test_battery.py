"""What every registered player must keep to: a new line in the registry inherits all of this.

Views hold no hidden card (the games' battery), so a player asked in Python cannot know one; and where a player also has
a compiled form, both forms play the same hands, so that cannot either.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from blueprints import random_blueprint
from cardwin.arena.hand_history import played_history
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Listeners, MatchOptions, match, play_match
from cardwin.cards.tables import win_odds_store
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, generator_of, key_of
from cardwin.games import HOLDEM_GAMES
from cardwin.games.base import Action
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem import HoldemGame, HoldemView, holdem_game
from cardwin.games.holdem.events import Event
from cardwin.games.holdem.history import History
from cardwin.players.base import explanation_line, explanation_of
from cardwin.players.cfr.files import write as write_blueprint
from cardwin.players.cfr.player import CfrPlayer
from cardwin.players.kind import HoldemPlayer
from cardwin.players.loki.files import save_loki
from cardwin.players.loki.player import Loki
from cardwin.players.nearest_neighbour.player import NearestNeighbour, decisions_of
from cardwin.players.network.decision import Shape
from cardwin.players.network.files import file_of
from cardwin.players.network.inputs import NO_ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.registry import PLAYERS, player
from cardwin.players.robots import learner
from cardwin.players.robots.robot import matrix_player, matrix_text
from cardwin.players.xcs.encoding import SEEN, Encoding
from cardwin.players.xcs.files import write as write_rules
from cardwin.players.xcs.player import player_of as player_of_rules
from rule_sets import random_rules

HANDS = 30
# Fewer simulated deals are as lawful as many. A player that needs parameters has its line here.
QUICK = {"v1": "v1:rollouts=8", "v2": "v2:rollouts=8", "matrix": "matrix:rollouts=8"}
# Players of one variant only.
ONLY: dict[str, tuple[str, ...]] = {"cfr": ("holdem-limit",)}


def _save_learner(path: Path) -> HoldemPlayer:
    trained = player("v2:rollouts=8,after=play")
    assert isinstance(trained, learner.Learner)
    trained.robot.values[trained.robot.robot_kind.index("threshold")] = 1.75
    learner.save(path, trained)
    return trained.robot


def _save_matrix(path: Path) -> HoldemPlayer:
    path.write_text(matrix_text(np.full((8, 5, 3), 1 / 3)))
    return matrix_player(np.full((8, 5, 3), 1 / 3))


def _save_loki(path: Path) -> HoldemPlayer:
    loki = Loki(keeps=True)
    play_match(holdem_game("holdem-limit", {}), [loki, player("random"), player("raise")], 2 * HANDS, key_of(5))
    save_loki(path, loki)
    return loki


def _save_network(path: Path) -> HoldemPlayer:
    """A random one without win odds, whose table takes a while to build."""
    weights = generator_of(key_of(7)).uniform(-1, 1, Shape().weights).astype(np.float32)
    form = NetworkForm(weights, odds=NO_ODDS)
    path.write_bytes(file_of(form, {}))
    return NetworkPlayer(form)


def _save_rules(path: Path) -> HoldemPlayer:
    rule_set = random_rules(Encoding(register=2, see=(*SEEN, "bluff", "counters")), 300, 8)
    write_rules(path, rule_set)
    return player_of_rules(rule_set)


def _save_blueprint(path: Path) -> HoldemPlayer:
    blueprint = random_blueprint("holdem-limit", 11)
    write_blueprint(path, blueprint)
    return CfrPlayer(blueprint)


def _save_hands(path: Path) -> HoldemPlayer:
    """The hands of somebody who plays at random, as a history."""
    found: list[History] = []

    def keep(_: int, table: LiveTable, record: list[Event]) -> None:
        found.append(played_history(table, record, [("someone", "other")[who] for who in table.player_ids]))

    play_match(
        holdem_game("holdem-limit", {}),
        [player("random"), player("call")],
        40,
        key_of(9),
        listeners=Listeners(on_hand=keep),
    )
    path.write_text("\n".join(phh_text(one, number + 1) for number, one in enumerate(found)))
    return NearestNeighbour(decisions_of(found, "someone"))


# Everybody whose parameters come from a file: writes one, and tells who should be in it.
SAVERS: dict[str, Callable[[Path], HoldemPlayer]] = {
    "v3": _save_learner,
    "matrix": _save_matrix,
    "loki": _save_loki,
    "net": _save_network,
    "xcs": _save_rules,
    "cfr": _save_blueprint,
    "nearest-neighbour": _save_hands,
}
NEED_A_FILE = ("v3", "net", "xcs", "cfr", "nearest-neighbour")
ALSO = {"nearest-neighbour": ",player=someone"}  # what a file alone does not say


def build(name: str, folder: Path) -> HoldemPlayer:
    """A player that can sit down, cheap enough to be tried."""
    if name in NEED_A_FILE:
        SAVERS[name](folder / name)
        return player(f"{name}:file={folder / name}{ALSO.get(name, '')}")
    return player(QUICK.get(name, name))


@pytest.fixture(autouse=True)
def without_building(monkeypatch: pytest.MonkeyPatch) -> None:
    """No table of win odds is built here: without one, a few hands are computed directly."""
    monkeypatch.setattr(win_odds_store, "load_or_build", win_odds_store.load)


def beside(name: str, *others: HoldemPlayer) -> list[HoldemPlayer]:
    """Those who sit down with a player: one only, where it plays heads-up."""
    return list(others[:1] if PLAYERS[name].heads_up else others)


def games_of(name: str) -> list[HoldemGame]:
    return [holdem_game(one, {}) for one in ONLY.get(name, tuple(HOLDEM_GAMES))]


class Judge:
    """Asks a player, and holds it to what its view says is legal."""

    def __init__(self, judged: HoldemPlayer) -> None:
        self.judged = judged
        self.asked = 0
        if hasattr(judged, "watch"):
            self.watch = judged.watch

    def act(self, view: HoldemView, rng: Stream) -> Action:
        action = self.judged.act(view, rng)
        self.asked += 1
        legal = {one.name: one for one in view.legal_actions}
        assert action.name in legal, (action, view)
        if legal[action.name].amount:
            assert view.min_raise_to <= action.amount <= view.max_raise_to, (action, view)
        else:
            assert action == legal[action.name]
        assert isinstance(action.amount, int)
        if hasattr(self.judged, "explain"):
            assert json.loads(json.dumps(explanation_of(self.judged)))
            assert explanation_line(explanation_of(self.judged))
        return action


@pytest.mark.parametrize("name", PLAYERS)
def test_legal_actions_only_at_every_table(name: str, tmp_path: Path) -> None:
    for rules in games_of(name):
        for others in (["random"], ["raise", "random", "call-or-raise"], ["all-in", "call"]):
            judge = Judge(build(name, tmp_path))
            there = beside(name, *map(player, others))
            play_match(rules, [judge, *there], HANDS, key_of(1, name), options=MatchOptions(stacks="rebuy"))
            assert judge.asked > 0


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_plays_the_same_hands(name: str, tmp_path: Path) -> None:
    rules = games_of(name)[0]
    once, again, copied = (
        play_match(rules, [one, *beside(name, player("random"), player("raise"))], HANDS, key_of(2, name)).tolist()
        for one in (build(name, tmp_path), build(name, tmp_path), deepcopy(build(name, tmp_path)))
    )
    assert once == again == copied


@pytest.mark.parametrize("name", PLAYERS)
def test_python_and_compiled_forms_play_the_same_hands(name: str, tmp_path: Path) -> None:
    for rules in games_of(name):
        plain, in_python = (
            play_match(
                rules,
                [build(name, tmp_path), *beside(name, player("random"), build(name, tmp_path), player("call"))],
                HANDS,
                key_of(3, name),
                options=MatchOptions(in_python=asked),
            )
            for asked in (False, True)
        )
        assert plain.tolist() == in_python.tolist()


@pytest.mark.parametrize("name", [name for name, entry in PLAYERS.items() if "file" in entry.parameters])
def test_saved_equals_loaded(name: str, tmp_path: Path) -> None:
    path, rules = tmp_path / f"{name}.json", games_of(name)[0]
    saved = SAVERS[name](path)
    loaded = player(f"{name}:file={path}{ALSO.get(name, '')}")
    chips = [
        play_match(rules, [one, player("random")], HANDS, key_of(4, name)).tolist()
        for one in (saved, player_of(loaded))
    ]
    assert chips[0] == chips[1]
    path.write_text("{")
    with pytest.raises(InputError):
        player(f"{name}:file={path}{ALSO.get(name, '')}")


def player_of(loaded: HoldemPlayer) -> HoldemPlayer:
    """Without its learning, which would move what was loaded."""
    return loaded.robot if isinstance(loaded, learner.Learner) else loaded


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_has_a_line_for_people_and_refuses_parameters_that_it_does_not_have(name: str) -> None:
    assert PLAYERS[name].title
    with pytest.raises(InputError, match="unknown parameter"):
        player(f"{name}:no_such_parameter=1")


@pytest.mark.parametrize("name", [name for name in PLAYERS if name not in NEED_A_FILE])
def test_a_name_alone_sits_down(name: str) -> None:
    rules = games_of(name)[0]
    assert match(rules, [name, "call"], 2, 1).report.faults == (0, 0)
