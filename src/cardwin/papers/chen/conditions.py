"""Common to all five tests: settings that the document does not specify, playing many games, fixed margins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.papers import Context
from cardwin.results.cash_game import CashGameOptions, play_cash_games
from cardwin.stats.intervals import Estimate, quantile

Interval = tuple[float, float]

STACK = 10_000
ALIKE = (
    STACK / 20
)  # chips a game: a deviation of 5% is acceptable to the document (3.4); so are the margins of claims.toml
OURS, DOCUMENTS = "ties=share,deals=each", "ties=lose,deals=once"  # simulation options
RESAMPLES = 1_000
# Standard facing a raise: by the odds as printed (3.4), good hands at any price (test 3), or every hand.
BY_ODDS, WITH_GOOD_HANDS, ALWAYS = "odds=0.2", "odds=0.2,good-hands=call", "odds=1"


@dataclass(frozen=True)
class Setting:
    """Everything that the document does not specify; docs/papers/chen.md gives the reasons."""

    stack: int = STACK
    blind: int = 100
    ante: int = 30
    rounds: int = 1000
    final_rounds: int = 300  # of tests 3 to 5: fewer, the document says
    raise_size: float = 1  # of AI V1, in least bets
    rollouts: int = 150
    reraise: str = "fold"
    calls: float = 6  # least points of Standard's second group
    simulation: str = OURS
    reaction: str = BY_ODDS  # of Standard to a raise

    @property
    def game(self) -> HoldemGame:
        """The simplified hold'em with these sizes; the least bet is the blind."""
        sizes = {"stack": self.stack, "blind": self.blind, "ante": self.ante}
        return holdem_game("holdem-simple", {name: str(size) for name, size in sizes.items()})

    @property
    def rules(self) -> CashGameRules:
        """When a game of tests 1 and 2 ends."""
        return CashGameRules(self.rounds)

    @property
    def final_rules(self) -> CashGameRules:
        """When a game of tests 3 to 5 ends."""
        return CashGameRules(self.final_rounds)

    def text(self, rounds: int) -> str:
        """The setting in words, with the largest number of rounds."""
        how = "opponents dealt anew, ties shared" if self.simulation == OURS else "opponents dealt once, ties lost"
        return (
            f"stacks of {self.stack:,}, blind and least bet {self.blind}, ante {self.ante}, at most {rounds:,} rounds, "
            f"V1 and V2 raise {self.raise_size:g} least bet and simulate {self.rollouts} hands a decision ({how})"
        )

    def call(self) -> str:
        """The Call robot."""
        return f"call:reraise={self.reraise}"

    def standard(self, odds: float | None = None) -> str:
        """The Standard robot, perhaps with other pot odds at which it calls a raise."""
        reaction = self.reaction if odds is None else f"odds={odds:g}"
        return f"standard:reraise={self.reraise},calls={self.calls:g},{reaction}"

    def v(self, version: int, bluffs: bool = False, more: str = "") -> str:
        """AI V1 or AI V2."""
        sizes = f"size={self.raise_size:g},rollouts={self.rollouts},reraise={self.reraise},{self.simulation}"
        return f"v{version}:bluffs={'on' if bluffs else 'off'},{sizes}{more}"


def setting_of(context: Context) -> Setting:
    """The setting at a scale; at the paper's scale with its thousand simulations a decision."""
    return Setting(rollouts=context.pick(100, 150, 200, 1000))


def games_of(context: Context) -> int:
    """How many games: the document calls ten enough for a picture and a hundred for certainty."""
    return context.pick(24, 400, 4000, 100)


def play_games(
    context: Context, setting: Setting, specs: Sequence[str], games: int, *names: str,
    rules: CashGameRules | None = None, fixed_seats: bool = False,
) -> list[CashGameRecord]:  # fmt: skip
    """Play games between the players that specifications name; columns are in the order of the specifications."""
    rules = rules or setting.rules
    key = context.key(*names)
    return play_cash_games(setting.game, specs, games, key, context.workers, CashGameOptions(rules, fixed_seats))


def interval(estimate: Estimate) -> Interval:
    """A 95% interval."""
    return estimate.low, estimate.high


def wide_interval(sample: Floats, comparisons: int) -> Estimate:
    """The mean and an interval that is simultaneous for this number of comparisons (Bonferroni, Student's t)."""
    n, mean = len(sample), float(sample.mean())
    half = quantile(1 - 0.025 / comparisons, n - 1) * float(sample.std(ddof=1)) / sqrt(n)
    return Estimate(mean, half, mean - half, mean + half, n, "t")


def resampled(statistic: Callable[..., float], *samples: Floats) -> Interval:
    """The bootstrap 95% interval of a statistic of samples (games, …), resampling the same games of each sample."""
    games = len(samples[0])
    draw = generator_of(key_of(0, "resampled", games))
    chosen = (draw.integers(0, games, games) for _ in range(RESAMPLES))
    found = [statistic(*(sample[rows] for sample in samples)) for rows in chosen]
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def median(values: Floats) -> float:
    """The middle of some games."""
    return float(np.median(values))


def lost_chips(cash_games: Sequence[CashGameRecord]) -> int:
    """The largest difference between the chips at the table and those at the beginning."""
    return max(int(np.abs(cash_game.stacks.sum(axis=1) - cash_game.stacks[0].sum()).max()) for cash_game in cash_games)


def typical(values: Floats) -> int:
    """The index of the game with the median value."""
    return int(np.argsort(values)[len(values) // 2])
