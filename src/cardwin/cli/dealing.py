"""Commands for cash games, and for tables of the Annual Computer Poker Competition: a dealer, and a player at one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from cardwin.cli.app import AllowWeak, Cluster, Duplicate, InProcess, Json, Seed, TimeLimit, Workers, app, seed_option
from cardwin.cli.arena import check_cluster
from cardwin.cli.arena_tables import print_match
from cardwin.cli.output import note, print_detail, print_json, progress_bar
from cardwin.core.display import seed_text
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.games.base import Game
    from cardwin.games.formats.acpc_game import GameFile


@app.command("cash-game")
def cash_game(
    specs: Annotated[list[str], Argument(metavar="SPEC...", help="Players, one per seat; call*7 means seven.")],
    game: Annotated[
        str, Option(metavar="GAME", help="holdem-simple, holdem-nl or holdem-limit, with parameters.")
    ] = "holdem-simple",
    games: Annotated[int, Option(metavar="N", help="Number of games.")] = 1,
    rounds: Annotated[int, Option(metavar="N", help="Maximum number of rounds per game.")] = 1000,
    rising: Annotated[
        bool, Option("--rising", help="Raise blind and ante with the average stack as players leave.")
    ] = False,
    min_players: Annotated[
        int, Option("--min-players", metavar="N", help="A game ends when fewer players are left.")
    ] = 2,
    fixed_seats: Annotated[bool, Option("--fixed-seats", help="Keep the seats from game to game.")] = False,
    xlsx: Annotated[Path | None, Option(metavar="FILE.xlsx", help="Write a new workbook.")] = None,
    shown: Annotated[int, Option(metavar="N", min=0, help="Number of games with their own sheet.")] = 3,
    seed: Seed = None,
    limit: TimeLimit = 2.0,
    in_process: InProcess = False,
    allow_weak: AllowWeak = False,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play cash games: stacks carry over from hand to hand. Report results and average trends."""
    from cardwin.arena.card_secrets import CardSecrets
    from cardwin.arena.cash_game import CashGameRules
    from cardwin.core.cluster import open_workers
    from cardwin.core.kernel import clock
    from cardwin.core.rng import key_of
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.players.specs import Untrusted
    from cardwin.reports.workbook import save_cash_games
    from cardwin.results.cash_game import CashGameOptions, cash_games_answer, play_cash_games
    from cardwin.runs.commitments import fairness, sandbox_for

    if xlsx is not None and xlsx.suffix != ".xlsx":
        raise InputError(f"expected a file name that ends in .xlsx for --xlsx, got {xlsx}")
    if xlsx is not None and xlsx.exists():
        raise InputError(f"--xlsx {xlsx} exists already: choose a new file")
    check_cluster(specs, cluster)
    untrusted = Untrusted(limit, in_process, allow_weak)
    start, secrets, sandbox = clock(), CardSecrets(), sandbox_for(specs, untrusted)
    key = secrets.begin() if seed is None else key_of(seed, "session")
    table, rules = holdem_game(*split_spec(game)), CashGameRules(rounds, min_players, rising)
    with open_workers(workers, cluster) as compute:
        played = play_cash_games(table, specs, games, key, compute, CashGameOptions(rules, fixed_seats, untrusted))
    answer = cash_games_answer(table, specs, seed, rules, played) | fairness(specs, seed, sandbox)
    if seed is None:
        secrets.end()
    answer["secrets"] = [{"commitment": block.commitment, "secret": block.secret} for block in secrets.revealed]
    if xlsx is not None:
        save_cash_games(xlsx, answer, played, shown)
        note(f"wrote {xlsx}")
    answer |= {"workbook": str(xlsx) if xlsx else None, "seconds": round(clock() - start, 3)}
    print_json(answer) if as_json else _print_cash_games(answer)


