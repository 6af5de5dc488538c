"""The one door to the compiler.

`@kernel` compiles a function with Numba and keeps the machine code on disk. With NUMBA_DISABLE_JIT=1 the same
function runs as plain Python, which is how the tests check one against the other.

A cached kernel does not notice that a kernel it calls in another file has changed, so a module's kernels lie in a
folder whose name carries a hash of its source and of every source that it imports, directly or not. For kernels outside
this package these are all sources of their package, and all of ours.
"""

import hashlib
import logging
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import FunctionCache

from cardwin.core.cache import cache_folder

try:
    from cardwin.core.kernel_files import readable_folders, use_own_files
    from cardwin.core.linked import CalledCache, CalledCompiler, LinkedCache, LinkedCompiler
except ImportError:  # another version of Numba, whose inner names differ: kernels compile as it does it, and longer
    LINKS = False
else:
    LINKS = True

F = TypeVar("F", bound=Callable[..., Any])

# What compiling a function from outside the package may raise.
CompileError = (numba.core.errors.NumbaError, TypeError, NotImplementedError)
COMPILED = not numba.config.DISABLE_JIT
UNUSED_DAYS = 30
WORTH_TELLING = 0.5  # seconds that a compilation takes
PACKAGE = Path(__file__).parent.parent
IMPORTS = re.compile(r"^from (cardwin[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)

log = logging.getLogger("cardwin")


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The package's own sources that a source imports at its top."""
    return frozenset(_named(_text(path)))


def _named(text: str) -> Iterator[Path]:
    for module, names in IMPORTS.findall(text):
        at = PACKAGE.joinpath(*module.split(".")[1:])
        wanted = [name.split()[0] for name in names.strip("()").replace("\n", " ").split(",") if name.strip()]
        modules = [at / f"{name}.py" for name in wanted if (at / f"{name}.py").is_file()]
        yield from modules
        # Where all that is imported from a package are its modules, nothing rests on what else the package gathers.
        if len(modules) < len(wanted):
            yield from (each for each in (at.with_suffix(".py"), at / "__init__.py") if each.is_file())


def sources_of(path: Path) -> list[Path]:
    """A source and all that it rests on, in a fixed order."""
    found, new = {path}, {path}
    while new:
        new = {each for one in new for each in _imported(one)} - found
        found |= new
    return sorted(found)


def outside_sources(path: Path, module: str) -> list[Path]:
    """Return the sources that kernels outside this package may rest on: their own package's, and all of ours.

    A module that is in no package may import any of the files beside it.
    """
    parts = module.split(".")
    depth = len(parts) - (path.name != "__init__.py")
    if depth and path.parents[depth - 1].name == parts[0]:
        own = path.parents[depth - 1].rglob("*.py")
    else:
        own = path.parent.glob("*.py")
    return [*sorted({path, *own}), *sorted(PACKAGE.rglob("*.py"))]


@cache
def _open_cache(source: str, module: str) -> Path | None:
    """The cache folder of a module's kernels, or None where nothing can be written or there is no source file."""
    path = Path(source)
    if not path.is_file():
        return None
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    if path.is_relative_to(PACKAGE):
        # linked.py is imported within a try, where `sources_of` does not look, and its names are in the machine code.
        for each in (*sources_of(path), PACKAGE / "core" / "linked.py"):
            digest.update(_text(each).encode())
    else:
        for each in outside_sources(path, module):
            with suppress(OSError):  # a file beside the player's that cannot be read is not part of it
                digest.update(each.read_bytes())
    folder = cache_folder() / "kernels" / digest.hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        _drop_unused(folder.parent)
    except OSError:
        return None
    return folder


@cache
def _drop_unused(home: Path) -> None:
    """Remove folders that nobody has used for long, once a process."""
    for folder in home.iterdir():
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86_400:
            shutil.rmtree(folder, ignore_errors=True)


class _Watch(event.Listener):  # type: ignore[misc]  # numba ships no types
    """Says what is compiled and how far it is: in a terminal by one line that moves, elsewhere by a message.

    Kernels that a kernel calls are compiled within it: only the outermost is named, and only if it takes a while.
    """

    def __init__(self) -> None:
        self.seconds = self.began = 0.0
        self.depth = self.kernels = 0
        self.once = ": once for this version, then kept on disk"
        self.notice = threading.Timer(0.0, self.tell)

    def tell(self, part: str = "") -> None:
        if not (sys.stderr.isatty() and log.isEnabledFor(logging.INFO)):
            log.info("compiling %s%s", part, self.once)
            self.once = ""
            return
        took = time.perf_counter() - self.began
        line = f"compiling {part}: {self.kernels} kernels, {took:.0f} s; once for this version"
        print(f"\r{line[:78]:<78}", end="", file=sys.stderr, flush=True)
        self.notice = threading.Timer(WORTH_TELLING, self.tell, [part])
        self.notice.daemon = True
        self.notice.start()

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.began = time.perf_counter()
            self.notice = threading.Timer(WORTH_TELLING, self.tell, [_part_of(event)])
            self.notice.daemon = True
            self.notice.start()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        self.kernels += 1
        if self.depth == 0:
            self.notice.cancel()
            took = time.perf_counter() - self.began
            self.seconds += took
            if took < WORTH_TELLING:
                return
            if sys.stderr.isatty():
                print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)
            else:
                log.info("compiled %s in %.0f s", _part_of(event), took)


