"""Matches and leaderboards in small games: exact values of policies, and play if other people's programs sit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwin.cli.arena_tables import DISQUALIFIED, print_cycles, print_fairness, print_faults
from cardwin.cli.output import column_table, console, note, print_detail, print_json, progress_bar
from cardwin.core.display import seed_text

if TYPE_CHECKING:
    from cardwin.players.specs import Untrusted


SMALL_MARGIN = 0.1  # chips per hand


@dataclass(frozen=True)
class SmallMatch:
    """Players of a small game who meet in pairs, and the settings of their play."""

    game: str
    specs: Sequence[str]
    hands: int
    seed: int | None
    duplicate: bool
    untrusted: "Untrusted"


def has_programs(specs: Sequence[str]) -> bool:
    """Return whether any of these players is a program that is not part of this package."""
    from cardwin.players.specs import expand_specs, is_untrusted

    return any(map(is_untrusted, expand_specs(specs)))


def print_exact_values(game: str, specs: Sequence[str], as_json: bool) -> None:
    """Print the exact cross table of policies of a small game, in place of a match or a leaderboard."""
    from cardwin.cli.small_games import champion_of
    from cardwin.players.specs import expand_specs
    from cardwin.results.small_leaderboard import exact_table

    result = exact_table(game, [champion_of(spec) for spec in expand_specs(specs)])
    if as_json:
        print_json(result.answer())
        return
    note("small games are evaluated exactly, as the mean of both seats: no hands are dealt")
    heads = {"policy": "left", "mean": "right"} | {result.specs[player]: "right" for player in result.order}
    table = column_table(f"chips per hand in {result.game}, exact", heads)
    for player in result.order:
        cells = ("·" if player == other else f"{float(result.won[player][other]):+.4f}" for other in result.order)
        table.add_row(result.specs[player], f"{float(result.scores[player]):+.4f}", *cells)
    console().print(table)
    print_cycles(result.cycles, result.specs)


def print_small_plan(plan: dict[str, Any]) -> None:
    """Print how many hands narrow the interval of every pair to a half-width."""
    for pair in plan["pairs"]:
        print(f"{' and '.join(pair['specs'])}: {pair['hands']:,} hands give intervals of ±{plan['margin']:g} or less")
    pilot = f"a pilot of {plan['pilot_hands']:,} hands per pair, {seed_text(plan['seed'])}"
    print(f"each with a probability of 90%, estimated from {pilot} ({plan['statistics']}#planning)")


def play_programs(small: SmallMatch, as_json: bool, skipped: Sequence[str] = (), margin: float | None = None) -> None:
    """Play every pair in which a program sits, and print the cross table; with a margin, the plan of every pair."""
    import cardwin
    from cardwin.cli.small_games import champion_of
    from cardwin.core.kernel import clock
    from cardwin.players.registry import check_small
    from cardwin.players.specs import expand_specs, is_untrusted
    from cardwin.results.small_leaderboard import program_table
    from cardwin.runs.commitments import fairness, sandbox_for

    names = [spec if is_untrusted(spec) else champion_of(spec) for spec in expand_specs(small.specs)]
    rules, start = cardwin.game(small.game), clock()
    for spec in filter(is_untrusted, names):
        check_small(spec, rules)
    sandbox = sandbox_for(names, small.untrusted)
    programs = sum(map(is_untrusted, names))
    pairs = programs * (2 * len(names) - programs - 1) // 2
    with progress_bar(pairs * small.hands, "hands") as progress:
        result = program_table(
            rules,
            names,
            small.hands,
            small.seed,
            small.duplicate,
            small.untrusted,
            progress,
        )
    if margin is not None:
        plan = result.plan(margin)
        print_json(plan) if as_json else print_small_plan(plan)
        return
    answer = result.answer() | fairness(names, small.seed, sandbox) | ({"skipped": list(skipped)} if skipped else {})
    answer["seconds"] = round(clock() - start, 3)
    if as_json:
        print_json(answer)
        return
    out = [player["disqualified"] for player in answer["players"]]
    order = sorted(result.order, key=out.__getitem__)
    others = order if len(result.specs) > 2 else []
    heads = {"player": "left"} | dict.fromkeys(("mean", "95%", "faults", "ms"), "right")
    table = column_table(
        f"chips per hand in {result.game}", heads | {result.specs[player]: "right" for player in others}
    )
    for player in order:
        row, score = answer["players"][player], result.scores[player]
        cells = [
            "·" if (pair := result.won[player][other]) is None or out[player] or out[other] else f"{pair.mean:+.3f}"
            for other in others
        ]
        interval = f"{score.low:+.4f} to {score.high:+.4f}" if score.ci95 else "exact"
        mean, interval = (DISQUALIFIED, "") if out[player] else (f"{score.mean:+.4f}", interval)
        milliseconds = f"{row['milliseconds']:.1f}" if "milliseconds" in row else ""
        table.add_row(row["spec"], mean, interval, str(row["faults"]), milliseconds, *cells)
    console().print(table)
    print_faults(answer["players"], answer["faults"], len(result.report.late))
    print_detail(answer["method"])
    each = ", every deal in both seatings" if answer["per_deal"] > 1 else ""
    print(f"{result.hands} hands per pair{each}, {seed_text(result.seed)}, digest {answer['digest']}")
    print_fairness(answer)
