"""Lineage: the ancestors of a champion, as far as the parents of all members were recorded."""

from dataclasses import dataclass

from cardwin.core.trainer import Array
from cardwin.runs.reader import Series

DEPTH = 30


@dataclass(frozen=True)
class Ancestry:
    """The last champion's ancestors: members by generations back (nearest first), and links from child to parent."""

    generation: int
    places: list[list[int]]
    links: list[tuple[int, int, int]]  # generations back, child's index, parent's index

    @property
    def counts(self) -> list[int]:
        """The number of ancestors by generations back."""
        return [len(row) for row in self.places]


def _parents(series: Series) -> dict[int, Array]:
    """The parents of all members (members, 2) by generation, where recorded; -1 means none."""
    rows = series.arrays.get("parents", ())
    return dict(zip(series.generation.tolist(), rows, strict=False))


def ancestry(series: Series, depth: int = DEPTH, from_birth: bool = True) -> Ancestry:
    """The last champion's ancestors, counted from the generation in which it was bred or from the last generation."""
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
    """The generation and index at which a member was bred from two parents, not copied unchanged from one."""
    while generation > 0 and generation in parents:
        known = [int(parent) for parent in parents[generation][place] if parent >= 0]
        if len(known) != 1:
            break
        generation, place = generation - 1, known[0]
    return generation, place
