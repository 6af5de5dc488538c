"""Finding the bots in a folder (without running them), and which of them can be seated.

1. A folder with `commands.json` is a pokerbot, and one with `startme.sh` an ACPC client; neither is searched further.
2. A Python file with a class derived from `BasePokerPlayer` that defines `declare_action` is one of PyPokerEngine.
3. A file `bots.txt` lists others, one specification per line, with paths relative to its own folder.

Bots that cannot be seated are listed with the reason.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cardwin.core.errors import InputError, shorten
from cardwin.games.base import Game
from cardwin.players.registry import check_small
from cardwin.players.sandbox.process import IsolatedPlayer
from cardwin.players.sandbox.walls import require_walls
from cardwin.players.specs import is_program, is_sandboxed

LIST_FILE, COMMANDS, START = "bots.txt", "commands.json", "startme.sh"
BASE, METHOD = "BasePokerPlayer", "declare_action"
MAX_FOLDERS = 5000
MAX_FILE_SIZE = 2_000_000  # bytes of a Python file


@dataclass(frozen=True)
class BotFolder:
    """The specifications of the bots in a folder, and the skipped paths or specifications with their reasons."""

    specs: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]


def find_bots(folder: Path) -> BotFolder:
    """Return the bots of a folder and of its subfolders, in the order of their paths."""
    if not folder.is_dir():
        raise InputError(f"--bots {folder} is not a folder")
    specs, skipped = list[str](), list[tuple[str, str]]()
    waiting, seen = [folder], 0
    while waiting:
        current = waiting.pop(0)
        seen += 1
        if seen > MAX_FOLDERS:
            skipped.append((str(current), f"more than {MAX_FOLDERS} folders: the rest was not searched"))
            break
        try:
            inside = sorted(current.iterdir())
        except OSError as error:
            skipped.append((str(current), str(error.strerror)))
            continue
        names = {path.name for path in inside}
        if COMMANDS in names:
            specs.append(f"pokerbots:{current}")
        elif START in names:
            specs.append(f"acpc:{current / START}")
        else:
            waiting += [path for path in inside if path.is_dir() and not path.is_symlink() and _is_searched(path.name)]
            for file in inside:
                if file.name == LIST_FILE:
                    _read_list(file, specs, skipped)
                elif file.suffix == ".py" and file.is_file():
                    _read_python(file, specs, skipped)
    return BotFolder(tuple(dict.fromkeys(specs)), tuple(skipped))


def find_seatable_bots(
    folder: Path, limit: float | None, allow_weak_sandbox: bool = False, game: Game | None = None
) -> BotFolder:
    """Return the bots of a folder that start: each is started once in its sandbox, and ended again.

    Args:
        folder: The folder to search.
        limit: Seconds for an action, or None.
        allow_weak_sandbox: Whether an incomplete sandbox is accepted.
        game: The small game that they should play, or None for hold'em.

    Raises:
        InputError: the folder does not exist, or the sandbox is incomplete.

    """
    bots = find_bots(folder)
    if not bots.specs:
        return bots
    require_walls(allow_weak_sandbox)
    seatable, skipped = list[str](), list(bots.skipped)
    for spec in bots.specs:
        try:
            if game is not None:
                check_small(spec, game)
            IsolatedPlayer(spec, limit, game="" if game is None else game.name).close()
        except InputError as error:
            skipped.append((spec, str(error).removeprefix(f"{spec}: ")))
        else:
            seatable.append(spec)
    return BotFolder(tuple(seatable), tuple(skipped))


def _is_searched(name: str) -> bool:
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
            skipped.append((f"{file}, {shorten(line)}", "not a specification of a program"))
            continue
        try:
            sandboxed = is_sandboxed(line)
        except InputError as error:
            skipped.append((f"{file}, {shorten(line)}", str(error)))
            continue
        if sandboxed:
            specs.append(_with_folder(line, file.parent))
        else:
            skipped.append((f"{file}, {shorten(line)}", "a remote server is named on the command line, not in a file"))


def _with_folder(spec: str, folder: Path) -> str:
    """Return the specification with its relative paths resolved against the list's folder."""
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
        if file.stat().st_size > MAX_FILE_SIZE:
            return
        text = file.read_text(encoding="utf-8")
        if BASE not in text:
            return
        tree = ast.parse(text)
    except SyntaxError as error:
        skipped.append((str(file), f"line {error.lineno} is not valid in this version of Python: {error.msg}"))
        return
    except (OSError, UnicodeDecodeError, ValueError, RecursionError, MemoryError):
        skipped.append((str(file), "it cannot be read as Python"))
        return
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for bot in (node for node in classes if BASE in _bases(node)):
        if METHOD in {node.name for node in bot.body if isinstance(node, ast.FunctionDef)}:
            specs.append(f"pypokerengine:{file}:{bot.name}")
        else:
            skipped.append((f"{file}, {bot.name}", f"it has no {METHOD}"))


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
