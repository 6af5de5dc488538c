"""Tables for the terminal: policies of small games, and networks."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cardwin.cli.output import console, print_json

if TYPE_CHECKING:
    from cardwin.games.base import Action
    from cardwin.solvers.policy import Policy
    from cardwin.solvers.tree import Tree


MOST_CARDS = 6  # in a row
SHADES = ("bright_black", "cyan", "green", "yellow", "bright_red")


def number(value: Fraction | float) -> str:
    """A probability as a short fraction, or with three digits."""
    exact = Fraction(value)
    if exact.denominator <= 1000 and exact.denominator > 1:
        return str(exact)
    return str(exact.numerator) if exact.denominator == 1 else f"{float(exact):.3f}"


def _shaded(value: Fraction | float) -> Text:
    shade = SHADES[0] if value == 0 else SHADES[min(1 + int(float(value) * 3.999), 4)]
    return Text(number(value), style=shade)


MEANINGS = (
    (r"B", "bets"),
    (r"B>(\d+)", "if betting, more than {}"),
    (r"B(\d+)", "if betting more than the least, {}"),
    (r"NF(\d*)", "does not fold to a bet{}"),
    (r"R(\d*)", "if not folding to a bet{}, raises it"),
    (r"C(\d*)", "calls a bet{}"),
)


def genes_meaning(names: Sequence[str]) -> str:
    """One line that says which probability each row of genes is."""
    rows = list(dict.fromkeys(name.split("_")[0] for name in names))
    raises = any(row.startswith("R") for row in rows)
    said = []
    for row in rows:
        for pattern, text in MEANINGS:
            if found := re.fullmatch(pattern, row):
                amount = "".join(found.groups())
                described = text.format(amount if pattern.startswith("B") else amount and f" of {amount}")
                if raises and row[0] == "C":
                    described = described.replace("a bet", "the raise of a bet")
                said.append(f"{row} {described}")
                break
    return "genes are probabilities: " + "; ".join(said) if said else ""


def gene_table(names: Sequence[str], columns: Mapping[str, Sequence[Fraction | float | str]], title: str) -> Table:
    """A table of genes (rows) by cards (columns), as in the dissertation; one block per entry of `columns`."""
    cards = list(dict.fromkeys(name.split("_")[1] for name in names))
    rows = list(dict.fromkeys(name.split("_")[0] for name in names))
    if len(cards) > MOST_CARDS:
        return _card_table(cards, rows, names, columns, title)
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("gene")
    for label in columns:
        for card in cards:
            table.add_column(f"{label}\n{card}" if card == cards[0] else f"\n{card}", justify="right")
    for row in rows:
        cells = [
            value if isinstance(value, str) else _shaded(value)
            for values in columns.values()
            for name, value in zip(names, values, strict=True)
            if name.split("_")[0] == row
        ]
        table.add_row(row, *cells)
    return table


def _card_table(
    cards: Sequence[str],
    rows: Sequence[str],
    names: Sequence[str],
    columns: Mapping[str, Sequence[Fraction | float | str]],
    title: str,
) -> Table:
    """The same table with one row per card, for games with many cards."""
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("card")
    for label in columns:
        for row in rows:
            table.add_column(f"{label}\n{row}" if row == rows[0] else f"\n{row}", justify="right")
    for card in cards:
        values = [dict(zip(names, each, strict=True))[f"{row}_{card}"] for each in columns.values() for row in rows]
        table.add_row(card, *(value if isinstance(value, str) else _shaded(value) for value in values))
    return table


def behaviour_table(policy: "Policy", seat: int, title: str, most: int | None = None) -> Table:
    """One row per information set, at most `most`: the information set, and the probability of each action."""
    from cardwin.solvers.policy import sort_by_card

    seqs, behaviour = policy.tree.sequences[seat], policy.exact(seat)
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("knowing")
    table.add_column("does")
    rows = list(zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True))
    for text, actions, (_, first, count) in sort_by_card(policy.tree.game, rows, most or len(rows))[:most]:
        table.add_row(text, _choices(actions, behaviour[first : first + count]))
    return table


def _choices(actions: "tuple[Action, ...]", chances: Sequence[Fraction]) -> Text:
    parts = [
        Text.assemble(f"{action} ", _shaded(chance)) for action, chance in zip(actions, chances, strict=True) if chance
    ]
    return Text(", ").join(parts)


def policy_tables(policy: "Policy", most: int | None = None) -> list[Table]:
    """One table for games with named genes, otherwise one per seat with at most `most` rows."""
    game = policy.tree.game
    if game.gene_order:
        columns = {f"seat {seat + 1}": policy.genes(seat) for seat in policy.seats}
        return [gene_table(game.gene_order, columns, f"{policy.name} in {game.name}: probability of each gene")]
    return [
        behaviour_table(policy, seat, f"{policy.name} in {game.name}, seat {seat + 1}", most) for seat in policy.seats
    ]


def response_table(tree: "Tree", seat: int, genes: Sequence[Fraction], forced: Sequence[str], title: str) -> Table:
    """A best response with its marks (see MARKS)."""
    seqs = tree.sequences[seat]
    if tree.game.gene_order:
        return gene_table(seqs.gene_names, {"plays": genes, "forced": forced}, title)
    table = Table(title=title, title_justify="left", title_style="bold")
    for head in ("gene", "plays", "forced"):
        table.add_column(head)
    for name, gene, mark in zip(seqs.gene_names, genes, forced, strict=True):
        table.add_row(name, _shaded(gene), mark)
    return table


def show_network(spec: str, as_json: bool) -> None:
    """Print a network: its layers as JSON, or its shape, its style and its lineage as text."""
    from cardwin.players.champions import COMMANDS
    from cardwin.players.network.files import as_json as whole
    from cardwin.players.network.player import NetworkPlayer
    from cardwin.players.network.preflop import SITUATIONS, likely_hands
    from cardwin.players.registry import player

    network = player(spec)
    if not isinstance(network, NetworkPlayer):
        raise TypeError(f"{spec} is no network")
    if as_json:
        print_json(whole(network))
        return
    out, shape = console(), network.form.shape
    out.print(f"{spec}: {shape.inputs}-{shape.hidden}-{shape.outputs}, {shape.activation}")
    for situation in SITUATIONS:
        out.print(f"  {situation.title}: {likely_hands(network.form, situation)}")
    if (known := COMMANDS.get(spec.removeprefix("net:"))) is not None:
        out.print(f"  made by: {known['command']}")
    for name, text in network.lineage.items():
        if "\n" not in text:
            out.print(f"  {name.replace('_', ' ')}: {text}")


SHOWN = 0.5  # of a class's plays: actions taken that often are listed


def show_blueprint(spec: str, as_json: bool) -> None:
    """Print a blueprint: its sizes, and its probabilities before the flop by betting line and class of hands."""
    import numpy as np

    from cardwin.cards.holdings import CLASS_SIZES
    from cardwin.players.cfr.player import CfrPlayer
    from cardwin.players.registry import player

    blueprint = player(spec)
    if not isinstance(blueprint, CfrPlayer):
        raise TypeError(f"{spec} is no blueprint")
    whole = blueprint.blueprint
    counts = whole.buckets.counts()
    sets = int(sum(counts[street] for street in whole.tree.street))
    before = blueprint.preflop()
    if as_json:
        found = {"game": whole.game, "buckets": list(counts), "information_sets": sets, "about": dict(whole.about)}
        print_json({**found, "preflop": before})
        return
    out = console()
    out.print(f"{spec}: {whole.game}, {' + '.join(map(str, counts))} buckets, {sets:,} information sets")
    out.print(f"  made by: {whole.command}")
    for line, classes in before.items():
        names = next(iter(classes.values()))
        out.print(f"  {line or 'first to act'}:")
        for action in names:
            hands = [name for name, chances in classes.items() if chances[action] > SHOWN]
            share = np.average([chances[action] for chances in classes.values()], weights=CLASS_SIZES)
            out.print(f"    {action} {share:.0%}: {' '.join(hands) or 'no hand mostly'}")
