"""Registries: objects by name, loaded when they are first looked up.

An entry is an object, or the text of where it is ("cardwin.players.loki.files:KIND"), so that a registry imports none
of its entries. An installed package adds entries by entry points of the registry's group, such as `cardwin.mutations`,
under the names that experiment files use.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

Thing = TypeVar("Thing")


def load(text: str) -> Any:
    """Return the object that a text such as "package.module:NAME" refers to."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)


@cache
def _points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)} if group else {}


class Registry(MutableMapping[str, Thing], Generic[Thing]):
    """Objects by name: those of this package first, then those of installed packages."""

    def __init__(self, group: str = "", texts: Mapping[str, str] | None = None) -> None:
        """Create a registry.

        Args:
            group: the group of entry points; empty for none.
            texts: where this package's entries are, by name.

        """
        self.group = group
        self._entries: dict[str, Thing | str] = dict(texts or {})

    def __getitem__(self, name: str) -> Thing:
        """Return an entry; its first use loads it."""
        entry = self._entries.get(name)
        if entry is None:
            entry = self._entries[name] = cast(Thing, _points(self.group)[name].load())
        elif isinstance(entry, str):
            entry = self._entries[name] = cast(Thing, load(entry))
        return entry

    def __setitem__(self, name: str, thing: Thing) -> None:
        """Add an entry."""
        self._entries[name] = thing

    def __delitem__(self, name: str) -> None:
        """Remove an entry."""
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        """Return whether an entry of that name exists, without loading it."""
        return name in self._entries or name in _points(self.group)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(dict.fromkeys([*self._entries, *_points(self.group)]))

    def __len__(self) -> int:
        """Return the number of names."""
        return len(list(iter(self)))
