"""Tags of a run: short words by which a person groups runs, in the file tags.json of the run's folder."""

import json
from pathlib import Path

from cardwin.core.display import escape_unprintable
from cardwin.core.errors import InputError
from cardwin.core.files import write_atomic

FILE = "tags.json"
MOST = 12
LONGEST = 30
LARGEST = 10_000  # bytes


def of(folder: Path) -> list[str]:
    """A run's tags; none if the file is missing, a link, or not a list of texts."""
    path = folder / FILE
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            return []
        found = json.loads(path.read_text(encoding="utf-8"))
        return checked(found) if isinstance(found, list) else []
    except (OSError, ValueError, RecursionError):  # an InputError is a ValueError
        return []


def checked(given: list[str]) -> list[str]:
    """The tags without repetitions and needless spaces, in the order of the alphabet."""
    found = set()
    for tag in given:
        shown = escape_unprintable(" ".join(str(tag).split())).lower()
        if not 0 < len(shown) <= LONGEST or "," in shown:
            raise InputError(f"a tag has 1 to {LONGEST} characters and no comma, unlike {shown[:40]!r}")
        found.add(shown)
    if len(found) > MOST:
        raise InputError(f"{len(found)} tags: a run has at most {MOST}")
    return sorted(found)


def change(folder: Path, given: list[str]) -> list[str]:
    """Give a run these tags instead of its earlier ones, and return them."""
    found, path = checked(given), folder / FILE
    if path.is_symlink():
        raise InputError(f"{path.name} of {folder.name} is a link: remove it")
    write_atomic(path, (json.dumps(found, ensure_ascii=False) + "\n").encode())
    return found
