"""Registries: things by name, loaded when they are first looked up.

An entry is a thing, or the text of where it is ("cardwin.players.loki.files:KIND"), so that a registry imports nothing
of what it lists. An installed package adds entries by entry points of the registry's group, such as
`cardwin.mutations`, under the names that experiment files use.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

Thing = TypeVar("Thing")


def load(text: str) -> Any:
    """Return what a text such as "package.module:NAME" names."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)


@cache
def _points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)} if group else {}


class Registry(MutableMapping[str, Thing], Generic[Thing]):
    """Things by name: those of this package first, then those of installed packages."""

    def __init__(self, group: str = "", texts: Mapping[str, str] | None = None) -> None:
        """Take the group of entry points, if there is one, and the texts of this package's entries."""
        self.group = group
        self._entries: dict[str, Thing | str] = dict(texts or {})

    def __getitem__(self, name: str) -> Thing:
        """Return a thing, loaded if this is its first use."""
        entry = self._entries.get(name)
        if entry is None:
            entry = self._entries[name] = cast(Thing, _points(self.group)[name].load())
        elif isinstance(entry, str):
            entry = self._entries[name] = cast(Thing, load(entry))
        return entry

    def __setitem__(self, name: str, thing: Thing) -> None:
        """Add a thing."""
        self._entries[name] = thing

    def __delitem__(self, name: str) -> None:
        """Remove a thing."""
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        """Return whether there is a thing of that name, without loading it."""
        return name in self._entries or name in _points(self.group)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(dict.fromkeys([*self._entries, *_points(self.group)]))

    def __len__(self) -> int:
        """Return the number of names."""
        return len(list(iter(self)))
