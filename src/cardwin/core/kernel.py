"""JIT compilation: the `@kernel` decorator and its on-disk cache.

Numba compiles a kernel at its first call and stores the machine code on disk. With NUMBA_DISABLE_JIT=1 the same
function runs as plain Python. Tests compare the two.

A cached kernel does not notice that a kernel it calls in another file has changed. Therefore a module's kernels are
cached in a folder named by a hash of its name, of its source and of every source that it imports, directly or not. For
kernels outside this package the hash is of all sources of their package, and of all of ours. Two checkouts with the
same sources share their kernels.
"""

import hashlib
import logging
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast, overload
from uuid import uuid4

import numba
from numba.core import event
from numba.core.caching import CacheImpl, FunctionCache, UserProvidedCacheLocator

from cardwin.core.files import cache_folder
from cardwin.core.inner_kernels import InnerCache, InnerCompiler

F = TypeVar("F", bound=Callable[..., Any])

# What compiling a function from outside the package may raise.
CompileError = (numba.core.errors.NumbaError, TypeError, NotImplementedError)
COMPILED = not numba.config.DISABLE_JIT
UNUSED_DAYS = 30
MIN_REPORTED_SECONDS = 0.5  # shorter compilations are not reported
PACKAGE = Path(__file__).parent.parent
IMPORTS = re.compile(r"^from (cardwin[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)

log = logging.getLogger("cardwin")


@cache
def _read_source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _imports_of(path: Path) -> frozenset[Path]:
    """Return the package's own sources that a source imports at its top level."""
    return frozenset(_imported_paths(_read_source(path)))


def _imported_paths(text: str) -> Iterator[Path]:
    for module, names in IMPORTS.findall(text):
        path = PACKAGE.joinpath(*module.split(".")[1:])
        imported = [name.split()[0] for name in names.strip("()").replace("\n", " ").split(",") if name.strip()]
        modules = [path / f"{name}.py" for name in imported if (path / f"{name}.py").is_file()]
        yield from modules
        # If only modules are imported from a package, the rest of its `__init__.py` does not matter.
        if len(modules) < len(imported):
            yield from (source for source in (path.with_suffix(".py"), path / "__init__.py") if source.is_file())


def sources_of(path: Path) -> list[Path]:
    """Return a source and all sources that it imports, directly or not, sorted."""
    sources, new = {path}, {path}
    while new:
        new = {imported for source in new for imported in _imports_of(source)} - sources
        sources |= new
    return sorted(sources)


def outside_sources(path: Path, module: str) -> list[Path]:
    """Return the sources that kernels outside this package may depend on: their own package's, and all of ours.

    A module that is in no package may import any of the files beside it.
    """
    parts = module.split(".")
    depth = len(parts) - (path.name != "__init__.py")
    if depth and path.parents[depth - 1].name == parts[0]:
        package_sources = path.parents[depth - 1].rglob("*.py")
    else:
        package_sources = path.parent.glob("*.py")
    return [*sorted({path, *package_sources}), *sorted(PACKAGE.rglob("*.py"))]


@cache
def _open_cache(source: str, module: str) -> Path | None:
    """Return the cache folder of a module's kernels, or None if it is not writable or there is no source file."""
    path = Path(source)
    if not path.is_file():
        return None
    digest = hashlib.blake2b(f"{numba.__version__} {module}".encode(), digest_size=8)
    for each in sources_of(path) if path.is_relative_to(PACKAGE) else outside_sources(path, module):
        with suppress(OSError):  # an unreadable file beside a plug-in is not part of it
            digest.update(each.read_bytes())
    folder = cache_folder() / "kernels" / digest.hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        _remove_unused(folder.parent)
    except OSError:
        return None
    return folder


@cache
def _remove_unused(parent: Path) -> None:
    """Remove cache folders without use for UNUSED_DAYS days, once per process."""
    for folder in parent.iterdir():
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86_400:
            shutil.rmtree(folder, ignore_errors=True)


class _CompileMonitor(event.Listener):  # type: ignore[misc]  # numba ships no types
    """Reports compilation progress: in a terminal on one updated line, otherwise as log messages.

    Compiling a kernel also compiles its callees. Only the outermost kernel is reported, and only if it takes
    MIN_REPORTED_SECONDS or longer.
    """

    def __init__(self) -> None:
        self.seconds = self.began = 0.0
        self.depth = self.kernels = 0
        self.once = ": once for this version, then kept on disk"
        self.timer = threading.Timer(0.0, self.report)

    def report(self, part: str = "") -> None:
        """Report the current compilation, in a terminal again and again."""
        if not (sys.stderr.isatty() and log.isEnabledFor(logging.INFO)):
            log.info("compiling %s%s", part, self.once)
            self.once = ""
            return
        seconds = time.perf_counter() - self.began
        line = f"compiling {part}: {self.kernels} kernels, {seconds:.0f} s; once for this version"
        print(f"\r{line[:78]:<78}", end="", file=sys.stderr, flush=True)
        self.timer = threading.Timer(MIN_REPORTED_SECONDS, self.report, [part])
        self.timer.daemon = True
        self.timer.start()

    def on_start(self, event: Any) -> None:
        """Start the timer of an outermost kernel."""
        if self.depth == 0:
            self.began = time.perf_counter()
            self.timer = threading.Timer(MIN_REPORTED_SECONDS, self.report, [_describe_module(event)])
            self.timer.daemon = True
            self.timer.start()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """Stop the timer of an outermost kernel and add up its seconds."""
        self.depth -= 1
        self.kernels += 1
        if self.depth == 0:
            self.timer.cancel()
            seconds = time.perf_counter() - self.began
            self.seconds += seconds
            if seconds < MIN_REPORTED_SECONDS:
                return
            if sys.stderr.isatty():
                print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)
            else:
                log.info("compiled %s in %.0f s", _describe_module(event), seconds)


