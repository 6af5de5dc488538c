"""Two populations against each other: co-evolution (5.1.2, Appendix E) and the mixed approach (5.1.3).

The document calls the populations' even curves an equilibrium. Here the exact yardstick stands beside them: what the
champion, the population's average and the average of all champions so far would lose to a perfect opponent.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.lab import chromosomes, html
from cardwin.lab.papers import AGREES, DIFFERS, INFLATED, Context, Finding
from cardwin.lab.papers.lopez_pozuelo.counter import GAMES, deviation
from cardwin.lab.papers.lopez_pozuelo.published import COEVOLVED_1, COEVOLVED_2, COEVOLVED_TABLES, MIXED_1, Player
from cardwin.lab.papers.lopez_pozuelo.rules import play_out
from cardwin.lab.papers.trials import preset_with, spread, trials
from cardwin.lab.problems.small_game import experiment_of, seats
from cardwin.lab.run_data import RunData
from cardwin.players.policies import policy
from cardwin.solvers import answers, exact, plans
from cardwin.solvers.tree import Floats, Tree, tree_of

CLOSE = 0.01  # printed averages that are right are right to this
SEATS = ("#1d4f91", "#b42318")
YARDSTICKS = {
    "best_exploitability": "champion",
    "average_exploitability": "population's average",
    "hall_exploitability": "all champions so far, averaged",
}


def late(numbers: Floats) -> Floats:
    """The last fifth of a series (generations, ...)."""
    return numbers[-max(1, len(numbers) // 5) :]


def runs_of(context: Context, preset: str) -> list[RunData]:
    """The runs of a co-evolution preset; at the scale of the paper with games played out, as it was done."""
    seeds = context.pick(1, 3, 20, 3)
    changes = {"generations": context.pick(250, 1000, 1000, 1000)}
    played = {"fitness": {"play": context.pick("exact", "exact", "exact", "sampled"), "games": GAMES}}
    return trials(
        [preset_with(preset, context.key(preset, n), changes | played) for n in range(seeds)], context.workers
    )


def coevolution(context: Context) -> Iterator[Finding]:
    """Figure 5.3, the printed champions, and how exploitable all of them are."""
    runs = runs_of(context, "lopez-coevolution")
    draw(context, "coevolution", runs[:1], "Figure 5.3: co-evolution of Kuhn poker, one run.")
    ours = spread([late(seats(run)[0].metrics["mean"]).mean() for run in runs])
    reason = "on average over the last fifth; but that is an average over circling populations, as the next line shows"
    verdict = AGREES if abs(ours.mean + 1 / 18) < 0.02 else DIFFERS
    yield Finding("5.1.2: population 1's average fitness", -0.055, ours.mean, ours.ci95, -1 / 18, verdict, reason)
    yield from stability(runs, "5.1.2")
    yield from bluffs(runs)
    for player in (COEVOLVED_1, COEVOLVED_2):
        yield exploited(player, "5.1.2", "a Nash equilibrium has been reached")
        yield from against_models(context, player, "5.1.2")


def stability(runs: list[RunData], section: str) -> Iterator[Finding]:
    """Whether the populations rest."""
    tree = tree_of(game_of(experiment_of(runs[0]).game))
    now = spread([late(_nash(tree, run)).mean() for run in runs])
    hall = spread([sum(seats(run)[seat].metrics["hall_exploitability"][-1] for seat in seats(run)) / 2 for run in runs])
    reason = (
        f"exploitability of the two populations' averages over the last fifth (0 in equilibrium): they circle. The "
        f"average of all champions so far is at {hall.mean:.4f}"
    )
    claim = "stable after 800 generations" if section == "5.1.2" else "never an equilibrium"
    verdict = AGREES if section != "5.1.2" else "not an equilibrium"
    name = f"{section}: {tree.game.name}, do the populations rest?"
    yield Finding(name, claim, now.mean, now.ci95, 0.0, verdict, reason)


def _nash(tree: Tree, run: RunData) -> Floats:
    """NashConv / 2 of the two populations' average plans, by generation."""
    pairs = zip(seats(run)[0].arrays["average"], seats(run)[1].arrays["average"], strict=True)
    return np.array([plans.exploitability(tree, first, second) for first, second in pairs])


def bluffs(runs: list[RunData]) -> Iterator[Finding]:
    """Whether co-evolved players bet their lowest card."""
    for seat, (printed, right) in enumerate((("B_J = .10", "0 to 1/3"), ("B_J = .44", "1/3"))):
        ours = spread([late(seats(run)[seat].arrays["gene_mean"])[:, 0].mean() for run in runs])
        reason = (
            f"its own champion has {printed}; every equilibrium bets the jack in the second seat a third of the time"
        )
        name = f"6.1: co-evolved player {seat + 1} does not bluff (ours: how often the jack is bet)"
        yield Finding(name, "no bluffing", ours.mean, ours.ci95, right, "contradicted by its own tables", reason)


