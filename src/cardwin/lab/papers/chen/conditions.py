"""The table that all five tests share: what the document left open, many games at once, and slopes of stacks."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from cardwin.arena.session import SessionRecord, SessionRules, play_session
from cardwin.executor import executor_of
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.lab.papers import Context
from cardwin.players.registry import expand_specs, player
from cardwin.rng import child, shuffle_first, stream_of
from cardwin.stats.intervals import Estimate, quantile

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """Everything that the document does not say; docs/papers/chen.md gives the reasons."""

    stack: int = 10_000
    blind: int = 100
    ante: int = 30
    rounds: int = 1000
    final_rounds: int = 300  # of tests 4 and 5
    raise_size: float = 1  # of AI V1, in least bets
    rolls: int = 150
    reraise: str = "fold"

    @property
    def game(self) -> HoldemGame:
        """The simplified hold'em with these sizes; the least bet is the blind."""
        sizes = {"stack": self.stack, "blind": self.blind, "ante": self.ante}
        return holdem_game("holdem-simple", {name: str(size) for name, size in sizes.items()})

    @property
    def rules(self) -> SessionRules:
        """When a game is over."""
        return SessionRules(self.rounds)

    @property
    def final_rules(self) -> SessionRules:
        """When a game of tests 4 and 5 is over."""
        return SessionRules(self.final_rounds)

    @property
    def text(self) -> str:
        """For people."""
        return (
            f"stacks of {self.stack:,}, blind and least bet {self.blind}, ante {self.ante}, {self.rounds:,} rounds "
            f"({self.final_rounds} in tests 4 and 5), "
            f"V1 raises {self.raise_size:g} least bet and simulates {self.rolls} hands a decision"
        )

    def call(self) -> str:
        """The Call robot."""
        return f"call:reraise={self.reraise}"

    def standard(self) -> str:
        """The Standard robot."""
        return f"standard:reraise={self.reraise}"

    def v(self, version: int, bluffs: bool = False, more: str = "") -> str:
        """AI V1 or AI V2."""
        sizes = f"size={self.raise_size:g},rolls={self.rolls},reraise={self.reraise}"
        return f"v{version}:bluffs={'on' if bluffs else 'off'},{sizes}{more}"


def setting_of(context: Context) -> Setting:
    """The setting at a scale; at the paper's own, its thousand simulations a decision."""
    return Setting(rolls=context.pick(100, 150, 200, 1000))


def games_of(context: Context) -> int:
    """How many games: the document thought ten give a picture and a hundred make sure."""
    return context.pick(24, 400, 5000, 100)


def play_games(
    context: Context, setting: Setting, specs: Sequence[str], games: int, *names: str, rules: SessionRules | None = None
) -> list[SessionRecord]:
    """So many games between the players that specifications name, each from its own key and in seats drawn anew.

    The columns of a session are in the order of the specifications, wherever each sat.
    """
    who, key = expand_specs(specs), context.key(*names)

    def play(number: int) -> SessionRecord:
        game = child(key, number)
        seats = np.arange(len(who))
        shuffle_first(stream_of(child(game, -1)), seats, len(who))
        session = play_session(setting.game, [player(who[one]) for one in seats], game, rules or setting.rules)
        return SessionRecord(session.stacks[:, np.argsort(seats)])

    with executor_of(context.workers) as executor:
        return list(executor.map(play, range(games)))


def slope(stacks: npt.NDArray[np.int64]) -> float:
    """The least-squares slope of one robot's stacks, chips a round, over the rounds until it was out."""
    length = min(int((stacks > 0).sum()) + 1, len(stacks))
    rounds = np.arange(length) - (length - 1) / 2
    return float(rounds @ stacks[:length] / (rounds @ rounds))


def slopes(sessions: Sequence[SessionRecord]) -> Floats:
    """The slopes (games, seats)."""
    return np.array([[slope(column) for column in session.stacks.T] for session in sessions])


def won(sessions: Sequence[SessionRecord]) -> Floats:
    """The chips won (games, seats)."""
    return np.array([session.stacks[-1] - session.stacks[0] for session in sessions], dtype=np.float64)


def interval(estimate: Estimate) -> tuple[float, float]:
    """A 95% interval."""
    return estimate.low, estimate.high


def wide_interval(sample: Floats, comparisons: int) -> Estimate:
    """The mean and an interval that holds for all of so many comparisons together (Bonferroni, Student's t)."""
    n, mean = len(sample), float(sample.mean())
    half = quantile(1 - 0.025 / comparisons, n - 1) * float(sample.std(ddof=1)) / sqrt(n)
    return Estimate(mean, half, mean - half, mean + half, n, "t")


def lost_chips(sessions: Sequence[SessionRecord]) -> int:
    """The largest difference between the chips at the table and those that were there at the beginning."""
    return max(int(np.abs(session.stacks.sum(axis=1) - session.stacks[0].sum()).max()) for session in sessions)


def typical(values: Floats) -> int:
    """The number of the game whose value is the middle one."""
    return int(np.argsort(values)[len(values) // 2])
