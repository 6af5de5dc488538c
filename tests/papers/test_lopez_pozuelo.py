"""López Pozuelo (2015): what is printed, what is exact, and that the rules tell them apart."""

import json
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cardwin.games import game
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.evolutions import preset_with
from cardwin.papers.lopez_pozuelo import (
    EXPERIMENTS,
    LISTINGS,
    MATTERS,
    classic_game,
    coevolution,
    convergence,
    convergence_findings,
    counter_strategies,
    mixed,
    operators,
    published,
    trees_and_models,
    wider_games,
)
from cardwin.papers.register import register
from cardwin.papers.sample import Sample, finding_of
from cardwin.papers.verdicts import Verdict
from cardwin.players.small_games.policies import policy
from cardwin.runs.experiment import presets
from cardwin.solvers import equilibria
from cardwin.solvers.tree import tree_of

REGISTER = register("cardwin.papers.lopez_pozuelo")
FINDINGS = Path(__file__).with_name("findings.json")
VARIANTS = (published.KUHN, published.BREADTH, published.BREADTH_2, published.DEPTH, published.FULL)
# The most that can be won: (game, model, seat) where the document's figure is furthest from it.
MOST = {
    ("kuhn", "rational", 0): "1/12",
    ("kuhn", "rational", 1): "1/6",
    ("kuhn-breadth", "rational", 0): "1/4",
    ("kuhn-full", "bluffer", 0): "3",
    ("kuhn-full", "bluffer", 1): "7/4",
}


def judged(*samples: Sample | Iterable[Sample]) -> list[Finding]:
    found = [one for some in samples for one in ([some] if isinstance(some, Sample) else some)]
    return [finding_of(one, REGISTER) for one in found]


def by_name(findings: list[Finding], part: str) -> Finding:
    return next(finding for finding in findings if part in finding.name)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.game)
def test_every_printed_table_fits_its_game_and_has_a_preset(variant: published.Variant) -> None:
    genes = tree_of(game(variant.game)).sequences[0].genes
    for case in variant.cases:
        assert case.marks is None or len(case.marks) == genes, case
        assert f"lopez-{variant.game.partition(':')[0]}-{case.model}-{case.seat + 1}" in presets()
    for name, tables in published.COEVOLVED_TABLES.items():
        for table in tables:
            assert len(table.replace("/", " ").split()) == tree_of(game(name)).sequences[0].genes


@pytest.mark.parametrize(("where", "most"), MOST.items())
def test_the_most_that_can_be_won(where: tuple[str, str, int], most: str) -> None:
    name, model, seat = where
    assert equilibria.best_response(policy(game(name), model), seat).value == Fraction(most)


def test_the_models_stand_in_one_line(tmp_path: Path) -> None:
    tree = tree_of(game("kuhn"))
    assert trees_and_models.mean_value(tree, "shy", "safe") == 0
    assert trees_and_models.mean_value(tree, "safe", "rational") == Fraction(5, 48)
    assert trees_and_models.mean_value(tree, "rational", "bluffer") == Fraction(97, 2400)
    assert trees_and_models.mean_value(tree, "safe", "bluffer") == Fraction(11, 1200)
    findings = judged(trees_and_models.models(Context(tmp_path, "seconds", 3, 1, "models")))
    said = {finding.name: finding.verdict for finding in findings}
    assert said["safe against bluffer"] == Verdict.WRONG_SIGN
    assert said["safe against rational"] == said["rational against bluffer"] == Verdict.AGREES
    assert said["the four models' order"] == Verdict.DIFFERS


