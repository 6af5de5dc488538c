"""The page for newcomers is true: its player is built from the page itself and plays."""

import re
from pathlib import Path

import pytest

from cardwin.arena.match import MatchOptions, match
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.view import HoldemView

PAGE = Path(__file__).parent.parent.parent / "docs" / "your-first-player.md"


def test_the_pages_player_plays_without_a_fault_and_beats_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = re.search(r"```python[^\n]*\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    (tmp_path / "my_players.py").write_text(code[1])
    monkeypatch.syspath_prepend(str(tmp_path))
    game = holdem_game("holdem-nl", {})
    record = match(
        game, ["python:my_players:Patient", "random", "raise"], 600, seed=1, options=MatchOptions(duplicate=True)
    )
    assert record.report.faults == (0, 0, 0)
    alone = match(game, ["python:my_players:Patient", "random"], 1_000, seed=1, options=MatchOptions(duplicate=True))
    assert alone.chips[:, 0].sum() > 0


def test_what_the_page_says_of_views_is_there() -> None:
    words = PAGE.read_text(encoding="utf-8").split("## What a view holds")[1].split("An action is")[0]
    for name in re.findall(r"`([a-z_]+)`", words):
        assert hasattr(HoldemView, name), name
