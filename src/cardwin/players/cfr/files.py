"""Blueprint files: probabilities in steps of 1/15, compressed, with the limits of the buckets.

A file is safetensors: the limits of the buckets, and `packed`, an LZMA stream with a byte for every action but the last
of each information set, by seat, street, action and bucket. The betting tree is not stored: the game's name gives it.
"""

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Ints
from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.files import checksum_of, encode_tensors, read_tensors, write_atomic
from cardwin.games.holdem.game import holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.cfr.buckets import CLASSES, STREETS, Buckets
from cardwin.players.cfr.tree import COUNT, SLOT, Reals, Tree, betting_of, row_starts, tree_of

Bytes = npt.NDArray[np.uint8]
SCHEMA = "1"
SUFFIX = ".cfr"
STEPS = 15  # a probability is a multiple of 1 / 15
MAX_BUCKETS = 10_000  # of a street in a file
ARRAYS = ("packed", *(f"{limits}_{street}" for street in (1, 2, 3) for limits in ("strengths", "spreads")))


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A strategy.

    Attributes:
        game: The game by name.
        tree: The betting tree.
        buckets: The limits of buckets.
        shares: For each seat the shares (slots,) of actions in steps of 1/15.
        about: How it was trained.

    """

    game: str
    tree: Tree
    buckets: Buckets
    shares: tuple[Bytes, ...]
    about: Mapping[str, Any]

    @property
    def command(self) -> str:
        """The command that makes it again."""
        length = f"--iterations {self.about.get('iterations')} --seed {self.about.get('seed')}"
        return f"cardwin train cfr --game {self.game} {length}"

    @property
    def starts(self) -> Ints:
        """Where the rows of each seat and street begin."""
        return row_starts(self.tree, self.buckets.counts())


def shares_of(tree: Tree, counts: Sequence[int], seat: int, sums: Reals) -> Bytes:
    """Return the average strategy (slots,) of a seat in steps of 1/15, by largest remainders; equal without sums."""
    shares = np.zeros(len(sums), np.uint8)
    starts = row_starts(tree, counts)[seat]
    for street, count in enumerate(counts):
        rows = sums[starts[street] : starts[street + 1]].reshape(count, -1)
        out = shares[starts[street] : starts[street + 1]].reshape(count, -1)
        for node in _nodes(tree, seat, street):
            first, last = _slots(tree, node)
            out[:, first:last] = _rounded(rows[:, first:last].astype(np.float64))
    return shares


def _rounded(sums: npt.NDArray[np.float64]) -> Bytes:
    """Return rows (n, actions) of sums as whole numbers that add to STEPS."""
    total, count = sums.sum(axis=1, keepdims=True), sums.shape[1]
    exact = STEPS * np.divide(sums, total, out=np.full_like(sums, 1 / count), where=total > 0)
    whole = np.floor(exact)
    missing = STEPS - whole.sum(axis=1).astype(np.int64)
    order = np.argsort(whole - exact, axis=1, kind="stable")  # the largest remainders first
    ranks = np.argsort(order, axis=1, kind="stable")
    rounded: Bytes = (whole + (ranks < missing[:, None])).astype(np.uint8)
    return rounded


def _nodes(tree: Tree, seat: int, street: int) -> list[int]:
    """Return the decisions of a seat on a street."""
    nodes: list[int] = np.flatnonzero((tree.actor == seat) & (tree.street == street)).tolist()
    return nodes


def _slots(tree: Tree, node: int) -> tuple[int, int]:
    """Return the first slot of a node in its row, and the slot after its last."""
    first = int(tree.nodes[node, SLOT])
    return first, first + int(tree.nodes[node, COUNT])


def _last_slots(tree: Tree, seat: int, street: int) -> npt.NDArray[np.bool_]:
    """Return which slots (width,) of a row are the last action of their node; their shares follow from the others."""
    last = np.zeros(int(tree.width[seat, street]), np.bool_)
    for node in _nodes(tree, seat, street):
        last[_slots(tree, node)[1] - 1] = True
    return last


def pack(blueprint: Blueprint) -> bytes:
    """Return the shares, compressed."""
    parts, starts = [], blueprint.starts
    for seat, shares in enumerate(blueprint.shares):
        for street, count in enumerate(blueprint.buckets.counts()):
            rows = shares[starts[seat, street] : starts[seat, street + 1]].reshape(count, -1)
            parts.append(rows[:, ~_last_slots(blueprint.tree, seat, street)].T.tobytes())
    return lzma.compress(b"".join(parts), format=lzma.FORMAT_XZ, preset=6)


def unpack(tree: Tree, counts: Sequence[int], packed: bytes) -> tuple[Bytes, ...]:
    """Return the shares of both seats.

    Raises:
        InputError: the content has the wrong length, or shares add to more than 1.

    """
    masks = [[_last_slots(tree, seat, street) for street in range(STREETS)] for seat in (0, 1)]
    size = sum(int((~mask).sum()) * count for seat in masks for mask, count in zip(seat, counts, strict=True))
    reader = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=1 << 28)
    plain = np.frombuffer(reader.decompress(packed, max_length=size + 1), np.uint8)
    if len(plain) != size:
        raise InputError(f"expected {size} numbers, got {len(plain)}")
    by_seat, at, starts = [], 0, row_starts(tree, counts)
    for seat in (0, 1):
        shares = np.zeros(int(starts[seat, -1]), np.uint8)
        for street, count in enumerate(counts):
            last = masks[seat][street]
            stored = int((~last).sum())
            rows = shares[starts[seat, street] : starts[seat, street + 1]].reshape(count, -1)
            rows[:, ~last] = plain[at : at + stored * count].reshape(stored, count).T
            at += stored * count
            for node in _nodes(tree, seat, street):
                first, end = _slots(tree, node)
                rest = STEPS - rows[:, first : end - 1].sum(axis=1, dtype=np.int64)
                if (rest < 0).any():
                    raise InputError("probabilities that add to more than 1")
                rows[:, end - 1] = rest
        by_seat.append(shares)
    return tuple(by_seat)


def write(path: Path, blueprint: Blueprint) -> None:
    """Write a blueprint file."""
    limits = blueprint.buckets
    arrays: dict[str, npt.NDArray[Any]] = {"packed": np.frombuffer(pack(blueprint), np.uint8)}
    for street, (rows, columns) in enumerate(limits.shape):
        arrays[f"strengths_{street + 1}"] = limits.strengths[street, : rows - 1].copy()
        arrays[f"spreads_{street + 1}"] = limits.spreads[street, :rows, : columns - 1].copy()
    notes = {"schema": SCHEMA, "player": "cfr", "game": blueprint.game, "about": json.dumps(dict(blueprint.about))}
    write_atomic(path, encode_tensors(arrays, {**notes, "checksum": checksum_of(arrays, notes)}))


def read(path: Path) -> Blueprint:
    """Read a blueprint file; a damaged or edited file, or one of another version, is rejected."""
    arrays, notes = read_tensors(path, "blueprint", "cardwin train cfr writes one")
    if notes.get("player") != "cfr":
        raise InputError(f"{path}: expected a blueprint, got {notes.get('player', 'something else')}")
    if notes.get("schema") != SCHEMA:
        raise InputError(f"{path}: expected schema {SCHEMA}, got {notes.get('schema')}")
    if notes.pop("checksum", None) != checksum_of(arrays, notes) or set(arrays) != set(ARRAYS):
        raise CorruptFileError(f"{path} is damaged: its contents do not match its checksum")
    try:
        tree = tree_of(betting_of(holdem_game(*split_spec(notes["game"]))))
        buckets = _limits(arrays)
        shares = unpack(tree, buckets.counts(), arrays["packed"].tobytes())
        return Blueprint(notes["game"], tree, buckets, shares, json.loads(notes["about"]))
    except (InputError, lzma.LZMAError, ValueError, IndexError, KeyError, TypeError) as error:
        raise CorruptFileError(f"{path} is damaged: {error}") from None


def _limits(arrays: Mapping[str, npt.NDArray[Any]]) -> Buckets:
    """Return the buckets of a file."""
    shapes = []
    for street in (1, 2, 3):
        strengths, spreads = arrays[f"strengths_{street}"], arrays[f"spreads_{street}"]
        rows, columns = len(strengths) + 1, spreads.shape[1] + 1
        if spreads.shape != (rows, columns - 1) or rows * columns > MAX_BUCKETS:
            raise InputError(f"invalid shape of limits of buckets: {spreads.shape}")
        shapes.append((rows, columns))
    max_rows, max_columns = (max(shape[axis] for shape in shapes) for axis in (0, 1))
    strengths, spreads = np.full((3, max_rows), np.inf), np.full((3, max_rows, max_columns), np.inf)
    for street, (rows, columns) in enumerate(shapes):
        strengths[street, : rows - 1] = arrays[f"strengths_{street + 1}"]
        spreads[street, :rows, : columns - 1] = arrays[f"spreads_{street + 1}"]
    return Buckets(strengths, spreads, np.array(shapes, np.int64))


__all__ = ["ARRAYS", "CLASSES", "STEPS", "SUFFIX", "Blueprint", "pack", "read", "shares_of", "unpack", "write"]
