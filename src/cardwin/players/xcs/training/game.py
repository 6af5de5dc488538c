"""Experiments in which a classifier system learns a seat of a small game, evaluated exactly.

The seat's information sets are encoded as fields (cards, betting) and the game's nodes as arrays. After every `every`
hands the greedy policy is evaluated: its exact expectation against the training opponent, compared with a best
response's, and its exact expectation against a best response to itself.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field as Key

from cardwin.core.arrays import Floats, Ints
from cardwin.core.executor import Executor
from cardwin.core.rng import child, stream_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record
from cardwin.games import game
from cardwin.games.base import Action
from cardwin.players.small_games.policies import policy
from cardwin.players.xcs.fields import Field, Fields
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.small_games import GameWorld, game_trials, greedy
from cardwin.players.xcs.learning.system import System, new_system
from cardwin.players.xcs.training.experiment import XcsExperiment, XcsTrainer
from cardwin.solvers import plans
from cardwin.solvers.tree import Sequences, Tree, tree_of, zero_sum_tree_of

NOTHING = "nothing yet"
# The parts of an information state: the seat's card, the actions, the common card, the actions since.
INFOSET = re.compile(r"^(?P<card>[^ ,]+)(?: after (?P<before>.*?))?(?:, then (?P<common>[^ ,]+)(?:, (?P<since>.*))?)?$")
LABELS = {"card": "the card", "before": "what was done", "common": "the common card", "since": "what was done since"}


@dataclass(frozen=True)
class SmallWorld:
    """A seat of a small game, encoded for a classifier system.

    Attributes:
        tree: the game.
        seat: the learner's seat.
        fields: the fields of its information sets.
        actions: the names of its actions.
        world: the arrays for kernels.
        parents: (infosets,), each information set's previous one, or -1.

    """

    tree: Tree
    seat: int
    fields: Fields
    actions: tuple[str, ...]
    world: GameWorld
    parents: Ints


def world_of(
    tree: Tree, seat: int, behaviour: Floats, register: int, observe: Callable[[str], Mapping[str, str]] | None = None
) -> SmallWorld:
    """Encode a seat of a game against a behaviour of the other seat.

    Args:
        tree: the game.
        seat: the learner's seat.
        behaviour: (sequences,), of the other seat.
        register: the number of register bits.
        observe: returns the parts of an information state that the seat sees, by name; by default all.

    """
    seqs, nodes = tree.sequences[seat], tree.nodes
    parts = [(observe or _parts_of)(text) for text in seqs.infosets]
    values = {name: list(dict.fromkeys(each[name] for each in parts)) for name in parts[0]}
    seen = [name for name in values if len(values[name]) > 1]
    fields = Fields(tuple(Field(LABELS.get(name, name), tuple(values[name])) for name in seen), register)
    situations = [fields.encode([values[name].index(each[name]) for name in seen]) for each in parts]
    names_by_infoset = [_action_names(actions) for actions in seqs.actions]
    actions = tuple(sorted({name for names in names_by_infoset for name in names}, key=lambda name: (len(name), name)))
    choice, legal = np.full((len(parts), len(actions)), -1, np.int64), np.zeros(len(parts), np.int64)
    for infoset, names in enumerate(names_by_infoset):
        for move, name in enumerate(names):
            choice[infoset, actions.index(name)] = move
            legal[infoset] |= 1 << actions.index(name)
    infoset_of_sequence = _infosets_by_sequence(seqs)
    decides = nodes.actor == seat
    infoset_of_node = np.where(decides, infoset_of_sequence[np.where(decides, nodes.sequence, 0)], -1)
    world = GameWorld(
        nodes.actor,
        nodes.first,
        nodes.children,
        nodes.sequence,
        nodes.chance,
        nodes.chips,
        infoset_of_node,
        np.array(situations),
        legal,
        choice,
        behaviour,
        seat,
    )
    return SmallWorld(tree, seat, fields, actions, world, infoset_of_sequence[seqs.layout[:, 0]])


def greedy_behaviour(small: SmallWorld, system: System) -> Floats:
    """Return the best actions by the rules as a behaviour (sequences,); uniform if no rule matches."""
    seqs, world = small.tree.sequences[small.seat], small.world
    actions, registers = np.zeros((2, len(seqs.infosets)), np.int64)
    greedy(system, world, small.parents, actions, registers)
    behaviour = np.ones(seqs.count)
    for infoset, (_, first, count) in enumerate(seqs.layout.tolist()):
        behaviour[first : first + count] = 1 / count if actions[infoset] < 0 else 0.0
        if actions[infoset] >= 0:
            behaviour[first + world.choice[infoset, actions[infoset]]] = 1.0
    return behaviour


def _parts_of(text: str) -> dict[str, str]:
    """Split an information state into its parts by name."""
    match = INFOSET.match(text)
    if match is None:
        raise ValueError(f"expected an information state with a card and betting, got {text!r}")
    return {name: value or NOTHING for name, value in match.groupdict().items()}


def _action_names(actions: tuple[Action, ...]) -> list[str]:
    """Return the names fold, call (also check) and raise (also bet); further sizes are raise 2, raise 3."""
    names, raises = [], 0
    for action in actions:
        if action.name in ("bet", "raise"):
            raises += 1
            names.append("raise" if raises == 1 else f"raise {raises}")
        else:
            names.append("call" if action.name == "check" else action.name)
    return names


def _infosets_by_sequence(seqs: Sequences) -> Ints:
    """Return the information set of every sequence (sequences,), -1 for the empty one."""
    infosets = np.full(seqs.count, -1, np.int64)
    for infoset, (_, first, count) in enumerate(seqs.layout.tolist()):
        infosets[first : first + count] = infoset
    return infosets


COMMAND = "train"
# No discount within a hand. Chance makes all rules inaccurate, but tournaments (tau) still separate better from worse.
DEFAULTS = {"gamma": 1.0, "mu": 0.04, "P_hash": 0.33, "tau": 0.4, "beta": 0.05, "theta_GA": 100.0}


class GameExperiment(XcsExperiment):
    """A seat of a small game, the policy in the other seat, and the number of hands.

    Attributes:
        game: The game that is played.
        against: The policy in the other seat.
        seat: The seat that it learns to play.
        hands: Number of hands.
        register_bits: Memory bits that rules read and write.

    """

    LENGTH: ClassVar[str] = "hands"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("game", "against", "hands", "seat", "seed")

    kind: Literal["xcs-game"] = "xcs-game"
    game: str
    against: str = "uniform"
    seat: Literal[1, 2] = 1
    hands: Annotated[int, Key(ge=1, le=10**10)] = 200_000
    every: Annotated[int, Key(ge=1, le=10**9)] = 5_000
    register_bits: Annotated[int, Key(ge=0, le=6)] = 0

    @property
    def default_parameters(self) -> Parameters:
        """The default parameters; epsilon_0 is 1% of the largest pot."""
        small = game(self.game).name.startswith("kuhn")
        return Parameters(N=400 if small else 2000, epsilon_0=0.02 if small else 0.13, p_I=0.0, **DEFAULTS)  # type: ignore[arg-type]


EXPERIMENT = GameExperiment


def check(experiment: GameExperiment) -> None:
    """Raise an InputError for a game that is not small, an opponent without a policy, or an invalid parameter."""
    rules = game(experiment.game)
    zero_sum_tree_of(rules)
    policy(rules, experiment.against).behaviour(2 - experiment.seat)
    _ = experiment.all_parameters


class GameTrainer(XcsTrainer):
    """A learner at its seat, `every` hands per step."""

    experiment: GameExperiment

    def __init__(self, experiment: GameExperiment) -> None:
        rules = game(experiment.game)
        tree, seat = tree_of(rules), experiment.seat - 1
        self.against = policy(rules, experiment.against)
        self.small = world_of(tree, seat, self.against.behaviour(1 - seat), experiment.register_bits)
        self.best_response = plans.best_response_value(tree, seat, self.against.plan(1 - seat))
        fields, actions, parameters = self.small.fields, self.small.actions, experiment.all_parameters
        system = new_system(fields, len(actions), parameters, 0, experiment.predictions == 2)
        super().__init__(experiment, system, fields, actions)

    def step(self, key: int) -> Generation:
        """Play some hands with the randomness of this key, then evaluate the rules."""
        hands = self.next_count()
        self.system.stream[:] = (child(key, 0), 0)
        explored, chips = np.zeros(hands, np.int64), np.zeros(hands)
        game_trials(self.system, self.small.world, stream_of(child(key, 1)), explored, chips)
        self.played += hands
        metrics = {"trials": float(self.played), "rules": float(self.rule_count), **self.evaluate()}
        return self.generation(PrimaryMetric("value", metrics["value"]), metrics, chips)

    def evaluate(self) -> dict[str, float]:
        """Return the greedy policy's exact expectation here, and its guarantee, against a best response to itself."""
        tree, seat = self.small.tree, self.small.seat
        plan = plans.plans(tree.sequences[seat], greedy_behaviour(self.small, self.system)[None])[0]
        value = float(plan @ plans.gradient(tree, seat, self.against.plan(1 - seat)))
        return {"value": value, "guarantee": -plans.best_response_value(tree, 1 - seat, plan)}

    def about(self) -> dict[str, Any]:
        """Return the origin of the rules, for their file."""
        return {"game": self.experiment.game, "seat": self.experiment.seat, "hands": self.played}

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  the state is enough
        """Return the number of hands and rules, the guarantee, and the best possible result."""
        exact = {"best_response": self.best_response, "guarantee": self.evaluate()["guarantee"]}
        counts = {"game": self.experiment.game, "hands": self.played, "rules": self.rule_count}
        return {**counts, **exact, "file": str(self.file)}


def trainer(experiment: GameExperiment, executor: Executor, folder: Path) -> GameTrainer:  # noqa: ARG001  one learner, one thread
    """Return the trainer of an experiment."""
    return GameTrainer(experiment)
