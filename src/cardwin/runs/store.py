"""The run's store: one SQLite file with a write-ahead log, so that it can be read while the run writes.

headlines the primary metric of each recorded generation
metrics   a row for each generation and population, a column for each number
arrays    the same for arrays, as blobs that contain their type and shape
notes     texts by generation and name
events    what happened to the run itself: resumed, finished
about     the version of this schema, the fingerprint of the experiment at the start of the run, and its earlier lengths

Rows are collected and committed together just before a checkpoint is renamed into place; on resume, rows after the
checkpoint are deleted. Columns are added when a name first appears.
"""

import json
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
from cardwin.core.errors import CorruptFileError, InputError
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
LENGTHS = "SELECT value FROM about WHERE name = 'lengths'"
FINGERPRINT = "SELECT value FROM about WHERE name = 'experiment'"
DATED = ("headlines", "metrics", "arrays", "notes", "events")
KEYS = ("generation", "population")
TYPES = ("<f8", "<f4", "<i8", "<i4", "|u1", "|b1", "<i2")


def packed(array: Array) -> bytes:
    """Return an array as a blob: a byte for the type, a byte for the number of dimensions, the shape, the data."""
    solid = np.ascontiguousarray(array)
    kind = TYPES.index(solid.dtype.newbyteorder("<").str)
    return struct.pack(f"<BB{solid.ndim}I", kind, solid.ndim, *solid.shape) + solid.tobytes()


def unpacked(blob: bytes) -> Array:
    """Return the array of a blob.

    Raises:
        CorruptFileError: If the data do not have the blob's type and shape.

    """
    try:
        kind, dimensions = blob[0], blob[1]
        shape = struct.unpack_from(f"<{dimensions}I", blob, 2)
        return np.frombuffer(blob, dtype=TYPES[kind], offset=2 + 4 * dimensions).reshape(shape)
    except (IndexError, ValueError, struct.error):
        raise CorruptFileError(f"expected an array with its type and shape, got {len(blob)} damaged bytes") from None


