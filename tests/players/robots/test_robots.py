"""Chen's robots and the matrix players: what they decide in situations set by hand, and both forms alike."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.match import MatchOptions, play_match
from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.core.rng import stream_of
from cardwin.games.base import Action
from cardwin.games.holdem import HoldemState, holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.registry import player
from cardwin.players.robots.robot import Robot, expert_matrix, load_matrix, matrix_player, matrix_text

SIMPLE = holdem_game("holdem-simple", {"stack": "10000", "blind": "100", "ante": "50"})
BOARD = "KhQs7d4c2s"
FILLERS = ["3c3d", "5c5d", "6c6d", "8c8d", "9c9d"]


def start(first: str, seats: int = 3, board: str = BOARD, button: int = -1) -> HoldemState:
    """A hand of the simple game: the seat after the blind, which opens, holds the first cards."""
    hole = [parse_cards(text) for text in FILLERS[:seats]]
    button = seats - 1 if button < 0 else button
    hole[(button + 2) % seats] = parse_cards(first)
    return SIMPLE.start(hole, parse_cards(board), button=button)


def choice(spec: str, state: HoldemState, key: int = 1) -> Action:
    return player(spec).act(state.view(state.actor), stream_of(key))


@pytest.mark.parametrize("hand", ["AsAd", "KdKc", "AcKd", "AcQd", "KcQd", "JcJd", "TcTd", "9s9h"])
def test_standard_raises_its_best_starts_by_three_least_bets(hand: str) -> None:
    assert choice("standard", start(hand)) == Action("raise", 400)


@pytest.mark.parametrize(("hand", "action"), [("8s8h", "call"), ("6s6h", "call"), ("AcJd", "call"), ("9s2d", "fold")])
def test_standard_calls_hands_of_similar_strength_and_folds_the_rest(hand: str, action: str) -> None:
    assert choice("standard", start(hand)) == Action(action)


def test_standard_calls_a_raise_only_at_a_fifth_of_the_pot() -> None:
    dear = start("AsAd").apply(Action("raise", 400))  # 400 into 150 of antes, 100 of blind and the raise
    assert choice("standard", dear) == Action("fold")
    assert choice("standard:odds=1", dear) == Action("call")


@pytest.mark.parametrize(("hand", "action"), [("KsKd", "call"), ("8s8h", "fold")])
def test_standard_can_call_any_raise_with_a_good_hand(hand: str, action: str) -> None:
    hole = [parse_cards(text) for text in FILLERS[:5]]
    hole[2] = parse_cards(hand)
    dear = SIMPLE.start(hole, parse_cards(BOARD), button=4).apply(Action("raise", 400))
    assert dear.actor == 2
    assert choice("standard:good-hands=call", dear) == Action(action)
    assert choice("standard", dear) == Action("fold")


def test_standard_folds_to_a_reraise_where_its_table_could_not_do_more() -> None:
    twice = start("AsAd").apply(Action("raise", 200)).apply(Action("raise", 300))
    assert choice("standard:odds=1,reraise=fold", twice) == Action("fold")
    assert choice("standard:odds=1", twice) == Action("call")
    assert choice("call:reraise=fold", twice) == Action("fold")
    assert choice("call", twice) == Action("call")


def test_standard_bets_by_position_after_the_flop() -> None:
    flop = start("9s8d").apply(Action("call")).apply(Action("call")).apply(Action("check"))
    assert choice("standard", flop) == Action("check")  # front
    middle = flop.apply(Action("check"))
    assert choice("standard", middle) == Action("check")
    assert choice("standard", middle.apply(Action("check"))) == Action("bet", 100)  # back, nobody has raised


@pytest.mark.parametrize(("checks", "amount"), [(0, 100), (1, 200), (2, 300)])
def test_standard_bets_more_than_two_pairs_by_its_third(checks: int, amount: int) -> None:
    # The seat that acts after so many checks holds three kings.
    seats = 3
    hole = [parse_cards(text) for text in FILLERS[:seats]]
    hole[checks] = parse_cards("KdKc")
    state = SIMPLE.start(hole, parse_cards(BOARD), button=2)
    for _ in range(2):
        state = state.apply(Action("call"))
    state = state.apply(Action("check"))
    for _ in range(checks):
        state = state.apply(Action("check"))
    assert choice("standard", state) == Action("bet", amount)


def shares(spec: str, state: HoldemState, tries: int = 1500) -> dict[str, float]:
    robot, view = player(spec), state.view(state.actor)
    names = [robot.act(view, stream_of(key)).name for key in range(tries)]
    return {name: names.count(name) / tries for name in set(names)}


def test_v1_bluffs_one_time_in_twenty_with_nothing_unless_switched_off() -> None:
    state = start("3h2c", seats=5).apply(Action("raise", 2000))
    assert shares("v1:rollouts=20", state)["raise"] == pytest.approx(0.05, abs=0.02)
    assert shares("v1:rollouts=20,bluffs=off", state) == {"fold": 1.0}


def test_v1_raises_seven_times_in_ten_when_it_is_far_ahead() -> None:
    found = shares("v1:rollouts=150", start("AsAd"))
    assert found["raise"] == pytest.approx(0.7, abs=0.04)
    assert found["call"] == pytest.approx(0.3, abs=0.04)
    assert shares("v1:rollouts=150,threshold=10", start("AsAd"))["raise"] == pytest.approx(0.4, abs=0.04)


def test_v1_never_folds_where_checking_is_free() -> None:
    state = start("9s8d").apply(Action("call")).apply(Action("call")).apply(Action("check"))
    assert "fold" not in shares("v1:rollouts=5,bluffs=off", state, 200)


def test_v1_protects_its_stack_if_asked() -> None:
    state = start("KcJd", seats=5).apply(Action("raise", 9950))
    loose = "v1:rollouts=50,weak=0,fair=0,threshold=10,raise-share=0"
    assert shares(loose, state, 100) == {"call": 1.0}
    assert shares(loose + ",protect=on", state, 100)["fold"] > 0.9


def test_robots_explain_themselves() -> None:
    robot = player("v1:rollouts=200")
    assert isinstance(robot, Robot)
    state = start("AsAd")
    robot.act(state.view(state.actor), stream_of(1))
    assert robot.explain().startswith("win rate ")
    assert robot.win_rate is not None
    assert 0.5 < robot.win_rate < 0.9


SPECS = ["standard", "standard:reraise=fold", "v1:rollouts=10", "v1:rollouts=5,deals=once,ties=lose,drop=5,protect=on",
         "matrix:rollouts=10", "call-or-raise", "call:reraise=fold"]  # fmt: skip


@pytest.mark.parametrize("game", ["holdem-simple", "holdem-nl", "holdem-limit"])
def test_both_forms_decide_alike(game: str) -> None:
    rules = holdem_game(*split_spec(game))
    players = [player(spec) for spec in SPECS]
    compiled = play_match(rules, players, 40, 5)
    assert (compiled == play_match(rules, players, 40, 5, options=MatchOptions(in_python=True))).all()
    assert (compiled.sum(axis=1) == 0).all()
    assert compiled.any(axis=0).all()


def test_simulation_beats_calling() -> None:
    chips = play_match(SIMPLE, [player("v1:bluffs=off,rollouts=60"), *(player("call") for _ in range(3))], 3000, 3)[
        :, 0
    ]
    assert chips.mean() > 3 * chips.std() / len(chips) ** 0.5


def test_the_experts_matrix_beats_luck_and_an_even_one() -> None:
    rules = holdem_game("holdem-nl", {})
    for rival in (player("random"), matrix_player(np.full((8, 5, 3), 1 / 3), {"rollouts": "30"})):
        expert = matrix_player(expert_matrix(), {"rollouts": "30"})
        chips = play_match(rules, [expert, rival], 4000, 3)[:, 0]
        assert chips.mean() > 3 * chips.std() / len(chips) ** 0.5


def test_a_matrix_saved_is_the_matrix_loaded(tmp_path: Path) -> None:
    weights = expert_matrix() + np.arange(120).reshape(8, 5, 3)
    (tmp_path / "m.json").write_text(matrix_text(weights))
    assert (load_matrix(tmp_path / "m.json") == weights).all()
    robot = player(f"matrix:file={tmp_path / 'm.json'}")
    assert isinstance(robot, Robot)
    assert (robot.values[2:] == weights.ravel()).all()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("v1:rollouts=0", "rollouts=0"),
        ("v1:bluffs=maybe", "maybe"),
        ("v1:threshold=nan", "threshold=nan"),
        ("v1:treshold=1", r"\bthreshold\b"),
        ("standard:odds=x", "odds=x"),
        ("matrix:file=nowhere.json", r"nowhere\.json"),
        ("v3", "v3:file="),
        ("v2:learns=bluffs", "bluffs"),
        ("v2:learns=thresh", r"\bthreshold\b"),
        ("v2:down=0", "above 0"),
    ],
)
def test_mistakes_are_named(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        player(spec)


def test_a_matrix_must_have_its_shape() -> None:
    with pytest.raises(InputError, match="shape"):
        matrix_player(np.ones((2, 2, 3)))
