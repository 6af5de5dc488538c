"""López Pozuelo (2015): what is printed, what is exact, and that the verdicts tell them apart."""

from fractions import Fraction
from pathlib import Path

import pytest

from cardwin.games import game
from cardwin.lab.experiment import presets
from cardwin.lab.papers import AGREES, DIFFERS, IMPOSSIBLE, INFLATED, Context, Finding
from cardwin.lab.papers.lopez_pozuelo import EXPERIMENTS, counter, published, rivalry, rules
from cardwin.players.policies import policy
from cardwin.solvers import answers
from cardwin.solvers.tree import tree_of

VARIANTS = (published.KUHN, published.BREADTH, published.BREADTH_2, published.DEPTH, published.FULL)
# The most that can be won: (game, model, seat) where the document's figure is furthest from it.
MOST = {
    ("kuhn", "rational", 0): "1/12",
    ("kuhn", "rational", 1): "1/6",
    ("kuhn-breadth", "rational", 0): "1/4",
    ("kuhn-full", "bluffer", 0): "3",
    ("kuhn-full", "bluffer", 1): "7/4",
}


def by_name(findings: list[Finding], part: str) -> Finding:
    return next(finding for finding in findings if part in finding.name)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.game)
def test_every_printed_table_fits_its_game_and_has_a_preset(variant: published.Variant) -> None:
    genes = tree_of(game(variant.game)).sides[0].genes
    for case in variant.cases:
        assert case.marks is None or len(case.marks) == genes, case
        assert f"lopez-{variant.game.partition(':')[0]}-{case.model}-{case.seat + 1}" in presets()
    for name, tables in published.COEVOLVED_TABLES.items():
        for table in tables:
            assert len(table.replace("/", " ").split()) == tree_of(game(name)).sides[0].genes


@pytest.mark.parametrize(("where", "most"), MOST.items())
def test_the_most_that_can_be_won(where: tuple[str, str, int], most: str) -> None:
    name, model, seat = where
    assert answers.best_response(policy(game(name), model), seat).value == Fraction(most)


def test_the_models_stand_in_one_line() -> None:
    tree = tree_of(game("kuhn"))
    assert rules.mean_value(tree, "shy", "safe") == 0
    assert rules.mean_value(tree, "safe", "rational") == Fraction(5, 48)
    assert rules.mean_value(tree, "rational", "bluffer") == Fraction(97, 2400)
    assert rules.mean_value(tree, "safe", "bluffer") == Fraction(11, 1200)


def test_the_sums_worked_out_by_hand() -> None:
    findings = list(counter.earnings())
    assert [finding.verdict for finding in findings[:-1]] == [AGREES] * 8
    assert findings[-1].exact == pytest.approx(1.2625)


def test_printed_chromosomes_are_exploitable_and_the_mixed_one_more() -> None:
    gaps = [rivalry.exploited(player, "", "").exact for player in (published.COEVOLVED_1, published.MIXED_1)]
    assert gaps == pytest.approx([407 / 18000, 23431 / 900000])


def test_a_gene_on_the_wrong_side_is_a_conflict() -> None:
    assert counter.conflicts(["1", "0", "~", "↑", "1"], ["0", "0", "1", "0*", "~"]) == [0, 3]


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    context = Context(tmp_path_factory.mktemp("kuhn"), "seconds", 7, 1, "kuhn")
    return list(counter.kuhn(context))


def test_played_out_the_fittest_is_the_luckiest_and_the_report_says_so(kuhn: list[Finding]) -> None:
    for seat, printed, most in ((1, 0.23, 1 / 12), (2, 0.32, 1 / 6)):
        found = by_name(kuhn, f"fittest Rational, player {seat}")
        assert found.published == printed
        assert found.exact == pytest.approx(most)
        assert found.verdict == INFLATED
        # Even a small run's luckiest stands well above everything that can be won.
        assert isinstance(found.measured, float)
        assert found.measured > most + 0.05
    curse = by_name(kuhn, "winner's curse")
    assert isinstance(curse.measured, float)
    assert curse.measured > 1 / 12 + 0.05


def test_evolved_genes_take_the_document_s_side(kuhn: list[Finding]) -> None:
    assert by_name(kuhn, "genes Bluffer, player 1").measured == "0 0 0 / 0 1 1"
    assert by_name(kuhn, "genes Rational, player 2").measured == "1 ~ 1 / 0 0 1"
    assert all(finding.verdict == AGREES for finding in kuhn if ", genes " in finding.name)


def test_what_luck_cannot_explain_is_impossible(tmp_path: Path) -> None:
    breadth = list(counter.counter_strategies(Context(tmp_path, "seconds", 7, 1, "b"), published.BREADTH, False))
    assert by_name(breadth, "fittest Rational, player 1").verdict == IMPOSSIBLE
    genes = by_name(breadth, "genes Rational, player 1")
    assert genes.verdict == DIFFERS
    assert "B_K is 1 and should be 0" in genes.reason
    assert {path.suffix for path in (tmp_path / "pictures").iterdir()} == {".png", ".svg", ".csv"}


def test_the_models_are_not_intransitive(tmp_path: Path) -> None:
    findings = list(rules.models(Context(tmp_path, "seconds", 3, 1, "models")))
    found = by_name(findings, "intransitive")
    assert found.verdict == "wrong sign"
    assert found.exact == pytest.approx(11 / 1200)


def test_plain_coevolution_does_not_rest(tmp_path: Path) -> None:
    findings = list(rivalry.coevolution(Context(tmp_path, "seconds", 1, 1, "c")))
    resting = by_name(findings, "do the populations rest")
    assert isinstance(resting.measured, float)
    assert resting.measured > 0.02
    assert by_name(findings, "average fitness").measured == pytest.approx(-1 / 18, abs=0.02)


def test_every_table_and_figure_has_its_experiment() -> None:
    wanted = {"trees", "models", "kuhn", "breadth", "depth", "full", "coevolution", "mixed", "selection"}
    assert wanted | {"initialisation", "crossover", "coevolution-variants", "breadth-2"} <= set(EXPERIMENTS)
