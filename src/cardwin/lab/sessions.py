"""Many sessions of the same players, each from its key, and what their stacks show: slopes, chips won, mean stacks."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cardwin.arena.session import SessionRecord, SessionRules, play_session
from cardwin.executor import executor_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import expand_specs, player
from cardwin.rng import child, shuffle_first, stream_of

Floats = npt.NDArray[np.float64]


def play_sessions(
    game: HoldemGame, specs: Sequence[str], games: int, key: int, rules: SessionRules, workers: int = 1,
    *, fixed_seats: bool = False,
) -> list[SessionRecord]:  # fmt: skip
    """So many sessions between the players that specifications name, each in new seats unless those are fixed.

    The columns of a session are in the order of the specifications, wherever each sat.
    """
    who = expand_specs(specs)

    def play(number: int) -> SessionRecord:
        own = child(key, number)
        seats = np.arange(len(who))
        if not fixed_seats:
            shuffle_first(stream_of(child(own, -1)), seats, len(who))
        session = play_session(game, [player(who[one]) for one in seats], own, rules)
        return SessionRecord(session.stacks[:, np.argsort(seats)])

    with executor_of(workers) as executor:
        return list(executor.map(play, range(games)))


def slope(stacks: npt.NDArray[np.int64]) -> float:
    """The least-squares slope of one player's stacks, chips a round, over the rounds until it was out."""
    length = min(int((stacks > 0).sum()) + 1, len(stacks))
    rounds = np.arange(length) - (length - 1) / 2
    return float(rounds @ stacks[:length] / (rounds @ rounds))


def slopes(sessions: Sequence[SessionRecord]) -> Floats:
    """The slopes (games, seats)."""
    return np.array([[slope(column) for column in session.stacks.T] for session in sessions])


def won(sessions: Sequence[SessionRecord], after: int | None = None) -> Floats:
    """The chips won (games, seats), at the end or after so many rounds; what ended before keeps its last stacks."""
    ends = [session.stacks[-1 if after is None else min(after, session.rounds)] for session in sessions]
    return np.array([end - session.stacks[0] for end, session in zip(ends, sessions, strict=True)], dtype=np.float64)


def mean_curves(sessions: Sequence[SessionRecord]) -> Floats:
    """The mean stack of every seat by round, (rounds + 1, seats); a game that was over early keeps its last stacks."""
    longest = max(len(session.stacks) for session in sessions)
    total = np.zeros((longest, sessions[0].stacks.shape[1]))
    for session in sessions:
        total[: len(session.stacks)] += session.stacks
        total[len(session.stacks) :] += session.stacks[-1]
    return total / len(sessions)
