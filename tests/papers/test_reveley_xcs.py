"""Reveley's classifier system in small: marks follow from a rule, trials repeat, stand-ins guess better by and by."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import accept_rules
from accept_rules import Acceptance, acceptance
from cardwin.analysis.holdem_exploitability import ResponseSettings, exploitability
from cardwin.core.rng import generator_of, key_of
from cardwin.games.base import NOBODY
from cardwin.papers import SCALES, Context, Finding, findings_of, paper_of, verdicts
from cardwin.papers.register import register
from cardwin.papers.reveley import ablation, trainings
from cardwin.papers.reveley.baselines import BASELINES, BLIND, EXACT, Baselines, baselines_of
from cardwin.papers.reveley.claims import Numbers, by_opponent, family, paired, pooled, questions, single
from cardwin.papers.reveley.deception import BluffGame, NoticingOpponent, learned_value
from cardwin.papers.reveley.michigan_pitt import answers, gap, michigan, pitt_instances, situations
from cardwin.papers.reveley.multiplexer import mean_error
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.trainings import (
    LIMIT,
    LITERATURE,
    VERSIONS,
    Table,
    Training,
    TrainingResult,
    Trial,
    deal_key,
    run_all,
    sizes,
)
from cardwin.papers.sample import Sample, decisive_p, finding_of, spread
from cardwin.papers.verdicts import Verdict
from cardwin.players.registry import player
from cardwin.players.xcs.training.holdem import won_by_deal
from cardwin.stats.intervals import mean_interval


def trained(spec: str, against: str, seed: int, *won: float) -> TrainingResult:
    """A training that won these means from its judges."""
    return TrainingResult(
        Training(spec, (against,), 100, seed), tuple(np.full(4, one) for one in won), np.zeros(4), 9, 0.5
    )


def lead(values: list[float], against: str = "call") -> Numbers:
    """These differences, one for each seed."""
    return {
        (Training("a", (against,), 1, seed), Training("b", (against,), 1, seed)): value
        for seed, value in enumerate(values)
    }


def judged(samples: Iterable[Sample]) -> list[Finding]:
    """The findings of samples."""
    return [finding_of(one, register("cardwin.papers.reveley")) for one in samples]


def verdict_of(values: list[float]) -> Verdict | None:
    """The verdict on a claim that is alone in its family."""
    (found,) = judged(family({"all four changes, minus plain, pooled": lead(values)}))
    return found.verdict


def test_a_claim_is_marked_by_the_interval_over_its_trainings() -> None:
    assert verdict_of([1.0]) == Verdict.CANNOT_TELL
    assert verdict_of([1.0, 1.1, 0.9]) == Verdict.AGREES
    assert verdict_of([-0.01, 0.01, 0.0]) == Verdict.NO_DIFFERENCE
    assert verdict_of([-1.0, -1.1, -0.9]) == Verdict.WRONG_SIGN
    (asked,) = judged(questions({"register: alone, minus plain, Caller": lead([1.0, 1.1, 0.9])}))
    assert asked.verdict is None
    assert asked.over == "3 pairs of trainings"


def test_one_training_enters_once() -> None:
    """Three judges of one training are one number; whatever counts a training twice is an error."""
    one = trained("a", "call", 1, 0.1, 0.2, 0.6)
    assert list(single([one]).values()) == [pytest.approx(0.3)]
    other = trained("b", "call", 1, 0.0, 0.0, 0.0)
    assert list(paired([one], [other]).values()) == [pytest.approx(0.3)]
    with pytest.raises(ValueError, match="enters"):
        single([one, one])
    with pytest.raises(ValueError, match="enters"):
        paired([one, one], [other, other])
    with pytest.raises(ValueError, match="enters 2 times"):
        paired([one, one], [other, trained("c", "call", 1, 0.0)])
    with pytest.raises(ValueError, match="enters"):
        pooled([single([one]), single([one])])
    with pytest.raises(ValueError, match="different seeds"):
        paired([one], [trained("b", "call", 2, 0.0)])


def test_pooled_is_over_trainings_and_opponents_have_rows_of_their_own() -> None:
    """The audit's example: three judges of three trainings were nine numbers, and are three."""
    caller, random = lead([-0.4, -0.38, -0.42]), lead([0.1, 0.2, 0.15], "random")
    rows = by_opponent("all four changes, minus plain", {"Caller": caller, "Random": random})
    assert [name.rpartition(", ")[2] for name in rows] == ["Caller", "Random", "pooled"]
    assert [len(one) for one in rows.values()] == [3, 3, 6]
    found = judged(family(rows))
    assert [one.over for one in found] == ["3 pairs of trainings"] * 2 + ["6 pairs of trainings"]
    assert found[0].verdict == Verdict.WRONG_SIGN
    assert found[2].verdict in (Verdict.UNDECIDED, Verdict.CANNOT_TELL)


