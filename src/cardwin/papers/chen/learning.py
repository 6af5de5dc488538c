"""How V2 learns in test 5: targets, ways to learn, and single games from 1.3, as the document ran them.

The document's V2 forgets between games; its threshold was read after a game of unknown length, in which nothing kept it
above 1. So single games are played over lengths of 50 to 500 rounds, with our floor of 1.0 and without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cardwin.arena.cash_game import CashGameRules, play_cash_game
from cardwin.core.arrays import Floats
from cardwin.core.executor import Workers, open_executor
from cardwin.core.rng import child
from cardwin.papers.chen.conditions import DOCUMENTS, OURS, Setting
from cardwin.papers.chen.everybody import rivals
from cardwin.players.registry import player
from cardwin.players.robots.learner import BOUNDS, Learner
from cardwin.players.specs import expand_specs

FLOOR = BOUNDS["threshold"][0]
LENGTHS = tuple(range(50, 501, 50))
NO_FLOOR = {"threshold": (-10.0, BOUNDS["threshold"][1])}


@dataclass(frozen=True)
class Wanted:
    """A target share of hands won, and the steps that balance at it."""

    share: float
    down: float
    up: float

    @property
    def text(self) -> str:
        """The target in words."""
        return f"{self.share:.0%} (-{self.down:g}/+{self.up:g})"


@dataclass(frozen=True)
class Way:
    """A learning rule: which hands count, and how V1 and V2 simulate."""

    name: str
    after: str
    simulation: str


WANTED = LOW, THIRD, HALF = Wanted(0.2, 0.04, 0.01), Wanted(1 / 3, 0.02, 0.01), Wanted(0.5, 0.01, 0.01)
AS_PUBLISHED = Way("the document's rule and simulation", "play", DOCUMENTS)
AS_OURS = Way("ours: only raises count, simulated as it should be", "raise", OURS)


@dataclass(frozen=True)
class Singles:
    """Single games by their lengths: thresholds, hands that counted, and those of them that were won.

    All are (games, lengths); a game that ended earlier keeps its last values.
    """

    thresholds: Floats
    hands: Floats
    won: Floats


def learner_of(setting: Setting, way: Way, more: str = "") -> Learner:
    """A V2 that learns in some way."""
    made = player(replace(setting, simulation=way.simulation).v(2, more=f",after={way.after}{more}"))
    assert isinstance(made, Learner)  # noqa: S101  the registry's v2 is one
    return made


def learner_for(setting: Setting, way: Way, wanted: Wanted) -> Learner:
    """A V2 that learns in some way for a target."""
    return learner_of(setting, way, f",down={wanted.down},up={wanted.up}")


def single_games(
    setting: Setting, way: Way, wanted: Wanted, games: int, key: int, *, lengths: tuple[int, ...] = LENGTHS,
    floor: bool = True, workers: Workers = 1,
) -> Singles:  # fmt: skip
    """Games at test 4's table, each by a V2 that begins at 1.3."""

    def play(number: int) -> Floats:
        course = single_game(setting, way, wanted, child(key, number), max(lengths), floor)
        return course[np.minimum(lengths, len(course) - 1)]

    with open_executor(workers) as executor:
        found = np.array(list(executor.map(play, range(games))))
    return Singles(found[:, :, 0], found[:, :, 1], found[:, :, 2])


def single_game(
    setting: Setting, way: Way, wanted: Wanted, key: int, rounds: int, floor: bool = True,
    others: Sequence[str] | None = None,
) -> Floats:  # fmt: skip
    """One game by round (rounds + 1, 3): the threshold, hands that counted so far, those of them that were won.

    The others at the table are those of test 4 unless named.
    """
    table, learner = replace(setting, simulation=way.simulation), learner_for(setting, way, wanted)
    if not floor:
        learner.bounds = NO_FLOOR
    seated = [player(spec) for spec in expand_specs(others or rivals(table))]
    course = list[tuple[float, ...]]()
    play_cash_game(
        table.game, [*seated, learner], key, CashGameRules(rounds),
        after_hand=lambda: course.append((learner.value("threshold"), *learner.tally.tolist())),
    )  # fmt: skip
    return np.array(course, dtype=np.float64)
