"""Studies of Chen (2018): trainings over many games."""

from pathlib import Path

import pytest

from cardwin.papers import Context
from cardwin.papers.chen import game_settings
from cardwin.papers.chen.game_settings import Setting
from chen_training import training


def test_trainings_end_at_the_floor_and_their_robots_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_settings, "setting_of", lambda _: Setting(rollouts=40))
    trained = {one.name: one for one in training(Context(tmp_path, "seconds", 3, 1, "thresholds"))}
    assert "lower bound of 1.0" in trained["threshold after many games without forgetting, 20% (-0.04/+0.01)"].reason
    assert (tmp_path / "v3-20.json").exists()
