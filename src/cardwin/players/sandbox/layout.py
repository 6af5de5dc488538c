"""The contents of a player's file system: the libraries of Python and the system, this package, and its own files.

A player's files are those of its module:

1. a package shows its whole folder, with the data in it;
2. a single file shows the Python files beside it, and nothing else of that folder, in which runs and logs may lie;
3. a module of an installed package is among the libraries.

They appear as the folder /player, so that the names of the folders above are not visible either.
"""

import importlib
import os
import site
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path

from cardwin.core.errors import InputError
from cardwin.core.files import cache_folder
from cardwin.players.specs import is_module, program_files

SYSTEM = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/nix/store")
LOADER = "/etc/ld.so.cache"
COMMANDS = ("/usr", "/bin", "/sbin", "/etc/alternatives")  # of the system, for programs of other people
PACKAGE = Path(__file__).resolve().parents[2]


def packages() -> list[str]:
    """Return the folders of installed packages on `sys.path`."""
    return [entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]


@cache
def python_folders() -> frozenset[str]:
    """Return the folders of Python's own modules, and those where it installs packages."""
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return frozenset([*python, *site.getsitepackages(), str(Path(os.__file__).parent)])


def installed() -> set[str]:
    """Return the folders of Python's own modules, of installed packages, and of this package."""
    return {*python_folders(), *packages(), str(PACKAGE)}


@cache
def libraries(program: bool = False) -> list[str]:
    """Return the folders that every player sees, each at its own path, with this package's cache; none is nested.

    A program of other people also sees the system's commands and our interpreter.
    """
    commands = (*COMMANDS, sys.prefix, sys.base_prefix) if program else ()
    system = [path for path in (*SYSTEM, *commands) if not Path(path).is_symlink()]
    folders = {*installed(), *system, sysconfig.get_config_var("LIBDIR") or "", str(cache_folder())}
    readable = sorted(path for path in folders if os.access(path, os.R_OK | os.X_OK) and Path(path).is_dir())
    return [path for path in readable if not any(path.startswith(f"{other}/") for other in readable)]


def links(program: bool = False) -> list[tuple[str, str]]:
    """Return the folders of libraries (for a program also of commands) that are symbolic links, and their targets."""
    paths = (*SYSTEM, *COMMANDS) if program else SYSTEM
    return [(path, str(Path(path).readlink())) for path in paths if Path(path).is_symlink()]


def player_files(spec: str, path: Sequence[str] | None = None) -> list[tuple[str, str]]:
    """Return a player's files and folders by their names in /player, found like an import, without running anything."""
    if not is_module(spec):
        return program_files(spec)
    module = spec.split(":")[1] if spec.count(":") == 2 else ""
    top = module.partition(".")[0]
    if not top or top in sys.builtin_module_names:
        return []
    importlib.invalidate_caches()
    search = list(sys.path if path is None else path)
    module_spec = PathFinder.find_spec(
        top, search if "" in search else ["", *search]
    )  # as `plugins.load_from_module` does
    if module_spec is None:
        return []
    folders = [str(Path(folder).resolve()) for folder in module_spec.submodule_search_locations or []]
    if folders:
        return _package(top, folders[0])
    return _module(Path(module_spec.origin or "").resolve())


def _package(top: str, folder: str) -> list[tuple[str, str]]:
    if _is_installed(folder):
        return []
    if Path.cwd().resolve().is_relative_to(folder):
        raise InputError(
            f"the package {top} contains the current folder, so its player would see the runs there: start elsewhere"
        )
    return [(top, folder)]


def _module(file: Path) -> list[tuple[str, str]]:
    if not file.is_file() or _is_installed(str(file)):
        return []
    beside = {path for path in file.parent.glob("*.py") if path.is_file()}
    return sorted((path.name, str(path.resolve())) for path in {*beside, file})


def _is_installed(path: str) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in installed())


def search_path(player: str) -> list[str]:
    """Return the `sys.path` of a player's process: its own files, then the libraries of this one."""
    return [player, *(entry for entry in sys.path if entry and not entry.endswith(".zip"))]
