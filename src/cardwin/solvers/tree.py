"""A small game enumerated once into flat arrays, from which all exact results are computed.

A sequence is what one seat has done so far: an information set and the action taken there; sequence 0 is the empty
one (Koller, Megiddo and von Stengel 1996). An information set has one parent sequence and a range of own sequences,
one for each action. Chips are bilinear in the two seats' plans over sequences, so a game is a sparse matrix.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.games.base import CHANCE, NOBODY, Action, Game, State, has_public_betting
from cardwin.solvers.walk import InformationSets, Nodes, Terminals, Walk, lines_of, walk_product, walk_states

__all__ = ["MAX_NODES", "Floats", "Ints", "Nodes", "Sequences", "Terminals", "Tree", "count_nodes", "tree_of"]

MAX_NODES = 1_000_000
ROUNDING = 1e-9


@dataclass(frozen=True)
class Sequences:
    """One seat's sequences in a tree, with its information sets and genes.

    Attributes:
        sets: the information sets.
        layout: (infosets, 3) parent sequence, first own sequence, number of actions; parents come before children.
        gene: (sequences,) the gene of going beyond this action, or -1 for the empty sequence and each last action.
        rows: with columns and weights, this seat's chips as a sparse matrix over (own sequence, other's sequence).
        columns: the other seat's sequences.
        weights: chips times probability.

    """

    sets: InformationSets
    layout: Ints
    gene: Ints
    rows: Ints
    columns: Ints
    weights: Floats

    @cached_property
    def count(self) -> int:
        """The number of sequences, with the empty one."""
        return len(self.gene)

    @cached_property
    def genes(self) -> int:
        """The number of genes of a strategy of this seat."""
        return max(len(self.sets.gene_order), int(self.gene.max()) + 1)

    @property
    def infosets(self) -> tuple[str, ...]:
        """The text of each information set: what the seat observes."""
        return self.sets.texts

    @property
    def actions(self) -> tuple[tuple[Action, ...], ...]:
        """The legal actions in each information set."""
        return self.sets.actions

    @property
    def gene_names(self) -> tuple[str, ...]:
        """The names of the genes."""
        return self.sets.gene_names


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
    """Return the size of the game below a position, if all outcomes of one deal have subtrees of equal size."""
    if state.actor == NOBODY:
        return 1
    if state.actor == CHANCE:
        outcomes = state.chance_outcomes()
        return 1 + len(outcomes) * count_nodes(state.apply(outcomes[0][0]))
    return 1 + sum(count_nodes(state.apply(action)) for action in state.legal_actions())


def _sequences(walk: Walk, seat: int) -> Sequences:
    """Return a seat's sequences, with its chips in a zero-sum game."""
    sets, weights = walk.infosets[seat], walk.terminals.weights
    mine, other = walk.terminals.sequences[:, seat], walk.terminals.sequences[:, 1 - seat]
    gene, order = sets.gene(), np.argsort(mine * (1 + other.max()) + other, kind="stable")
    rows = np.searchsorted(mine[order], np.arange(len(gene) + 1))
    chips = weights[order] if seat == 0 else -weights[order]
    return Sequences(sets, sets.layout(), gene, rows, other[order], chips)


@cache
def tree_of(game: Game) -> Tree:
    """Enumerate a game, once.

    Raises:
        InputError: the game is too large or invalid.

    """
    lines = lines_of(game) if has_public_betting(game) else None
    size = sum(line.copies for line in lines) if lines else count_nodes(game.start())
    if size > MAX_NODES:
        raise InputError(
            f"{game.name} is too large to enumerate: expected at most {MAX_NODES:,} positions, got {size:,}"
        )
    walk = walk_product(game, lines) if lines else walk_states(game)
    validate(game.name, walk)
    return Tree(game, (_sequences(walk, 0), _sequences(walk, 1)), walk.terminals, walk.nodes)


def validate(name: str, walk: Walk) -> None:
    """Check that a game is zero-sum, that its probabilities sum to 1, and that its seats have perfect recall.

    Raises:
        InputError: one of these does not hold.

    """
    nodes = walk.nodes
    payoffs = walk.terminals.payoffs
    if len(wrong := np.flatnonzero(payoffs.sum(axis=1))):
        raise InputError(f"{name}: expected returns that sum to 0, got {tuple(payoffs[wrong[0]].tolist())}")
    chance = np.flatnonzero(nodes.actor == CHANCE)
    total = np.append(0.0, np.cumsum(nodes.chance))
    sums = total[nodes.first[chance] + nodes.children[chance]] - total[nodes.first[chance]]
    if len(wrong := np.flatnonzero(abs(sums - 1) > ROUNDING)):
        raise InputError(f"{name}: expected probabilities of outcomes that sum to 1, got {sums[wrong[0]]:g}")
    for seat, sets in enumerate(walk.infosets):
        at = np.flatnonzero(nodes.actor == seat)
        number = np.repeat(np.arange(len(sets.counts)), sets.counts)[nodes.sequence[at] - 1]
        if len(wrong := np.flatnonzero(nodes.children[at] != sets.counts[number])):
            text = sets.texts[number[wrong[0]]]
            raise InputError(
                f"{name}: expected the same legal actions at all positions that seat {seat + 1} knows as {text!r}"
            )
        if len(wrong := np.flatnonzero(walk.last[at, seat] != sets.parents[number])):
            text = sets.texts[number[wrong[0]]]
            raise InputError(
                f"{name}: expected perfect recall, got {text!r} after different actions of seat {seat + 1}"
            )