def exploited(player: Player, section: str, claim: str) -> Finding:
    """What a printed chromosome gives away in its seat."""
    rules = game_of("kuhn")
    gap = answers.exploitability(policy(rules, "genes:" + player.genes), player.seat).exploitability
    reason = f"{player.genes}: the game's value minus what it is sure of; 0 in equilibrium"
    name = f"{section}: exploitability of the printed {player.name}"
    return Finding(name, claim, gap, None, gap, "not an equilibrium", reason)


def against_models(context: Context, player: Player, section: str) -> Iterator[Finding]:
    """On average, up to: the printed chromosome against the models, exactly and in many matches of 1,000 games."""
    tree = tree_of(game_of("kuhn"))
    own = policy(tree.game, "genes:" + player.genes)
    matches = context.pick(300, 10_000, 30_000, 30_000)
    for model, (average, most) in player.against.items():
        opponent = policy(tree.game, model)
        pair = (own.exact(0), opponent.exact(1)) if player.seat == 0 else (opponent.exact(0), own.exact(1))
        worth = float(exact.value(tree, *pair)) * (1 if player.seat == 0 else -1)
        genes = np.array([[float(gene) for gene in own.genes(player.seat)]])
        error = deviation(tree, player.seat, genes, opponent.behaviour(1 - player.seat)) / 1000**0.5
        behaviours = own.behaviour(player.seat), opponent.behaviour(1 - player.seat)
        key = context.key("matches", player.name, model)
        played = play_out(tree, player.seat, *behaviours, matches, 1000, key)
        mean = spread(played)
        name = f"{section}: {player.name} against {model.title()}"
        verdict, reason = _average(average, worth, error)
        yield Finding(f"{name}, average", average, mean.mean, mean.ci95, worth, verdict, reason)
        reason = f"the luckiest of many matches; ours of {matches:,}: {(most - worth) / error:.1f} standard errors up"
        yield Finding(f"{name}, up to", most, float(played.max()), None, worth, INFLATED, reason)


def _average(printed: float, worth: float, error: float) -> tuple[str, str]:
    """The verdict on a printed average over matches of 1,000 games with this standard error each."""
    noise = f"1,000 games have a standard error of {error:.3f}"
    if abs(printed - worth) <= CLOSE:
        return AGREES, noise
    if abs(printed - worth) <= 2 * error:
        return "within the noise of one match", f"{noise}; the average of many matches would be closer"
    return DIFFERS, noise


def mixed(context: Context) -> Iterator[Finding]:
    """Figure 5.5 and the printed mixed player: richer against Rational, not safer."""
    runs = runs_of(context, "lopez-mixed")
    draw(context, "mixed", runs[:1], "Figure 5.5: the mixed approach, one run.")
    tree = tree_of(game_of("kuhn"))
    ours = spread([late(seats(run)[0].metrics["mean"]).mean() for run in runs])
    alone = spread([late(_values(tree, run)).mean() for run in runs])
    reason = (
        f"half of this fitness is what Rational pays: against population 2 alone population 1 earns {alone.mean:+.4f}. "
        "It is no better player: -1/18 is all that anybody can be sure of"
    )
    verdict = "not comparable with 1/18"
    yield Finding("5.1.3: population 1's average fitness", -0.015, ours.mean, ours.ci95, None, verdict, reason)
    gaps = [exploited(player, "5.1.3", "") for player in (MIXED_1, COEVOLVED_1)]
    reason = f"exploitability of the printed mixed player; the co-evolved one has {float(gaps[1].exact or 0):.4f}"
    name = "5.1.3: is the mixed player safer than the co-evolved one?"
    yield Finding(name, "safer", gaps[0].measured, None, gaps[0].exact, "the other way round", reason)
    yield from against_models(context, MIXED_1, "5.1.3")


def _values(tree: Tree, run: RunData) -> Floats:
    """Chips of population 1's average against population 2's, by generation."""
    pairs = zip(seats(run)[0].arrays["average"], seats(run)[1].arrays["average"], strict=True)
    return np.array([plans.value(tree, first, second) for first, second in pairs])


