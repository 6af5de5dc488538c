"""The gallery holds everybody who is registered, each with a source and a small picture, and every game as it is."""

import re
from pathlib import Path

import numpy as np
import pytest

import gallery
from cardwin.games import GAMES
from cardwin.games.holdem import holdem_game
from cardwin.players.champions import COMMANDS
from cardwin.players.network.atlas import SHIPPED_FILE
from cardwin.players.registry import PLAYERS
from cardwin.reports.range_pictures import draw_opening, opening

FOLDER = Path(__file__).parent.parent.parent / "docs" / "gallery"
MISSING = "make gallery, and a source in its registry entry, for whoever is new"


def test_every_player_is_there_with_its_source_and_picture() -> None:
    page = (FOLDER / "players.md").read_text(encoding="utf-8")
    for kind, entry in PLAYERS.items():
        assert entry.source, f"{kind}: {MISSING}"
        assert f"\n| `{kind}` | {entry.title} | {entry.source} |\n" in page, f"{kind}: {MISSING}"
    for name, made in COMMANDS.items():
        assert f"\n| `{name}` | `{made['command']}` |\n" in page, f"{name}: {MISSING}"
    shown = re.findall(r"^\| `([^`]+)` \|.*\| \[picture\]\(([^)]+)\) \|$", page, re.MULTILINE)
    names = [name for name, _ in shown]
    assert all(any(name.partition(":")[0] == kind for name in names) for kind in PLAYERS), MISSING
    assert all(f"net:atlas/{style}" in names for style in gallery.STYLES), MISSING
    for name in COMMANDS.keys() - {SHIPPED_FILE.stem}:
        assert any(shown_name.endswith(f":{name}") for shown_name in names), f"{name}: {MISSING}"
    for name, picture in shown:
        assert picture == gallery.Exhibit(name, name, "").picture
        assert (FOLDER / picture).is_file()


def test_pictures_are_small() -> None:
    sizes = [path.stat().st_size for path in FOLDER.glob("*.png")]
    assert max(sizes) < 30_000
    assert sum(sizes) < 1_000_000


def test_the_page_of_games_is_what_the_command_makes_now() -> None:
    assert set(gallery.GAME_SOURCES) == set(GAMES), MISSING
    assert (FOLDER / "games.md").read_text(encoding="utf-8") == gallery.game_page()


@pytest.mark.parametrize(("spec", "does"), [("fold", [1, 0, 0]), ("call", [0, 1, 0]), ("raise", [0, 0, 1])])
def test_openings_of_players_that_are_known(spec: str, does: list[int]) -> None:
    assert np.array_equal(opening(holdem_game("holdem-nl", {}), spec), np.tile(does, (169, 1)))


def test_the_chart_player_opens_by_its_chart() -> None:
    plays = dict(zip(gallery_classes(), opening(holdem_game("holdem-nl", {}), "standard").tolist(), strict=True))
    assert plays["AA"] == plays["AKs"] == plays["99"] == [0, 0, 1]
    assert plays["88"] == plays["66"] == [0, 1, 0]
    assert plays["72o"] == [1, 0, 0]


def gallery_classes() -> list[str]:
    from cardwin.cards.holdings import CLASS_NAMES

    return list(CLASS_NAMES)


def test_a_picture_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        draw_opening(tmp_path / name, holdem_game("holdem-nl", {}), "random")
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
