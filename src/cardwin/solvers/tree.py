"""A small game enumerated once into flat arrays, from which all exact results are computed.

A sequence is what one seat has done so far: an information set and the action taken there; sequence 0 is the empty
one (Koller, Megiddo and von Stengel 1996). An information set has one parent sequence and a range of own sequences,
one for each action. Chips are bilinear in the two seats' plans over sequences, so a game is a sparse matrix.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import InputError
from cardwin.games.base import CHANCE, NOBODY, Action, Game, State

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MOST_NODES = 1_000_000


@dataclass(frozen=True)
class Sequences:
    """One seat's sequences in a tree, with its information sets and genes.

    layout: (infosets, 3) parent sequence, first own sequence, number of actions; parents come before children.
    gene: (sequences,) the gene of going beyond this action, or -1 for the empty sequence and each last action.
    rows, columns, weights: this seat's chips as a sparse matrix over (own sequence, other's sequence).
    """

    infosets: tuple[str, ...]
    actions: tuple[tuple[Action, ...], ...]
    gene_names: tuple[str, ...]
    layout: Ints
    gene: Ints
    rows: Ints
    columns: Ints
    weights: Floats

    @cached_property
    def count(self) -> int:
        """The number of sequences, with the empty one."""
        return len(self.gene)

    @property
    def genes(self) -> int:
        """The number of genes of a strategy of this seat."""
        return len(self.gene_names)


@dataclass(frozen=True)
class Terminals:
    """Terminal nodes: each seat's last sequence, the exact probability of the deal, and the first seat's chips."""

    sequences: Ints  # (terminals, 2)
    chances: tuple[Fraction, ...]
    chips: tuple[int, ...]

    @cached_property
    def exact_weights(self) -> tuple[Fraction, ...]:
        """Probability times chips of the first seat."""
        return tuple(chance * chips for chance, chips in zip(self.chances, self.chips, strict=True))


@dataclass(frozen=True)
class Nodes:
    """Every position in breadth-first order, for sampling games: children of a node are contiguous.

    actor: CHANCE, NOBODY or a seat. first, count: the children. sequence: of a seat's first action here.
    chance: the probability of this outcome after a chance node (1 elsewhere). chips: of the first seat, at the end.
    """

    actor: Ints
    first: Ints
    count: Ints
    sequence: Ints
    chance: Floats
    chips: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A game as arrays."""

    game: Game
    sequences: tuple[Sequences, Sequences]
    terminals: Terminals
    nodes: Nodes

    def __repr__(self) -> str:
        infosets = " and ".join(str(len(seqs.infosets)) for seqs in self.sequences)
        return f"<tree of {self.game.name}: {len(self.nodes.actor):,} positions, {infosets} information sets>"


def count_nodes(state: State) -> int:
    """The size of the game below a position, assuming that all outcomes of one deal have subtrees of equal size."""
    if state.actor == NOBODY:
        return 1
    if state.actor == CHANCE:
        outcomes = state.chance_outcomes()
        return 1 + len(outcomes) * count_nodes(state.apply(outcomes[0][0]))
    return 1 + sum(count_nodes(state.apply(action)) for action in state.legal_actions())


class _Walk:
    """Positions found so far, breadth first, with both seats' information sets."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.index: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.actions: tuple[list[tuple[Action, ...]], list[tuple[Action, ...]]] = ([], [])
        self.layout: tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]] = ([], [])
        self.gene_names: tuple[list[str], list[str]] = (list(game.gene_order), list(game.gene_order))
        self.gene: tuple[list[int], list[int]] = ([-1], [-1])
        self.nodes: list[tuple[int, int, int, int, float, int]] = []
        self.terminals: list[tuple[tuple[int, int], Fraction, int]] = []

    def set_of(self, state: State, parent: int) -> int:
        """The first sequence of the actor's information set, which is added if it is new."""
        seat = state.actor
        text = state.information_state(seat)
        if text not in self.index[seat]:
            legal = state.legal_actions()
            self.index[seat][text] = len(self.actions[seat])
            self.actions[seat].append(legal)
            self.layout[seat].append((parent, len(self.gene[seat]), len(legal)))
            self.gene[seat].extend([*self.genes_at(state, text, legal), -1])
        return self.layout[seat][self.index[seat][text]][1]

    def genes_at(self, state: State, text: str, legal: tuple[Action, ...]) -> list[int]:
        if names := state.gene_names():
            return [self.game.gene_order.index(name) for name in names]
        known = self.gene_names[state.actor]
        known.extend(f"{text}: beyond {action}" for action in legal[:-1])
        return list(range(len(known) - len(legal) + 1, len(known)))

    def run(self) -> None:
        queue: list[tuple[State, Fraction, float, tuple[int, int]]] = [(self.game.start(), Fraction(1), 1.0, (0, 0))]
        for state, chance, step, last in queue:
            below = len(queue)
            own = 0
            if state.actor == CHANCE:
                for outcome, part in state.chance_outcomes():
                    queue.append((state.apply(outcome), chance * part, float(part), last))
            elif state.actor != NOBODY:
                seat = state.actor
                own = self.set_of(state, last[seat])
                for offset, action in enumerate(state.legal_actions()):
                    after = (own + offset, last[1]) if seat == 0 else (last[0], own + offset)
                    queue.append((state.apply(action), chance, 1.0, after))
            else:
                self.terminals.append((last, chance, state.returns()[0]))
            chips = state.returns()[0] if state.actor == NOBODY else 0
            self.nodes.append((state.actor, below, len(queue) - below, own, step, chips))

    def seqs(self, seat: int) -> Sequences:
        sequences = np.array([end[0] for end in self.terminals], dtype=np.int64).reshape(-1, 2)
        sign = 1 if seat == 0 else -1
        weights = np.array([sign * float(chance * chips) for _, chance, chips in self.terminals])
        order = np.lexsort((sequences[:, 1 - seat], sequences[:, seat]))
        return Sequences(
            infosets=tuple(self.index[seat]),
            actions=tuple(self.actions[seat]),
            gene_names=tuple(self.gene_names[seat]),
            layout=np.array(self.layout[seat], dtype=np.int64).reshape(-1, 3),
            gene=np.array(self.gene[seat], dtype=np.int64),
            rows=np.searchsorted(sequences[order, seat], np.arange(len(self.gene[seat]) + 1)).astype(np.int64),
            columns=np.ascontiguousarray(sequences[order, 1 - seat]),
            weights=np.ascontiguousarray(weights[order]),
        )

    def tree(self) -> Tree:
        links, chances, chips = zip(*self.terminals, strict=True)
        columns = list(zip(*self.nodes, strict=True))
        actor, first, count, sequence = (np.array(column, dtype=np.int64) for column in columns[:4])
        chance, won = (np.array(column, dtype=np.float64) for column in columns[4:])
        nodes = Nodes(actor, first, count, sequence, chance, won)
        terminals = Terminals(np.array(links, dtype=np.int64), chances, chips)
        return Tree(self.game, (self.seqs(0), self.seqs(1)), terminals, nodes)


@cache
def tree_of(game: Game) -> Tree:
    """Enumerate a game, once."""
    size = count_nodes(game.start())
    if size > MOST_NODES:
        raise InputError(
            f"{game.name} has {size:,} positions, too many to enumerate: at most {MOST_NODES:,} are possible"
        )
    walk = _Walk(game)
    walk.run()
    return walk.tree()