def test_a_family_is_corrected_for_its_number() -> None:
    """What is clear alone is not clear as the best of many."""
    clear, noisy = [0.12, 0.3, 0.21, 0.33], [-0.5, 0.6, 0.1, -0.2]
    assert verdict_of(clear) == Verdict.AGREES
    rows = {f"all four changes, minus plain, {number}": lead(noisy) for number in range(9)}
    found = judged(family({"all four changes, minus plain, 9": lead(clear)} | rows))
    assert found[0].verdict == Verdict.UNDECIDED
    assert "Holm over 10" in found[0].reason
    other = "no adaption in real time: beyond the best blind player after 1,000 hands, Caller"
    with pytest.raises(ValueError, match="of one family"):
        list(family(rows | {other: lead(clear)}))


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=9), st.floats(0.001, 0.5))
def test_the_decisive_p_is_the_level_at_which_the_interval_leaves_its_region(
    values: list[float], margin: float
) -> None:
    assume(float(np.std(values)) > 1e-6)
    regions = verdicts.above(margin)
    p = decisive_p(regions, values)
    for level, decided in ((min(1.02 * p, 1.0), True), (0.98 * p, False)):
        found = verdicts.judge(regions, spread(values, level=level).ci95) if 0 < level < 1 else None
        if found is not None and 1e-9 < p < 0.97:
            assert (verdicts.conclusion_of(found) != verdicts.Conclusion.OPEN) == decided


def test_every_seed_and_every_judge_has_deals_of_its_own() -> None:
    tables = [("call",), ("random",), ("call", "random"), ("loki:model=none",)]
    keys = {deal_key(seed, table, purpose) for seed in range(20) for table in tables for purpose in ("judged", "curve")}
    assert len(keys) == 160


def test_sizes_are_declared_for_every_scale() -> None:
    for scale in SCALES:
        for name in ("changes", "changes-loki", "deception", "noticing", "adaption"):
            found = sizes(Context(Path(), scale, 1), name)
            assert found["seeds"] >= 2
    assert sizes(Context(Path(), "hour", 1), "changes-loki")["seeds"] >= 8


def test_learning_is_measured_beyond_the_best_blind_player_on_the_same_deals() -> None:
    found = baselines_of([("random",), ("call",)], [1, 2], 40, 1)
    assert found.best_blind(("random",)) == "always raises"
    assert found.mean(("random",), "always raises") > 2
    assert found.won["call",]["always calls"][1] == 0  # against himself, from both seats
    same = {seed: won_by_deal(LIMIT, lambda: player("raise"), ["random"], 40, deal_key(seed, ("random",)))
            for seed in (1, 2)}  # fmt: skip
    for seed, won in same.items():
        one = TrainingResult(Training("x", ("random",), 1, seed), (won,), np.zeros(4), 1, 0.5)
        assert found.beyond([("random",)], one) == pytest.approx(0)


def test_printed_counts_are_right_but_one_and_printed_formulas_are_not(tmp_path: Path) -> None:
    found = findings_of(paper_of("reveley"), "arithmetic", Context(tmp_path, "seconds", 1))
    wrong = {one.name: one.verdict for one in found if one.verdict != Verdict.AGREES}
    assert wrong == {
        "holdings of an opponent, 52 choose 2": Verdict.MISCALCULATED,
        "hand strength as printed lies between 0 and 1": Verdict.DIFFERS,
        "re-weighting factor at the threshold, by the printed line": Verdict.MISCALCULATED,
        "accuracy as printed falls with the error": Verdict.DIFFERS,
        "actions before payoff, at least": Verdict.DIFFERS,
    }


def test_a_trial_is_the_same_on_any_number_of_workers() -> None:
    trials = [Trial("xcs:N=200,see=hs+round", ("random",), 400, seed, (("call",),), 10) for seed in (1, 2)]
    one, two = run_all(trials, 1), run_all(trials, 2)
    for a, b in zip(one, two, strict=True):
        assert (a.won[0] == b.won[0]).all()
        assert (a.curve == b.curve).all()
        assert 0 < a.general == b.general < 1
    assert (one[0].won[0] != one[1].won[0]).any()


