"""Experiments: TOML files, validated completely before anything runs, and the presets that come with Cardwin.

An experiment's `kind` (evolution, tournament, paper) determines which keys it has (kinds.py).
A preset file holds several presets: `[base]` is common to all, `[presets.NAME]` is one of them.
"""

import fnmatch
import math
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import TypeAdapter, ValidationError

from cardwin.core.errors import InputError, short, unknown
from cardwin.core.experiment import Experiment
from cardwin.games.plugins import PREFIX, build_plugin

# Dotted keys of version 0.1, still accepted for one version.
OLD_KEYS = {"matrix.rolls": "matrix.rollouts"}


def current_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same values under the current names of their keys."""
    changed = dict(values)
    for old, new in OLD_KEYS.items():
        (table, before), (_, after) = old.split("."), new.split(".")
        inner = changed.get(table)
        if isinstance(inner, Mapping) and before in inner:
            changed[table] = {after if key == before else key: value for key, value in inner.items()}
    return changed


# Keys that do not affect the result.
HARMLESS = ("title", "about", "save_seconds", "allow_weak_sandbox", "cluster")


def check(values: Mapping[str, Any], name: str) -> Experiment:
    """The experiment with these values, or an InputError that lists everything that is wrong with them."""
    from cardwin.runs.kinds import kind_of

    values = current_keys(values)
    model = kind_of(values.get("kind", USUAL)).EXPERIMENT
    if wrong := _no_numbers(values):
        raise InputError(f"{name}: " + "; ".join(f"{key}: {said}" for key, said in wrong))
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{name}: " + "; ".join(_sentences(model, error))) from None


USUAL = "small-game"  # the kind if a file names none


LARGEST = 10**15  # for any number except a seed; each key has its own narrower bounds


def _no_numbers(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Invalid numbers: NaN, infinite, or too large for exact arithmetic."""
    wrong = []
    for key, value in flat(values).items():
        for number in value if isinstance(value, list | tuple) else [value]:
            if isinstance(number, float) and not math.isfinite(number):
                wrong.append((key, f"must be a number, not {number}"))
            elif isinstance(number, int | float) and abs(number) > LARGEST and key != "seed":
                wrong.append((key, f"must be at most 10**15, not {short(number)}"))
    return wrong


def _sentences(model: type[Experiment], error: ValidationError) -> Iterable[str]:
    for place, said in _mistakes(model, error):
        yield f"{place}: {said}" if place and not said.startswith("unknown key") else said


