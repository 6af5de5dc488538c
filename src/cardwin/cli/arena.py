"""Commands that play players against each other: matches, tournaments and leaderboards."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from cardwin.cli.app import (
    AllowWeak,
    Cluster,
    Duplicate,
    InProcess,
    Json,
    Out,
    Report,
    Resume,
    Seed,
    Specs,
    TimeBank,
    TimeLimit,
    Workers,
    app,
    options_given,
    reject_changed_options,
)
from cardwin.cli.arena_tables import (
    print_leaderboard,
    print_match,
    print_match_run,
    print_plan,
    print_tournament,
    print_verification,
)
from cardwin.cli.holdem import history_writer
from cardwin.cli.output import note, print_json, progress_bar, resume_run, start_run
from cardwin.cli.small_matches import SMALL_MARGIN, SmallMatch, has_programs, play_programs, print_exact_values
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.arena.match import MatchOptions, MatchRecord
    from cardwin.core.executor import Workers as Compute
    from cardwin.players.specs import Untrusted
    from cardwin.runs.launch import Launch

GameSpec = Annotated[
    str, Option("--game", metavar="GAME", help="holdem-nl, -limit, -simple, or a small game (exact values).")
]
Trust = Annotated[
    list[str] | None, Option("--trust", metavar="SPEC", help="With --resume: a program that the run may start again.")
]
HOLDEM_ONLY = (  # options that small games do not have
    *("until_certain", "stacks", "adjust", "reduce_variance", "watch", "phh", "seating"),
    *("in_process", "cluster"),
)


def check_cluster(specs: Sequence[str], cluster: str | None) -> None:
    """Raise an error if untrusted players would run on a cluster."""
    if cluster and has_programs(specs):
        raise InputError("untrusted players run on this machine only, in its sandbox: leave out --cluster")


@app.command()
def match(
    context: typer.Context,
    specs: Specs = None,
    game: GameSpec = "holdem-nl",
    hands: Annotated[
        int | None, Option(metavar="N", min=1, help="Number of hands over all seatings; default 10000.")
    ] = None,
    seed: Seed = None,
    duplicate: Duplicate = False,
    until_certain: Annotated[
        bool, Option("--until-certain", help="Stop once the order is certain; --hands is the maximum.")
    ] = False,
    stacks: Annotated[str, Option(metavar="KIND", help="reset (every hand), kept, or rebuy.")] = "reset",
    adjust: Annotated[
        bool, Option("--all-in-adjusted", help="Score all-in hands by their mean over the possible boards.")
    ] = False,
    reduce_variance: Annotated[
        bool, Option("--reduce-variance", help="Correct chance and known decisions (AIVAT); same expectation.")
    ] = False,
    seating: Annotated[str, Option(metavar="KIND", help="drawn (at random for every deal) or rotation.")] = "drawn",
    plan: Annotated[bool, Option("--plan", help="Play a pilot; report how many hands give intervals of ±X.")] = False,
    margin: Annotated[
        float | None, Option(metavar="X", help="For --plan, in the game's unit; default: a tenth of a blind or chip.")
    ] = None,
    watch: Annotated[bool, Option("--watch", help="Print every action, with all cards visible.")] = False,
    phh: Annotated[Path | None, Option(metavar="FILE.phhs", help="Write every hand to this new file.")] = None,
    limit: TimeLimit = 2.0,
    time_bank: TimeBank = 0.0,
    in_process: InProcess = False,
    allow_weak: AllowWeak = False,
    out: Annotated[Path | None, Option(metavar="DIR", help="Record the match as a run in this folder.")] = None,
    resume: Resume = None,
    trust: Trust = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play a match at one table and report the results with confidence intervals.

    Without --seed the cards come from secrets, which no player can know; cardwin verify DIR checks a match with --out.

    A result is fair if no untrusted player could have known the cards. It is not fair with --seed, with --in-process,
    with an incomplete sandbox (--allow-weak-sandbox), or if an untrusted player is a server or installed code.
    """
    from cardwin.arena.match import MatchOptions
    from cardwin.core.cluster import open_workers
    from cardwin.games import names_holdem
    from cardwin.players.specs import Untrusted
    from cardwin.results.match import PILOT

    untrusted = Untrusted(limit, in_process, allow_weak, time_bank)
    options = MatchOptions(duplicate, stacks, adjust, reduce_variance, until_certain, seating, untrusted=untrusted)
    players = specs or []
    recorded = out is not None or resume is not None
    if not names_holdem(game):
        if recorded:
            raise InputError(f"unexpected --out or --resume: players of {game} are compared without a run")
        small = SmallMatch(game, players, hands or (PILOT if plan else 10_000), seed, duplicate, untrusted)
        _play_small(context, small, as_json, margin=(margin or SMALL_MARGIN) if plan else None)
        return
    if recorded:
        if watch or plan or phh:
            raise InputError("unexpected --watch, --plan or --phh: a match with --out records its hands in the run")
        from cardwin.runs.launch import Launch

        values = {"game": game, "hands": hands or 10_000, **asdict(options), **asdict(untrusted)}
        del values["in_python"], values["untrusted"]
        players, launch = [*players, *(trust or [])], Launch(out, workers, cluster)
        if resume is not None:
            answer = _resume(context, "match", resume, players, launch)
        else:
            answer = _start("match", values, players, seed, launch)
        print_json(answer) if as_json else print_match_run(answer)
        return
    if watch and as_json:
        raise InputError("--watch prints text and --json prints one object: choose one of them")
    _check_named(players)
    check_cluster(players, cluster)
    output = _Output(phh, watch, plan, margin, as_json)
    with open_workers(workers, cluster) as compute:
        _play_match(_Match(game, players, hands or (PILOT if plan else 10_000), seed, options), compute, output)


