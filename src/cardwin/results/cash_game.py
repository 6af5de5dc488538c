"""Many cash games of the same players, each from its key, and statistics of their stacks: slopes, chips won, means."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.arena.cash_game import CashGameRecord, CashGameRules, play_cash_game
from cardwin.arena.referee import Referee
from cardwin.core.arrays import Floats
from cardwin.core.display import number_duplicates
from cardwin.core.errors import InputError
from cardwin.core.executor import Workers, open_executor
from cardwin.core.rng import child, shuffle_first, stream_of
from cardwin.core.trainer import digest_of
from cardwin.games.holdem.game import HoldemGame
from cardwin.players.registry import makers_of
from cardwin.players.specs import IN_PROCESS, Untrusted, expand_specs
from cardwin.results.answers import STATISTICS, shown_answer
from cardwin.stats.headline import METHOD, intervals_of

MAX_GAMES = 100_000
MAX_STACKS = 400_000_000  # in memory, 8 bytes each


@dataclass(frozen=True)
class CashGameOptions:
    """Options of cash games: their rules, whether seats are fixed, and the limits of untrusted players."""

    rules: CashGameRules = field(default_factory=CashGameRules)
    fixed_seats: bool = False
    untrusted: Untrusted = IN_PROCESS


DEFAULT_OPTIONS = CashGameOptions()


def play_cash_games(
    game: HoldemGame,
    specs: Sequence[str],
    games: int,
    key: int,
    workers: Workers = 1,
    options: CashGameOptions = DEFAULT_OPTIONS,
) -> list[CashGameRecord]:
    """Play cash games between players, each with random seats unless those are fixed.

    A referee continues the game if an untrusted player fails.

    Args:
        game: The game.
        specs: The players' specifications.
        games: The number of games.
        key: The key of the random numbers; every game has a child of it.
        workers: Where the games are played.
        options: The rules, the seating, and the limits of untrusted players.

    Returns:
        A record per game. Its columns are in the order of the specifications, whatever the seats.

    Raises:
        InputError: If the number of games is out of range, or the stacks do not fit in memory.

    """
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"expected 1 to {MAX_GAMES:,} games, got {games}")
    rules, untrusted = options.rules, options.untrusted
    players = expand_specs(specs)
    if games * rules.rounds * len(players) > MAX_STACKS:
        raise InputError(f"{games} games of {rules.rounds} rounds do not fit in memory: play fewer games or rounds")
    makers = makers_of(players, untrusted)

    def play(number: int) -> CashGameRecord:
        game_key = child(key, number)
        seats = np.arange(len(players))
        if not options.fixed_seats:
            shuffle_first(stream_of(child(game_key, -1)), seats, len(players))
        referee = Referee([players[player_id] for player_id in seats.tolist()], untrusted.limit)
        seated = [makers[player_id]() for player_id in seats.tolist()]
        cash_game = play_cash_game(game, seated, game_key, rules, referee=referee)
        return CashGameRecord(cash_game.stacks[:, np.argsort(seats)])

    with open_executor(workers) as executor:
        return list(executor.map(play, range(games)))


def slope(stacks: npt.NDArray[np.int64]) -> float:
    """Return the least-squares slope of a player's stacks, chips per round, over the rounds until its elimination."""
    length = min(int((stacks > 0).sum()) + 1, len(stacks))
    rounds = np.arange(length) - (length - 1) / 2
    return float(rounds @ stacks[:length] / (rounds @ rounds))


def slopes(cash_games: Sequence[CashGameRecord]) -> Floats:
    """Return the slopes (games, seats)."""
    return np.array([[slope(column) for column in cash_game.stacks.T] for cash_game in cash_games])


def won(cash_games: Sequence[CashGameRecord], after: int | None = None) -> Floats:
    """Return the chips won (games, seats) at the end, or after some rounds. A game that ended keeps its last stacks."""
    ends = [cash_game.stacks[-1 if after is None else min(after, cash_game.rounds)] for cash_game in cash_games]
    return np.array(
        [end - cash_game.stacks[0] for end, cash_game in zip(ends, cash_games, strict=True)], dtype=np.float64
    )


def mean_curves(cash_games: Sequence[CashGameRecord]) -> Floats:
    """Return the mean stacks by round, (rounds + 1, seats). A game that ended early keeps its last stacks."""
    longest = max(len(cash_game.stacks) for cash_game in cash_games)
    total = np.zeros((longest, cash_games[0].stacks.shape[1]))
    for cash_game in cash_games:
        total[: len(cash_game.stacks)] += cash_game.stacks
        total[len(cash_game.stacks) :] += cash_game.stacks[-1]
    return total / len(cash_games)


def cash_games_answer(
    game: HoldemGame, specs: Sequence[str], seed: int | None, rules: CashGameRules, cash_games: Sequence[CashGameRecord]
) -> dict[str, Any]:
    """Return cash games as JSON: chips, average trend and survival of every player.

    A player can lose its stack in a game or win all the others. More games of the same seed continue the series, so the
    guaranteed interval is the one for any stop.
    """
    chips, lines = won(cash_games), slopes(cash_games)
    stakes = -float(game.stack), float(game.stack) * (chips.shape[1] - 1)
    players = []
    for seat, label in enumerate(number_duplicates(expand_specs(specs))):
        intervals = intervals_of(chips[:, seat], stakes, any_stop=True)
        alive = float(np.mean([cash_game.stacks[-1, seat] > 0 for cash_game in cash_games]))
        players.append(
            {
                "spec": label,
                **shown_answer(intervals),
                "trend": float(lines[:, seat].mean()),
                "alive": alive,
            }
        )
    digest = digest_of(*(cash_game.stacks for cash_game in cash_games)).hex()
    return {
        "game": game.name,
        "games": len(cash_games),
        "rules": {"rounds": rules.rounds, "min_players": rules.min_players, "rising": rules.rising},
        "players": players,
        "unit": "chips per game",
        "rounds": float(np.mean([cash_game.rounds for cash_game in cash_games])),
        "seed": seed,
        "digest": digest,
        "method": METHOD,
        "statistics": STATISTICS,
    }
