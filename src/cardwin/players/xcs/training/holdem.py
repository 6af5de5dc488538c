"""Experiments in which a classifier system learns limit hold'em against any players, at any number of seats.

A step is a new match of `every` hands, so that a resumed run plays its opponents as an uninterrupted one does. After
each step the current rules play a fixed set of duplicate deals; at the end they play further deals that no step used.
`self` as an opponent is the learner itself, with the same rules and its own register.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Match, MatchOptions
from cardwin.cards.ehs import ehs_table, save_ehs_table
from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor
from cardwin.core.rng import child, key_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.holdem.hooks import PYTHON
from cardwin.games.holdem.table import SEATS
from cardwin.games.specs import split_spec
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.registry import makers_of
from cardwin.players.specs import Untrusted, expand_specs
from cardwin.players.xcs.encoding import ACTIONS, MEMORY, SEEN, Encoding, reset_memory
from cardwin.players.xcs.learning.parameters import Parameters, settings_of
from cardwin.players.xcs.learning.system import new_system
from cardwin.players.xcs.player import GAME, SUFFIX, XcsPlayer
from cardwin.players.xcs.rules import used_rules
from cardwin.players.xcs.training.experiment import XcsExperiment, XcsTrainer
from cardwin.players.xcs.training.hands import Hands, Learning, play_hands, play_live, write_strengths
from cardwin.stats.intervals import Estimate, mean_interval

COMMAND = "train"
SELF = "self"
BLOCK = 2_000  # hands that are dealt and evaluated together
# Chance makes every rule inaccurate, and the settings of the literature favour general, uninformative rules. This
# helps: many specific rules (N, P_hash), rare breeding (theta_GA), accuracy that falls slowly (nu), small steps (beta).
DEFAULTS = {
    "N": 10_000,
    "epsilon_0": 1.0,
    "p_I": 0.0,
    "gamma": 1.0,
    "mu": 0.02,
    "P_hash": 0.1,
    "tau": 0.4,
    "beta": 0.02,
    "nu": 2.0,
    "theta_GA": 5_000.0,
    "do_action_set_subsumption": 0,
}


class HoldemExperiment(XcsExperiment):
    """The opponents, the number of hands, the encoding, and the deals and opponents of the evaluation.

    Attributes:
        game: The game that is played.
        against: Opponents, one per further seat.
        hands: Number of hands.
        condense: Last hands, in which breeding neither mutates nor crosses, so that the fittest rules replace
            the others.
        see: Numbers of the game that the rules see.
        widths: Bits of each number that the rules see.
        coding: How the game's numbers become bits.
        register_bits: Memory bits that rules read and write.
        bluff_below: Win odds below which a bet counts as a bluff.
        deals: Deals of each measurement during the run.
        final_deals: Deals of the last measurement.
        judges: Opponents of the measurements; empty for those of the training.
        in_process: Run python: players in this process (trusted code only).
        allow_weak_sandbox: Play untrusted players even if the system cannot isolate them well.

    """

    LENGTH: ClassVar[str] = "hands"
    FIRST_KEYS: ClassVar[tuple[str, ...]] = ("game", "against", "hands", "see", "seed")

    kind: Literal["xcs-holdem"] = "xcs-holdem"
    game: str = "holdem-limit"
    against: tuple[str, ...]
    hands: Annotated[int, Field(ge=1, le=10**10)] = 200_000
    every: Annotated[int, Field(ge=1, le=10**7)] = 10_000
    condense: Annotated[int, Field(ge=0, le=10**10)] = 0
    see: tuple[str, ...] = SEEN
    widths: dict[str, int] = Field(default_factory=dict)
    coding: str = "spread"
    register_bits: int = 0
    bluff_below: float = 0.4
    deals: Annotated[int, Field(ge=1, le=10**6)] = 250
    final_deals: Annotated[int, Field(ge=2, le=10**6)] = 2_000
    judges: tuple[str, ...] = ()
    in_process: bool = False
    allow_weak_sandbox: bool = False

    @property
    def programs(self) -> Untrusted:
        """How untrusted opponents are run."""
        return Untrusted(None, self.in_process, self.allow_weak_sandbox)

    @field_validator("see", "judges", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        """Split `hs+pot+round`, as it stands in a specification."""
        return tuple(value.split("+")) if isinstance(value, str) else value

    def bound_to_length(self) -> str:
        """Return why the run cannot be extended, otherwise an empty text."""
        return f"its last {self.condense:,} hands condensed the rules" if self.condense else super().bound_to_length()

    @property
    def default_parameters(self) -> Parameters:
        """The default parameters."""
        return Parameters(**DEFAULTS)  # type: ignore[arg-type]

    @property
    def rules(self) -> HoldemGame:
        """The game, which must be limit hold'em."""
        game = holdem_game(*split_spec(self.game))
        if game.kind != "limit":
            raise InputError(
                f"a classifier system learns limit hold'em only: expected --game holdem-limit, got {self.game}"
            )
        return game

    @property
    def opponents(self) -> list[str]:
        """One specification per seat."""
        return expand_specs(self.against)

    @property
    def evaluation_opponents(self) -> list[str]:
        """The opponents in the evaluation: those of the training, or Caller if it only plays itself."""
        if self.judges:
            return expand_specs(self.judges)
        return [spec for spec in self.opponents if spec != SELF] or ["call"]

    @property
    def encoding(self) -> Encoding:
        """The learner's encoding."""
        return Encoding(self.see, self.widths, self.coding, self.register_bits, self.bluff_below)


