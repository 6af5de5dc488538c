"""The run's store: one SQLite file with a write-ahead log, so that it can be read while the run writes.

Rows are gathered and committed together just before a checkpoint takes its place; on resume the rows beyond the
checkpoint are deleted. Numbers are columns; arrays are blobs of little-endian floats (parents: whole numbers).
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cardwin.errors import InputError

SCHEMA = 1
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Row:
    """What is kept of one seat's generation. Values are chips a game; exploitability is what one seat gives away.

    best_value, average_value: exact, against whom the seat met. hall_value: against the other seat's hall, or whom
    the seat met. champion: (genes,); parents: the champion's, by place in the generation before (-1: none), and
    their genes (2, genes), NaN where there is none. average: the population's average plan (sequences,).
    """

    generation: int
    seat: int
    mean: float
    best: float
    best_value: float
    best_exploitability: float
    average_value: float
    average_exploitability: float
    hall_value: float
    hall_exploitability: float
    place: int
    champion: Floats
    gene_mean: Floats
    gene_spread: Floats
    average: Floats
    parents: Ints
    parent_genes: Floats

    def values(self) -> list[int | float | bytes]:
        """In the order of the columns."""
        kept = [getattr(self, field.name) for field in fields(self)]
        return [value.tobytes() if isinstance(value, np.ndarray) else value for value in kept]


@dataclass(frozen=True)
class Members:
    """Everybody's parents in one seat's generation, (n, 2); and, where asked for, fitness (n,) and genomes."""

    generation: int
    seat: int
    parents: Ints
    fitness: Floats
    genomes: Floats

    def values(self) -> list[int | bytes]:
        """In the order of the columns; -1 stands for nobody, so places fit into 32 bits."""
        parents = self.parents.astype("<i4").tobytes()
        return [self.generation, self.seat, parents, self.fitness.tobytes(), self.genomes.tobytes()]


KINDS: dict[object, str] = {int: "INTEGER NOT NULL", float: "REAL NOT NULL"}
COLUMNS = ", ".join(f"{field.name} {KINDS.get(field.type, 'BLOB NOT NULL')}" for field in fields(Row))
TABLES = f"""
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS generations ({COLUMNS}, PRIMARY KEY (generation, seat)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS members (generation INTEGER NOT NULL, seat INTEGER NOT NULL, parents BLOB NOT NULL,
    fitness BLOB NOT NULL, genomes BLOB NOT NULL, PRIMARY KEY (generation, seat));
CREATE TABLE IF NOT EXISTS events (at TEXT NOT NULL, generation INTEGER NOT NULL, what TEXT NOT NULL);
"""
PLACES = ", ".join("?" for _ in fields(Row))


class Store:
    """run.db, opened for writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Row] = []
        self.members: list[Members] = []
        self.db = sqlite3.connect(path)
        try:
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.executescript(TABLES)
            self.db.execute("INSERT OR IGNORE INTO notes VALUES ('schema', ?)", (str(SCHEMA),))
            self.db.commit()
        except sqlite3.Error as error:
            self.db.close()
            raise InputError(f"{path} cannot be used: {error}") from None

    def rewind(self, generation: int, recorded: int) -> None:
        """Forget rows of this generation and later ones; the recorded earlier ones must be there."""
        kept = self.db.execute("SELECT count(DISTINCT generation) FROM generations WHERE generation < ?", (generation,))
        if (count := kept.fetchone()[0]) != recorded:
            raise InputError(f"{self.path} holds {count} generations, but the checkpoint comes after {recorded}")
        for table in ("generations", "members", "events"):
            self.db.execute(f"DELETE FROM {table} WHERE generation >= ?", (generation,))  # noqa: S608  fixed names
        self.db.commit()

    def event(self, generation: int, what: str) -> None:
        """Note that something happened; kept with the next commit."""
        self.db.execute("INSERT INTO events VALUES (?, ?, ?)", (datetime.now(UTC).isoformat(), generation, what))

    def commit(self) -> None:
        """Make everything gathered so far last."""
        self.db.executemany(f"INSERT INTO generations VALUES ({PLACES})", (row.values() for row in self.rows))  # noqa: S608
        self.db.executemany("INSERT INTO members VALUES (?, ?, ?, ?, ?)", (row.values() for row in self.members))
        self.db.commit()
        self.rows.clear()
        self.members.clear()

    def close(self) -> None:
        """Nothing more will be written; the log is folded into the file."""
        self.db.close()


@dataclass(frozen=True)
class Series:
    """One seat's recorded series, in order of generations: each name of Row as an array (generations, ...)."""

    seat: int
    generation: Ints
    numbers: dict[str, Floats]
    champions: Floats
    places: Ints
    gene_mean: Floats
    gene_spread: Floats
    averages: Floats
    parents: Ints
    parent_genes: Floats


NUMBERS = tuple(field.name for field in fields(Row) if field.type is float)


def open_to_read(path: Path) -> sqlite3.Connection:
    """run.db, for reading only, also while a run writes it."""
    if not path.is_file():
        raise InputError(f"there is no {path}: a run folder holds one")
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def series(db: sqlite3.Connection, seat: int) -> Series:
    """All of one seat's generations."""
    names = [field.name for field in fields(Row)]
    rows = db.execute(f"SELECT {', '.join(names)} FROM generations WHERE seat = ? ORDER BY generation", (seat,))  # noqa: S608
    columns = dict(zip(names, zip(*rows, strict=True), strict=False)) or dict.fromkeys(names, ())
    count = len(columns["generation"])
    return Series(
        seat,
        np.array(columns["generation"], dtype=np.int64),
        {name: np.array(columns[name], dtype=np.float64) for name in NUMBERS},
        _table(columns["champion"]),
        np.array(columns["place"], dtype=np.int64),
        _table(columns["gene_mean"]),
        _table(columns["gene_spread"]),
        _table(columns["average"]),
        np.frombuffer(b"".join(columns["parents"]), dtype=np.int64).reshape(count, 2),
        _table(columns["parent_genes"]).reshape(count, 2, -1) if count else np.zeros((0, 2, 0)),
    )


def _table(blobs: Iterable[bytes]) -> Floats:
    parts = [np.frombuffer(blob) for blob in blobs]
    return np.stack(parts) if parts else np.zeros((0, 0))


def members(db: sqlite3.Connection, generation: int, seat: int) -> Members | None:
    """Everybody of one generation, where that was kept."""
    found = db.execute(
        "SELECT parents, fitness, genomes FROM members WHERE generation = ? AND seat = ?", (generation, seat)
    ).fetchone()
    if found is None:
        return None
    parents, fitness, genomes = found
    couples = np.frombuffer(parents, dtype="<i4").reshape(-1, 2).astype(np.int64)
    return Members(generation, seat, couples, np.frombuffer(fitness), np.frombuffer(genomes).reshape(len(couples), -1))
