"""The four controls at every scale, and their champions: evolved once in a run folder, then read from it.

A champion is chosen in a final (`final` of the experiment): fresh tournaments among the last generation and the hall
that halve the field. The document takes the best of the last generation by the tournaments of its selection, in which
the mean place depends more on cards than on play.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardwin.papers import Context
from cardwin.papers.evolutions import Evolved, evolve_in_folder, preset_with


@dataclass(frozen=True)
class Size:
    """The sizes at a scale for LargeHOF and Baseline; populations of the other two are half as large.

    Attributes:
        population: The members.
        generations: The generations.
        tournaments: The tournaments per generation.
        seeds: The evolutions of each control.
        tables: The duplicate tables of each champion.
        final: The fresh tournaments of the last members in a final.

    """

    population: int
    generations: int
    tournaments: int
    seeds: int
    tables: int
    final: int


SIZES = {
    "seconds": Size(40, 3, 4, 1, 10, 8),
    "minutes": Size(200, 40, 40, 5, 300, 200),
    "hour": Size(300, 80, 60, 3, 2_000, 2_000),
    "paper": Size(1_000, 500, 500, 1, 100_000, 2_000),
}
STATIC = {"Folder": "fold", "Caller": "call", "Raiser": "raise", "Random": "random", "CallOrRaise": "call-or-raise"}
BENCHMARKS = (*STATIC, "OldBest", "OldScratch", "OldStart")


def size_of(context: Context) -> Size:
    """Return the sizes at the context's scale."""
    return SIZES[context.scale]


@dataclass(frozen=True)
class Control:
    """One experimental condition: its preset, and the sizes of its populations and halls relative to the scale's."""

    preset: str
    population: float
    hall: float
    champions: tuple[str, ...]

    def changes(self, size: Size) -> dict[str, Any]:
        """Return the changes to the preset at a scale."""
        return {
            "generations": size.generations,
            "tournaments": size.tournaments,
            "final": size.final,
            "population": {"size": round(self.population * size.population)},
            "hall": {"capacity": round(self.hall * size.population)},
        }


CONTROLS = {
    "Baseline": Control("neuro", 1.0, 0.0, ("red",)),
    "SmallHOF": Control("neuro-hof", 0.5, 0.5, ("red",)),
    "LargeHOF": Control("neuro-hof", 1.0, 1.0, ("red",)),
    "HOF2Pop": Control("neuro-2pop", 0.5, 0.5, ("red", "blue")),
}


def champion_names(name: str, control: Control) -> list[str]:
    """Return the names of a control's champions, one per population."""
    return [name] if len(control.champions) == 1 else [f"{name} {color}" for color in control.champions]


def benchmarks(context: Context, number: int) -> dict[str, str]:
    """Return the eight benchmarks at the tables of a seed: five that ignore their cards, and three matrix players.

    The document's matrices were never published. Ours are evolved here, at the scale's size and once per seed, around
    an expert's matrix (OldBest) and from scratch (OldScratch). OldStart is the expert's matrix itself.

    Args:
        context: The context of the experiment.
        number: The number of the seed.

    Returns:
        The players' specifications by name.

    """
    size = size_of(context)
    changes = {
        "generations": size.generations,
        "tournaments": max(2, size.tournaments // 4),
        "population": {"size": max(10, size.population // 5)},
    }
    best, scratch = (
        evolved(context, f"{name}-{number}", preset, changes).champions["red"]
        for name, preset in (("old-best", "matrix-start"), ("old-scratch", "matrix-scratch"))
    )
    return {
        **STATIC,
        "OldBest": f"matrix:{best},rollouts=20",
        "OldScratch": f"matrix:{scratch},rollouts=20",
        "OldStart": "matrix:rollouts=20",
    }


def champions(context: Context, name: str, control: Control, number: int) -> Evolved:
    """Run one evolution of a control, or read it if it is finished."""
    return evolved(context, f"{name}-{number}", control.preset, control.changes(size_of(context)))


def evolved(context: Context, name: str, preset: str, changes: Mapping[str, Any]) -> Evolved:
    """Run one evolution in its own folder, or read it if it is finished; its keys depend on its name alone."""
    experiment = preset_with(preset, context.key(name), changes)
    return evolve_in_folder(name, experiment, context.folder / "champions" / name, context.workers)
