"""Cardwin: poker strategies evolved, learned and solved, and then judged honestly.

The functions mirror the commands. Heavy modules are imported on first use.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwin.analysis.holdem_exploitability import ResponseSettings
    from cardwin.analysis.local_best_response import LocalBestResponse
    from cardwin.cards.equity import Equity
    from cardwin.cards.question import HandRank
    from cardwin.core.display import JsonResult
    from cardwin.games.base import Game, State
    from cardwin.games.holdem.history import History
    from cardwin.players.kind import HoldemPlayer
    from cardwin.players.loki.ranges import Range
    from cardwin.results.match import MatchResult
    from cardwin.solvers.blind_response import BlindResponse
    from cardwin.solvers.equilibria import Exploitability, Solution
    from cardwin.solvers.exact import Response
    from cardwin.solvers.policy import Policy
    from cardwin.solvers.public_tree.solve import BettingSolution

__version__ = "0.2.0"
__all__ = [
    "best_response",
    "deal",
    "equity",
    "evolve",
    "exploitability",
    "game",
    "leaderboard",
    "match",
    "player",
    "policy",
    "ranges",
    "rank",
    "replay",
    "reproduce",
    "resume",
    "solve",
    "solve_betting",
    "tournament",
    "train",
    "value",
]


def game(spec: str) -> "Game":
    """The game that a specification names: `kuhn`, `onecard:cards=6,bets=0/3/9,ante=1`, `holdem-nl:stack=20000`.

    `python:module:build` is a game of your own: `build(name)` returns it (see `cardwin.games.base`).
    """
    from cardwin import games
    from cardwin.games.specs import PREFIX, build_plugin

    if spec.startswith(PREFIX):
        build_plugin(spec)
    return games.game(spec)


def deal(
    game: "Game | str",
    players: int = 2,
    seed: int | None = None,
    *,
    hand: int = 1,
    stacks: Sequence[int] | None = None,
    button: int | None = None,
) -> "State":
    """A hand to play step by step: hand number `hand` of a match with this seed, before the first decision."""
    from cardwin.arena.deal import deal_holdem, deal_small
    from cardwin.core.rng import random_seed
    from cardwin.games import is_holdem

    rules = _game(game)
    seed = random_seed() if seed is None else seed
    if is_holdem(rules):
        return deal_holdem(rules, players, seed, hand, stacks, button)
    return deal_small(rules, seed, hand)


def policy(game: "Game | str", spec: str) -> "Policy":
    """A policy by specification: a model's name, `uniform`, `equilibrium`, `genes:…` or a JSON file."""
    from cardwin.players.small_games import policies

    return policies.policy(_game(game), spec)


def solve(game: "Game | str", method: str = "lp") -> "Solution":
    """An equilibrium of a small game, by `lp`, `cfr+` or `cfr`; `solve_betting` solves betting games."""
    from cardwin.solvers import equilibria

    return equilibria.solve(_game(game), method)


def solve_betting(
    game: str, method: str = "dcfr", *, until: float | None = None, iterations: int | None = None, workers: int = 1
) -> "BettingSolution":
    """An equilibrium of `flop-holdem` or of a parameter file's game, to an exploitability in mbb a game."""
    from cardwin.games.betting.game import betting_game
    from cardwin.solvers.public_tree import solve

    return solve.solve(betting_game(game), method, until=until, iterations=iterations, workers=workers)


def best_response(game: "Game | str", policy: "Policy | str", seat: int) -> "Response":
    """The best that seat 1 or 2 can do against a policy in the other seat."""
    from cardwin.solvers import equilibria

    return equilibria.best_response(_policy(game, policy), _index(seat))


