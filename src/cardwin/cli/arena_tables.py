"""Results of matches, tournaments and leaderboards as text for the terminal.

The default output has what a player of the result needs. Methods, approximate intervals and what duplicates saved
are printed with --verbose; --json has everything.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwin.cli.output import print_detail, report_line
from cardwin.core.display import number_duplicates, seed_text

if TYPE_CHECKING:
    from cardwin.arena.match import MatchRecord
    from cardwin.results.leaderboard import Leaderboard
    from cardwin.results.match import MatchFindings
    from cardwin.stats.headline import Intervals
    from cardwin.stats.intervals import Estimate
    from cardwin.stats.intransitivity import Intransitivity

MAX_PLAYERS = 20  # printed; --json has them all
MAX_FAULTS = 5  # printed
DISQUALIFIED = "disqualified"  # in place of a mean
MIN_P = 1e-300
MAX_WIDTH = 40  # characters of a name in a table
CROSS_COLUMNS = 5  # columns of a cross table in one block


def print_plan(answer: dict[str, Any]) -> None:
    """Print how many hands narrow the printed intervals to a margin, and how many make a difference certain."""
    margin = f"{answer['margin']:g} {answer['unit']}"
    for pair in answer["pairs"]:
        certain, stopped = pair["hands_certain"], pair["hands_until_certain"]
        also = ", also with --until-certain" if stopped == certain else f"; {stopped:,} with --until-certain"
        print(f"{' and '.join(pair['specs'])}: {pair['hands']:,} hands give intervals of ±{margin} or less")
        print(f"  {certain:,} hands make a difference of {margin} certain{also}")
    pilot = f"a pilot of {answer['pilot_hands']:,} hands, {seed_text(answer['seed'])}"
    print(f"each with a probability of 90%, estimated from {pilot} ({answer['statistics']}#planning)")


def print_match(record: "MatchRecord", findings: "MatchFindings", answer: dict[str, Any]) -> None:
    """Print every player's result with its interval, and where the cards came from."""
    from cardwin.results.answers import digits_of

    unit, names, deals = record.game.unit, number_duplicates(record.specs), record.deals
    width, digits = width_of(names), digits_of(unit)
    for name, intervals, player in zip(names, findings.intervals, answer["players"], strict=True):
        result = intervals.shown
        if player["disqualified"]:  # it checks or folds to the end: its mean says nothing about it
            print(f"{fitted(name, width):<{width}}{DISQUALIFIED:>12}")
            continue
        print(f"{fitted(name, width):<{width}}{result.mean:>12.{digits}f} {_interval_text(result, digits)} {unit}")
        if _has_interval(result):
            print(f"{'':<{width + 12}} {_guaranteed_text(intervals, digits)}")
    if len(names) > 2:
        _print_tests(answer["tests"], unit, names)
    _print_diagnosis(findings, record.per_deal)
    if record.value_function:
        _print_corrected(record, findings, digits)
    if record.summed == 1 and (record.per_deal > 1 or len(record.adjusted)):
        _print_saving(record, findings, digits)
    if record.certain is not None:
        print("the order is certain" if record.certain else "the order is not certain yet: more hands are needed")
    print_faults(answer["players"], answer["faults"], len(record.report.late))
    _print_method(findings, deals, digits, answer["statistics"])
    seatings = f" ({deals:,} deals, each in {record.per_deal} seatings)" if record.per_deal > 1 else ""
    level = ", 95% intervals" if _has_interval(findings.players[0]) else ""
    played = f"{record.hands:,} hands of {record.game.name}{seatings}{level}"
    print(f"{played}, {seed_text(record.seed)}, digest {record.digest}")
    print_fairness(answer)


def _print_method(findings: "MatchFindings", deals: int, digits: int, statistics: str) -> None:
    """Print the method of the intervals, and what limits them, if --verbose was given."""
    first = findings.intervals[0]
    if _has_interval(first.shown):
        print_detail(
            f"no guaranteed interval over {deals:,} deals can be narrower than ±{first.floor:.{digits}f}, because of "
            "results that are possible and did not occur"
        )
    print_detail(f"{findings.method} ({statistics})")


def _guaranteed_text(intervals: "Intervals", digits: int) -> str:
    """Return the guaranteed intervals of a mean as text, without the one that is shown already."""
    names = {"for this length": intervals.fixed, "at any stop": intervals.any_stop}
    return "guaranteed " + ", ".join(
        f"{name} {_interval_text(interval, digits)}" for name, interval in names.items() if interval != intervals.shown
    )


def _print_diagnosis(findings: "MatchFindings", per_deal: int) -> None:
    """Print why samples do not support their interval, and how many hands would."""
    reasons = list(dict.fromkeys(player.diagnosis.reason for player in findings.intervals if player.diagnosis.reason))
    for reason in reasons:
        print(f"wider interval, because {reason}")
    if findings.enough:
        print(f"from about {float(f'{findings.enough * per_deal:.2g}'):,.0f} hands on it would be narrower")


def _print_saving(record: "MatchRecord", findings: "MatchFindings", digits: int) -> None:
    """Print what duplicate deals and adjusted all-ins saved."""
    method = "duplicate deals" if record.per_deal > 1 else "all-in adjustment"
    method += " and all-in adjustment" if record.per_deal > 1 and len(record.adjusted) else ""
    if findings.saving and findings.saving > 1:
        print(f"{method}: as precise as {findings.saving:.1f} times as many independent hands")
    for estimate, plain in list(zip(findings.players, findings.independent, strict=True))[:3]:
        print_detail(f"{method}: 95% ±{estimate.ci95:.{digits}f}; independent hands: ±{plain.ci95:.{digits}f}")
    if findings.saving_approximate:
        print_detail(f"{method}: variance lower by a factor of {findings.saving_approximate:.1f}")


def _print_corrected(record: "MatchRecord", findings: "MatchFindings", digits: int) -> None:
    """Print the plain results beside the corrected ones above, and the value function."""
    plain = ", ".join(
        f"{estimate.mean:.{digits}f} {_interval_text(estimate, digits)}" for estimate in findings.independent
    )
    print(f"corrected by AIVAT; without correction: {plain}")
    source = f"from a pilot of {record.pilot:,} other hands" if record.pilot else "check-down, without a pilot"
    print_detail(
        f"value function {record.value_function}, fixed before the first hand ({source}); it changes no result by "
        f"more than {record.moved / record.game.chips_per_unit:.{digits}f}"
    )


def print_match_run(answer: dict[str, Any]) -> None:
    """Print a recorded match, and the path of its run."""
    from cardwin.results.match import judge_match
    from cardwin.runs.run_folder import reopen
    from cardwin.runs.store import Reader
    from cardwin.runs.trainers.match import MatchExperiment, record_in

    folder = Path(answer["run"])
    experiment = reopen(folder)
    if not isinstance(experiment, MatchExperiment):
        raise TypeError(f"expected a match in {folder}, got {experiment.kind}")
    record = record_in(experiment, Reader(folder / "run.db"))
    print_match(record, judge_match(record), answer)
    print(f"{report_line(answer)}; check the run with: cardwin verify {folder}")


def print_verification(answer: dict[str, Any]) -> None:
    """Print what was checked, every problem, and what could not be checked."""
    for problem in answer["problems"]:
        print(problem)
    for reason in answer["unchecked"]:
        print(f"not checked: {reason}")
    steps = "1 step" if answer["steps"] == 1 else f"{answer['steps']} steps"
    count = len(answer["problems"])
    result = "no differences" if answer["ok"] else f"{count} problem{'s' if count > 1 else ''}"
    repeated = "computed" if answer["hands"] is None else "dealt and played"
    length = steps if answer["hands"] is None else f"{answer['hands']:,} hands in {steps}"
    print(f"{length} {repeated} again: {result}")
    if answer["commitment"]:
        print(f"commitment to all secrets: {answer['commitment']}; blocks discarded: {answer['discarded']}")


