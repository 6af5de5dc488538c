"""Rule files: a classifier system's rules with their fields, as safetensors with a checksum.

A rule is 88 bytes in memory. Schema 2 stores all of them as one compressed array (zlib), about 40 bytes a rule; the
checksum is of the contents. Files of schema 1, which are not compressed, can be read as well.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.files import encode_tensors, read_tensors, write_atomic
from cardwin.players.xcs.fields import Field, Fields
from cardwin.players.xcs.rules import ACTION, INTERNAL, MICRO, NUMEROSITY, SIZE, Rules

SCHEMA, UNPACKED = "2", "1"
ARRAYS = ("condition", "counts", "values", "totals")
PACKED = "packed"
MOST_RULES = 10**6  # of a file; also the largest N that can be trained
MOST_ROWS = 32  # words, counts or values of a rule


@dataclass(frozen=True)
class RuleSet:
    """Rules that are no longer learning: their fields, their actions, and their purpose (`about`)."""

    fields: Fields
    actions: tuple[str, ...]
    rules: Rules
    about: Mapping[str, Any]


def living(rules: Rules) -> Rules:
    """A copy without unused capacity."""
    size = rules.totals[SIZE]
    return Rules(
        np.ascontiguousarray(rules.condition[:, :size]),
        np.ascontiguousarray(rules.counts[:, :size]),
        np.ascontiguousarray(rules.values[:, :size]),
        rules.totals.copy(),
    )


def write(path: Path, rule_set: RuleSet) -> None:
    """Write a rule file."""
    arrays = dict(zip(ARRAYS, living(rule_set.rules), strict=True))
    notes = {
        "schema": SCHEMA, "player": "xcs", "about": json.dumps(dict(rule_set.about)),
        "fields": json.dumps([asdict(field) for field in rule_set.fields.seen]),
        "register": str(rule_set.fields.register), "actions": json.dumps(list(rule_set.actions)),
        "shapes": json.dumps({name: list(array.shape) for name, array in arrays.items()}),
    }  # fmt: skip
    packed = np.frombuffer(zlib.compress(b"".join(arrays[name].tobytes() for name in ARRAYS), 9), np.uint8)
    write_atomic(path, encode_tensors({PACKED: packed}, {**notes, "checksum": _checksum(arrays, notes)}))


def read(path: Path) -> RuleSet:
    """Read a rule file; an edited or truncated file, or one of another version, is rejected."""
    arrays, notes = read_tensors(path, "rule file", "cardwin train xcs writes one")
    if notes.get("player") != "xcs":
        raise InputError(f"{path} holds no rules of XCS, but {notes.get('player', 'something else')}")
    if notes.get("schema") not in (SCHEMA, UNPACKED):
        raise InputError(f"{path} has schema {notes.get('schema')}, this version reads {UNPACKED} and {SCHEMA}")
    if notes["schema"] == SCHEMA:
        arrays = _unpacked(arrays, notes)
    if set(arrays) != set(ARRAYS) or notes.pop("checksum", None) != _checksum(arrays, notes):
        raise CorruptFileError(f"{path} is damaged: its contents do not match its checksum")
    try:
        rule_set = _rule_set(Rules(*(arrays[name] for name in ARRAYS)), notes)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise CorruptFileError(f"{path} is damaged: its fields cannot be read ({error})") from None
    if problem := _mistake(rule_set):
        raise CorruptFileError(f"{path} is damaged: {problem}")
    return rule_set


def _unpacked(arrays: Mapping[str, Any], notes: Mapping[str, str]) -> dict[str, Any]:
    """The arrays of a compressed file; none if its size is not the one that its shapes say, or beyond all limits."""
    try:
        shapes = json.loads(notes["shapes"])
        sizes = [(name, tuple(int(side) for side in shapes[name])) for name in ARRAYS]
        if any(min(shape) < 0 or shape[0] > MOST_ROWS or max(shape) > MOST_RULES for _, shape in sizes):
            return {}
        most = sum(8 * int(np.prod(shape)) for _, shape in sizes)
        stream = zlib.decompressobj()
        data = stream.decompress(arrays[PACKED].tobytes(), most + 1)  # not more, whatever the file says
    except (KeyError, TypeError, ValueError, AttributeError, zlib.error):
        return {}
    if len(data) != most or not stream.eof:
        return {}
    found, place = {}, 0
    for name, shape in sizes:
        kind = np.float64 if name == "values" else np.int64
        found[name] = np.frombuffer(data, kind, int(np.prod(shape)), place).reshape(shape).copy()
        place += found[name].nbytes
    return found


def _rule_set(rules: Rules, notes: Mapping[str, str]) -> RuleSet:
    fields = Fields(
        tuple(
            Field(one["name"], tuple(one["values"]), one["ordered"], tuple(one["edges"]))
            for one in json.loads(notes["fields"])
        ),
        int(notes["register"]),
    )
    return RuleSet(fields, tuple(json.loads(notes["actions"])), rules, json.loads(notes["about"]))


def _mistake(rule_set: RuleSet) -> str | None:
    """What is wrong with rules whose checksum is right, as somebody's own file may be; None if nothing is."""
    condition, counts, values, totals = rule_set.rules
    if not isinstance(rule_set.about, dict) or not all(isinstance(one, str) for one in rule_set.actions):
        return "it does not say what its rules are for"
    number = condition.shape[1] if condition.ndim == 2 else -1
    if any(array.dtype != kind for array, kind in zip(rule_set.rules, ("i8", "i8", "f8", "i8"), strict=True)):
        return "its numbers have other types than rules have"
    if len(condition) != len(rule_set.fields.layout.full):
        return "its rules are not of its fields"
    if counts.shape != (5, number) or values.shape not in ((5, number), (7, number)) or totals.shape != (3,):
        return "its arrays do not have one column a rule"
    if totals[SIZE] != number or totals[MICRO] != counts[NUMEROSITY].sum():
        return "it does not hold as many rules as it says"
    if number and not (counts[ACTION].min() >= 0 and counts[ACTION].max() < len(rule_set.actions)):
        return "a rule has an action that there is not"
    if number and not (counts[INTERNAL].min() >= 0 and counts[INTERNAL].max() < 3**rule_set.fields.register):
        return "a rule writes what its register cannot hold"
    if not np.isfinite(values).all():
        return "a prediction is no number"
    return None


def _checksum(arrays: Mapping[str, Any], notes: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(json.dumps(dict(notes), sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()
