"""Loads classes and functions of other people's Python files, inside the sandbox."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.rng import Stream, draw_below
from cardwin.players.adapters.programs import writable_copy

SEEDS = 2**31


def in_writable_copy(folder: Path) -> None:
    """Make a writable copy of the program's folder the working folder, and the first place for imports."""
    copy = writable_copy(folder)
    os.chdir(copy)
    sys.path.insert(0, str(copy))


def module_from(file: Path) -> Any:
    """The module of a file, with the folder of the file among the places for imports."""
    sys.path.insert(0, str(file.resolve().parent))
    found = importlib.util.spec_from_file_location(file.stem, file)
    if found is None or found.loader is None:
        raise InputError(f"{file.name} is no Python file")
    module = importlib.util.module_from_spec(found)
    sys.modules[file.stem] = module
    found.loader.exec_module(module)
    return module


def named_in(module: Any, name: str, fits: Callable[[Any], bool]) -> Any:
    """What a module calls by this name; an error suggests what would fit."""
    if not hasattr(module, name):
        near = [one for one, value in vars(module).items() if not one.startswith("_") and fits(value)]
        raise unknown_name(f"name in {module.__name__}", name, near)
    return getattr(module, name)


def seed_generators(rng: Stream) -> None:
    """Seed the generators that the program may use, so that the same seed repeats its decisions."""
    seed = int(draw_below(rng, SEEDS))
    for name in ("random", "numpy.random"):
        if name in sys.modules:
            sys.modules[name].seed(seed)
