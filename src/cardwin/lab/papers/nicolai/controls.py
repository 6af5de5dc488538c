"""The four controls at every scale, and their champions: evolved once in a run's folder, then read from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwin.executor import executor_of
from cardwin.lab.kinds import kind_of
from cardwin.lab.papers import Context
from cardwin.lab.papers.trials import preset_with
from cardwin.lab.run import run_key
from cardwin.rng import child


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
    "minutes": Size(200, 40, 40, 2, 300),
    "hour": Size(400, 150, 100, 3, 3_000),
    "paper": Size(1_000, 500, 500, 1, 100_000),
}


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
    files = {population: folder / f"{population}.safetensors" for population in populations}
    if all(path.is_file() for path in files.values()):
        return files
    folder.mkdir(parents=True, exist_ok=True)
    experiment = preset_with(preset, context.key(name), changes)
    with executor_of(context.workers) as executor:
        trainer = kind_of(experiment.kind).trainer(experiment, executor, folder)
        for step in range(experiment.steps):
            trainer.step(child(run_key(experiment), step))
        trainer.write_champions(folder)
    return files