def exploitability(
    game: "Game | str",
    policy: "Policy | str",
    seat: int | None = None,
    workers: int = 1,
    settings: "ResponseSettings | None" = None,
) -> "Exploitability | BlindResponse | LocalBestResponse":
    """A policy's loss against best responses: NashConv / 2, or one seat's loss against the game's value.

    In hold'em the policy is a player, heads-up: exact for one that does not look at its cards in holdem-limit, such as
    `blind:call=.3,raise=.7`, otherwise a lower bound by a local best response.
    """
    from cardwin.games import is_holdem
    from cardwin.solvers import equilibria

    rules = _game(game)
    if is_holdem(rules):
        from cardwin.analysis import holdem_exploitability

        return holdem_exploitability.exploitability(rules, str(policy), seat, workers, settings)
    return equilibria.exploitability(_policy(game, policy), None if seat is None else _index(seat))


def value(game: "Game | str", first: "Policy | str", second: "Policy | str") -> float:
    """Expected chips of the first policy in seat 1 against the second in seat 2."""
    from cardwin.solvers import exact
    from cardwin.solvers.tree import tree_of

    plays = _policy(game, first).exact(0), _policy(game, second).exact(1)
    return float(exact.value(tree_of(_game(game)), *plays))


def evolve(
    experiment: str,
    changes: Iterable[str] = (),
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int = 1,
) -> "JsonResult":
    """Run a preset or an experiment file in a new folder; the answer is what `cardwin evolve --json` prints."""
    from cardwin.core.display import JsonResult
    from cardwin.runs import launch

    return JsonResult(launch.evolve(experiment, changes, seed, launch.Launch(_path(out), workers)))


def rank(hand: str) -> "HandRank":
    """The value of five to seven cards, such as `AhKhQhJhTh2c3d`: 1 is a royal flush, 7462 the worst high card."""
    from cardwin.cards.question import rank_hand

    return rank_hand(hand)


def equity(
    hand: str, board: str = "", *, opponents: int | None = None, against: Sequence[str] | str = (), dead: str = ""
) -> "Equity":
    """How often two cards or a range win: against a number of random hands, or against ranges such as `QQ+, AKs`."""
    from cardwin.cards.question import answer_question, parse_question

    ranges = [against] if isinstance(against, str) else against
    return answer_question(parse_question(hand, board, opponents, ranges, dead))


def player(spec: str) -> "HoldemPlayer":
    """A hold'em player by specification, such as `random` or `python:module:Class`."""
    from cardwin.players import registry

    return registry.player(spec)


def match(
    players: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]",
    game: "Game | str" = "holdem-nl",
    hands: int = 10_000,
    seed: int | None = None,
    workers: int = 1,
    *,
    duplicate: bool = False,
    **options: Any,
) -> "MatchResult":
    """Play hands of hold'em between players: specifications, classes of your own, or objects (which are copied).

    The options are those of `cardwin.arena.match.MatchOptions`: stacks, all_in_adjusted, until_certain and others.
    Without a seed the cards come from secrets.
    """
    from cardwin.arena import match as arena
    from cardwin.results.match import MatchResult, judge_match

    chosen = arena.MatchOptions(duplicate=duplicate, **options)
    record = arena.match(_holdem(game), _specs(players), hands, seed, workers, chosen)
    return MatchResult(record, judge_match(record))


def ranges(hand: "History | str | Path", of: int, for_seat: int | None = None, number: int = 1) -> "list[Range]":
    """What a seat of a recorded hand may hold after each action, by Loki's model; seats and hands count from 1.

    The hand is a history, or a PHH or PHHS file and the hand's number in it. With `for_seat`, as that seat sees it.
    """
    from cardwin.analysis.hand_review import read_hand
    from cardwin.players.loki.ranges import ranges_of

    history = read_hand(Path(hand), number) if isinstance(hand, str | Path) else hand
    return ranges_of(history, of - 1, None if for_seat is None else for_seat - 1)


