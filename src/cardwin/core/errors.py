"""Errors that the user can correct, each reported in one plain sentence."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Invalid input: the message says what is wrong, where, and what would be right."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for a name that does not exist, with the nearest one that does."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(names) or 'none that exist'}"
    return InputError(f"unknown {kind} {name!r}: {hint}")


def shorten(value: object, most: int = 40) -> str:
    """A value as a short text for an error message."""
    try:
        text = " ".join(str(value).split())
    except Exception:  # very large integers and objects from outside the package may fail to print
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= most else text[: most - 3] + "..."