def _print_cash_games(answer: dict[str, Any]) -> None:
    for player in answer["players"]:
        low, high = player["interval"]
        interval = "" if answer["games"] == 1 else f" ({low:.0f} to {high:.0f})"
        print(
            f"{player['spec']:<24}{player['mean']:>+10.0f}{interval} chips per game, trend {player['trend']:+.1f} per "
            f"round, alive at the end {player['alive']:.0%}"
        )
        if interval:
            low, high = player["intervals"]["any_stop"]["interval"]
            print(f"{'':<24}guaranteed if more games follow ({low:.0f} to {high:.0f})")
    if answer["games"] > 1:
        print_detail(f"{answer['method']} ({answer['statistics']})")
    print(
        f"{answer['games']} games of {answer['rounds']:.0f} rounds on average, {answer['game']}, "
        f"{seed_text(answer['seed'])}, digest {answer['digest']}"
    )


def _game_file(path: Path) -> "GameFile | Game":
    from cardwin.games.formats.acpc_game import read_game
    from cardwin.games.formats.small_states import small_game_of

    try:
        text = path.read_text(encoding="utf-8")
        return small_game_of(text) or read_game(text)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError):
        raise InputError(f"expected a game file of the ACPC dealer, got {path}, which cannot be read") from None


@app.command()
def deal(
    file: Annotated[Path, Argument(metavar="FILE.game", help="A game file of the ACPC dealer.")],
    specs: Annotated[list[str], Argument(metavar="SPEC...", help="Players; acpc:PORT waits for a client.")],
    hands: Annotated[int, Option(metavar="N", min=1, help="Number of hands over all seatings.")] = 1000,
    seed: Seed = None,
    duplicate: Duplicate = False,
    log: Annotated[Path | None, Option(metavar="FILE.log", help="Write the dealer's log to this new file.")] = None,
    limit: TimeLimit = 10.0,
    allow_weak: AllowWeak = False,
    as_json: Json = False,
) -> None:
    """Deal a match as the ACPC dealer does, write its log, and report the results with confidence intervals.

    A malformed, invalid or late response ends the match, as the protocol requires. With --duplicate a client connects
    to acpc:PORT once for each seating.
    """
    from cardwin.arena.acpc_dealer import DealOptions, deal_match, deal_small
    from cardwin.core.files import check_output
    from cardwin.core.kernel import clock
    from cardwin.core.rng import random_seed
    from cardwin.games.formats.acpc_game import GameFile
    from cardwin.players.specs import Untrusted, expand_specs
    from cardwin.results.match import judge_match, match_answer
    from cardwin.runs.commitments import fairness, sandbox_for

    if log is not None:
        check_output(log, "--log")
    table, names, start = _game_file(file), expand_specs(specs), clock()
    untrusted = Untrusted(limit, allow_weak_sandbox=allow_weak)
    options = DealOptions(duplicate, untrusted, log, f"{(log or file).stem} {file.name}")
    for port in dict.fromkeys(spec for spec in names if spec.startswith("acpc:") and spec[5:].isdecimal()):
        note(f"waiting for clients at 127.0.0.1, port {port[5:]}")
    if not isinstance(table, GameFile):
        seed = random_seed() if seed is None else seed
        small = deal_small(table, names, hands, seed, options)
        answer = _small_answer(table, names, small.won, 2 if duplicate else 1, small.ended)
        answer |= {"seed": seed, "ended": small.ended or None, "log": None if log is None else str(log)}
        print_json(answer) if as_json else _print_small(answer)
        if small.ended:
            raise typer.Exit(1)
        return
    sandbox = sandbox_for(names, untrusted)
    with progress_bar(hands, "hands") as progress:
        dealt = deal_match(table, names, hands, seed, options, progress)
    if not dealt.record.deals:
        raise InputError(f"the match ended before a deal was complete: {dealt.ended}")
    findings = judge_match(dealt.record)
    answer = match_answer(dealt.record, findings) | fairness(names, seed, sandbox)
    answer["secrets"] = [{"commitment": block.commitment, "secret": block.secret} for block in dealt.record.secrets]
    answer |= {"ended": dealt.ended or None, "log": None if log is None else str(log)}
    answer["seconds"] = round(clock() - start, 3)
    if as_json:
        print_json(answer)
    else:
        print_match(dealt.record, findings, answer)
        if dealt.ended:
            print(f"the match ended early: {dealt.ended}")
    if dealt.ended:
        raise typer.Exit(1)


