"""What tests of several packages share."""

import io
import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from cardwin import cli
from cardwin.cli import output
from cardwin.core.rng import _MIX_1, _MIX_2, _STEP
from cardwin.games import game, specs


def process(*words: str, stdin: str = "", cwd: Path | None = None) -> CompletedProcess[str]:
    """Run a command in a process of its own, where that is what is tested; `call` does the same much sooner."""
    return subprocess.run(
        [sys.executable, "-m", "cardwin", *words], input=stdin, capture_output=True, text=True, check=False, cwd=cwd
    )


def call(*words: str, stdin: str = "", cwd: Path | None = None) -> CompletedProcess[str]:
    """Run a command in this process as if it had one of its own: what it prints, and its exit code."""
    inward = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    outward, wrong = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with _as_new(["cardwin", *words], inward, cwd), redirect_stdout(outward), redirect_stderr(wrong):
        code = _exit_code()
    texts = [stream.buffer.getvalue().decode() for stream in (outward, wrong)]
    return CompletedProcess(list(words), code, *texts)


def _exit_code() -> int:
    """What the shell would be told."""
    try:
        cli.main()
    except SystemExit as left:
        if isinstance(left.code, str):
            print(left.code, file=sys.stderr)
            return 1
        return left.code or 0
    except Exception:  # the interpreter prints it and ends with 1
        traceback.print_exc()
        return 1
    return 0


@contextmanager
def _as_new(argv: list[str], stdin: io.TextIOWrapper, cwd: Path | None) -> Iterator[None]:
    """Everything of a process that a command reads or changes, as at its start; afterwards as it was before."""
    root, ours = logging.getLogger(), logging.getLogger("cardwin")
    folder, environment, path, modules = Path.cwd(), dict(os.environ), list(sys.path), set(sys.modules)
    before = (
        sys.argv,
        sys.stdin,
        root.handlers,
        root.level,
        ours.filters,
        output.is_quiet(),
        output.CompileMessages.hint,
    )
    built = dict(specs._BUILT)
    try:
        sys.argv, sys.stdin, root.handlers, ours.filters = argv, stdin, [], []
        os.environ.setdefault("COLUMNS", "80")  # whatever terminal the tests are started from
        output.CompileMessages.hint = True
        os.chdir(cwd or folder)
        yield
    finally:
        sys.argv, sys.stdin, root.handlers, level, ours.filters, quiet, output.CompileMessages.hint = before
        root.setLevel(level)
        output.set_quiet(quiet)
        _forget_plugins(built, set(sys.modules) - modules)
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)


def _forget_plugins(built: dict[str, Any], modules: set[str]) -> None:
    """Forget games and modules of the folder that a command ran in: the next one may have others of these names."""
    if built != specs._BUILT:
        specs._BUILT.clear()
        specs._BUILT.update(built)
        game.cache_clear()
    for name in modules:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).resolve().parent == Path.cwd():
            del sys.modules[name]


def answer(*words: str, stdin: str = "", cwd: Path | None = None) -> dict[str, Any]:
    """A command's JSON answer."""
    done = call(*words, "--json", stdin=stdin, cwd=cwd)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def refusal(*words: str, cwd: Path | None = None) -> str:
    """The one line with which a wrong command is refused."""
    done = call("--quiet", *words, cwd=cwd)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


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
