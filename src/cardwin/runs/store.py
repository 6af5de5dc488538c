"""The run's store: one SQLite file with a write-ahead log, so that it can be read while the run writes.

headlines the primary metric of each recorded generation
metrics   a row for each generation and population, a column for each number
arrays    the same for arrays, as blobs that contain their type and shape
notes     texts by generation and name
events    what happened to the run itself: resumed, finished
about     the version of this schema, and the fingerprint of the experiment at the start of the run

Rows are collected and committed together just before a checkpoint is renamed into place; on resume, rows after the
checkpoint are deleted. Columns are added when a name first appears.
"""

import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Ints
from cardwin.core.errors import InputError
from cardwin.core.trainer import Array, Generation, PrimaryMetric

SCHEMA = 2
# One transaction: a process killed during it leaves a file without tables, not one without a version.
TABLES = f"""
BEGIN;
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS headlines (generation INTEGER PRIMARY KEY, name TEXT NOT NULL, value REAL NOT NULL);
CREATE TABLE IF NOT EXISTS metrics (generation INTEGER NOT NULL, population TEXT NOT NULL,
    PRIMARY KEY (generation, population));
CREATE TABLE IF NOT EXISTS arrays (generation INTEGER NOT NULL, population TEXT NOT NULL,
    PRIMARY KEY (generation, population));
CREATE TABLE IF NOT EXISTS notes (generation INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (generation, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (at TEXT NOT NULL, generation INTEGER NOT NULL, what TEXT NOT NULL);
INSERT OR IGNORE INTO about VALUES ('schema', '{SCHEMA}');
COMMIT;
"""  # noqa: S608  a constant
FINGERPRINT = "SELECT value FROM about WHERE name = 'experiment'"
DATED = ("headlines", "metrics", "arrays", "notes", "events")
KEYS = ("generation", "population")
TYPES = ("<f8", "<f4", "<i8", "<i4", "|u1", "|b1", "<i2")


def packed(array: Array) -> bytes:
    """An array as a blob: a byte for the type, a byte for the number of dimensions, the shape, the data."""
    solid = np.ascontiguousarray(array)
    kind = TYPES.index(solid.dtype.newbyteorder("<").str)
    return struct.pack(f"<BB{solid.ndim}I", kind, solid.ndim, *solid.shape) + solid.tobytes()


