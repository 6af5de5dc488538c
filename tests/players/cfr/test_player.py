"""Blueprints at the table: they know where they are in the tree, translate bets, explain themselves, and refuse."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from blueprints import random_blueprint
from cardwin.analysis.local_best_response import local_best_response
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match, play_match
from cardwin.arena.tournament import tournament
from cardwin.cards.tables import win_odds_store
from cardwin.cards.win_odds import NO_TABLE
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, key_of, stream_of
from cardwin.games.base import Action
from cardwin.games.holdem import HoldemGame, HoldemView, holdem_game
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import Tables, new_tables
from cardwin.games.specs import split_spec
from cardwin.players.cfr.files import write
from cardwin.players.cfr.play import OFF_TREE, blueprints_of, locate, translated
from cardwin.players.cfr.player import CfrPlayer, lay_out
from cardwin.players.registry import player
from support import answer, call

LIMIT, SHORT = "holdem-limit", "holdem-nl:stack=2000"


def game_of(spec: str) -> HoldemGame:
    return holdem_game(*split_spec(spec))


@pytest.fixture(autouse=True)
def without_building(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_odds_store, "load_or_build", win_odds_store.load)


@pytest.fixture(scope="module")
def limit() -> CfrPlayer:
    return CfrPlayer(random_blueprint(LIMIT, 1))


@pytest.fixture(scope="module")
def short() -> CfrPlayer:
    return CfrPlayer(random_blueprint(SHORT, 2))


@kernel
def node_at(structure: object, tables: Tables) -> int:
    return locate(structure, 0, tables[0])  # type: ignore[arg-type]


def line_seen(one: CfrPlayer, view: HoldemView) -> str | None:
    tables = new_tables(1)
    lay_out(np.array(view.row, np.int64), tables)
    node = node_at(one._structure, tables)
    return None if node == OFF_TREE else one.lines[node]


class Follower:
    """Plays at random, and asks a blueprint at each turn where the hand is."""

    def __init__(self, one: CfrPlayer) -> None:
        self.one, self.other, self.asked = one, player("random"), 0

    def act(self, view: HoldemView, rng: Stream) -> Action:
        words, street, board = "", 0, view.street
        turns = [(action, amount) for action, amount in view.line]
        acted = False
        for action, _ in turns:
            words += "fcr"[action]
            if action == 1 and acted:
                words, street, acted = words + "/", street + 1, False
            else:
                acted = True
        assert street == board
        assert line_seen(self.one, view) == words
        self.asked += 1
        return self.other.act(view, rng)


def test_the_line_of_every_limit_hand_is_found(limit: CfrPlayer) -> None:
    one = Follower(limit)
    play_match(game_of(LIMIT), [one, Follower(limit)], 200, key_of(1), options=MatchOptions(in_python=True))
    assert one.asked > 300


@pytest.mark.parametrize("opponent", ["random", "raise", "all-in", "call"])
def test_no_limit_forms_play_the_same_hands(short: CfrPlayer, opponent: str) -> None:
    chips = [
        play_match(
            game_of(SHORT), [short, player(opponent)], 30, key_of(2), options=MatchOptions(in_python=asked)
        ).tolist()
        for asked in (False, True)
    ]
    assert chips[0] == chips[1]


def state_after(spec: str, *moves: str) -> HoldemState:
    state = game_of(spec).start(["AhKh", "QcQd"], "2s3s4h7h8d", button=0)
    for move in moves:
        state = state.apply(move)
    return state


def test_bets_of_the_tree_are_found_exactly(short: CfrPlayer) -> None:
    for moves, line in (
        ((), ""),
        (("call", "check"), "cc/"),
        (("raise 300", "call"), "r300c/"),
        (("raise 300", "call", "bet 300"), "r300c/r600"),
        (("raise 300", "call", "bet 600", "call", "check"), "r300c/r900c/c"),
        (("raise 300", "raise 2000"), "r300r2000"),
    ):
        state = state_after(SHORT, *moves)
        assert line_seen(short, state.view(state.actor)) == line, moves


def test_bets_between_two_sizes_are_either(short: CfrPlayer) -> None:
    """Pot 600: a bet of 400 lies between 300 and 600, and each holding has its own translation."""
    state = state_after(SHORT, "raise 300", "call", "bet 400")
    view, found = state.view(0), []
    row = list(view.row)
    for a in range(52):
        for b in range(a):
            if not {a, b} & set(view.board):
                row[16], row[17] = a, b
                found.append(line_seen(short, HoldemView(tuple(row))))
    shares = {line: found.count(line) / len(found) for line in set(found)}
    size, low, high = 400 / 600, 0.5, 1.0
    expected = (high - size) * (1 + low) / ((high - low) * (1 + size))
    assert set(shares) == {"r300c/r600", "r300c/r900"}
    assert shares["r300c/r600"] == pytest.approx(expected, abs=0.05)
    # The seat that bet takes its own bet as the nearest size.
    after = state.apply("raise 1000").view(1)
    assert (line_seen(short, after) or "").startswith("r300c/r600")


def test_small_bets_are_the_least_size_and_translation_is_monotone(short: CfrPlayer) -> None:
    state = state_after(SHORT, "raise 300", "call", "bet 100")
    assert line_seen(short, state.view(0)) == "r300c/r600"
    assert all(translated(holding, 3, 0.5, 0.5, 1.0) for holding in range(50))
    assert not any(translated(holding, 3, 1.0, 0.5, 1.0) for holding in range(50))


def test_where_the_tree_has_ended_it_checks_and_calls(short: CfrPlayer) -> None:
    deep = "holdem-nl:stack=20000"
    state = state_after(deep, "raise 300", "raise 20000")
    assert line_seen(short, state.view(0)) == "r300r2000"
    state = state_after(deep, "raise 2000", "call")
    # In the tree this was an all-in with a call.
    if line_seen(short, state.view(1)) is None:
        assert str(short.act(state.view(1), stream_of(1))) == "check"
        assert "left the betting tree" in short.explain()["text"]


def test_it_explains_itself(limit: CfrPlayer) -> None:
    state = state_after(LIMIT, "raise", "call", "check")
    limit.act(state.view(0), stream_of(3))
    said = limit.explain()
    assert said["line"] == "rc/c"
    assert set(said["probabilities"]) == {"check", "bet"}
    assert sum(said["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert 0 < said["strength"] < 1
    assert 0 <= said["bucket"] < 6


def test_it_refuses_other_games_and_more_seats(tmp_path: Path) -> None:
    write(tmp_path / "one.cfr", random_blueprint(LIMIT, 1))
    spec = f"cfr:{tmp_path / 'one.cfr'}"
    seats = "plays heads-up: it has no strategy for 3 seats"
    with pytest.raises(InputError, match=seats):
        match(game_of(LIMIT), [spec, "call", "call"], 2, 1)
    with pytest.raises(InputError, match=seats):
        tournament(game_of(LIMIT), [spec, "call", "call"], 1, 1)
    with pytest.raises(InputError, match="plays limit hold'em, not holdem-nl"):
        match(game_of("holdem-nl"), [spec, "call"], 2, 1)
    with pytest.raises(InputError, match="not holdem-simple"):
        LiveTable(game_of("holdem-simple"), [player(spec), None])


@pytest.mark.slow  # without the table of win odds every question takes seconds
def test_local_best_response_asks_it_for_every_holding(tmp_path: Path) -> None:
    write(tmp_path / "one.cfr", random_blueprint(SHORT, 2))
    win_odds_store.build()
    found = local_best_response(game_of(SHORT), f"cfr:{tmp_path / 'one.cfr'}", 8, 1)
    assert found.exact
    assert found.hands == 16


def test_two_blueprints_at_one_table_are_told_apart(limit: CfrPlayer) -> None:
    other = CfrPlayer(random_blueprint(LIMIT, 7))
    rules = game_of(LIMIT)

    def chips(players: Sequence[CfrPlayer], in_python: bool) -> list[list[int]]:
        found: list[list[int]] = play_match(
            rules, players, 30, key_of(4), options=MatchOptions(in_python=in_python)
        ).tolist()
        return found

    assert chips([limit, other], False) == chips([limit, other], True) != chips([limit, limit], False)
    assert len(blueprints_of([limit.blueprint, other.blueprint], NO_TABLE).about) == 2


def test_shipped_blueprints_are_shown_and_play_their_games() -> None:
    said = answer("show", "cfr:limit")
    assert said["buckets"] == [169, 1000, 1000, 1000]
    assert said["information_sets"] == 6_371_352
    assert said["preflop"][""]["AA"]["raise"] > 0.8
    assert said["preflop"][""]["72o"]["fold"] > 0.5
    shown = call("show", "cfr:nl20").stdout
    assert "cardwin train cfr --game holdem-nl:stack=2000 --iterations 6000000 --seed 26" in " ".join(shown.split())
    assert "all-in" in shown
    # Against a player that folds to every bet, raising wins the blinds.
    for spec, game in (("cfr:limit", LIMIT), ("cfr:nl20", SHORT)):
        assert play_match(game_of(game), [player(spec), player("fold")], 40, key_of(6))[:, 0].sum() > 0