def _lengths(rows: Sequence[tuple[str]]) -> list[list[Any]]:
    return list(json.loads(rows[0][0])) if rows else []


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class Store:
    """run.db, opened for writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
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
        row = self.db.execute(FINGERPRINT).fetchone()
        return None if row is None else str(row[0])

    def begin_with(self, fingerprint: str) -> None:
        """Store the experiment's fingerprint."""
        self.db.execute("INSERT OR REPLACE INTO about VALUES ('experiment', ?)", (fingerprint,))
        self.db.commit()

    def made_longer(self, generation: int, length: object) -> None:
        """Store the length that the run had until a generation."""
        earlier = [*_lengths(self.db.execute(LENGTHS).fetchall()), [generation, length]]
        self.db.execute("INSERT OR REPLACE INTO about VALUES ('lengths', ?)", (json.dumps(earlier),))
        self.db.commit()

    @property
    def count(self) -> int:
        """The number of recorded generations."""
        return int(self.db.execute("SELECT count(*) FROM headlines").fetchone()[0])

    def rewind(self, generation: int, recorded: int) -> None:
        """Delete rows of this generation and later ones; `recorded` earlier ones must exist."""
        query = "SELECT count(*) FROM headlines WHERE generation < ?"
        if (count := self.db.execute(query, (generation,)).fetchone()[0]) != recorded:
            raise InputError(f"{self.path}: expected {recorded} generations before the checkpoint, got {count}")
        for table in DATED:
            self.db.execute(f"DELETE FROM {table} WHERE generation >= ?", (generation,))  # noqa: S608  fixed names
        self.db.commit()

    def event(self, generation: int, name: str) -> None:
        """Record an event, with the next commit."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self.db.execute("INSERT INTO events VALUES (?, ?, ?)", (now, generation, name))

    def commit(self, generations: Sequence[tuple[int, Generation]] = ()) -> None:
        """Write generations, each with its number, and commit them with the events before."""
        metrics = ((at, name, row) for at, each in generations for name, row in each.metrics.items())
        arrays = (
            (at, name, {label: packed(array) for label, array in row.items()})
            for at, each in generations
            for name, row in each.arrays.items()
        )
        notes = [(at, name, text) for at, each in generations for name, text in each.notes.items()]
        primaries = [(at, each.primary.name, each.primary.value) for at, each in generations]
        self.db.executemany("INSERT INTO headlines VALUES (?, ?, ?)", primaries)
        self._insert("metrics", metrics)
        self._insert("arrays", arrays)
        self.db.executemany("INSERT INTO notes VALUES (?, ?, ?)", notes)
        self.db.commit()

    def _insert(self, table: str, rows: Iterable[tuple[int, str, Mapping[str, float | bytes]]]) -> None:
        """Insert rows; those with the same columns go in one statement."""
        batches: dict[tuple[str, ...], list[list[object]]] = {}
        for at, population, row in rows:
            batches.setdefault(tuple(row), []).append([at, population, *row.values()])
        for names, batch in batches.items():
            for name in names:
                self._make_column(table, name)
            columns, marks = ", ".join(map(_quoted, (*KEYS, *names))), ", ".join("?" * (2 + len(names)))
            self.db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", batch)  # noqa: S608  quoted

    def _make_column(self, table: str, name: str) -> None:
        if name not in self.columns[table]:
            kind = "REAL" if table == "metrics" else "BLOB"
            self.db.execute(f"ALTER TABLE {table} ADD COLUMN {_quoted(name)} {kind}")
            self.columns[table].append(name)

    def close(self) -> None:
        """Close the file; the run may continue later."""
        self.db.close()

    def merge_log(self) -> None:
        """Merge the write-ahead log into the file, so that one file is left.

        If another process is reading at this moment, the log stays, complete and readable.
        """
        try:
            self.db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError:
            return


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] not in KEYS]


def _check_schema(db: sqlite3.Connection, path: Path) -> None:
    """Raise an InputError for a file of another version; a new file has no tables yet."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    row = db.execute("SELECT value FROM about WHERE name = 'schema'").fetchone() if "about" in tables else None
    if tables and (row is None or row[0] != str(SCHEMA)):
        version = "an older version" if row is None or int(row[0]) < SCHEMA else "a newer version"
        raise InputError(f"{path} was written by {version} of cardwin: run the experiment again with its seed")


