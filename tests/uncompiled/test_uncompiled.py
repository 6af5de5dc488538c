"""Kernels are Python too: every sample gives the same bits with the compiler switched off.

All samples run uncompiled in one process, which the workers of a test session share, and compiled in this one.
"""

import fcntl
import json
import os
import subprocess
import sys

import pytest

from cardwin.core.kernel import COMPILED
from uncompiled import samples

# How much a sample yields at least, so that none is empty without anybody noticing.
LEAST = {"every_evolution_operator": 60, "replays_of_hand_histories": 4, "evolution_runs": 5, "xcs_learning": 20}


@pytest.fixture(scope="session")
def uncompiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What all samples yield uncompiled: one process for the session, however many workers it has."""
    base = tmp_path_factory.getbasetemp()
    file = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "uncompiled.json"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            subprocess.run(
                [sys.executable, "-W", "error", samples.__file__, str(file)],
                env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
                check=True,
            )
    found: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", samples.SAMPLES)
def test_the_same_bits_uncompiled(name: str, uncompiled: dict[str, list[str]]) -> None:
    assert COMPILED
    compiled = samples.texts_of(samples.SAMPLES[name])
    assert len(compiled) >= LEAST.get(name, 1)
    assert not compiled[0].startswith("Traceback"), compiled[0]
    assert compiled == uncompiled[name]
