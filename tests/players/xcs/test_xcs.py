"""The classifier system's parts: what is by the book can be checked by hand."""

from typing import Any

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of, key_of
from cardwin.players.xcs.descriptions import fittest, rule_text
from cardwin.players.xcs.fields import Fields, bit, bit_spread
from cardwin.players.xcs.learning.credit import expected_parts, outcome_parts, update
from cardwin.players.xcs.learning.discovery import is_due
from cardwin.players.xcs.learning.parameters import Parameters, with_changes
from cardwin.players.xcs.learning.problems import PROBLEMS, XcsLearner, problem_of
from cardwin.players.xcs.learning.system import System, covers, new_system
from cardwin.players.xcs.rules import (
    EXPERIENCE,
    FITNESS,
    MICRO,
    NUMEROSITY,
    PREDICTION,
    SEEN,
    SET_SIZE,
    SIZE,
    TIME,
    TIME_STAMP,
    expected_payoff,
    matching,
    updated_register,
)

MIXED = Fields(
    (bit("wet"), bit_spread("strength", [tenth / 10 for tenth in range(11)]), bit_spread("pot", range(61)), bit("dry")),
    2,
)


def test_fields_lie_apart_in_as_many_words_as_they_need() -> None:
    layout = MIXED.layout
    assert layout.places.tolist() == [[0, 0, 2], [0, 2, 10], [1, 0, 60], [1, 60, 2], [2, 0, 2], [2, 2, 2]]
    assert [int(word).bit_count() for word in layout.full] == [12, 62, 4]
    assert len(layout.cuts) == 1 + 1 + 10 + 60 + 1 + 2  # a ternary position is one allele


def test_matching_is_every_fields_value_being_let_through() -> None:
    draws = generator_of(1)
    system = new_system(MIXED, 3, Parameters(N=200), 1)
    rules = system.rules
    rules.totals[SIZE] = 200
    for word, full in enumerate(MIXED.layout.full.tolist()):
        rules.condition[word] = draws.integers(0, 2**62, rules.condition.shape[1]) & full
        rules.condition[word] |= draws.integers(0, 2**62, rules.condition.shape[1]) & full
        rules.condition[word] |= draws.integers(0, 2**62, rules.condition.shape[1]) & full
    seen = 0
    for _ in range(50):
        values = [int(draws.integers(field.width)) for field in MIXED.all]
        situation = MIXED.encode(values[:-2])
        situation[2] = (1 << values[-2]) | (4 << values[-1])
        found = matching(rules, situation, system.sets.members, 0)
        slow = [
            i for i in range(200)
            if all(lets[value] for lets, value in zip(MIXED.allowed(rules.condition[:, i]), values, strict=True))
        ]  # fmt: skip
        assert system.sets.members[0, :found].tolist() == slow
        seen += len(slow)
    assert seen > 100


def test_a_register_is_written_digit_by_digit() -> None:
    assert updated_register(0b10, 1 + 3 * 2, 2) == 0b11
    assert updated_register(0b11, 0 + 3 * 2, 2) == 0b10
    assert updated_register(0b11, 2 + 3 * 0, 2) == 0b01
    assert updated_register(0b01, 2 + 3 * 2, 2) == 0b01


def lone_rule(two_predictions: bool = False, **changes: Any) -> System:
    """A system with two identical sets of one and three copies of a rule in seat 0's set."""
    system = new_system(Fields((bit("a"), bit("b"), bit("c"))), 2, Parameters(**changes), 1, two_predictions)
    system.rules.totals[:] = (2, 4, 0)
    system.rules.condition[0, :2] = system.layout.full[0]
    system.rules.counts[NUMEROSITY, :2] = (1, 3)
    system.rules.values[FITNESS, :2] = 0.5
    system.sets.members[0, :2] = (0, 1)
    system.sets.size[0] = 2
    return system


