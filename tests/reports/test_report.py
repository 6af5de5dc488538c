"""The report of a run: it says what happened, embeds its pictures, and names what was forgotten."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cardwin.analysis import cycles
from cardwin.core.report_parts import Grid
from cardwin.games import game
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes, html, report
from cardwin.reports.leaderboard import _likely_ranks
from cardwin.reports.small_game import quick_response
from cardwin.runs import launch, reader
from cardwin.runs.reader import ancestry
from cardwin.solvers import plans
from cardwin.solvers.equilibria import equilibrium
from cardwin.solvers.tree import tree_of

TINY = ["population.size=101", "generations=40"]


def live(folder: Path, preset: str, *changes: str) -> Path:
    launch.evolve(preset, [*TINY, *changes], 5, launch.Launch(folder / "run"))
    return folder / "run"


def test_a_coevolution_s_report_holds_everything(tmp_path: Path) -> None:
    folder = live(tmp_path, "lopez-coevolution")
    page = (folder / "report.html").read_text()
    for words in ("What seat 1 became", "J, best response", "What was forgotten", "triples are cycles"):
        assert words in page
    assert page.count("the one shown is nearest to its averaged champions: 0.") == 2
    assert page.count("taking legal actions with equal probability is 1.1180 away") == 1  # seat 1
    assert "http" not in page
    names = {path.stem for path in (folder / "pictures").glob("*.png")}
    assert names == {path.stem for path in (folder / "pictures").glob("*.svg")}
    assert names == {path.stem for path in (folder / "pictures").glob("*.csv")}
    assert {"fitness", "exploitability", "ancestors", "tournament", "chromosome-seat-1", "lineage-seat-2"} <= names
    assert page.count("data:image/png;base64,") == len(names)


def test_tables_say_how_they_are_shown_on_a_narrow_screen() -> None:
    long = "a text of more than thirty-two letters"
    page = html.as_html("it", [Grid("", ["", ""], [["who", long]]), Grid("", ["a"] * 5, [[long, 1, 2, 3, 4]]),
                               Grid("", ["a", "b"], [[long, 1]])])  # fmt: skip
    assert page.count('<table class="facts">') == 1
    assert page.count('<table class="cards">') == 1
    assert page.count('data-name="a"') == 5
    assert page.count("<table>") == 1


def test_writing_it_again_gives_the_same_page(tmp_path: Path) -> None:
    folder = live(tmp_path, "lopez-kuhn-bluffer-1")
    page = (folder / "report.html").read_bytes()
    assert report.write(folder).read_bytes() == page


def test_a_sandbag_is_named_and_played_out_luck_too(tmp_path: Path) -> None:
    folder = live(tmp_path, "lopez-kuhn-bluffer-1", "population.size=303", "fitness.play=sampled", "fitness.games=200")
    page = (folder / "report.html").read_text()
    assert "sandbag" in page
    assert "the one shown is nearest to its champion" in page
    assert "best of 12,120 noisy means" in page


def test_even_one_generation_has_a_report(tmp_path: Path) -> None:
    page = (live(tmp_path, "lopez-coevolution", "generations=1") / "report.html").read_text()
    assert "What was forgotten" in page


def test_choices_are_told_as_actions(tmp_path: Path) -> None:
    page = (live(tmp_path, "morsomme") / "report.html").read_text()
    assert "no pairs of parents to follow" in page
    assert "bet 0: stay in" in page


def test_ancestors_lead_to_real_parents(tmp_path: Path) -> None:
    data = reader.read(live(tmp_path, "lopez-kuhn-rational-2"))
    line = ancestry(data.populations["second"])
    assert line.counts[0] == 1
    assert max(line.counts) > 20  # most of the population are ancestors before long
    children = {(before + 1, parent) for before, _, parent in line.links}
    assert children == {(before, place) for before, row in enumerate(line.places) if before for place in row}


def spun(turns: float, steps: int = 120) -> np.ndarray:
    """Champions that go around rock, paper and scissors as genes of the one-card game cannot: on a plain circle."""
    angle = np.linspace(0, 2 * np.pi * turns, steps, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def test_a_period_is_found_and_a_drift_has_none() -> None:
    assert cycles.period(spun(10)) == pytest.approx(12, abs=1)
    drift = np.linspace(0, 1, 120)[:, None] * np.ones(3)
    assert cycles.period(drift) is None
    assert cycles.period(np.ones((120, 3))) is None


def test_circles_and_ladders() -> None:
    generations = np.arange(9)
    ladder = cycles.Memory(generations, np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    assert (ladder.later_wins, ladder.cycles, ladder.forgotten(0)) == (1.0, 0.0, 0.0)
    turn = 2 * np.pi * np.subtract.outer(np.arange(9), np.arange(9)) / 9
    ring = cycles.Memory(generations, np.sin(turn))
    assert ring.cycles > 0.25
    assert ring.scores == pytest.approx(-ring.scores.T)


def test_a_team_is_even_with_itself() -> None:
    tree = tree_of(game("kuhn"))
    both = [np.repeat(equilibrium(tree.game).plan(seat)[None], 5, axis=0) for seat in (0, 1)]
    memory = cycles.remember(tree, both[0], both[1], np.arange(5))
    assert memory.scores == pytest.approx(0)
    assert memory.table == pytest.approx(-1 / 18)
    assert memory.later_wins == 0.5


def test_marks_and_layouts() -> None:
    assert chromosomes.marks([0.0, 0.04, 0.1, 0.5, 0.9, 0.99]) == ["0", "0", "↓", "~", "↑", "1"]
    kuhn = chromosomes.layout(tree_of(game("kuhn-full")).sequences[0].gene_names)
    assert (len(kuhn.rows), kuhn.columns) == (12, ("J", "Q", "K"))
    second = chromosomes.layout(tree_of(game("onecard")).sequences[1].gene_names)
    assert second.columns == ("1", "2", "3", "4")
    assert second.rows[0] == "bet 0: stay in"


@pytest.mark.parametrize("seat", [0, 1])
def test_the_quick_best_response_of_larger_games_is_one(seat: int) -> None:
    tree = tree_of(game("kuhn-full"))
    met = policy(tree.game, "bluffer").plan(1 - seat)
    genes = quick_response(tree.sequences[seat], plans.gradient(tree, seat, met))
    own = plans.plans(tree.sequences[seat], plans.behaviours(tree.sequences[seat], genes[None]))[0]
    assert own @ plans.gradient(tree, seat, met) == pytest.approx([3, 7 / 4][seat])


def test_ranks_hold_nineteen_parts_in_twenty() -> None:
    for ranks, shown in (((0.02, 0.6, 0.36, 0.02), "2 to 3"), ((0.97, 0.03), "1"), ((0.1, 0.1, 0.8), "1 to 3")):
        assert _likely_ranks(SimpleNamespace(ranks=ranks)) == shown  # type: ignore[arg-type]