def _mistakes(model: type[Experiment], error: ValidationError) -> Iterable[tuple[str, str]]:
    """Every mistake as (key, message); the key is empty if several keys contradict each other."""
    for mistake in error.errors():
        # A union reports an error for each of its members; users only need the key.
        place = ".".join(str(part) for part in mistake["loc"] if not str(part).startswith(("literal[", "float", "int")))
        if mistake["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            yield place, f"unknown key {place}{_nearest(model, place)}"
        else:
            said = mistake["msg"].removeprefix("Value error, ")
            given = f", not {mistake['input']!r}" if place and isinstance(mistake["input"], int | float | str) else ""
            yield place, f"{said}{given}"


def mistakes(values: Mapping[str, Any]) -> list[dict[str, str]]:
    """What is wrong with an experiment's values: for each mistake the field, if there is one, and a message."""
    from cardwin.runs.kinds import kind_of

    kind = kind_of(values.get("kind", USUAL))
    if wrong := _no_numbers(values):
        return [{"field": key, "said": said} for key, said in wrong]
    try:
        kind.check(kind.EXPERIMENT.model_validate(values))
    except ValidationError as error:
        found = [
            (place, part)
            for place, said in _mistakes(kind.EXPERIMENT, error)
            for part in ([said] if place else said.split("; "))
        ]
    except InputError as error:
        found = [("", str(error))]
    else:
        return []
    keys = sorted(flat(kind.EXPERIMENT.model_construct().model_dump()), key=len, reverse=True)
    return [{"field": place or _first_named(keys, said), "said": said} for place, said in found]


def _first_named(keys: Iterable[str], said: str) -> str:
    """The key that a message names first, if any."""
    named = [key for key in keys if key in said]
    return min(named, key=said.index, default="")


def _nearest(model: type[Experiment], place: str) -> str:
    *path, key = place.split(".")
    table = TypeAdapter(model).json_schema()
    keys = table["properties"]
    for part in path:
        keys = table["$defs"].get(keys.get(part, {}).get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    hint = str(unknown("key", key, keys)).partition(": ")[2] if keys else ""
    return f" ({hint})" if hint else ""


@dataclass(frozen=True)
class Family:
    """The presets of one file: values by name, and groups of similar presets by a pattern of names."""

    title: str
    presets: dict[str, dict[str, Any]]
    alike: dict[str, dict[str, str]]

    def lines(self) -> list[tuple[str, str]]:
        """Names and titles; similar presets share one line."""
        described = {name: values.get("title", "") for name, values in self.presets.items()}
        for shown, about in self.alike.items():
            names = fnmatch.filter(described, about["names"])
            described = {name: title for name, title in described.items() if name not in names}
            described[shown] = f"{len(names)} presets: {about['title']}"
        return list(described.items())


@cache
def families() -> tuple[Family, ...]:
    """The preset files."""
    found = []
    for path in sorted(files("cardwin.runs").joinpath("presets").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            read = tomllib.loads(path.read_text(encoding="utf-8"))
            values = {name: merged(read.get("base", {}), own) for name, own in read["presets"].items()}
            found.append(Family(read.get("title", path.name.removesuffix(".toml")), values, read.get("alike", {})))
    return tuple(found)


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Every preset by name, as values."""
    return {name: values for family in families() for name, values in family.presets.items()}


def template() -> str:
    """A commented experiment file as a starting point."""
    return files("cardwin.runs").joinpath("presets", "template.txt").read_text(encoding="utf-8")


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Base values overridden by others, table by table."""
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return both


def load(name: str, changes: Iterable[str] = (), seed: int | None = None) -> tuple[str, Experiment]:
    """The experiment of a preset or a file with `KEY=VALUE` changes, and its short name."""
    path = Path(name)
    if name in presets():
        values = presets()[name]
    elif path.suffix == ".toml":
        values = read_toml(path)
    else:
        raise unknown("preset", name, presets())
    for change in changes:
        values = merged(values, _change(change))
    if seed is not None:
        values = {**values, "seed": seed}
    return path.stem if path.suffix == ".toml" else name, check(values, name)


LARGEST_FILE = 1_000_000  # bytes
MOST_LEVELS = 8


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's values."""
    try:
        if not stat.S_ISREG((about := path.stat()).st_mode):
            raise InputError(f"{path} is not a file: a folder or a pipe has no experiment")
        if about.st_size > LARGEST_FILE:
            raise InputError(f"{path} has more than {LARGEST_FILE:,} bytes: an experiment file has a few thousand")
        read = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        repr(read)  # raises RecursionError here if the nesting is too deep
        return read
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except RecursionError:
        raise InputError(f"{path} is nested too deeply for an experiment file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None


def _change(text: str) -> dict[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not all(key.split(".")):
        raise InputError(f"--set {text!r} should read KEY=VALUE, such as population.size=200")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value  # a bare word is a string
    except RecursionError:
        raise InputError(f"--set {short(text)} is nested too deeply") from None
    if len(key.split(".")) > MOST_LEVELS:
        raise InputError(f"--set {short(text)} has more than {MOST_LEVELS} levels; no setting has as many")
    if key == "game" and isinstance(parsed, str) and parsed.startswith(PREFIX):
        build_plugin(parsed)  # --set is typed by the user, so its code is trusted
    for part in reversed(key.split(".")):
        parsed = {part: parsed}
    change: dict[str, Any] = parsed
    return change


def as_toml(experiment: Experiment) -> str:
    """The experiment as a file that gives the same run again."""
    return tomli_w.dumps(experiment.model_dump(mode="json", exclude_none=True))


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings by dotted key."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return found
