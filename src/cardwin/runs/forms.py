"""An experiment as a form: one field for each key of its schema, with the preset's value, its type and its bounds."""

from collections.abc import Mapping
from typing import Any

from cardwin.core.errors import InputError, unknown
from cardwin.runs.experiment import USUAL, check, flat, merged, presets
from cardwin.runs.kinds import kind_of

HIDDEN = ("kind", "about", "save_seconds", "title", "cluster")


def form_of(preset: str) -> dict[str, Any]:
    """The form of a preset: title, kind, and fields in the order of the schema."""
    if preset not in presets():
        raise unknown("preset", preset, presets())
    values = presets()[preset]
    kind = values.get("kind", USUAL)
    schema = kind_of(kind).EXPERIMENT.model_json_schema()
    given = flat(check(values, preset).model_dump(mode="json"))
    fields = [field for field in _fields(schema, schema["properties"], "", given) if field["key"] not in HIDDEN]
    return {
        "preset": preset, "title": values.get("title", ""), "about": values.get("about", ""), "kind": kind,
        "fields": fields,
    }  # fmt: skip


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


def filled(preset: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a preset, overridden by a form's answers by dotted key."""
    if preset not in presets():
        raise unknown("preset", preset, presets())
    values: dict[str, Any] = presets()[preset]
    for key, value in answers.items():
        if not all(key.split(".")) or key in HIDDEN:
            raise InputError(f"{key[:60]!r} is no field of this form")
        change = value
        for part in reversed(key.split(".")):
            change = {part: change}
        values = merged(values, change)
    return values
