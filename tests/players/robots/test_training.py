"""Learners find the parameter at which their steps balance, keep it, and load what was saved."""

from pathlib import Path

import pytest

from cardwin.arena.cash_game import CashGameRules
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import player
from cardwin.players.robots.learner import Learner, Step, load, save
from cardwin.players.robots.training import held, train

SIMPLE = holdem_game("holdem-simple", {"stack": "1000000", "blind": "100", "ante": "50"})
RULES = CashGameRules(400)


def learner(spec: str) -> Learner:
    made = player(spec)
    assert isinstance(made, Learner)
    return made


# Against callers the best hand wins: the more return a V1 asks for before it raises, the more of its raises win.
ASKING = "v2:bluffs=off,rollouts=40,learns=fair,fair=1.5,threshold=0,fair-call=0,weak=0,down={down},up={up}"


@pytest.mark.parametrize(("down", "up"), [(0.02, 0.02), (0.02, 0.01)])
def test_a_parameter_settles_where_its_steps_balance(down: float, up: float) -> None:
    robot = learner(ASKING.format(down=down, up=up))
    training = train(SIMPLE, robot, ["call*3"], 40, key_of(1, str(down), str(up)), RULES)
    assert training.share_won() == pytest.approx(Step("fair", down, up).balance, abs=0.04)


def test_more_wins_wanted_means_a_higher_bar() -> None:
    settled = [
        train(SIMPLE, learner(ASKING.format(down=0.02, up=up)), ["call*3"], 30, 5, RULES).final_mean()[0]
        for up in (0.01, 0.03)
    ]
    assert settled[1] > settled[0] + 0.1


def share_with_fixed_parameters(robot: Learner) -> float:
    hands, won = held(SIMPLE, robot, ["call*3"], 10, 5, RULES).sum(axis=0)
    return float(won / hands)


def test_a_parameter_held_still_stays() -> None:
    robot = learner(ASKING.format(down=0.02, up=0.02))
    low = share_with_fixed_parameters(robot)
    assert robot.value("fair") == 1.5
    robot = learner(ASKING.format(down=0.02, up=0.02).replace("fair=1.5", "fair=2.2"))
    assert share_with_fixed_parameters(robot) > low


def test_a_v3_saved_goes_on_where_it_was(tmp_path: Path) -> None:
    rivals = ["standard*2", "call"]
    whole = learner("v2:rollouts=20,down=.03,up=.02")
    train(SIMPLE, whole, rivals, 4, 9, RULES)
    half = learner("v2:rollouts=20,down=.03,up=.02")
    train(SIMPLE, half, rivals, 2, 9, RULES)
    save(tmp_path / "v3.json", half)
    loaded = learner(f"v3:file={tmp_path / 'v3.json'}")
    assert (loaded.robot.values == half.robot.values).all()
    assert loaded.learnt == half.learnt
    assert not loaded.forgets
    assert whole.value("threshold") != 1.3


def test_any_numbers_can_be_learnt_together() -> None:
    robot = learner("v2:rollouts=20,learns=weak/fair/size,after=play")
    train(SIMPLE, robot, ["standard*2", "call"], 2, 9, RULES)
    assert {step.name for step in robot.learnt} == {"weak", "fair", "size"}
    assert robot.value("weak") != 0.8
    assert robot.value("size") != 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "v3"),
        ("{", "is not JSON"),
        ('{"player": "v3"}', "v3"),
        ('{"player": "v3", "parameters": {"threshold": "x"}, "learns": [], "after": "raise"}', "expected a number"),
        ('{"player": "v3", "parameters": {"theshold": 1}, "learns": [], "after": "raise"}', "did you mean threshold"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "v3.json").write_text(text)
    with pytest.raises(InputError, match=words):
        load(tmp_path / "v3.json")
