"""The table of all players: filled from the registry, kept, printed, in the gallery and on the page."""

import json
from pathlib import Path
from typing import Any

import pytest

import gallery
from cardwin.analysis import players_table
from cardwin.players.registry import champions
from support import answer, call

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_everybody_is_in_the_registry_and_in_the_table() -> None:
    wanted = players_table.everybody()
    assert {"fold", "standard", "blind:call=.5,raise=.5", "loki:model=specific", *champions()} <= set(wanted)
    assert len(set(wanted)) == len(wanted)
    kept = {row["player"] for row in players_table.read()["players"]}
    assert kept <= set(wanted)
    assert {"fold", "call", "standard", "net:large-hof"} <= kept


def test_players_are_measured_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players_table, "exact_value", lambda spec, _: {"fold": 750.0}.get(spec))
    path = tmp_path / "table.json"
    answer("yardsticks", "fold", "v2", "--measure", "--hands", "40", "--write", str(path))
    found = answer("yardsticks", "xcs:caller-beater", "--measure", "--hands", "40", "--write", str(path))
    assert [row["player"] for row in found["players"]] == ["xcs:caller-beater"]
    fold, v2, xcs = players_table.read(path)["players"]
    assert fold["exact"] == 750
    for game in players_table.GAMES:
        assert fold["lbr"][game]["mean"] == 750
        assert "learns while it plays" in v2["lbr"][game]["why_not"]
    assert xcs["lbr"]["holdem-limit"]["frozen"]
    assert xcs["lbr"]["holdem-limit"]["hands"] == 4  # a tenth
    assert players_table.cells(v2)[1:4] == ("–", "–", "–")


def test_the_result_against_another_player_has_both_estimates() -> None:
    """A stand-in for a blueprint."""
    found = players_table.against("holdem-limit", "call", "raise", 400, 1, 1)
    assert found["low"] < 0 < found["high"]
    assert found["mean"] != found["plain"]
    assert found["value_function"]
    row: dict[str, Any] = {"player": "call", "lbr": {}, "exact": None, "blueprint": {"holdem-limit": found}}
    assert "(raise)" in players_table.cells(row)[-1]


def test_the_kept_table_is_shown_and_in_the_gallery() -> None:
    shown = call("yardsticks", "fold").stdout
    assert "750 (" in shown
    assert "LBR, no-limit" in shown
    assert (DOCS / "gallery" / "yardsticks.md").read_text(encoding="utf-8") == gallery.yardstick_page()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--write", "x.json"], "expected --measure with --write"),
        (["nobody"], "no stored result for nobody"),
        (["fold", "--measure", "--hands", "1"], "got 1"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence(words: list[str], said: str) -> None:
    done = call("yardsticks", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"schema": 99, "players": []}))
    done = call("yardsticks", "fold", "--measure", "--hands", "4", "--write", str(path))
    assert done.returncode == 2
    assert "expected schema" in done.stderr
