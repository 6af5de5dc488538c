"""Cardwin: a laboratory that evolves, trains, solves and evaluates poker strategies.

The functions mirror the commands. Heavy modules are imported on first use. Invalid input raises
`cardwin.core.errors.InputError` or one of its subclasses.
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
    """Return the game that a specification names.

    Args:
        spec: A name with parameters, such as `kuhn`, `onecard:cards=6,bets=0/3/9,ante=1` or `holdem-nl:stack=20000`.
            `python:module:build` is a game of your own: `build(name)` returns it (see `cardwin.games.base`).

    Returns:
        The game: a name, a number of seats, and `start(...) -> State`.

    Raises:
        UnknownNameError: If there is no such game or parameter.
        InputError: If a parameter's value is invalid, or the rules of a user's game are: probabilities that do not
            sum to 1, no perfect recall, or different legal actions in an information set.

    """
    from cardwin import games
    from cardwin.games.specs import PREFIX, build_plugin

    if spec.startswith(PREFIX):
        build_plugin(spec)
    rules = games.game(spec)
    if spec.partition(":")[0] not in games.GAMES:
        from cardwin.solvers.tree import validate_loaded

        validate_loaded(rules)
    return rules


def deal(
    game: "Game | str",
    players: int = 2,
    seed: int | None = None,
    *,
    hand: int = 1,
    stacks: Sequence[int] | None = None,
    button: int | None = None,
) -> "State":
    """Return a hand to play step by step, before the first decision.

    Args:
        game: A game or its specification.
        players: Number of seats in hold'em, 2 to 10.
        seed: Seed of the cards; drawn if not given.
        hand: Number of the hand in a match with this seed, from 1.
        stacks: Chips of each seat in hold'em; default: the game's.
        button: Seat of the button in hold'em, from 0; default: that of the match.

    Returns:
        The state, with `actor`, `legal_actions()`, `apply(action)` and `view(seat)`.

    Raises:
        InputError: If the game does not exist, or a number is out of range.

    """
    from cardwin.arena.deal import deal_holdem, deal_small
    from cardwin.core.rng import random_seed
    from cardwin.games import is_holdem

    rules = _game(game)
    seed = random_seed() if seed is None else seed
    if is_holdem(rules):
        return deal_holdem(rules, players, seed, hand, stacks, button)
    return deal_small(rules, seed, hand)


def policy(game: "Game | str", spec: str) -> "Policy":
    """Return a policy of a small game.

    Args:
        game: A small game or its specification.
        spec: A model's name, `uniform`, `equilibrium`, `genes:…` or a JSON file.

    Returns:
        The probability of every action in every information set of one seat or both.

    Raises:
        UnknownNameError: If there is no such game or policy.
        InputError: If the genes or the file do not fit the game.

    """
    from cardwin.players.small_games import policies

    return policies.policy(_game(game), spec)


def solve(game: "Game | str", method: str = "lp") -> "Solution":
    """Return an equilibrium of a small game; `solve_betting` solves betting games.

    Args:
        game: A small game or its specification.
        method: `lp` (exact), `cfr+` or `cfr`.

    Returns:
        The policy, the game's value for seat 1 in chips per hand, and its exploitability in chips per hand.

    Raises:
        UnknownNameError: If there is no such game or method.
        InputError: If the game is too large, as hold'em is.

    """
    from cardwin.solvers import equilibria

    return equilibria.solve(_game(game), method)


def solve_betting(
    game: str, method: str = "dcfr", *, until: float | None = None, iterations: int | None = None, workers: int = 1
) -> "BettingSolution":
    """Return an approximate equilibrium of a betting game.

    Args:
        game: `flop-holdem` or a parameter file.
        method: `dcfr`, `cfr+`, `linear` or `pcfr+`.
        until: Exploitability to reach, in mbb per game; default: 1 if there is no maximum number of iterations.
        iterations: Maximum number of iterations.
        workers: Number of threads; the result does not depend on it.

    Returns:
        The value with exact bounds and the exploitability, both in mbb per game, and the strategies.

    Raises:
        UnknownNameError: If there is no such game or method.
        InputError: If a number is out of range, or the game is too large.

    """
    from cardwin.games.betting.game import betting_game
    from cardwin.solvers.public_tree import solve

    return solve.solve(betting_game(game), method, until=until, iterations=iterations, workers=workers)


def best_response(game: "Game | str", policy: "Policy | str", seat: int) -> "Response":
    """Return the best response of seat 1 or 2 to a policy in the other seat.

    Args:
        game: A small game or its specification.
        policy: The opponent's policy or its specification.
        seat: The seat of the response, 1 or 2.

    Returns:
        The value in chips per hand, the actions, and which of them are forced.

    Raises:
        UnknownNameError: If there is no such game or policy.
        InputError: If the seat is not 1 or 2, or the policy does not play the other seat.

    """
    from cardwin.solvers import equilibria

    return equilibria.best_response(_policy(game, policy), _index(seat))


def exploitability(
    game: "Game | str",
    policy: "Policy | str",
    seat: int | None = None,
    workers: int = 1,
    settings: "ResponseSettings | None" = None,
) -> "Exploitability | BlindResponse | LocalBestResponse":
    """Return a policy's loss against best responses: NashConv / 2, or one seat's loss against the game's value.

    In hold'em the policy is a player, heads-up: exact for one that does not use its cards in holdem-limit, such as
    `blind:call=.3,raise=.7`, otherwise a lower bound by a local best response.

    Args:
        game: A game or its specification.
        policy: A policy of a small game, or a specification; in hold'em that of a player.
        seat: Only this seat, 1 or 2; default: both.
        workers: Number of threads; the result does not depend on it.
        settings: Settings of the local best response.

    Returns:
        The exploitability in chips per hand (small games) or in the game's unit (hold'em).

    Raises:
        UnknownNameError: If there is no such game, policy or player.
        InputError: If the seat is not 1 or 2, or the policy does not play it.

    """
    from cardwin.games import is_holdem
    from cardwin.solvers import equilibria

    rules = _game(game)
    if is_holdem(rules):
        from cardwin.analysis import holdem_exploitability

        return holdem_exploitability.exploitability(rules, str(policy), seat, workers, settings)
    return equilibria.exploitability(_policy(game, policy), None if seat is None else _index(seat))


def value(game: "Game | str", first: "Policy | str", second: "Policy | str") -> float:
    """Return the exact value of two policies against each other.

    Args:
        game: A small game or its specification.
        first: The policy in seat 1, or its specification.
        second: The policy in seat 2, or its specification.

    Returns:
        The expected chips per hand of seat 1.

    Raises:
        UnknownNameError: If there is no such game or policy.
        InputError: If a policy does not play its seat.

    """
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
    """Run a preset or an experiment file in a new folder.

    Args:
        experiment: A preset's name or a TOML file.
        changes: Changed settings, such as `population.size=200`.
        seed: The same seed gives the same run, bit for bit; drawn if not given.
        out: The run's folder; default: a new one in `runs`.
        workers: Number of threads; the result does not depend on it.

    Returns:
        The answer that `cardwin evolve --json` prints.

    Raises:
        UnknownNameError: If there is no such preset.
        InputError: If a setting or its value is invalid, or the folder is not empty.

    """
    from cardwin.core.display import JsonResult
    from cardwin.runs import launch

    return JsonResult(launch.evolve(experiment, changes, seed, launch.Launch(_path(out), workers)))


def rank(hand: str) -> "HandRank":
    """Return the rank of a hand.

    Args:
        hand: Five to seven cards, such as `AhKhQhJhTh2c`.

    Returns:
        The category, the best five cards, and the rank: 1 is a royal flush, 7462 the worst high card.

    Raises:
        InputError: If a card is invalid or occurs twice, or their number is not 5 to 7.

    """
    from cardwin.cards.question import rank_hand

    return rank_hand(hand)


def equity(
    hand: str, board: str = "", *, opponents: int | None = None, against: Sequence[str] | str = (), dead: str = ""
) -> "Equity":
    """Return the equity of two cards or a range.

    Args:
        hand: Two cards such as `AhKh`, or a range such as `AKs`.
        board: Board cards, such as `QhJh2c`.
        opponents: Number of random opponents, 1 to 9.
        against: Ranges of the opponents, such as `QQ+, AKs`.
        dead: Cards that no player can hold.

    Returns:
        The shares of wins and ties and the equity, from 0 to 1, with a standard error if simulated.

    Raises:
        InputError: If a card or range is invalid, a card occurs twice, or the hands cannot be dealt together.

    """
    from cardwin.cards.question import answer_question, parse_question

    ranges = [against] if isinstance(against, str) else against
    return answer_question(parse_question(hand, board, opponents, ranges, dead))


def player(spec: str) -> "HoldemPlayer":
    """Return a hold'em player.

    Args:
        spec: A specification such as `random`, `net:champion` or `python:module:Class`.

    Returns:
        A player whose `act(view, rng)` returns an action.

    Raises:
        UnknownNameError: If there is no such player or parameter.
        InputError: If a parameter's value or the player's file is invalid.

    """
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
    """Play hands of hold'em between players.

    Args:
        players: Specifications, classes of your own, or objects (which are copied), one per seat.
        game: A hold'em game or its specification.
        hands: Number of hands over all seatings.
        seed: Seed of the cards; without it they come from secrets.
        workers: Number of threads; the result does not depend on it.
        duplicate: Play every deal once in each seating.
        **options: Those of `cardwin.arena.match.MatchOptions`: stacks, all_in_adjusted, until_certain and others.

    Returns:
        The result of every player per hand with its confidence interval, in the game's unit.

    Raises:
        UnknownNameError: If there is no such game or player.
        InputError: If the game is not hold'em, a number is out of range, or options contradict each other.

    """
    from cardwin.arena import match as arena
    from cardwin.results.match import MatchResult, judge_match

    settings = arena.MatchOptions(duplicate=duplicate, **options)
    record = arena.match(_holdem(game), _specs(players), hands, seed, workers, settings)
    return MatchResult(record, judge_match(record))


def ranges(hand: "History | str | Path", of: int, for_seat: int | None = None, number: int = 1) -> "list[Range]":
    """Return the estimated range of a seat of a recorded hand after each of its actions, by Loki's model.

    Args:
        hand: A history, or a PHH or PHHS file.
        of: The seat whose range is estimated, from 1.
        for_seat: The seat that estimates, from 1; its cards are excluded.
        number: Number of the hand in the file, from 1.

    Returns:
        One range per action, each with weights (1326,) by holding; the first one is that of the deal.

    Raises:
        InputError: If the file has another format, or there is no such seat or hand.
        OSError: If the file cannot be read.

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
    """Play tournaments to elimination.

    Args:
        players: Specifications, classes or objects; `random*1000` is a thousand players.
        game: A hold'em game.
        tables: Number of tournaments; with `duplicate` each in every seating.
        seed: Seed of the cards; without it they come from secrets.
        out: The run's folder; default: a new one in `runs`.
        workers: Number of threads; the result does not depend on it.
        duplicate: Play every sequence of decks once in each seating.
        payouts: Shares of the prize pool in percent, such as `50/30/20`.
        **structure: seats, growth of the blinds, every (hands between increases), max_hands, until_left, dead_button.

    Returns:
        The answer that `cardwin tournament --json` prints.

    Raises:
        UnknownNameError: If there is no such game or player.
        InputError: If a number is out of range, or the folder is not empty.

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
    """Play every pair of players heads-up with duplicate deals; the run's folder contains the report.

    Args:
        players: Specifications, classes or objects.
        game: A hold'em game.
        hands: Hands per pair.
        seed: Seed of the cards; without it they come from secrets.
        out: The run's folder; default: a new one in `runs`.
        workers: Number of threads; the result does not depend on it.
        until_certain: Stop a pair once its order is certain; `hands` is then the maximum.

    Returns:
        The answer that `cardwin leaderboard --json` prints.

    Raises:
        UnknownNameError: If there is no such game or player.
        InputError: If a number is out of range, or the folder is not empty.

    """
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
    """Train a robot against opponents, game by game.

    Args:
        learner: The robot that learns, such as `v2`.
        against: Its opponents, one per further seat.
        game: A hold'em game.
        games: Number of games.
        rounds: Maximum number of hands per game.
        seed: The same seed gives the same run; drawn if not given.
        out: The run's folder; default: a new one in `runs`.
        workers: Number of threads; the result does not depend on it.

    Returns:
        The answer that `cardwin train --json` prints; `file` is the trained player.

    Raises:
        UnknownNameError: If there is no such game or player.
        InputError: If the learner does not learn, a number is out of range, or the folder is not empty.

    """
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
    """Reproduce a publication: every printed number, our estimate, the exact value, and a verdict.

    Args:
        paper: `chen`, `lopez-pozuelo`, `morsomme`, `nicolai` or `reveley`.
        experiment: One experiment of the paper; default: all.
        scale: `seconds`, `minutes`, `hour` or `paper`.
        seed: The same seed gives the same findings; drawn if not given.
        out: The run's folder; default: a new one in `runs`.
        workers: Number of threads; the result does not depend on it.

    Returns:
        The answer that `cardwin reproduce --json` prints.

    Raises:
        UnknownNameError: If the paper has no such experiment.
        InputError: If there is no such paper or scale, or the folder is not empty.

    """
    return _run("reproduction", {"paper": paper, "experiment": experiment, "scale": scale}, seed, out, workers)


def resume(
    folder: str | Path,
    workers: int = 1,
    *,
    trusted: Sequence[str] = (),
    add: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]" = (),
    **length: int,
) -> "JsonResult":
    """Resume a stopped run of any kind; the answer of a finished run is read.

    Args:
        folder: The run's folder.
        workers: Number of threads; the result does not depend on it.
        trusted: Specifications of the run's players from outside the package, which must be named again.
        add: Players who join a leaderboard.
        **length: A new length, such as `generations=500`, `tables=2000` or `games=300`: makes the run longer.

    Returns:
        The answer that the run's command prints with `--json`.

    Raises:
        InputError: If the folder contains no run, its experiment was edited, or the length is not that of its kind.
        CorruptFileError: If a file of the run is damaged.

    """
    from cardwin.core.display import JsonResult
    from cardwin.runs import launch

    return JsonResult(
        launch.resume(
            Path(folder), launch.Launch(workers=workers), trusted=trusted, lengths=length, newcomers=_specs(add)
        )
    )


def replay(*files: str | Path, game: str | Path | None = None, phh: str | Path | None = None) -> "JsonResult":
    """Replay hand histories, and check every action by the rules.

    Args:
        *files: PHH and PHHS, texts of poker rooms, or logs of the ACPC dealer; the content determines the format.
        game: The game file of the ACPC dealer's logs.
        phh: Also write the replayed hands to this file, as PHHS.

    Returns:
        The answer that `cardwin replay --json` prints.

    Raises:
        InputError: If the game file is invalid or missing, or the new file exists.
        OSError: If a file cannot be read.

    """
    from cardwin.core.display import JsonResult
    from cardwin.runs.replay_files import replay_files

    return JsonResult(replay_files([Path(file) for file in files], _path(game), _path(phh)))


def _run(kind: str, values: dict[str, Any], seed: int | None, out: str | Path | None, workers: int) -> "JsonResult":
    """Run an experiment of a kind, and return the answer of its command."""
    from cardwin.core.display import JsonResult
    from cardwin.runs import launch

    return JsonResult(launch.begin(kind, values, seed, launch.Launch(_path(out), workers)))


def _specs(players: "Sequence[str | type[HoldemPlayer] | HoldemPlayer]") -> list[str]:
    from cardwin.players.registry import spec_of

    return [spec_of(player) for player in players]


def _game(game_or_spec: "Game | str") -> "Game":
    return game(game_or_spec) if isinstance(game_or_spec, str) else game_or_spec


def _holdem(game_or_spec: "Game | str") -> Any:
    from cardwin.core.errors import InputError
    from cardwin.games import is_holdem

    rules = _game(game_or_spec)
    if not is_holdem(rules):
        raise InputError(f"expected a hold'em game, got {rules.name}: value() is exact in small games")
    return rules


def _policy(rules: "Game | str", policy_or_spec: "Policy | str") -> "Policy":
    return policy(rules, policy_or_spec) if isinstance(policy_or_spec, str) else policy_or_spec


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


def _index(seat: int) -> int:
    from cardwin.core.errors import InputError

    if seat not in (1, 2):
        raise InputError(f"expected seat 1 or 2, got {seat}")
    return seat - 1
