"""A game of one's own, without a line in the package: named as python:module:build, or offered by a package."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.games import game, specs
from cardwin.players import registry
from cardwin.reports import report
from cardwin.runs.experiment import as_toml, load
from cardwin.runs.launch import Launch, evolve, resume
from support import refusal

MODULE = """
from dataclasses import dataclass, replace
from cardwin.games.small import kuhn

def build(name):
    return replace(kuhn.kuhn("kuhn", {}, "kuhn"), name=name)

def nameless(name):
    return kuhn.kuhn("kuhn", {}, "kuhn")

@dataclass(frozen=True)
class Undealt:
    name: str
    title: str = "says that its betting is public"
    gene_order: tuple = ()
    betting_is_public = True

    def start(self):
        return self

def public(name):
    return Undealt(name)

def nothing(name):
    return 7

def broken(name):
    raise RuntimeError("no rules today")

class Caller:
    def act(self, view, rng):
        return next(action for action in view.legal_actions if action.name in ("check", "call"))
"""
SPEC = "python:own_rules:build"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_rules.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(specs, "_BUILT", {})
    monkeypatch.setattr(report, "write", lambda folder: folder)
    sys.modules.pop("own_rules", None)
    game.cache_clear()
    return tmp_path


@pytest.mark.usefixtures("here")
def test_a_game_of_ones_own_is_solved() -> None:
    found = cardwin.solve(SPEC)
    assert (found.game, found.fraction) == (SPEC, "-1/18")
    assert cardwin.exploitability(SPEC, "uniform").exploitability == pytest.approx(11 / 24)
    assert cardwin.game(SPEC) is cardwin.game(SPEC)


@pytest.mark.parametrize(
    ("what", "said"),
    [("nameless", "'kuhn'"), ("nothing", "name, title, gene_order, start"),
     ("public", "missing redeal, strengths"), ("broken", "no rules today"),
     ("nobody", "own_rules"), ("a:b", "python:module:build")],
)  # fmt: skip
@pytest.mark.usefixtures("here")
def test_what_is_no_game_is_refused_in_a_sentence(what: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        cardwin.game(f"python:own_rules:{what}")


def test_it_is_evolved_and_resumed_only_by_who_names_it(here: Path) -> None:
    changes = ["generations=4", "population.size=10"]
    with pytest.raises(InputError, match=SPEC):
        game(SPEC)
    answer = evolve("kuhn-coevolution", [*changes, f"game={SPEC}"], 1, Launch(here / "run"))
    assert answer["digest"] == evolve("kuhn-coevolution", changes, 1, Launch(here / "kuhn"))["digest"]
    (here / "run" / "result.json").unlink()
    specs._BUILT.clear()
    game.cache_clear()
    with pytest.raises(InputError, match=SPEC):
        resume(here / "run")
    assert resume(here / "run", trusted=[SPEC])["digest"] == answer["digest"]


def test_a_file_never_builds_one(here: Path) -> None:
    file = here / "mine.toml"
    file.write_text(as_toml(load("kuhn-coevolution")[1]).replace('game = "kuhn"', f'game = "{SPEC}"'))
    with pytest.raises(InputError, match=SPEC):
        evolve(str(file), [], 1, Launch(here / "run"))
    (here / "policy.json").write_text(f'{{"schema": 1, "game": "{SPEC}", "seats": {{"1": {{"B_J": 0}}}}}}')
    assert SPEC in refusal("show", "policy.json", cwd=here)


@pytest.mark.usefixtures("here")
def test_packages_offer_games_and_players(monkeypatch: pytest.MonkeyPatch) -> None:
    def offered(group: str) -> list[EntryPoint]:
        value = "own_rules:build" if group == "cardwin.games" else "own_rules:Caller"
        return [EntryPoint("theirs", value, group)]

    monkeypatch.setattr(specs, "entry_points", offered)
    monkeypatch.setattr(registry, "entry_points", offered)
    assert cardwin.solve("theirs").fraction == "-1/18"
    assert cardwin.match(["theirs", "call"], hands=20, seed=1).hands == 20
    with pytest.raises(InputError, match=r"thiers.*theirs"):
        cardwin.game("thiers")
