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
from cardwin.players.network.bet_sizes import BetSizes
from cardwin.players.network.forward import Shape
from cardwin.players.network.inputs import INPUTS, ODDS
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer

SCHEMA = "1"
PLAYER = "network"
SUFFIX = ".safetensors"
AGGRESSION = ("unknown", "known")  # whether the network receives the aggressiveness of every player

Array = npt.NDArray[Any]


def file_of(form: NetworkForm, lineage: Mapping[str, str]) -> bytes:
    """A network as a file's content."""
    arrays, notes = {"weights": np.ascontiguousarray(form.weights, np.float32)}, notes_of(PLAYER, form, lineage)
    return encode_tensors(arrays, {**notes, "checksum": checksum(arrays, notes)})


def notes_of(kind: str, form: NetworkForm, lineage: Mapping[str, str]) -> dict[str, str]:
    """The metadata of a file of this kind: how its networks are read, and where they come from."""
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
    """The player in a file, or an error that names the file and what is wrong with it."""
    arrays, notes = read_file(
        path, PLAYER, f"{path} holds no network: a file that `cardwin evolve neuro` wrote is needed"
    )
    form = form_of_notes(path, arrays["weights"], notes)
    refuse_edited(path, arrays, notes)
    return NetworkPlayer(form, json.loads(notes["lineage"]))


def read_file(path: Path, kind: str, otherwise: str) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays and the metadata of a file of this kind; `otherwise` is the error if it is of another kind."""
    arrays, notes = read_tensors(path, "safetensors file", "name a saved network")
    if notes.get("player") != kind or "weights" not in arrays:
        raise InputError(otherwise)
    if notes.get("schema") != SCHEMA:
        raise InputError(f"{path} has schema {notes.get('schema')}, this version reads {SCHEMA}")
    return arrays, notes


def refuse_edited(path: Path, arrays: Mapping[str, Array], notes: Mapping[str, str]) -> None:
    """Raise an error if arrays or metadata do not match the checksum among the metadata."""
    others = {name: text for name, text in notes.items() if name != "checksum"}
    if notes.get("checksum") != checksum(arrays, others):
        raise CorruptFileError(f"{path} was edited: its weights or metadata do not match its checksum")


def form_of_notes(path: Path, weights: Any, notes: Mapping[str, str]) -> NetworkForm:
    """A network from a row of weights and the metadata of its file."""
    try:
        inputs, hidden, outputs = (int(part) for part in notes["shape"].split("-"))
        shape = Shape(inputs, hidden, outputs, notes["activation"])
        odds, sizes = ODDS.index(notes["odds"]), BetSizes(**json.loads(notes["sizes"]))
        aggression = bool(AGGRESSION.index(notes["aggression"]))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path} does not say how its network is to be read: {error}") from None
    if inputs != len(INPUTS) or outputs != Shape.outputs:
        raise InputError(f"{path} has a network of shape {notes['shape']}: 35 inputs and 3 outputs are needed")
    if weights.dtype != np.float32 or weights.shape != (shape.weights,):
        given, needed = f"{weights.shape} {weights.dtype}", f"({shape.weights},) float32"
        raise InputError(f"{path} has weights {given}: a network {notes['shape']} has {needed}")
    if not np.isfinite(weights).all():
        raise InputError(f"{path} has weights that are no numbers: {int((~np.isfinite(weights)).sum())} of them")
    return NetworkForm(weights, shape, odds, sizes, aggression)


def checksum(arrays: Mapping[str, Array], notes: Mapping[str, str]) -> str:
    """A hash of the metadata, then of the arrays by name."""
    digest = hashlib.blake2b(json.dumps(dict(notes), sort_keys=True).encode(), digest_size=16)
    for name in sorted(arrays):
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def as_json(player: NetworkPlayer) -> dict[str, Any]:
    """A network as complete JSON: enough to play it elsewhere."""
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