def tournament(
    players: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]",
    game: str = "holdem-nl",
    tables: int = 1,
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int = 1,
    *,
    duplicate: bool = False,
    payouts: str = "",
    **structure: Any,
) -> "JsonResult":
    """Play tournaments to elimination, `tables` in number; `random*1000` is a thousand players.

    The structure: seats at a table, growth of the blinds, every so many hands, most_hands, until_left.
    """
    values = {"players": _specs(players), "game": game, "tables": tables, "duplicate": duplicate, "payouts": payouts}
    return _run("tournament", values | {"structure": structure}, seed, out, workers)


def leaderboard(
    players: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]",
    game: str = "holdem-nl",
    hands: int = 10_000,
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int = 1,
    *,
    until_certain: bool = False,
) -> "JsonResult":
    """Play a round robin, heads-up and in duplicate; the run's folder holds the page."""
    values = {"players": _specs(players), "game": game, "hands": hands, "until_certain": until_certain}
    return _run("leaderboard", values, seed, out, workers)


def train(
    learner: str,
    against: Sequence[str],
    game: str = "holdem-simple",
    games: int = 100,
    rounds: int = 1000,
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int = 1,
) -> "JsonResult":
    """Train a robot against rivals, game after game; it is saved under the answer's `file`."""
    values = {"learner": learner, "against": list(against), "game": game, "games": games, "rounds": rounds}
    return _run("training", values, seed, out, workers)


def reproduce(
    paper: str,
    experiment: str | None = None,
    scale: str = "seconds",
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int = 1,
) -> "JsonResult":
    """Reproduce a publication: every printed number, our estimate, the exact value, and a verdict."""
    return _run("reproduction", {"paper": paper, "experiment": experiment, "scale": scale}, seed, out, workers)


def resume(
    folder: str | Path,
    workers: int = 1,
    *,
    trusted: Sequence[str] = (),
    add: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]" = (),
    **length: int,
) -> "JsonResult":
    """Resume a stopped run of any kind; for a finished one the answer is read again.

    Players of your own in it must be named again, as `trusted`. A length, such as `generations=500`, `tables=2000` or
    `games=300`, makes the run longer, finished or not. `add` lets players join a leaderboard.
    """
    from cardwin.core.display import JsonResult
    from cardwin.runs import launch

    return JsonResult(
        launch.resume(
            Path(folder), launch.Launch(workers=workers), trusted=trusted, lengths=length, newcomers=_specs(add)
        )
    )


def replay(*files: str | Path, game: str | Path | None = None, phh: str | Path | None = None) -> "JsonResult":
    """Hand histories, every action checked by the rules; with `phh` also written there as PHHS.

    Formats are seen by the content: PHH and PHHS, texts of poker rooms, and (with a game file) logs of the ACPC dealer.
    """
    from cardwin.core.display import JsonResult
    from cardwin.runs.replay_files import replay_files

    return JsonResult(replay_files([Path(file) for file in files], _path(game), _path(phh)))


def _run(kind: str, values: dict[str, Any], seed: int | None, out: str | Path | None, workers: int) -> "JsonResult":
    """Start a run of a kind and finish it; return the answer of its command."""
    from cardwin.core.display import JsonResult
    from cardwin.runs import launch

    return JsonResult(launch.begin(kind, values, seed, launch.Launch(_path(out), workers)))


def _specs(players: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]") -> list[str]:
    from cardwin.players.registry import spec_of

    return [spec_of(one) for one in players]


def _game(given: "Game | str") -> "Game":
    return game(given) if isinstance(given, str) else given


def _holdem(given: "Game | str") -> Any:
    from cardwin.core.errors import InputError
    from cardwin.games import is_holdem

    rules = _game(given)
    if not is_holdem(rules):
        raise InputError(f"{rules.name} is a small game: matches are of hold'em, and value() is exact")
    return rules


def _policy(given: "Game | str", wanted: "Policy | str") -> "Policy":
    return policy(given, wanted) if isinstance(wanted, str) else wanted


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _index(seat: int) -> int:
    from cardwin.core.errors import InputError

    if seat not in (1, 2):
        raise InputError(f"seat {seat} does not exist: seats are 1 and 2")
    return seat - 1
