"""What tests of several rooms share."""

import json
import os
import subprocess
import sys
from typing import Any


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


def call(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command as a person would."""
    return subprocess.run(
        [sys.executable, "-m", "cardwin", *words], input=stdin, capture_output=True, text=True, check=False
    )


def answer(*words: str, stdin: str = "") -> dict[str, Any]:
    """A command's JSON answer."""
    done = call(*words, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
