"""Output of commands: results on standard output, everything else on standard error."""

import json
import logging
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA = 1
_state = {"quiet": False}


def set_quiet(quiet: bool) -> None:
    """Turn notes and progress off or on."""
    _state["quiet"] = quiet


def is_quiet() -> bool:
    """Whether notes and progress are turned off."""
    return _state["quiet"]


def print_json(answer: dict[str, Any]) -> None:
    """Print the answer as one JSON object, with the schema number."""
    text = json.dumps({"schema": SCHEMA, **answer}, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:  # the terminal's encoding is not UTF-8, or a path is not valid text
        text = json.dumps({"schema": SCHEMA, **answer}, allow_nan=False)
    print(text)


def note(text: str) -> None:
    """Print a line to standard error, unless quiet."""
    if not is_quiet():
        print(text, file=sys.stderr)


def console() -> "Console":
    """Standard output, with colours if it is a terminal and NO_COLOR is not set."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


OFFER = "; `cardwin warm` compiles everything at once, in some minutes"


class Offer(logging.Filter):
    """Adds a hint about `cardwin warm` to the message that something is being compiled."""

    wanted = True

    def filter(self, record: logging.LogRecord) -> bool:
        """Extend the message; every record passes."""
        if self.wanted and record.getMessage().endswith("kept on disk"):
            record.msg = f"{record.msg}{OFFER}"
        return True