def test_the_sums_worked_out_by_hand() -> None:
    findings = judged(classic_game.earnings())
    assert len(findings) == 16
    wrong = [finding for finding in findings if finding.verdict == Verdict.MISCALCULATED]
    assert all(finding.verdict == Verdict.AGREES for finding in findings if finding not in wrong)
    assert [finding.exact for finding in wrong] == [pytest.approx(1.2625), "2 and 1"]
    kuhn = tree_of(game("kuhn"))
    assert classic_game.call_rate(kuhn, "rational", 0, "J") == 0.75
    assert classic_game.call_rate(kuhn, "rational", 1, "K after check") == pytest.approx(1 / 6)
    assert classic_game.value_once_reached(kuhn, "bluffer", 1, "J after check", {"B_J": 1}) == pytest.approx(-1.1)


def test_printed_champions_are_no_equilibrium_and_nobody_said_so() -> None:
    gaps = [coevolution.exploitability_of(player) for player in (published.COEVOLVED_1, published.MIXED_1)]
    assert gaps == pytest.approx([407 / 18000, 23431 / 900000])
    assert REGISTER.of("exploitability of the printed co-evolved player 1").kind == "background"
    beaten = judged(coevolution.models_beaten(player) for player in (published.COEVOLVED_1, published.COEVOLVED_2))
    assert [(one.published, one.exact, one.verdict) for one in beaten] == [(n, n, Verdict.AGREES) for n in (2, 4)]


def test_the_best_of_many_matches_has_two_bounds() -> None:
    margin = REGISTER.margin("mixed player 1 against Shy, up to")
    regions = verdicts.best_of_some(0.0, 0.03, coevolution.MIN_MATCHES, coevolution.MAX_MATCHES, margin)
    said = [verdicts.judge(regions, most) for most in (0.0, 0.05, 0.075, 0.12, 0.16, 0.2)]
    assert said == [Verdict.DIFFERS, Verdict.DIFFERS, *[Verdict.AGREES] * 3, Verdict.DIFFERS]


def test_the_mixed_player_does_win_more_often_and_more() -> None:
    findings = judged(mixed.compare_printed())
    assert by_name(findings, "more kinds").exact == 1  # three of four against two
    assert by_name(findings, "more on average").exact == pytest.approx(-0.0028 + 0.0147, abs=1e-4)
    assert [finding.verdict for finding in findings] == [Verdict.AGREES, Verdict.AGREES, None]


def test_a_gene_on_the_wrong_side_is_a_conflict_and_a_settled_one_left_open_an_error() -> None:
    printed, forced = ["1", "0", "~", "↑", "1", ".5"], ["0", "0", "1", "0*", "~", "1*"]
    assert counter_strategies.conflicts(printed, forced) == [0, 3]
    assert counter_strategies.unsettled_genes(printed, forced) == [2]
    assert counter_strategies.settled_but_free(printed, forced) == [4]


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        ("1 0 ~", Verdict.AGREES),
        ("1 0 ↓", Verdict.AGREES),
        ("1 0 0", Verdict.NO_DIFFERENCE),
        ("1 ~ ~", Verdict.DIFFERS),
        ("0 0 1", Verdict.DIFFERS),
    ],
)
def test_a_table_agrees_makes_no_difference_or_differs(printed: str, verdict: Verdict) -> None:
    assert verdicts.chosen(True, counter_strategies.table_mark(printed.split(), ["1", "0", "~"])) is verdict


def test_the_full_game_s_bluffer_is_left_open_in_six_of_eight_genes() -> None:
    case = published.FULL.cases[-1]
    forced = equilibria.best_response(policy(game("kuhn-full"), case.model), case.seat).forced
    assert sum(mark in ("0", "1") for mark in forced) == 8
    assert len(counter_strategies.unsettled_genes(case.marks or [], forced)) == 6


