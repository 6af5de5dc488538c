"""The public-tree solver: suits folded or not, more streets, no-limit, best responses, parameter files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cardwin.core.executor import Serial, Threads
from cardwin.games.betting.game import BettingGame, betting_game, limit_holdem, shrink_deck, validate_betting_game
from cardwin.games.betting.tree import DECISION
from cardwin.solvers.blind_boards import boards_of
from cardwin.solvers.blind_response import mixture, response_values
from cardwin.solvers.public_tree.solver import PublicTreeSolver
from support import answer, call

SMALL = validate_betting_game(BettingGame("small", (0, 3), (0, 1), (2, 2), (50, 100), 2, 5, (100, 100)))
THREE_STREETS = validate_betting_game(BettingGame("three", (0, 1, 1), (0, 1, 1), (1, 1, 1), (1, 2), 2, 4, (2, 2, 4)))
NO_LIMIT = validate_betting_game(
    BettingGame("no-limit", (0, 1, 1), (0, 1, 1), (2, 2, 2), (1, 2), 2, 4, pot_sizes=((1.0,), (0.5,), (1.0,)), stack=12)
)


@pytest.mark.parametrize("method", ["cfr", "cfr+", "linear", "dcfr", "pcfr+"])
def test_folded_suits_change_nothing(method: str) -> None:
    for game in (SMALL, THREE_STREETS):
        folded, plain = (PublicTreeSolver(game, method, folded=one) for one in (True, False))
        folded.step(6)
        plain.step(6)
        assert folded.information_sets < 0.7 * plain.information_sets
        assert folded.value() == pytest.approx(plain.value(), abs=1e-12)
        for seat in (0, 1):
            assert folded.response_value(seat) == pytest.approx(plain.response_value(seat), abs=1e-12)
            assert folded.values(seat) == pytest.approx(plain.values(seat), abs=1e-11)


@pytest.mark.parametrize(
    ("game", "method"),
    [(SMALL, "dcfr"), (NO_LIMIT, "dcfr"), (THREE_STREETS, "cfr+"), (THREE_STREETS, "linear"), (THREE_STREETS, "pcfr+")],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_every_method_closes_in_on_one_value(game: BettingGame, method: str) -> None:
    solver = PublicTreeSolver(game, method)
    solver.step(20)
    before = solver.bounds().exploitability
    solver.step(60)
    bounds = solver.bounds()
    assert bounds.low <= solver.value() <= bounds.high
    assert bounds.exploitability < before / 2
    assert bounds.exploitability < 0.05 * game.big_blind
    other = PublicTreeSolver(game, "cfr+")
    other.step(20)
    assert bounds.low <= other.bounds().high
    assert other.bounds().low <= bounds.high


def test_results_do_not_depend_on_threads() -> None:
    with Threads(3) as executor:
        many = PublicTreeSolver(SMALL, executor=executor)
        many.step(20)
        bounds = many.bounds()
    one = PublicTreeSolver(SMALL, executor=Serial())
    one.step(20)
    assert one.bounds() == bounds
    assert all(
        (a == b).all() for x, y in zip(one.averages, many.averages, strict=True) for a, b in zip(x, y, strict=True)
    )


@pytest.mark.slow
def test_single_precision_is_near_double() -> None:
    single, double = (PublicTreeSolver(SMALL, dtype=one) for one in (np.float32, np.float64))
    single.step(60)
    double.step(60)
    assert single.value() == pytest.approx(double.value(), abs=0.05)
    assert single.bounds().exploitability == pytest.approx(double.bounds().exploitability, abs=0.05)


def test_best_responses_to_blind_players_are_those_of_the_blind_solver() -> None:
    """Two programs of ours that share the betting tree only."""
    game = shrink_deck(limit_holdem("limit", (5, 10), 10, 20), 3, 3, (1, 1, 1, 1))
    solver = PublicTreeSolver(game)
    play = mixture(0.2, 0.5, 0.3)
    for tree, plan, tables in zip(solver.tree, solver.plans, solver.averages, strict=True):
        for point in np.flatnonzero(tree.kind == DECISION):
            chances = play(tree.actions[point])
            for action, name in enumerate(tree.actions[point]):
                tables[tree.actor[point]][:, plan.slot[point] + action] = chances[name]
    found = response_values(game, boards_of(game, Serial()), play, Serial())
    assert [solver.response_value(seat) for seat in (0, 1)] == pytest.approx(found, abs=1e-11)


def test_a_game_of_one_decision_has_its_value() -> None:
    """With two cards of each rank and no bets, the first seat may only fold its half or call."""
    game = validate_betting_game(BettingGame("showdown", (0,), (0,), (0,), (0, 2), 2, 3, (1,)))
    solver = PublicTreeSolver(game)
    solver.step(200)
    assert solver.bounds().exploitability == pytest.approx(0, abs=1e-3)


FILE = """
board = [0, 1]
first = [1, 2]
blinds = [1, 2]
caps = [1, 1]
limit = [2, 4]
suits = 2
ranks = 4
"""


def test_a_parameter_file_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    game = betting_game(str(path))
    assert game.name == "mine"
    assert game == validate_betting_game(replace(game, board=(0, 1), limit_sizes=(2, 4), first=(0, 1)))
    found = answer("solve", str(path), "--until", "2")
    least, most = found["ci"]
    assert least <= found["value"] <= most
    assert found["exploitability"] == pytest.approx((most - least) / 2)
    assert found["exploitability"] <= 2
    shown = call("solve", "flop-holdem:suits=2,ranks=4", "--iterations", "20", "--method", "cfr+").stdout
    assert "bounds " in shown
    assert "cfr+, 20 iterations" in shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("caps = [1]", "expected 2 values of caps"),
        ("blinds = [2, 1]", "the smaller blind"),
        ("first = [0, 1]", "seat 1 or 2"),
        ("ranks = 1", "2 to 13 ranks"),
        ("limit = [2, 0]", "at least 1 chip"),
        ("pots = [[1], [1]]", "either limit"),
        ("board = [1, 1]", "begins with 0"),
        ("board = 3", "invalid board: expected a list, got 3"),
        ("colour = 3", "colour"),
        ("stack = 3", "expected a stack for all bets"),
        ("stack = ", "invalid TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(tmp_path: Path, change: str, said: str) -> None:
    key = change.partition(" =")[0]
    kept = [line for line in FILE.splitlines() if not line.startswith(f"{key} ")]
    path = tmp_path / "wrong.toml"
    path.write_text("\n".join([*kept, change]))
    done = call("solve", str(path))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["flop-holdem", "--method", "lp"], "too large for a linear program"),
        (["flop-holdem:ranks=1"], "from 2 to 13"),
        (["flop-holdem:suits=1,ranks=6"], "expected at least 7 cards"),
        (["flop-holdem", "--until", "0"], "positive"),
        (["nowhere.toml"], "file not found: nowhere.toml"),
        (["kuhn", "--until", "1"], "betting games"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(words: list[str], said: str) -> None:
    done = call("solve", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
