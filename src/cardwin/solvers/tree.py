"""A small game enumerated once into flat arrays, from which all exact results are computed.

A sequence is what one seat has done so far: an information set and the action taken there; sequence 0 is the empty
one (Koller, Megiddo and von Stengel 1996). An information set has one parent sequence and a range of own sequences,
one for each action. Chips are bilinear in the two seats' plans over sequences, so a game is a sparse matrix.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError, shorten
from cardwin.games.base import CHANCE, NOBODY, Action, Game, State, has_public_betting
from cardwin.solvers.walk import InformationSets, Nodes, Terminals, Walk, lines_of, walk_product, walk_states

__all__ = [
    "MAX_NODES",
    "Floats",
    "Ints",
    "Nodes",
    "Sequences",
    "Terminals",
    "Tree",
    "count_nodes",
    "tree_of",
    "zero_sum_tree_of",
]

MAX_NODES = 1_000_000


class TooLargeError(InputError):
    """A game with too many positions to enumerate."""


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
    """Return a seat's sequences, with its chips."""
    sets, weights = walk.infosets[seat], walk.terminals.weights_of(seat)
    mine, other = walk.terminals.sequences[:, seat], walk.terminals.sequences[:, 1 - seat]
    gene, order = sets.gene(), np.argsort(mine * (1 + other.max()) + other, kind="stable")
    rows = np.searchsorted(mine[order], np.arange(len(gene) + 1))
    return Sequences(sets, sets.layout(), gene, rows, other[order], weights[order])


@cache
def tree_of(game: Game) -> Tree:
    """Enumerate a game, once.

    Raises:
        InputError: the game is too large, or invalid.

    """
    lines = lines_of(game) if has_public_betting(game) else None
    size = sum(line.copies for line in lines) if lines else count_nodes(game.start())
    if size > MAX_NODES:
        raise TooLargeError(
            f"{game.name} is too large to enumerate: expected at most {MAX_NODES:,} positions, got {size:,}"
        )
    walk = walk_product(game, lines) if lines else walk_states(game)
    validate(game, walk)
    return Tree(game, (_sequences(walk, 0), _sequences(walk, 1)), walk.terminals, walk.nodes)


def zero_sum_tree_of(game: Game) -> Tree:
    """Return the tree of a game that is zero-sum: what equilibria, exploitability and evolution need.

    Raises:
        InputError: the game is too large, invalid, or not zero-sum at some terminal.

    """
    tree = tree_of(game)
    if not tree.terminals.zero_sum:
        payoffs = tree.terminals.payoffs
        wrong = int(np.flatnonzero(payoffs.sum(axis=1))[0])
        history = history_of(game, tree.nodes, int(np.flatnonzero(tree.nodes.actor == NOBODY)[wrong]))
        raise InputError(
            f"{game.name} is not zero-sum, so it can be played but not solved: expected returns that sum to 0, got "
            f"{shorten(tuple(payoffs[wrong].tolist()))} after {history}"
        )
    return tree


def validate_loaded(game: Game) -> None:
    """Validate a user's game by building its tree, which is kept; a game that is too large is not enumerated.

    Raises:
        InputError: the game is invalid, or its rules fail.

    """
    try:
        tree_of(game)
    except TooLargeError:
        return
    except InputError:
        raise
    except Exception as error:  # code outside the package may raise anything
        raise InputError(f"the rules of {game.name} fail: {type(error).__name__}: {shorten(error, 120)}") from error


def history_of(game: Game, nodes: Nodes, node: int) -> str:
    """Return the outcomes and actions that lead to a position, as text."""
    parents = np.repeat(np.arange(len(nodes.children)), nodes.children)  # of every position but the start
    path: list[int] = []
    while node:
        parent = int(parents[node - 1])
        path.append(node - int(nodes.first[parent]))
        node = parent
    state, moves = game.start(), list[str]()
    for index in reversed(path):
        move = state.chance_outcomes()[index][0] if state.actor == CHANCE else state.legal_actions()[index]
        moves.append(str(move))
        state = state.apply(move)
    return shorten(", ".join(moves), 200) if moves else "the start"


def validate(game: Game, walk: Walk) -> None:
    """Check that probabilities sum to 1, and that the seats have perfect recall and know their legal actions.

    Raises:
        InputError: one of these does not hold; the message names the first history.

    """
    nodes, name = walk.nodes, game.name
    if walk.wrong_chance is not None:
        node, total = walk.wrong_chance
        raise InputError(
            f"{name}: expected probabilities of outcomes that sum to 1, got {shorten(total)} after "
            f"{history_of(game, nodes, node)}"
        )
    for seat, sets in enumerate(walk.infosets):
        at = np.flatnonzero(nodes.actor == seat)
        number = np.repeat(np.arange(len(sets.counts)), sets.counts)[nodes.sequence[at] - 1]
        if len(wrong := np.flatnonzero(nodes.children[at] != sets.counts[number])):
            text, history = sets.texts[number[wrong[0]]], history_of(game, nodes, int(at[wrong[0]]))
            raise InputError(
                f"{name}: expected the same legal actions at all positions that seat {seat + 1} knows as {text!r}, "
                f"got others after {history}"
            )
        if len(wrong := np.flatnonzero(walk.last[at, seat] != sets.parents[number])):
            text, history = sets.texts[number[wrong[0]]], history_of(game, nodes, int(at[wrong[0]]))
            raise InputError(
                f"{name}: expected perfect recall, got {text!r} after different actions of seat {seat + 1}: {history}"
            )
