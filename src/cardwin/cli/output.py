"""What a command says: its answer on standard output, everything else on standard error."""

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA = 1
_state = {"quiet": False}


def set_quiet(quiet: bool) -> None:
    """Keep notes and progress to ourselves from here on."""
    _state["quiet"] = quiet


def is_quiet() -> bool:
    """Whether only answers are wanted."""
    return _state["quiet"]


def print_json(answer: dict[str, Any]) -> None:
    """The whole answer as one JSON object, with the version of its shape."""
    text = json.dumps({"schema": SCHEMA, **answer}, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:  # another encoding than UTF-8, or a path that is no text
        text = json.dumps({"schema": SCHEMA, **answer}, allow_nan=False)
    print(text)


def note(text: str) -> None:
    """A line on standard error, unless quiet."""
    if not is_quiet():
        print(text, file=sys.stderr)


def console() -> "Console":
    """Standard output with colours where it is a terminal and NO_COLOR is not set."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)
