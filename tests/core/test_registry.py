"""Operators, searchers and kinds of runs of installed packages are found by their entry points."""

from importlib.metadata import EntryPoint

import pytest

from cardwin.core import registry
from cardwin.evolution import MUTATIONS, SEARCHERS, SearchSettings
from cardwin.evolution.breeding import unknown_names
from cardwin.runs import kinds
from cardwin.runs.experiment import load
from cardwin.runs.problems.tournament.problem import TournamentProblem


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        group: {"mine": EntryPoint("mine", f"cardwin.evolution.{value}", group)}
        for group, value in (("cardwin.mutations", "variation:redraw_one"), ("cardwin.searchers", "genetic:Genetic"))
    }
    monkeypatch.setattr(registry, "_points", lambda group: points.get(group, {}))


@pytest.mark.usefixtures("installed")
def test_an_entry_point_is_found_by_its_name() -> None:
    try:
        assert SearchSettings(mutation="mine").mutation == "mine"
        assert not unknown_names("searcher", "mine", SEARCHERS)
        assert MUTATIONS["mine"].__name__ == "redraw_one"
        assert "mine" in list(SEARCHERS)
    finally:
        MUTATIONS.pop("mine", None)
    with pytest.raises(ValueError, match="mutation must be one of"):
        SearchSettings(mutation="yours")


def test_a_kind_of_run_may_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("mine", "cardwin.runs.trainers.tournament", kinds.GROUP)
    monkeypatch.setattr(kinds, "entry_points", lambda group: [point] if group == kinds.GROUP else [])
    assert kinds.kind_of("mine").COMMAND == "tournament"


def test_a_selection_that_is_named_is_used() -> None:
    """Evolution by tournaments keeps the best as parents, unless an experiment names another selection."""
    usual, named = (
        TournamentProblem(load("neuro", changes)[1]).settings("red")  # type: ignore[arg-type]
        for changes in ([], ["search.selection=rank", "search.parents=0.5"])
    )
    assert (usual.selection, usual.elites) == ("truncation", 20)
    assert (named.selection, named.parents, named.elites) == ("rank", 0.5, 20)