def unpacked(blob: bytes) -> Array:
    """The array of a blob."""
    kind, dimensions = blob[0], blob[1]
    shape = struct.unpack_from(f"<{dimensions}I", blob, 2)
    return np.frombuffer(blob, dtype=TYPES[kind], offset=2 + 4 * dimensions).reshape(shape)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Store:
    """run.db, opened for writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.waiting: list[tuple[int, Generation]] = []
        self.columns: dict[str, list[str]] = {}
        try:
            self.db = sqlite3.connect(path)
        except sqlite3.Error as error:
            raise InputError(f"{path} cannot be used: {error}") from None
        try:
            _check_schema(self.db, path)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.executescript(TABLES)
            self.columns = {table: _columns(self.db, table) for table in ("metrics", "arrays")}
        except sqlite3.Error as error:
            self.db.close()
            raise InputError(f"{path} cannot be used: {error}") from None
        except InputError:
            self.db.close()
            raise

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the experiment at the start of the run."""
        found = self.db.execute(FINGERPRINT).fetchone()
        return None if found is None else str(found[0])

    def begin_with(self, fingerprint: str) -> None:
        """Store the experiment's fingerprint."""
        self.db.execute("INSERT OR REPLACE INTO about VALUES ('experiment', ?)", (fingerprint,))
        self.db.commit()

    def keep(self, number: int, generation: Generation) -> None:
        """Hold a generation in memory until the next commit."""
        self.waiting.append((number, generation))

    @property
    def count(self) -> int:
        """How many generations are recorded."""
        return int(self.db.execute("SELECT count(*) FROM headlines").fetchone()[0])

    def rewind(self, generation: int, recorded: int) -> None:
        """Delete rows of this generation and later ones; `recorded` earlier ones must exist."""
        query = "SELECT count(*) FROM headlines WHERE generation < ?"
        if (count := self.db.execute(query, (generation,)).fetchone()[0]) != recorded:
            raise InputError(f"{self.path} holds {count} generations, but the checkpoint comes after {recorded}")
        for table in DATED:
            self.db.execute(f"DELETE FROM {table} WHERE generation >= ?", (generation,))  # noqa: S608  fixed names
        self.db.commit()

    def event(self, generation: int, what: str) -> None:
        """Record an event, with the next commit."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self.db.execute("INSERT INTO events VALUES (?, ?, ?)", (now, generation, what))

    def commit(self) -> None:
        """Write all generations held in memory."""
        metrics = ((at, name, row) for at, found in self.waiting for name, row in found.metrics.items())
        arrays = (
            (at, name, {label: packed(array) for label, array in row.items()})
            for at, found in self.waiting
            for name, row in found.arrays.items()
        )
        notes = [(at, name, text) for at, found in self.waiting for name, text in found.notes.items()]
        primaries = [(at, found.primary.name, found.primary.value) for at, found in self.waiting]
        self.db.executemany("INSERT INTO headlines VALUES (?, ?, ?)", primaries)
        self._insert("metrics", metrics)
        self._insert("arrays", arrays)
        self.db.executemany("INSERT INTO notes VALUES (?, ?, ?)", notes)
        self.db.commit()
        self.waiting.clear()

    def _insert(self, table: str, rows: Iterable[tuple[int, str, Mapping[str, float | bytes]]]) -> None:
        """Insert rows; those with the same columns go in one statement."""
        batches: dict[tuple[str, ...], list[list[object]]] = {}
        for at, population, row in rows:
            batches.setdefault(tuple(row), []).append([at, population, *row.values()])
        for names, batch in batches.items():
            for name in names:
                self._make_column(table, name)
            columns, places = ", ".join(map(_quoted, (*KEYS, *names))), ", ".join("?" * (2 + len(names)))
            self.db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", batch)  # noqa: S608  quoted

    def _make_column(self, table: str, name: str) -> None:
        if name not in self.columns[table]:
            self.db.execute(
                f"ALTER TABLE {table} ADD COLUMN {_quoted(name)} {'REAL' if table == 'metrics' else 'BLOB'}"
            )
            self.columns[table].append(name)

    def close(self) -> None:
        """Close the file; the run may continue later."""
        self.db.close()

    def fold(self) -> None:
        """Close the file for good: merge the write-ahead log, so that one file is left.

        If another process is reading at this moment, the log stays, complete and readable.
        """
        try:
            self.db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError:
            return


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] not in KEYS]


def _check_schema(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of another version; a new file has no tables yet."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    found = db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone() if "about" in tables else None
    if tables and (found is None or found[0] != str(SCHEMA)):
        version = "an older version" if found is None or int(found[0]) < SCHEMA else "a newer version"
        raise InputError(f"{path} was written by {version} of cardwin: run the experiment again with its seed")


@dataclass(frozen=True)
class Reader:
    """run.db, read-only, also while a run writes it. Every query opens the file anew."""

    path: Path

    def _ask(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        if not self.path.is_file():
            raise InputError(f"there is no {self.path}: a run folder holds one")
        db = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            _check_schema(db, self.path)
            return db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise InputError(f"{self.path} cannot be read: {error}") from None
        finally:
            db.close()

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the experiment at the start of the run."""
        rows = self._ask(FINGERPRINT)
        return str(rows[0][0]) if rows else None

    @property
    def begun(self) -> bool:
        """Whether the file exists and has its tables: a run makes both after it has begun."""
        if not self.path.is_file():
            return False
        return bool(self._ask("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'headlines'"))

    @property
    def populations(self) -> list[str]:
        """The populations' names, in the order in which they were first recorded."""
        query = "SELECT population FROM metrics WHERE generation = (SELECT min(generation) FROM metrics) ORDER BY rowid"
        return [str(name) for (name,) in self._ask(query)]

    @property
    def generations(self) -> int:
        """How many generations are recorded."""
        return int(self._ask("SELECT count(*) FROM headlines")[0][0])

    @property
    def reached(self) -> int:
        """The number of generations up to the last recorded one."""
        return int(self._ask("SELECT coalesce(max(generation) + 1, 0) FROM headlines")[0][0])

    @property
    def primary(self) -> PrimaryMetric | None:
        """The last recorded generation's primary metric."""
        rows = self._ask("SELECT name, value FROM headlines ORDER BY generation DESC LIMIT 1")
        return PrimaryMetric(*rows[0]) if rows else None

    @property
    def primaries(self) -> tuple[Ints, npt.NDArray[np.float64]]:
        """The recorded generations and the primary metric in each."""
        rows = self._ask("SELECT generation, value FROM headlines ORDER BY generation")
        table = np.array(rows, dtype=np.float64).reshape(len(rows), 2)
        return table[:, 0].astype(np.int64), table[:, 1]

    @property
    def events(self) -> list[tuple[str, int, str]]:
        """Events as (time, generation, what)."""
        return [(at, generation, what) for at, generation, what in self._ask("SELECT * FROM events ORDER BY rowid")]

    def names(self, table: str) -> list[str]:
        """The names of all metrics or arrays."""
        rows = self._ask(f"PRAGMA table_info({table})")
        return [str(row[1]) for row in rows if row[1] not in KEYS]

    def metrics(self, population: str) -> tuple[Ints, dict[str, npt.NDArray[np.float64]]]:
        """A population's recorded generations, and its metrics over them; NaN where one was not recorded."""
        names = self.names("metrics")
        columns = ", ".join(map(_quoted, ("generation", *names)))
        query = f"SELECT {columns} FROM metrics WHERE population = ? ORDER BY generation"  # noqa: S608  quoted
        rows = self._ask(query, (population,))
        table = np.array(rows, dtype=np.float64).reshape(len(rows), 1 + len(names))
        found = {name: table[:, 1 + place].copy() for place, name in enumerate(names)}
        return table[:, 0].astype(np.int64), {name: row for name, row in found.items() if not np.isnan(row).all()}

    def arrays_after(self, population: str, name: str, generation: int) -> list[Array]:
        """A population's array in all recorded generations after one, where it was recorded."""
        if name not in self.names("arrays"):
            return []
        query = f"SELECT {_quoted(name)} FROM arrays WHERE population = ? AND generation > ? ORDER BY generation"  # noqa: S608
        return [unpacked(blob) for (blob,) in self._ask(query, (population, generation)) if isinstance(blob, bytes)]

    def arrays(self, population: str, name: str, generation: int | None = None) -> list[Array]:
        """A population's array in all recorded generations, or in one, where it was recorded."""
        if name not in self.names("arrays"):
            return []
        one = "" if generation is None else "AND generation = ?"
        query = f"SELECT {_quoted(name)} FROM arrays WHERE population = ? {one} ORDER BY generation"  # noqa: S608
        rows = self._ask(query, (population,) if generation is None else (population, generation))
        return [unpacked(blob) for (blob,) in rows if isinstance(blob, bytes)]

    def dated(self, population: str, name: str) -> list[int]:
        """The generations in which a population's array was recorded."""
        if name not in self.names("arrays"):
            return []
        column = _quoted(name)
        query = f"SELECT generation FROM arrays WHERE population = ? AND {column} IS NOT NULL ORDER BY generation"  # noqa: S608
        return [int(at) for (at,) in self._ask(query, (population,))]

    def arrays_at(self, population: str, name: str, generations: Sequence[int]) -> list[Array | None]:
        """A population's array in each of some generations; None where it was not recorded."""
        if name not in self.names("arrays"):
            return [None] * len(generations)
        marks = ", ".join("?" * len(generations))
        query = f"SELECT generation, {_quoted(name)} FROM arrays WHERE population = ? AND generation IN ({marks})"  # noqa: S608
        found = {at: unpacked(blob) for at, blob in self._ask(query, (population, *generations)) if blob is not None}
        return [found.get(at) for at in generations]

    def dated_notes(self, name: str) -> list[tuple[int, str]]:
        """The generations that have a note, and its text in each."""
        rows = self._ask("SELECT generation, text FROM notes WHERE name = ? ORDER BY generation", (name,))
        return [(int(at), str(text)) for at, text in rows]

    def notes(self, name: str) -> list[str]:
        """A note's text in the generations that have it."""
        rows = self._ask("SELECT text FROM notes WHERE name = ? ORDER BY generation", (name,))
        return [str(text) for (text,) in rows]


@dataclass(frozen=True, eq=False)
class StoredArrays(Mapping[str, Array]):
    """A population's arrays by name, (generations, ...) each, read on access."""

    reader: Reader
    population: str

    @cached_property
    def _known(self) -> dict[str, Array | None]:
        return dict.fromkeys(self.reader.names("arrays"))

    def __getitem__(self, name: str) -> Array:
        found = self._known[name]
        if found is None:
            rows = self.reader.arrays(self.population, name)
            if not rows:
                raise KeyError(name)
            found = self._known[name] = np.stack(rows)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
