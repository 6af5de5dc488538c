"""Kernels kept on disk: damaged ones are compiled again, and where none can be kept there is still an answer."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import cardwin
from cardwin.core.rng import child, stream_of

PROGRAM = """
import logging
logging.basicConfig(level=logging.INFO, format="%(message)s")
from cardwin.core.rng import child
print(child(1, 2))
"""


def run(cache: Path, program: str = PROGRAM) -> tuple[str, str]:
    """The answer of a process of its own with that cache, and what it said."""
    environment = {**os.environ, "CARDWIN_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def scramble(file: Path) -> None:
    file.write_bytes(b"\x80garbage" * 100)


@pytest.fixture(scope="module")
def kept_kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that was empty and holds what the program compiled."""
    folder = tmp_path_factory.mktemp("kernels")
    run(folder)
    return folder


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        ("nbi", scramble),
        ("nbc", cut),
        *(
            pytest.param(*case, marks=SLOW)
            for case in (("nbi", cut), ("nbi", empty), ("nbc", empty), ("nbc", scramble))
        ),
    ],
)
def test_damaged_kernels_are_compiled_again(
    tmp_path: Path, kept_kernels: Path, kind: str, damage: Callable[[Path], None]
) -> None:
    shutil.copytree(kept_kernels, tmp_path, dirs_exist_ok=True)
    kept = list(tmp_path.rglob(f"*.{kind}"))
    assert kept
    for file in kept:
        damage(file)
    again, said = run(tmp_path)
    assert again == str(child(1, 2))
    assert "compil" in said
    third, said = run(tmp_path)
    assert third == again
    assert "compil" not in said  # whole again


