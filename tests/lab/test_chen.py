"""Chen's tests, small: what each finds where that is clear, with nothing lost and the same findings for a seed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cardwin.lab.papers import AGREES, SCALES, WRONG_SIGN, Context, Finding
from cardwin.lab.papers.chen import EXPERIMENTS, conditions
from cardwin.lab.papers.chen.conditions import Setting, slope


def findings(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, games: int, workers: int = 1) -> list[Finding]:
    monkeypatch.setattr(conditions, "games_of", lambda _: games)
    monkeypatch.setattr(conditions, "setting_of", lambda _: Setting(rolls=40))
    folder.mkdir(exist_ok=True)
    return list(EXPERIMENTS[name](Context(folder, "seconds", 3, workers, name)))


def test_a_slope_is_taken_until_the_robot_is_out() -> None:
    assert slope(np.array([100, 110, 120, 130])) == pytest.approx(10)
    assert slope(np.array([100, 50, 0, 0, 0, 0])) == pytest.approx(-50)


def test_standard_beats_callers_and_no_chip_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {one.name: one for one in findings(monkeypatch, tmp_path, "callers", 30)}
    assert found["Standard's slope, mean of all games"].verdict == "agrees in sign"
    assert found["Call's slope, mean of the seven"].verdict == "agrees in sign"
    assert found["chips lost or made by the table"].measured == 0
    assert (tmp_path / "callers.xlsx").stat().st_size > 10_000
    assert (tmp_path / "pictures" / "chen-1-games.png").exists()


def test_equal_robots_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(monkeypatch, tmp_path, "mirror", 10)[0].measured == "none"


def test_bluffs_pay_against_robots_that_fold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_bluffs, without, _ = findings(monkeypatch, tmp_path, "bluffs", 8)
    assert (with_bluffs.verdict, without.verdict) == (WRONG_SIGN, AGREES)


def test_everybody_plays_the_same_on_two_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (findings(monkeypatch, tmp_path / str(n), "everybody", 12, n) for n in (1, 2))
    assert one == two
    assert {finding.name: finding.verdict for finding in one}["chips of a V1 minus a Standard"] == AGREES
    assert (tmp_path / "1" / "everybody.xlsx").read_bytes() == (tmp_path / "2" / "everybody.xlsx").read_bytes()


def test_the_setting_is_a_game_of_named_sizes() -> None:
    assert replace(Setting(), ante=10).game.name == "holdem-simple:stack=10000,ante=10,blind=100"


def test_larger_scales_play_more_and_the_papers_own_as_it_did(tmp_path: Path) -> None:
    contexts = [Context(tmp_path, scale, 3, 1, "callers") for scale in SCALES]
    games = [conditions.games_of(one) for one in contexts]
    rolls = [conditions.setting_of(one).rolls for one in contexts]
    assert games[:3] == sorted(games[:3])
    assert rolls == sorted(rolls)
    assert (SCALES[-1], games[-1], rolls[-1]) == ("paper", 100, 1000)
