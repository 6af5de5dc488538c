"""An experiment as a form: one field for each key of its schema, with its value, type, bounds, help and choices.

A form is made from a preset, or from the experiment of a run that is repeated with changes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.experiment import describe_keys
from cardwin.runs import run_folder
from cardwin.runs.experiment import DEFAULT_KIND, check, flat, merged, presets
from cardwin.runs.kinds import kind_of

HIDDEN = ("kind", "about", "save_seconds", "title", "cluster")
FIRST_COUNT = 5  # fields shown first, unless the kind names them


def preset_form(preset: str) -> dict[str, Any]:
    """Return the form of a preset: title, kind, and fields in the order of the schema."""
    return {"preset": preset} | _form(preset_values(preset), preset)


def repeat_form(folder: Path) -> dict[str, Any]:
    """Return the form of a run that is repeated with changes: the values of its experiment, without its seed."""
    return {"run": folder.name} | _form(run_values(folder), folder.name)


def preset_values(preset: str) -> dict[str, Any]:
    """Return the values of a preset."""
    if preset not in presets():
        raise unknown_name("preset", preset, presets())
    return presets()[preset]


def run_values(folder: Path) -> dict[str, Any]:
    """Return the values of a run's experiment without its seed."""
    return run_folder.reopen(folder).model_dump(mode="json", exclude_none=True, exclude={"seed"})


def _form(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    kind = values.get("kind", DEFAULT_KIND)
    model = kind_of(kind).EXPERIMENT
    schema, help_texts = model.model_json_schema(), describe_keys(model)
    settings = flat(check(values, name).model_dump(mode="json"))
    fields = [field for field in _fields(schema, schema["properties"], "", settings) if field["key"] not in HIDDEN]
    keys = [field["key"] for field in fields]
    first = list(model.FIRST_KEYS or keys[:FIRST_COUNT])
    for field in fields:
        key = field["key"]
        # The keys of tables such as `parameters` are free; they share the help of their table.
        help_text = help_texts.get(key) or help_texts.get(key.partition(".")[0], "")
        field |= {"first": key in first, "help": help_text, **_names(kind, field)}
    fields.sort(key=lambda field: first.index(field["key"]) if field["first"] else len(first))
    return {"title": values.get("title", ""), "about": values.get("about", ""), "kind": kind, "fields": fields}


def _names(kind: str, field: Mapping[str, Any]) -> dict[str, Any]:
    """Return registered names as choices, or as suggestions if other texts are valid too."""
    names = [] if field["choices"] else registered_names(kind, field["key"])
    if not names:
        return {}
    free = field["key"] == "game" or field["kind"] == "array" or field["value"] not in names
    return {"suggestions": names} if free else {"kind": "choice", "choices": names}


def registered_names(kind: str, key: str) -> list[str]:
    """Return the names that a key accepts by the registries; empty if there is no list."""
    from cardwin import evolution
    from cardwin.games import GAMES, SMALL_GAMES
    from cardwin.players.network.decision import ACTIVATIONS
    from cardwin.players.network.inputs import ODDS
    from cardwin.players.registry import PLAYERS, champions

    small = kind in ("small-game", "xcs-game")
    robots = [name for name, entry in PLAYERS.items() if not entry.needs_file]
    players = [*robots, *champions()]
    names: dict[str, Sequence[str]] = {
        "searcher": list(evolution.SEARCHERS),
        "population.start": list(evolution.STARTS),
        "search.selection": list(evolution.SELECTIONS),
        "search.crossover": list(evolution.CROSSOVERS),
        "search.mutation": list(evolution.MUTATIONS),
        "hall.replaces": list(evolution.REPLACEMENTS),
        "network.activation": list(ACTIVATIONS),
        "network.odds": list(ODDS),
        "game": [name for name in GAMES if (name in SMALL_GAMES) == small],
        "first.against": ["hall", "population"],
        "second.against": ["hall", "population"],
    }
    if not small:
        names |= dict.fromkeys(("field.robots", "learner"), robots)
        names |= dict.fromkeys(("opponents", "players", "judges", "against"), players)
    return list(names.get(key, ()))


def _fields(
    schema: Mapping[str, Any], properties: Mapping[str, Any], prefix: str, settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    fields: list[dict[str, Any]] = []
    for name, about in properties.items():
        table = schema.get("$defs", {}).get(about.get("$ref", "").rpartition("/")[2])
        if table is not None:
            fields += _fields(schema, table["properties"], f"{prefix}{name}.", settings)
        elif prefix + name in settings:
            fields.append(_field(prefix + name, about, settings[prefix + name]))
    return fields


def _field(key: str, about: Mapping[str, Any], value: Any) -> dict[str, Any]:
    types = [about, *about.get("anyOf", [])]
    bounds = {
        name: schema[keyword]
        for name, keyword in (("min", "minimum"), ("max", "maximum"))
        for schema in types
        if keyword in schema and abs(schema[keyword]) < 2**53
    }
    names = [schema["type"] for schema in types if schema.get("type") not in (None, "null")]
    choices = next((schema["enum"] for schema in types if "enum" in schema), None)
    return {
        "key": key,
        "kind": "choice" if choices else names[0] if names else "string",
        "value": value,
        "choices": choices,
        "optional": any(schema.get("type") == "null" for schema in types),
        **bounds,
    }


def merge_answers(values: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a preset or run, overridden by a form's answers by dotted key."""
    changed = dict(values)
    for key, value in answers.items():
        if not all(key.split(".")) or key in HIDDEN:
            raise InputError(f"invalid field {key[:60]!r}: this form does not have it")
        change = value
        for part in reversed(key.split(".")):
            change = {part: change}
        changed = merged(changed, change)
    return changed
