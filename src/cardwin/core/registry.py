"""Registries that installed packages can extend by entry points.

A package offers an operator, a searcher or the like as an entry point of the registry's group, such as
`cardwin.mutations`, under the name that experiment files use. It is loaded when that name is first looked up.
"""

from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


@cache
def _points(group: str) -> dict[str, EntryPoint]:
    return {one.name: one for one in entry_points(group=group)}


class Registry(dict[str, Thing], Generic[Thing]):
    """Things by name, and those that installed packages offer in a group of entry points."""

    def __init__(self, group: str) -> None:
        super().__init__()
        self.group = group

    def __missing__(self, name: str) -> Thing:
        thing: Thing = _points(self.group)[name].load()
        self[name] = thing
        return thing

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in _points(self.group)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*super().__iter__(), *_points(self.group)]))
