"""The table on disk: looked up, damaged, taken up again, and built by two at once. Builds the real one, once."""

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from cardwin.cards import win_odds
from cardwin.cards.tables import win_odds_store
from cardwin.core.rng import generator_of, key_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDWIN_CACHE", str(tmp_path_factory.mktemp("cache")))
        win_odds_store.load.cache_clear()
        assert win_odds_store.build() == ["index", "river", "turn", "flop"]
        yield
        win_odds_store.clean()


def damage(name: str) -> None:
    with win_odds_store.table_file().open("r+b") as file:
        file.seek(4 * win_odds.SECTIONS[name].start + 1000)
        file.write(b"\x55\x55\x55")
    win_odds_store.load.cache_clear()


@pytest.mark.usefixtures("_built")
@pytest.mark.parametrize("shown", [3, 4, 5])
def test_a_thousand_look_ups_a_street_equal_counting(shown: int) -> None:
    cards = generator_of(key_of(4, "look-ups", shown)).random((1000, 52)).argsort(axis=1)[:, : shown + 2]
    holdings, boards = np.ascontiguousarray(cards[:, :2]), np.ascontiguousarray(cards[:, 2:])
    looked_up, counted = np.empty(1000), np.empty(1000)
    win_odds.win_odds_of(win_odds_store.load(), boards, holdings, looked_up)
    win_odds.win_odds_of(win_odds.NO_TABLE, boards, holdings, counted)
    assert len(win_odds_store.load()) == win_odds.TABLE_WORDS
    assert (looked_up == counted).all()


@pytest.mark.usefixtures("_built")
def test_it_is_small_enough() -> None:
    assert win_odds_store.table_file().stat().st_size < 700e6


@pytest.mark.usefixtures("_built")
def test_a_damaged_section_is_not_used_and_built_again() -> None:
    good = win_odds_store.check()
    damage("flop")
    assert win_odds_store.check() == good | {"flop": "damaged"}
    assert len(win_odds_store.load()) == 0
    assert win_odds_store.build() == ["flop"]
    assert set(win_odds_store.check().values()) == {"good"}
    assert len(win_odds_store.load()) == win_odds.TABLE_WORDS


@pytest.mark.usefixtures("_built")
def test_a_stopped_build_goes_on() -> None:
    win_odds_store.table_file().replace(win_odds_store.odds_folder() / "odds.part")
    notes = win_odds_store._notes()
    win_odds_store._write_notes({name: notes[name] for name in ("index", "river", "turn", "turn_powers")})
    win_odds_store.load.cache_clear()
    assert len(win_odds_store.load()) == 0
    assert win_odds_store.build() == ["flop"]
    assert win_odds_store.build() == []


@pytest.mark.usefixtures("_built")
def test_two_builds_at_once() -> None:
    damage("flop_powers")
    command = [sys.executable, "-c", "from cardwin.cards.tables import win_odds_store; print(win_odds_store.build())"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(process.communicate()[0].strip() for process in both) == ["['flop']", "[]"]
    assert set(win_odds_store.check().values()) == {"good"}