@dataclass(frozen=True)
class Reader:
    """run.db, read-only, also while a run writes it. Every query opens the file again."""

    path: Path

    def _ask(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        if not self.path.is_file():
            raise InputError(f"{self.path} does not exist: a run folder contains one")
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
    def lengths(self) -> list[list[Any]]:
        """The earlier lengths of a run that was made longer, each with the generation until which it held."""
        return _lengths(self._ask(LENGTHS))

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
        """The number of recorded generations."""
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
        """Events as (time, generation, name)."""
        return [(at, generation, name) for at, generation, name in self._ask("SELECT * FROM events ORDER BY rowid")]

    def names(self, table: str) -> list[str]:
        """Return the names of all metrics or arrays."""
        rows = self._ask(f"PRAGMA table_info({table})")
        return [str(row[1]) for row in rows if row[1] not in KEYS]

    def metrics(self, population: str) -> tuple[Ints, dict[str, npt.NDArray[np.float64]]]:
        """Return a population's recorded generations, and its metrics over them; NaN for those that were not recorded.

        Args:
            population: The population's name.

        Returns:
            The generations (k,), and each metric (k,) by name.

        """
        names = self.names("metrics")
        columns = ", ".join(map(_quoted, ("generation", *names)))
        query = f"SELECT {columns} FROM metrics WHERE population = ? ORDER BY generation"  # noqa: S608  quoted
        rows = self._ask(query, (population,))
        table = np.array(rows, dtype=np.float64).reshape(len(rows), 1 + len(names))
        values = {name: table[:, 1 + column].copy() for column, name in enumerate(names)}
        return table[:, 0].astype(np.int64), {name: row for name, row in values.items() if not np.isnan(row).all()}

    def _recorded(self, population: str, name: str, where: str = "", values: Sequence[int] = ()) -> dict[int, Array]:
        """Return a population's array by generation, if it was recorded; `where` selects generations."""
        if name not in self.names("arrays"):
            return {}
        query = f"SELECT generation, {_quoted(name)} FROM arrays WHERE population = ? {where} ORDER BY generation"  # noqa: S608
        rows = self._ask(query, (population, *values))
        return {at: self._unpacked(blob, name, at) for at, blob in rows if isinstance(blob, bytes)}

    def _unpacked(self, blob: bytes, name: str, generation: int) -> Array:
        try:
            return unpacked(blob)
        except CorruptFileError as error:
            raise CorruptFileError(f"{self.path.name} is damaged: {name} of step {generation + 1}: {error}") from None

    def arrays(self, population: str, name: str, generation: int | None = None) -> list[Array]:
        """Return a population's array in all recorded generations, or in one.

        Args:
            population: The population's name.
            name: The array's name.
            generation: The generation; without it all.

        Returns:
            The arrays in order; generations that did not record it are left out.

        """
        chosen = ("", ()) if generation is None else ("AND generation = ?", (generation,))
        return list(self._recorded(population, name, *chosen).values())

    def recorded(self, generation: int) -> Generation | None:
        """Return everything recorded of a generation, or None if it was not recorded."""
        primary = self._ask("SELECT name, value FROM headlines WHERE generation = ?", (generation,))
        if not primary:
            return None
        metrics, arrays = self._row("metrics", generation), self._row("arrays", generation)
        notes = self._ask("SELECT name, text FROM notes WHERE generation = ?", (generation,))
        return Generation(
            PrimaryMetric(*primary[0]),
            metrics,
            {
                population: {name: self._unpacked(blob, name, generation) for name, blob in row.items()}
                for population, row in arrays.items()
            },
            dict(notes),
        )

    def _row(self, table: str, generation: int) -> dict[str, dict[str, Any]]:
        """Return the values of a generation by population and name."""
        names = self.names(table)
        columns = ", ".join(map(_quoted, ("population", *names)))
        rows = self._ask(f"SELECT {columns} FROM {table} WHERE generation = ?", (generation,))  # noqa: S608  quoted
        return {
            str(population): {name: value for name, value in zip(names, values, strict=True) if value is not None}
            for population, *values in rows
        }

    def arrays_after(self, population: str, name: str, generation: int) -> list[Array]:
        """Return a population's array in all later generations that recorded it."""
        return list(self._recorded(population, name, "AND generation > ?", (generation,)).values())

    def arrays_at(self, population: str, name: str, generations: Sequence[int]) -> list[Array | None]:
        """Return a population's array in each of some generations; None for those that did not record it."""
        marks = ", ".join("?" * len(generations))
        rows = self._recorded(population, name, f"AND generation IN ({marks})", generations)
        return [rows.get(at) for at in generations]

    def dated(self, population: str, name: str) -> list[int]:
        """Return the generations in which a population's array was recorded."""
        if name not in self.names("arrays"):
            return []
        column = _quoted(name)
        query = f"SELECT generation FROM arrays WHERE population = ? AND {column} IS NOT NULL ORDER BY generation"  # noqa: S608
        return [int(at) for (at,) in self._ask(query, (population,))]

    def dated_notes(self, name: str) -> list[tuple[int, str]]:
        """Return the generations that have a note, and its text in each."""
        rows = self._ask("SELECT generation, text FROM notes WHERE name = ? ORDER BY generation", (name,))
        return [(int(at), str(text)) for at, text in rows]

    def notes(self, name: str) -> list[str]:
        """Return a note's text in the generations that have it, in order."""
        return [text for _, text in self.dated_notes(name)]


@dataclass(frozen=True, eq=False)
class StoredArrays(Mapping[str, Array]):
    """A population's arrays by name, (generations, ...) each, read on access."""

    reader: Reader
    population: str

    @cached_property
    def _known(self) -> dict[str, Array | None]:
        return dict.fromkeys(self.reader.names("arrays"))

    def __getitem__(self, name: str) -> Array:
        array = self._known[name]
        if array is None:
            rows = self.reader.arrays(self.population, name)
            if not rows:
                raise KeyError(name)
            array = self._known[name] = np.stack(rows)
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
