"""The four controls at every scale, and their champions: evolved once in a run's folder, then read from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.papers import Context
from cardwin.papers.trials import hand_over, preset_with


@dataclass(frozen=True)
class Size:
    """How large everything is at a scale: of LargeHOF and Baseline; the other two have half of it a population."""

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
    """The sizes that the scale asks for."""
    return SIZES[context.scale]


@dataclass(frozen=True)
class Control:
    """One way to evolve: its preset and the share of the scale's population that each population and hall has."""

    preset: str
    population: float
    hall: float
    champions: tuple[str, ...]

    def changes(self, size: Size) -> dict[str, Any]:
        """What differs from the preset at a scale."""
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
    """The eight who sit at every table: five who look at nothing, and three matrix players.

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
    """The champions' files of one control and seed, by population; evolved unless they lie there already.

    A run that is resumed finds what it had made: the luck of each depends on its names alone.
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
