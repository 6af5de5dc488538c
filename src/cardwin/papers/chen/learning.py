"""How V2 learns in test 5: targets, learning rules, and single games from 1.3, as the document ran them.

The document's V2 forgets between games. Its threshold was read after a game of unknown length, in which nothing kept it
above 1. So single games have lengths of 50 to 500 rounds, with our lower limit of 1.0 and without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cardwin.arena.cash_game import CashGameRules, play_cash_game
from cardwin.core.arrays import Floats
from cardwin.core.executor import Workers, open_executor
from cardwin.core.rng import child
from cardwin.papers.chen.game_settings import DOCUMENT_SIMULATION, OUR_SIMULATION, Setting
from cardwin.players.registry import player
from cardwin.players.robots.learner import BOUNDS, Learner
from cardwin.players.specs import expand_specs

FLOOR = BOUNDS["threshold"][0]
LENGTHS = tuple(range(50, 501, 50))
NO_FLOOR = {"threshold": (-10.0, BOUNDS["threshold"][1])}


@dataclass(frozen=True)
class Target:
    """A target share of hands won, and the steps of the threshold that balance at it."""

    share: float
    down: float
    up: float

    @property
    def text(self) -> str:
        """The target in words."""
        return f"{self.share:.0%} (-{self.down:g}/+{self.up:g})"

    @property
    def options(self) -> str:
        """The target as options of a V2's specification."""
        return f",down={self.down},up={self.up}"


@dataclass(frozen=True)
class LearningRule:
    """A learning rule: after which of V2's actions a hand counts, and how V1 and V2 simulate."""

    name: str
    after: str
    simulation: str


TARGETS = FIFTH, THIRD, HALF = Target(0.2, 0.04, 0.01), Target(1 / 3, 0.02, 0.01), Target(0.5, 0.01, 0.01)
PUBLISHED_RULE = LearningRule("the document's rule and simulation", "play", DOCUMENT_SIMULATION)
OUR_RULE = LearningRule("ours: only raises count, simulated as it should be", "raise", OUR_SIMULATION)


@dataclass(frozen=True)
class SingleGames:
    """Single games by their lengths: thresholds, hands that counted, and how many of those were won.

    All are (games, lengths). A game that ended early keeps its last values.
    """

    thresholds: Floats
    hands: Floats
    won: Floats


def learner_of(setting: Setting, rule: LearningRule, options: str = "") -> Learner:
    """Return a V2 with a learning rule and further options, such as those of a target."""
    learner = player(replace(setting, simulation=rule.simulation).ai(2, options=f",after={rule.after}{options}"))
    assert isinstance(learner, Learner)  # noqa: S101  the registry's v2 is one
    return learner


def play_single_games(
    setting: Setting,
    rule: LearningRule,
    target: Target,
    games: int,
    key: int,
    *,
    lengths: tuple[int, ...] = LENGTHS,
    floor: bool = True,
    workers: Workers = 1,
) -> SingleGames:
    """Play games at test 4's table, each with a V2 that begins at 1.3.

    Args:
        setting: The game's sizes and the robots' options.
        rule: The learning rule.
        target: The target share of hands won.
        games: The number of games.
        key: The key of the random numbers; every game has a child of it.
        lengths: The rounds after which the threshold is read.
        floor: Whether the threshold has our lower limit.
        workers: Where the games are played.

    """

    def play(number: int) -> Floats:
        rounds = play_single_game(setting, rule, target, child(key, number), max(lengths), floor)
        return rounds[np.minimum(lengths, len(rounds) - 1)]

    with open_executor(workers) as executor:
        values = np.array(list(executor.map(play, range(games))))
    return SingleGames(values[:, :, 0], values[:, :, 1], values[:, :, 2])


def play_single_game(
    setting: Setting,
    rule: LearningRule,
    target: Target,
    key: int,
    rounds: int,
    floor: bool = True,
    rivals: Sequence[str] | None = None,
) -> Floats:
    """Play one game with a V2 that begins at 1.3.

    Args:
        setting: The game's sizes and the robots' options.
        rule: The learning rule.
        target: The target share of hands won.
        key: The key of the random numbers.
        rounds: The largest number of rounds.
        floor: Whether the threshold has our lower limit.
        rivals: The others at the table, by default those of test 4.

    Returns:
        By round (rounds + 1, 3): the threshold, the hands that counted so far, and how many of those were won.

    """
    table, learner = replace(setting, simulation=rule.simulation), learner_of(setting, rule, target.options)
    if not floor:
        learner.bounds = NO_FLOOR
    others = [player(spec) for spec in expand_specs(rivals or table.v2_rivals())]
    values = list[tuple[float, ...]]()

    def record_round() -> None:
        values.append((learner.value("threshold"), *learner.tally.tolist()))

    play_cash_game(table.game, [*others, learner], key, CashGameRules(rounds), after_hand=record_round)
    return np.array(values, dtype=np.float64)
