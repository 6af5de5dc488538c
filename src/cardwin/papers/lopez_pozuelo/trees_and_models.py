"""The games and the opponent models before evolution: betting trees (4.1, 4.2, 4.4) and the graph of models (5.2)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.arena.sampled_games import mean_of_draws, outcomes_of
from cardwin.core.arrays import Floats
from cardwin.core.report_parts import Cell
from cardwin.games import game as game_of
from cardwin.games.base import NOBODY
from cardwin.games.small.kuhn import Kuhn, KuhnState
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.evolved_responses import plan_of
from cardwin.papers.sample import Sample, sample, spread
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes, html
from cardwin.solvers import equilibria, exact, plans
from cardwin.solvers.tree import Tree, tree_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TREES = {"Figure 4.1": "kuhn", "Figure 4.2": "kuhn-breadth", "Figure 4.4": "kuhn-depth", "Section 4.3.4": "kuhn-full"}
GENES = ("kuhn", "kuhn-13", "kuhn-breadth", "kuhn-depth", "kuhn-full")
MODELS = ("shy", "safe", "rational", "bluffer")
SEATS = ("#1d4f91", "#b42318")


def trees(context: Context) -> Iterator[Sample]:
    """Draw the betting trees, count their genes, and compute how much the deal adds to the noise of a game."""
    for section, name in TREES.items():
        _draw(context, section, game_of(name))
    count = {name: tree_of(game_of(name)).sequences[0].genes for name in (*GENES, "kuhn:cards=4")}
    for name in GENES:
        yield sample(f"genes of {name}", exact=count[name])
    yield sample("extra genes a card", exact=count["kuhn:cards=4"] - count["kuhn"])
    tree = tree_of(game_of("kuhn"))
    all_noise, within = noise(tree, "rational")
    name = "fair play gives every card as often, the most by which a share differs"
    yield sample(name, exact=largest_share_error(tree), noise=all_noise, within_deals=within)


def largest_share_error(tree: Tree) -> float:
    """Return the largest difference of a card's share of the six deals from a third, in either seat."""
    deals = list(permutations(chromosomes.layout(tree.sequences[0].gene_names).columns, 2))
    counts = [Counter(deal[seat] for deal in deals) for seat in (0, 1)]
    return max(abs(count / len(deals) - 1 / 3) for seat_counts in counts for count in seat_counts.values())


def noise(tree: Tree, model: str) -> tuple[float, float]:
    """Return the standard deviation of a game between a model and the best response to it.

    Args:
        tree: The game.
        model: The model, in the second seat.

    Returns:
        The standard deviation in chips, and that given the deal.

    """
    opponent = policy(tree.game, model)
    plan = plan_of(tree, 0, [float(gene) for gene in equilibria.best_response(opponent, 0).genes])
    pairs, chips = tree.terminals.sequences, np.array(tree.terminals.chips, dtype=np.float64)
    odds = np.array([float(chance) for chance in tree.terminals.chances]) * plan[pairs[:, 0]]
    odds = odds * opponent.plan(1)[pairs[:, 1]]
    cards = [tuple(_card(tree, seat, sequence) for seat, sequence in enumerate(pair)) for pair in pairs.tolist()]
    deals = np.array([sorted(set(cards)).index(deal) for deal in cards])
    squares = np.bincount(deals, odds * chips) ** 2 / np.bincount(deals, odds)
    mean, square = float(odds @ chips), float(odds @ chips**2)
    return (square - mean**2) ** 0.5, float(square - squares.sum()) ** 0.5


def _card(tree: Tree, seat: int, sequence: int) -> str:
    """Return the card that a seat's sequence was played with."""
    rows = zip(tree.sequences[seat].infosets, tree.sequences[seat].layout.tolist(), strict=True)
    return next((text.split(" ")[0] for text, (_, first, count) in rows if first <= sequence < first + count), "")


@dataclass
class Branch:
    """A public state in the picture: its coordinates, and its labelled children."""

    state: KuhnState
    depth: int
    height: float
    children: "list[tuple[str, Branch]]"


def _draw(context: Context, section: str, game: object) -> None:
    assert isinstance(game, Kuhn)  # noqa: S101
    leaves: list[Branch] = []
    root = _branch(KuhnState(game, game.cards[:2]), 0, leaves)
    figure = html.figure(10, max(2.6, 0.36 * len(leaves)))
    axes = figure.subplots()
    axes.axis("off")
    edges: list[tuple[str, str, str]] = []
    _paint(axes, root, edges)
    axes.set_xlim(-0.15, 0.25 + max(leaf.depth for leaf in leaves))
    caption = (
        f"{section}, {game.name}: the betting tree with the genes that choose (blue: player 1, red: player 2). "
        "Each gene stands for one of every card that its player may hold. At the ends, what the winner wins."
    )
    curves = dict(zip(("from", "choice", "genes"), zip(*edges, strict=True), strict=True))
    context.picture(f"tree-{game.name}", figure, caption, curves)


def _branch(state: KuhnState, depth: int, leaves: list[Branch]) -> Branch:
    branch = Branch(state, depth, 0.0, [])
    if state.actor == NOBODY:
        branch.height = -len(leaves)
        leaves.append(branch)
        return branch
    rows = [name.rpartition("_")[0] for name in state.gene_names()]
    for number, action in enumerate(state.legal_actions()):
        taken = list(rows[:number])
        left = [f"(1−{rows[number]})"] if number < len(rows) else []
        label = f"{action}   {'·'.join(taken + left)}"
        branch.children.append((label, _branch(state.apply(action), depth + 1, leaves)))
    branch.height = float(np.mean([child.height for _, child in branch.children]))
    return branch


