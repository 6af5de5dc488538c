"""Commands that let players meet: matches, tournaments and the leaderboard."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwin.cli.app import Json, Out, Report, Resume, Workers, app, as_it_was
from cardwin.cli.exact_meetings import meet_exactly
from cardwin.cli.holdem import history_writer
from cardwin.cli.output import is_quiet, note, print_json
from cardwin.errors import InputError

if TYPE_CHECKING:
    from cardwin.arena.match import MatchRecord
    from cardwin.lab.standings import Leaderboard
    from cardwin.lab.summary import MatchFindings
    from cardwin.stats.intervals import Estimate

Specs = Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players, one for each seat; random*3 is three.")]
Given = Annotated[list[str] | None, typer.Argument(metavar="SPEC...", help="Players; random*1000 is so many.")]
GameSpec = Annotated[
    str, typer.Option("--game", metavar="GAME", help="holdem-nl, -limit or -simple; or a small game, exactly.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="The run's luck; drawn and printed if not given.")
]
Limit = Annotated[
    float,
    typer.Option("--time-limit", metavar="S", help="Seconds an action for python: players; 0 is no limit.", min=0),
]
InProcess = Annotated[
    bool, typer.Option("--in-process", help="Trust python: players, and spare them a process of their own.")
]
MOST_SHOWN = 20  # lines for players on a terminal; --json has them all


@app.command()
def match(
    specs: Specs,
    game: GameSpec = "holdem-nl",
    hands: Annotated[
        int | None,
        typer.Option("--hands", metavar="N", help="How many hands, all seatings counted; 10000 if not given."),
    ] = None,
    seed: Seed = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal once for each seating, with the same cards.")
    ] = False,
    until_certain: Annotated[
        bool, typer.Option("--until-certain", help="Stop once the order is certain; --hands is then the most.")
    ] = False,
    stacks: Annotated[
        str, typer.Option("--stacks", metavar="KIND", help="reset every hand, kept, or rebuy.")
    ] = "reset",
    adjust: Annotated[
        bool, typer.Option("--all-in-adjusted", help="Count hands that only cards decide by their mean.")
    ] = False,
    less_luck: Annotated[
        bool, typer.Option("--less-luck", help="Take the luck of cards and draws away; the mean stays what it is.")
    ] = False,
    seating: Annotated[
        str | None, typer.Option("--seating", metavar="KIND", help="drawn for every deal, balanced, or rotation.")
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Play a short pilot and say how many hands would find a margin.")
    ] = False,
    margin: Annotated[
        float | None, typer.Option("--margin", metavar="X", help="For --plan, in the game's unit; a tenth of a blind.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show every move, all cards open.")] = False,
    phh: Annotated[
        Path | None, typer.Option("--phh", metavar="FILE.phhs", help="Write every hand to this file (not there yet).")
    ] = None,
    limit: Limit = 2.0,
    in_process: InProcess = False,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Play players against each other at one table, and say how sure the result is."""
    from cardwin.arena import match as arena
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.kernel import clock
    from cardwin.lab.answers import match_answer, plan_answer
    from cardwin.lab.summary import PILOT, judge_match, plan_match
    from cardwin.rng import fresh_seed

    if not game.startswith("holdem"):
        meet_exactly(game, specs, as_json)
        return
    if watch and as_json:
        raise InputError("--watch tells a story and --json one object: choose one of them")
    seed = fresh_seed() if seed is None else seed
    start = clock()
    table = holdem_game(*split_spec(game))
    hands = hands or (PILOT if plan else 10_000)
    with history_writer(phh, specs) as on_hand, progress_bar(hands, "hands", hidden=watch) as progress:
        record = arena.match(
            table, specs, hands, seed, workers, duplicate=duplicate, until_certain=until_certain, stacks=stacks,
            adjust=adjust, less_luck=less_luck, seating=seating, isolated=not in_process, limit=limit, on_hand=on_hand,
            say=print if watch else None, progress=progress,
        )  # fmt: skip
    if plan:
        answer = plan_answer(record, plan_match(record, margin))
        print_json(answer) if as_json else _print_plan(answer)
        return
    findings = judge_match(record)
    answer = match_answer(record, findings) | {"seconds": round(clock() - start, 3)}
    print_json(answer) if as_json else _print_match(record, findings, answer)


