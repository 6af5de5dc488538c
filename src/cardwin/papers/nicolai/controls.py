"""The four controls at every scale, and their champions: evolved once in a run's folder, then read from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.papers import Context
from cardwin.papers.trials import hand_over, preset_with


@dataclass(frozen=True)
class Size:
    """The sizes at a scale for LargeHOF and Baseline; populations of the other two are half as large."""

    population: int
    generations: int
    tournaments: int
    seeds: int
    tables: int


SIZES = {
    "seconds": Size(40, 3, 4, 1, 10),
    "minutes": Size(200, 40, 40, 5, 300),
    "hour": Size(300, 80, 60, 3, 2_000),
    "paper": Size(1_000, 500, 500, 1, 100_000),
}


STATIC = {"Folder": "fold", "Caller": "call", "Raiser": "raise", "Random": "random", "CallOrRaise": "call-or-raise"}
BENCHMARKS = (*STATIC, "OldBest", "OldScratch", "OldStart")


def size_of(context: Context) -> Size:
    """The sizes at the context's scale."""
    return SIZES[context.scale]


@dataclass(frozen=True)
class Control:
    """One experimental condition: its preset, and the sizes of its populations and halls relative to the scale's."""

    preset: str
    population: float
    hall: float
    champions: tuple[str, ...]

    def changes(self, size: Size) -> dict[str, Any]:
        """The changes to the preset at a scale."""
        return {
            "generations": size.generations,
            "tournaments": size.tournaments,
            "population": {"size": round(self.population * size.population)},
            "hall": {"capacity": round(self.hall * size.population)},
        }


CONTROLS = {
    "Baseline": Control("neuro", 1.0, 0.0, ("red",)),
    "SmallHOF": Control("neuro-hof", 0.5, 0.5, ("red",)),
    "LargeHOF": Control("neuro-hof", 1.0, 1.0, ("red",)),
    "HOF2Pop": Control("neuro-2pop", 0.5, 0.5, ("red", "blue")),
}


def benchmarks(context: Context) -> dict[str, str]:
    """The eight benchmarks at every table: five that ignore their cards, and three matrix players.

    The document's matrices were never published: ours are evolved here, at the scale's own size, around an expert's
    matrix (OldBest) and from scratch (OldScratch); OldStart is the expert's matrix itself.
    """
    size = size_of(context)
    changes = {
        "generations": size.generations,
        "tournaments": max(2, size.tournaments // 4),
        "population": {"size": max(10, size.population // 5)},
    }
    best, scratch = (
        evolved(context, name, preset, changes, ("red",))["red"]
        for name, preset in (("old-best", "matrix-start"), ("old-scratch", "matrix-scratch"))
    )
    matrices = {
        "OldBest": f"matrix:{best},rollouts=20", "OldScratch": f"matrix:{scratch},rollouts=20",
        "OldStart": "matrix:rollouts=20",
    }  # fmt: skip
    return {**STATIC, **matrices}


def champions(context: Context, name: str, control: Control, number: int) -> dict[str, Path]:
    """The champions' files of one control and seed, by population; evolved unless the files exist.

    A resumed run finds the files it made: the keys of each depend on its names alone.
    """
    return evolved(context, f"{name}-{number}", control.preset, control.changes(size_of(context)), control.champions)


def evolved(
    context: Context, name: str, preset: str, changes: Mapping[str, Any], populations: tuple[str, ...]
) -> dict[str, Path]:
    """The champions' files of one evolution."""
    folder = context.folder / "champions" / name
    suffix = ".json" if preset.startswith("matrix") else ".safetensors"
    files = {population: folder / f"{population}{suffix}" for population in populations}
    if all(path.is_file() for path in files.values()):
        return files
    folder.mkdir(parents=True, exist_ok=True)
    hand_over(preset_with(preset, context.key(name), changes), folder, context.workers)
    return files
