"""The files of a kernel's versions, which several processes may write at once.

Numba numbers data files by what the index holds and writes the index before the data. Two processes that save two
versions at once then give both one name, and the index can name a version whose file holds the other's machine code:
every later process runs code for other types. A process that is killed between index and data leaves the same. Here

1. every version is written to a file with a name of its own, never used before,
2. and only then named in the index, which is replaced in one step.

Of two processes that replace the index at once one can lose its entry: that version is compiled again later.
"""

import glob
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from numba.core.caching import CacheImpl, IndexDataCacheFile, UserProvidedCacheLocator


class VersionFiles(IndexDataCacheFile):  # type: ignore[misc]  # numba ships no types
    """Index and data files of a kernel."""

    def save(self, key: Any, data: Any) -> None:
        """Keep a version, in place of an older one with this key."""
        name = self._data_name_pattern.replace("{number:d}", uuid4().hex)
        self._save_data(name, data)
        known = self._load_index()
        named = {**known, key: name}
        self._save_index(named)
        # Without an index, files of versions that it named would stay for ever.
        gone = {known[key]} if key in known else set() if known else self._written() - {name}
        for file in gone:
            with suppress(OSError):
                Path(self._cache_path, file).unlink()

    def _written(self) -> set[str]:
        """The names of all data files of this kernel."""
        pattern = glob.escape(self._data_name_pattern.removesuffix("{number:d}.nbc")) + "*.nbc"
        return {path.name for path in Path(self._cache_path).glob(pattern)}


class _ReadableFolder(UserProvidedCacheLocator):  # type: ignore[misc]
    """A folder of versions that need not be writable: in a sandbox it is not."""

    def ensure_cache_path(self) -> None:
        """Make the folder, if possible."""
        with suppress(OSError):
            super().ensure_cache_path()


@contextmanager
def readable_folders() -> Iterator[None]:
    """Let caches that are opened meanwhile read folders that they cannot write; Numba would open no cache there."""
    before = CacheImpl._locator_classes
    CacheImpl._locator_classes = [_ReadableFolder]
    try:
        yield
    finally:
        CacheImpl._locator_classes = before


def use_own_files(cache: Any) -> None:
    """Let a function's cache keep its versions in such files."""
    implementation = cache._impl
    stamp = implementation.locator.get_source_stamp()
    cache._cache_file = VersionFiles(cache.cache_path, implementation.filename_base, stamp)
