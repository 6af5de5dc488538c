"""Chen's tests, small: what each finds where that is clear, with nothing lost and the same findings for a seed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cardwin.arena.cash_game import CashGameRecord
from cardwin.papers import SCALES, Context, Finding, findings_of, paper_of, verdicts
from cardwin.papers.chen import MATTERS, bluffs, game_settings, grid
from cardwin.papers.chen.game_settings import Setting
from cardwin.papers.chen.learning import FIFTH, LENGTHS, PUBLISHED_RULE, TARGETS, SingleGames, play_single_game
from cardwin.papers.chen.ranking import right_sign
from cardwin.papers.chen.side_claims import win_rates
from cardwin.papers.chen.thresholds import floor_remark, judge_single_games
from cardwin.papers.register import register
from cardwin.papers.sample import conclusion_counts, finding_of
from cardwin.papers.verdicts import Verdict


def findings(
    monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, games: int, workers: int = 1
) -> dict[str, Finding]:
    monkeypatch.setattr(game_settings, "games_of", lambda _: games)
    monkeypatch.setattr(game_settings, "setting_of", lambda _: Setting(rollouts=40))
    monkeypatch.setattr(grid, "SAMPLE_SIZE", 2)
    folder.mkdir(exist_ok=True)
    found = findings_of(paper_of("chen"), name, Context(folder, "seconds", 3, workers, name))
    return {one.name: one for one in found}


def test_standard_beats_callers_and_no_chip_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(monkeypatch, tmp_path, "callers", 30)
    assert found["Standard's slope, mean of all games"].verdict == Verdict.AGREES
    assert found["Call's slope, mean of the seven"].verdict == Verdict.AGREES
    assert found["chips lost or made by the table"].measured == 0
    assert (tmp_path / "callers.xlsx").stat().st_size > 10_000
    assert (tmp_path / "pictures" / "chen-1-games.png").exists()


def test_the_mirror_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(monkeypatch, tmp_path, "mirror", 60)
    control = found["chips a game of a last robot that has a defect"]
    assert control.ci95 is not None
    assert control.ci95[1] < 0
    assert found["chips a game of the last seat"].verdict != Verdict.AGREES


def test_bluffs_pay_against_robots_that_fold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bluffs, "READINGS", bluffs.READINGS[-1:])
    found = findings(monkeypatch, tmp_path, "bluffs", 8)
    assert found[MATTERS[0]].verdict == Verdict.WRONG_SIGN
    assert found["V1's chips per round without bluffs"].verdict == Verdict.AGREES


def test_a_game_is_decided_when_one_side_is_out() -> None:
    stacks = np.array([[10] * 6, [5, 5, 5, 15, 15, 15], [0, 0, 0, 20, 20, 20], [0, 0, 0, 0, 30, 30]])
    assert bluffs.deciding_round(CashGameRecord(stacks)) == 2
    assert bluffs.deciding_round(CashGameRecord(stacks[:2])) == 1


def test_everybody_plays_the_same_on_two_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (findings(monkeypatch, tmp_path / str(n), "everybody", 12, n) for n in (1, 2))
    assert one == two
    assert MATTERS[1] in one
    assert one["chips of a V1 minus a Standard, our setting"].verdict == Verdict.AGREES
    assert (tmp_path / "1" / "everybody.xlsx").read_bytes() == (tmp_path / "2" / "everybody.xlsx").read_bytes()


def test_equal_steps_balance_at_a_half() -> None:
    shape = (6, len(LENGTHS))
    some = SingleGames(np.ones(shape), np.full(shape, 10.0), np.full(shape, 6.0))
    rows, singles = register("cardwin.papers.chen"), {floor: dict.fromkeys(TARGETS, some) for floor in (True, False)}
    halves, fifths, won = [finding_of(one, rows) for one in judge_single_games(singles)][-3:]
    assert (halves.verdict, halves.exact) == (Verdict.MISCALCULATED, 0.5)
    assert fifths.verdict == Verdict.AGREES
    assert won.verdict == Verdict.DIFFERS


def test_a_value_at_the_floor_is_named_so() -> None:
    assert "clipped at our lower bound of 1.0" in floor_remark(1.004)
    assert "clipped at our lower bound of 1.0" not in floor_remark(1.3)


def test_the_grid_is_every_combination_of_what_was_left_open(tmp_path: Path) -> None:
    settings = grid.grid_settings(Context(tmp_path, "minutes", 3))
    assert len(set(settings)) == 432
    few = grid.grid_settings(Context(tmp_path, "seconds", 3))
    assert len(few) == grid.SAMPLE_SIZE
    assert {replace(one, rollouts=100) for one in few} < set(settings)
    marks = np.array([setting.blind == 50 for setting in settings], dtype=float)
    rows = {row[0]: row[1:] for row in grid.rows_by_axis(settings, {"blind of 50": marks})}
    assert rows["blind 50"] == [144, 1.0]
    assert rows["Standard's calls with good hands"] == [144, pytest.approx(1 / 3)]


def test_the_setting_is_a_game_of_named_sizes_and_says_its_simulations() -> None:
    assert replace(Setting(), ante=10).game.name == "holdem-simple:stack=10000,ante=10,blind=100"
    assert "70 " in Setting(rollouts=70).describe(300)


def test_larger_scales_play_more_and_the_papers_own_as_it_did(tmp_path: Path) -> None:
    contexts = [Context(tmp_path, scale, 3, 1, "callers") for scale in SCALES]
    games = [game_settings.games_of(one) for one in contexts]
    rollouts = [game_settings.setting_of(one).rollouts for one in contexts]
    assert games[:3] == sorted(games[:3])
    assert rollouts == sorted(rollouts)
    assert (SCALES[-1], games[-1], rollouts[-1]) == ("paper", 100, 1000)


def test_single_games_begin_at_1_3_and_only_a_floor_keeps_them_above_1() -> None:
    setting = Setting(rollouts=40)
    floored_, free = (play_single_game(setting, PUBLISHED_RULE, FIFTH, 5, 300, floor) for floor in (True, False))
    assert floored_[0].tolist() == free[0].tolist() == [1.3, 0, 0]
    assert floored_[:, 0].min() == 1
    assert free[:, 0].min() < 1
    counted, won = free[-1, 1:]
    assert free[-1, 0] == pytest.approx(1.3 + FIFTH.up * (counted - won) - FIFTH.down * won)


def test_the_document_s_single_games_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(monkeypatch, tmp_path, "thresholds", 3)
    low, high = found[MATTERS[2]].ci95 or (0.0, 0.0)
    assert 0.1 < low < 0.3 < high + 0.1
    assert "of 20 settings" in found[MATTERS[2]].reason
    assert {one.published for one in found.values()} >= {1.14, 1.18, 1.38, 1.5, 0.32}


def test_a_setting_that_shows_nothing_is_open_and_not_the_opposite() -> None:
    noise = np.array([[-1.0, 1.0, 2.0], [1.0, 1.1, -2.0], [0.5, 0.9, 0.1]])
    found = grid.judge_settings(verdicts.above(0.1), grid.mean_intervals(noise))
    assert found == [Verdict.UNDECIDED, Verdict.AGREES, Verdict.UNDECIDED]
    assert conclusion_counts(found) == "of 3 settings 1 holds, 2 is open"
    assert grid.marks_of(found).tolist() == [0, 1, 0]


def test_more_games_tell_two_robots_apart_more_often() -> None:
    lead = np.random.default_rng(1).normal(0.5, 1.0, 400)
    few, many = right_sign(lead, 10), right_sign(lead, 100)
    assert few[0] < 0.943 < few[1]  # the normal distribution at the root of 10 times a half
    assert many[0] > few[1]
    assert right_sign(-lead, 10) == pytest.approx(few)


def test_the_real_win_rate_is_that_of_the_hands_won() -> None:
    simulated, real = win_rates(replace(Setting(rollouts=40), final_rounds=60), 3)
    assert 0 < simulated < 1
    assert 0 < real < 1
    assert (simulated, real) == win_rates(replace(Setting(rollouts=40), final_rounds=60), 3)


def test_remarks_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = findings(monkeypatch, tmp_path, "remarks", 24)
    assert len(found) == 2
    assert all(one.verdict is not None for one in found.values())