def _print_plan(answer: dict[str, Any]) -> None:
    for one in answer["pairs"]:
        print(f"{' and '.join(one['specs'])}: {one['hands']:,} hands find a difference of {answer['margin']:g} "
              f"{answer['unit']} nine times in ten, {one['hands_until_certain']:,} with --until-certain")  # fmt: skip
    print(f"from a pilot of {answer['pilot_hands']} hands, seed {answer['seed']} ({answer['statistics']}#planning)")


def _print_match(record: "MatchRecord", findings: "MatchFindings", answer: dict[str, Any]) -> None:
    from cardwin.lab.summary import digits_of

    unit, names = record.game.unit, numbered(record.specs)
    wide, digits = width_of(names), digits_of(unit)
    for name, result in zip(names, findings.players, strict=True):
        print(f"{fitted(name, wide):<{wide}}{result.mean:>12.{digits}f} {_between(result, digits)} {unit}")
    if len(record.specs) > 2:
        _print_tests(answer["tests"], unit, names)
    deals = record.deals
    if deals < findings.enough:
        print(f"{deals} deals are few for what is at stake in one: from about {findings.enough} on, large pots that "
              "were not seen hardly widen the intervals")  # fmt: skip
    adjusted = ", adjusted" if len(record.adjusted) else ""
    if record.per_deal > 1 or adjusted:
        widths = ", ".join(
            f"95% ±{ours.ci95:.{digits}f} instead of ±{plain.ci95:.{digits}f}"
            for ours, plain in list(zip(findings.players, findings.independent, strict=True))[:3]
        )
        saved = f": as sure as {findings.saving:.1f} times the hands" if findings.saving else ""
        print(f"duplicates{adjusted}: {widths} for as many independent hands{saved}" if record.per_deal > 1
              else f"adjusted: {widths}{saved}")  # fmt: skip
    if record.certain is not None:
        print("the order is certain, however often one looked" if record.certain else "the order is not certain yet")
    _print_faults(answer["players"], answer["faults"], len(record.report.late))
    print(f"{findings.method} ({answer['statistics']})")
    each = f", {deals} deals in {record.per_deal} seatings each" if record.per_deal > 1 else ""
    print(f"{len(record.chips)} hands of {record.game.name}{each}, seed {record.seed}, digest {record.digest}")


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
            help="Tournaments; with --duplicate each in every seating. With --resume, make it longer.",
        ),
    ] = 1,
    seed: Seed = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="One table; every deck sequence once for each seating.")
    ] = False,
    seating: Annotated[
        str, typer.Option("--seating", metavar="KIND", help="Of duplicate tables: drawn, balanced, or rotation.")
    ] = "drawn",
    seats: Annotated[int, typer.Option("--seats", metavar="N", help="At a table.")] = 10,
    growth: Annotated[float, typer.Option("--growth", metavar="X", help="Blinds grow by this factor.")] = 1.5,
    every: Annotated[int, typer.Option("--every", metavar="N", help="And they grow after so many hands.")] = 20,
    rounds: Annotated[int, typer.Option("--most-hands", metavar="N", help="Then places go by chips.")] = 100_000,
    last: Annotated[int, typer.Option("--until-left", metavar="N", help="Stop when so many are left.")] = 1,
    dead_button: Annotated[
        bool, typer.Option("--dead-button", help="Blinds as tournament directors have them, and ties across tables.")
    ] = False,
    payouts: Annotated[
        str, typer.Option("--payouts", metavar="A/B/C", help="Shares of the prizes, such as 50/30/20.")
    ] = "",
    limit: Limit = 2.0,
    in_process: InProcess = False,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Play tournaments to elimination, at one table or at hundreds."""
    structure = {"seats": seats, "growth": growth, "every": every, "most_hands": rounds, "until_left": last,
                 "dead_button": dead_button}  # fmt: skip
    values = {
        "game": game, "tables": tables, "duplicate": duplicate, "payouts": payouts, "time_limit": limit,
        "seating": seating, "in_process": in_process,
        "structure": structure,
    }  # fmt: skip
    answer = _run(context, "tournament", specs, seed, values, out, resume, workers, report)
    print_json(answer) if as_json else _print_tournament(answer)


def _run(
    context: typer.Context, kind: str, specs: Sequence[str] | None, seed: int | None, values: dict[str, Any],
    out: Path | None, resume: Path | None, workers: int, report: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """A new run between the players named, or one to resume, for which players of one's own are named again."""
    from cardwin.cli.progress import answer_of, resumed
    from cardwin.lab import launch

    if resume is not None:
        as_it_was(context, "specs", "page", "tables")
        source = context.get_parameter_source("tables")
        length = {"tables": values["tables"]} if source is not None and source.name == "COMMANDLINE" else None
        return answer_of(lambda watch: resumed(resume, kind, watch, workers, length, specs or (), report))
    if not specs:
        raise InputError("no players: name some, such as random*1000, or a run's folder with --resume")
    chosen = kind, {"players": specs, **values}, seed, out, workers
    return answer_of(lambda watch: launch.begin(*chosen, watch, note, report))