@dataclass(frozen=True)
class _Match:
    """A match of hold'em that is not a run."""

    game: str
    players: Sequence[str]
    hands: int
    seed: int | None
    options: "MatchOptions"


@dataclass(frozen=True)
class _Output:
    """What a match prints, and the file of its hands."""

    phh: Path | None
    watch: bool
    plan: bool
    margin: float | None
    as_json: bool


def _play_match(match: _Match, compute: "Compute", output: _Output) -> None:
    """Play a match and print its results, or the plan that follows from it."""
    from cardwin.arena import match as arena
    from cardwin.core.kernel import clock
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.runs.commitments import sandbox_for

    start, game = clock(), holdem_game(*split_spec(match.game))
    sandbox = sandbox_for(match.players, match.options.untrusted)
    with (
        history_writer(output.phh, match.players) as on_hand,
        progress_bar(match.hands, "hands", hidden=output.watch) as progress,
    ):
        listeners = arena.Listeners(on_hand, print_line=print if output.watch else None, progress=progress)
        record = arena.match(game, match.players, match.hands, match.seed, compute, match.options, listeners)
    if output.plan:
        _show_plan(record, output.margin, output.as_json)
    else:
        _show_match(record, sandbox, compute, clock() - start, output.as_json)


def _check_named(specs: Sequence[str]) -> None:
    if not specs:
        raise InputError("no players: name one for each seat, such as standard call")


def _play_small(
    context: typer.Context, small: SmallMatch, as_json: bool, skipped: Sequence[str] = (), margin: float | None = None
) -> None:
    """Compare players of a small game: exactly, or by play if programs are among them."""
    _check_named(small.specs)
    if not has_programs(small.specs):
        print_exact_values(small.game, small.specs, as_json)
        return
    if unsupported := [option for name, option in options_given(context) if name in HOLDEM_ONLY]:
        raise InputError(f"unexpected {', '.join(unsupported)}: matches of programs in {small.game} do not have it")
    play_programs(small, as_json, skipped, margin)


def _show_plan(record: "MatchRecord", margin: float | None, as_json: bool) -> None:
    from cardwin.results.match import plan_answer, plan_match

    answer = plan_answer(record, plan_match(record, margin))
    print_json(answer) if as_json else print_plan(answer)


def _show_match(
    record: "MatchRecord", sandbox: dict[str, str], compute: "Compute", seconds: float, as_json: bool
) -> None:
    from cardwin.core.cluster import Cluster as Nodes
    from cardwin.results.match import judge_match, match_answer
    from cardwin.runs.commitments import fairness

    findings = judge_match(record)
    answer = match_answer(record, findings) | fairness(record.specs, record.seed, sandbox)
    answer["secrets"] = [{"commitment": block.commitment, "secret": block.secret} for block in record.secrets]
    answer |= {"cluster": compute.answer()} if isinstance(compute, Nodes) else {}
    answer["seconds"] = round(seconds, 3)
    print_json(answer) if as_json else print_match(record, findings, answer)


