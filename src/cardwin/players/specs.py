"""Specifications of players as texts: which are programs of other people, which need the sandbox, and their files.

A program is `KIND:TARGET[,OPTION=VALUE]...`. Its folder is copied into the sandbox under the name `program`; `inside`
is the specification as it reads there. Nothing is built here: see `registry` and `builders`.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cardwin.core.errors import InputError, shorten

PROGRAM = "program"  # the folder of the program's files inside the sandbox
FOR_ALL = 0o5  # the bits of a folder that everybody may list and enter
MOST_TEXT = 2000  # characters of a specification
MOST_PLAYERS = 1_000_000
TIME_LIMIT = 2.0  # seconds an action, for untrusted players


@dataclass(frozen=True)
class Untrusted:
    """How players from outside the package are run.

    Attributes:
        time_limit: Seconds for an action; None or 0 means no limit.
        in_process: Whether `python:` players run in this process, which only trusted code should.
        allow_weak_sandbox: Whether an incomplete sandbox is accepted.
        time_bank: Seconds for all actions in 1,000 hands at a table; 0 means no limit.

    """

    time_limit: float | None = TIME_LIMIT
    in_process: bool = False
    allow_weak_sandbox: bool = False
    time_bank: float = 0.0

    @property
    def limit(self) -> float | None:
        """Seconds for an action, or None."""
        return self.time_limit or None

    def uses_sandbox(self, spec: str) -> bool:
        """Return whether a player is started in the sandbox; programs of other people always are."""
        return needs_sandbox(spec) and (not self.in_process or is_program(spec))


TRUSTED = Untrusted(None, in_process=True)
IN_PROCESS = Untrusted(in_process=True)


@dataclass(frozen=True)
class ProgramKind:
    """A protocol that connects programs of other people.

    Attributes:
        form: How a specification is written.
        title: A description for lists.
        adapter: Where the adapter is loaded from, as `module:name`.
        options: Names of the protocol's options.
        socket: Whether the program connects to us by a socket.
        small_games: Whether it also plays Kuhn poker and Leduc hold'em.

    """

    form: str
    title: str
    adapter: str
    options: tuple[str, ...] = ()
    socket: bool = False
    small_games: bool = False


PROGRAM_KINDS: dict[str, ProgramKind] = {
    "acpc": ProgramKind(
        "acpc:COMMAND or acpc:PORT",
        "a client of the Annual Computer Poker Competition, started by a command or connecting to a port",
        "cardwin.players.adapters.acpc:start_client",
        ("folder", "game", "wait"),
        socket=True,
        small_games=True,
    ),
    "pokerbots": ProgramKind(
        "pokerbots:FOLDER",
        "a bot for the MIT Pokerbots engine, a folder with commands.json",
        "cardwin.players.adapters.pokerbots:Pokerbot",
        ("stack", "blinds", "hands", "clock"),
        socket=True,
    ),
    "pypokerengine": ProgramKind(
        "pypokerengine:FILE:CLASS",
        "a BasePokerPlayer of PyPokerEngine, or a function that makes one",
        "cardwin.players.adapters.pypokerengine:PyPokerEnginePlayer",
        ("folder", "rounds"),
    ),
    "pettingzoo": ProgramKind(
        "pettingzoo:MODULE:POLICY",
        "a function from an observation and a mask to the number of an action",
        "cardwin.players.adapters.pettingzoo:PettingZooPolicy",
        small_games=True,
    ),
    "openspiel": ProgramKind(
        "openspiel:MODULE:BOT",
        "a pyspiel.Bot, or a policy by information state",
        "cardwin.players.adapters.openspiel:OpenSpielBot",
        small_games=True,
    ),
    "http": ProgramKind(
        "http:URL",
        "a server that answers a JSON request for each decision",
        "cardwin.players.adapters.http_json:JsonServer",
        small_games=True,
    ),
}


@dataclass(frozen=True)
class ProgramSpec:
    """A specification: its kind, what it names, and the texts of its options."""

    kind: str
    target: str
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str, default: str = "") -> str:
        """Return the text of an option."""
        return dict(self.options).get(name, default)

    def int_option(self, name: str, default: int, maximum: int) -> int:
        """Return an option that is a whole number from 1 to a maximum."""
        text = self.option(name, str(default))
        if not text.isdecimal() or len(text) > 12 or not 1 <= int(text) <= maximum:
            raise InputError(f"invalid {self.kind} {name}={shorten(text)}: expected a whole number from 1 to {maximum}")
        return int(text)

    @property
    def text(self) -> str:
        """The specification."""
        return ",".join([f"{self.kind}:{self.target}", *(f"{name}={value}" for name, value in self.options)])


def is_untrusted(spec: str) -> bool:
    """Return whether the player is a program that is not part of this package."""
    return spec.startswith("python:") or is_program(spec)


def needs_sandbox(spec: str) -> bool:
    """Return whether the player is an untrusted program that we start, and not a server elsewhere."""
    return is_untrusted(spec) and (not is_program(spec) or is_sandboxed(spec))


def expand_specs(specs: Sequence[str]) -> list[str]:
    """Return the specifications with `random*3` expanded to three."""
    expanded: list[str] = []
    for spec in specs:
        name, times, count = spec.rpartition("*")
        if not times:
            expanded.append(spec)
        elif count.isdecimal() and 1 <= int(count) <= MOST_PLAYERS:
            expanded += [name] * int(count)
        else:
            raise InputError(f"{spec!r}: a player times a number from 1 to {MOST_PLAYERS}, such as random*3")
    return expanded


def is_program(spec: str) -> bool:
    """Return whether a specification names a program of one of these kinds."""
    return spec.partition(":")[0] in (*PROGRAM_KINDS, "https") and ":" in spec


def read_program(spec: str) -> ProgramSpec:
    """Return the parts of a specification; an error says what its form is."""
    name, _, rest = spec.partition(":")
    if name in ("http", "https"):
        url = rest if rest.startswith(("http://", "https://")) else spec
        if not url.startswith(("http://", "https://")):
            raise InputError(f"{shorten(spec)}: http:URL is needed, such as http://127.0.0.1:8000/act")
        return ProgramSpec("http", url)
    kind, options = PROGRAM_KINDS[name], list[tuple[str, str]]()
    while (head := rest.rpartition(","))[1] and head[2].partition("=")[0] in kind.options and "=" in head[2]:
        option, _, value = head[2].partition("=")
        options.insert(0, (option, value))
        rest = head[0]
    if not rest.strip() or len(spec) > MOST_TEXT:
        raise InputError(f"{shorten(spec)}: {kind.form} is needed{_options(kind)}")
    if name in ("pypokerengine", "pettingzoo", "openspiel") and not all(rest.rpartition(":")[::2]):
        raise InputError(f"{shorten(spec)}: {kind.form} is needed{_options(kind)}")
    return ProgramSpec(name, rest, tuple(options))


def _options(kind: ProgramKind) -> str:
    return f", then the options {', '.join(f'{name}=…' for name in kind.options)}" if kind.options else ""


def is_sandboxed(spec: str) -> bool:
    """Return whether we start the program, in the sandbox; a server elsewhere is not sandboxed."""
    read = read_program(spec)
    return read.kind != "http" and not (read.kind == "acpc" and read.target.isdecimal())


def waits_for_client(spec: str) -> bool:
    """Return whether each such player is a client that connects to us, so that none can be built only as a check."""
    return is_program(spec) and read_program(spec).kind == "acpc" and not is_sandboxed(spec)


def needs_socket(spec: str) -> bool:
    """Return whether the program connects to a port, for which the sandbox has its own loopback address."""
    return is_program(spec) and PROGRAM_KINDS[read_program(spec).kind].socket


def is_module(spec: str) -> bool:
    """Return whether the specification names a Python module, found as an import would find it."""
    return not is_program(spec) or read_program(spec).kind in ("pettingzoo", "openspiel")


def program_files(spec: str) -> list[tuple[str, str]]:
    """Return the program's files or folder, by their names in the sandbox.

    Raises:
        InputError: the folder is missing, or it contains the current folder.

    """
    folder = _folder(read_program(spec))
    if Path.cwd().resolve().is_relative_to(folder):
        if read_program(spec).kind != "pypokerengine":
            raise InputError(
                f"{shorten(spec)}: {folder} contains the current folder, so the program would see the runs there: "
                "start elsewhere"
            )
        return sorted((f"{PROGRAM}/{file.name}", str(file)) for file in folder.glob("*.py") if file.is_file())
    # The sandbox has another user: it can enter a folder that only we can enter if it is made there anew.
    if folder.stat().st_mode & FOR_ALL != FOR_ALL:
        return sorted((f"{PROGRAM}/{file.name}", str(file)) for file in folder.iterdir())
    return [(PROGRAM, str(folder))]


def inside(spec: str) -> str:
    """Return the specification as it reads in the sandbox, where the program's folder is `program`."""
    read = read_program(spec)
    folder = _folder(read)
    options = tuple((name, PROGRAM if name == "folder" else value) for name, value in read.options)
    if read.kind == "pokerbots":
        return replace(read, target=PROGRAM, options=options).text
    if read.kind == "pypokerengine":
        file, _, name = read.target.rpartition(":")
        return replace(read, target=f"{PROGRAM}/{_within(file, folder)}:{name}", options=options).text
    game = read.option("game")
    words = [_within(word, folder) if _is_file(word) else word for word in shlex.split(read.target)]
    options = tuple((name, _within(game, folder) if name == "game" else value) for name, value in options)
    return replace(read, target=shlex.join(words), options=options).text


