"""Cardwin: poker strategies evolved, learned and solved, and then judged honestly.

The same words as on the command line. Everything heavy is imported where it is used.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwin.arena.match import MatchRecord
    from cardwin.games.base import Game
    from cardwin.players.registry import HoldemPlayer
    from cardwin.solvers.answers import Exploitability, Solution
    from cardwin.solvers.exact import Response
    from cardwin.solvers.policy import Policy

__version__ = "0.1.0"
__all__ = ["best_response", "evolve", "exploitability", "game", "match", "player", "policy", "solve", "value"]


def game(spec: str) -> "Game":
    """The small game that a specification names, such as `kuhn` or `onecard:cards=6,bets=0/3/9,ante=1`."""
    from cardwin import games

    return games.game(spec)


def policy(game: "Game", spec: str) -> "Policy":
    """A policy by specification: a model's name, `uniform`, `equilibrium`, `genes:…` or a JSON file."""
    from cardwin.players import policies

    return policies.policy(game, spec)


def solve(game: "Game", method: str = "lp") -> "Solution":
    """An equilibrium of a small game, by `lp`, `cfr+` or `cfr`."""
    from cardwin.solvers import answers

    return answers.solve(game, method)


def best_response(game: "Game", policy: "Policy | str", seat: int) -> "Response":
    """The best that seat 1 or 2 can do against a policy in the other seat."""
    from cardwin.solvers import answers

    return answers.best_response(_resolved(game, policy), _index(seat))


def exploitability(game: "Game", policy: "Policy | str", seat: int | None = None) -> "Exploitability":
    """How much a policy gives away to perfect opponents: NashConv / 2, or one seat's loss against the game's value."""
    from cardwin.solvers import answers

    return answers.exploitability(_resolved(game, policy), None if seat is None else _index(seat))


def value(game: "Game", first: "Policy | str", second: "Policy | str") -> float:
    """Expected chips of the first policy in seat 1 against the second in seat 2."""
    from cardwin.solvers import exact
    from cardwin.solvers.tree import tree_of

    return float(exact.value(tree_of(game), _resolved(game, first).exact(0), _resolved(game, second).exact(1)))


def evolve(
    experiment: str,
    changes: Iterable[str] = (),
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int = 1,
) -> dict[str, Any]:
    """Run a preset or an experiment file in a new folder; the answer is what `cardwin evolve --json` prints."""
    from cardwin.lab import launch

    return launch.evolve(experiment, changes, seed, None if out is None else Path(out), workers)


def player(spec: str) -> "HoldemPlayer":
    """A hold'em player by specification, such as `random` or `python:module:Class`."""
    from cardwin.players import registry

    return registry.player(spec)


def match(
    specs: Sequence[str], game: str = "holdem-nl", hands: int = 10_000, seed: int = 0, workers: int = 1,
    duplicate: bool = False,
) -> "MatchRecord":  # fmt: skip
    """Hands of hold'em between players by specification; the record holds the chips of each in every hand."""
    from cardwin.arena import match as arena
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec

    return arena.match(holdem_game(*split_spec(game)), specs, hands, seed, workers, duplicate=duplicate)


def _resolved(game: "Game", given: "Policy | str") -> "Policy":
    return policy(game, given) if isinstance(given, str) else given


def _index(seat: int) -> int:
    from cardwin.errors import InputError

    if seat not in (1, 2):
        raise InputError(f"seat {seat} does not exist: seats are 1 and 2")
    return seat - 1