@app.command()
def tournament(
    context: typer.Context,
    specs: Specs = None,
    game: GameSpec = "holdem-nl",
    tables: Annotated[
        int,
        Option(
            "--tables",
            metavar="N",
            help="Number of tournaments; with --duplicate each in every seating. With --resume: the new total.",
        ),
    ] = 1,
    seed: Seed = None,
    duplicate: Annotated[
        bool, Option("--duplicate", help="One table; play every sequence of decks once in each seating.")
    ] = False,
    seating: Annotated[str, Option(metavar="KIND", help="For duplicate tables: drawn or rotation.")] = "drawn",
    seats: Annotated[int, Option(metavar="N", help="Seats per table.")] = 10,
    growth: Annotated[float, Option(metavar="X", help="Factor by which blinds grow.")] = 1.5,
    every: Annotated[int, Option(metavar="N", help="Number of hands between increases.")] = 20,
    rounds: Annotated[
        int, Option("--max-hands", metavar="N", help="After this many hands players are placed by chips.")
    ] = 100_000,
    last: Annotated[int, Option("--until-left", metavar="N", help="Stop when this many players are left.")] = 1,
    dead_button: Annotated[
        bool, Option("--dead-button", help="Use the dead-button rule, and ties across tables.")
    ] = False,
    payouts: Annotated[str, Option(metavar="A/B/C", help="Shares of the prize pool, such as 50/30/20.")] = "",
    limit: TimeLimit = 2.0,
    time_bank: TimeBank = 0.0,
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
        "max_hands": rounds,
        "until_left": last,
        "dead_button": dead_button,
    }
    values = {"game": game, "tables": tables, "duplicate": duplicate, "payouts": payouts, "seating": seating}
    values |= {"structure": structure, **asdict(Untrusted(limit, in_process, allow_weak, time_bank))}
    players, launch = [*(specs or []), *(trust or [])], Launch(out, workers, cluster, report)
    if resume is not None:
        lengths = {"tables": tables} if "tables" in dict(options_given(context)) else None
        answer = _resume(context, "tournament", resume, players, launch, lengths=lengths)
    else:
        answer = _start("tournament", values, players, seed, launch)
    print_json(answer) if as_json else print_tournament(answer)


def _start(
    kind: str, values: dict[str, Any], players: Sequence[str], seed: int | None, launch: "Launch"
) -> dict[str, Any]:
    """Start a run with these players, and return its answer."""
    if not players:
        raise InputError("expected players, such as random*1000, or --resume DIR, got none")
    return start_run(kind, {"players": players, **values}, seed, launch)


def _resume(
    context: typer.Context, command: str, folder: Path, trusted: Sequence[str], launch: "Launch", **changes: Any
) -> dict[str, Any]:
    """Resume a run, whose untrusted players must be named again, and return its answer."""
    reject_changed_options(context, "specs", "page", "tables", "newcomers", "trust", "bots")
    return resume_run(folder, command, launch, trusted=trusted, **changes)


def _with_bots(
    players: Sequence[str], folder: Path, resume: Path | None, untrusted: "Untrusted", game: str
) -> tuple[list[str], list[str]]:
    """Return the players with the bots of a folder, and the skipped bots with the reasons.

    A resumed run has its players: those bots of the folder that it names are trusted again.
    """
    from cardwin.games import game as game_of
    from cardwin.games import names_holdem
    from cardwin.players.adapters.discovery import find_bots, find_seatable_bots
    from cardwin.runs import run_folder

    if resume is not None:
        known = getattr(run_folder.reopen(resume), "players", ())
        return [*players, *(spec for spec in find_bots(folder).specs if spec in known)], []
    small = None if names_holdem(game) else game_of(game)
    bots = find_seatable_bots(folder, untrusted.limit, untrusted.allow_weak_sandbox, small)
    skipped = [f"{name}: {reason}" for name, reason in bots.skipped]
    for text in skipped:
        note(f"skipped {text}")
    if not bots.specs:
        raise InputError("; ".join([f"expected a bot that can be seated in --bots {folder}, got none", *skipped[:1]]))
    note(f"seated {len(bots.specs)} bots of {folder}")
    return [*players, *(spec for spec in bots.specs if spec not in players)], skipped