def _print_tournament(answer: dict[str, Any]) -> None:
    players = answer["players"]
    many, names = len(players) > MOST_SHOWN, numbered([one["spec"] for one in players])
    wide = width_of(names)
    ranked = sorted(zip(names, players, strict=True), key=lambda pair: pair[1]["mean_rank"])
    prizes = "   prize" if players[0]["prize"] else ""
    print(f"{'player':<{wide}}{'mean rank':>12} {'(95%)':<21}{'wins':>6}{'mbb/h':>10}{prizes}")
    for name, one in ranked[:MOST_SHOWN]:
        sure = "({:.2f} to {:.2f})".format(*one["interval"])
        prize = f"{one['prize']['mean']:8.2f}" if one["prize"] else ""
        shown = f"{fitted(name, wide):<{wide}}{one['mean_rank']:>12.2f} {sure:<21}{one['wins']:>6}"
        print(f"{shown}{one['mbb_per_hand']:>10.0f}{prize}")
    if many:
        print(f"... and {len(ranked) - MOST_SHOWN} more; --json has them all")
    name, one = ranked[0]
    if answer["per_table"] > 1 and answer["saving"]:
        print(f"duplicates: 95% ±{one['ci95']:.3f} instead of ±{one['ci95_independent']:.3f} for {name}; all in all "
              f"as sure as {answer['saving']:.1f} times as many independent tournaments")  # fmt: skip
    _print_tests(answer["tests"], "places", names)
    _print_faults(players, answer["faults"], answer["late"])
    print(f"{answer['method']} ({answer['statistics']})")
    seatings = f"duplicate tables, each in {answer['per_table']} seatings,"
    kind = seatings if answer["per_table"] > 1 else "tournaments"
    print(f"{kind} played: {answer['tables']}, of {len(players)} players, seed {answer['seed']}, digest "
          f"{answer['digest']}, in {answer['run']}")  # fmt: skip


