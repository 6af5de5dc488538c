"""Every registered player inherits these: legal actions only, same seed same hand, Python and compiled agree."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, draw_below, draw_bits, generator_of, key_of, shuffle_first, stream_of
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import HoldemGame, HoldemView, holdem_game
from cardwin.games.holdem.hooks import FIRST_SLOT, Players, decide, decide_static_at
from cardwin.games.holdem.rules import read_betting
from cardwin.games.holdem.table import SEATS, Tables
from cardwin.players.compiled import CompiledPlayers, players_of, population
from cardwin.players.network.decision import Shape
from cardwin.players.network.networks import NETWORK, NetworkForm, population_networks
from cardwin.players.registry import PLAYERS, player
from cardwin.players.specs import expand_specs

STATIC = ["fold", "call", "raise", "all-in", "random", "call-or-raise"]
ROBOTS = ["standard", "v1:rollouts=10", "v1:deals=once,ties=lose,drop=5,rollouts=5", "matrix:rollouts=10"]
GAMES = [holdem_game(f"holdem-{kind}", {}) for kind in ("nl", "limit", "simple")]


def chips_in_python(game: HoldemGame, specs: list[str], hands: int, seed: int) -> list[list[int]]:
    table = LiveTable(game, [player(spec) for spec in specs], in_python=True)
    key, stacks = key_of(seed, "match"), [game.stack] * len(specs)
    return [table.play(stacks, hand % len(specs), child(key, hand)) for hand in range(hands)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("spec", STATIC + ROBOTS)
def test_python_and_compiled_players_play_the_same_hands(game: HoldemGame, spec: str) -> None:
    specs = [spec, "random", spec, "call"]
    assert match(game, specs, 60, 3, options=MatchOptions(seating="rotation")).chips.tolist() == chips_in_python(
        game, specs, 60, 3
    )


@kernel
def decide_at(tables: Tables, players: Players, rng: Stream) -> tuple[int, int]:
    if players.kinds[0] < FIRST_SLOT:
        return decide_static_at(players.kinds[0], tables[0], read_betting(tables[0]), draw_bits(rng))
    streams = np.empty((SEATS, 2), np.int64)
    streams[tables[0].actor] = rng
    return decide(players, np.zeros(SEATS, np.int64), tables[0], streams)


def a_network() -> CompiledPlayers:
    """With win odds that are computed, not looked up."""
    form = NetworkForm(generator_of(2).uniform(-1, 1, Shape().weights).astype(np.float32))
    networks = population_networks(form.weights[None], form, 1, NO_TABLE)
    return population(NETWORK, networks, 1)


@pytest.mark.parametrize("spec", [*STATIC, *ROBOTS, "a network"])
def test_compiled_players_do_not_see_hidden_cards(spec: str) -> None:
    rng = stream_of(8)
    players = a_network() if spec == "a network" else players_of([player(spec).compiled])  # type: ignore[attr-defined]
    for _ in range(20):
        deck = np.arange(52)
        shuffle_first(rng, deck, 30)
        state = GAMES[0].start(deck[5:11].reshape(3, 2).tolist(), deck[:5].tolist())
        while state.actor != NOBODY:
            changed = state.tables.copy()
            changed["board"][0, len(state.board) :] = deck[11 : 16 - len(state.board)]
            for seat in {0, 1, 2} - {state.actor}:
                changed["hole"][0, 2 * seat : 2 * seat + 2] = deck[20 + 2 * seat : 22 + 2 * seat]
            choices = [decide_at(t, players.arrays, stream_of(4)) for t in (state.tables, changed)]
            assert choices[0] == choices[1]
            actions = state.legal_actions()
            state = state.apply(actions[draw_below(rng, len(actions))])


def view_of(*moves: Action) -> HoldemView:
    state = GAMES[0].start([(0, 1), (2, 3), (4, 5)], [10, 11, 12, 13, 14])
    for move in moves:
        state = state.apply(move)
    return state.view(state.actor)


@pytest.mark.parametrize(
    ("spec", "facing", "free"),
    [
        ("fold", "fold", "check"),
        ("call", "call", "check"),
        ("raise", "raise 500", "bet 100"),
        ("all-in", "raise 10000", "bet 9900"),
    ],
)
def test_what_static_players_do(spec: str, facing: str, free: str) -> None:
    rng, call, check = stream_of(1), Action("call"), Action("check")
    assert str(player(spec).act(view_of(Action("raise", 300)), rng)) == facing
    assert str(player(spec).act(view_of(call, call, check), rng)) == free


def test_random_takes_every_legal_action_equally_often() -> None:
    rng, random = stream_of(2), player("random")
    facing = [str(random.act(view_of(), rng)) for _ in range(3000)]
    free = [str(random.act(view_of(*[Action("call")] * 2, Action("check")), rng)) for _ in range(2000)]
    assert {name: round(facing.count(name) / 3000, 1) for name in set(facing)} == {
        "fold": 0.3,
        "call": 0.3,
        "raise 200": 0.3,
    }
    assert {name: round(free.count(name) / 2000, 1) for name in set(free)} == {"check": 0.5, "bet 100": 0.5}


def test_every_entry_of_the_registry_has_a_line_for_people() -> None:
    assert set(STATIC) <= set(PLAYERS)
    assert all(entry.title for entry in PLAYERS.values())


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("caller", r"\bcall\b"),
        ("call:size=3", "unknown parameter"),
        ("python:nothing", "python:module:Class"),
        ("python:no_such_module:X", "no_such_module"),
    ],
)
def test_wrong_specifications_are_refused(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        player(spec)


def test_a_player_times_a_number() -> None:
    assert expand_specs(["call*2", "random"]) == ["call", "call", "random"]
    with pytest.raises(InputError, match="random\\*3"):
        expand_specs(["call*x"])


MINE = """
from cardwin.games.base import CALL, CHECK

class Mine:
    def act(self, view, rng):
        return CALL if view.to_call else CHECK
"""


def test_a_class_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_module_of_ones_own.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    own = match(GAMES[0], ["python:a_module_of_ones_own:Mine", "random"], 200, 1)
    assert own.chips.tolist() == match(GAMES[0], ["call", "random"], 200, 1).chips.tolist()
