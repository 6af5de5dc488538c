"""Training by itself: a robot plays game after game and keeps what it has learnt (AI V3 of Chen 2018).

1. The learner and rivals sit down with fresh stacks and play a session.
2. Its parameters, moved a step after every hand that counted, are carried into the next one.
3. The steps balance at a share of hands won (`Step.balance`). Whether any value of the parameters has that share is
   another question, which `share_at` answers: it plays with a parameter held still and counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from cardwin.arena.match import makers_of
from cardwin.arena.referee import TIME_LIMIT, Referee
from cardwin.arena.session import SessionRules, play_session
from cardwin.errors import InputError
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.learner import Learner
from cardwin.players.registry import expand_specs
from cardwin.rng import child

Floats = npt.NDArray[np.float64]
MOST_GAMES = 1_000_000


@dataclass(frozen=True)
class Training:
    """How it went: each learnt parameter after every game, values (games + 1, learnt), and the hands that counted.

    tally (games, 2) counts, for every game, those hands and the ones among them that were won.
    """

    values: Floats
    tally: npt.NDArray[np.int64]

    def settled(self) -> Floats:
        """The mean of each parameter over the second half of the games."""
        mean: Floats = self.values[len(self.values) // 2 :].mean(axis=0)
        return mean

    def share_won(self) -> float:
        """The share won of the hands that counted in the second half."""
        hands, won = self.tally[len(self.tally) // 2 :].sum(axis=0)
        return float(won / hands) if hands else float("nan")


def train(
    game: HoldemGame, learner: Learner, rivals: Sequence[str], games: int, key: int,
    rules: SessionRules | None = None, *, isolated: bool = False, limit: float | None = TIME_LIMIT,
) -> Training:  # fmt: skip
    """Let a learner, which ends as it has learnt, play games against rivals by specification; it sits last.

    A referee keeps the game going whatever rivals of somebody's own do, with `isolated` in processes of their own.
    """
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"{games} games: from 1 to {MOST_GAMES} can be played")
    names = expand_specs(rivals)
    makers = makers_of(names, isolated, limit)
    learner.forgets = False
    values, tally = [_learnt(learner)], []
    for number in range(games):
        before = learner.tally.copy()
        referee = Referee([*names, "learner"], limit)
        play_session(game, [*(make() for make in makers), learner], child(key, number), rules, referee=referee)
        values.append(_learnt(learner))
        tally.append(learner.tally - before)
    return Training(np.array(values), np.array(tally))


def held(
    game: HoldemGame, learner: Learner, rivals: Sequence[str], games: int, key: int, rules: SessionRules | None = None
) -> npt.NDArray[np.int64]:
    """For every game (games, 2) the hands that counted and those won, with the parameters as they are, held still."""
    still = Learner(learner.robot, [replace(step, down=0.0, up=0.0) for step in learner.learnt], learner.after)
    return train(game, still, rivals, games, key, rules).tally


def share_at(
    game: HoldemGame, learner: Learner, rivals: Sequence[str], games: int, key: int, rules: SessionRules | None = None
) -> float:
    """The share of hands that counted which the learner wins with its parameters as they are, held still."""
    hands, won = held(game, learner, rivals, games, key, rules).sum(axis=0)
    return float(won / hands) if hands else float("nan")


def _learnt(learner: Learner) -> list[float]:
    return [learner.value(step.name) for step in learner.learnt]
