"""Many sessions of the same players, each from its key, and what their stacks show: slopes, chips won, mean stacks."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.arena.cash_game import SessionRecord, SessionRules, play_session
from cardwin.arena.independent_hands import makers_of
from cardwin.arena.referee import TIME_LIMIT, Referee
from cardwin.core.display import numbered
from cardwin.core.errors import InputError
from cardwin.core.executor import executor_of
from cardwin.core.rng import child, shuffle_first, stream_of
from cardwin.core.trainer import digest_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import expand_specs
from cardwin.stats.intervals import mean_interval

Floats = npt.NDArray[np.float64]
MOST_GAMES = 100_000
MOST_STACKS = 400_000_000  # kept in memory, 8 bytes each


def play_sessions(
    game: HoldemGame, specs: Sequence[str], games: int, key: int, rules: SessionRules, workers: int = 1,
    *, fixed_seats: bool = False, isolated: bool = False, limit: float | None = TIME_LIMIT,
) -> list[SessionRecord]:  # fmt: skip
    """So many sessions between the players that specifications name, each in new seats unless those are fixed.

    The columns of a session are in the order of the specifications, wherever each sat. A referee keeps the game going
    whatever players of somebody's own do, with `isolated` in processes of their own.
    """
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"{games} games: from 1 to {MOST_GAMES:,} can be played")
    who = expand_specs(specs)
    if games * rules.rounds * len(who) > MOST_STACKS:
        raise InputError(f"{games} games of {rules.rounds} rounds are too many to keep: play fewer games or rounds")
    makers = makers_of(who, isolated, limit)

    def play(number: int) -> SessionRecord:
        own = child(key, number)
        seats = np.arange(len(who))
        if not fixed_seats:
            shuffle_first(stream_of(child(own, -1)), seats, len(who))
        referee = Referee([who[one] for one in seats.tolist()], limit)
        session = play_session(game, [makers[one]() for one in seats.tolist()], own, rules, referee=referee)
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


def sessions_answer(
    game: HoldemGame, specs: Sequence[str], seed: int, rules: SessionRules, sessions: Sequence[SessionRecord]
) -> dict[str, Any]:
    """What sessions showed, for people and programs: chips, average trend and survival of every player."""
    chips, lines = won(sessions), slopes(sessions)
    players = []
    for seat, label in enumerate(numbered(expand_specs(specs))):
        mean = mean_interval(chips[:, seat])
        alive = float(np.mean([session.stacks[-1, seat] > 0 for session in sessions]))
        players.append({
            "spec": label, "mean": mean.mean, "ci95": mean.ci95 if len(sessions) > 1 else None,
            "trend": float(lines[:, seat].mean()), "alive": alive,
        })  # fmt: skip
    digest = digest_of(*(session.stacks for session in sessions)).hex()
    return {
        "game": game.name, "games": len(sessions), "rules": asdict(rules), "players": players, "unit": "chips a game",
        "rounds": float(np.mean([session.rounds for session in sessions])), "seed": seed, "digest": digest,
    }  # fmt: skip