def test_the_ablation_names_every_version_and_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With trials made up, in which plain wins 1 and every change .5 more: what is said follows from them."""

    def made_up(trials: list[Trial], workers: int) -> list[TrainingResult]:  # noqa: ARG001
        value = {spec: 1.0 + 0.5 * (name != "plain") for name, spec in VERSIONS.items()}

        def result(trial: Trial) -> TrainingResult:
            noise = trial.seed % 7 / 1000
            won = tuple(np.full(4, value.get(trial.spec, 0.0) + noise) for _ in trial.judges)
            general = 0.9 if trial.spec == LITERATURE else 0.3 + noise
            return TrainingResult(trial.training, won, np.zeros(4), 9, general)

        return [result(trial) for trial in trials]

    def blind(tables: list[Table], seeds: list[int], deals: int, workers: int) -> Baselines:  # noqa: ARG001
        won = {name: dict.fromkeys(seeds, 1.0 if name == "always raises" else 0.0) for name in BASELINES}
        return Baselines(dict.fromkeys(tables, won))

    monkeypatch.setattr(trainings, "run_all", made_up)
    monkeypatch.setattr(ablation, "run_all", made_up)
    monkeypatch.setattr(ablation, "baselines_of", blind)
    context = Context(tmp_path, "minutes", 1, 1, "changes")
    found = {one.name: one for one in findings_of(paper_of("reveley"), "changes", context)}
    for who in ("Caller", "Random", "Loki", "pooled"):
        assert found[f"register: alone, minus plain, {who}"].measured == pytest.approx(0.5)
        assert found[f"register: alone, minus plain, {who}"].verdict is None
        assert found[f"two predictions: alone, minus plain, {who}"].verdict == Verdict.AGREES
        assert found[f"two predictions: all four minus all but these, {who}"].verdict == Verdict.NO_DIFFERENCE
        assert found[f"XCS learns poker: beyond the best blind player, {who}"].measured == pytest.approx(0.5, abs=0.01)
    assert found["all four changes, minus plain, pooled"].over == "9 pairs of trainings"
    table = context.parts[0]
    assert [row[0] for row in table.rows] == [*VERSIONS, "literature's settings", *BASELINES, "best response"]  # type: ignore[union-attr]
    assert (tmp_path / "pictures" / "xcs-curves.png").is_file()


def test_noise_meets_its_edge_at_a_half() -> None:
    """Exact errors beside those of simulated rewards, and where the two kinds of rules are equally accurate."""
    draws = generator_of(1)
    answers, ups = draws.integers(0, 2, 400_000), 2 * draws.integers(0, 2, 400_000) - 1
    evenly = draws.uniform(-1, 1, 400_000)
    for amount in (0.2, 0.5, 0.7):
        for even, noise in ((False, ups), (True, evenly)):
            rewards = answers + amount * noise
            assert mean_error(amount, True, even) == pytest.approx(np.abs(rewards - 0.5).mean(), abs=0.005)
            assert mean_error(amount, False, even) == pytest.approx(np.abs(rewards - answers).mean(), abs=0.005)
    assert mean_error(0.5, True) == mean_error(0.5, False)
    assert mean_error(0.4, True) > mean_error(0.4, False)


def test_without_memory_one_loses_to_an_opponent_who_notices_and_xcs_finds_the_known_gain() -> None:
    opponent = NoticingOpponent(BluffGame(4))
    assert opponent.with_memory == pytest.approx(19 / 64)
    assert opponent.best_without_memory == pytest.approx(-5 / 16)
    ends = opponent.tree.nodes.actor == NOBODY
    assert (opponent.chips[ends] == opponent.tree.nodes.chips[ends]).all()
    assert learned_value(opponent, "register", 5_000, 1) == pytest.approx(19 / 64)
    assert learned_value(opponent, "bluff counter", 5_000, 1) == pytest.approx(19 / 64)
    assert learned_value(opponent, "no memory", 5_000, 1) <= -5 / 16 + 1e-9


@pytest.mark.slow  # a minute on a free core for each, once compiled
@pytest.mark.parametrize("table", EXACT)
def test_the_values_of_best_responses_are_those_of_the_solver(table: Table) -> None:
    found = exploitability(LIMIT, table[0], settings=ResponseSettings(method="exact"))
    assert float(found.exploitability) / 1000 == pytest.approx(EXACT[table], abs=1e-5)


def test_rules_are_accepted_if_they_win_enough_and_more_than_blind_players() -> None:
    found = acceptance("call", 30, 1)
    assert set(found.blind) == set(BLIND)
    assert found.blind["always calls"].mean == found.won.mean
    assert not found.accepted
    good, bad = mean_interval(np.array([0.2, 0.21, 0.19])), mean_interval(np.array([0.3, -0.1, 0.2]))
    assert Acceptance(good, {}, "always calls", good).accepted
    assert not Acceptance(good, {}, "always calls", bad).accepted
    assert not Acceptance(mean_interval(np.array([0.05, 0.06, 0.04])), {}, "always calls", good).accepted
    assert accept_rules.main(["call", "--deals", "20"]) == 1
    assert accept_rules.main(["xcs:nowhere.xcs"]) == 2


@pytest.mark.slow  # three quarters of a minute, most of it compiling
def test_a_small_network_is_evolved_to_beat_caller() -> None:
    make = evolved_network(LIMIT, "call", 30_000, 1)
    assert mean_interval(won_by_deal(LIMIT, make, ["call"], 300, key_of(1))).low > 0.2


def test_a_michigan_system_leaves_gaps_and_a_pitt_system_is_slow() -> None:
    seen = situations()
    assert (answers(seen) == [one[2 + 2 * one[0] + one[1]] for one in seen]).all()
    rules = michigan(2_000, 1)
    assert rules.conditions.shape == (400, 6)
    assert rules.strength.min() >= 0
    assert -1 <= gap(2_000, 1) <= 1
    assert pitt_instances(5_000_000, 1) % (60 * 64) == 0
    assert pitt_instances(5_000_000, 1) > 40_000
    assert pitt_instances(7_680, 1) == 7_680
