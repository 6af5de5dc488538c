"""The registry of measurements, and running them."""

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from cardwin.core.errors import unknown_name
from speed import Result

# One line for each package's measurements.
MODULES = ("small_games", "evolve", "cards", "holdem", "environments", "arena", "loki", "neuro", "xcs")


def machine() -> str:
    """Describe the machine of the measurements."""
    return f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def measure(names: Iterable[str], peers: bool) -> Iterator[Result]:
    """Yield the measurements whose name or module name begins with one of `names`; all if it is empty."""
    known: dict[str, Callable[[bool], Iterable[Result]]] = {}
    for module in MODULES:
        for name, job in import_module(f"speed.{module}").RESULTS.items():
            known[f"{module.replace('_', '-')}/{name}"] = job
    wanted = list(names)
    for name in wanted:
        if not any(_begins(key, name) for key in known):
            raise unknown_name("measurement", name, [part for key in known for part in key.split("/")])
    for key, job in known.items():
        if not wanted or any(_begins(key, name) for name in wanted):
            yield from job(peers)


def _begins(key: str, name: str) -> bool:
    return key.startswith(name) or key.partition("/")[2].startswith(name)
