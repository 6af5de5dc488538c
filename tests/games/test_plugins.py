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
from support import answer, call, refusal

MODULE = """
from dataclasses import dataclass, replace
from fractions import Fraction
from cardwin.games.base import CHANCE, NOBODY, Action, small_view, validate_move
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

@dataclass(frozen=True)
class Choice:
    name: str
    kind: str
    title: str = "a choice each"
    gene_order: tuple = ()

    def start(self):
        return Chosen(self, ())

@dataclass(frozen=True)
class Chosen:
    game: Choice
    moves: tuple

    @property
    def actor(self):
        if self.game.kind == "chance" and not self.moves:
            return CHANCE
        taken = len(self.moves) - (self.game.kind == "chance")
        return taken if taken < 2 else NOBODY

    def legal_actions(self):
        if self.actor < 0:
            return ()
        more = self.game.kind == "legal" and self.moves == (Action("keep"),)
        return (Action("give"), Action("keep"), Action("wait"))[: 3 if more else 2]

    def chance_outcomes(self):
        return [("sun", Fraction(1, 3)), ("rain", Fraction(1, 2))] if self.actor == CHANCE else []

    def apply(self, move):
        return Chosen(self.game, (*self.moves, validate_move(self.game.name, self, move)))

    def view(self, seat):
        return small_view(self, seat)

    def information_state(self, seat):
        return f"seat {seat + 1}"

    def gene_names(self):
        return ()

    def stakes(self):
        return (0, 0)

    def returns(self):
        if self.game.kind == "seats":
            return (1,)
        if self.game.kind == "fails":
            raise KeyError("no such cell")
        give = [move == Action("give") for move in self.moves[-2:]]
        if self.game.kind == "dilemma":
            return (2 * give[1] - give[0] + 1, 2 * give[0] - give[1] + 1)
        return (give[0] - give[1], give[1] - give[0])

def dilemma(name):
    return Choice(name, "dilemma")

def chance(name):
    return Choice(name, "chance")

def legal(name):
    return Choice(name, "legal")

def seats(name):
    return Choice(name, "seats")

def fails(name):
    return Choice(name, "fails")

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
     ("nobody", "own_rules"), ("a:b", "python:module:build"),
     ("chance", "expected probabilities of outcomes that sum to 1, got 5/6 after the start"),
     ("legal", "the same legal actions at all positions that seat 2 knows as 'seat 2', got others after keep"),
     ("seats", r"expected returns of 2 seats, got \(1,\)"), ("fails", "rules of .* fail: KeyError: 'no such cell'")],
)  # fmt: skip
@pytest.mark.usefixtures("here")
def test_what_is_no_game_is_refused_in_a_sentence(what: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        cardwin.game(f"python:own_rules:{what}")


def test_a_game_that_is_not_zero_sum_is_played_and_not_solved(here: Path) -> None:
    spec = "python:own_rules:dilemma"
    refused = r"is not zero-sum, so it can be played but not solved: .* got \(2, 2\) after give, give"
    rules = cardwin.game(spec)
    for use in (
        lambda: cardwin.solve(rules),
        lambda: cardwin.solve(rules, "cfr+"),
        lambda: cardwin.exploitability(rules, "uniform"),
        lambda: cardwin.exploitability(rules, "uniform", 1),
        lambda: evolve("kuhn-coevolution", ["generations=4", f"game={spec}"], 1, Launch(here / "run")),
    ):
        with pytest.raises(InputError, match=refused):
            use()
    assert "not zero-sum" in refusal("solve", spec, cwd=here)
    # Each seat wins its own chips: to keep is best for both, and both win more if both give.
    assert [float(cardwin.best_response(rules, "uniform", seat).value) for seat in (1, 2)] == [2, 2]
    assert cardwin.value(rules, "genes:0", "genes:0") == 2
    assert cardwin.value(rules, "genes:1", "genes:0") == 3
    done = call("play", spec, "--against", "uniform", "--hands", "2", "--seed", "1", stdin="give\nkeep\n", cwd=here)
    assert done.returncode == 0, done.stderr
    assert "2 hands, score" in done.stdout
    table = answer("match", "uniform", "uniform", "--game", spec, cwd=here)
    assert [player["mean"] for player in table["players"]] == [1.5, 1.5]


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
