"""Agreement with OpenSpiel to 1e-9 on Kuhn and Leduc, for random policies and for the solvers' paths."""

import json
from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import expected_game_score

import cardwin
from cardwin.core.rng import generator_of
from cardwin.players.small_games.policies import as_openspiel
from cardwin.solvers import plans
from cardwin.solvers.cfr import Cfr
from cardwin.solvers.policy import Policy, behaviour_from_genes
from cardwin.solvers.tree import tree_of
from speed import small_games

THEIRS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def random_policy(game: str, number: int) -> Policy:
    tree = tree_of(cardwin.game(game))
    rng = generator_of(number)
    first, second = (
        behaviour_from_genes(seqs, [Fraction(float(x)) for x in rng.random(seqs.genes)]) for seqs in tree.sequences
    )
    return Policy(tree, (first, second), "random")


def to_openspiel(policy: Policy) -> "pyspiel.TabularPolicy":
    table = json.loads(as_openspiel(policy))
    return pyspiel.TabularPolicy({text: [tuple(pair) for pair in pairs] for text, pairs in table.items()})


@pytest.mark.parametrize(
    ("game", "count"), [("kuhn", 100), ("leduc", 6), pytest.param("leduc", 30, marks=pytest.mark.slow)]
)
def test_random_policies(game: str, count: int) -> None:
    theirs = pyspiel.load_game(THEIRS[game])
    tree = tree_of(cardwin.game(game))
    root = theirs.new_initial_state()
    for number in range(count):
        policy = random_policy(game, number)
        first, second = policy.plan(0), policy.plan(1)
        table = to_openspiel(policy)
        value = pyspiel.expected_returns(root, table, -1, True)[0]
        assert plans.value(tree, first, second) == pytest.approx(value, abs=1e-9)
        assert plans.nash_conv(tree, first, second) == pytest.approx(pyspiel.nash_conv(theirs, table), abs=1e-9)
        if number < 5:
            for seat in (0, 1):
                best = pyspiel.TabularBestResponse(theirs, seat, table).value(root.history_str())
                ours = plans.best_response_value(tree, seat, second if seat == 0 else first)
                assert ours == pytest.approx(best, abs=1e-9)


def test_python_side_of_openspiel_agrees() -> None:
    from open_spiel.python import policy as their_policy

    game = pyspiel.load_game("kuhn_poker")
    uniform = their_policy.UniformRandomPolicy(game)
    value = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])[0]
    assert cardwin.value(cardwin.game("kuhn"), "uniform", "uniform") == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("plus", [False, True])
def test_cfr_walks_the_same_path(plus: bool) -> None:
    theirs = pyspiel.load_game("leduc_poker")
    solver = (pyspiel.CFRPlusSolver if plus else pyspiel.CFRSolver)(theirs)
    ours = Cfr(tree_of(cardwin.game("leduc")), plus)
    for _ in range(10):
        solver.evaluate_and_update_policy()
        ours.step()
    assert 2 * ours.exploitability() == pytest.approx(pyspiel.nash_conv(theirs, solver.average_policy()), abs=1e-9)


def test_the_bench_compares_equal_results() -> None:
    """OpenSpiel's fastest setting for Leduc has fewer nodes: its values must be ours."""
    theirs = pyspiel.load_game(small_games.OPENSPIEL)
    policy = pyspiel.UniformRandomPolicy(theirs)
    uniform = cardwin.exploitability(cardwin.game("leduc"), "uniform").exploitability
    assert small_games.openspiel_exploitability(theirs, policy) == pytest.approx(uniform, abs=1e-9)
    solver, ours = pyspiel.CFRPlusSolver(theirs), Cfr(tree_of(cardwin.game("leduc")))
    for _ in range(10):
        solver.evaluate_and_update_policy()
    ours.step(10)
    found = small_games.openspiel_exploitability(theirs, solver.average_policy())
    assert found == pytest.approx(ours.exploitability(), abs=1e-9)


def test_cfr_plus_on_kuhn_by_iteration() -> None:
    solver = Cfr(tree_of(cardwin.game("kuhn")))
    for iteration, conv in ((1, 0.9166666666666666), (10, 0.06537418133668965), (1000, 0.00017473064504169855)):
        solver.step(iteration - solver.iterations)
        assert 2 * solver.exploitability() == pytest.approx(conv, abs=1e-12)


def test_cfr_plus_solves_leduc() -> None:
    solution = cardwin.solve(cardwin.game("leduc"), "cfr+")
    assert solution.exploitability < 1e-4
    assert solution.value == pytest.approx(-0.0856064, abs=1e-4)


def test_plain_cfr_converges_more_slowly() -> None:
    tree = tree_of(cardwin.game("leduc"))
    gaps = []
    for plus in (False, True):
        solver = Cfr(tree, plus)
        solver.step(500)
        gaps.append(solver.exploitability())
    assert gaps[1] < gaps[0] / 5
    assert gaps[0] < 0.1


def test_linear_in_the_opponents() -> None:
    tree = tree_of(cardwin.game("kuhn"))
    rng = generator_of(3)
    first, second = (
        plans.plans(seqs, plans.behaviours(seqs, rng.random((200, seqs.genes)))) for seqs in tree.sequences
    )
    table = plans.values(tree, first, second)
    assert np.allclose(table.mean(axis=1), first @ plans.gradient(tree, 0, second.mean(axis=0)), atol=1e-14)
    assert table[3, 5] == pytest.approx(plans.value(tree, first[3], second[5]), abs=1e-14)