EXPERIMENT = HoldemExperiment


def check(experiment: HoldemExperiment) -> None:
    """Raise an InputError with all errors of the game, the opponents, the state variables and the parameters."""
    errors = []
    for read in (
        lambda: experiment.rules,
        lambda: _check_opponents(experiment),
        lambda: experiment.encoding.fields,
        lambda: experiment.all_parameters,
    ):
        try:
            read()
        except InputError as error:
            errors.append(str(error))
    if errors:
        raise InputError("; ".join(errors))


def _check_opponents(experiment: HoldemExperiment) -> None:
    for title, specs in (("opponents", experiment.opponents), ("judges", experiment.evaluation_opponents)):
        if not 1 <= len(specs) < SEATS:
            raise InputError(f"{len(specs)} {title}: expected from 1 to {SEATS - 1} beside the learner")
    specs = [spec for spec in (*experiment.opponents, *experiment.evaluation_opponents) if spec != SELF]
    makers_of(list(dict.fromkeys(specs)), experiment.programs)


class HoldemTrainer(XcsTrainer):
    """A learner at its table, a match of `every` hands per step; `in_python` calls compiled opponents in Python too."""

    FILE = f"rules{SUFFIX}"
    experiment: HoldemExperiment

    def __init__(self, experiment: HoldemExperiment, in_python: bool = False) -> None:
        self.in_python = in_python
        self.game, self.encoding = experiment.rules, experiment.encoding
        seats = [0, *(1 + number for number, spec in enumerate(experiment.opponents) if spec == SELF)]
        self.seats = np.array(seats, np.int64)
        self.parameters = experiment.all_parameters
        fields, two = self.encoding.fields, experiment.predictions == 2
        system = new_system(fields, len(ACTIONS), self.parameters, 0, two, len(seats))
        super().__init__(experiment, system, fields, ACTIONS)

    def step(self, key: int) -> Generation:
        """Play one match with the randomness of this key, then some deals for evaluation."""
        count = self.next_count()
        self.system.stream[:] = (child(key, 0), 0)
        explored, chips = self.play(count, child(key, 1))
        self.played += count
        exploited = chips[explored == 0] / self.game.chips_per_unit
        won = self.evaluate(self.experiment.deals, "curve")
        metrics = {
            "trials": float(self.played),
            "rules": float(self.rule_count),
            "won": won.mean,
            "won ci95": won.ci95,
            "exploiting": float(exploited.mean()) if len(exploited) else float("nan"),
        }
        return self.generation(PrimaryMetric("won", won.mean), metrics, chips, won.mean)

    def play(self, count: int, key: int) -> tuple[Any, Any]:
        """Play hands against newly built opponents; return explored and chips (hands,)."""
        players = self._players()
        compiled = compiled_players(players, self.in_python)
        memory = np.zeros((len(self.seats), MEMORY), np.int64)
        for row in memory:
            reset_memory(row)
        system = self.system
        if self.played >= self.experiment.hands - self.experiment.condense:
            system = system._replace(settings=settings_of(replace(self.parameters, chi=0.0, mu=0.0)))
        learning = Learning(system, self.encoding.coded, self.seats, memory)
        tables, strength_table = self.game.tables(len(players)), ehs_table()
        has_python_opponents = (compiled.kinds == PYTHON).sum() > len(self.seats)
        live = LiveTable(self.game, players, in_python=self.in_python) if has_python_opponents else None
        explored, chips = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for number, first in enumerate(range(0, count, BLOCK)):
            block = slice(first, min(first + BLOCK, count))
            hands = Hands(child(key, number), first % len(players), explored[block], chips[block])
            strengths = np.zeros((len(hands.chips), len(self.seats), 4, 2))
            write_strengths(strength_table, tables, self.seats, hands.key, strengths)
            if live is None:
                play_hands(learning, tables, self.game.stack, compiled.arrays, hands, strengths)
            else:
                play_live(learning, live, self.game.stack, hands, strengths)
        return explored, chips

    def _players(self) -> list[HoldemPlayer | None]:
        """Return None for the learner's seats, and newly built opponents."""
        specs = self.experiment.opponents
        makers = iter(makers_of([spec for spec in specs if spec != SELF], self.experiment.programs))
        return [None, *(None if spec == SELF else next(makers)() for spec in specs)]

    def about(self) -> dict[str, Any]:
        """Return the origin of the rules, for their file."""
        return {
            "game": GAME,
            "encoding": self.encoding.as_dict(),
            "against": list(self.experiment.against),
            "hands": self.played,
            "seed": self.experiment.seed,
        }

    def player(self) -> XcsPlayer:
        """Return the current rules as a player."""
        rule_set = self.rule_set()
        return XcsPlayer(replace(rule_set, rules=used_rules(rule_set.rules)), self.encoding)

    def evaluate(self, deals: int, purpose: str) -> Estimate:
        """Return small bets per hand against the evaluation opponents, every deal once from every seat."""
        experiment = self.experiment
        key = key_of(experiment.seed or 0, purpose)
        opponents, programs = experiment.evaluation_opponents, experiment.programs
        return mean_interval(won_by_deal(self.game, self.player, opponents, deals, key, programs))

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  the state is enough
        """Return the number of hands and rules, and the result on deals that no step used."""
        experiment = self.experiment
        won = self.evaluate(experiment.final_deals, "final")
        save_ehs_table()
        return {
            "game": self.game.name,
            "against": list(experiment.against),
            "hands": self.played,
            "rules": self.rule_count,
            "judges": experiment.evaluation_opponents,
            "small_bets_per_hand": won.mean,
            "ci95": won.ci95,
            "deals": experiment.final_deals,
            "file": str(self.file),
        }


UNLIMITED = Untrusted(None)


def won_by_deal(
    game: HoldemGame,
    make: Callable[[], HoldemPlayer],
    others: Sequence[str],
    deals: int,
    key: int,
    programs: Untrusted = UNLIMITED,
) -> Floats:
    """Play duplicate deals and return a player's result in each (deals,), in the game's unit, the mean over all seats.

    Args:
        game: the game.
        make: builds the player.
        others: the specifications of the opponents.
        deals: the number of deals; each is played once from every seat.
        key: the key of the cards and decisions.
        programs: how untrusted opponents are run.

    """
    makers = [make, *makers_of(list(others), programs)]
    match = Match(game, makers, key, MatchOptions(duplicate=True, seating="rotation"))
    match.play(deals * len(makers))
    won: Floats = match.chips[:, 0].reshape(deals, len(makers)).mean(axis=1) / game.chips_per_unit
    return won


def trainer(experiment: HoldemExperiment, executor: Executor, folder: Path) -> HoldemTrainer:  # noqa: ARG001  one learner, one thread
    """Return the trainer of an experiment."""
    return HoldemTrainer(experiment)
