"""Experiments in which a classifier system learns limit hold'em against any players, at any number of seats.

A step is a new match of `every` hands, so that a resumed run meets its opponents like an uninterrupted one. After
each step the current rules play a fixed set of duplicate deals; at the end they play further deals that no step used.
`self` as an opponent is the learner itself, with the same rules and its own register.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator

from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Match, MatchOptions
from cardwin.cards.tables.ehs_table import ehs_table, save_ehs_table
from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.executor import Executor
from cardwin.core.rng import child, key_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.holdem.hooks import PYTHON
from cardwin.games.holdem.table import SEATS
from cardwin.games.specs import split_spec
from cardwin.players.builders import makers_of
from cardwin.players.compiled import compiled_players
from cardwin.players.kind import HoldemPlayer
from cardwin.players.specs import Untrusted, expand_specs
from cardwin.players.xcs.encoding import ACTIONS, MEMORY, SEEN, Encoding, forget
from cardwin.players.xcs.files import RuleSet, living, write
from cardwin.players.xcs.learning.parameters import Parameters
from cardwin.players.xcs.learning.problems import load_rules, rules_state
from cardwin.players.xcs.learning.system import System, new_system
from cardwin.players.xcs.player import GAME, SUFFIX, XcsPlayer
from cardwin.players.xcs.rules import SIZE
from cardwin.players.xcs.training.hands import Hands, Learning, look_ahead, play_hands, play_live
from cardwin.players.xcs.training.record import watched
from cardwin.players.xcs.training.settings import XcsExperiment
from cardwin.stats.intervals import Estimate, mean_interval

COMMAND = "train"
SELF = "self"
BLOCK = 2_000  # hands that are dealt and evaluated together
# Chance makes every rule inaccurate, and the usual settings of the literature favour general, uninformative rules. What
# helps: many specific rules (N, P_hash), bred rarely (theta_GA), accuracy that falls slowly (nu), small steps (beta).
USUAL = {
    "N": 10_000, "epsilon_0": 1.0, "p_I": 0.0, "gamma": 1.0, "mu": 0.02, "P_hash": 0.1, "tau": 0.4, "beta": 0.02,
    "nu": 2.0, "theta_GA": 5_000.0, "do_action_set_subsumption": 0,
}  # fmt: skip


class HoldemExperiment(XcsExperiment):
    """The opponents, the number of hands, the encoding, and the deals and opponents of the evaluation.

    In the last `condense` hands breeding neither mutates nor crosses, so that the fittest rules replace the others.
    """

    LENGTH: ClassVar[str] = "hands"

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
    def _several(cls, given: Any) -> Any:
        """`hs+pot+round` in a spec is a list."""
        return tuple(given.split("+")) if isinstance(given, str) else given

    def bound_to_length(self) -> str:
        """A run that condensed its rules at the end cannot be extended."""
        return f"its last {self.condense:,} hands condensed the rules" if self.condense else super().bound_to_length()

    @property
    def episodes(self) -> int:
        """The number of hands."""
        return self.hands

    @property
    def usual(self) -> Parameters:
        """The default parameters."""
        return Parameters(**USUAL)  # type: ignore[arg-type]

    @property
    def rules(self) -> HoldemGame:
        """The game, which must be limit hold'em."""
        game = holdem_game(*split_spec(self.game))
        if game.kind != "limit":
            raise InputError(f"a classifier system learns limit hold'em: --game holdem-limit, not {self.game}")
        return game

    @property
    def opponents(self) -> list[str]:
        """One specification a seat."""
        return expand_specs(self.against)

    @property
    def judged_by(self) -> list[str]:
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
    """Game, opponents, state variables and parameters: all errors are reported at once."""
    wrong = []
    for look in (_game, _opponents, lambda one: one.encoding.fields, lambda one: one.parameters_over(one.usual)):
        try:
            look(experiment)
        except InputError as error:
            wrong.append(str(error))
    if wrong:
        raise InputError("; ".join(wrong))


def _game(experiment: HoldemExperiment) -> None:
    _ = experiment.rules


def _opponents(experiment: HoldemExperiment) -> None:
    seats = 1 + len(experiment.opponents)
    if not 2 <= seats <= SEATS:
        raise InputError(f"{seats - 1} opponents: from 1 to {SEATS - 1} can sit beside the learner")
    if 1 + len(experiment.judged_by) > SEATS:
        raise InputError(f"{len(experiment.judged_by)} judges: from 1 to {SEATS - 1} can sit beside the learner")
    named = [spec for spec in (*experiment.opponents, *experiment.judged_by) if spec != SELF]
    makers_of(list(dict.fromkeys(named)), experiment.programs)


