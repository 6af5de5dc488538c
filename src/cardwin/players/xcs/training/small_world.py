"""A small game as encoded for a classifier system: cards and betting as fields, nodes as arrays."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.games.base import Action
from cardwin.players.xcs.fields import Field, Fields
from cardwin.players.xcs.learning.small_games import GameWorld, greedy
from cardwin.players.xcs.learning.system import System
from cardwin.solvers.tree import Tree

NOTHING = "nothing yet"
# The parts of an information state: the seat's card, the actions, the common card, the actions since.
INFOSET = re.compile(r"^(?P<card>[^ ,]+)(?: after (?P<before>.*?))?(?:, then (?P<common>[^ ,]+)(?:, (?P<since>.*))?)?$")
LABELS = {"card": "the card", "before": "what was done", "common": "the common card", "since": "what was done since"}


@dataclass(frozen=True)
class SmallWorld:
    """A seat of a small game: fields, the names of actions, the world for kernels, and each infoset's parent."""

    tree: Tree
    seat: int
    fields: Fields
    actions: tuple[str, ...]
    world: GameWorld
    parents: Ints


def world_of(
    tree: Tree, seat: int, behaviour: Floats, register: int, observe: Callable[[str], Mapping[str, str]] | None = None
) -> SmallWorld:
    """A seat against a behaviour (sequences,) of the other seat.

    `observe` gives what the seat sees in an information state, values by the names of fields: by default all of it.
    """
    seqs, nodes = tree.sequences[seat], tree.nodes
    described = [(observe or _parts)(text) for text in seqs.infosets]
    kinds = {name: list(dict.fromkeys(parts[name] for parts in described)) for name in described[0]}
    seen = [name for name in kinds if len(kinds[name]) > 1]
    fields = Fields(tuple(Field(LABELS.get(name, name), tuple(kinds[name])) for name in seen), register)
    situations = [fields.encode([kinds[name].index(parts[name]) for name in seen]) for parts in described]
    names = [_action_names(actions) for actions in seqs.actions]
    actions = tuple(sorted({name for each in names for name in each}, key=lambda name: (len(name), name)))
    choice, legal = np.full((len(names), len(actions)), -1, np.int64), np.zeros(len(names), np.int64)
    for infoset, each in enumerate(names):
        for child, name in enumerate(each):
            choice[infoset, actions.index(name)] = child
            legal[infoset] |= 1 << actions.index(name)
    # A node's first own sequence names its information set.
    of_sequence = {int(first): number for number, (_, first, _) in enumerate(seqs.layout)}
    at_infoset = np.array(
        [of_sequence[int(s)] if a == seat else -1 for a, s in zip(nodes.actor, nodes.sequence, strict=True)], np.int64
    )
    world = GameWorld(
        nodes.actor, nodes.first, nodes.count, nodes.sequence, nodes.chance, nodes.chips,
        at_infoset, np.array(situations), legal, choice, behaviour, seat,
    )  # fmt: skip
    return SmallWorld(tree, seat, fields, actions, world, _parents(seqs))


def greedy_behaviour(small: SmallWorld, system: System) -> Floats:
    """The best actions by the rules, as a behaviour (sequences,); uniform if no rule matches."""
    seqs, world = small.tree.sequences[small.seat], small.world
    chosen, registers = np.zeros(len(seqs.infosets), np.int64), np.zeros(len(seqs.infosets), np.int64)
    greedy(system, world, small.parents, chosen, registers)
    behaviour = np.ones(seqs.count)
    for infoset, (_, first, count) in enumerate(seqs.layout.tolist()):
        behaviour[first : first + count] = 1 / count if chosen[infoset] < 0 else 0.0
        if chosen[infoset] >= 0:
            behaviour[first + world.choice[infoset, chosen[infoset]]] = 1.0
    return behaviour


def _parts(text: str) -> dict[str, str]:
    found = INFOSET.match(text)
    if found is None:
        raise ValueError(f"an information state that says neither card nor betting: {text!r}")
    return {name: value or NOTHING for name, value in found.groupdict().items()}


def _action_names(actions: tuple[Action, ...]) -> list[str]:
    """fold, call (also check), raise (also bet); further sizes are raise 2, raise 3."""
    names, raises = [], 0
    for action in actions:
        if action.name in ("bet", "raise"):
            raises += 1
            names.append("raise" if raises == 1 else f"raise {raises}")
        else:
            names.append("call" if action.name == "check" else action.name)
    return names


def _parents(seqs: Any) -> Ints:
    owner = np.full(seqs.count, -1, np.int64)
    for number, (_, first, count) in enumerate(seqs.layout.tolist()):
        owner[first : first + count] = number
    found: Ints = owner[seqs.layout[:, 0]]
    return found
