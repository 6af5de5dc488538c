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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import TypeAdapter, ValidationError

from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.core.experiment import Experiment, describe_keys
from cardwin.core.field_errors import field_error
from cardwin.games.specs import PREFIX, build_plugin

# Keys that do not affect the result.
NON_RESULT_KEYS = ("title", "about", "save_seconds", "allow_weak_sandbox", "cluster")


def check(values: Mapping[str, Any], name: str) -> Experiment:
    """Validate the values of an experiment.

    Args:
        values: The values, as in an experiment file.
        name: The name for error messages.

    Returns:
        The experiment.

    Raises:
        InputError: If any value is invalid; the message lists all that are.

    """
    from cardwin.runs.kinds import kind_of

    model = kind_of(values.get("kind", DEFAULT_KIND)).EXPERIMENT
    if wrong := _invalid_numbers(values):
        raise InputError(f"{name}: " + "; ".join(f"{key}: {message}" for key, message in wrong))
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError(f"{name}: " + "; ".join(_sentences(model, error))) from None


DEFAULT_KIND = "small-game"  # the kind if a file names none


MAX_NUMBER = 10**15  # for any number except a seed; each key has its own narrower bounds


def _invalid_numbers(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the keys and errors of invalid numbers: NaN, infinite, or too large for exact arithmetic."""
    wrong = []
    for key, value in flat(values).items():
        for number in value if isinstance(value, list | tuple) else [value]:
            if isinstance(number, float) and not math.isfinite(number):
                wrong.append((key, f"expected a number, got {number}"))
            elif isinstance(number, int | float) and abs(number) > MAX_NUMBER and key != "seed":
                wrong.append((key, f"expected at most 10**15, got {shorten(number)}"))
    return wrong


def _sentences(model: type[Experiment], error: ValidationError) -> Iterator[str]:
    for key, message in _errors(model, error):
        yield f"{key}: {message}" if key and not message.startswith("unknown key") else message


def _errors(model: type[Experiment], error: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield every error as (key, message); the key is empty if several keys contradict each other."""
    for details in error.errors():
        # A union reports an error for each of its members; users only need the key.
        key = ".".join(str(part) for part in details["loc"] if not str(part).startswith(("literal[", "float", "int")))
        if details["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            yield key, f"unknown key {key}{_nearest(model, key)}"
        else:
            yield key, field_error(details) if key else details["msg"].removeprefix("Value error, ")


def validation_errors(values: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the errors in an experiment's values: for each the `field`, if there is one, and the message."""
    from cardwin.runs.kinds import kind_of

    kind = kind_of(values.get("kind", DEFAULT_KIND))
    if wrong := _invalid_numbers(values):
        return [{"field": key, "message": message} for key, message in wrong]
    try:
        kind.check(kind.EXPERIMENT.model_validate(values))
    except ValidationError as error:
        errors = [
            (key, part)
            for key, message in _errors(kind.EXPERIMENT, error)
            for part in ([message] if key else message.split("; "))
        ]
    except InputError as error:
        errors = [("", str(error))]
    else:
        return []
    keys = sorted(flat(kind.EXPERIMENT.model_construct().model_dump()), key=len, reverse=True)
    return [{"field": key or _first_named(keys, message), "message": message} for key, message in errors]


def _first_named(keys: Iterable[str], message: str) -> str:
    """Return the key that a message names first, if any."""
    return min((key for key in keys if key in message), key=message.index, default="")


def _nearest(model: type[Experiment], dotted: str) -> str:
    *path, key = dotted.split(".")
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
        """Return names and titles; similar presets share one line."""
        described = {name: values.get("title", "") for name, values in self.presets.items()}
        for shown, about in self.alike.items():
            names = fnmatch.filter(described, about["names"])
            described = {name: title for name, title in described.items() if name not in names}
            described[shown] = f"{len(names)} presets: {about['title']}"
        return list(described.items())


@cache
def families() -> tuple[Family, ...]:
    """Return the preset files."""
    parsed = []
    for path in sorted(files("cardwin.runs").joinpath("presets").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            read = tomllib.loads(path.read_text(encoding="utf-8"))
            values = {name: merged(read.get("base", {}), preset) for name, preset in read["presets"].items()}
            parsed.append(Family(read.get("title", path.name.removesuffix(".toml")), values, read.get("alike", {})))
    return tuple(parsed)


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Return every preset by name, as values."""
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
    """Return base values overridden by others, table by table."""
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return both


def load(name: str, changes: Iterable[str] = (), seed: int | None = None) -> tuple[str, Experiment]:
    """Load the experiment of a preset or a file.

    Args:
        name: The preset, or the path of a TOML file.
        changes: Changes such as `population.size=200`.
        seed: The seed, in place of the file's.

    Returns:
        Its short name and the experiment.

    Raises:
        InputError: If there is no such preset or file, or if a value is invalid.

    """
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


MAX_FILE_BYTES = 1_000_000  # bytes
MAX_LEVELS = 8


def read_toml(path: Path) -> dict[str, Any]:
    """Return a TOML file's values."""
    try:
        if not stat.S_ISREG((about := path.stat()).st_mode):
            raise InputError(f"{path}: expected an experiment file, got a folder or a pipe")
        if about.st_size > MAX_FILE_BYTES:
            raise InputError(f"{path}: expected at most {MAX_FILE_BYTES:,} bytes, got {about.st_size:,}")
        read = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        repr(read)  # raises RecursionError here if the nesting is too deep
        return read
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except RecursionError:
        raise InputError(f"{path} is nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not valid TOML: {error}") from None


def _change(text: str) -> dict[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not all(key.split(".")):
        raise InputError(f"invalid --set {text!r}: expected KEY=VALUE, such as population.size=200")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value  # a bare word is a string
    except RecursionError:
        raise InputError(f"--set {shorten(text)} is nested too deeply") from None
    if len(key.split(".")) > MAX_LEVELS:
        raise InputError(f"invalid --set {shorten(text)}: expected at most {MAX_LEVELS} levels")
    if key == "game" and isinstance(parsed, str) and parsed.startswith(PREFIX):
        build_plugin(parsed)  # --set is typed by the user, so its code is trusted
    for part in reversed(key.split(".")):
        parsed = {part: parsed}
    change: dict[str, Any] = parsed
    return change


def as_toml(experiment: Experiment) -> str:
    """Return the experiment as a file that gives the same run again."""
    return tomli_w.dumps(experiment.model_dump(mode="json", exclude_none=True))


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return settings by dotted key."""
    settings: dict[str, Any] = {}
    for key, value in values.items():
        settings |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return settings


def fingerprint(experiment: Experiment) -> str:
    """Return all settings that affect the result, by dotted key, as JSON."""
    values = flat(experiment.model_dump(mode="json"))
    return json.dumps({key: value for key, value in values.items() if key not in NON_RESULT_KEYS}, sort_keys=True)


def refuse_edited(folder: Path, experiment: Experiment, before: str, free: str = "") -> None:
    """Refuse an experiment that was edited after its run began.

    Args:
        folder: The run.
        experiment: The experiment now.
        before: The fingerprint at the start of the run.
        free: A key that may differ.

    Raises:
        InputError: If other keys differ; the message names them.

    """
    then, now = json.loads(before), json.loads(fingerprint(experiment))
    # A key that a later version added had no effect before, which is what its default has now.
    added = {key: value for key, value in _defaults(experiment).items() if key not in then}
    changed = [key for key in {**then, **now} if key != free and {**added, **then}.get(key) != now.get(key)]
    if not changed:
        return
    changes = "; ".join(f"{key} was {json.dumps(then.get(key))} and is {json.dumps(now.get(key))}" for key in changed)
    option = experiment.LONGER or f"--{experiment.LENGTH} N makes it longer"
    longer = f"; --resume {folder} {option}" if changed == [experiment.LENGTH] else ""
    raise InputError(
        f"{folder / 'experiment.toml'} was edited after the run began: {changes}; "
        f"restore it to continue, or start a new run{longer}"
    )


def _defaults(experiment: Experiment) -> dict[str, Any]:
    """Return the settings that an experiment of this kind has if none are given, by dotted key."""
    return flat(type(experiment).model_construct().model_dump(mode="json", warnings=False))


def lengthened(folder: Path, experiment: Experiment, key: str, length: int) -> Experiment:
    """Return the same experiment with another length; the run so far must be a valid beginning of it."""
    key = "trials" if (key, experiment.LENGTH) == ("hands", "trials") else key  # --hands serves both
    if key != experiment.LENGTH or experiment.LONGER:
        option = experiment.LONGER or f"--{experiment.LENGTH}"
        known = f"has no {key}, but {option}" if experiment.LENGTH else "has no length to change"
        raise InputError(f"{folder}, of kind {experiment.kind}, {known}")
    now = int(getattr(experiment, key))
    if length < now:
        raise InputError(f"{folder}: expected --{key} of at least {now:,}, got {length:,}: a run cannot be shortened")
    longer = check(experiment.model_dump() | {key: length}, f"--{key} {length}")
    if length > now and (why := experiment.bound_to_length()):
        raise InputError(f"{folder} cannot be made longer: {why}")
    return longer


def joined(folder: Path, experiment: Experiment, newcomers: Sequence[str], before: str | None) -> Experiment:
    """Return the same leaderboard with newcomers at its end; `before` is the fingerprint at the start of the run.

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
    if known := [name for name in newcomers if name in players]:
        raise InputError(f"{known[0]} is already on the board in {folder}: --add takes new players only")
    return check(experiment.model_dump() | {"players": [*players, *newcomers]}, "--add")
