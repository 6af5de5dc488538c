"""Policies of small games against each other, for the terminal."""

from collections.abc import Sequence

from cardwin.cli.output import console, note, print_json
from cardwin.cli.small_games import champion_of


def meet_exactly(game: str, specs: Sequence[str], as_json: bool) -> None:
    """A match or a leaderboard between policies of a small game: the cross table, exactly."""
    from rich.table import Table

    from cardwin.lab.exact_table import exact_table
    from cardwin.players.registry import expand_specs

    found = exact_table(game, [champion_of(spec) for spec in expand_specs(specs)])
    if as_json:
        print_json(found.answer())
        return
    note("small games are weighed exactly, both seats alike: no hands are dealt")
    table = Table(title=f"chips a hand in {found.game}, exactly", title_justify="left", title_style="bold")
    for head in ("policy", "mean", *(found.specs[place] for place in found.order)):
        table.add_column(head, justify="left" if head == "policy" else "right")
    for place in found.order:
        cells = ("·" if place == other else f"{float(found.won[place][other]):+.4f}" for other in found.order)
        table.add_row(found.specs[place], f"{float(found.scores[place]):+.4f}", *cells)
    console().print(table)
