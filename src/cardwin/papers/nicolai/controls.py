"""The four controls at every scale, and their champions: evolved once in a run's folder, then read from it.

A champion is chosen in a final (`final` of the experiment): fresh tournaments among the last generation and the hall,
halving the field. The document takes the best of the last generation by the tournaments that it was selected in, whose
mean place says more about its cards than about its play.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardwin.papers import Context
from cardwin.papers.evolutions import Evolved, evolve_in
from cardwin.papers.trials import preset_with


@dataclass(frozen=True)
class Size:
    """The sizes at a scale for LargeHOF and Baseline; populations of the other two are half as large.

    `final` is the number of fresh tournaments of the last ones in a final.
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
    """The eight benchmarks at the tables of a seed: five that ignore their cards, and three matrix players.

    The document's matrices were never published: ours are evolved here, at the scale's own size and once for each
    seed, around an expert's matrix (OldBest) and from scratch (OldScratch); OldStart is the expert's matrix itself.
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
    matrices = {
        "OldBest": f"matrix:{best},rollouts=20", "OldScratch": f"matrix:{scratch},rollouts=20",
        "OldStart": "matrix:rollouts=20",
    }  # fmt: skip
    return {**STATIC, **matrices}


def champions(context: Context, name: str, control: Control, number: int) -> Evolved:
    """One evolution of a control, with its champions' files by population."""
    return evolved(context, f"{name}-{number}", control.preset, control.changes(size_of(context)))


def evolved(context: Context, name: str, preset: str, changes: Mapping[str, Any]) -> Evolved:
    """One evolution, in its own folder; its keys depend on its names alone."""
    experiment = preset_with(preset, context.key(name), changes)
    return evolve_in(name, experiment, context.folder / "champions" / name, context.workers)
