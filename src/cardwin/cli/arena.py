"""Commands that let players meet: matches, tournaments and the leaderboard."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.holdem import history_writer
from cardwin.cli.output import is_quiet, print_json
from cardwin.errors import InputError

if TYPE_CHECKING:
    from cardwin.arena.match import MatchRecord
    from cardwin.arena.referee import Report
    from cardwin.arena.tournament import TournamentRecord
    from cardwin.lab.standings import Leaderboard
    from cardwin.lab.summary import MatchFindings, TournamentFindings
    from cardwin.lab.tournaments import Plan
    from cardwin.stats.comparisons import Comparison
    from cardwin.stats.intervals import Estimate

Specs = Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players, one for each seat; random*3 is three.")]
GameSpec = Annotated[str, typer.Option("--game", metavar="GAME", help="holdem-nl, holdem-limit or holdem-simple.")]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="The run's luck; drawn and printed if not given.")
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Threads; the result does not depend on them.")]
Limit = Annotated[
    float,
    typer.Option("--time-limit", metavar="S", help="Seconds an action for python: players; 0 is no limit.", min=0),
]
STYLES = ("hands", "vpip", "pfr", "aggression", "fold_to_bet", "showdown", "bluff")
PAGE = "docs/statistics.md"  # where every method and how often it holds is shown
MOST_SHOWN = 20  # lines for players on a terminal; --json has them all


@app.command()
def match(
    specs: Specs,
    game: GameSpec = "holdem-nl",
    hands: Annotated[int, typer.Option("--hands", metavar="N", help="How many hands, all seatings counted.")] = 10_000,
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
    watch: Annotated[bool, typer.Option("--watch", help="Show every move, all cards open.")] = False,
    phh: Annotated[
        Path | None, typer.Option("--phh", metavar="FILE.phhs", help="Write every hand to this file (not there yet).")
    ] = None,
    limit: Limit = 2.0,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Play players against each other at one table, and say how sure the result is."""
    from cardwin.arena import match as arena
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.lab.summary import judge_match

    if watch and as_json:
        raise InputError("--watch tells a story and --json one object: choose one of them")
    seed = _seed(seed)
    start = time.perf_counter()
    table = holdem_game(*split_spec(game))
    with history_writer(phh, specs) as on_hand, progress_bar(hands, "hands", hidden=watch) as progress:
        record = arena.match(
            table, specs, hands, seed, workers, duplicate=duplicate, until_certain=until_certain, stacks=stacks,
            adjust=adjust, limit=limit, on_hand=on_hand, say=print if watch else None, progress=progress,
        )  # fmt: skip
    findings = judge_match(record)
    if as_json:
        print_json(match_answer(record, findings) | {"seconds": round(time.perf_counter() - start, 3)})
    else:
        _print_match(record, findings)


def match_answer(record: "MatchRecord", findings: "MatchFindings") -> dict[str, Any]:
    """A match as JSON holds it."""
    players = [
        {"spec": spec, "seat_hands": len(record.chips), **estimate_answer(estimate), "unit": record.game.unit,
         "ci95_independent": finite(plain.ci95), **_conduct(record.report, place)}
        for place, (spec, estimate, plain) in enumerate(
            zip(record.specs, findings.players, findings.independent, strict=True))
    ]  # fmt: skip
    return {
        "game": record.game.name, "hands": len(record.chips), "seed": record.seed, "players": players,
        "tests": [test_answer(record.specs, test) for test in findings.tests], "deals": len(record.by_deal),
        "per_deal": record.per_deal, "saving": findings.saving, "certain": record.certain,
        "method": findings.method, "page": PAGE, "deals_enough": findings.enough,
        "faults": [str(fault) for fault in record.report.first], "digest": record.digest,
    }  # fmt: skip


