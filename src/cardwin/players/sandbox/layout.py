"""What a player's file system shows: the libraries of Python and the system, this package, and the player's own files.

A player's files are those of its module:

1. a package shows its whole folder, with the data in it;
2. a single file shows the Python files beside it, and nothing else of that folder, in which runs and logs may lie;
3. a module of an installed package is among the libraries.

They are seen as the folder /player, so that the names of the folders above are not seen either.
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
    """The folders of installed packages on `sys.path`."""
    return [entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]


@cache
def python_folders() -> frozenset[str]:
    """The folders of Python's own modules, and those where it installs packages."""
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return frozenset([*python, *site.getsitepackages(), str(Path(os.__file__).parent)])


def installed() -> set[str]:
    """The folders of Python's own modules, of installed packages, and of this package."""
    return {*python_folders(), *packages(), str(PACKAGE)}


@cache
def libraries(program: bool = False) -> list[str]:
    """The folders that every player sees, each at its own path, with this package's cache; none lies in another.

    A program of other people also sees the system's commands and our interpreter.
    """
    commands = (*COMMANDS, sys.prefix, sys.base_prefix) if program else ()
    system = [path for path in (*SYSTEM, *commands) if not Path(path).is_symlink()]
    folders = {*installed(), *system, sysconfig.get_config_var("LIBDIR") or "", str(cache_folder())}
    found = sorted(path for path in folders if os.access(path, os.R_OK | os.X_OK) and Path(path).is_dir())
    return [path for path in found if not any(path.startswith(f"{other}/") for other in found)]


def links(program: bool = False) -> list[tuple[str, str]]:
    """The folders of libraries, for a program of commands too, that are symbolic links, with their targets."""
    paths = (*SYSTEM, *COMMANDS) if program else SYSTEM
    return [(path, str(Path(path).readlink())) for path in paths if Path(path).is_symlink()]


def player_files(spec: str, path: Sequence[str] | None = None) -> list[tuple[str, str]]:
    """A player's files and folders by their names in /player, found as an import would, without running anything."""
    if not is_module(spec):
        return program_files(spec)
    module = spec.split(":")[1] if spec.count(":") == 2 else ""
    top = module.partition(".")[0]
    if not top or top in sys.builtin_module_names:
        return []
    importlib.invalidate_caches()
    search = list(sys.path if path is None else path)
    found = PathFinder.find_spec(top, search if "" in search else ["", *search])  # as `plugins.load_from_module` does
    if found is None:
        return []
    folders = [str(Path(folder).resolve()) for folder in found.submodule_search_locations or []]
    if folders:
        return _package(top, folders[0])
    return _module(Path(found.origin or "").resolve())


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
    beside = {one for one in file.parent.glob("*.py") if one.is_file()}
    return sorted((one.name, str(one.resolve())) for one in {*beside, file})


def _is_installed(path: str) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in installed())


def search_path(player: str) -> list[str]:
    """The `sys.path` of a player's process: its own files, then the libraries of this one."""
    return [player, *(entry for entry in sys.path if entry and not entry.endswith(".zip"))]
