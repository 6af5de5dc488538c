"""An experiment as a form: one field for each key of its schema, with its value, type, bounds, help and choices.

A form is made from a preset, or from the experiment of a run that is repeated with changes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, unknown_name
from cardwin.runs import run_folder
from cardwin.runs.experiment import USUAL, check, flat, merged, presets
from cardwin.runs.kinds import kind_of
from cardwin.web.form_help import first_of, help_of, names_of

HIDDEN = ("kind", "about", "save_seconds", "title", "cluster")


def form_of(preset: str) -> dict[str, Any]:
    """The form of a preset: title, kind, and fields in the order of the schema."""
    return {"preset": preset} | _form(preset_values(preset), preset)


def repeat_form(folder: Path) -> dict[str, Any]:
    """The form of a run that is repeated with changes: the values of its experiment, without its seed."""
    return {"run": folder.name} | _form(run_values(folder), folder.name)


def preset_values(preset: str) -> dict[str, Any]:
    """The values of a preset."""
    if preset not in presets():
        raise unknown_name("preset", preset, presets())
    return presets()[preset]


def run_values(folder: Path) -> dict[str, Any]:
    """The values of a run's experiment without its seed."""
    return run_folder.reopen(folder).model_dump(mode="json", exclude_none=True, exclude={"seed"})


def _form(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    kind = values.get("kind", USUAL)
    schema = kind_of(kind).EXPERIMENT.model_json_schema()
    given = flat(check(values, name).model_dump(mode="json"))
    fields = [field for field in _fields(schema, schema["properties"], "", given) if field["key"] not in HIDDEN]
    first = first_of(kind, [field["key"] for field in fields])
    for field in fields:
        field |= {"first": field["key"] in first, "help": help_of(field["key"]), **_names(kind, field)}
    fields.sort(key=lambda field: first.index(field["key"]) if field["first"] else len(first))
    return {"title": values.get("title", ""), "about": values.get("about", ""), "kind": kind, "fields": fields}


def _names(kind: str, field: Mapping[str, Any]) -> dict[str, Any]:
    """The names of the registries as choices, or as suggestions where other texts are valid too."""
    names = [] if field["choices"] else names_of(kind, field["key"])
    if not names:
        return {}
    free = field["key"] == "game" or field["kind"] == "array" or field["value"] not in names
    return {"suggestions": names} if free else {"kind": "choice", "choices": names}


def _fields(
    schema: Mapping[str, Any], properties: Mapping[str, Any], prefix: str, given: Mapping[str, Any]
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, about in properties.items():
        table = schema.get("$defs", {}).get(about.get("$ref", "").rpartition("/")[2])
        if table is not None:
            found += _fields(schema, table["properties"], f"{prefix}{name}.", given)
        elif prefix + name in given:
            found.append(_field(prefix + name, about, given[prefix + name]))
    return found


def _field(key: str, about: Mapping[str, Any], value: Any) -> dict[str, Any]:
    kinds = [about, *about.get("anyOf", [])]
    bounds = {
        ours: one[theirs]
        for ours, theirs in (("least", "minimum"), ("most", "maximum"))
        for one in kinds
        if theirs in one and abs(one[theirs]) < 2**53
    }
    types = [one["type"] for one in kinds if one.get("type") not in (None, "null")]
    choices = next((one["enum"] for one in kinds if "enum" in one), None)
    return {
        "key": key,
        "kind": "choice" if choices else types[0] if types else "string",
        "value": value,
        "choices": choices,
        "optional": any(one.get("type") == "null" for one in kinds),
        **bounds,
    }


def filled(values: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a preset or run, overridden by a form's answers by dotted key."""
    changed = dict(values)
    for key, value in answers.items():
        if not all(key.split(".")) or key in HIDDEN:
            raise InputError(f"{key[:60]!r} is no field of this form")
        change = value
        for part in reversed(key.split(".")):
            change = {part: change}
        changed = merged(changed, change)
    return changed