def _part_of(event: Any) -> str:
    """The module whose kernel is compiled, and what it says that it is."""
    module = str(event.data["dispatcher"].py_func.__module__)
    about = re.split(r"[:.,;(]", " ".join((sys.modules[module].__doc__ or "").split()))[0].strip()
    return module.removeprefix("cardwin.") + (f" ({about})" if about else "")


_watch = _Watch()
event.register("numba:compile", _watch)


def clock() -> float:
    """Seconds since some moment, those left out in which this process or its workers compiled: what warm work takes."""
    return time.perf_counter() - _watch.seconds - max(_workers.values(), default=0.0)


_workers: dict[int, float] = {}  # by process, seconds in which it compiled


def note_worker(process: int, seconds: float) -> None:
    """A worker process has compiled for so many seconds in all."""
    _workers[process] = seconds


def compile_seconds() -> float:
    """Seconds in which this process compiled."""
    return _watch.seconds


def kernel(function: F) -> F:
    """Compile a function: no lock held, no Python objects, strict floating point (results must repeat bit for bit).

    Kernels are inlined into the kernels that call them: an array handed to a call counts its owners, and counting them
    cost hold'em half its speed.
    """
    return _compiled(function)


def borrowing(function: F) -> F:
    """A kernel that makes and returns no array, nor calls one that returns an array: it need not count owners.

    Every array of a structure is counted at each call that the structure is handed to, inlined or not: a network's
    decision counted 66 times, a third of its time.
    """
    return _compiled(function, counts=False)


def called(function: F) -> F:
    """A kernel that borrows, as above, and is compiled once and called, not inlined.

    For large parts that several other kernels need: these compile sooner. A call costs some nanoseconds, more with
    many arrays among its arguments.
    """
    return _compiled(function, counts=False, inlined=False)


def direct(function: F) -> F:
    """A kernel that Python always calls with the same types: from its second call on the types are not looked at.

    Finding the types of a structure of thirty arrays takes Numba longer than a decision takes to play.
    """
    if not COMPILED:
        return function
    entry: Callable[..., Any] | None = None

    def call(*arguments: Any) -> Any:
        nonlocal entry
        if entry is not None:
            try:
                return entry(*arguments)
            except TypeError:  # another type after all
                return function(*arguments)
        result = function(*arguments)
        versions = list(function.overloads.values())  # type: ignore[attr-defined]
        entry = versions[0].entry_point if len(versions) == 1 else None
        return result

    return cast(F, call)


