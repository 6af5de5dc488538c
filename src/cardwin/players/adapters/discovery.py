"""Finds the bots in a folder, without running anything of them.

1. A folder with `commands.json` is a pokerbot, and one with `startme.sh` an ACPC client; neither is searched further.
2. A Python file with a class derived from `BasePokerPlayer` that defines `declare_action` is one of PyPokerEngine.
3. A file `bots.txt` names others, a specification a line, with paths from its own folder.

What looks like a bot and cannot be seated is listed with the reason.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cardwin.core.errors import InputError, shorten
from cardwin.players.specs import is_program, is_sandboxed

LIST, COMMANDS, START = "bots.txt", "commands.json", "startme.sh"
BASE, METHOD = "BasePokerPlayer", "declare_action"
MOST_FOLDERS = 5000
LARGEST_FILE = 2_000_000  # bytes of a Python file


@dataclass(frozen=True)
class Found:
    """The specifications of the bots in a folder, and what was skipped: a path and a reason each."""

    specs: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]


def find_bots(folder: Path) -> Found:
    """The bots of a folder and of those below it, in the order of their paths."""
    if not folder.is_dir():
        raise InputError(f"--bots {folder} is not a folder")
    specs, skipped = list[str](), list[tuple[str, str]]()
    waiting, seen = [folder], 0
    while waiting:
        place = waiting.pop(0)
        seen += 1
        if seen > MOST_FOLDERS:
            skipped.append((str(place), f"more than {MOST_FOLDERS} folders: the rest was not searched"))
            break
        try:
            inside = sorted(place.iterdir())
        except OSError as error:
            skipped.append((str(place), str(error.strerror)))
            continue
        names = {one.name for one in inside}
        if COMMANDS in names:
            specs.append(f"pokerbots:{place}")
        elif START in names:
            specs.append(f"acpc:{place / START}")
        else:
            waiting += [one for one in inside if one.is_dir() and not one.is_symlink() and _searched(one.name)]
            for one in inside:
                if one.name == LIST:
                    _read_list(one, specs, skipped)
                elif one.suffix == ".py" and one.is_file():
                    _read_python(one, specs, skipped)
    return Found(tuple(dict.fromkeys(specs)), tuple(skipped))


def _searched(name: str) -> bool:
    return not name.startswith(".") and name not in ("__pycache__", "node_modules", "site-packages")


def _read_list(file: Path, specs: list[str], skipped: list[tuple[str, str]]) -> None:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        skipped.append((str(file), "it cannot be read as text"))
        return
    for line in (line.strip() for line in lines):
        if not line or line.startswith("#"):
            continue
        if not is_program(line):
            skipped.append((f"{file}, {shorten(line)}", "no specification of a program"))
            continue
        try:
            walled = is_sandboxed(line)
        except InputError as error:
            skipped.append((f"{file}, {shorten(line)}", str(error)))
            continue
        if walled:
            specs.append(_from_here(line, file.parent))
        else:
            skipped.append(
                (f"{file}, {shorten(line)}", "a server elsewhere is named on the command line, not in a file")
            )


def _from_here(spec: str, folder: Path) -> str:
    """The specification with its relative paths from the list's folder."""
    kind, _, rest = spec.partition(":")
    parts = []
    for part in rest.split(","):
        name, equals, value = part.partition("=")
        words = (value if equals else part).split(" ")
        moved = " ".join(str(folder / word) if word and (folder / word).exists() else word for word in words)
        if kind == "pypokerengine" and not equals:
            file, colon, cls = part.rpartition(":")
            moved = f"{folder / file}{colon}{cls}"
        parts.append(f"{name}={moved}" if equals else moved)
    return f"{kind}:{','.join(parts)}"


def _read_python(file: Path, specs: list[str], skipped: list[tuple[str, str]]) -> None:
    """Add the players of a Python file, found in its syntax tree."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            return
        text = file.read_text(encoding="utf-8")
        if BASE not in text:
            return
        tree = ast.parse(text)
    except SyntaxError as error:
        skipped.append((str(file), f"line {error.lineno} is no Python of this version: {error.msg}"))
        return
    except (OSError, UnicodeDecodeError, ValueError, RecursionError, MemoryError):
        skipped.append((str(file), "it cannot be read as Python"))
        return
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    bots = [one for one in classes if BASE in _bases(one)]
    for one in bots:
        if METHOD in {node.name for node in one.body if isinstance(node, ast.FunctionDef)}:
            specs.append(f"pypokerengine:{file}:{one.name}")
        else:
            skipped.append((f"{file}, {one.name}", f"it has no {METHOD}"))


def _bases(one: ast.ClassDef) -> Iterator[str]:
    for base in one.bases:
        yield base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
