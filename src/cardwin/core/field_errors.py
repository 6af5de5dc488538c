"""Errors of pydantic in the words of this package: expected A, got B."""

from typing import TYPE_CHECKING

from cardwin.core.errors import shorten

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

WORDS = {
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "greater than": "more than",
    "valid integer": "whole number",
    "valid ": "",
    "a boolean": "true or false",
    "a string": "a text",
}


def field_error(details: "ErrorDetails") -> str:
    """Return what a field expects and what it received.

    Args:
        details: An error of a pydantic model.

    Returns:
        A text such as `expected at least 1, got -1`.

    """
    if details["type"] == "missing":
        return "required, but missing"
    if details["type"] == "extra_forbidden":
        return "unknown key"
    value = details["input"]
    received = repr(value) if isinstance(value, str) and len(value) < 40 else shorten(value)
    message = details["msg"].removeprefix("Value error, ")
    expected = message.removeprefix("Input should be ")
    if expected == message:
        return message if received in message else f"{message}, got {received}"
    if details["type"] in ("model_type", "dataclass_type", "dict_type"):
        expected = "a table of settings"
    expected = expected.partition(", unable")[0].partition(", got")[0]
    for old, new in WORDS.items():
        expected = expected.replace(old, new)
    return f"expected {expected}, got {received}"