def _describe_module(event: Any) -> str:
    """Return the module of the compiled kernel, with the first words of its docstring."""
    module = str(event.data["dispatcher"].py_func.__module__)
    about = re.split(r"[:.,;(]", " ".join((sys.modules[module].__doc__ or "").split()))[0].strip()
    return module.removeprefix("cardwin.") + (f" ({about})" if about else "")


_monitor = _CompileMonitor()
event.register("numba:compile", _monitor)


def clock() -> float:
    """Return monotonic seconds, excluding compile time in this process and its workers."""
    return time.perf_counter() - _monitor.seconds - max(_worker_seconds.values(), default=0.0)


_worker_seconds: dict[int, float] = {}  # compile time by process id


def record_compile_seconds(process: int, seconds: float) -> None:
    """Record the total compile time of a worker process.

    Args:
        process: the worker's process id.
        seconds: its compile time since it started.

    """
    _worker_seconds[process] = seconds


def compile_seconds() -> float:
    """Return the compile time of this process in seconds."""
    return _monitor.seconds


@overload
def kernel(function: F) -> F: ...


@overload
def kernel(*, refcount: bool) -> Callable[[F], F]: ...


def kernel(function: F | None = None, *, refcount: bool = True) -> F | Callable[[F], F]:
    """Compile a function: without the interpreter lock, without Python objects, with strict floating point.

    Kernels are inlined into the kernels that call them.

    Args:
        function: the function, if the decorator has no arguments.
        refcount: whether arrays are reference counted. Otherwise the kernel must not create or return arrays, nor
            call kernels that return arrays. Passing a struct increments the reference count of each array in it, at
            every call, inlined or not.

    Returns:
        The compiled kernel, or a decorator.

    """
    if function is None:
        return lambda function: _compile_kernel(function, refcount)
    return _compile_kernel(function, refcount)


