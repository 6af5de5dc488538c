"""What a player sees of the file system: its own module or package, the libraries, and nothing of the match."""

import sys
from pathlib import Path

import pytest

from cardwin.core.errors import InputError
from cardwin.core.rng import stream_of
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.view import VIEW_SIZE, HoldemView
from cardwin.players.sandbox.layout import libraries, player_files
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.walls import missing_walls, standing_walls

NL = holdem_game("holdem-nl", {})
LOOKS = """
import os, sys
from pathlib import Path
from cardwin.games.base import FOLD
{more}
class Looks:
    def act(self, view, rng):
        return FOLD
    def explain(self):
        return {result}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as users have them: a module, one beside it, a package with data, runs and notes."""
    (tmp_path / "runs" / "first").mkdir(parents=True)
    (tmp_path / "notes.txt").write_text("secret")
    (tmp_path / "beside.py").write_text("WORD = 'beside'")
    (tmp_path / "single.py").write_text(LOOKS.format(more="import beside", result="beside.WORD + str(os.listdir('.'))"))
    (tmp_path / "whole" / "data").mkdir(parents=True)
    (tmp_path / "whole" / "data" / "weights.txt").write_text("1 2 3")
    (tmp_path / "whole" / "__init__.py").write_text("")
    reads = "Path(__file__).with_name('data').joinpath('weights.txt').read_text() + str(sorted(os.listdir('/')))"
    (tmp_path / "whole" / "player.py").write_text(LOOKS.format(more="", result=reads))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    return tmp_path


def test_the_files_of_a_module_and_of_a_package(folder: Path) -> None:
    names = {name: Path(source) for name, source in player_files("python:single:Looks")}
    assert names == {"single.py": folder / "single.py", "beside.py": folder / "beside.py"}
    assert player_files("python:whole.player:Looks") == [("whole", str(folder / "whole"))]
    assert player_files("python:cardwin.players.robots.static:Static") == []
    assert player_files("python:json:JSONDecoder") == []
    assert player_files("python:nowhere:Nobody") == []
    assert player_files("python:sys:Nobody") == []


def test_a_package_around_the_current_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(folder / "whole" / "data")
    with pytest.raises(InputError, match="contains the current folder"):
        player_files("python:whole.player:Looks")


def test_no_library_lies_in_another() -> None:
    folders = [Path(folder) for folder in libraries()]
    assert not [one for one in folders for other in folders if one != other and one.is_relative_to(other)]


@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(bool(missing_walls(standing_walls())), reason="this system has no complete sandbox")
def test_what_a_player_sees() -> None:
    single = IsolatedPlayer("python:single:Looks", 20)
    whole = IsolatedPlayer("python:whole.player:Looks", 20, frozenset({"landlock"}))  # which hides the root too
    assert str(single.explain()) in ("beside['beside.py', 'single.py']", "beside['single.py', 'beside.py']")
    seen = str(whole.explain())
    assert seen.startswith("1 2 3")
    assert "'player', " in seen
    assert "proc" not in seen
    assert "sys" not in seen
    view = HoldemView((0,) * VIEW_SIZE)
    assert [str(one.act(view, stream_of(1))) for one in (single, whole)] == ["fold", "fold"]