@app.command()
def leaderboard(
    context: typer.Context,
    specs: Given = None,
    game: GameSpec = "holdem-nl",
    hands: Annotated[int, typer.Option("--hands", metavar="N", help="Hands of every pair.")] = 10_000,
    seed: Seed = None,
    until_certain: Annotated[
        bool, typer.Option("--until-certain", help="Stop a pair once it is settled; --hands is then the most.")
    ] = False,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.html", help="Copy the page there; it is the run's report.")
    ] = None,
    limit: Limit = 2.0,
    in_process: InProcess = False,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Let everybody meet everybody heads-up in duplicate: order, cross table, ratings, styles, and a page of it all."""
    from cardwin.files import check_output, write_whole
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.lab.leaderboard_run import board_in

    if not game.startswith("holdem"):
        if out is not None or resume is not None or page is not None:
            raise InputError(f"policies of {game} meet exactly, which is no run: leave --out, --resume and --page away")
        meet_exactly(game, specs or [], as_json)
        return
    if page is not None:
        check_output(page, "--page", again=True)
    values = {
        "game": game, "hands": hands, "until_certain": until_certain, "time_limit": limit, "in_process": in_process
    }  # fmt: skip
    answer = _run(context, "leaderboard", specs, seed, values, out, resume, workers)
    report = Path(answer["run"]) / "report.html"
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, report.read_bytes())
    if as_json:
        print_json(answer | {"page": str(page or report)})
    else:
        _print_leaderboard(board_in(answer, holdem_game(*split_spec(answer["game"]))), page or report)


def _print_leaderboard(board: "Leaderboard", path: Path) -> None:
    from cardwin.lab.summary import digits_of

    lines = [board.lines[place] for place in board.order]
    wide, digits = width_of([line.spec for line in lines]), digits_of(board.game.unit)
    head = f"{'rating (95%), ' + board.game.unit:>{wide + 28}}{'best':>6}{'above next':>12}{'against itself':>26}"
    print(f"{head}   plays, raises, aggression")
    for line, above in zip(lines, [*board.above_next, None], strict=True):
        rating, control, style = line.rating, line.control, line.style
        rated, itself = (f"{one.mean:+.{digits}f} {_between(one, digits)}" for one in (rating, control))
        print(
            f"{fitted(line.spec, wide):<{wide}}{rated:>28}{line.ranks[0]:>6.0%}"
            f"{'' if above is None else f'{above:.0%}':>12}{itself:>26}   "
            f"{_percent(style.vpip)}, {_percent(style.pfr)}, "
            + ("-" if style.aggression is None else f"{style.aggression:.1f}")
        )
    print()
    for some in batched(range(len(lines)), CROSS_COLUMNS):
        print(f"{'won from, ± 95%':<{wide}}" + "".join(f"{fitted(lines[place].spec, 18):>18}" for place in some))
        for row in board.order:
            cells = (board.cross[row][board.order[place]] for place in some)
            texts = ("·" if one is None else f"{one.mean:+.{digits - 1}f} ± {one.ci95:.{digits - 1}f}" for one in cells)
            print(f"{fitted(board.lines[row].spec, wide):<{wide}}" + "".join(f"{text:>18}" for text in texts))
    print(f"{len(board.certain)} of {len(board.tests)} pairs are settled at 5%, corrected for their number")
    print(f"{board.method} (docs/statistics.md)")
    for line in lines:
        if line.faults:
            print(f"{line.spec}: {line.faults} faults" + ("; disqualified" if line.disqualified else ""))
    for fault in board.faults[:5]:
        print(f"  {fault}")
    print(f"the page is {path}; seed {board.seed}, digest {board.digest}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _between(one: "Estimate", digits: int = 1) -> str:
    """The ends of an interval."""
    if one.method == "dependent":
        return "(no interval)"
    return "exactly" if one.method == "exact" else f"({one.low:.{digits}f} to {one.high:.{digits}f})"


def _print_tests(tests: Sequence[dict[str, Any]], unit: str, names: Sequence[str]) -> None:
    for test in tests:
        if test["significant"]:
            first, second = names[test["first"] - 1], names[test["second"] - 1]
            low, high = test["interval"]
            print(f"  {first} - {second}: {test['difference']:+.4g} ({low:.4g} to {high:.4g}) {unit}, "
                  f"{p_text(test['p_corrected'])}, corrected for {len(tests)} pairs")  # fmt: skip
    undecided = sum(not test["significant"] for test in tests)
    if undecided:
        print(f"  {undecided} of {len(tests)} pairs cannot be told apart at 5%")


def _print_faults(players: Sequence[dict[str, Any]], faults: Sequence[str], late: int) -> None:
    for one in players:
        if one["faults"]:
            out = "; disqualified" if one["disqualified"] else ""
            print(f"{one['spec']}: {one['faults']} faults, each counted as a check or fold{out}")
    for fault in faults[:5]:
        print(f"  {fault}")
    if late:
        print(f"  {late} hands with a late answer are left out of the digest")


LEAST_P = 1e-300
WIDEST = 40  # letters of a name in a table
CROSS_COLUMNS = 5  # players of a cross table side by side


def p_text(p: float) -> str:
    """A p-value; one too small to be told from nothing is not called nothing."""
    return f"p < {LEAST_P:g}" if p < LEAST_P else f"p {p:.2g}"


def numbered(specs: Sequence[str]) -> list[str]:
    """Names that tell players apart: those that have one in common are numbered by their place."""
    often = Counter(specs)
    return [f"{spec} #{place}" if often[spec] > 1 else spec for place, spec in enumerate(specs, 1)]


def width_of(names: Sequence[str]) -> int:
    """The width of a column of names."""
    return min(max([22, *map(len, names)]), WIDEST) + 2


def fitted(name: str, wide: int) -> str:
    """A name that leaves a column its width: of a long one beginning and end."""
    room = wide - 2
    return name if len(name) <= room else f"{name[: room // 2 - 1]}…{name[len(name) - (room - room // 2) :]}"


def batched(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """So many at a time."""
    return (places[first : first + size] for first in range(0, len(places), size))


@contextmanager
def progress_bar(total: int, what: str, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where that is a terminal; told how much more is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    off = hidden or is_quiet() or not console.is_terminal
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=off) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
