"""The table on disk: looked up, damaged, taken up again, and built by two at once. Builds the real one, once."""

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from cardwin.cards import odds, tables
from cardwin.luck import generator_of, key_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDWIN_CACHE", str(tmp_path_factory.mktemp("cache")))
        tables.load.cache_clear()
        assert tables.build() == ["index", "river", "turn", "flop"]
        yield
        tables.clean()


def damage(name: str) -> None:
    with tables.table_file().open("r+b") as file:
        file.seek(4 * odds.SECTIONS[name].start + 1000)
        file.write(b"\x55\x55\x55")
    tables.load.cache_clear()


@pytest.mark.usefixtures("_built")
@pytest.mark.parametrize("shown", [3, 4, 5])
def test_a_thousand_look_ups_a_street_equal_counting(shown: int) -> None:
    cards = generator_of(key_of(4, "look-ups", shown)).random((1000, 52)).argsort(axis=1)[:, : shown + 2]
    holdings, boards = np.ascontiguousarray(cards[:, :2]), np.ascontiguousarray(cards[:, 2:])
    looked_up, counted = np.empty(1000), np.empty(1000)
    odds.win_odds_of(tables.load(), boards, holdings, looked_up)
    odds.win_odds_of(odds.NO_TABLE, boards, holdings, counted)
    assert len(tables.load()) == odds.TABLE_WORDS
    assert np.abs(looked_up - counted).max() < 1e-6


@pytest.mark.usefixtures("_built")
def test_it_is_small_enough() -> None:
    assert tables.table_file().stat().st_size < 700e6


@pytest.mark.usefixtures("_built")
def test_a_damaged_section_is_not_used_and_built_again() -> None:
    good = tables.check()
    damage("flop")
    assert tables.check() == good | {"flop": "damaged"}
    assert len(tables.load()) == 0
    assert tables.build() == ["flop"]
    assert set(tables.check().values()) == {"good"}
    assert len(tables.load()) == odds.TABLE_WORDS


@pytest.mark.usefixtures("_built")
def test_a_stopped_build_goes_on() -> None:
    tables.table_file().replace(tables.odds_folder() / "odds.part")
    notes = tables._notes()
    tables._write_notes({name: notes[name] for name in ("index", "river", "turn", "turn_powers")})
    tables.load.cache_clear()
    assert len(tables.load()) == 0
    assert tables.build() == ["flop"]
    assert tables.build() == []


@pytest.mark.usefixtures("_built")
def test_two_builds_at_once() -> None:
    damage("flop_powers")
    command = [sys.executable, "-c", "from cardwin.cards import tables; print(tables.build())"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(process.communicate()[0].strip() for process in both) == ["['flop']", "[]"]
    assert set(tables.check().values()) == {"good"}
