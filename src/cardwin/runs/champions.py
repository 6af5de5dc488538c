"""Look up champions of runs by name.

`champion:RUN/FILE` is a file in a run's champions folder, and `champion:RUN/FILE/STYLE` a network of an atlas there. A
name is compared with the existing files; it is never joined to a path.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError, shorten, unknown_name
from cardwin.runs import reader, run_folder

PREFIX = "champion:"
LARGEST = 50_000_000


@dataclass(frozen=True)
class RunChampion:
    """A champion file of a run.

    Attributes:
        spec: Its name.
        local_spec: The specification that builds the player on this machine.
        run: The run's name.
        game: The small game of the policy in the file, or None for a hold'em player.

    """

    spec: str
    local_spec: str
    run: str
    game: str | None


def first_champion(folder: Path) -> Path:
    """Return the main champion file of a finished run."""
    if not reader.is_run(folder):
        raise InputError(f"{folder} is not a run folder: expected one of those that `cardwin runs` lists")
    answer = run_folder.answer_of(folder)
    if answer is None:
        raise InputError(f"{folder} is not finished: {run_folder.resume_command(folder)} finishes it")
    if not answer.get("champions"):
        raise InputError(f"{folder}, of kind {run_folder.reopen(folder).kind}, writes no champions")
    file = Path(answer["champions"][0])
    if not file.is_file():
        again = f"{run_folder.resume_command(folder)} writes it again from the last checkpoint"
        raise InputError(f"{file} is missing: {again}" if run_folder.checkpoints_in(folder) else f"{file} is missing")
    return file


def run_champions(home: Path) -> list[RunChampion]:
    """Return the champions of all runs in a folder."""
    return [champion for run in reader.all_under(home) for champion in _of_run(run)]


def champion(home: Path, spec: str) -> RunChampion:
    """Return the champion that `champion:RUN/FILE` names.

    Args:
        home: The folder of the runs.
        spec: The name.

    Raises:
        InputError: If there is no such run or champion.

    """
    name, slash, _ = spec.removeprefix(PREFIX).partition("/")
    runs = {run.name: run for run in reader.all_under(home)}
    if not slash or name not in runs:
        raise unknown_name("run", shorten(name), runs)
    if (in_atlas := _in_atlas(runs[name], spec)) is not None:
        return in_atlas
    champions = {champion.spec: champion for champion in _of_run(runs[name])}
    if spec not in champions:
        raise unknown_name("champion", shorten(spec), champions)
    return champions[spec]


def _of_run(run: Path) -> list[RunChampion]:
    files = sorted((run / "champions").glob("*")) if (run / "champions").is_dir() else []
    return [champion for file in files if (champion := _read(run, file)) is not None]


def _in_atlas(run: Path, spec: str) -> RunChampion | None:
    """Return the network of a style in an atlas of a run, or None if the name has another form."""
    from cardwin.players.network.atlas import ATLAS_SUFFIX, STYLE

    name, _, style = spec.removeprefix(f"{PREFIX}{run.name}/").rpartition("/")
    files = {file.name: file for file in (run / "champions").glob(f"*{ATLAS_SUFFIX}")}
    if name not in files or not STYLE.fullmatch(style):
        return None
    file = files[name]
    if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST:
        return None
    return RunChampion(spec, f"net:file={file}/{style}", run.name, None)


def _read(run: Path, file: Path) -> RunChampion | None:
    """Return the champion in a file, or None if the file is not a playable Cardwin file."""
    from cardwin.players.registry import PLAYERS, kind_of_file

    if file.is_symlink() or not file.is_file() or (now := file.stat()).st_size > LARGEST:
        return None
    game, name = _game_and_player(file, (now.st_mtime_ns, now.st_size, now.st_ino))
    spec = f"{PREFIX}{run.name}/{file.name}"
    if game is not None:
        return RunChampion(spec, str(file), run.name, game)
    kind = kind_of_file(name)
    # Rules of a problem or of a small game have another suffix: they play no hold'em.
    if kind is not None and "file" in PLAYERS[kind].parameters and file.suffix == (PLAYERS[kind].suffix or file.suffix):
        return RunChampion(spec, f"{kind}:file={file}", run.name, None)
    return None


@lru_cache(maxsize=10_000)
def _game_and_player(file: Path, stamp: tuple[int, ...]) -> tuple[str | None, str]:  # noqa: ARG001  see below
    """Return the small game of the policy in a file, if it has one, and the player that it names.

    The page lists the champions of all runs often: a file is read again only if its stamp has changed.
    """
    about = _about(file)
    game = about.get("game") if isinstance(about.get("seats"), dict) else None
    return (game if isinstance(game, str) else None), str(about.get("player"))


def _about(file: Path) -> dict[str, Any]:
    """Return the file's metadata: the whole of a JSON file, the header of a safetensors file."""
    try:
        if file.suffix == ".json":
            read = json.loads(file.read_text(encoding="utf-8"))
            return read if isinstance(read, dict) else {}
        if file.suffix in (".safetensors", ".xcs"):
            with file.open("rb") as opened:
                size = int.from_bytes(opened.read(8), "little")
                header = json.loads(opened.read(size)) if size < LARGEST else {}
            return dict(header.get("__metadata__", {}))
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}
    return {}