def _compile_kernel(function: F, refcount: bool) -> F:
    """Return a kernel with an entry point for Python; other kernels link its inner form (see `inner_kernels`)."""
    if not COMPILED:
        return cast(F, numba.njit(function))
    options = _options(refcount)
    folder = _open_cache(function.__code__.co_filename, function.__module__)
    entry = _cached(numba.njit(**options), function, folder)
    compile_ = numba.njit(forceinline=True, pipeline_class=InnerCompiler, no_cpython_wrapper=True, **options)
    inner = _cached(compile_, function, folder and folder / "inner", InnerCache)

    def resolve(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """Compile one version for all integers, not one per literal argument such as 0 and 7.

        A version per literal would take a fifth of a first match's compile time. LLVM propagates the constants anyway
        once the kernel is inlined.
        """
        plain = {name: numba.types.unliteral(kind) for name, kind in kws.items()}
        return inner.get_call_template(tuple(map(numba.types.unliteral, args)), plain)

    entry.get_call_template, entry.get_overload = resolve, inner.get_overload
    return cast(F, entry)


def compile_hook(function: F) -> F:
    """Return a kernel without an entry point for Python, to be called at its address (see `intrinsics`)."""
    folder = _open_cache(function.__code__.co_filename, function.__module__)
    compile_ = numba.njit(no_cpython_wrapper=True, **_options(refcount=False))
    return cast(F, _cached(compile_, function, folder and folder / "hooks"))


def compile_plugin(function: F) -> F:
    """Return a function from outside the package as a kernel to be called at its address.

    Unlike ours it may create arrays, and it raises an exception for an index out of bounds and a division by zero.
    """
    folder = _open_cache(function.__code__.co_filename, function.__module__)
    compile_ = numba.njit(nogil=True, boundscheck=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    return cast(F, _cached(compile_, function, folder and folder / "plugins"))


def _options(refcount: bool) -> dict[str, bool | str]:
    """Return Numba's options: nothing calls kernels from C, and a division by zero does not raise."""
    return {"nogil": True, "error_model": "numpy", "_nrt": refcount, "no_cfunc_wrapper": True}


def _cached(compile_: Callable[[F], Any], function: F, folder: Path | None, cache_class: Any = FunctionCache) -> Any:
    """Return a dispatcher whose versions are stored in a folder, if there is one."""
    dispatcher = compile_(function)
    if folder is not None:
        dispatcher._cache = KernelCache(function, folder, cache_class)
    return dispatcher


class _ReadableFolder(UserProvidedCacheLocator):  # type: ignore[misc]
    """A cache folder that is not necessarily writable: in a sandbox it is not."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = numba.config.CACHE_DIR  # Numba appends a hash of the checkout's path

    def ensure_cache_path(self) -> None:
        """Create the folder, if possible."""
        with suppress(OSError):
            super().ensure_cache_path()


class KernelCache:
    """A kernel's versions on disk. Unreadable ones are compiled again; an unwritable cache is disabled.

    Numba's cache is opened with the first version, because most kernels that a command imports are never called.
    """

    def __init__(self, function: Callable[..., Any], folder: Path, cache_class: Any) -> None:
        self._function, self._folder, self._class = function, folder, cache_class

    @cached_property
    def _store(self) -> Any:
        previous = numba.config.CACHE_DIR, CacheImpl._locator_classes
        try:
            numba.config.CACHE_DIR, CacheImpl._locator_classes = str(self._folder), [_ReadableFolder]
            store = self._class(self._function)
        finally:
            numba.config.CACHE_DIR, CacheImpl._locator_classes = previous
        # Numba numbers data files by the entries of the index. Two processes that save two versions at the same time
        # would write two versions to one file, and later processes would run machine code for other types.
        file = store._cache_file
        file._data_name = lambda _: file._data_name_pattern.replace("{number:d}", uuid4().hex)
        return store

    @property
    def cache_path(self) -> str:
        """The folder of the versions."""
        return str(self._store.cache_path)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return a version from disk, or None."""
        try:
            return self._store.load_overload(signature, target)
        except Exception:  # a damaged file may raise anything
            log.info("a cached kernel is damaged: compiling it again")
            self._clear_index()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Store a version, if possible."""
        try:
            self._store.save_overload(signature, data)
        except Exception as error:  # the index, which is read first, may be damaged too
            if not isinstance(error, OSError) and self._clear_index():
                self.save_overload(signature, data)
                return
            log.info("kernels cannot be cached on disk: %s", error)
            self._store.disable()

    def flush(self) -> None:
        """Remove all versions."""
        self._store.flush()

    def _clear_index(self) -> bool:
        """Clear the index; return False, and disable the cache, if it is not writable."""
        try:
            self._store.flush()
        except OSError:
            self._store.disable()
            return False
        return True
