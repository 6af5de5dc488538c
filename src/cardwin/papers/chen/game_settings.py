"""Settings that Chen's document does not specify, games played with them, and statistics common to all tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.papers import Context
from cardwin.results.cash_game import CashGameOptions, play_cash_games

Interval = tuple[float, float]

STACK = 10_000
# Chips per game: the document accepts a deviation of 5% (3.4), from which the margins of claims.toml come too.
CHIP_MARGIN = STACK / 20
OUR_SIMULATION, DOCUMENT_SIMULATION = "ties=share,deals=each", "ties=lose,deals=once"  # options of V1 and V2
RESAMPLES = 1_000
# When Standard calls a raise: by the printed odds (3.4), with good hands at any price (test 3), or always.
BY_ODDS, WITH_GOOD_HANDS, ALWAYS = "odds=0.2", "odds=0.2,good-hands=call", "odds=1"


@dataclass(frozen=True)
class Setting:
    """Everything that the document does not specify; docs/papers/chen.md gives the reasons."""

    stack: int = STACK
    blind: int = 100
    ante: int = 30
    rounds: int = 1000
    final_rounds: int = 300  # of tests 3 to 5: fewer, the document says
    raise_size: float = 1  # of V1 and V2, in minimum bets
    rollouts: int = 150
    reraise: str = "fold"
    second_group: float = 6  # minimum points of Standard's second group of hands
    simulation: str = OUR_SIMULATION
    raise_calls: str = BY_ODDS  # when Standard calls a raise

    @property
    def game(self) -> HoldemGame:
        """The simplified hold'em with these sizes; the minimum bet is the blind."""
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

    def describe(self, rounds: int) -> str:
        """Return the setting in words, with the largest number of rounds."""
        ours = self.simulation == OUR_SIMULATION
        simulation = "opponents dealt anew, ties shared" if ours else "opponents dealt once, ties lost"
        return (
            f"stacks of {self.stack:,}, blind and minimum bet {self.blind}, ante {self.ante}, "
            f"at most {rounds:,} rounds, V1 and V2 raise {self.raise_size:g} minimum bet and simulate {self.rollouts} "
            f"hands per decision ({simulation})"
        )

    def call(self) -> str:
        """Return the specification of the Call robot."""
        return f"call:reraise={self.reraise}"

    def standard(self, odds: float | None = None) -> str:
        """Return the specification of the Standard robot; `odds` replaces the pot odds at which it calls a raise."""
        raise_calls = self.raise_calls if odds is None else f"odds={odds:g}"
        return f"standard:reraise={self.reraise},calls={self.second_group:g},{raise_calls}"

    def ai(self, version: int, bluffs: bool = False, options: str = "") -> str:
        """Return the specification of AI V1 or AI V2."""
        sizes = f"size={self.raise_size:g},rollouts={self.rollouts},reraise={self.reraise},{self.simulation}"
        return f"v{version}:bluffs={'on' if bluffs else 'off'},{sizes}{options}"

    def v2_rivals(self) -> list[str]:
        """Return the specifications of all robots of test 4 except the V2, which has the last seat."""
        return [self.call(), f"{self.standard()}*3", f"{self.ai(1)}*2"]


def setting_of(context: Context) -> Setting:
    """Return the setting at a scale; at the paper's scale it has the document's thousand simulations per decision."""
    return Setting(rollouts=context.pick(100, 150, 200, 1000))


def games_of(context: Context) -> int:
    """Return the number of games; the document calls ten enough for a picture and a hundred enough to be sure."""
    return context.pick(24, 400, 4000, 100)


def play_games(
    context: Context,
    setting: Setting,
    specs: Sequence[str],
    games: int,
    *names: str,
    rules: CashGameRules | None = None,
    fixed_seats: bool = False,
) -> list[CashGameRecord]:
    """Play games between players.

    Args:
        context: The experiment, with its seed and workers.
        setting: The game's sizes.
        specs: The players' specifications.
        games: The number of games.
        names: The purpose of the games: the same names give the same deals.
        rules: When a game ends, by default as in tests 1 and 2.
        fixed_seats: Whether the players keep their seats in all games.

    Returns:
        A record per game, with columns in the order of the specifications.

    """
    options = CashGameOptions(rules or setting.rules, fixed_seats)
    return play_cash_games(setting.game, specs, games, context.key(*names), context.workers, options)


def resampled(statistic: Callable[..., float], *samples: Floats) -> Interval:
    """Return the bootstrap 95% interval of a statistic of samples (games, …); all are resampled by the same games."""
    games = len(samples[0])
    draw = generator_of(key_of(0, "resampled", games))
    resamples = (draw.integers(0, games, games) for _ in range(RESAMPLES))
    values = [statistic(*(sample[rows] for sample in samples)) for rows in resamples]
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def median(values: Floats) -> float:
    """Return the median of some games' values (games,)."""
    return float(np.median(values))


def median_game(values: Floats) -> int:
    """Return the index of the game with the median value, of values (games,)."""
    return int(np.argsort(values)[len(values) // 2])