def _paint(axes: "Axes", branch: Branch, edges: list[tuple[str, str, str]]) -> None:
    x, y = branch.depth, branch.height
    if not branch.children:
        axes.text(x + 0.02, y, f"±{abs(branch.state.returns()[0])}", va="center", fontsize=8)
        return
    colour = SEATS[branch.state.actor]
    axes.plot(x, y, "o", color=colour, ms=7, zorder=3)
    for label, child in branch.children:
        axes.plot([x, x + 0.12, child.depth], [y, child.height, child.height], color=colour, lw=0.9)
        axes.text(x + 0.15, child.height + 0.06, label, fontsize=7.5, color=colour, va="bottom")
        action, _, genes = label.partition("   ")
        edges.append((", ".join(map(str, branch.state.moves)) or "start", action, genes))
        _paint(axes, child, edges)


def models(context: Context) -> Iterator[Sample]:
    """Compute which model beats which, exactly, and how often 1,000 games in each seat show the wrong sign."""
    tree = tree_of(game_of("kuhn"))
    repeats = context.pick(200, 2000, 20_000, 20_000)
    weights = {pair: mean_value(tree, *pair) for pair in combinations(MODELS, 2)}
    _graph(context, weights)
    rows: list[list[Cell]] = []
    for (first, second), weight in weights.items():
        played = _played(tree, first, second, repeats, context.key("models", first, second))
        wrong = float((played * float(weight) <= 0).mean()) if weight else None
        rows.append([f"{first} against {second}", str(weight), float(weight), wrong])
        if "shy" not in (first, second):  # Shy is in no claim
            wins = (first, second) != ("safe", "bluffer")
            yield sample(
                f"{first} against {second}",
                spread(played),
                exact=float(weight),
                weight=weight,
                winner=first.title(),
                judged=float(weight) * (1 if wins else -1),
                wrong=wrong or 0,
            )
    header = ["pair", "exact, mean of both seats", "chips per game", "wrong sign in 2,000 games"]
    context.table("The graph of models", header, rows)
    beaten = {(a, b) if weight > 0 else (b, a) for (a, b), weight in weights.items() if weight}
    cycle = any((b, c) in beaten and (c, a) in beaten for a, b in beaten for c in MODELS)
    yield sample("the four models' order", exact="intransitive" if cycle else "transitive")


def mean_value(tree: Tree, first: str, second: str) -> Fraction:
    """Return the exact chips per game of the first model against the second, on average over the two seats."""
    player, opponent = policy(tree.game, first), policy(tree.game, second)
    in_first_seat = exact.value(tree, player.exact(0), opponent.exact(1))
    return (in_first_seat - exact.value(tree, opponent.exact(0), player.exact(1))) / 2


def _played(tree: Tree, first: str, second: str, repeats: int, key: int) -> Floats:
    """Return the first model's mean over 1,000 games in each seat, (repeats,)."""
    total = np.zeros(repeats)
    for seat in (0, 1):
        player, opponent = policy(tree.game, first).behaviour(seat), policy(tree.game, second).behaviour(1 - seat)
        total += sample_matches(tree, seat, player, opponent, repeats, 1000, key + seat)
    return total / 2


def sample_matches(
    tree: Tree, seat: int, player: Floats, opponent: Floats, repeats: int, games: int, key: int
) -> Floats:
    """Sample matches between two behaviours.

    Args:
        tree: The game.
        seat: The seat of the player.
        player: The player's behaviour, (sequences,).
        opponent: The opponent's behaviour, (sequences,).
        repeats: The number of matches.
        games: The number of games per match.
        key: The random key.

    Returns:
        The player's mean chips per game in each match, (repeats,).

    """
    plan, opponent_plan = (
        plans.plans(tree.sequences[s], behaviour[None])[0] for s, behaviour in ((seat, player), (1 - seat, opponent))
    )
    return mean_of_draws(outcomes_of(tree), seat, np.repeat(plan[None], repeats, axis=0), opponent_plan, games, key)


def _graph(context: Context, weights: dict[tuple[str, str], Fraction]) -> None:
    figure = html.figure(5.2, 4.2)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set(xlim=(-1.45, 1.45), ylim=(-1.25, 1.25))
    spots = {name: (cos(pi * (0.75 - k / 2)), sin(pi * (0.75 - k / 2))) for k, name in enumerate(MODELS)}
    for name, (x, y) in spots.items():
        axes.text(x, y, name.title(), ha="center", va="center", bbox={"boxstyle": "round,pad=.5", "fc": "#e8eef8"})
    for (first, second), weight in weights.items():
        winner, loser = (first, second) if weight >= 0 else (second, first)
        style = "->" if weight else "-"
        arrow = {"arrowstyle": style, "shrinkA": 26, "shrinkB": 26, "color": "#1d4f91" if weight else "#98a2b3"}
        axes.annotate("", spots[loser], spots[winner], arrowprops=arrow)
        x, y = (0.62 * start + 0.38 * end for start, end in zip(spots[winner], spots[loser], strict=True))
        label = f"{abs(weight)}" if weight else "even"
        axes.text(x, y, label, fontsize=8, ha="center", bbox={"fc": "white", "ec": "none", "pad": 1})
    caption = "Figure 5.2, exactly: an arrow runs from winner to loser, with chips per game on average over both seats."
    winners, losers = zip(*weights, strict=True)
    pairs: dict[str, Iterable[Any]] = {"winner": winners, "loser": losers, "chips": map(float, weights.values())}
    context.picture("models", figure, caption, pairs)
