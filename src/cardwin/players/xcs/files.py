"""Rule files: a classifier system's rules with their fields, as safetensors with a checksum.

A rule is 88 bytes in memory. Schema 2 stores all of them as one compressed array (zlib), about 40 bytes per rule; the
checksum is of the uncompressed contents. Files of schema 1, which are not compressed, can be read as well.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.files import checksum_of, encode_tensors, read_tensors, write_atomic
from cardwin.players.xcs.fields import Field, Fields
from cardwin.players.xcs.rules import ACTION, INTERNAL, MICRO, NUMEROSITY, SIZE, Rules, used_rules

SCHEMA, UNPACKED = "2", "1"
ARRAYS = ("condition", "counts", "values", "totals")
PACKED = "packed"
MAX_RULES = 10**6  # of a file; also the largest N that can be trained
MAX_ROWS = 32  # words, counts or values of a rule


@dataclass(frozen=True)
class RuleSet:
    """Rules that are no longer learning: their fields, the names of their actions, and their origin (`about`)."""

    fields: Fields
    actions: tuple[str, ...]
    rules: Rules
    about: Mapping[str, Any]


def write(path: Path, rule_set: RuleSet) -> None:
    """Write a rule file."""
    arrays = used_rules(rule_set.rules)._asdict()
    notes = {
        "schema": SCHEMA,
        "player": "xcs",
        "about": json.dumps(dict(rule_set.about)),
        "fields": json.dumps([asdict(field) for field in rule_set.fields.seen]),
        "register": str(rule_set.fields.register),
        "actions": json.dumps(list(rule_set.actions)),
        "shapes": json.dumps({name: list(array.shape) for name, array in arrays.items()}),
    }
    packed = np.frombuffer(zlib.compress(b"".join(arrays[name].tobytes() for name in ARRAYS), 9), np.uint8)
    write_atomic(path, encode_tensors({PACKED: packed}, {**notes, "checksum": checksum_of(arrays, notes)}))


def read(path: Path) -> RuleSet:
    """Read a rule file.

    Raises:
        InputError: there is no such file, it was edited or truncated, or it is of another kind or version.

    """
    arrays, notes = read_tensors(path, "rule file", "cardwin train xcs writes one")
    if notes.get("player") != "xcs":
        raise InputError(f"{path}: expected rules of XCS, got a file of {notes.get('player', 'an unknown kind')}")
    if notes.get("schema") not in (SCHEMA, UNPACKED):
        raise InputError(f"{path} has schema {notes.get('schema')}, expected {UNPACKED} or {SCHEMA}")
    if notes["schema"] == SCHEMA:
        arrays = _decompress(arrays, notes)
    if set(arrays) != set(ARRAYS) or notes.pop("checksum", None) != checksum_of(arrays, notes):
        raise CorruptFileError(f"{path} is damaged: its contents do not match its checksum")
    try:
        fields = tuple(
            Field(each["name"], tuple(each["values"]), each["ordered"], tuple(each["edges"]))
            for each in json.loads(notes["fields"])
        )
        rule_set = RuleSet(
            Fields(fields, int(notes["register"])),
            tuple(json.loads(notes["actions"])),
            Rules(*(arrays[name] for name in ARRAYS)),
            json.loads(notes["about"]),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise CorruptFileError(f"{path} is damaged: its fields cannot be read ({error})") from None
    if reason := _error_of(rule_set):
        raise CorruptFileError(f"{path} is damaged: {reason}")
    return rule_set


def _decompress(arrays: Mapping[str, Any], notes: Mapping[str, str]) -> dict[str, Any]:
    """Return the arrays of a compressed file; none if its size differs from its shapes or exceeds the limits."""
    try:
        shapes = json.loads(notes["shapes"])
        sizes = [(name, tuple(int(side) for side in shapes[name])) for name in ARRAYS]
        if any(min(shape) < 0 or shape[0] > MAX_ROWS or max(shape) > MAX_RULES for _, shape in sizes):
            return {}
        expected = sum(8 * int(np.prod(shape)) for _, shape in sizes)
        stream = zlib.decompressobj()
        data = stream.decompress(arrays[PACKED].tobytes(), expected + 1)  # never more than that
    except (KeyError, TypeError, ValueError, AttributeError, zlib.error):
        return {}
    if len(data) != expected or not stream.eof:
        return {}
    unpacked, offset = {}, 0
    for name, shape in sizes:
        dtype = np.float64 if name == "values" else np.int64
        unpacked[name] = np.frombuffer(data, dtype, int(np.prod(shape)), offset).reshape(shape).copy()
        offset += unpacked[name].nbytes
    return unpacked


def _error_of(rule_set: RuleSet) -> str | None:
    """Return what is invalid in rules whose checksum is correct (a user may have written the file), or None."""
    condition, counts, values, totals = rule_set.rules
    if not isinstance(rule_set.about, dict) or not all(isinstance(name, str) for name in rule_set.actions):
        return "the description of its rules is invalid"
    number = condition.shape[1] if condition.ndim == 2 else -1
    if any(array.dtype != kind for array, kind in zip(rule_set.rules, ("i8", "i8", "f8", "i8"), strict=True)):
        return "an array has an invalid dtype"
    if len(condition) != len(rule_set.fields.layout.full):
        return "its conditions do not fit its fields"
    if counts.shape != (5, number) or values.shape not in ((5, number), (7, number)) or totals.shape != (3,):
        return "its arrays do not have one column per rule"
    if totals[SIZE] != number or totals[MICRO] != counts[NUMEROSITY].sum():
        return "its number of rules differs from its totals"
    if number and not (counts[ACTION].min() >= 0 and counts[ACTION].max() < len(rule_set.actions)):
        return "a rule has an action out of range"
    if number and not (counts[INTERNAL].min() >= 0 and counts[INTERNAL].max() < 3**rule_set.fields.register):
        return "a rule writes a value that its register cannot hold"
    if not np.isfinite(values).all():
        return "a prediction is not finite"
    return None
