"""Errors that the user can correct, each reported in one plain sentence."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Invalid input: the message says what is wrong, where, and what is expected."""


class UnknownNameError(InputError):
    """A name that does not exist: of a game, a player, a preset, a key or a parameter."""


class InvalidActionError(InputError):
    """An action that the rules do not allow in this position."""


class CorruptFileError(InputError):
    """A file that is damaged: its contents do not match its checksum, or its format."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error for a name that does not exist, with the nearest one that does.

    Args:
        kind: what the name refers to, such as `player`.
        name: the name that was received.
        known: the names that exist.

    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(names)}" if names else "there are none"
    return UnknownNameError(f"unknown {kind} {name!r}: {hint}")


def shorten(value: object, max_length: int = 40) -> str:
    """Return a value as a short text for an error message."""
    try:
        text = " ".join(str(value).split())
    except Exception:  # very large integers and objects from outside the package may fail to print
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= max_length else text[: max_length - 3] + "..."
