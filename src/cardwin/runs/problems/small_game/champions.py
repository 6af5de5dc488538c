"""Champions of small games: policies as JSON files that every command reads, and genes as safetensors."""

from pathlib import Path

import numpy as np

from cardwin.core.files import write_whole
from cardwin.core.trainer import State
from cardwin.players.small_games.policy_files import as_file
from cardwin.runs import checkpoint
from cardwin.solvers.plans import behaviour_of
from cardwin.solvers.policy import Policy, from_arrays
from cardwin.solvers.tree import Floats, Tree

BySeat = dict[int, Floats]


def write(folder: Path, tree: Tree, genes: BySeat, behaviours: BySeat, halls: BySeat) -> list[Path]:
    """Write the champions' genes and behaviours (sequences,), and the halls' average plans (sequences,) if any.

    Returns the files, the main one first: the halls' policy if both seats have halls, else the champion.
    """
    averages = {seat: behaviour_of(tree.sequences[seat], plan) for seat, plan in halls.items()}
    policies = {"hall.json": averages, "champions.json": behaviours} if halls else {"champions.json": behaviours}
    for name, seats in policies.items():
        write_whole(folder / name, as_file(policy_of(tree, seats, name)).encode())
    written = [folder / name for name in policies]
    for seat in genes:
        arrays: State = {"genes": genes[seat], "behaviour": behaviours[seat]}
        arrays |= {"hall": halls[seat]} if halls else {}
        written.append(folder / f"seat-{seat + 1}.safetensors")
        checkpoint.write(written[-1], arrays, {"game": tree.game.name, "seat": str(seat + 1)})
    return written


def policy_of(tree: Tree, behaviours: BySeat, name: str) -> Policy:
    """A policy from the behaviours (sequences,) of one seat or both."""
    both = [behaviours.get(seat, np.ones(tree.sequences[seat].count)) for seat in (0, 1)]
    made = from_arrays(tree, both[0], both[1], name)
    first, second = (made.behaviours[seat] if seat in behaviours else None for seat in (0, 1))
    return Policy(tree, (first, second), name)