def test_updates_are_averages_first_and_then_steps_of_beta() -> None:
    system = lone_rule()
    for reward in (1000.0, 0.0, 500.0):
        outcome_parts(system, reward)
        update(system, 0)
    values = system.rules.values
    assert values[PREDICTION, 0] == pytest.approx(500.0)  # the mean of three
    # Errors against the prediction before: 1000, then 1000, then 0, averaged.
    assert values[0, 0] == pytest.approx(2000 / 3)
    assert values[SET_SIZE, 0] == pytest.approx(4.0)
    for _ in range(7):
        outcome_parts(system, 1000.0)
        update(system, 0)
    # Averages until the fifth (beta is a fifth), then steps.
    expected = 3500 / 5
    for _ in range(5):
        expected += 0.2 * (1000 - expected)
    assert values[PREDICTION, 0] == pytest.approx(expected)
    assert system.rules.counts[EXPERIENCE, 0] == 10


def test_fitness_follows_relative_accuracy_by_numerosity() -> None:
    system = lone_rule(epsilon_0=10.0)
    system.rules.counts[EXPERIENCE, :2] = 100
    system.rules.values[PREDICTION, :2] = (100.0, 100.0)
    system.rules.values[0, :2] = (0.0, 25.0)
    outcome_parts(system, 100.0)
    update(system, 0)
    # The second's error falls to 20: alpha (20 / 10)^-5, three copies.
    kappa = np.array([1.0, 3 * 0.1 * 2.0**-5])
    assert system.rules.values[FITNESS, :2] == pytest.approx(0.5 + 0.2 * (kappa / kappa.sum() - 0.5))


def test_a_set_breeds_when_its_copies_waited_longer_than_theta_ga_on_average() -> None:
    system = lone_rule(theta_GA=25.0)
    system.rules.counts[TIME_STAMP, :2] = (0, 8)  # one copy since 0, three since 8: 6 on average
    due = []
    for now in (30, 31, 32, 33, 56, 57):
        system.rules.totals[TIME] = now
        due.append(is_due(system, 0))
    assert due == [False, False, True, False, False, False]
    assert system.rules.counts[TIME_STAMP, :2].tolist() == [32, 32]
    system.rules.totals[TIME] = 58
    assert is_due(system, 0)


def test_two_predictions_learn_from_their_own_outcome_alone() -> None:
    system = lone_rule(True)
    for reward in (300.0, -100.0, 500.0, -100.0):
        outcome_parts(system, reward)
        update(system, 0)
    values = system.rules.values[:, 0]
    assert values[[PREDICTION, PREDICTION + 2]] == pytest.approx([400.0, -100.0])
    assert values[[SEEN, SEEN + 2]] == pytest.approx([2.0, 2.0])
    assert expected_payoff(system.rules, 0) == pytest.approx(150.0)
    # Errors were of the prediction that the outcome belongs to: 300, 100, 200, 0.
    assert values[0] == pytest.approx(150.0)


def test_within_an_episode_both_parts_come_from_the_next_decisions_best_action() -> None:
    system = lone_rule(True, gamma=0.5)
    values = system.rules.values
    values[[PREDICTION, SEEN, PREDICTION + 2, SEEN + 2], 0] = (400.0, 3.0, -200.0, 1.0)
    values[[PREDICTION, SEEN, PREDICTION + 2, SEEN + 2], 1] = (600.0, 1.0, -100.0, 3.0)
    system.sets.members[2, :2] = (0, 1)
    system.scratch.expected[:, 0] = (0.5 * (expected_payoff(system.rules, 0) + expected_payoff(system.rules, 1)), 1.0)
    expected_parts(system, 0, 2, 0.0)
    target, share = system.scratch.target
    assert share == pytest.approx([0.5, 0.5])
    assert target == pytest.approx([0.5 * 450.0, 0.5 * -125.0])
    assert (target * share).sum() == pytest.approx(0.5 * system.scratch.expected[0, 0])