def _compiled(function: F, counts: bool = True, inlined: bool = True) -> F:
    """Two forms of a kernel: one with an entry for Python, and one for other kernels (see `linked`)."""
    if not COMPILED:
        return cast(F, numba.njit(function))
    folder = _open_cache(function.__code__.co_filename, function.__module__)
    # Nobody calls kernels from C, and error_model numpy: a division by zero is no exception.
    options = {"nogil": True, "error_model": "numpy", "_nrt": counts, "no_cfunc_wrapper": True}
    entry = _cached(numba.njit(forceinline=not LINKS, **options), function, folder, FunctionCache)
    if not LINKS:
        return cast(F, entry)
    inner = {**options, "no_cpython_wrapper": True}
    if inlined:
        compile_ = numba.njit(forceinline=True, pipeline_class=LinkedCompiler, **inner)
    else:
        compile_ = numba.njit(pipeline_class=CalledCompiler, **inner)
    other = _cached(compile_, function, folder and folder / "inner", LinkedCache if inlined else CalledCache)

    def resolve(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """Compile for whole numbers a kernel that is called with 0 and with 7.

        Numba would give every literal argument a version of its own, a fifth of a first match's compile time. What a
        literal makes simpler is found anyway once the kernel is inlined.
        """
        plain = {name: numba.types.unliteral(kind) for name, kind in kws.items()}
        return other.get_call_template(tuple(map(numba.types.unliteral, args)), plain)

    entry.get_call_template, entry.get_overload, entry.called = resolve, other.get_overload, other
    return cast(F, entry)


def compile_hook(function: F) -> F:
    """Return a kernel without an entry for Python, to be called at its address (see `pointers`)."""
    folder = _open_cache(function.__code__.co_filename, function.__module__)
    options = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
    compile_ = numba.njit(no_cpython_wrapper=True, **options)
    return cast(F, _cached(compile_, function, folder and folder / "hooks", FunctionCache))


def compile_plugin(function: F) -> F:
    """Return a function from outside the package as a kernel to be called at its address.

    Unlike ours it may make arrays, and it raises an exception for an index out of bounds and a division by zero.
    """
    folder = _open_cache(function.__code__.co_filename, function.__module__)
    compile_ = numba.njit(nogil=True, boundscheck=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    return cast(F, _cached(compile_, function, folder and folder / "plugins", FunctionCache))


def _cached(compile_: Any, function: F, folder: Path | None, cache_class: Any) -> Any:
    """A dispatcher whose versions are kept in a folder, if there is one."""
    dispatcher = compile_(function)
    if folder is not None:
        dispatcher._cache = KeptVersions(function, folder, cache_class)
    return dispatcher


class KeptVersions:
    """The versions of a kernel on disk: compiled anew where they cannot be read, and not kept where nothing can be.

    Numba's cache is opened with the first version: most kernels that a command imports are never called.
    """

    def __init__(self, function: Callable[..., Any], folder: Path, cache_class: Any) -> None:
        self._function, self._folder, self._class = function, folder, cache_class

    @cached_property
    def _store(self) -> Any:
        outside = numba.config.CACHE_DIR
        try:
            numba.config.CACHE_DIR = str(self._folder)
            with readable_folders() if LINKS else nullcontext():
                store = self._class(self._function)
        finally:
            numba.config.CACHE_DIR = outside
        if LINKS:
            use_own_files(store)
        return store

    @property
    def cache_path(self) -> str:
        """Where the versions are."""
        return str(self._store.cache_path)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """A version from disk, or None."""
        try:
            return self._store.load_overload(signature, target)
        except Exception:  # a damaged file may raise anything
            log.info("a kept kernel is damaged: compiling it again")
            self._forget()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a version, if possible."""
        try:
            self._store.save_overload(signature, data)
        except Exception as error:  # the index, which is read first, may be damaged too
            if not isinstance(error, OSError) and self._forget():
                self.save_overload(signature, data)
                return
            log.info("kernels cannot be kept on disk: %s", error)
            self._store.disable()

    def flush(self) -> None:
        """Forget all versions."""
        self._store.flush()

    def _forget(self) -> bool:
        """Empty the index of the kept versions; False, and keep none, where that cannot be written."""
        try:
            self._store.flush()
        except OSError:
            self._store.disable()
            return False
        return True