@app.command()
def verify(
    run: Annotated[Path, Argument(metavar="RUN", help="The folder of a run.")],
    trust: Annotated[
        list[str] | None, Option("--trust", metavar="SPEC", help="A python: game that a run with a seed may use again.")
    ] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Check a run: compare checksums, compute every step again, deal every hand again, make the report again.

    This takes about as long as the run did. Exit code 1 if anything is damaged or differs.
    """
    from cardwin.runs.verify import verify as check_run

    checked = check_run(run, trust or (), workers)
    keys = "ok", "steps", "hands", "commitment", "discarded"
    answer = {"run": str(run), **{key: getattr(checked, key) for key in keys}}
    answer |= {"problems": list(checked.problems), "unchecked": list(checked.unchecked)}
    print_json(answer) if as_json else print_verification(answer)
    if not checked.ok:
        raise typer.Exit(1)


@app.command()
def leaderboard(
    context: typer.Context,
    specs: Specs = None,
    game: GameSpec = "holdem-nl",
    hands: Annotated[int, Option(metavar="N", min=1, help="Hands per pair.")] = 10_000,
    seed: Seed = None,
    until_certain: Annotated[
        bool, Option("--until-certain", help="Stop a pair once its order is certain; --hands is the maximum.")
    ] = False,
    bots: Annotated[Path | None, Option(metavar="FOLDER", help="Also seat every bot found in this folder.")] = None,
    page: Annotated[Path | None, Option(metavar="FILE.html", help="Copy the run's report to this file.")] = None,
    limit: TimeLimit = 2.0,
    time_bank: TimeBank = 0.0,
    in_process: InProcess = False,
    allow_weak: AllowWeak = False,
    out: Out = None,
    resume: Resume = None,
    newcomers: Annotated[
        list[str] | None, Option("--add", metavar="SPEC", help="With --resume: add a player; may be repeated.")
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
    from cardwin.core.files import check_output
    from cardwin.games import names_holdem
    from cardwin.players.specs import Untrusted
    from cardwin.runs.launch import Launch

    untrusted, skipped = Untrusted(limit, in_process, allow_weak, time_bank), list[str]()
    if not names_holdem(game):
        if any((out, resume, page, newcomers)):
            raise InputError(
                f"unexpected --out, --resume, --add or --page: players of {game} are compared without a run"
            )
        players = specs or []
        if bots is not None:
            players, skipped = _with_bots(players, bots, None, untrusted, game)
        _play_small(context, SmallMatch(game, players, hands, seed, True, untrusted), as_json, skipped)
        return
    if page is not None:
        check_output(page, "--page", overwrite=True)
    players, launch = [*(specs or []), *(trust or [])], Launch(out, workers, cluster)
    if bots is not None:
        players, skipped = _with_bots(players, bots, resume, untrusted, game)
    if resume is not None:
        answer = _resume(context, "leaderboard", resume, players, launch, newcomers=newcomers or ())
    elif newcomers:
        raise InputError("expected --resume DIR with --add, got a new leaderboard: name its players without --add")
    else:
        values = {"game": game, "hands": hands, "until_certain": until_certain, **asdict(untrusted)}
        values |= {"skipped": skipped} if bots is not None else {}
        answer = _start("leaderboard", values, players, seed, launch)
    _show_leaderboard(answer, page, as_json)


def _show_leaderboard(answer: dict[str, Any], page: Path | None, as_json: bool) -> None:
    """Print the leaderboard of a run, and copy its report to a page."""
    from cardwin.core.files import write_atomic
    from cardwin.games.holdem import holdem_game
    from cardwin.games.specs import split_spec
    from cardwin.results.leaderboard import board_in

    report = Path(answer["run"]) / "report.html"
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(page, report.read_bytes())
    if as_json:
        print_json(answer | {"page": str(page or report)})
    else:
        print_leaderboard(board_in(answer, holdem_game(*split_spec(answer["game"]))), page or report)
