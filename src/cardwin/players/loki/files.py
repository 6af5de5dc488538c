"""Loki players from specifications and files: `loki:model=generic,tightness=tight`, `loki:file=loki.json`.

A file holds the player's settings and its counts of every seat, as JSON.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.errors import InputError, shorten
from cardwin.core.files import write_atomic
from cardwin.players.kind import REVELEY, PlayerKind
from cardwin.players.loki.model import CONTEXTS
from cardwin.players.loki.play import LOKI
from cardwin.players.loki.player import Loki
from cardwin.players.loki.preflop import TIGHTNESSES
from cardwin.players.loki.state import LokiSettings
from cardwin.players.robots.robot import SCHEMA, read_saved

_ON, _OFF = {"on": True, "off": False}, {"off": False, "on": True}
# The values of each parameter by their texts, the default first. Parameters have the names of settings, with - for _.
CHOICES: dict[str, dict[str, Any]] = {
    "model": {name: name for name in ("specific", "none", "generic")},
    "tightness": {name: name for name in TIGHTNESSES},
    "lookahead": {"1": 1, "2": 2, "0": 0},
    "showdown-odds": _ON,
    "pot-odds": _ON,
    "semi-bluffs": _ON,
    "weights": {name: name for name in ("uniform", "income")},
    "doubts": _ON,
    "contexts": {name: name for name in CONTEXTS},
    "rates": {name: name for name in ("players", "seven")},
    "field": {name: name for name in ("mean", "normalised")},
    "zero-mu": _OFF,
}
PARAMETERS = (*CHOICES, "file")
# The order of parameters in files.
_SAVED = (
    *("model", "tightness", "lookahead", "weights", "contexts", "rates", "field"),
    *("semi-bluffs", "pot-odds", "showdown-odds", "doubts", "zero-mu"),
)


def _loki(texts: Mapping[str, str], keeps: bool = False) -> Loki:
    values = {}
    for name, choices in CHOICES.items():
        text = texts.get(name, next(iter(choices)))
        if text not in choices:
            *others, last = choices
            raise InputError(f"invalid loki {name}={shorten(text)}: expected {', '.join(others)} or {last}")
        values[name.replace("-", "_")] = choices[text]
    contexts = CONTEXTS[values.pop("contexts")]
    return Loki(LokiSettings(**values), contexts, keeps)


def build_loki(texts: Mapping[str, str]) -> Loki:
    """Return a Loki from its parameters; from a file it continues with its counts, whichever players sit there."""
    if "file" not in texts:
        return _loki(texts)
    path = Path(texts["file"])
    saved = read_saved(path, "loki")
    try:
        loki = _loki({**saved["parameters"], **texts}, keeps=True)
        counts, shown = np.array(saved["counts"], np.int64), np.array(saved["shown"], np.float64)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} contains no loki: {error!r}") from None
    if counts.shape != loki.model.counts.shape or (counts < 0).any() or shown.shape != loki.model.shown.shape:
        expected = f"expected counts from 0 of shape {loki.model.counts.shape} and shown {loki.model.shown.shape}"
        raise InputError(f"{path}: {expected}, got shapes {counts.shape} and {shown.shape}")
    loki.model.counts[:], loki.model.shown[:] = counts, shown
    return loki


def save_loki(path: Path, loki: Loki) -> None:
    """Write a Loki's settings and counts as JSON.

    Raises:
        InputError: its contexts are not among those of `model.CONTEXTS`.

    """
    model = loki.model
    if CONTEXTS.get(model.contexts.name) is not model.contexts:
        raise InputError(
            f"a Loki with contexts of its own ({model.contexts.name}) cannot be saved: expected {', '.join(CONTEXTS)}"
        )
    settings = {**asdict(loki.settings), "contexts": model.contexts.name}
    parameters = {}
    for name in _SAVED:
        value = settings[name.replace("-", "_")]
        parameters[name] = next(text for text, choice in CHOICES[name].items() if choice == value)
    saved = {
        "schema": SCHEMA,
        "player": "loki",
        "parameters": parameters,
        "counts": model.counts.tolist(),
        "shown": model.shown.tolist(),
    }
    write_atomic(path, (json.dumps(saved) + "\n").encode())


KIND = PlayerKind(
    "Loki of the University of Alberta: hand strength, potential, opponent models (limit hold'em)",
    build_loki,
    PARAMETERS,
    compiled=LOKI,
    source=f"Papp (1998), for {REVELEY}, section 3 ([Loki](../loki.md))",
    game="holdem-limit",
)
