"""What tests of several rooms share."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from cardwin.core.rng import _MIX_1, _MIX_2, _STEP


def outputs_both_ways(sample: str) -> list[str]:
    """What a program prints compiled and uncompiled, each in a process of its own, warnings being errors."""
    return [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", sample],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]


def call(*words: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command as a person would."""
    return subprocess.run(
        [sys.executable, "-m", "cardwin", *words], input=stdin, capture_output=True, text=True, check=False, cwd=cwd
    )


def answer(*words: str, stdin: str = "") -> dict[str, Any]:
    """A command's JSON answer."""
    done = call(*words, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


MASK = 2**64 - 1


def _undone(z: int, shift: int) -> int:
    """The x of which z is x ^ (x >> shift)."""
    x = z
    for _ in range(64 // shift + 1):
        x = z ^ (x >> shift)
    return x


def parents(key: int, counter: int) -> list[int]:
    """The keys whose counter-th bits are `key`; one bit was dropped, so there are up to two."""
    found = []
    for bit in (0, 1):
        z = _undone((key << 1) | bit, 31)
        z = _undone(z * pow(_MIX_2, -1, 2**64) & MASK, 27)
        z = _undone(z * pow(_MIX_1, -1, 2**64) & MASK, 30)
        parent = (z - (counter + 1) * _STEP) & MASK
        if parent < 2**63:
            found.append(parent)
    return found


def grandparents(key: int, number: int) -> set[int]:
    """The keys that may have had a `child` of this number."""
    return {one for between in parents(key, number) for one in parents(between, -1)}


def refusal(*words: str) -> str:
    """The one line with which a wrong command is refused."""
    done = call(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr
