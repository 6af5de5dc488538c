"""Results of matches, tournaments and leaderboards as text for the terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwin.core.display import number_duplicates, seed_text

if TYPE_CHECKING:
    from cardwin.arena.match import MatchRecord
    from cardwin.results.leaderboard import Leaderboard
    from cardwin.results.match import MatchFindings
    from cardwin.stats.intervals import Estimate

MOST_SHOWN = 20  # players printed; --json has them all
LEAST_P = 1e-300
WIDEST = 40  # characters of a name in a table
CROSS_COLUMNS = 5  # columns of a cross table in one block


def print_plan(answer: dict[str, Any]) -> None:
    """Print how many hands detect a margin."""
    for one in answer["pairs"]:
        print(
            f"{' and '.join(one['specs'])}: {one['hands']:,} hands detect a difference of {answer['margin']:g} "
            f"{answer['unit']} with 90% power, {one['hands_until_certain']:,} with --until-certain"
        )
    print(
        f"from a pilot of {answer['pilot_hands']} hands, {seed_text(answer['seed'])} ({answer['statistics']}#planning)"
    )


def print_match(record: "MatchRecord", findings: "MatchFindings", answer: dict[str, Any]) -> None:
    """Print every player's result with its interval, and where the cards came from."""
    from cardwin.results.answers import digits_of

    unit, names = record.game.unit, number_duplicates(record.specs)
    wide, digits = width_of(names), digits_of(unit)
    full = len(record.specs) > 2
    for name, intervals in zip(names, findings.intervals, strict=True):
        result = intervals.shown
        beside = f", approximate ±{intervals.approximate.ci95:.{digits}f}" if full and _has_interval(result) else ""
        print(f"{fitted(name, wide):<{wide}}{result.mean:>12.{digits}f} {_between(result, digits)} {unit}{beside}")
    if full:
        _print_floor(findings, record.deals, digits)
        _print_tests(answer["tests"], unit, names)
    deals = record.deals
    if deals < findings.enough:
        print(
            f"{deals} deals are few for these stakes: from about {findings.enough} deals on, large pots that did "
            "not occur hardly widen the intervals"
        )
    adjusted = ", adjusted" if len(record.adjusted) else ""
    if record.value_function:
        _print_corrected(record, findings, digits)
    if record.summed == 1 and (record.per_deal > 1 or adjusted):
        widths = ", ".join(
            f"95% ±{ours.ci95:.{digits}f} instead of ±{plain.ci95:.{digits}f}"
            for ours, plain in list(zip(findings.players, findings.independent, strict=True))[:3]
        )
        saved = f": as precise as {findings.saving:.1f} times as many hands" if findings.saving else ""
        if findings.saving_approximate:
            saved += f" ({findings.saving_approximate:.1f} times by the variances)"
        print(
            f"duplicates{adjusted}: {widths} for as many independent hands{saved}"
            if record.per_deal > 1
            else f"adjusted: {widths}{saved}"
        )
    if record.certain is not None:
        print("the order is certain (valid at any stopping time)" if record.certain else "the order is not certain yet")
    print_faults(answer["players"], answer["faults"], len(record.report.late))
    print(f"{findings.method} ({answer['statistics']})")
    if findings.players[0].method == "fixed":
        print("if hands are added because of this result, the any-stop intervals in --json are the valid ones")
    each = f", {deals} deals in {record.per_deal} seatings each" if record.per_deal > 1 else ""
    print(f"{record.hands} hands of {record.game.name}{each}, {seed_text(record.seed)}, digest {record.digest}")
    if not answer["fair"]:
        print("not fair: an untrusted player could have known the cards (see cardwin match --help)")


def _print_corrected(record: "MatchRecord", findings: "MatchFindings", digits: int) -> None:
    """Print the plain results beside the corrected ones above, and the value function."""
    plain = ", ".join(f"{one.mean:.{digits}f} {_between(one, digits)}" for one in findings.independent)
    print(f"corrected by AIVAT; the plain results are {plain}")
    fitted_by = f"from a pilot of {record.pilot} other hands" if record.pilot else "check-down, without a pilot"
    print(
        f"value function {record.value_function}, fixed before the first hand ({fitted_by}); it moves no result by "
        f"more than {record.moved / record.game.chips_per_unit:.{digits}f}"
    )


def print_match_run(answer: dict[str, Any]) -> None:
    """Print a recorded match, and where it is."""
    from cardwin.results.match import judge_match
    from cardwin.runs.run_folder import reopen
    from cardwin.runs.store import Reader
    from cardwin.runs.trainers.match import MatchExperiment, record_in

    folder = Path(answer["run"])
    experiment = reopen(folder)
    if not isinstance(experiment, MatchExperiment):
        raise TypeError(f"{folder} is no match")
    record = record_in(experiment, Reader(folder / "run.db"))
    print_match(record, judge_match(record), answer)
    print(f"recorded in {folder}; check it with: cardwin verify {folder}")


