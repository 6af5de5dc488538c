"""Strategies of small games as genomes, and the files of a run's champions.

A genome is a strategy by stick breaking (real genes) or one choice per information set. Morsomme's cleaning holds the
genes of sure actions.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.files import write_atomic
from cardwin.core.trainer import State
from cardwin.evolution import Genome
from cardwin.players.small_games.policies import as_file
from cardwin.runs import checkpoint
from cardwin.solvers.plans import behaviour_of
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import Tree

BySeat = dict[int, Floats]


def genome_of(tree: Tree, seat: int, choices: bool, clean: bool) -> Genome:
    """Return the genome of a seat's strategies.

    Args:
        tree: The game.
        seat: The seat, 0 or 1.
        choices: Whether a gene is a choice for each information set, or real genes are probabilities.
        clean: Whether sure actions are held.

    """
    seqs = tree.sequences[seat]
    free = Genome.choices(seqs.layout[:, 2]) if choices else Genome.real(seqs.genes)
    if not clean:
        return free
    held = free.held.copy()
    for number, action in sure_actions(tree, seat).items():
        _, first, count = seqs.layout[number]
        if choices:
            held[number] = action
        else:
            for offset in range(count - 1):
                held[seqs.gene[first + offset]] = float(offset < action)
    return replace(free, held=held)


def sure_actions(tree: Tree, seat: int) -> dict[int, int]:
    """Return the information sets with an action that is at least as good as any other, whatever follows.

    In the one-card game these are calling with the highest card and calling a bet of zero (Morsomme's cleaning).

    Returns:
        The action by number of the information set.

    """
    nodes, seqs = tree.nodes, tree.sequences[seat]
    worst, best = _extremes(tree, seat)
    set_of = {int(first): number for number, (_, first, _) in enumerate(seqs.layout)}
    sure: dict[int, set[int]] = {}
    for node in np.flatnonzero(nodes.actor == seat):
        below = slice(nodes.first[node], nodes.first[node] + nodes.children[node])
        safe = {
            action
            for action in range(nodes.children[node])
            if all(worst[below][action] >= top for other, top in enumerate(best[below]) if other != action)
        }
        number = set_of[int(nodes.sequence[node])]
        sure[number] = sure.get(number, safe) & safe
    return {number: max(actions) for number, actions in sure.items() if actions}


def _extremes(tree: Tree, seat: int) -> tuple[Floats, Floats]:
    """Return the minimum and maximum chips that a seat can end with below each node."""
    nodes = tree.nodes
    low = nodes.chips.copy() if seat == 0 else -nodes.chips
    high = low.copy()
    for node in range(len(nodes.actor) - 1, -1, -1):
        if nodes.children[node]:
            below = slice(nodes.first[node], nodes.first[node] + nodes.children[node])
            low[node], high[node] = low[below].min(), high[below].max()
    return low, high


def largest_loss(tree: Tree, seat: int) -> float:
    """Return the most chips that a seat can lose in one hand."""
    chips = np.array(tree.terminals.chips, dtype=np.float64)
    return float(-(chips if seat == 0 else -chips).min())


def write_policies(folder: Path, tree: Tree, genes: BySeat, behaviours: BySeat, halls: BySeat) -> list[Path]:
    """Write champions as policies and as arrays.

    Args:
        folder: Where the files go.
        tree: The game.
        genes: The champions' genes (genes,) by seat.
        behaviours: The champions' behaviours (sequences,) by seat.
        halls: The halls' average plans (sequences,) by seat, or none.

    Returns:
        The files, the main one first: the halls' policy if both seats have halls, else the champion.

    """
    averages = {seat: behaviour_of(tree.sequences[seat], plan) for seat, plan in halls.items()}
    policies = {"hall.json": averages, "champions.json": behaviours} if halls else {"champions.json": behaviours}
    for name, seats in policies.items():
        write_atomic(folder / name, as_file(_policy_of(tree, seats, name)).encode())
    written = [folder / name for name in policies]
    for seat in genes:
        arrays: State = {"genes": genes[seat], "behaviour": behaviours[seat]}
        arrays |= {"hall": halls[seat]} if halls else {}
        written.append(folder / f"seat-{seat + 1}.safetensors")
        checkpoint.write(written[-1], arrays, {"game": tree.game.name, "seat": str(seat + 1)})
    return written


def _policy_of(tree: Tree, behaviours: BySeat, name: str) -> Policy:
    """Return a policy from the behaviours (sequences,) of one seat or both."""
    both = [behaviours.get(seat, np.ones(tree.sequences[seat].count)) for seat in (0, 1)]
    policy = from_arrays(tree, both[0], both[1], name)
    first, second = (policy.behaviours[seat] if seat in behaviours else None for seat in (0, 1))
    return Policy(tree, (first, second), name)
