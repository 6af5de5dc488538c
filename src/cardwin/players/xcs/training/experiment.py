"""Shared by the experiments of classifier systems: settings, what `cardwin train xcs:KEY=VALUE` sets, and the trainer.

After each step a run records its rules, so that they can be watched: a sketch of all, and the fittest as text. Neither
affects the learning or the run's digest.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from cardwin.core.errors import InputError
from cardwin.core.experiment import Experiment
from cardwin.core.trainer import Array, Generation, PrimaryMetric, State, digest_of
from cardwin.evolution.hall import SKETCHED_MEMBERS, evenly_spaced, has_sketch
from cardwin.games import names_holdem
from cardwin.games.specs import split_spec
from cardwin.players.xcs.descriptions import fittest
from cardwin.players.xcs.fields import Fields
from cardwin.players.xcs.files import RuleSet, write
from cardwin.players.xcs.learning.parameters import RANGES, TYPES, Parameters, with_changes
from cardwin.players.xcs.learning.system import System, load_rules, rules_state
from cardwin.players.xcs.rules import ERROR, EXPERIENCE, FITNESS, NUMEROSITY, SIZE, Rules, expected_payoff

TRIALS = {"multiplexer-6": 10_000, "multiplexer-11": 30_000, "multiplexer-20": 150_000, "multiplexer-37": 1_500_000}
DEFAULT_TRIALS = 40_000
NOTE = "rules"
MAX_RULES = 12  # recorded as text


class XcsExperiment(Experiment):
    """The settings that all experiments with classifier systems have.

    Attributes:
        every: Hands or trials between two measurements.
        predictions: Number of predictions of each rule.
        parameters: A parameter of the classifier system; docs/xcs.md explains each.

    """

    every: Annotated[int, Field(ge=1, le=10**9)] = 1_000
    predictions: Literal[1, 2] = 1
    parameters: dict[str, float | int] = Field(default_factory=dict)

    @property
    def episodes(self) -> int:
        """The number of trials or hands."""
        return int(getattr(self, self.LENGTH))

    @property
    def default_parameters(self) -> Parameters:
        """The parameters that are used if none are changed."""
        raise NotImplementedError

    @property
    def all_parameters(self) -> Parameters:
        """All parameters, the experiment's over the defaults."""
        return with_changes(self.default_parameters, self.parameters)

    def bound_to_length(self) -> str:
        """Return why the run cannot be extended if its last step was truncated, otherwise an empty text."""
        if self.episodes % self.every == 0:
            return ""
        return f"{self.LENGTH} were taken {self.every:,} at a time, and {self.episodes:,} is not a multiple of that"

    @property
    def steps(self) -> int:
        """The number of steps, each of `every` trials or hands."""
        return -(-self.episodes // self.every)


class XcsTrainer:
    """The part of a trainer that does not depend on the problem.

    Args:
        experiment: the settings.
        system: the classifier system.
        fields: the fields of its situations.
        actions: the names of its actions.

    """

    FILE = "rules.safetensors"
    COUNT = "played"  # the name of the episode count in the state

    def __init__(self, experiment: XcsExperiment, system: System, fields: Fields, actions: tuple[str, ...]) -> None:
        self.experiment, self.system, self.fields, self.actions = experiment, system, fields, actions
        self.played = 0
        self.file: Path | None = None

    def next_count(self) -> int:
        """Return the number of episodes of the next step."""
        return min(self.experiment.every, self.experiment.episodes - self.played)

    def generation(self, primary: PrimaryMetric, metrics: Mapping[str, float], *results: float | Array) -> Generation:
        """Return the result of a step whose episodes are already counted.

        Args:
            primary: the primary metric.
            metrics: all metrics by name.
            results: what the digest covers besides the state.

        """
        arrays, notes = self._recorded()
        digest = digest_of(*results, *self.state().values())
        return Generation(primary, {"rules": metrics}, arrays, notes, digest=digest)

    def _recorded(self) -> tuple[dict[str, Mapping[str, Array]], dict[str, str]]:
        """Return the arrays and notes of a step, by population and name; few of the steps of a long run have them."""
        rules, number = self.system.rules, (self.played - 1) // self.experiment.every
        if not self.rule_count or not has_sketch(number, self.experiment.steps):
            return {}, {}
        order = np.argsort(-rules.values[FITNESS, : self.rule_count], kind="stable")
        order = order[evenly_spaced(self.rule_count, SKETCHED_MEMBERS)]
        features = np.array([_features(rules, int(i), self.fields) for i in order], np.float32)
        arrays = {"sketch": features, "sketch_fitness": rules.values[FITNESS, order].astype(np.float32)}
        texts = [asdict(rule) for rule in fittest(rules, self.fields, self.actions, MAX_RULES)]
        return {"rules": arrays}, {NOTE: json.dumps(texts, ensure_ascii=False)}

    @property
    def rule_count(self) -> int:
        """The number of macroclassifiers."""
        return int(self.system.rules.totals[SIZE])

    def state(self) -> State:
        """Return the rules, and the number of episodes."""
        return {**rules_state(self.system), self.COUNT: np.array([self.played])}

    def load(self, state: State) -> None:
        """Continue from saved rules."""
        load_rules(self.system, state)
        self.played = int(state[self.COUNT][0])

    def about(self) -> dict[str, Any]:
        """Return the origin of the rules, for their file."""
        raise NotImplementedError

    def rule_set(self) -> RuleSet:
        """Return the current rules."""
        return RuleSet(self.fields, self.actions, self.system.rules, self.about())

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the rules as one file."""
        self.file = folder / self.FILE
        write(self.file, self.rule_set())
        return [self.file]


def _features(rules: Rules, i: int, fields: Fields) -> list[float]:
    """Return a rule in five numbers: prediction, error, logarithms of experience and numerosity, generality."""
    allowed = fields.allowed(rules.condition[:, i])
    generality = sum(map(all, allowed)) / len(allowed)
    counts = (1 + rules.counts[EXPERIENCE, i], rules.counts[NUMEROSITY, i])
    return [expected_payoff(rules, i), float(rules.values[ERROR, i]), *np.log(counts).tolist(), generality]


def is_xcs(spec: str) -> bool:
    """Return whether a specification names a classifier system."""
    return spec.partition(":")[0] == "xcs"


def experiment_values(
    spec: str, problem: str | None, game: str | None, against: Sequence[str], episodes: int | None, seed: int | None
) -> tuple[str, dict[str, Any]]:
    """Return the short name and the keys of the experiment that a command describes.

    Args:
        spec: the learner, `xcs:KEY=VALUE,...`.
        problem: the name of a problem with a known answer, or None.
        game: the game, or None.
        against: the specifications of the opponents.
        episodes: the number of trials or hands, or None for the default.
        seed: the seed, or None.

    Raises:
        InputError: options are missing, or do not fit each other.

    """
    if (problem is None) == (game is None):
        raise InputError("expected --problem NAME (multiplexer-11, woods1 ...) or --game GAME --against SPEC")
    options, parameters = split_options(split_spec(spec)[1])
    values: dict[str, Any] = {**options, "parameters": parameters, "seed": seed}
    if problem is not None:
        values |= {"kind": "xcs-problem", "problem": problem, "title": f"XCS on {problem}"}
        values["trials"] = episodes or TRIALS.get(problem, DEFAULT_TRIALS)
        return f"xcs-{problem}", values
    values |= {"game": game, "title": f"XCS at {game}"} | ({"hands": episodes} if episodes else {})
    if game is not None and names_holdem(game):
        if not against:
            raise InputError("no opponents: expected --against SPEC for each, such as --against loki:model=none")
        return f"xcs-{game.partition(':')[0]}", values | {"kind": "xcs-holdem", "against": against}
    if len(against) > 1:
        raise InputError(f"{game} has two seats: expected one --against, got {len(against)}")
    return f"xcs-{game}", values | {"kind": "xcs-game"} | ({"against": against[0]} if against else {})


def split_options(texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, float | int]]:
    """Split a specification's KEY=VALUE texts into an experiment's own keys and parameters of XCS.

    Raises:
        InputError: parameters are not numbers; the message names all of them.

    """
    options: dict[str, Any] = {}
    parameters: dict[str, float | int] = {}
    errors = []
    for key, text in texts.items():
        value = int(text) if text.isdecimal() else text
        if key.startswith("width_"):
            options.setdefault("widths", {})[key.removeprefix("width_")] = value
        elif key not in RANGES:
            options[key] = value
        else:
            try:
                parameters[key] = int(text) if TYPES[key] is int else float(text)
            except ValueError:
                errors.append(f"{key} must be {'an integer' if TYPES[key] is int else 'a number'}, got {key}={text}")
    if errors:
        raise InputError("; ".join(errors))
    return options, parameters