def _small_answer(game: "Game", specs: list[str], won: Any, per_deal: int, ended: str) -> dict[str, Any]:
    """Return the answer of a match of a small game: the mean of both players over complete deals."""
    import numpy as np

    from cardwin.games.small.observation import shape_of
    from cardwin.results.answers import estimate_answer
    from cardwin.stats.intervals import block_means, bounded_mean

    hands = len(won) // per_deal * per_deal
    if not hands:
        raise InputError(f"the match ended before a deal was complete: {ended}")
    chips, stake = block_means(np.array(won[:hands], np.float64), per_deal), float(shape_of(game).max_chips)
    means = [estimate_answer(bounded_mean(chips[:, player], (-stake, stake), 1.0)) for player in (0, 1)]
    players = [{"spec": spec, **mean, "unit": "chips/h"} for spec, mean in zip(specs, means, strict=True)]
    return {"game": game.name, "hands": hands, "players": players}


def _print_small(answer: dict[str, Any]) -> None:
    for player in answer["players"]:
        low, high = player["interval"]
        print(f"{player['spec']:<24}{player['mean']:+.4f} ({low:.4f} to {high:.4f}) chips/h")
    ended = f"; ended early: {answer['ended']}" if answer["ended"] else ""
    print(f"{answer['hands']} hands of {answer['game']}, seed {answer['seed']}{ended}")


@app.command()
def connect(
    host: Annotated[str, Argument(metavar="HOST", help="The dealer's machine.")],
    port: Annotated[int, Argument(metavar="PORT", help="The dealer's port for this player.", min=1, max=65535)],
    file: Annotated[Path, Option("--game", metavar="FILE.game", help="The game file of the dealer.")],
    spec: Annotated[str, Option("--player", metavar="SPEC", help="The player to seat there.")],
    seed: Annotated[int | None, seed_option("Seed of the player's own choices.")] = None,
    wait: Annotated[float, Option(metavar="S", help="Maximum silence of the dealer, in seconds.", min=0.01)] = 600.0,
    limit: TimeLimit = 2.0,
    as_json: Json = False,
) -> None:
    """Play at a dealer of the Annual Computer Poker Competition until it closes the connection."""
    import numpy as np

    from cardwin.arena.acpc_seat import HoldemSeat, Seat, SmallSeat, play_at
    from cardwin.arena.stakes import chips_at_stake
    from cardwin.core.rng import random_seed
    from cardwin.games.formats.acpc_game import GameFile
    from cardwin.games.small.observation import shape_of
    from cardwin.results.answers import conduct_answer, digits_of, estimate_answer
    from cardwin.stats.intervals import bounded_mean

    table, player_seed = _game_file(file), random_seed() if seed is None else seed
    if isinstance(table, GameFile):
        seat: Seat = HoldemSeat(table, spec, player_seed, limit or None)
        seats, unit, chips = len(table.stacks), table.game.unit, table.game.chips_per_unit
        stake = chips_at_stake(table.game, seats)
    else:
        seat, seats, unit, chips = SmallSeat(table, spec, player_seed, limit or None), 2, "chips/h", 1.0
        stake = shape_of(table).max_chips
    score = play_at(host, port, seat, wait)
    max_loss = float(max(stake, max(map(abs, score.won))))
    mean = bounded_mean(np.array(score.won, np.float64), (-max_loss, max_loss * (seats - 1)), chips)
    answer = {
        "game": file.name,
        "player": spec,
        "hands": len(score.won),
        "chips": sum(score.won),
        "unit": unit,
        **estimate_answer(mean),
        **conduct_answer(score.report, 0),
        "first_faults": [str(fault) for fault in score.report.first],
        "note": score.note or None,
    }
    if as_json:
        print_json(answer)
        return
    digits = digits_of(unit)
    interval = f"({mean.low:.{digits}f} to {mean.high:.{digits}f})"
    print(f"{len(score.won)} hands, {sum(score.won):+d} chips, {mean.mean:+.{digits}f} {interval} {unit}")
    for fault in answer["first_faults"]:
        print(f"  {fault}")
    if score.note:
        print(score.note)
