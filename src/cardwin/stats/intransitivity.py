"""Intransitivity: cycles among the decided pairs of a round robin, such as rock, paper, scissors.

1. A pair is decided if one player beats the other clear of zero, corrected for the number of pairs.
2. A triple is decided if its three pairs are. It is cyclic if each of its players beats one of the other two (Kendall
   and Babington Smith 1940). If players are ordered by strength, no triple is cyclic; if every pair were decided by a
   coin, a quarter of them would be.
3. One shortest cycle of decided pairs is the example: a triple if there is a cyclic one. A longer cycle can exist
   without any, if pairs across it are undecided.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

Pair = tuple[int, int]


@dataclass(frozen=True)
class Intransitivity:
    """The decided pairs (better, worse) of a round robin, and its cycles.

    `example` is one shortest cycle, in which each player beats the next and the last one beats the first; empty if
    there is none.
    """

    players: int
    beats: frozenset[Pair]
    decided_triples: int
    cyclic_triples: int
    example: tuple[int, ...]

    @property
    def pairs(self) -> int:
        """The number of pairs, decided or not."""
        return self.players * (self.players - 1) // 2

    @property
    def share(self) -> float | None:
        """The share of cyclic triples among decided ones; None if no triple is decided."""
        return self.cyclic_triples / self.decided_triples if self.decided_triples else None

    @property
    def edges(self) -> list[Pair]:
        """The pairs (better, worse) of the example."""
        return list(zip(self.example, (*self.example[1:], *self.example[:1]), strict=True))


def intransitivity(players: int, beats: Iterable[Pair], order: Sequence[int] = ()) -> Intransitivity:
    """Compute the cycles among decided pairs.

    Args:
        players: the number of players.
        beats: decided pairs (better, worse).
        order: of several examples, the first in this order of the players is chosen.

    """
    decided = frozenset(beats)
    rank = {player: number for number, player in enumerate(order or range(players))}
    example = shortest_cycle(players, {(rank[better], rank[worse]) for better, worse in decided})
    triples = [
        three
        for three in combinations(range(players), 3)
        if all((a, b) in decided or (b, a) in decided for a, b in combinations(three, 2))
    ]
    cyclic = sum(_is_cyclic(three, decided) for three in triples)
    players_of = list(rank)
    return Intransitivity(players, decided, len(triples), cyclic, tuple(players_of[number] for number in example))


def _is_cyclic(three: Sequence[int], beats: frozenset[Pair]) -> bool:
    """Return whether each of three players, all pairs decided, beats exactly one of the others."""
    return all(sum((player, other) in beats for other in three) == 1 for player in three)


def shortest_cycle(players: int, beats: Iterable[Pair]) -> tuple[int, ...]:
    """Return a shortest cycle of a directed graph, beginning with its lowest player; empty if there is none."""
    beaten: list[list[int]] = [[] for _ in range(players)]
    for better, worse in sorted(beats):
        beaten[better].append(worse)
    cycles = [cycle for start in range(players) if (cycle := _cycle_from(start, beaten))]
    if not cycles:
        return ()
    cycle = min(cycles, key=len)
    lowest = cycle.index(min(cycle))
    return (*cycle[lowest:], *cycle[:lowest])


def _cycle_from(start: int, beaten: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return a shortest cycle through a player, by breadth-first search."""
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        player = queue.popleft()
        for other in beaten[player]:
            if other == start:
                path = [player]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if other not in before:
                before[other] = player
                queue.append(other)
    return ()


def cycle_sentence(cycles: Intransitivity, names: Sequence[str]) -> str:
    """Return one cycle in words, or that there is none."""
    if cycles.example:
        steps = ", ".join(f"{names[better]} beats {names[worse]}" for better, worse in cycles.edges)
        these = "" if len(cycles.example) == cycles.players else f" of these {len(cycles.example)}"
        return f"{steps}: no linear order{these} is meaningful"
    if not cycles.decided_triples:
        return "no three players have all their pairs decided, so a cycle could not be seen"
    return "no cycle among the decided pairs"


def cycle_counts(cycles: Intransitivity) -> str:
    """Return in words how many pairs are decided and how many of the decided triples are cyclic."""
    pairs = f"{len(cycles.beats)} of {cycles.pairs} pairs are decided"
    if cycles.share is None:
        return pairs
    return (
        f"{pairs}; {cycles.cyclic_triples} of {cycles.decided_triples} decided triples are cyclic ({cycles.share:.0%})"
    )


def cycles_answer(cycles: Intransitivity, names: Sequence[str]) -> dict[str, Any]:
    """Return the cycles as JSON; players by name."""
    return {
        "decided_pairs": len(cycles.beats),
        "pairs": cycles.pairs,
        "beats": [[names[better], names[worse]] for better, worse in sorted(cycles.beats)],
        "decided_triples": cycles.decided_triples,
        "cyclic_triples": cycles.cyclic_triples,
        "cyclic_share": cycles.share,
        "example": [names[player] for player in cycles.example],
        "sentence": cycle_sentence(cycles, names),
    }
