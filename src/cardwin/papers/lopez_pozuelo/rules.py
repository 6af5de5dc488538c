"""The games and the models before evolution: betting trees (4.1, 4.2, 4.4) and the graph of models (5.2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.arena.small.outcome_sampling import mean_of_draws, outcomes_of
from cardwin.core.report_parts import Cell
from cardwin.games import game as game_of
from cardwin.games.base import NOBODY
from cardwin.games.small.kuhn import Kuhn, KuhnState
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.trials import spread
from cardwin.players.small_games.policies import policy
from cardwin.reports import html
from cardwin.solvers import exact, plans
from cardwin.solvers.tree import Floats, Tree, tree_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TREES = {
    "Figure 4.1": "kuhn",
    "Figure 4.2": "kuhn-breadth",
    "Figure 4.4": "kuhn-depth",
    "Section 4.3.4": "kuhn-full",
}
LENGTHS = {
    "kuhn": ("4.3.1", 6),
    "kuhn-13": ("4.3.1", 26),
    "kuhn-breadth": ("4.3.2", 18),
    "kuhn-depth": ("4.3.3", 12),
    "kuhn-full": ("4.3.4", 36),
}
NAMES = ("shy", "safe", "rational", "bluffer")
SEATS = ("#1d4f91", "#b42318")
# Who wins, in the text beside figure 5.2. Shy is in no claim.
CLAIMS = {
    ("safe", "rational"): "Safe wins",
    ("rational", "bluffer"): "Rational wins",
    ("safe", "bluffer"): "Safe does not win",
}


def trees(context: Context) -> Iterator[Finding]:
    """Draw the betting trees with their genes, and count the genes."""
    for place, name in TREES.items():
        _draw(context, place, game_of(name))
    for name, (place, printed) in LENGTHS.items():
        ours = tree_of(game_of(name)).sequences[0].genes
        yield Finding(
            place,
            f"genes of {name}",
            published=printed,
            exact=ours,
            verdict=verdicts.judge(verdicts.calculated(ours), printed),
            reason="counted in the game's own tree",
        )
    extra = tree_of(game_of("kuhn:cards=4")).sequences[0].genes - tree_of(game_of("kuhn")).sequences[0].genes
    reason = "a card adds a bet gene and a call gene; the document's own 26 genes for 13 cards say the same"
    yield Finding(
        "4.3.1",
        "extra genes a card",
        published=3,
        exact=extra,
        verdict=verdicts.judge(verdicts.calculated(extra), 3),
        reason=reason,
    )


@dataclass
class Branch:
    """A public position on the page: its coordinates, its result at an end, and its labelled branches."""

    state: KuhnState
    depth: int
    height: float
    ways: "list[tuple[str, Branch]]"


def _draw(context: Context, place: str, game: object) -> None:
    if not isinstance(game, Kuhn):
        raise TypeError(f"{game!r} has no betting tree of this kind")
    leaves: list[Branch] = []
    root = _branch(KuhnState(game, game.cards[:2]), 0, leaves)
    figure = html.figure(10, max(2.6, 0.36 * len(leaves)))
    axes = figure.subplots()
    axes.axis("off")
    edges: list[tuple[str, str, str]] = []
    _paint(axes, root, edges)
    axes.set_xlim(-0.15, 0.25 + max(leaf.depth for leaf in leaves))
    caption = (
        f"{place}, {game.name}: the betting tree with the genes that choose (blue: player 1, red: player 2). "
        "Each gene stands for one of every card that its player may hold. At the ends, what the winner wins."
    )
    curves = dict(zip(("from", "choice", "genes"), zip(*edges, strict=True), strict=True))
    context.picture(f"tree-{game.name}", figure, caption, curves)


def _branch(state: KuhnState, depth: int, leaves: list[Branch]) -> Branch:
    here = Branch(state, depth, 0.0, [])
    if state.actor == NOBODY:
        here.height = -len(leaves)
        leaves.append(here)
        return here
    rows = [name.rpartition("_")[0] for name in state.gene_names()]
    for number, action in enumerate(state.legal_actions()):
        taken = list(rows[:number])
        left = [f"(1−{rows[number]})"] if number < len(rows) else []
        label = f"{action}   {'·'.join(taken + left)}"
        here.ways.append((label, _branch(state.apply(action), depth + 1, leaves)))
    here.height = float(np.mean([below.height for _, below in here.ways]))
    return here


def _paint(axes: "Axes", branch: Branch, edges: list[tuple[str, str, str]]) -> None:
    x, y = branch.depth, branch.height
    if not branch.ways:
        axes.text(x + 0.02, y, f"±{abs(branch.state.returns()[0])}", va="center", fontsize=8)
        return
    colour = SEATS[branch.state.actor]
    axes.plot(x, y, "o", color=colour, ms=7, zorder=3)
    for label, below in branch.ways:
        axes.plot([x, x + 0.12, below.depth], [y, below.height, below.height], color=colour, lw=0.9)
        axes.text(x + 0.15, below.height + 0.06, label, fontsize=7.5, color=colour, va="bottom")
        action, _, genes = label.partition("   ")
        edges.append((", ".join(map(str, branch.state.moves)) or "start", action, genes))
        _paint(axes, below, edges)


def models(context: Context) -> Iterator[Finding]:
    """Which model beats which: exactly, and how often 1,000 games in each seat show the wrong sign."""
    tree = tree_of(game_of("kuhn"))
    repeats = context.pick(200, 2000, 20_000, 20_000)
    weights = {pair: mean_value(tree, *pair) for pair in combinations(NAMES, 2)}
    _graph(context, weights)
    rows: list[list[Cell]] = []
    for (first, second), weight in weights.items():
        played = _played(tree, first, second, repeats, context.key("models", first, second))
        wrong = float((played * float(weight) <= 0).mean()) if weight else None
        rows.append([f"{first} against {second}", str(weight), float(weight), wrong])
        if (first, second) not in CLAIMS:
            continue
        found, claim = spread(played), CLAIMS[first, second]
        yield Finding(
            "5.1.1",
            f"{first} against {second}",
            published=claim,
            measured=found.mean,
            ci95=found.ci95,
            over=f"{repeats:,} matches",
            exact=float(weight),
            verdict=verdicts.judge(verdicts.above(0.0), float(weight))
            if claim.endswith(" wins")
            else verdicts.judge(verdicts.at_least(0.0), -float(weight)),
            reason=f"{weight} a game for {first.title()}; 2,000 games have the wrong sign {wrong or 0:.1%} of the time",
        )
    header = ["pair", "exact, mean of both seats", "chips a game", "wrong sign in 2,000 games"]
    context.table("The graph of models", header, rows)
    beaten = {(a, b) if weight > 0 else (b, a) for (a, b), weight in weights.items() if weight}
    cycle = any((b, c) in beaten and (c, a) in beaten for a, b in beaten for c in NAMES)
    yield Finding(
        "5.1.1",
        "the four models' order",
        published="intransitive",
        exact="intransitive" if cycle else "transitive",
        verdict=verdicts.stated(cycle),
        reason="exactly, Shy = Safe > Rational > Bluffer: nobody in the figure is beaten by somebody whom he beats",
    )


def mean_value(tree: Tree, first: str, second: str) -> Fraction:
    """Chips a game of the first model, on average over the two seats."""
    mine, theirs = policy(tree.game, first), policy(tree.game, second)
    ahead = exact.value(tree, mine.exact(0), theirs.exact(1))
    return (ahead - exact.value(tree, theirs.exact(0), mine.exact(1))) / 2


def _played(tree: Tree, first: str, second: str, repeats: int, key: int) -> Floats:
    """The first model's mean over 1,000 games in each seat, (repeats,)."""
    total = np.zeros(repeats)
    for seat in (0, 1):
        own, other = (policy(tree.game, name).behaviour(s) for name, s in ((first, seat), (second, 1 - seat)))
        total += play_out(tree, seat, own, other, repeats, 1000, key + seat)
    return total / 2


