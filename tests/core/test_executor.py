"""The executor: results in order whoever works, jobs dropped and errors passed on, and the only pools there are."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cardwin
from cardwin.core.errors import InputError
from cardwin.core.executor import CHUNK, Executor, Processes, Serial, Threads, open_executor, run_rows

ALL: list[Callable[[], Executor]] = [Serial, lambda: Threads(2), lambda: Processes(2)]


@pytest.mark.parametrize("make", ALL, ids=["serial", "threads", "processes"])
def test_results_come_in_order_and_errors_as_they_were(make: Callable[[], Executor]) -> None:
    with make() as executor:
        assert list(executor.map(str, range(20))) == [str(number) for number in range(20)]
        assert list(executor.map(str, ())) == []
        with pytest.raises(ValueError, match="invalid literal"):
            list(executor.map(int, ["1", "no number"]))


def test_threads_work_side_by_side_after_the_first_item() -> None:
    together = threading.Barrier(2)
    alone = []

    def job(number: int) -> int:
        if number == 0:
            alone.append(threading.current_thread() is threading.main_thread())
        else:
            together.wait(timeout=30)
        return number

    with Threads(2) as executor:
        assert list(executor.map(job, range(3))) == [0, 1, 2]
    assert alone == [True]


def test_work_that_nobody_waits_for_is_dropped() -> None:
    done = []

    def job(number: int) -> int:
        time.sleep(0.01)
        done.append(number)
        return number

    with Threads(2) as executor:
        results = executor.map(job, range(200))
        assert [next(results), next(results)] == [0, 1]
        results.close()  # type: ignore[attr-defined]
    assert len(done) < 100


def test_rows_are_cut_into_chunks_that_fill_everything_once() -> None:
    for executor in (Serial(), Threads(2)):
        out = np.zeros(3 * CHUNK + 5)

        def work(start: int, stop: int, out: np.ndarray[tuple[int], np.dtype[np.float64]] = out) -> None:
            out[start:stop] += np.arange(start, stop)

        with executor:
            run_rows(executor, work, len(out))
        assert (out == np.arange(len(out))).all()


def test_the_number_of_workers_is_checked() -> None:
    assert isinstance(open_executor(1), Serial)
    for workers in (0, -1, 10**6):
        with pytest.raises(InputError, match=f"expected 1 to 1024, got {workers}"):
            open_executor(workers)


def test_a_plain_script_needs_no_guard_and_a_lost_worker_is_told(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(
        "import os\n"
        "from cardwin.core.executor import Processes\n"
        "print('once')\n"
        "with Processes(2) as executor:\n"
        "    print(sum(executor.map(abs, [-1, -2, -3])))\n"
        "    try:\n"
        "        list(executor.map(os._exit, [3]))\n"
        "    except ValueError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[:2] == ["once", "6"]
    assert "worker process" in done.stdout


def test_nothing_else_makes_a_pool() -> None:
    package = Path(cardwin.__file__).parent
    words = ("ThreadPoolExecutor", "ProcessPoolExecutor", "multiprocessing")
    users = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(word in path.read_text(encoding="utf-8") for word in words)
    }
    assert users == {"core/executor.py"}