def _is_file(word: str) -> bool:
    return ("/" in word or "." in word) and Path(word).exists()


def _within(file: str, folder: Path) -> str:
    """Return the file's path below the folder."""
    path = Path(file).resolve()
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else file


def _folder(read: ProgramSpec) -> Path:
    """Return the folder whose files the program needs."""
    folder = read.option("folder") or (read.target if read.kind == "pokerbots" else "")
    if folder:
        if not Path(folder).is_dir():
            option = "folder=" if read.option("folder") else "pokerbots:"
            raise InputError(f"{option}{shorten(folder)}: there is no such folder")
        return Path(folder).resolve()
    if read.kind == "pypokerengine":
        file = Path(read.target.rpartition(":")[0])
        if not file.is_file():
            form = PROGRAM_KINDS["pypokerengine"].form
            raise InputError(f"pypokerengine:{shorten(file)}: there is no such file; {form}")
        return file.resolve().parent
    files = [Path(word) for word in command_words(read) if _is_file(word)]
    if not files:
        raise InputError(
            f"acpc:{shorten(read.target)}: no word of the command is a file; name the program's file, or a port"
        )
    return files[0].resolve().parent if files[0].is_file() else files[0].resolve()


def command_words(read: ProgramSpec) -> list[str]:
    """Return the words of a command."""
    try:
        return shlex.split(read.target)
    except ValueError as error:
        raise InputError(f"acpc:{shorten(read.target)}: the command cannot be read, {error}") from None