def print_tournament(answer: dict[str, Any]) -> None:
    """Print ranks, chips and the pairs that differ."""
    players = answer["players"]
    names = number_duplicates([player["spec"] for player in players])
    width = width_of(names)
    ranked = sorted(zip(names, players, strict=True), key=lambda pair: (pair[1]["disqualified"], pair[1]["mean_rank"]))
    prizes = "   prize" if players[0]["prize"] else ""
    print(f"{'player':<{width}}{'mean rank':>12} {'(95%)':<21}{'wins':>6}{'mbb/h':>10}{prizes}")
    for name, player in ranked[:MAX_PLAYERS]:
        if player["disqualified"]:
            print(f"{fitted(name, width):<{width}}{DISQUALIFIED:>12}")
            continue
        interval = "({:.2f} to {:.2f})".format(*player["interval"])
        prize = f"{player['prize']['mean']:8.2f}" if player["prize"] else ""
        row = f"{fitted(name, width):<{width}}{player['mean_rank']:>12.2f} {interval:<21}{player['wins']:>6}"
        print(f"{row}{player['mbb_per_hand']:>10.0f}{prize}")
    if len(players) > MAX_PLAYERS:
        print(f"... and {len(ranked) - MAX_PLAYERS} more; --json has all of them")
    _print_tests(answer["tests"], "ranks", names)
    name, best = ranked[0]
    if answer["per_table"] > 1 and answer["saving"]:
        show = print if answer["saving"] > 1 else print_detail
        show(f"duplicate tables: as precise as {answer['saving']:.1f} times as many independent tournaments")
        widths = f"95% ±{best['ci95']:.3f}; independent tournaments: ±{best['ci95_independent']:.3f}"
        print_detail(f"duplicate tables: {widths} for {name}")
    fixed, stopped = (best["intervals"][kind]["ci95"] for kind in ("fixed", "any_stop"))
    print(
        f"guaranteed for {name}: 95% ±{stopped:.3f}, also if the series is extended; ±{fixed:.3f} for a declared length"
    )
    if best["diagnosis"]["reason"]:
        print(f"wider interval, because {best['diagnosis']['reason']}")
    print_faults(players, answer["faults"], answer["late"])
    print_detail(f"{answer['method']} ({answer['statistics']})")
    kind = f"duplicate tables in {answer['per_table']} seatings each" if answer["per_table"] > 1 else "tournaments"
    counts = f"{answer['tables']:,} {kind}, {len(players):,} players"
    print(f"{counts}, {seed_text(answer['seed'])}, digest {answer['digest']}")
    print(f"{report_line(answer)}; check the run with: cardwin verify {answer['run']}")


def print_leaderboard(board: "Leaderboard", path: Path) -> None:
    """Print the ranking, the cross table, and the path of the report."""
    from cardwin.results.answers import digits_of
    from cardwin.results.leaderboard import places_text
    from cardwin.stats.headline import METHOD

    order = sorted(board.order, key=lambda player: board.lines[player].disqualified)
    lines = [board.lines[player] for player in order]
    width, digits = width_of([line.spec for line in lines]), digits_of(board.game.unit)
    print(board.separation)
    head = f"{'player':<{width}}{'rank':>8}{'rating (95%), ' + board.game.unit:>28}{'P(best)':>9}{'P(above next)':>15}"
    print(f"{head}   VPIP, PFR, aggression")
    above_next = dict(zip(board.order, board.above_next, strict=False))
    for player, line in zip(order, lines, strict=True):
        if line.disqualified:
            print(f"{fitted(line.spec, width):<{width}}{DISQUALIFIED:>28}")
            continue
        above, rank = above_next.get(player), places_text(board.places[player])
        rating, style = f"{line.rating.mean:+.{digits}f} {_interval_text(line.rating, digits)}", line.style
        chance = "" if above is None else f"{above:.0%}"
        aggression = "-" if style.aggression is None else f"{style.aggression:.1f}"
        habits = f"{_percent(style.vpip)}, {_percent(style.pfr)}, {aggression}"
        print(f"{fitted(line.spec, width):<{width}}{rank:>8}{rating:>28}{line.ranks[0]:>9.0%}{chance:>15}   {habits}")
    print()
    for some in batched(range(len(lines)), CROSS_COLUMNS):
        heads = "".join(f"{fitted(lines[index].spec, 18):>18}" for index in some)
        print(f"{f'{board.game.unit} won from, ± 95%':<{width}}{heads}")
        for row, line in zip(order, lines, strict=True):
            cells = (
                None if line.disqualified or lines[index].disqualified else board.cross[row][order[index]]
                for index in some
            )
            texts = ("·" if cell is None else _plus_minus(cell.shown, digits - 1) for cell in cells)
            print(f"{fitted(line.spec, width):<{width}}" + "".join(f"{text:>18}" for text in texts))
    reasons = {cell.diagnosis.reason for row in board.cross for cell in row if cell and cell.diagnosis.reason}
    for reason in sorted(reasons):
        print(f"wider intervals, because {reason}")
    print_cycles(board.cycles, [line.spec for line in board.lines])
    print_detail(f"{METHOD} (docs/statistics.md)")
    for line in lines:
        control = f"{line.control.mean:+.{digits}f} {_interval_text(line.control, digits)}"
        if not line.disqualified:
            print_detail(f"{line.spec} against itself, as a control: {control} {board.game.unit}")
        if line.faults or line.milliseconds is not None:
            time = "" if line.milliseconds is None else f", {line.milliseconds:.3g} ms per decision"
            print(f"{line.spec}: {line.faults} faults{'; disqualified' if line.disqualified else ''}{time}")
        for forfeit in line.forfeits:
            print(f"{line.spec} forfeited against {forfeit}")
    for fault in board.faults[:MAX_FAULTS]:
        print(f"  {fault}")
    print(f"report: {path}; {seed_text(board.seed)}, digest {board.digest}")


