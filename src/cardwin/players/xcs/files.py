"""Rule files: a classifier system's rules with their fields, as safetensors with a checksum."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from cardwin.core.errors import InputError
from cardwin.core.files import write_whole
from cardwin.core.tensors import tensors
from cardwin.players.xcs.fields import Field, Fields
from cardwin.players.xcs.rules import SIZE, Rules

SCHEMA = "1"
ARRAYS = ("condition", "counts", "values", "totals")


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
    }  # fmt: skip
    write_whole(path, tensors(arrays, {**notes, "checksum": _checksum(arrays, notes)}))


def read(path: Path) -> RuleSet:
    """Read a rule file; an edited or truncated file, or one of another version, is rejected."""
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
            notes = dict(file.metadata() or {})
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: cardwin train xcs writes one") from None
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no rule file, or damaged: {error}") from None
    if notes.get("player") != "xcs":
        raise InputError(f"{path} holds no rules of XCS, but {notes.get('player', 'something else')}")
    if notes.get("schema") != SCHEMA:
        raise InputError(f"{path} has schema {notes.get('schema')}, this version reads {SCHEMA}")
    if notes.pop("checksum", notes.pop("seal", None)) != _checksum(arrays, notes) or set(arrays) != set(ARRAYS):
        raise InputError(f"{path} is damaged: its contents do not match its checksum")
    fields = Fields(
        tuple(
            Field(one["name"], tuple(one["values"]), one["ordered"], tuple(one["edges"]))
            for one in json.loads(notes["fields"])
        ),
        int(notes["register"]),
    )
    rules = Rules(*(arrays[name] for name in ARRAYS))
    if len(rules.condition) != len(fields.layout.full):
        raise InputError(f"{path} is damaged: its rules are not of its fields")
    return RuleSet(fields, tuple(json.loads(notes["actions"])), rules, json.loads(notes["about"]))


def _checksum(arrays: Mapping[str, Any], notes: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(json.dumps(dict(notes), sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()
