"""The players that ship, as opponents: a name, a line about each, strength with its interval, style; easiest first.

Strength is the rating on a shipped board (boards.json): a heads-up round robin in duplicate of all players that ship
(`cardwin leaderboard`), in thousandths of a big blind per hand. It says how much a player wins from this company, not
how little can be won from it: for that a local best response is listed beside it if one was measured (players.json).
`tools/boards.py` plays the boards. In a small game strength is the exact exploitability.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError
from cardwin.games.base import Game
from cardwin.players.registry import PLAYERS, champions

BOARDS = Path(__file__).with_name("boards.json")
LOCAL_BEST_RESPONSES = Path(__file__).with_name("players.json")
SCHEMA = 1
UNIT = "mbb/h"

# Names of opponents, and what is said about champions; a kind's own line is its title in the registry.
NAMES: dict[str, str] = {
    "fold": "Folder",
    "call": "Caller",
    "raise": "Raiser",
    "all-in": "All-in",
    "random": "Random",
    "call-or-raise": "Call or raise",
    "blind": "Blind thirds",
    "standard": "Chen's Standard",
    "v1": "Chen's V1",
    "v2": "Chen's V2",
    "matrix": "Expert's matrix",
    "loki": "Loki",
    "matrix:old-best": "Evolved matrix",
    "matrix:old-scratch": "Matrix from scratch",
    "matrix:old-start": "Matrix of the start",
    "net:baseline": "Network without hall",
    "net:by-hand": "Network by hand",
    "net:by-hand-2": "Simple network by hand",
    "net:champion": "Champion",
    "net:hof2pop-a": "Co-evolved, red",
    "net:hof2pop-b": "Co-evolved, blue",
    "net:large-hof": "Large hall of fame",
    "net:small-hof": "Small hall of fame",
    "xcs:caller-beater": "Caller-beater",
    "xcs:loki-beater": "Loki-beater",
    "cfr:limit": "Limit blueprint",
    "cfr:nl20": "No-limit blueprint",
}
LINES: dict[str, str] = {
    "blind": "folds, calls and raises a third of the time each, whatever its cards",
    "standard": "a chart of starting hands, its position and pot odds",
    "v1": "simulated win rate over pot odds, with bluffs",
    "v2": "a V1 that learns its threshold while it plays",
    "loki": "hand strength, potential and models of its opponents, from the University of Alberta",
    "matrix": "an expert's matrix of actions by hand strength and cost",
    "matrix:old-best": "a matrix of actions, evolved from the expert's one",
    "matrix:old-scratch": "a matrix of actions, evolved from equal chances",
    "matrix:old-start": "a matrix of actions from which others evolved",
    "net:baseline": "a network evolved without a hall of fame",
    "net:by-hand": "a network written by hand, with three thresholds of its win odds",
    "net:by-hand-2": "a network written by hand, with two thresholds of its win odds",
    "net:champion": "a network by an evolution strategy in a mixed field, with normalised inputs",
    "net:hof2pop-a": "a network of the first of two populations that evolved against each other",
    "net:hof2pop-b": "a network of the second of two populations that evolved against each other",
    "net:large-hof": "a network evolved against a hall of fame of 300",
    "net:small-hof": "a network evolved against a hall of fame of 150",
    "xcs:caller-beater": "rules that a classifier system learnt against a caller, for limit hold'em",
    "xcs:loki-beater": "rules that a classifier system learnt against Loki without a model, for limit hold'em",
    "cfr:limit": "a heads-up blueprint for limit hold'em, from counterfactual regret minimisation",
    "cfr:nl20": "a heads-up blueprint for no-limit hold'em with 20 big blinds",
}
POLICY_LINES: dict[str, str] = {
    "equilibrium": "an equilibrium: in the long run nobody wins from it",
    "uniform": "every legal action with equal chances",
    "shy": "never bets, and calls with the best card only",
    "safe": "bets and calls with the best card only",
    "rational": "bets and calls with good cards, half the time with middling ones",
    "bluffer": "bets with weak cards too",
    "folder": "never bets and never calls",
    "caller": "bets and calls with everything",
}


@dataclass(frozen=True)
class Strength:
    """Thousandths of a big blind per hand with a 95% interval, and the game and the hands that it is from."""

    mean: float
    low: float
    high: float
    game: str
    hands: int
    unit: str = UNIT


@dataclass(frozen=True)
class Opponent:
    """A player as an opponent. `style` has vpip, pfr and aggression; what was not measured is None."""

    spec: str
    name: str
    about: str
    rating: Strength | None = None
    lbr: Strength | None = None
    style: Mapping[str, float | None] | None = None
    exploitability: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the opponent as JSON."""
        return asdict(self)


