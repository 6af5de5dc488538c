"""Experiments are checked whole, and written so that they read back the same."""

import tomllib
from pathlib import Path

import pytest

from cardwin.core.errors import InputError
from cardwin.runs.experiment import as_toml, check, load, presets, template
from cardwin.runs.kinds import kind_of
from cardwin.runs.problems.small_game import SmallGameExperiment


@pytest.mark.parametrize("name", presets())
def test_every_preset_is_sound(name: str) -> None:
    _, chosen = load(name)
    assert chosen.title
    assert chosen.steps > 0
    kind_of(chosen.kind).check(chosen)


@pytest.mark.parametrize("name", presets())
def test_an_experiment_reads_back_the_same(name: str) -> None:
    chosen = check(presets()[name], name).model_copy(update={"title": 'a "quoted" \\ title\nin two lines', "seed": 7})
    assert check(tomllib.loads(as_toml(chosen)), "again") == chosen


def test_the_template_holds_every_key_with_its_default(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(template())
    name, chosen = load(str(path))
    assert name == "mine"
    written = tomllib.loads(template())
    bare = check({"first": {"against": ["hall"]}, "second": {"against": ["hall"]}}, "bare")
    for key, value in bare.model_dump(exclude_none=True).items():
        if isinstance(value, dict):
            assert {k for k in value if value[k] is not None} <= set(written[key]), key
        else:
            assert key in written
    assert chosen.model_copy(update={"title": "", "about": "", "generations": 300}) == bare


def test_all_mistakes_are_told_in_one_sentence() -> None:
    with pytest.raises(InputError) as caught:
        load("kuhn-coevolution", ["populaton.size=3", "search.mutation_rate=2", "generations=0", "search.colour=red"])
    said = str(caught.value)
    assert "\n" not in said
    for clue in ("populaton", "population", "mutation_rate", "generations", "search.colour"):
        assert clue in said


@pytest.mark.parametrize(
    ("change", "clue"),
    [
        ("first.against=[]", "first|against|evolve"),
        ("population.size=1", "population.size"),
        ("search.elites=100", r"population\.size"),
        ("search.selection=lottery", "selection.*rank.*'lottery'"),
        ("search.crossover=weighted", "crossover.*weighted-sum.*'weighted'"),
        ("searcher=cma", "searcher.*cma-es.*'cma'"),
        ("hall.replaces=nobody", r"hall\.replaces.*futility.*'nobody'"),
        ("search.swap_probability=some", "search.swap_probability"),
        ("nonsense", "KEY=VALUE"),
    ],
)
def test_what_makes_no_sense_is_refused(change: str, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        load("kuhn-coevolution", [change])


def test_changes_take_toml_values_and_bare_words() -> None:
    _, chosen = load(
        "kuhn-coevolution", ["search.selection=rank", 'first.against=["hall", "rational"]', "hall.capacity=9"], 5
    )
    assert isinstance(chosen, SmallGameExperiment)
    assert chosen.search.selection == "rank"
    assert chosen.first.against == ("hall", "rational")
    assert chosen.hall.capacity == 9
    assert chosen.seed == 5


def test_unknown_presets_and_files_are_named() -> None:
    with pytest.raises(InputError, match=r"\bkuhn-coevolution\b"):
        load("kuhn-coevolutoin")
    with pytest.raises(InputError, match=r"nowhere\.toml"):
        load("nowhere.toml")
