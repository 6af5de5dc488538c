"""The one door to the compiler.

`@kernel` compiles a function with Numba and keeps the machine code on disk. With NUMBA_DISABLE_JIT=1 the same
function runs as plain Python, which is how the tests check one against the other.

A cached kernel does not notice that a kernel it calls in another file has changed, so the cache folder's name
carries a hash of every source that may hold kernels.
"""

import hashlib
import logging
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event

from cardwin.folders import cache_folder

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
UNUSED_DAYS = 30
ROOMS_WITHOUT_KERNELS = {"cli", "lab", "web"}

log = logging.getLogger("cardwin")


def _source_hash() -> str:
    package = Path(__file__).parent
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] not in ROOMS_WITHOUT_KERNELS:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _open_cache() -> Path | None:
    """This version's cache folder, or None where nothing can be written; long unused versions' folders are removed."""
    home = cache_folder() / "kernels"
    folder = home / _source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        for other in home.iterdir():
            if time.time() - other.stat().st_mtime > UNUSED_DAYS * 86_400:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        return None
    return folder


CACHE = _open_cache() if COMPILED else None


class _CompileNotice(event.Listener):  # type: ignore[misc]  # numba ships no types
    """Says once that the compiler is at work, so that nobody wonders what the first run waits for."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        if not self.said:
            self.said = True
            log.info("compiling kernels: once for this version, then kept on disk")

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _CompileNotice())


def kernel(function: F) -> F:
    """Compile a function: no lock held, no Python objects, strict floating point (results must repeat bit for bit).

    Kernels are inlined into the kernels that call them: an array handed to a call counts its owners, and counting them
    cost hold'em half its speed.
    """
    outside = numba.config.CACHE_DIR
    try:
        if CACHE is not None:
            numba.config.CACHE_DIR = str(CACHE)
        compile_ = numba.njit(nogil=True, error_model="numpy", forceinline=True, cache=CACHE is not None)
        compiled: F = compile_(function)
    finally:
        numba.config.CACHE_DIR = outside
    return compiled