def opponents(game: str) -> list[Opponent]:
    """Return the players that ship and can play a game of hold'em, the easiest first, those that nobody rated last."""
    players = [opponent(spec, game) for spec in shipped_players() if plays(spec, game)]
    return sorted(players, key=lambda player: (player.rating is None, player.rating.mean if player.rating else 0.0))


def shipped_players() -> list[str]:
    """Return the specifications of all players that need no file of the user."""
    return [*(kind for kind, entry in PLAYERS.items() if not entry.needs_file), *champions()]


def home_game(spec: str) -> str:
    """Return the game that a player is for."""
    kind, _, name = spec.partition(":")
    return PLAYERS[kind].games.get(name, PLAYERS[kind].game)


def plays(spec: str, game: str) -> bool:
    """Return whether a player can play a game: a blueprint plays its own game only."""
    kind = spec.partition(":")[0]
    return not PLAYERS[kind].heads_up or home_game(spec) == game


def opponent(spec: str, game: str) -> Opponent:
    """Return a player with its measurements in a game, or in the game with default sizes."""
    kind, _, name = spec.partition(":")
    board = _boards().get(game) or _boards().get(game.partition(":")[0])
    row = next((entry for entry in board["players"] if entry["spec"] == spec), None) if board else None
    rated = Strength(**row["rating"], game=board["game"], hands=board["hands"]) if board and row else None
    return Opponent(
        spec,
        NAMES.get(spec, name.replace("-", " ").capitalize() or kind),
        LINES.get(spec, PLAYERS[kind].title),
        rated,
        _lbr(spec, game.partition(":")[0]),
        row["style"] if row else None,
    )


def policy_opponents(game: Game) -> list[Opponent]:
    """Return the named policies of a small game, the most exploitable first."""
    return sorted(_policies(game), key=lambda opponent: -(opponent.exploitability or 0.0))


@lru_cache(maxsize=32)
def _policies(game: Game) -> tuple[Opponent, ...]:
    from cardwin.players.registry import policy_names
    from cardwin.players.small_games.policies import policy
    from cardwin.solvers.equilibria import exploitability

    return tuple(
        Opponent(
            name,
            name.capitalize(),
            POLICY_LINES.get(name, name),
            exploitability=float(exploitability(policy(game, name)).exploitability),
        )
        for name in policy_names(game)
    )


@cache
def _boards() -> dict[str, dict[str, Any]]:
    """Return the shipped boards by game; none if there is no file."""
    return {board["game"]: board for board in _read(BOARDS, "boards")}


def _lbr(spec: str, game: str) -> Strength | None:
    """Return what a local best response won from a player, if it was measured."""
    result = _responses().get(spec, {}).get(game, {})
    if "mean" not in result:
        return None
    return Strength(result["mean"], result["low"], result["high"], game, result["hands"])


@cache
def _responses() -> dict[str, dict[str, Any]]:
    return {row["player"]: row["lbr"] for row in _read(LOCAL_BEST_RESPONSES, "players")}


def _read(path: Path, key: str) -> Sequence[dict[str, Any]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows: Sequence[dict[str, Any]] = content[key]
    except FileNotFoundError:
        return ()
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"invalid file {path}: expected {key}, got {error}") from None
    return rows


def board_of(answer: Mapping[str, Any], scale: float) -> dict[str, Any]:
    """Return what is kept of a leaderboard's answer; `scale` converts its unit to thousandths of a big blind."""
    players = [
        {
            "spec": row["spec"],
            "rating": _rounded(row["rating"], scale),
            "style": {name: _short(row["style"][name], 3) for name in ("vpip", "pfr", "aggression")},
        }
        for row in answer["players"]
    ]
    return {
        "game": answer["game"],
        "hands": answer["hands"],
        "seed": answer["seed"],
        "digest": answer["digest"],
        "players": players,
    }


def boards_text(boards: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of boards.json."""
    return json.dumps({"schema": SCHEMA, "unit": UNIT, "boards": list(boards)}, indent=1) + "\n"


def _rounded(rating: Mapping[str, Any], scale: float) -> dict[str, float | None]:
    low, high = rating["interval"]
    return {name: _short(value, 1, scale) for name, value in (("mean", rating["mean"]), ("low", low), ("high", high))}


def _short(value: float | None, digits: int, scale: float = 1.0) -> float | None:
    return None if value is None else round(value * scale, digits)
