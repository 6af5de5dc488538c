"""Experiments: TOML files, validated completely before anything runs, and the presets that come with Cardwin.

An experiment's `kind` (evolution, tournament, paper) determines which keys it has (kinds.py).
A preset file holds several presets: `[base]` is common to all, `[presets.NAME]` is one of them.

An experiment's fingerprint at the start of its run is stored in run.db and in every checkpoint to detect edits. Two
edits are allowed: a longer run (`--resume DIR --generations N`) and new players on a leaderboard (`--resume DIR --add
PLAYER`). A lengthened run continues where the shorter one ended. It equals a run that had the longer length from the
start, unless a step depends on the length.
"""

import fnmatch
import json
import math
import stat
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import TypeAdapter, ValidationError

from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.experiment import Experiment, describe_keys
from cardwin.games.specs import PREFIX, build_plugin

# Keys that do not affect the result.
HARMLESS = ("title", "about", "save_seconds", "allow_weak_sandbox", "cluster")


def check(values: Mapping[str, Any], name: str) -> Experiment:
    """The experiment with these values, or an InputError that lists everything that is wrong with them."""
    from cardwin.runs.kinds import kind_of

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
                wrong.append((key, f"must be at most 10**15, not {shorten(number)}"))
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


def validation_errors(values: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the errors of an experiment's values: for each the field, if there is one, and a message."""
    from cardwin.runs.kinds import kind_of

    kind = kind_of(values.get("kind", USUAL))
    if wrong := _no_numbers(values):
        return [{"field": key, "message": message} for key, message in wrong]
    try:
        kind.check(kind.EXPERIMENT.model_validate(values))
    except ValidationError as error:
        found = [
            (key, part)
            for key, message in _mistakes(kind.EXPERIMENT, error)
            for part in ([message] if key else message.split("; "))
        ]
    except InputError as error:
        found = [("", str(error))]
    else:
        return []
    keys = sorted(flat(kind.EXPERIMENT.model_construct().model_dump()), key=len, reverse=True)
    return [{"field": key or _first_named(keys, message), "message": message} for key, message in found]


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
    hint = str(unknown_name("key", key, keys)).partition(": ")[2] if keys else ""
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


TEMPLATE_HEAD = """\
# An experiment for Cardwin. Run it with: cardwin evolve THIS-FILE.toml
# Every key may be left out: these are the defaults, except title, about and the opponents of `first` and `second`.
"""


def template() -> str:
    """Return a commented experiment file as a starting point: every key with its default and its explanation."""
    seats = {seat: {"against": ["hall"]} for seat in ("first", "second")}
    experiment = check({"title": "My experiment", "about": "What I want to find out.", **seats}, "template")
    help_of, lines = describe_keys(type(experiment)), [TEMPLATE_HEAD]
    values = experiment.model_dump(mode="json")
    tables = {name: table for name, table in values.items() if isinstance(table, Mapping)}
    for prefix, table in {"": {name: value for name, value in values.items() if name not in tables}, **tables}.items():
        lines += [f"\n[{prefix}]"] if prefix else []
        for name, value in table.items():
            setting = f"# {name} =" if value is None else f"{name} = {json.dumps(value)}"
            lines.append(f"{setting:<36}  # {help_of[f'{prefix}.{name}' if prefix else name]}")
    return "\n".join(lines) + "\n"


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
        raise unknown_name("preset", name, presets())
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
        raise InputError(f"--set {shorten(text)} is nested too deeply") from None
    if len(key.split(".")) > MOST_LEVELS:
        raise InputError(f"--set {shorten(text)} has more than {MOST_LEVELS} levels; no setting has as many")
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


def fingerprint(experiment: Experiment) -> str:
    """All settings that affect the result, by dotted key, as JSON."""
    values = flat(experiment.model_dump(mode="json"))
    return json.dumps({key: value for key, value in values.items() if key not in HARMLESS}, sort_keys=True)


def refuse_edited(folder: Path, experiment: Experiment, before: str, free: str = "") -> None:
    """Raise an InputError with the changed keys if the fingerprint differs from `before`; the key `free` may differ."""
    then, now = json.loads(before), json.loads(fingerprint(experiment))
    # A key that a later version added had no effect before, which is what its default has now.
    added = {key: value for key, value in _defaults(experiment).items() if key not in then}
    changed = [key for key in {**then, **now} if key != free and {**added, **then}.get(key) != now.get(key)]
    if not changed:
        return
    changes = "; ".join(f"{key} was {json.dumps(then.get(key))} and is {json.dumps(now.get(key))}" for key in changed)
    how = experiment.LONGER or f"--{experiment.LENGTH} N makes it longer"
    longer = f"; --resume {folder} {how}" if changed == [experiment.LENGTH] else ""
    raise InputError(
        f"{folder / 'experiment.toml'} was edited after the run began: {changes}; "
        f"put it back to go on, or start a new run{longer}"
    )


def _defaults(experiment: Experiment) -> dict[str, Any]:
    """The settings that an experiment of this kind has if none are given, by dotted key."""
    return flat(type(experiment).model_construct().model_dump(mode="json", warnings=False))


def lengthened(folder: Path, experiment: Experiment, key: str, length: int) -> Experiment:
    """The same experiment with another length; the run so far must be a valid beginning of it."""
    key = "trials" if (key, experiment.LENGTH) == ("hands", "trials") else key  # --hands serves both
    if key != experiment.LENGTH or experiment.LONGER:
        own = experiment.LONGER or f"--{experiment.LENGTH}"
        known = f"has no {key}, but {own}" if experiment.LENGTH else "has no length to change"
        raise InputError(f"{folder}, of kind {experiment.kind}, {known}")
    now = int(getattr(experiment, key))
    if length < now:
        raise InputError(
            f"{folder} has {key} {now:,}: a run is made longer, not shorter, so --{key} must be {now:,} or more"
        )
    longer = check(experiment.model_dump() | {key: length}, f"--{key} {length}")
    if length > now and (why := experiment.bound_to_length()):
        raise InputError(f"{folder} cannot be made longer: {why}")
    return longer


def joined(folder: Path, experiment: Experiment, newcomers: Sequence[str], before: str | None) -> Experiment:
    """The same leaderboard with newcomers at its end; `before` is the fingerprint at the start of the run, if any.

    If an earlier call was interrupted between writing experiment.toml and the new fingerprint, this call completes it.
    """
    if experiment.LENGTH != "players":
        raise InputError(f"{folder} is of kind {experiment.kind}: newcomers join a leaderboard")
    players = list(experiment.model_dump()["players"])
    then = players if before is None else json.loads(before)["players"]
    cut_off = players != then and players == [*then, *newcomers]
    if before is not None:
        refuse_edited(folder, experiment, before, experiment.LENGTH if cut_off else "")
    if cut_off:
        return experiment
    if there := [name for name in newcomers if name in players]:
        raise InputError(f"{there[0]} is on the board in {folder} already: --add takes new players only")
    return check(experiment.model_dump() | {"players": [*players, *newcomers]}, "--add")
