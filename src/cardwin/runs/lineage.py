"""Where a champion comes from: its ancestors, as far as everybody's parents were recorded."""

from dataclasses import dataclass

from cardwin.core.trainer import Array
from cardwin.runs.reader import Series

DEPTH = 30


@dataclass(frozen=True)
class Ancestry:
    """The last champion's ancestors: places by generations before (nearest first), and each child with its parents."""

    generation: int
    places: list[list[int]]
    links: list[tuple[int, int, int]]  # generations before, child's place, parent's place

    @property
    def counts(self) -> list[int]:
        """How many ancestors there are, by generations before."""
        return [len(row) for row in self.places]


def _parents(series: Series) -> dict[int, Array]:
    """Everybody's parents (members, 2) by generation, where they are known; -1 stands for nobody."""
    rows = series.arrays.get("parents", ())
    return dict(zip(series.generation.tolist(), rows, strict=False))


def ancestry(series: Series, depth: int = DEPTH, from_birth: bool = True) -> Ancestry:
    """The last champion's ancestors, counted from where it was bred or from the last generation."""
    parents = _parents(series)
    generation, place = int(series.generation[-1]), int(series.metrics["place"][-1])
    if from_birth:
        generation, place = _birth(parents, generation, place)
    places: list[list[int]] = [[place]]
    links: list[tuple[int, int, int]] = []
    for before in range(min(depth, generation)):
        if generation - before not in parents:
            break
        known = parents[generation - before]
        pairs = [(child, parent) for child in places[-1] for parent in set(known[child].tolist()) if parent >= 0]
        if not pairs:
            break
        links += [(before, child, parent) for child, parent in pairs]
        places.append(sorted({parent for _, parent in pairs}))
    return Ancestry(generation, places, links)


def _birth(parents: dict[int, Array], generation: int, place: int) -> tuple[int, int]:
    """When and where a member was bred of two parents; until then it, or its one forebear, was only handed on."""
    while generation > 0 and generation in parents:
        known = [int(parent) for parent in parents[generation][place] if parent >= 0]
        if len(known) != 1:
            break
        generation, place = generation - 1, known[0]
    return generation, place
