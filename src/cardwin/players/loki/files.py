"""Loki players from specifications and files: `loki:model=generic,tightness=tight`, `loki:file=loki.json`.

A file holds the player's settings and its counts of every seat, as JSON.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from cardwin.core.errors import InputError
from cardwin.core.files import write_atomic
from cardwin.players.kind import REVELEY, PlayerKind
from cardwin.players.loki.contexts import CONTEXTS
from cardwin.players.loki.model import MODELS, Contexts, Readings
from cardwin.players.loki.play import LOKI
from cardwin.players.loki.player import Loki, LokiSettings
from cardwin.players.loki.postflop import Rules
from cardwin.players.loki.preflop import TIGHTNESSES
from cardwin.players.robots.robot import SCHEMA, read_saved

_SWITCH = ("on", "off")
# The default first.
CHOICES = {
    "model": ("specific", *(name for name in MODELS if name != "specific")),
    "tightness": TIGHTNESSES,
    "lookahead": ("1", "2", "0"),
    "showdown-odds": _SWITCH,
    "pot-odds": _SWITCH,
    "semi-bluffs": _SWITCH,
    "weights": ("uniform", "income"),
    "doubts": _SWITCH,
    "contexts": tuple(CONTEXTS),
    "rates": ("players", "seven"),
    "field": ("mean", "normalised"),
    "zero-mu": ("off", "on"),
}
PARAMETERS = (*CHOICES, "file")


def _settings(texts: Mapping[str, str]) -> LokiSettings:
    for name, text in texts.items():
        if name in CHOICES and text not in CHOICES[name]:
            raise InputError(f"loki: {name}={text} should be {', '.join(CHOICES[name][:-1])} or {CHOICES[name][-1]}")
    chosen = {name: texts.get(name, words[0]) for name, words in CHOICES.items()}
    on = {name: chosen[name] == "on" for name in ("semi-bluffs", "pot-odds", "showdown-odds")}
    rules = Rules(on["semi-bluffs"], on["pot-odds"], on["showdown-odds"])
    return LokiSettings(
        model=chosen["model"],
        tightness=chosen["tightness"],
        lookahead=int(chosen["lookahead"]),
        rules=rules,
        weights=chosen["weights"],
        doubts=chosen["doubts"] == "on",
        readings=Readings(chosen["rates"] == "seven", chosen["field"] == "normalised", chosen["zero-mu"] == "on"),
    )


def _loki(texts: Mapping[str, str], keeps: bool = False) -> Loki:
    settings = _settings(texts)
    return Loki(settings, CONTEXTS[texts.get("contexts", next(iter(CONTEXTS)))], keeps)


def build_loki(texts: Mapping[str, str]) -> Loki:
    """A Loki from its parameters; one from a file continues with its counts, whichever players sit there."""
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
        raise InputError(f"{path} holds no loki: {error!r}") from None
    if counts.shape != loki.model.counts.shape or (counts < 0).any() or shown.shape != loki.model.shown.shape:
        raise InputError(f"{path}: counts should be from 0 up, of shape {loki.model.counts.shape}, and shown 10 x 3")
    loki.model.counts[:], loki.model.shown[:] = counts, shown
    return loki


def _named(contexts: Contexts) -> str:
    for name, one in CONTEXTS.items():
        if one is contexts:
            return name
    raise InputError(f"a Loki with contexts of its own ({contexts.name}) cannot be saved: {', '.join(CONTEXTS)} can")


def save_loki(path: Path, loki: Loki) -> None:
    """Write a Loki's settings and counts; its contexts are among those of `contexts.CONTEXTS`."""
    settings, rules = loki.settings, loki.settings.rules
    switches = {
        "semi-bluffs": rules.semi_bluffs,
        "pot-odds": rules.pot_odds,
        "showdown-odds": rules.showdown_odds,
        "doubts": settings.doubts,
        "zero-mu": settings.readings.zero,
    }
    parameters = {
        "model": settings.model,
        "tightness": settings.tightness,
        "lookahead": str(settings.lookahead),
        "weights": settings.weights,
        "contexts": _named(loki.model.contexts),
        "rates": CHOICES["rates"][settings.readings.seven],
        "field": CHOICES["field"][settings.readings.normalised],
        **{name: "on" if on else "off" for name, on in switches.items()},
    }
    known = {"counts": loki.model.counts.tolist(), "shown": loki.model.shown.tolist()}
    saved = json.dumps({"schema": SCHEMA, "player": "loki", "parameters": parameters, **known}) + "\n"
    write_atomic(path, saved.encode())


KIND = PlayerKind(
    "Loki of the University of Alberta: hand strength, potential, opponent models (limit hold'em)",
    build_loki,
    PARAMETERS,
    compiled=LOKI,
    source=f"Papp (1998), for {REVELEY}, section 3 ([Loki](../loki.md))",
    game="holdem-limit",
)
