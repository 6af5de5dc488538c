"""Before and after a connection to a cluster: does it answer, has it our token, and whose are the signals."""

import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from cardwin.core.cluster import AUTO
from cardwin.core.errors import InputError

CONNECT = 40.0  # seconds until an address counts as one that does not answer


@contextmanager
def own_signals() -> Iterator[None]:
    """Keep this process's handling of signals, which Ray replaces."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def have_token() -> None:
    """A token for a local cluster, unless the user has one; it is in no file."""
    if os.environ.get("RAY_AUTH_MODE") != "token":
        return
    file = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")
    if not os.environ.get("RAY_AUTH_TOKEN") and not file.is_file():
        os.environ["RAY_AUTH_TOKEN"] = _random_token()


@cache
def _random_token() -> str:
    """One for this process: Ray reads it once."""
    return secrets.token_hex(32)


def refuse_silent(where: str) -> None:
    """Raise an error if a cluster does not answer, or not to our token.

    Ray's own command asks, in a process of its own: a connection that fails ends the process that tries it.
    """
    words = [sys.executable, "-m", "ray.scripts.scripts", "status", *(() if where == AUTO else ("--address", where))]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=CONNECT, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise InputError(
            f"cluster {where} did not answer within {CONNECT:.0f} s: is it running, and is the address right?"
        ) from None
    said = done.stdout + done.stderr
    if done.returncode == 0:
        return
    if "InvalidAuthToken" in said:
        raise InputError(f"cluster {where} has another token: set RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH to its token")
    if "couldn't find an authentication token" in said:
        raise InputError(
            f"cluster {where} needs a token: copy its token to ~/.ray/auth_token or set RAY_AUTH_TOKEN; "
            "RAY_AUTH_MODE=disabled is for a cluster without one"
        )
    if "Version mismatch" in said:
        raise InputError(f"cluster {where} has another version of Ray or Python: install the same on every node")
    if where == AUTO and "any running Ray instance" in said:
        raise InputError("cluster auto: no Ray runs on this machine; start it with ray start --head, or use local")
    raise InputError(f"cluster {where} does not answer: is it running, and the address right?")
