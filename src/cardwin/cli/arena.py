"""Commands that play players against each other: matches, tournaments and leaderboards."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwin.cli.app import Cluster, Json, Out, Report, Resume, Workers, app, as_it_was, options_given
from cardwin.cli.arena_tables import (
    print_leaderboard,
    print_match,
    print_match_run,
    print_plan,
    print_tournament,
    print_verification,
)
from cardwin.cli.holdem import history_writer
from cardwin.cli.output import note, print_json
from cardwin.cli.program_tables import Meeting, has_programs, meet_programs
from cardwin.cli.progress import progress_bar
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.arena.match import MatchRecord
    from cardwin.core.executor import Workers as Compute
    from cardwin.players.specs import Untrusted
    from cardwin.runs.launch import Launch

Specs = Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players, one per seat; random*3 means three.")]
Given = Annotated[list[str] | None, typer.Argument(metavar="SPEC...", help="Players; random*1000 means a thousand.")]
GameSpec = Annotated[
    str, typer.Option("--game", metavar="GAME", help="holdem-nl, -limit, -simple, or a small game (exact values).")
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="Repeat these cards; without it they come from secrets.")
]
Limit = Annotated[
    float,
    typer.Option(
        "--time-limit", metavar="S", help="Seconds per action for untrusted players; 0 means no limit.", min=0
    ),
]
InProcess = Annotated[
    bool, typer.Option("--in-process", help="Run python: players in this process (trusted code only).")
]
Trust = Annotated[
    list[str] | None,
    typer.Option("--trust", metavar="SPEC", help="With --resume: a program that the run may start again."),
]
AllowWeak = Annotated[
    bool, typer.Option("--allow-weak-sandbox", help="Play untrusted players where the system cannot isolate them well.")
]


HOLDEM_ONLY = (  # options that small games do not have
    *("until_certain", "stacks", "adjust", "reduce_variance", "plan", "watch", "phh", "seating"),
    *("in_process", "cluster"),
)


def refuse_untrusted(specs: Sequence[str], cluster: str | None) -> None:
    """Raise an error if untrusted players would run on a cluster."""
    from cardwin.players.specs import expand_specs, is_untrusted

    if cluster and any(map(is_untrusted, expand_specs(specs))):
        raise InputError("untrusted players run on this machine only, in its sandbox: leave out --cluster")


@app.command()
def match(
    context: typer.Context,
    specs: Given = None,
    game: GameSpec = "holdem-nl",
    hands: Annotated[
        int | None,
        typer.Option("--hands", metavar="N", min=1, help="Number of hands over all seatings; default 10000."),
    ] = None,
    seed: Seed = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal once in each seating, with the same cards.")
    ] = False,
    until_certain: Annotated[
        bool, typer.Option("--until-certain", help="Stop once the order is certain; --hands is the maximum.")
    ] = False,
    stacks: Annotated[
        str, typer.Option("--stacks", metavar="KIND", help="reset (every hand), kept, or rebuy.")
    ] = "reset",
    adjust: Annotated[
        bool, typer.Option("--all-in-adjusted", help="Score all-in hands by their mean over the possible boards.")
    ] = False,
    reduce_variance: Annotated[
        bool, typer.Option("--reduce-variance", help="Correct chance and known decisions (AIVAT); same expectation.")
    ] = False,
    seating: Annotated[
        str, typer.Option("--seating", metavar="KIND", help="drawn (at random for every deal) or rotation.")
    ] = "drawn",
    plan: Annotated[
        bool, typer.Option("--plan", help="Play a pilot and report how many hands detect a margin.")
    ] = False,
    margin: Annotated[
        float | None,
        typer.Option("--margin", metavar="X", help="For --plan, in the game's unit; default: a tenth of a blind."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Print every action, with all cards visible.")] = False,
    phh: Annotated[
        Path | None, typer.Option("--phh", metavar="FILE.phhs", help="Write every hand to this new file.")
    ] = None,
    limit: Limit = 2.0,
    in_process: InProcess = False,
    allow_weak: AllowWeak = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Record the match as a run in this folder.")
    ] = None,
    resume: Resume = None,
    trust: Trust = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play a match at one table and report the results with confidence intervals.

    Without --seed the cards come from secrets, which no player can know; cardwin verify DIR checks a match with --out.
    """
    from cardwin.arena import match as arena
    from cardwin.core.cluster import opened
    from cardwin.core.kernel import clock
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.players.specs import Untrusted
    from cardwin.results.match import PILOT
    from cardwin.runs.commitments import sandbox_for

    untrusted = Untrusted(limit, in_process, allow_weak)
    options = arena.MatchOptions(
        duplicate, stacks, adjust, reduce_variance, until_certain, seating, untrusted=untrusted
    )
    recorded = out is not None or resume is not None
    if not game.startswith("holdem"):
        if recorded:
            raise InputError(f"players of {game} are compared without a run: remove --out and --resume")
        _meet(context, Meeting(game, _named(specs), hands or 10_000, seed, duplicate, untrusted), as_json)
        return
    if recorded:
        if watch or plan or phh:
            raise InputError("--watch, --plan and --phh are for matches without a folder: remove them, or --out")
        from cardwin.runs.launch import Launch

        values = {"game": game, "hands": hands or 10_000, **asdict(options), **asdict(untrusted)}
        del values["in_python"], values["untrusted"]
        named, launch = [*(specs or []), *(trust or [])], Launch(out, workers, cluster)
        if resume is not None:
            answer = _resume(context, "match", resume, named, launch)
        else:
            answer = _begin("match", values, named, seed, launch)
        print_json(answer) if as_json else print_match_run(answer)
        return
    if watch and as_json:
        raise InputError("--watch prints text and --json prints one object: choose one of them")
    players, start = _named(specs), clock()
    walls = sandbox_for(players, untrusted)
    refuse_untrusted(players, cluster)
    hands = hands or (PILOT if plan else 10_000)
    with (
        history_writer(phh, players) as on_hand,
        opened(workers, cluster) as compute,
        progress_bar(hands, "hands", hidden=watch) as progress,
    ):
        listeners = arena.Listeners(on_hand, say=print if watch else None, progress=progress)
        record = arena.match(holdem_game(*split_spec(game)), players, hands, seed, compute, options, listeners)
    if plan:
        _show_plan(record, margin, as_json)
    else:
        _show_match(record, walls, compute, clock() - start, as_json)


