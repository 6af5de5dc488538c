"""Kernels kept on disk: damaged ones are compiled again, and where none can be kept there is still an answer."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
kernel.WORTH_TELLING = 0.0
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
