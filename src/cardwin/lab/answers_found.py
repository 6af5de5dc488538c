"""The answers of all finished runs of one kind."""

from pathlib import Path
from typing import Any

from cardwin.errors import InputError
from cardwin.lab import run_data, run_folder


def answers_of(home: Path, kind: str) -> list[dict[str, Any]]:
    """Every finished run's answer, with the run's name instead of its folder; what cannot be read is left out."""
    found = []
    for folder in run_data.all_under(home):
        try:
            if run_folder.reopen(folder).kind == kind and (answer := run_folder.answer_of(folder)) is not None:
                found.append({**answer, "run": folder.name, "report": None})
        except (InputError, OSError):
            continue
    return found