def _print_match(record: "MatchRecord", findings: "MatchFindings") -> None:
    from cardwin.arena.stakes import chips_at_stake

    unit = record.game.unit
    for spec, result in zip(record.specs, findings.players, strict=True):
        print(f"{spec:<24}{result.mean:>12.1f} {_between(result)} {unit}")
    _print_tests(record.specs, findings.tests, unit)
    deals = len(record.by_deal)
    if deals < findings.enough:
        print(f"{deals} deals are few where {chips_at_stake(record.game, len(record.specs))} chips are at stake: from "
              f"about {findings.enough} on, rare large pots hardly widen the intervals")  # fmt: skip
    adjusted = ", all-in adjusted" if len(record.adjusted) else ""
    if record.per_deal > 1 or adjusted:
        widths = ", ".join(
            f"±{ours.ci95:.1f} instead of ±{plain.ci95:.1f}"
            for ours, plain in list(zip(findings.players, findings.independent, strict=True))[:3]
        )
        saved = f": as sure as {findings.saving:.1f} times the hands" if findings.saving else ""
        print(f"duplicates{adjusted}: {widths} for as many independent hands{saved}" if record.per_deal > 1
              else f"all-in adjusted: {widths}{saved}")  # fmt: skip
    if record.certain is not None:
        print("the order is certain, whenever one had stopped" if record.certain else "the order is not certain yet")
    _print_faults(record.specs, record.report)
    print(f"{findings.method} ({PAGE})")
    each = f", {deals} deals in {record.per_deal} seatings each" if record.per_deal > 1 else ""
    print(f"{len(record.chips)} hands of {record.game.name}{each}, seed {record.seed}, digest {record.digest}")


@app.command()
def tournament(
    specs: Annotated[list[str] | None, typer.Argument(metavar="SPEC...", help="Players; random*1000 works.")] = None,
    game: GameSpec = "holdem-nl",
    tables: Annotated[
        int, typer.Option("--tables", metavar="N", help="Tournaments; with --duplicate each in every seating.")
    ] = 1,
    seed: Seed = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="One table; every deck sequence once for each seating.")
    ] = False,
    seats: Annotated[int, typer.Option("--seats", metavar="N", help="At a table.")] = 10,
    growth: Annotated[float, typer.Option("--growth", metavar="X", help="Blinds grow by this factor.")] = 1.5,
    every: Annotated[int, typer.Option("--every", metavar="N", help="And they grow after so many hands.")] = 20,
    rounds: Annotated[int, typer.Option("--most-hands", metavar="N", help="Then places go by chips.")] = 100_000,
    last: Annotated[int, typer.Option("--until-left", metavar="N", help="Stop when so many are left.")] = 1,
    payouts: Annotated[
        str, typer.Option("--payouts", metavar="A/B/C", help="Shares of the prizes, such as 50/30/20.")
    ] = "",
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Keep what is done in a new folder.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="DIR", help="Go on with such a folder.")] = None,
    limit: Limit = 2.0,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Play tournaments to elimination, at one table or at hundreds."""
    from cardwin.arena.payouts import read_payouts
    from cardwin.arena.structure import Structure
    from cardwin.lab import tournaments as lab
    from cardwin.lab.summary import judge_tournaments

    start = time.perf_counter()
    if resume is not None and out is not None:
        raise InputError("--resume goes on in its own folder: leave --out away")
    if resume is not None:
        plan = lab.reopen(resume, specs or ())
    elif specs:
        structure = Structure(seats, growth, every, rounds, last)
        plan = lab.Plan(game, tuple(specs), tables, _seed(seed), structure, duplicate, limit)
    else:
        raise InputError("no players: name some, such as random*1000, or a folder with --resume")
    series, names = lab.series_of(plan)
    shares = read_payouts(payouts, len(names)) if payouts else []
    if out is not None:
        lab.begin(out, plan)
    with progress_bar(plan.tables * series.per_table, "tournaments") as progress:
        record = lab.play(plan, resume or out, workers, progress)
    findings = judge_tournaments(record, shares)
    if as_json:
        answer = tournament_answer(plan, record, findings)
        print_json(answer | {"seconds": round(time.perf_counter() - start, 3)})
    else:
        _print_tournament(plan, record, findings)


def tournament_answer(plan: "Plan", record: "TournamentRecord", findings: "TournamentFindings") -> dict[str, Any]:
    """A series of tournaments as JSON holds it."""
    players = [
        {"spec": spec, "mean_rank": one.rank.mean, "ci95": finite(one.rank.ci95),
         "ci95_independent": finite(one.independent.ci95), "wins": one.wins,
         "win_share": one.win_share, "mbb_per_hand": one.mbb_per_hand,
         "prize": None if one.prize is None else estimate_answer(one.prize), **_conduct(record.report, place)}
        for place, (spec, one) in enumerate(zip(record.specs, findings.players, strict=True))
    ]  # fmt: skip
    return {
        "game": record.game.name, "tables": plan.tables, "tournaments": len(record.results.place), "seed": record.seed,
        "players": players, "tests": [test_answer(record.specs, test) for test in findings.tests],
        "method": findings.method, "page": PAGE,
        "faults": [str(fault) for fault in record.report.first], "digest": record.digest,
    }  # fmt: skip


def _print_tournament(plan: "Plan", record: "TournamentRecord", findings: "TournamentFindings") -> None:
    many = len(record.specs) > MOST_SHOWN
    names = [f"{spec} #{place + 1}" if many else spec for place, spec in enumerate(record.specs)]
    ranked = sorted(zip(names, findings.players, strict=True), key=lambda pair: pair[1].rank.mean)
    print(
        f"{'player':<24}{'mean rank':>12}{'':20}{'wins':>6}{'mbb/h':>10}" + ("   prize" if ranked[0][1].prize else "")
    )
    for spec, one in ranked[:MOST_SHOWN]:
        sure = f"({one.rank.low:.2f} to {one.rank.high:.2f})"
        prize = f"{one.prize.mean:8.2f}" if one.prize else ""
        print(f"{spec:<24}{one.rank.mean:>12.2f} {sure:<19}{one.wins:>6}{one.mbb_per_hand:>10.0f}{prize}")
    if len(ranked) > MOST_SHOWN:
        print(f"... and {len(ranked) - MOST_SHOWN} more; --json has them all")
    if plan.duplicate and findings.saving:
        one = ranked[0][1]
        print(f"duplicates: ±{one.rank.ci95:.3f} instead of ±{one.independent.ci95:.3f} for {ranked[0][0]}; all in all "
              f"as sure as {findings.saving:.1f} times as many independent tournaments")  # fmt: skip
    _print_tests(record.specs, findings.tests, "places")
    _print_faults(record.specs, record.report)
    print(f"{findings.method} ({PAGE})")
    kind = f"duplicate tables, each in {record.per_table} seatings," if plan.duplicate else "tournaments"
    print(f"{kind} played: {plan.tables}, of {len(record.specs)} players, seed {record.seed}, digest {record.digest}")


@app.command()
def leaderboard(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players, each once.")],
    game: GameSpec = "holdem-nl",
    hands: Annotated[int, typer.Option("--hands", metavar="N", help="Hands of every pair.")] = 10_000,
    seed: Seed = None,
    until_certain: Annotated[
        bool, typer.Option("--until-certain", help="Stop a pair once it is settled; --hands is then the most.")
    ] = False,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.html", help="Where the page goes; in runs/ if not given.")
    ] = None,
    limit: Limit = 2.0,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Let everybody meet everybody heads-up in duplicate: order, cross table, ratings, styles, and a page of it all."""
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.lab import leaderboard as lab
    from cardwin.lab.checkpoint import write_whole
    from cardwin.lab.leaderboard_page import page as html
    from cardwin.players.registry import expand_specs

    seed = _seed(seed)
    start = time.perf_counter()
    table, names = holdem_game(*split_spec(game)), expand_specs(specs)
    matches = len(names) * (len(names) + 1) // 2
    with progress_bar(matches * hands, "hands") as progress:
        board = lab.leaderboard(table, names, hands, seed, until_certain=until_certain, workers=workers, limit=limit,
                                progress=progress)  # fmt: skip
    path = page or Path("runs") / f"leaderboard-{seed}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, html(board).encode())
    if as_json:
        answer = leaderboard_answer(board)
        print_json(answer | {"page": str(path), "seconds": round(time.perf_counter() - start, 3)})
    else:
        _print_leaderboard(board, path)


