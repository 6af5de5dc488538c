"""Series of tournaments that can be stopped at any moment, killed even, and resumed to the same result.

A folder holds `tournament.json`, what is played, and a sealed file for every block of tournaments that is done.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from cardwin.arena.match import makers_of
from cardwin.arena.referee import Fault, Report
from cardwin.arena.structure import Structure
from cardwin.arena.tournament import Block, Results, TournamentRecord, Tournaments, blocks_of, play_blocks, record_of
from cardwin.errors import InputError
from cardwin.games.holdem.game import holdem_game
from cardwin.games.parameters import split_spec
from cardwin.lab import checkpoint
from cardwin.lab.trainer import State
from cardwin.players.registry import expand_specs
from cardwin.rng import key_of

SCHEMA = 1
PLAN = "tournament.json"


@dataclass(frozen=True)
class Plan:
    """What is played; specifications as they were given."""

    game: str
    specs: tuple[str, ...]
    tables: int
    seed: int
    structure: Structure
    duplicate: bool
    limit: float | None

    def text(self) -> str:
        """As JSON."""
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=2) + "\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """From JSON; ValueError, KeyError or TypeError where it is none of ours."""
        known: dict[str, Any] = json.loads(text)
        if known.pop("schema") != SCHEMA:
            raise ValueError("another version wrote it")
        structure = Structure(**known.pop("structure"))
        return cls(structure=structure, specs=tuple(known.pop("specs")), **known)


def series_of(plan: Plan) -> tuple[Tournaments, tuple[str, ...]]:
    """The tournaments of a plan, and the names of their players."""
    names = tuple(expand_specs(plan.specs))
    game = holdem_game(*split_spec(plan.game))
    key = key_of(plan.seed, "tournament")
    return Tournaments(game, makers_of(names), key, plan.structure, duplicate=plan.duplicate), names


def begin(folder: Path, plan: Plan) -> None:
    """Make the folder of a series, which must be new or empty."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise InputError(f"{folder} is not empty: name a new folder, or use --resume {folder}")
    checkpoint.write_whole(folder / PLAN, plan.text().encode())


def reopen(folder: Path, specs: Sequence[str] = ()) -> Plan:
    """The plan of a folder. Code of somebody's own is never run on a file's word: the players must be given again."""
    try:
        plan = Plan.read((folder / PLAN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder} holds no tournament: {PLAN} is missing") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder / PLAN} cannot be read: {error}") from None
    if specs and tuple(specs) != plan.specs:
        raise InputError(f"{folder} is a tournament of {' '.join(plan.specs)}: give the same players, or none")
    if not specs and any(spec.startswith("python:") for spec in plan.specs):
        raise InputError(f"{folder} has players of your own: give all players again, {' '.join(plan.specs)}")
    return plan


def play(
    plan: Plan, folder: Path | None = None, workers: int = 1, progress: Callable[[int], None] | None = None
) -> TournamentRecord:
    """Play a plan to its end, from where its folder is if there is one."""
    series, names = series_of(plan)
    blocks = blocks_of(series, plan.tables)
    done = {block.start: _load(folder, block) for block in blocks if folder and _file(folder, block).exists()}
    if progress is not None:
        progress(sum(len(block) for block in blocks if block.start in done))
    missing = [block for block in blocks if block.start not in done]
    for block, played in play_blocks(series, missing, names, plan.limit, workers, progress):
        done[block.start] = played
        if folder is not None:
            _save(folder, block, played)
    return record_of(series, names, plan.seed, [done[block.start] for block in blocks])


def _file(folder: Path, block: range) -> Path:
    return folder / f"block-{block.start:09d}.safetensors"


def _save(folder: Path, block: range, played: Block) -> None:
    results, report = played.results, played.report
    notes = {
        "faults": json.dumps(report.faults),
        "disqualified": json.dumps(report.disqualified),
        "first": json.dumps([asdict(fault) for fault in report.first]),
        "late": json.dumps(sorted(report.late)),
    }
    arrays: State = {
        "place": results.place, "hands": results.hands, "won": results.won, "chips": results.chips
    }  # fmt: skip
    checkpoint.write(_file(folder, block), arrays, notes)


def _load(folder: Path, block: range) -> Block:
    kept = checkpoint.read(_file(folder, block))
    arrays: dict[str, Any] = kept.arrays
    report = Report(
        tuple(json.loads(kept.notes["faults"])),
        tuple(json.loads(kept.notes["disqualified"])),
        tuple(Fault(**fault) for fault in json.loads(kept.notes["first"])),
        frozenset((int(tournament), int(hand)) for tournament, hand in json.loads(kept.notes["late"])),
    )
    return Block(Results(arrays["place"], arrays["hands"], arrays["won"], arrays["chips"]), report)