@pytest.mark.parametrize("name", ["multiplexer-6", "multiplexer-11-odds", "woods101-register"])
def test_a_population_stays_in_order(name: str) -> None:
    problem = problem_of(name)
    learner = XcsLearner(problem, key_of(3), {"N": 200})
    for _ in range(5):
        learner.run(300)
        rules = learner.system.rules
        size = rules.totals[SIZE]
        assert rules.counts[NUMEROSITY, :size].sum() == rules.totals[MICRO] <= 200
        assert rules.counts[NUMEROSITY, :size].min() >= 1
        said = {(*rules.condition[:, i].tolist(), *rules.counts[:2, i].tolist()) for i in range(size)}
        assert len(said) == size  # no rule twice
        for i in range(size):
            assert all(any(lets) for lets in problem.fields.allowed(rules.condition[:, i]))
        assert np.isfinite(rules.values[:, :size]).all()


def test_generality_is_a_superset() -> None:
    system = new_system(MIXED, 3, Parameters(), 1)
    system.rules.condition[:, 0] = MIXED.layout.full
    system.rules.condition[:, 1] = MIXED.encode([1, 7, 30, 0]) | np.array([0, 0, 0b1111])
    assert covers(system.rules, 0, 1)
    assert not covers(system.rules, 1, 0)
    system.rules.counts[0, 1] = 1
    assert not covers(system.rules, 0, 1)


@pytest.mark.parametrize("name", ["multiplexer-6-stakes", "woods101-register"])
def test_resumed_equals_uninterrupted(name: str) -> None:
    whole, first, second = (XcsLearner(problem_of(name), key_of(5), {}, True) for _ in range(3))
    all_scores = whole.run(800).score
    scores = first.run(300).score
    second.load(first.state())
    assert np.append(scores, second.run(500).score).tolist() == all_scores.tolist()
    for name_, array in whole.state().items():
        assert (array == second.state()[name_]).all()
    other = XcsLearner(problem_of(name), key_of(6), {}, True).run(800)
    assert other.score.tolist() != all_scores.tolist()


def test_rules_of_other_fields_are_refused_by_name() -> None:
    state = XcsLearner(problem_of("multiplexer-6"), 1).state()
    other = XcsLearner(problem_of("multiplexer-6"), 1, {}, True)
    with pytest.raises(InputError, match="values of the rules"):
        other.load(state)


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        with_changes(Parameters(), {"beta": 2.0, "N": 1.5, "thetaGA": 3})
    assert all(text in str(caught.value) for text in ("beta", "2.0", "N ", "1.5", "thetaGA"))
    with pytest.raises(InputError, match=r"gamma.*7") as caught:
        Parameters(gamma=7, mu=-1)
    assert "mu " in str(caught.value)
    with pytest.raises(InputError, match="unknown problem"):
        problem_of("multiplexer-7")
    with pytest.raises(InputError, match="register"):
        Fields((bit("a"),), 7)
    assert all(PROBLEMS[name]().name for name in PROBLEMS)


def test_rules_are_told_in_words() -> None:
    system = new_system(MIXED, 3, Parameters(), 1, two_predictions=True)
    rules = system.rules
    rules.totals[:] = (2, 2, 0)
    rules.condition[:, 0] = MIXED.layout.full
    rules.condition[0, 0] = 0b10 | (0b0011000000 << 2)
    rules.condition[2, 0] = 0b1101
    rules.counts[:2, 0] = (2, 2 + 3 * 0)
    rules.values[[FITNESS, PREDICTION, SEEN, PREDICTION + 2, SEEN + 2], 0] = (0.9, 38.0, 57.0, -41.0, 43.0)
    rules.condition[:, 1] = MIXED.layout.full
    rules.counts[1, 1] = 8
    actions = ("fold", "call", "raise")
    assert str(rule_text(rules, 0, MIXED, actions)) == (
        "if wet is 1 and strength is between 0.6 and 0.8 and register 1 is 0, "
        "then raise and write 0 into register 2; expects +38 winning, -41 losing, won 57%"
    )
    assert str(rule_text(rules, 1, MIXED, actions)) == "whatever is seen, then fold; expects +0 winning, +0 losing"
    assert [rule.fitness for rule in fittest(rules, MIXED, actions, 5)] == [0.9, 0.0]