def play_out(tree: Tree, seat: int, own: Floats, other: Floats, repeats: int, games: int, key: int) -> Floats:
    """Mean chips (repeats,) of matches of `games` games between two behaviours (sequences,)."""
    mine, theirs = (plans.plans(tree.sequences[s], b[None])[0] for s, b in ((seat, own), (1 - seat, other)))
    return mean_of_draws(outcomes_of(tree), seat, np.repeat(mine[None], repeats, axis=0), theirs, games, key)


def _graph(context: Context, weights: dict[tuple[str, str], Fraction]) -> None:
    figure = html.figure(5.2, 4.2)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set(xlim=(-1.45, 1.45), ylim=(-1.25, 1.25))
    spots = {name: (cos(pi * (0.75 - k / 2)), sin(pi * (0.75 - k / 2))) for k, name in enumerate(NAMES)}
    for name, (x, y) in spots.items():
        axes.text(x, y, name.title(), ha="center", va="center", bbox={"boxstyle": "round,pad=.5", "fc": "#e8eef8"})
    for (first, second), weight in weights.items():
        winner, loser = (first, second) if weight >= 0 else (second, first)
        style = "->" if weight else "-"
        arrow = {"arrowstyle": style, "shrinkA": 26, "shrinkB": 26, "color": "#1d4f91" if weight else "#98a2b3"}
        axes.annotate("", spots[loser], spots[winner], arrowprops=arrow)
        (x0, y0), (x1, y1) = spots[winner], spots[loser]
        label = f"{abs(weight)}" if weight else "even"
        at = (x0 * 0.62 + x1 * 0.38, y0 * 0.62 + y1 * 0.38)
        axes.text(*at, label, fontsize=8, ha="center", bbox={"fc": "white", "ec": "none", "pad": 1})
    caption = "Figure 5.2, exactly: an arrow runs from winner to loser, with chips a game on average over both seats."
    pairs: dict[str, Iterable[Any]] = {
        "winner": [first for first, _ in weights],
        "loser": [second for _, second in weights],
        "chips": [float(weight) for weight in weights.values()],
    }
    context.picture("models", figure, caption, pairs)
