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
    """The cycles among decided pairs (better, worse); of several examples, the first in an order of the players."""
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
    """Whether each of three players, all pairs decided, beats exactly one of the others."""
    return all(sum((one, other) in beats for other in three) == 1 for one in three)


def shortest_cycle(players: int, beats: Iterable[Pair]) -> tuple[int, ...]:
    """A shortest cycle of a directed graph, beginning with its lowest player; empty if there is none."""
    beaten: list[list[int]] = [[] for _ in range(players)]
    for better, worse in sorted(beats):
        beaten[better].append(worse)
    found = [cycle for start in range(players) if (cycle := _cycle_from(start, beaten))]
    if not found:
        return ()
    cycle = min(found, key=len)
    lowest = cycle.index(min(cycle))
    return (*cycle[lowest:], *cycle[:lowest])


def _cycle_from(start: int, beaten: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """A shortest cycle through a player, by breadth-first search."""
    before: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        one = waiting.popleft()
        for other in beaten[one]:
            if other == start:
                path = [one]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if other not in before:
                before[other] = one
                waiting.append(other)
    return ()


def cycle_sentence(found: Intransitivity, names: Sequence[str]) -> str:
    """One cycle in words, or that there is none."""
    if found.example:
        steps = ", ".join(f"{names[better]} beats {names[worse]}" for better, worse in found.edges)
        these = "" if len(found.example) == found.players else f" of these {len(found.example)}"
        return f"{steps}: no linear order{these} is meaningful"
    if not found.decided_triples:
        return "no three players have all their pairs decided, so a cycle could not be seen"
    return "no cycle among the decided pairs"


def cycle_counts(found: Intransitivity) -> str:
    """How many pairs are decided and how many of the decided triples are cyclic, in words."""
    pairs = f"{len(found.beats)} of {found.pairs} pairs are decided"
    if found.share is None:
        return pairs
    return f"{pairs}; {found.cyclic_triples} of {found.decided_triples} decided triples are cyclic ({found.share:.0%})"


def cycles_answer(found: Intransitivity, names: Sequence[str]) -> dict[str, Any]:
    """The cycles as JSON; players by name."""
    return {
        "decided_pairs": len(found.beats), "pairs": found.pairs,
        "beats": [[names[better], names[worse]] for better, worse in sorted(found.beats)],
        "decided_triples": found.decided_triples, "cyclic_triples": found.cyclic_triples,
        "cyclic_share": found.share, "example": [names[player] for player in found.example],
        "sentence": cycle_sentence(found, names),
    }  # fmt: skip