def test_two_checkouts_with_the_same_sources_share_their_kernels(
    tmp_path: Path, kept_kernels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(Path(cardwin.__file__).parent, tmp_path / "cardwin", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    before = set(kept_kernels.rglob("*.nb?"))
    answer, _ = run(kept_kernels, "import cardwin; print(cardwin.__file__)" + PROGRAM)
    assert answer.split() == [str(tmp_path / "cardwin" / "__init__.py"), str(child(1, 2))]
    assert set(kept_kernels.rglob("*.nb?")) == before


def test_where_nothing_can_be_kept_kernels_run_all_the_same(tmp_path: Path) -> None:
    full = PROGRAM.replace(
        "from cardwin.core.rng", "import numba.core.caching as caching\n"
        "def no_room(*_): raise OSError(28, 'No space left on device')\n"
        "caching.IndexDataCacheFile._save_data = no_room\nfrom cardwin.core.rng",
    )  # fmt: skip
    answer, said = run(tmp_path, full)
    assert answer == str(child(1, 2))
    assert "No space left on device" in said


def test_what_is_compiled_and_for_how_long_is_said_and_does_not_count(tmp_path: Path) -> None:
    timed = """
import logging, time
logging.basicConfig(level=logging.INFO, format="%(message)s")
from cardwin.core import kernel
kernel.MIN_REPORTED_SECONDS = 0.0
began, compiled = time.perf_counter(), kernel.clock()
from cardwin.core.rng import child, stream_of
child(1, 2), child(1, 3)
took, counted = time.perf_counter() - began, kernel.clock() - compiled
print(0 <= counted < took)
"""
    answer, said = run(tmp_path, timed)
    assert answer == "True"
    first, last = said.splitlines()  # and nothing of what was compiled within it
    assert "core.rng" in first
    assert re.search(r"core\.rng.* \d+ s", last)
    answer, said = run(tmp_path, timed)
    assert answer == "False"
    assert not said


def test_a_literal_argument_does_not_compile_a_kernel_again() -> None:
    from cardwin.core.kernel import COMPILED, kernel
    from cardwin.core.rng import draw_below

    @kernel
    def two(stream: object) -> int:
        return draw_below(stream, 2) + draw_below(stream, 3)  # type: ignore[arg-type]

    assert 0 <= two(stream_of(1)) <= 3
    if COMPILED:
        kinds = [str(one) for one in draw_below.signatures]  # type: ignore[attr-defined]
        assert not [one for one in kinds if "Literal" in one]


TWICE = """
from cardwin.core.kernel import kernel


@kernel
def twice(x):
    return x + x
"""

# Two processes keep two versions of one kernel, in the order that is worst: both read the index before either writes
# it, and the one that writes the index last writes its code first. Waiting ends: a lock may hold up the other process.
TWO_AT_ONCE = """
import sys, time
from pathlib import Path
from numba.core.caching import IndexDataCacheFile
from twice import twice

me, other, first = sys.argv[1], sys.argv[2], sys.argv[1] == "int"
signs = Path(sys.argv[3])
load, save_index = IndexDataCacheFile._load_index, IndexDataCacheFile._save_index
save_data = IndexDataCacheFile._save_data


def until(sign):
    end = time.monotonic() + 2
    while not (signs / sign).exists() and time.monotonic() < end:
        time.sleep(0.01)


def in_turn(action, wait_for, sign):
    def done(store, *arguments):
        if not store._index_path.endswith(".nbi") or "inner" in store._index_path:
            return action(store, *arguments)
        if wait_for:
            until(f"{other}-{wait_for}")
        found = action(store, *arguments)
        (signs / f"{me}-{sign}").touch()
        return found

    return done


IndexDataCacheFile._load_index = in_turn(load, None, "read")
IndexDataCacheFile._save_index = in_turn(save_index, "read" if first else "index", "index")
IndexDataCacheFile._save_data = in_turn(save_data, "data" if first else None, "data")
print(twice(3 if first else 1.5))
"""


def test_two_processes_that_compile_one_kernel_at_once_do_not_mix_up_its_versions(tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text(TWICE, encoding="utf-8")
    (tmp_path / "signs").mkdir()
    environment = {**os.environ, "CARDWIN_CACHE": str(tmp_path / "cache")}
    begin = partial(subprocess.Popen, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    pairs = ("int", "float"), ("float", "int")
    both = [begin([sys.executable, "-c", TWO_AT_ONCE, me, other, str(tmp_path / "signs")]) for me, other in pairs]
    assert [process.communicate(timeout=120)[0].strip() for process in both] == ["6", "3.0"]
    later = begin([sys.executable, "-c", "from twice import twice; print(twice(3), twice(1.5))"])
    assert later.communicate(timeout=120)[0].strip() == "6 3.0"


KILLED = """
import os, sys
from numba.core.caching import IndexDataCacheFile
from twice import twice

setattr(IndexDataCacheFile, sys.argv[1], lambda *_: os._exit(0))
twice(1.5)
"""


@pytest.mark.parametrize("killed_in", ["_save_data", "_save_index"])
def test_a_process_killed_while_it_keeps_a_version_leaves_no_other_ones_code_in_its_place(
    tmp_path: Path, killed_in: str
) -> None:
    (tmp_path / "twice.py").write_text(TWICE, encoding="utf-8")
    environment = {**os.environ, "CARDWIN_CACHE": str(tmp_path / "cache")}

    def answer(program: str, *words: str) -> str:
        command = [sys.executable, "-c", program, *words]
        return subprocess.run(command, env=environment, cwd=tmp_path, stdout=-1, text=True, check=True).stdout.strip()

    assert answer("from twice import twice; print(twice(3))") == "6"
    for index in (tmp_path / "cache").rglob("*.nbi"):
        if index.parent.parent.name != "inner":
            index.unlink()  # forgotten, as damaged versions are; their files stay
    answer(KILLED, killed_in)
    assert answer("from twice import twice; print(twice(1.5))") == "3.0"


INNER = """
import numba
import numpy as np
from cardwin.core.kernel import kernel

BET = np.dtype([("chips", np.int64), ("seat", np.int64)])


@kernel(refcount=False)
def chips_of(bets):
    return bets[0].chips


@kernel
def doubled(bets):
    return 2 * chips_of(bets)


@kernel
def tripled(bets):
    return 3 * chips_of(bets)


def answer(function, types_before=0):
    # Numba numbers the types of a process in the order in which it meets them.
    for number in range(types_before):
        numba.typeof(np.zeros(1, [(f"field{number}", np.int64)]))
    return function(np.array([(7, 1)], BET))
"""


def test_kernels_from_the_cache_do_not_depend_on_an_inner_kernel_compiled_again(tmp_path: Path) -> None:
    """Two first commands at once each compile it: one file is kept, and callers from both."""
    (tmp_path / "bets.py").write_text(INNER, encoding="utf-8")
    environment = {**os.environ, "CARDWIN_CACHE": str(tmp_path / "cache")}

    def answer(call: str) -> str:
        command = [sys.executable, "-c", f"from bets import *; print(answer({call}))"]
        return subprocess.run(command, env=environment, cwd=tmp_path, stdout=-1, text=True, check=True).stdout.strip()

    assert answer("doubled") == "14"
    for kept in (tmp_path / "cache").rglob("*chips_of*"):
        kept.unlink()
    assert answer("tripled, 5") == "21"
    assert answer("doubled") == "14"
