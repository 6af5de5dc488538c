"""Other people's programs at small games, beside policies: what `match` and `leaderboard` do there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwin.cli.arena_tables import print_faults
from cardwin.cli.output import console, print_json
from cardwin.cli.progress import progress_bar
from cardwin.core.display import seed_text

if TYPE_CHECKING:
    from cardwin.players.specs import Untrusted
    from cardwin.results.program_table import ProgramTable


def has_programs(specs: Sequence[str]) -> bool:
    """Whether any of these players is a program that is not part of this package."""
    from cardwin.players.specs import expand_specs, is_untrusted

    return any(map(is_untrusted, expand_specs(specs)))


@dataclass(frozen=True)
class Meeting:
    """Players of a small game who meet in pairs, and how."""

    game: str
    specs: Sequence[str]
    hands: int
    seed: int | None
    duplicate: bool
    untrusted: "Untrusted"


def meet_programs(meeting: Meeting, as_json: bool, skipped: Sequence[str] = ()) -> None:
    """Play every pair in which a program sits, and print the cross table."""
    import cardwin
    from cardwin.cli.small_games import champion_of
    from cardwin.core.kernel import clock
    from cardwin.players.adapters.small import check_small
    from cardwin.players.specs import expand_specs, is_untrusted
    from cardwin.results.program_table import program_table
    from cardwin.runs.commitments import fairness, sandbox_for

    names = [spec if is_untrusted(spec) else champion_of(spec) for spec in expand_specs(meeting.specs)]
    rules, start = cardwin.game(meeting.game), clock()
    for spec in filter(is_untrusted, names):
        check_small(spec, rules)
    walls = sandbox_for(names, meeting.untrusted)
    programs = sum(map(is_untrusted, names))
    pairs = programs * (2 * len(names) - programs - 1) // 2
    with progress_bar(pairs * meeting.hands, "hands") as progress:
        found = program_table(
            rules,
            names,
            meeting.hands,
            meeting.seed,
            duplicate=meeting.duplicate,
            limit=meeting.untrusted.limit,
            allow_weak=meeting.untrusted.allow_weak_sandbox,
            progress=progress,
        )
    answer = found.answer() | fairness(names, meeting.seed, walls) | ({"skipped": list(skipped)} if skipped else {})
    answer["seconds"] = round(clock() - start, 3)
    print_json(answer) if as_json else _print(found, answer)


def _print(found: "ProgramTable", answer: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(title=f"chips per hand in {found.game}", title_justify="left", title_style="bold")
    others = found.order if len(found.specs) > 2 else []
    heads = "player", "mean", "95%", "faults", "ms", *(found.specs[place] for place in others)
    for head in heads:
        table.add_column(head, justify="left" if head == "player" else "right", overflow="fold")
    for place in found.order:
        one, score = answer["players"][place], found.scores[place]
        cells = ["·" if (pair := found.won[place][other]) is None else f"{pair.mean:+.3f}" for other in others]
        between = f"{score.low:+.4f} to {score.high:+.4f}" if score.ci95 else "exact"
        took = f"{one['milliseconds']:.1f}" if "milliseconds" in one else ""
        table.add_row(one["spec"], f"{score.mean:+.4f}", between, str(one["faults"]), took, *cells)
    console().print(table)
    print_faults(answer["players"], answer["faults"], len(found.report.late))
    each = ", every deal in both seatings" if answer["per_deal"] > 1 else ""
    print(f"{found.hands} hands a pair{each}, {seed_text(found.seed)}; {answer['method']}; digest {answer['digest']}")
    if not answer["fair"]:
        print("not fair: an untrusted player could have known the cards (see cardwin match --help)")