def draw(context: Context, name: str, runs: list[RunData], caption: str) -> None:
    """Average fitness of both populations, and below it the exact yardsticks, a column a run."""
    figure = html.figure(min(11, 4 + 3.5 * len(runs)), 5)
    grid = figure.subplots(2, len(runs), squeeze=False, sharex="col")
    curves: dict[str, Iterable[Any]] = {}
    for column, run in enumerate(runs):
        game = experiment_of(run).game
        above, below = grid[:, column]
        for seat, series in seats(run).items():
            label = f"population {seat + 1}"
            above.plot(series.generation, series.metrics["mean"], lw=0.7, color=SEATS[seat], label=label)
            curves |= {f"{game}: generation": series.generation, f"{game}: {label}": series.metrics["mean"]}
        above.axhline(-1 / 18, color="#667085", lw=0.8, ls="--", label="−1/18, the game's value")
        for kind, style in zip(YARDSTICKS, (":", "-", "-"), strict=True):
            total = np.mean([series.metrics[kind] for series in seats(run).values()], axis=0)
            colour = {"best_exploitability": "#98a2b3", "average_exploitability": "#1d4f91"}.get(kind, "#2e7d4f")
            below.plot(seats(run)[0].generation, total, style, lw=0.9, color=colour, label=YARDSTICKS[kind])
            curves[f"{game}: exploitability, {YARDSTICKS[kind]}"] = total
        below.set_yscale("log")
        below.set_xlabel("generation")
        above.set_title(game, fontsize=9)
    grid[0, 0].set_ylabel("average fitness")
    grid[1, 0].set_ylabel("exploitability")
    for axes in grid[:, 0]:
        axes.legend(fontsize=7, framealpha=0.85, edgecolor="none")
    for axes in grid.ravel():
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=7)
    context.picture(name, figure, caption, curves)


def variants(context: Context) -> Iterator[Finding]:
    """Appendix E: the wider games, their curves and tables."""
    runs = {game: runs_of(context, "lopez-co" + game.replace("kuhn", "evolution")) for game in COEVOLVED_TABLES}
    first = [own[0] for own in runs.values()]
    draw(
        context,
        "coevolution-variants",
        first,
        "Figures E.1, E.3 and E.5: co-evolution in the wider games, one run each.",
    )
    _tables(context, runs)
    for game, own in runs.items():
        ours = spread([late(seats(run)[0].metrics["mean"]).mean() for run in own])
        ahead = float(np.mean([(seats(run)[0].metrics["mean"] > 0).mean() for run in own]))
        reason = (
            f"population 1 is ahead in {ahead:.0%} of the generations; in equilibrium it loses 1/18, as in Kuhn poker"
        )
        verdict = AGREES if ours.mean < 0 and ahead > 0 else DIFFERS
        name = f"Appendix E: {game}, the second player is ahead, not always (ours: population 1's average)"
        yield Finding(name, "below 0", ours.mean, ours.ci95, -1 / 18, verdict, reason)
        yield from stability(own, "Appendix E")


def _tables(context: Context, runs: dict[str, list[RunData]]) -> None:
    figure = html.figure(9, 6.6)
    grid = figure.subplots(3, 6, height_ratios=[6, 4, 12])
    curves: dict[str, Iterable[Any]] = {}
    for line, (game, own) in enumerate(runs.items()):
        tree = tree_of(game_of(game))
        settled = answers.equilibrium(tree.game)
        for seat in (0, 1):
            lay = chromosomes.layout(tree.sides[seat].gene_names)
            ours = np.concatenate([late(seats(run)[seat].arrays["champion"]) for run in own]).mean(axis=0)
            printed = COEVOLVED_TABLES[game][seat].replace("/", " ").split()
            right = [float(gene) for gene in settled.genes(seat)]
            panels = {
                "printed": (chromosomes.values_of(printed), printed),
                "ours": (ours, chromosomes.marks(ours)),
                "equilibrium": (np.array(right), None),
            }
            for column, (what, (values, marks)) in enumerate(panels.items()):
                axes = grid[line, 3 * seat + column]
                chromosomes.heat_map(axes, lay, values, marks)
                axes.set_title(f"{game}, {seat + 1}\n{what}", fontsize=7)
                if column:
                    axes.set_yticks([])
            curves |= {f"{game} gene": lay_names(tree, seat), f"{game} {seat + 1} printed": printed}
            curves |= {f"{game} {seat + 1} ours": ours.tolist(), f"{game} {seat + 1} equilibrium": right}
    caption = (
        "Figures E.2, E.4 and E.6: where co-evolution tends, by seat; ours is the mean of the fittest of the last "
        "fifth of the generations. The equilibrium is one of many: genes behind choices never made are 0 in it."
    )
    context.picture("coevolution-variants-genes", figure, caption, curves)


def lay_names(tree: Tree, seat: int) -> list[str]:
    """Gene names of a seat."""
    return list(tree.sides[seat].gene_names)