def _named(specs: Sequence[str] | None) -> Sequence[str]:
    if not specs:
        raise InputError("no players: name one for each seat, such as standard call")
    return specs


def _meet(context: typer.Context, meeting: "Meeting", as_json: bool, skipped: Sequence[str] = ()) -> None:
    """Compare players of a small game: exactly, or by play if programs are among them."""
    from cardwin.cli.small_games import meet_exactly

    if not has_programs(meeting.specs):
        meet_exactly(meeting.game, meeting.specs, as_json)
        return
    if refused := [option for name, option in options_given(context) if name in HOLDEM_ONLY]:
        raise InputError(f"matches of programs in {meeting.game} do not have {', '.join(refused)}: leave it out")
    meet_programs(meeting, as_json, skipped)


def _show_plan(record: "MatchRecord", margin: float | None, as_json: bool) -> None:
    from cardwin.results.match import plan_answer, plan_match

    answer = plan_answer(record, plan_match(record, margin))
    print_json(answer) if as_json else print_plan(answer)


def _show_match(
    record: "MatchRecord", walls: dict[str, str], compute: "Compute", seconds: float, as_json: bool
) -> None:
    from cardwin.core.cluster import Cluster as Nodes
    from cardwin.results.match import judge_match, match_answer
    from cardwin.runs.commitments import fairness

    findings = judge_match(record)
    answer = match_answer(record, findings) | fairness(record.specs, record.seed, walls)
    answer["secrets"] = [{"commitment": block.commitment, "secret": block.secret} for block in record.secrets]
    answer |= {"cluster": compute.answer()} if isinstance(compute, Nodes) else {}
    answer["seconds"] = round(seconds, 3)
    print_json(answer) if as_json else print_match(record, findings, answer)


