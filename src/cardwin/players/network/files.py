"""Networks in files: safetensors with one row of weights, and metadata on its layout and lineage.

`net:NAME` is one that comes with Cardwin (players/champions), `net:FILE.safetensors` any other; many in one file are an
atlas (atlas.py). A checksum over weights and metadata detects edited files.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import CorruptFileError, InputError
from cardwin.core.files import encode_tensors, read_tensors
from cardwin.players.network.decision import BetSizes, Shape
from cardwin.players.network.inputs import INPUTS, ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer

SCHEMA = "1"
PLAYER = "network"
SUFFIX = ".safetensors"
AGGRESSION = ("unknown", "known")  # whether the network receives the aggressiveness of every player

Array = npt.NDArray[Any]


def file_of(form: NetworkForm, lineage: Mapping[str, str]) -> bytes:
    """Return a network as a file's content; `lineage` describes its origin."""
    arrays, notes = {"weights": np.ascontiguousarray(form.weights, np.float32)}, notes_of(PLAYER, form, lineage)
    return encode_tensors(arrays, {**notes, "checksum": checksum(arrays, notes)})


def notes_of(kind: str, form: NetworkForm, lineage: Mapping[str, str]) -> dict[str, str]:
    """Return the metadata of a file of this kind: how to read its networks, and their lineage."""
    shape = form.shape
    return {
        "schema": SCHEMA,
        "player": kind,
        "shape": f"{shape.inputs}-{shape.hidden}-{shape.outputs}",
        "activation": shape.activation,
        "odds": ODDS[form.odds],
        "aggression": AGGRESSION[form.aggression],
        "sizes": json.dumps(form.sizes._asdict()),
        "lineage": json.dumps(dict(lineage)),
    }


def load_network(path: Path) -> NetworkPlayer:
    """Load the player in a file.

    Raises:
        InputError: the file does not exist, is of another kind, or is damaged.

    """
    arrays, notes = read_file(path, PLAYER, "a network, as `cardwin evolve neuro` writes it")
    form = form_of_notes(path, arrays["weights"], notes)
    verify_checksum(path, arrays, notes)
    return NetworkPlayer(form, json.loads(notes["lineage"]))


def read_file(path: Path, kind: str, expected: str) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the arrays and the metadata of a file.

    Args:
        path: the file.
        kind: the kind that its metadata must name.
        expected: a description of that kind for the error message.

    Raises:
        InputError: the file does not exist, or is of another kind or version.

    """
    arrays, notes = read_tensors(path, "safetensors file", "name a saved network")
    if notes.get("player") != kind or "weights" not in arrays:
        raise InputError(f"{path}: expected {expected}")
    if notes.get("schema") != SCHEMA:
        raise InputError(f"{path} has schema {notes.get('schema')}, expected {SCHEMA}")
    return arrays, notes


def verify_checksum(path: Path, arrays: Mapping[str, Array], notes: Mapping[str, str]) -> None:
    """Raise a CorruptFileError if arrays or metadata do not match the checksum among the metadata."""
    others = {name: text for name, text in notes.items() if name != "checksum"}
    if notes.get("checksum") != checksum(arrays, others):
        raise CorruptFileError(f"{path} was edited: its weights or metadata do not match its checksum")


def form_of_notes(path: Path, weights: Any, notes: Mapping[str, str]) -> NetworkForm:
    """Return a network from a row of weights and the metadata of its file, or raise an InputError."""
    try:
        inputs, hidden, outputs = (int(part) for part in notes["shape"].split("-"))
        shape = Shape(inputs, hidden, outputs, notes["activation"])
        odds, sizes = ODDS.index(notes["odds"]), BetSizes(**json.loads(notes["sizes"]))
        aggression = bool(AGGRESSION.index(notes["aggression"]))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: invalid metadata of a network: {error}") from None
    if inputs != len(INPUTS) or outputs != Shape.outputs:
        raise InputError(f"{path}: expected a network of 35 inputs and 3 outputs, got shape {notes['shape']}")
    if weights.dtype != np.float32 or weights.shape != (shape.weights,):
        expected = f"weights ({shape.weights},) float32 of a network {notes['shape']}"
        raise InputError(f"{path}: expected {expected}, got {weights.shape} {weights.dtype}")
    if not np.isfinite(weights).all():
        raise InputError(f"{path} has {int((~np.isfinite(weights)).sum())} weights that are not finite")
    return NetworkForm(weights, shape, odds, sizes, aggression)


def checksum(arrays: Mapping[str, Array], notes: Mapping[str, str]) -> str:
    """Return a hash of the metadata, then of the arrays by name."""
    digest = hashlib.blake2b(json.dumps(dict(notes), sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def as_json(player: NetworkPlayer) -> dict[str, Any]:
    """Return a network as complete JSON: enough to play it elsewhere."""
    form = player.form
    return {
        "player": "net",
        "inputs": list(INPUTS),
        "layers": form.shape.layers(form.weights),
        "odds": ODDS[form.odds],
        "aggression": AGGRESSION[form.aggression],
        "sizes": form.sizes._asdict(),
        "lineage": player.lineage,
    }
