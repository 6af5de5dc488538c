"""The command `cash-game`: stacks carry over from hand to hand; many games, and a workbook of the results."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cardwin.cli.app import Cluster, Json, Workers, app
from cardwin.cli.arena import refuse_untrusted
from cardwin.cli.output import note, print_json
from cardwin.core.display import cards_text
from cardwin.core.errors import InputError


@app.command("cash-game")
def cash_game(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players, one per seat; call*7 means seven.")],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="holdem-simple, holdem-nl or holdem-limit, with parameters.")
    ] = "holdem-simple",
    games: Annotated[int, typer.Option("--games", metavar="N", help="Number of games.")] = 1,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Maximum number of rounds per game.")] = 1000,
    rising: Annotated[
        bool, typer.Option("--rising", help="Raise blind and ante with the average stack as players leave.")
    ] = False,
    least: Annotated[
        int, typer.Option("--least-players", metavar="N", help="A game ends when fewer players are left.")
    ] = 2,
    fixed_seats: Annotated[bool, typer.Option("--fixed-seats", help="Keep the seats from game to game.")] = False,
    xlsx: Annotated[Path | None, typer.Option("--xlsx", metavar="FILE.xlsx", help="Write a new workbook.")] = None,
    shown: Annotated[
        int, typer.Option("--shown", metavar="N", min=0, help="Number of games with their own sheet.")
    ] = 3,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Repeat these cards; without it they come from secrets.")
    ] = None,
    limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds per action for python: players.", min=0)
    ] = 2.0,
    in_process: Annotated[
        bool, typer.Option("--in-process", help="Run python: players in this process (trusted code only).")
    ] = False,
    allow_weak: Annotated[
        bool,
        typer.Option("--allow-weak-sandbox", help="Play python: players where the system cannot isolate them."),
    ] = False,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play cash games: stacks carry over from hand to hand. Report results and average trends."""
    from cardwin.arena.card_secrets import CardSecrets
    from cardwin.arena.cash_game import CashGameRules
    from cardwin.core.cluster import opened
    from cardwin.core.kernel import clock
    from cardwin.core.rng import key_of
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.players.specs import Untrusted
    from cardwin.reports.workbook import save_cash_games
    from cardwin.results.cash_game import CashGameOptions, cash_games_answer, play_cash_games
    from cardwin.runs.commitments import fairness, sandbox_for

    if xlsx is not None and (xlsx.suffix != ".xlsx" or xlsx.exists()):
        raise InputError(f"--xlsx {xlsx}: {'exists already' if xlsx.exists() else 'should end in .xlsx'}")
    refuse_untrusted(specs, cluster)
    untrusted = Untrusted(limit, in_process, allow_weak)
    start, secrets, walls = clock(), CardSecrets(), sandbox_for(specs, untrusted)
    key = secrets.begin() if seed is None else key_of(seed, "session")
    table, rules = holdem_game(*split_spec(game)), CashGameRules(rounds, least, rising)
    with opened(workers, cluster) as compute:
        played = play_cash_games(table, specs, games, key, compute, CashGameOptions(rules, fixed_seats, untrusted))
    answer = cash_games_answer(table, specs, seed, rules, played) | fairness(specs, seed, walls)
    if seed is None:
        secrets.end()
    answer["secrets"] = [{"commitment": one.commitment, "secret": one.secret} for one in secrets.revealed]
    if xlsx is not None:
        save_cash_games(xlsx, answer, played, shown)
        note(f"wrote {xlsx}")
    answer |= {"workbook": str(xlsx) if xlsx else None, "seconds": round(clock() - start, 3)}
    print_json(answer) if as_json else _show(answer)


def _show(answer: dict[str, Any]) -> None:
    for one in answer["players"]:
        low, high = one["interval"]
        half = one["intervals"]["approximate"]["ci95"]
        sure = "" if one["ci95"] is None else f" ({low:.0f} to {high:.0f}), approximate ± {half:.0f}"
        print(
            f"{one['spec']:<24}{one['mean']:>+10.0f}{sure} chips a game, trend {one['trend']:+.1f} a round, "
            f"alive at the end {one['alive']:.0%}"
        )
    if answer["games"] > 1:
        print(f"{answer['method']}; approximate: Student's ({answer['statistics']})")
    print(
        f"{answer['games']} games of {answer['rounds']:.0f} rounds on average, {answer['game']}, "
        f"{cards_text(answer['seed'])}, digest {answer['digest']}"
    )