class HoldemTrainer:
    """A learner at its table, a match of `every` hands a step. `in_python` also calls compiled opponents in Python."""

    def __init__(self, experiment: HoldemExperiment, in_python: bool = False) -> None:
        self.experiment, self.in_python = experiment, in_python
        self.game, self.encoding = experiment.rules, experiment.encoding
        seats = [0, *(1 + number for number, spec in enumerate(experiment.opponents) if spec == SELF)]
        self.seats = np.array(seats, np.int64)
        parameters = experiment.parameters_over(experiment.usual)
        two = experiment.predictions == 2
        self.system: System = new_system(self.encoding.fields, len(ACTIONS), parameters, 0, two, len(seats))
        self.played = 0
        self.file: Path | None = None

    def step(self, key: int) -> Generation:
        """One match with the randomness of this key, then some deals for evaluation."""
        count = min(self.experiment.every, self.experiment.hands - self.played)
        self.system.stream[:] = (child(key, 0), 0)
        explored, chips = self.play(count, child(key, 1))
        self.played += count
        exploited = chips[explored == 0] / self.game.chips_per_unit
        judged = self.judged(self.experiment.deals, "curve")
        metrics = {
            "trials": float(self.played),
            "rules": float(self.system.rules.totals[SIZE]),
            "won": judged.mean,
            "won ci95": judged.ci95,
            "exploiting": float(exploited.mean()) if len(exploited) else float("nan"),
        }
        digest = digest_of(chips, judged.mean, *self.state().values())
        number = (self.played - 1) // self.experiment.every
        arrays, notes = watched(self.system.rules, self.encoding.fields, ACTIONS, number, self.experiment.steps)
        return Generation(PrimaryMetric("won", judged.mean), {"rules": metrics}, arrays, notes, digest=digest)

    def play(self, count: int, key: int) -> tuple[Any, Any]:
        """Hands against newly built opponents: explored and chips (hands,)."""
        players = [*self._opponents()]
        compiled = compiled_players(players, self.in_python)
        memory = np.zeros((len(self.seats), MEMORY), np.int64)
        for row in memory:
            forget(row)
        system = self.system
        if self.played >= self.experiment.hands - self.experiment.condense:
            system = system._replace(settings=system.settings._replace(chi=0.0, mu=0.0))
        learning = Learning(system, self.encoding.coded, self.seats, memory)
        tables, kept = self.game.tables(len(players)), ehs_table()
        asked = (compiled.kinds == PYTHON).sum() > len(self.seats)
        live = LiveTable(self.game, players, in_python=self.in_python) if asked else None
        explored, chips = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for number, first in enumerate(range(0, count, BLOCK)):
            block = slice(first, min(first + BLOCK, count))
            hands = Hands(child(key, number), first % len(players), explored[block], chips[block])
            seen = np.zeros((len(hands.chips), len(self.seats), 4, 2))
            look_ahead(kept, tables, self.seats, hands.key, seen)
            if live is None:
                play_hands(learning, tables, self.game.stack, compiled.arrays, hands, seen)
            else:
                play_live(learning, live, self.game.stack, hands, seen)
        return explored, chips

    def _opponents(self) -> list[HoldemPlayer | None]:
        how = self.experiment
        named = [spec for spec in how.opponents if spec != SELF]
        made = iter(makers_of(named, how.programs))
        return [None, *(None if spec == SELF else next(made)() for spec in how.opponents)]

    def rule_set(self) -> RuleSet:
        """The current rules, to be written or played."""
        about = {
            "game": GAME, "encoding": self.encoding.as_dict(), "against": list(self.experiment.against),
            "hands": self.played, "seed": self.experiment.seed,
        }  # fmt: skip
        return RuleSet(self.encoding.fields, ACTIONS, living(self.system.rules), about)

    def player(self) -> XcsPlayer:
        """The current rules as a player."""
        return XcsPlayer(self.rule_set(), self.encoding)

    def judged(self, deals: int, purpose: str) -> Estimate:
        """Small bets a hand against the evaluation opponents, every deal once from every seat."""
        key = key_of(self.experiment.seed or 0, purpose)
        how = self.experiment
        return mean_interval(won_by_deal(self.game, self.player, how.judged_by, deals, key, how.programs))

    def state(self) -> State:
        """The rules, and the number of hands played."""
        return {**rules_state(self.system), "played": np.array([self.played])}

    def load(self, state: State) -> None:
        """Continue from saved rules."""
        load_rules(self.system, state)
        self.played = int(state["played"][0])

    def write_champions(self, folder: Path) -> list[Path]:
        """The rules, as one file."""
        self.file = path = folder / f"rules{SUFFIX}"
        write(path, self.rule_set())
        return [path]

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  the state says it all
        """The number of hands and rules, and the result against the evaluation opponents on deals that no step used."""
        judged = self.judged(self.experiment.final_deals, "final")
        save_ehs_table()
        found = {"game": self.game.name, "against": list(self.experiment.against), "hands": self.played}
        return {
            **found, "rules": int(self.system.rules.totals[SIZE]), "judges": self.experiment.judged_by,
            "small_bets_per_hand": judged.mean, "ci95": judged.ci95, "deals": self.experiment.final_deals,
            "file": str(self.file),
        }  # fmt: skip


UNLIMITED = Untrusted(None)


def won_by_deal(
    game: HoldemGame,
    make: Callable[[], HoldemPlayer],
    others: Sequence[str],
    deals: int,
    key: int,
    programs: Untrusted = UNLIMITED,
) -> Floats:
    """A player's result against others in each deal (deals,), in the game's unit, the mean over all seats."""
    makers = [make, *makers_of(list(others), programs)]
    match = Match(game, makers, key, MatchOptions(duplicate=True, seating="rotation"))
    match.play(deals * len(makers))
    won: Floats = match.chips[:, 0].reshape(deals, len(makers)).mean(axis=1) / game.chips_per_unit
    return won


def trainer(experiment: HoldemExperiment, executor: Executor, folder: Path) -> HoldemTrainer:  # noqa: ARG001  one learner, one thread
    """The trainer of an experiment."""
    return HoldemTrainer(experiment)