def test_seats_and_deceptions_are_judged_case_by_case() -> None:
    seats = {one.name: one for variant in VARIANTS for one in judged(counter_strategies.seat_advantages(variant.game))}
    assert list(seats) == [
        name for variant in VARIANTS for name in REGISTER.names_like(f"{variant.game}, the better seat *")
    ]
    first = seats["kuhn-breadth, the better seat against Rational"]
    assert (first.exact, first.verdict) == (0, Verdict.NO_DIFFERENCE)  # a quarter in either seat
    assert seats["kuhn, the better seat against Safe"].verdict == Verdict.AGREES
    found = {
        one.name: one.verdict for variant in VARIANTS for one in judged(counter_strategies.deceptions(variant.game))
    }
    assert len(found) == sum(map(len, published.DECEPTIONS.values())) == 30
    assert found["kuhn, the answer to Bluffer sandbags, player 1"] == Verdict.AGREES
    assert found["kuhn-breadth, the answer to Rational sandbags, player 1"] == Verdict.DIFFERS
    assert found["kuhn-full, the answer to Bluffer bluffs, player 1"] == Verdict.DIFFERS
    assert found["kuhn-full, the answer to Bluffer bluffs, player 2"] == Verdict.NO_DIFFERENCE


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    context = Context(tmp_path_factory.mktemp("kuhn"), "seconds", 7, 1, "kuhn")
    return judged(classic_game.kuhn(context))


def test_played_out_the_fittest_is_the_luckiest_and_the_report_says_so(kuhn: list[Finding]) -> None:
    for seat, printed, most in ((1, 0.23, 1 / 12), (2, 0.32, 1 / 6)):
        found = by_name(kuhn, f"fittest Rational, player {seat}")
        assert (found.published, found.verdict, found.over) == (printed, Verdict.INFLATED, "3 seeds")
        assert found.exact == pytest.approx(most)
        # Even a small run's luckiest stands well above everything that can be won.
        assert found.ci95 is not None
        assert found.ci95[0] > most + 0.05
    curse = by_name(kuhn, "winner's curse")
    assert isinstance(curse.measured, float)
    assert curse.measured > 1 / 12 + 0.05


def test_evolved_genes_take_the_document_s_side(kuhn: list[Finding]) -> None:
    assert by_name(kuhn, "genes Bluffer, player 1").measured == "0 0 0 / 0 1 1"
    assert by_name(kuhn, "genes Rational, player 2").measured == "1 ~ 1 / 0 0 1"
    tables = {finding.name: finding.verdict for finding in kuhn if ", genes " in finding.name}
    assert set(tables.values()) == {Verdict.AGREES, Verdict.NO_DIFFERENCE}
    assert tables["kuhn, genes Rational, player 1"] == Verdict.NO_DIFFERENCE  # betting the king is free


def test_every_measured_number_has_its_interval(kuhn: list[Finding]) -> None:
    assert all(finding.ci95 for finding in kuhn if isinstance(finding.measured, float))


def test_what_luck_cannot_explain_is_impossible(tmp_path: Path) -> None:
    breadth = judged(counter_strategies.counter_strategies(Context(tmp_path, "seconds", 7, 1, "b"), published.BREADTH))
    assert by_name(breadth, "fittest Rational, player 1").verdict == Verdict.IMPOSSIBLE
    genes = by_name(breadth, "genes Rational, player 1")
    assert genes.verdict == Verdict.DIFFERS
    assert "B_K is 1 and should be 0" in genes.reason
    assert "C1_K is ~ and should be 1" in genes.reason
    assert {path.suffix for path in (tmp_path / "pictures").iterdir()} == {".png", ".svg", ".csv"}


STILL = convergence.LastFifth(
    -0.055, 0.001, 0.005, np.zeros((2, 12)), np.zeros((2, 12)), 0.1, 0.2, np.zeros(1), np.zeros(1)
)
MOVING = replace(STILL, deviation=0.05)


def group(settled: int, moving: int, bound: float = convergence.MIN_BOUND) -> convergence.Group:
    return convergence.Group([STILL] * settled + [MOVING] * moving, bound)