def print_verification(answer: dict[str, Any]) -> None:
    """Print what was checked, and what is wrong."""
    for problem in answer["problems"]:
        print(problem)
    steps = "1 step" if answer["steps"] == 1 else f"{answer['steps']} steps"
    again = f"{answer['hands']:,} hands in {steps} played again"
    print(f"{again}: everything agrees" if answer["ok"] else f"{again}: {len(answer['problems'])} problems")
    if answer["commitment"]:
        print(f"commitment to all secrets: {answer['commitment']}; blocks discarded: {answer['discarded']}")


def print_tournament(answer: dict[str, Any]) -> None:
    """Print ranks, chips and the pairs that differ."""
    players = answer["players"]
    many, names = len(players) > MOST_SHOWN, number_duplicates([one["spec"] for one in players])
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
        print(
            f"duplicates: 95% ±{one['ci95']:.3f} instead of ±{one['ci95_independent']:.3f} for {name}; overall "
            f"as precise as {answer['saving']:.1f} times as many independent tournaments"
        )
    _print_tests(answer["tests"], "places", names)
    if "intervals" in one:  # not in the answers of older versions
        fixed = one["intervals"]["fixed"]["ci95"]
        print(f"95% ±{fixed:.3f} for {name} if {answer['tables']} tables were declared before play and none are added")
    print_faults(players, answer["faults"], answer["late"])
    print(f"{answer['method']} ({answer['statistics']})")
    seatings = f"duplicate tables, each in {answer['per_table']} seatings,"
    kind = seatings if answer["per_table"] > 1 else "tournaments"
    print(
        f"{kind} played: {answer['tables']}, of {len(players)} players, {seed_text(answer['seed'])}, digest "
        f"{answer['digest']}, in {answer['run']}"
    )


def print_leaderboard(board: "Leaderboard", path: Path) -> None:
    """Print the ranking, the cross table, and the path of the report."""
    from cardwin.results.answers import digits_of
    from cardwin.stats.intransitivity import cycle_counts, cycle_sentence

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
    print(f"{len(board.certain)} of {len(board.tests)} pairs differ at the 5% level, corrected for the number of pairs")
    if len(lines) > 2:
        print(f"{cycle_counts(board.cycles)}; {cycle_sentence(board.cycles, [line.spec for line in board.lines])}")
    print(f"{board.method} (docs/statistics.md)")
    for line in lines:
        if line.faults or line.milliseconds is not None:
            took = "" if line.milliseconds is None else f", {line.milliseconds:.3g} ms a decision"
            print(f"{line.spec}: {line.faults} faults{'; disqualified' if line.disqualified else ''}{took}")
    for fault in board.faults[:5]:
        print(f"  {fault}")
    print(f"report: {path}; {seed_text(board.seed)}, digest {board.digest}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _between(one: "Estimate", digits: int = 1) -> str:
    """The two ends of an interval as text."""
    if one.method == "dependent":
        return "(no interval)"
    return "exactly" if one.method == "exact" else f"({one.low:.{digits}f} to {one.high:.{digits}f})"


def _has_interval(one: "Estimate") -> bool:
    return one.method not in ("dependent", "exact")


def _print_floor(findings: "MatchFindings", deals: int, digits: int) -> None:
    """Print how narrow a valid interval can be with this number of deals, and what the approximate one is."""
    one = findings.intervals[0]
    if _has_interval(one.shown):
        print(
            f"no valid interval over {deals} deals can be narrower than ±{one.floor:.{digits}f}, because of results "
            "that are possible and did not occur; the approximate one (Student's) ignores them"
        )


def _print_tests(tests: Sequence[dict[str, Any]], unit: str, names: Sequence[str]) -> None:
    for test in tests:
        if test["significant"]:
            first, second = names[test["first"] - 1], names[test["second"] - 1]
            low, high = test["interval"]
            name = f" ({test['test']})" if "test" in test else ""
            print(
                f"  {first} - {second}: {test['difference']:+.4g} ({low:.4g} to {high:.4g}) {unit}, "
                f"{p_text(test['p_corrected'])}, corrected for {len(tests)} pairs{name}"
            )
    undecided = sum(not test["significant"] for test in tests)
    if undecided:
        print(f"  {undecided} of {len(tests)} pairs show no significant difference at 5%")


def print_faults(players: Sequence[dict[str, Any]], faults: Sequence[str], late: int) -> None:
    """Print each player's faults, the first of all as text, and how many hands had a late answer."""
    for one in players:
        if one["faults"]:
            out = "; disqualified" if one["disqualified"] else ""
            print(f"{one['spec']}: {one['faults']} faults, each counted as a check or fold{out}")
    for fault in faults[:5]:
        print(f"  {fault}")
    if late:
        print(f"  {late} hands with a timeout are excluded from the digest")


def p_text(p: float) -> str:
    """A p-value as text; one that underflows is shown as a bound."""
    return f"p < {LEAST_P:g}" if p < LEAST_P else f"p {p:.2g}"


def width_of(names: Sequence[str]) -> int:
    """The width of a column of names."""
    return min(max([22, *map(len, names)]), WIDEST) + 2


def fitted(name: str, wide: int) -> str:
    """The name, shortened in the middle where it is wider than its column."""
    room = wide - 2
    return name if len(name) <= room else f"{name[: room // 2 - 1]}…{name[len(name) - (room - room // 2) :]}"


def batched(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """The places in batches of `size`."""
    return (places[first : first + size] for first in range(0, len(places), size))