@app.command()
def tournament(
    context: typer.Context,
    specs: Given = None,
    game: GameSpec = "holdem-nl",
    tables: Annotated[
        int,
        typer.Option(
            "--tables",
            metavar="N",
            help="Number of tournaments; with --duplicate each in every seating. With --resume: the new total.",
        ),
    ] = 1,
    seed: Seed = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="One table; play every sequence of decks once in each seating.")
    ] = False,
    seating: Annotated[
        str, typer.Option("--seating", metavar="KIND", help="For duplicate tables: drawn or rotation.")
    ] = "drawn",
    seats: Annotated[int, typer.Option("--seats", metavar="N", help="Seats per table.")] = 10,
    growth: Annotated[float, typer.Option("--growth", metavar="X", help="Factor by which blinds grow.")] = 1.5,
    every: Annotated[int, typer.Option("--every", metavar="N", help="Number of hands between increases.")] = 20,
    rounds: Annotated[
        int, typer.Option("--most-hands", metavar="N", help="After this many hands players are placed by chips.")
    ] = 100_000,
    last: Annotated[int, typer.Option("--until-left", metavar="N", help="Stop when this many players are left.")] = 1,
    dead_button: Annotated[
        bool, typer.Option("--dead-button", help="Use the dead-button rule, and ties across tables.")
    ] = False,
    payouts: Annotated[
        str, typer.Option("--payouts", metavar="A/B/C", help="Shares of the prize pool, such as 50/30/20.")
    ] = "",
    limit: Limit = 2.0,
    in_process: InProcess = False,
    allow_weak: AllowWeak = False,
    out: Out = None,
    resume: Resume = None,
    trust: Trust = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Play elimination tournaments, at one table or at hundreds."""
    from cardwin.players.specs import Untrusted
    from cardwin.runs.launch import Launch

    structure = {
        "seats": seats,
        "growth": growth,
        "every": every,
        "most_hands": rounds,
        "until_left": last,
        "dead_button": dead_button,
    }
    values = {"game": game, "tables": tables, "duplicate": duplicate, "payouts": payouts, "seating": seating}
    values |= {"structure": structure, **asdict(Untrusted(limit, in_process, allow_weak))}
    players, launch = [*(specs or []), *(trust or [])], Launch(out, workers, cluster, report)
    if resume is not None:
        longer = {"tables": tables} if "tables" in dict(options_given(context)) else None
        answer = _resume(context, "tournament", resume, players, launch, longer)
    else:
        answer = _begin("tournament", values, players, seed, launch)
    print_json(answer) if as_json else print_tournament(answer)


def _begin(
    kind: str, values: dict[str, Any], players: Sequence[str], seed: int | None, launch: "Launch"
) -> dict[str, Any]:
    """Start a run with these players, and return its answer."""
    from cardwin.cli.progress import answer_of
    from cardwin.runs.launch import begin

    if not players:
        raise InputError("no players: name some, such as random*1000, or give a run's folder with --resume")
    return answer_of(lambda shown: begin(kind, {"players": players, **values}, seed, shown), launch)


def _resume(
    context: typer.Context,
    command: str,
    folder: Path,
    trusted: Sequence[str],
    launch: "Launch",
    lengths: Mapping[str, int | None] | None = None,
    newcomers: Sequence[str] = (),
) -> dict[str, Any]:
    """Resume a run, whose untrusted players must be named again, and return its answer."""
    from cardwin.cli.progress import answer_of
    from cardwin.runs import launch as runs

    as_it_was(context, "specs", "page", "tables", "newcomers", "trust", "bots")
    return answer_of(
        lambda shown: runs.resume(
            folder, shown, command=command, trusted=trusted, lengths=lengths, newcomers=newcomers
        ),
        launch,
    )


def _with_bots(
    players: Sequence[str], folder: Path, resume: Path | None, untrusted: "Untrusted", game: str
) -> tuple[list[str], list[str]]:
    """The players with the bots of a folder, and what was skipped with its reason.

    A run that is resumed has its players: of those in the folder, the ones that it names are trusted again.
    """
    from cardwin.games import game as game_of
    from cardwin.players.adapters.discovery import find_bots
    from cardwin.players.sandbox.trial import seated_bots
    from cardwin.runs import run_folder

    if resume is not None:
        known = getattr(run_folder.reopen(resume), "players", ())
        return [*players, *(spec for spec in find_bots(folder).specs if spec in known)], []
    small = None if game.startswith("holdem") else game_of(game)
    found = seated_bots(folder, untrusted.limit, untrusted.allow_weak_sandbox, small)
    skipped = [f"{what}: {why}" for what, why in found.skipped]
    for one in skipped:
        note(f"skipped {one}")
    if not found.specs:
        why = f"; {skipped[0]}" if skipped else ""
        raise InputError(f"--bots {folder}: no bot was found that can be seated{why}")
    note(f"seated {len(found.specs)} bots of {folder}")
    return [*players, *(spec for spec in found.specs if spec not in players)], skipped


@app.command()
def verify(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a match, tournament or leaderboard.")],
    as_json: Json = False,
) -> None:
    """Check a recorded match, tournament or leaderboard: deal every hand again and compare.

    Exit code 1 if anything differs.
    """
    from cardwin.runs.verify import verify as check_run

    found = check_run(run)
    keys = "ok", "steps", "hands", "commitment", "discarded"
    answer = {"run": str(run), **{key: getattr(found, key) for key in keys}, "problems": list(found.problems)}
    if as_json:
        print_json(answer)
    else:
        print_verification(answer)
    if not found.ok:
        raise typer.Exit(1)


@app.command()
def leaderboard(
    context: typer.Context,
    specs: Given = None,
    game: GameSpec = "holdem-nl",
    hands: Annotated[int, typer.Option("--hands", metavar="N", min=1, help="Hands per pair.")] = 10_000,
    seed: Seed = None,
    until_certain: Annotated[
        bool, typer.Option("--until-certain", help="Stop a pair once its order is certain; --hands is the maximum.")
    ] = False,
    bots: Annotated[
        Path | None, typer.Option("--bots", metavar="FOLDER", help="Also seat every bot found in this folder.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.html", help="Copy the run's report to this file.")
    ] = None,
    limit: Limit = 2.0,
    in_process: InProcess = False,
    allow_weak: AllowWeak = False,
    out: Out = None,
    resume: Resume = None,
    newcomers: Annotated[
        list[str] | None,
        typer.Option("--add", metavar="SPEC", help="With --resume: add a player; may be repeated."),
    ] = None,
    trust: Trust = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play every pair of players heads-up with duplicate deals: ranking, cross table, ratings, styles, HTML report.

    To add a player later: --resume DIR --add SPEC. Only the new pairs are played. --bots seats other people's programs,
    each in a sandbox, and lists what it could not seat; with --resume it trusts those of the folder again.
    """
    from cardwin.core.files import check_output, write_whole
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.players.specs import Untrusted
    from cardwin.results.leaderboard import board_in
    from cardwin.runs.launch import Launch

    untrusted, skipped = Untrusted(limit, in_process, allow_weak), list[str]()
    if not game.startswith("holdem"):
        if any((out, resume, page, newcomers)):
            raise InputError(f"players of {game} are compared without a run: remove --out, --resume, --add and --page")
        players = specs or []
        if bots is not None:
            players, skipped = _with_bots(players, bots, None, untrusted, game)
        _meet(context, Meeting(game, _named(players), hands, seed, True, untrusted), as_json, skipped)
        return
    if page is not None:
        check_output(page, "--page", again=True)
    players, launch = [*(specs or []), *(trust or [])], Launch(out, workers, cluster)
    if bots is not None:
        players, skipped = _with_bots(players, bots, resume, untrusted, game)
    if resume is not None:
        answer = _resume(context, "leaderboard", resume, players, launch, newcomers=newcomers or ())
    elif newcomers:
        raise InputError(
            "--add needs an existing leaderboard, --resume DIR; name the players of a new one without --add"
        )
    else:
        values = {"game": game, "hands": hands, "until_certain": until_certain, **asdict(untrusted)}
        values |= {"skipped": skipped} if bots is not None else {}
        answer = _begin("leaderboard", values, players, seed, launch)
    report = Path(answer["run"]) / "report.html"
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, report.read_bytes())
    if as_json:
        print_json(answer | {"page": str(page or report)})
    else:
        print_leaderboard(board_in(answer, holdem_game(*split_spec(answer["game"]))), page or report)