def test_the_rule_of_rest_can_say_both() -> None:
    assert STILL.is_settled(convergence.MIN_BOUND)
    assert not MOVING.is_settled(convergence.MIN_BOUND)  # it moves
    assert not replace(STILL, exploitability=0.1).is_settled(convergence.MIN_BOUND)  # it settles elsewhere
    assert not replace(STILL, deviation=0.006).is_settled(convergence.MIN_BOUND)
    assert replace(STILL, deviation=0.006).is_settled(0.01)  # what more noise leaves


def test_the_bound_of_rest_comes_from_references_that_stay() -> None:
    stayed, left = replace(STILL, deviation=0.006), replace(MOVING, exploitability=0.03)
    assert convergence.stability_bound([stayed, left]) == pytest.approx(0.012)
    assert convergence.stability_bound([left]) == convergence.stability_bound([STILL]) == convergence.MIN_BOUND
    assert convergence.stability_bound([left], minimum=0.01) == 0.01


def test_a_share_of_runs_can_agree_differ_and_be_too_few() -> None:
    for settled, moving, settled_verdict, never in (
        (12, 0, Verdict.AGREES, Verdict.DIFFERS),
        (0, 10, Verdict.DIFFERS, Verdict.AGREES),
        (5, 7, Verdict.UNDECIDED, Verdict.UNDECIDED),
        (0, 9, Verdict.CANNOT_TELL, Verdict.CANNOT_TELL),
    ):
        names = (MATTERS[0], "kuhn-depth, co-evolution comes to rest, share of runs")
        found = judged(convergence_findings.settled_share(name, group(settled, moving)) for name in names)
        assert tuple(one.verdict for one in found) == (settled_verdict, never), (settled, moving)
        assert all((one.needed == 10) == (one.verdict == Verdict.CANNOT_TELL) for one in found)


def test_references_begin_in_the_equilibrium(tmp_path: Path) -> None:
    context = Context(tmp_path, "seconds", 1, 1, "settling")
    small = {"population": {"size": 101}, "generations": 1, "fitness": {"play": "pooled", "games": 1000}}
    (begun,) = convergence.reference_runs(context, "lopez-coevolution", 1, small)
    assert begun.exploitability == pytest.approx(0, abs=1e-9)
    assert begun.genes[1, :3] == pytest.approx([1 / 3, 0, 1])


def test_some_runs_by_exact_fitness_settle_and_others_do_not() -> None:
    chosen = [preset_with("lopez-coevolution", seed, {"generations": 500}) for seed in (1, 3)]
    found = convergence.Group(convergence.last_fifths(chosen, 1), convergence.MIN_BOUND)
    (moving,), (settled,) = found.unsettled, found.settled
    assert settled.mean == pytest.approx(-1 / 18, abs=0.001)
    assert settled.genes[1, [0, 4]] == pytest.approx([1 / 3, 1 / 3], abs=0.1)
    a = settled.genes[0, 0]
    assert settled.genes[0, [2, 4]] == pytest.approx([3 * a, a + 1 / 3], abs=0.1)
    assert moving.variety > 1.5 * settled.variety
    assert (found.share.count, found.share.n) == (1, 2)


def test_deceptions_and_tables_of_co_evolution_can_hold_and_fail() -> None:
    genes = np.zeros((2, 6))
    genes[:, 2] = 1.0
    honest = [replace(STILL, genes=genes, champions=genes)] * 5
    bluffers = [replace(STILL, genes=1 - genes)] * 5
    assert {finding.verdict for finding in judged(convergence_findings.deceptions(honest))} == {Verdict.AGREES}
    assert {finding.verdict for finding in judged(convergence_findings.deceptions(bluffers))} == {Verdict.DIFFERS}
    tables = [table.replace("/", " ").split() for table in published.COEVOLVED_TABLES["kuhn-depth"]]
    alike = np.array([[{"0": 0.1, "1": 0.9}.get(mark, 0.5) for mark in table] for table in tables])
    for champions, verdict in ((alike, Verdict.AGREES), (1 - alike, Verdict.DIFFERS)):
        found = judged(wider_games.genes_on_printed_side("kuhn-depth", [replace(STILL, champions=champions)] * 3))
        assert {finding.verdict for finding in found} == {verdict}
    safe = judged(wider_games.bluffs("kuhn-depth", [replace(STILL, genes=alike)] * 3))
    assert {one.verdict for one in safe} == {Verdict.DIFFERS}