def _plus_minus(estimate: "Estimate", digits: int) -> str:
    return f"{estimate.mean:+.{digits}f} ± {estimate.ci95:.{digits}f}"


def print_cycles(cycles: "Intransitivity", specs: Sequence[str]) -> None:
    """Print a cycle of three players or more if there is one; otherwise, with --verbose, that there is none."""
    from cardwin.stats.intransitivity import cycle_counts, cycle_sentence

    if len(specs) > 2:
        show = print if cycles.example else print_detail
        show(f"{cycle_counts(cycles)}; {cycle_sentence(cycles, specs)}")


def print_fairness(answer: dict[str, Any]) -> None:
    """Print a warning if an untrusted player could have known the cards."""
    if not answer["fair"]:
        print("not fair: an untrusted player could have known the cards (see cardwin match --help)")


def print_faults(players: Sequence[dict[str, Any]], faults: Sequence[str], late: int) -> None:
    """Print each player's faults, the first of all as text, and the number of hands with a late answer."""
    for player in players:
        if player["faults"]:
            end = "; disqualified" if player["disqualified"] else ""
            end = f"; forfeited: {player['forfeit']}" if player.get("forfeit") else end
            print(f"{player['spec']}: {player['faults']} faults, each counted as a check or fold{end}")
    for fault in faults[:MAX_FAULTS]:
        print(f"  {fault}")
    if late:
        print(f"  {late:,} hands with a timeout are excluded from the digest")


def _print_tests(tests: Sequence[dict[str, Any]], unit: str, names: Sequence[str]) -> None:
    """Print the pairs that differ significantly, and the number of the others."""
    for test in tests:
        if test["significant"]:
            first, second = names[test["first"] - 1], names[test["second"] - 1]
            low, high = test["interval"]
            print(
                f"  {first} - {second}: {test['difference']:+.4g} ({low:.4g} to {high:.4g}) {unit}, "
                f"{p_text(test['p_corrected'])}, corrected for {len(tests)} pairs"
            )
            print_detail(f"    {test['test']}")
    undecided = sum(not test["significant"] for test in tests)
    if undecided:
        print(f"  {undecided} of {len(tests)} pairs show no significant difference at 5%")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _interval_text(estimate: "Estimate", digits: int = 1) -> str:
    """Return both ends of an interval as text."""
    if estimate.method == "dependent":
        return "(no interval)"
    return "exactly" if estimate.method == "exact" else f"({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"


def _has_interval(estimate: "Estimate") -> bool:
    return estimate.method not in ("dependent", "exact")


def p_text(p: float) -> str:
    """Return a p-value as text; one that underflows is shown as a bound."""
    return f"p < {MIN_P:g}" if p < MIN_P else f"p {p:.2g}"


def width_of(names: Sequence[str]) -> int:
    """Return the width of a column of names."""
    return min(max([22, *map(len, names)]), MAX_WIDTH) + 2


def fitted(name: str, width: int) -> str:
    """Return the name, shortened in the middle if it is wider than its column."""
    room = width - 2
    return name if len(name) <= room else f"{name[: room // 2 - 1]}…{name[len(name) - (room - room // 2) :]}"


def batched(indices: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Return the indices in batches of `size`."""
    return (indices[first : first + size] for first in range(0, len(indices), size))