def leaderboard_answer(board: "Leaderboard") -> dict[str, Any]:
    """A leaderboard as JSON holds it, players from best to worst."""
    lines = [board.lines[place] for place in board.order]
    chances = [*board.above_next, None]
    players = [
        {"spec": line.spec, **estimate_answer(line.score), "unit": board.game.unit,
         "rating": estimate_answer(line.rating), "ranks": list(line.ranks), "above_next": above,
         "style": {name: getattr(line.style, name) for name in STYLES}, "control": estimate_answer(line.control),
         "faults": line.faults, "disqualified": line.disqualified}
        for line, above in zip(lines, chances, strict=True)
    ]  # fmt: skip
    cross = [
        [None if one is None else estimate_answer(one) for one in (board.cross[row][column] for column in board.order)]
        for row in board.order
    ]
    specs = [line.spec for line in board.lines]
    return {
        "game": board.game.name, "hands": board.hands, "seed": board.seed, "players": players, "cross": cross,
        "tests": [test_answer(specs, test) for test in board.tests], "method": board.method, "page": PAGE,
        "faults": list(board.faults), "digest": board.digest,
    }  # fmt: skip


def _print_leaderboard(board: "Leaderboard", path: Path) -> None:
    lines = [board.lines[place] for place in board.order]
    wide = max(len(line.spec) for line in lines) + 2
    unit = board.game.unit
    head = f"{'rating, ' + unit:>{wide + 26}}{'best':>6}{'above next':>12}{'against itself':>24}"
    print(f"{head}   plays, raises, aggression")
    for line, above in zip(lines, [*board.above_next, None], strict=True):
        rating, control, style = line.rating, line.control, line.style
        print(
            f"{line.spec:<{wide}}{f'{rating.mean:+.1f} {_between(rating)}':>26}{line.ranks[0]:>6.0%}"
            f"{'' if above is None else f'{above:.0%}':>12}{f'{control.mean:+.1f} {_between(control)}':>24}   "
            f"{_percent(style.vpip)}, {_percent(style.pfr)}, "
            + ("-" if style.aggression is None else f"{style.aggression:.1f}")
        )
    print()
    print(f"{'':{wide}}" + "".join(f"{line.spec[:17]:>18}" for line in lines))
    for row in board.order:
        cells = (board.cross[row][column] for column in board.order)
        texts = ("·" if one is None else f"{one.mean:+.0f} ± {one.ci95:.0f}" for one in cells)
        print(f"{board.lines[row].spec:<{wide}}" + "".join(f"{text:>18}" for text in texts))
    print(f"{len(board.certain)} of {len(board.tests)} pairs are settled at 5%, corrected for their number")
    print(f"{board.method} ({PAGE})")
    for line in lines:
        if line.faults:
            print(f"{line.spec}: {line.faults} faults" + ("; disqualified" if line.disqualified else ""))
    for fault in board.faults[:5]:
        print(f"  {fault}")
    print(f"the page is {path}; seed {board.seed}, digest {board.digest}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _seed(given: int | None) -> int:
    """The seed, or a fresh one; it stands in the answer."""
    from cardwin.rng import fresh_seed

    return fresh_seed() if given is None else given


def finite(number: float) -> float | None:
    """The number, or None where JSON has no word for it."""
    return number if math.isfinite(number) else None


def estimate_answer(estimate: "Estimate") -> dict[str, Any]:
    """A mean as JSON holds it."""
    return {
        "mean": estimate.mean, "ci95": finite(estimate.ci95),
        "interval": [finite(estimate.low), finite(estimate.high)], "method": estimate.method,
    }  # fmt: skip


def test_answer(specs: Sequence[str], test: "Comparison") -> dict[str, Any]:
    """A comparison as JSON holds it; players count from 1."""
    return {
        "first": test.first + 1, "second": test.second + 1, "specs": [specs[test.first], specs[test.second]],
        "difference": test.difference, "ci95": finite(test.ci95), "interval": [finite(test.low), finite(test.high)],
        "p": test.p, "p_corrected": test.corrected, "e_value": test.e_value, "significant": test.significant,
        "n": test.n, "method": test.method,
    }  # fmt: skip


def _conduct(report: "Report", place: int) -> dict[str, Any]:
    if not report.faults:
        return {"faults": 0, "disqualified": False}
    return {"faults": report.faults[place], "disqualified": report.disqualified[place]}


def _between(one: "Estimate") -> str:
    """The ends of an interval."""
    return "exactly" if one.method == "exact" else f"({one.low:.1f} to {one.high:.1f})"


def _print_tests(specs: Sequence[str], tests: Sequence["Comparison"], unit: str) -> None:
    if len(specs) < 3 and unit != "places":
        return
    for test in tests:
        if test.significant:
            print(f"  {specs[test.first]} - {specs[test.second]}: {test.difference:+.4g} ({test.low:.4g} to "
                  f"{test.high:.4g}) {unit}, p {test.corrected:.2g}, corrected for {len(tests)} pairs")  # fmt: skip
    undecided = sum(not test.significant for test in tests)
    if undecided:
        print(f"  {undecided} of {len(tests)} pairs cannot be told apart at 5%")


def _print_faults(specs: Sequence[str], report: "Report") -> None:
    for spec, count, out in zip(specs, report.faults, report.disqualified, strict=False):
        if count:
            print(f"{spec}: {count} faults, each counted as a check or fold" + ("; disqualified" if out else ""))
    for fault in report.first[:5]:
        print(f"  {fault}")
    if report.late:
        print(f"  {len(report.late)} hands with a late answer are left out of the digest")


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