def test_who_is_ahead_can_hold_and_fail() -> None:
    for mean, share, verdict in ((-0.05, 0.2, Verdict.AGREES), (0.05, 0.0, None)):
        first, second = judged(
            wider_games.second_player_lead("kuhn-depth", [replace(STILL, mean=mean, ahead=share)] * 3)
        )
        assert first.verdict == (verdict or Verdict.WRONG_SIGN)
        assert second.verdict == (verdict or Verdict.DIFFERS)


def test_a_slight_lead_is_a_tie_and_not_both_better_and_alike() -> None:
    def said(lead: float) -> list[Verdict | None]:
        curves = {"uniform": np.full((4, 3), lead), "one-point": np.zeros((4, 3))}
        fitness = {("rational", operator): {"mean": mean} for operator, mean in curves.items()}
        gap = operators.lead(fitness, "rational", "uniform", "one-point")
        names = ("uniform or one-point against Rational", "uniform or one-point against Shy")  # better, balanced
        return [one.verdict for one in judged(Sample(name, gap) for name in names)]

    assert said(0.005) == [Verdict.NO_DIFFERENCE, Verdict.AGREES]
    assert said(0.02) == [Verdict.AGREES, Verdict.DIFFERS]
    assert said(-0.02) == [Verdict.WRONG_SIGN, Verdict.DIFFERS]


def test_convergence_in_under_100_generations_can_hold_and_fail() -> None:
    for slope, verdict in ((0.0, Verdict.AGREES), (0.001, Verdict.DIFFERS)):
        mean = np.tile(np.arange(500) * slope, (3, 1))
        fitness = {
            (model, operator): {"mean": mean} for model in trees_and_models.MODELS for operator in operators.SELECTIONS
        }
        assert {finding.verdict for finding in judged(operators.convergence(fitness, 500))} == {verdict}


def test_fair_play_leaves_only_the_luck_of_betting() -> None:
    tree = tree_of(game("kuhn"))
    everything, betting = trees_and_models.noise(tree, "rational")
    assert everything == pytest.approx((1.25 - 1 / 144) ** 0.5)
    assert 0 < betting < everything
    assert trees_and_models.noise(tree, "caller")[1] == pytest.approx(0)  # nobody mixes


@pytest.mark.slow
def test_every_judged_finding_has_its_claim_and_every_claim_is_judged(tmp_path: Path) -> None:
    claims = []
    for name, experiment in EXPERIMENTS.items():
        for finding in judged(experiment(Context(tmp_path, "seconds", 1, 1, name))):
            rows = [row for row in REGISTER.claims if fnmatchcase(finding.name, row.name)]
            if finding.verdict is not None:
                assert REGISTER.of(finding.name).kind == "claim", finding.name
                claims.append(REGISTER.of(finding.name).name)
            else:
                assert all(row.kind != "claim" for row in rows), finding.name
    assert {row.name for row in REGISTER.claims if row.kind == "claim" and not row.unmeasured} == set(claims)


def test_every_table_and_figure_has_its_experiment() -> None:
    wanted = {"trees", "models", "kuhn", "breadth", "depth", "full", "coevolution", "mixed", "selection", "settling"}
    assert wanted | {"initialisation", "crossover", "coevolution-variants", "breadth-2"} <= set(EXPERIMENTS)
    assert len(set(MATTERS)) == len(MATTERS)
    found = [
        name for names in json.loads(FINDINGS.read_text(encoding="utf-8"))["lopez-pozuelo"].values() for name in names
    ]
    assert set(MATTERS) <= set(found)
    assert "index starts at 0" in LISTINGS
