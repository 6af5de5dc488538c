"""Tables for the terminal: policies of small games, and networks."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cardwin.cli.output import column_table, console, print_detail, print_json

if TYPE_CHECKING:
    from cardwin.games.base import Action
    from cardwin.solvers.policy import Policy
    from cardwin.solvers.tree import Tree


MAX_CARDS = 6  # columns of cards
SHADES = ("bright_black", "cyan", "green", "yellow", "bright_red")


def number(value: Fraction | float) -> str:
    """Return a probability as a short fraction, or with three digits."""
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
    (r"B(\d+)", "if betting more than the minimum, {}"),
    (r"NF(\d*)", "does not fold to a bet{}"),
    (r"R(\d*)", "if not folding to a bet{}, raises it"),
    (r"C(\d*)", "calls a bet{}"),
)


def genes_meaning(names: Sequence[str]) -> str:
    """Return a line that explains each row of genes."""
    rows = list(dict.fromkeys(name.split("_")[0] for name in names))
    raises = any(row.startswith("R") for row in rows)
    meanings = []
    for row in rows:
        for pattern, text in MEANINGS:
            if match := re.fullmatch(pattern, row):
                amount = "".join(match.groups())
                described = text.format(amount if pattern.startswith("B") else amount and f" of {amount}")
                if raises and row[0] == "C":
                    described = described.replace("a bet", "the raise of a bet")
                meanings.append(f"{row} {described}")
                break
    return "genes are probabilities: " + "; ".join(meanings) if meanings else ""


def gene_table(names: Sequence[str], columns: Mapping[str, Sequence[Fraction | float | str]], title: str) -> Table:
    """Return a table of genes (rows) by cards (columns), as in the dissertation; one block per entry of `columns`.

    Games with many cards have a row per card, and the genes in columns.
    """
    genes, cards = (list(dict.fromkeys(name.split("_")[part] for name in names)) for part in (0, 1))
    by_card = len(cards) > MAX_CARDS
    rows, heads = (cards, genes) if by_card else (genes, cards)
    table = column_table(title, {"card" if by_card else "gene": "left"})
    for label in columns:
        for head in heads:
            table.add_column(f"{label}\n{head}" if head == heads[0] else f"\n{head}", justify="right")
    blocks = [dict(zip(names, values, strict=True)) for values in columns.values()]
    for row in rows:
        keys = [f"{head}_{row}" if by_card else f"{row}_{head}" for head in heads]
        values = [block.get(key, "") for block in blocks for key in keys]
        table.add_row(row, *(value if isinstance(value, str) else _shaded(value) for value in values))
    return table


def behaviour_table(policy: "Policy", seat: int, title: str, max_rows: int | None = None) -> Table:
    """Return a table with a row per information set, at most `max_rows`: the probability of each action."""
    from cardwin.solvers.policy import sort_by_card

    seqs, behaviour = policy.tree.sequences[seat], policy.exact(seat)
    table = column_table(title, {"knowing": "left", "does": "left"})
    rows = list(zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True))
    for text, actions, (_, first, count) in sort_by_card(policy.tree.game, rows, max_rows or len(rows))[:max_rows]:
        table.add_row(text, _choices(actions, behaviour[first : first + count]))
    return table


def _choices(actions: "tuple[Action, ...]", chances: Sequence[Fraction]) -> Text:
    parts = [
        Text.assemble(f"{action} ", _shaded(chance)) for action, chance in zip(actions, chances, strict=True) if chance
    ]
    return Text(", ").join(parts)


def policy_tables(policy: "Policy", max_rows: int | None = None) -> list[Table]:
    """Return one table for games with named genes, otherwise one per seat with at most `max_rows` rows."""
    game = policy.tree.game
    if game.gene_order:
        columns = {f"seat {seat + 1}": policy.genes(seat) for seat in policy.seats}
        return [gene_table(game.gene_order, columns, f"{policy.name} in {game.name}: probability of each gene")]
    title = f"{policy.name} in {game.name}, seat"
    return [behaviour_table(policy, seat, f"{title} {seat + 1}", max_rows) for seat in policy.seats]


def response_table(tree: "Tree", seat: int, genes: Sequence[Fraction], forced: Sequence[str], title: str) -> Table:
    """Return the table of a best response with its marks (see MARKS)."""
    seqs = tree.sequences[seat]
    if tree.game.gene_order:
        return gene_table(seqs.gene_names, {"plays": genes, "forced": forced}, title)
    table = column_table(title, dict.fromkeys(("gene", "plays", "forced"), "left"))
    for name, gene, mark in zip(seqs.gene_names, genes, forced, strict=True):
        table.add_row(name, _shaded(gene), mark)
    return table


def print_network(spec: str, as_json: bool) -> None:
    """Print a network: its layers as JSON, or its shape, its style and its lineage as text."""
    from cardwin.players.champions import COMMANDS
    from cardwin.players.network.files import as_json as network_json
    from cardwin.players.network.player import NetworkPlayer
    from cardwin.players.network.preflop import SITUATIONS, likely_hands
    from cardwin.players.registry import player

    network = player(spec)
    if not isinstance(network, NetworkPlayer):
        raise TypeError(f"expected a network, got {spec}")
    if as_json:
        print_json(network_json(network))
        return
    out, shape = console(), network.form.shape
    layers = f"{shape.inputs} inputs, {shape.hidden} hidden neurons, {shape.outputs} outputs"
    out.print(f"{spec}: {layers}, {shape.activation}; before the flop at nine seats:")
    for situation in SITUATIONS:
        out.print(f"  {situation.title}: {likely_hands(network.form, situation)}")
    if (champion := COMMANDS.get(spec.removeprefix("net:"))) is not None:
        out.print(f"  made by: {champion['command']}")
    for name, text in network.lineage.items():
        if "\n" not in text:
            print_detail(f"  {name.replace('_', ' ')}: {text}")


MAIN_SHARE = 0.5  # a class of hands is listed with an action that it takes more often


def print_blueprint(spec: str, as_json: bool) -> None:
    """Print a blueprint: its sizes, and its probabilities before the flop by betting line and class of hands."""
    import numpy as np

    from cardwin.cards.holdings import CLASS_SIZES
    from cardwin.players.cfr.player import CfrPlayer
    from cardwin.players.registry import player

    blueprint = player(spec)
    if not isinstance(blueprint, CfrPlayer):
        raise TypeError(f"expected a blueprint, got {spec}")
    strategy = blueprint.blueprint
    counts = strategy.buckets.counts()
    sets = int(sum(counts[street] for street in strategy.tree.street))
    preflop = blueprint.preflop()
    if as_json:
        about = {"information_sets": sets, "about": dict(strategy.about), "preflop": preflop}
        print_json({"game": strategy.game, "buckets": list(counts), **about})
        return
    out = console()
    out.print(f"{spec}: {strategy.game}, {' + '.join(map(str, counts))} buckets, {sets:,} information sets")
    out.print(f"  made by: {strategy.command}")
    for line, classes in preflop.items():
        out.print(f"  {line or 'first to act'}:")
        for action in next(iter(classes.values())):
            hands = [name for name, chances in classes.items() if chances[action] > MAIN_SHARE]
            share = np.average([chances[action] for chances in classes.values()], weights=CLASS_SIZES)
            out.print(f"    {action} {share:.0%}: {' '.join(hands) or 'no class of hands in most cases'}")
