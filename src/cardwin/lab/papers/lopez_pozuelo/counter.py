"""Counter-strategies to fixed models (5.1.1, 5.3, Appendices A and D): the genes that win, and how much.

Each case is evolved twice: by exact fitness, for the genes, and in games played out, for the printed winnings. The
fittest of all generations is the luckiest of as many noisy means as there were members: the exact best response
beside it says how much of it is luck.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardwin.games import game as game_of
from cardwin.lab import chromosomes, html
from cardwin.lab.chromosomes import Layout
from cardwin.lab.papers import AGREES, DIFFERS, IMPOSSIBLE, INFLATED, NOT_PRINTED, Context, Finding
from cardwin.lab.papers.lopez_pozuelo.published import CALLERS_BANE, EARNINGS, KUHN, Case, Variant
from cardwin.lab.papers.trials import Spread, preset_with, spread, trials
from cardwin.lab.problems.small_game import experiment_of, seats
from cardwin.lab.run_data import RunData
from cardwin.players.policies import policy
from cardwin.solvers import answers, exact, plans
from cardwin.solvers.exact import Response
from cardwin.solvers.tree import Floats, Tree, tree_of

GAMES = 1010  # as many as the document has members
LATE = 20  # generations whose fittest make the table of genes
ROUNDING = 0.0051  # printed to two places
BEYOND_LUCK = 6.0  # standard errors that not even the luckiest of 101,000 means is above


@dataclass(frozen=True)
class Answer:
    """One case: the exact best response, our runs by exact fitness, and our runs in games played out."""

    case: Case
    tree: Tree
    response: Response
    error: float
    genes: Floats
    value: Spread
    sampled: Spread
    means: int

    @property
    def seat(self) -> int:
        """The seat that answers."""
        return self.case.seat

    @property
    def layout(self) -> Layout:
        """Where the genes stand."""
        return chromosomes.layout(self.tree.sides[self.seat].gene_names)

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.case.model.title()}, player {self.seat + 1}"


def counter_strategies(context: Context, variant: Variant, classic: bool) -> Iterator[Finding]:
    """All the cases of one game."""
    found = answers_to(context, variant, classic)
    _show(context, variant, found)
    for answer in found:
        yield winnings(answer, variant)
    for answer in found:
        if answer.case.marks:
            yield genes(answer, variant)


def answers_to(context: Context, variant: Variant, classic: bool) -> list[Answer]:
    """Evolve every case: several seeds by exact fitness, and in games played out."""
    seeds = context.pick(1, 5, 20, 10)
    luck_seeds = context.pick(1, 1, 3, 10)
    full: dict[str, Any] = {}
    few: dict[str, Any] = {"population": {"size": 202}}
    tiny: dict[str, Any] = {"population": {"size": 101}, "generations": 20}
    played: dict[str, Any] = {
        **context.pick(tiny, full if classic else few, full, full),
        "fitness": {"play": "sampled", "games": GAMES},
    }
    # At the shortest scale only the classic game has the document's size.
    sizes: dict[str, Any] = {"population": {"size": 1010 if classic else context.pick(303, 1010, 1010, 1010)}}
    by_value, by_luck = [], []
    for case in variant.cases:
        preset = f"lopez-{variant.game.partition(':')[0]}-{case.model}-{case.seat + 1}"
        here: dict[str, Any] = {"game": variant.game}
        by_value += [preset_with(preset, context.key(preset, n), here | sizes) for n in range(seeds)]
        by_luck += [preset_with(preset, context.key(preset, "luck", n), here | played) for n in range(luck_seeds)]
    runs = trials([*by_value, *by_luck], context.workers)
    lucky = runs[len(by_value) :]
    return [
        _answer(case, runs[n * seeds : (n + 1) * seeds], lucky[n * luck_seeds : (n + 1) * luck_seeds])
        for n, case in enumerate(variant.cases)
    ]


def _answer(case: Case, runs: list[RunData], lucky: list[RunData]) -> Answer:
    tree = tree_of(game_of(experiment_of(runs[0]).game))
    opponent = policy(tree.game, case.model)
    response = answers.best_response(opponent, case.seat)
    own = np.array([[float(gene) for gene in response.genes]])
    late = np.concatenate([seats(run)[case.seat].arrays["champion"][-LATE:] for run in runs])
    played = experiment_of(lucky[0])
    return Answer(
        case,
        tree,
        response,
        deviation(tree, case.seat, own, opponent.behaviour(1 - case.seat)) / played.fitness.games**0.5,
        late.mean(axis=0),
        spread([seats(run)[case.seat].metrics["best_value"].max() for run in runs]),
        spread([seats(run)[case.seat].metrics["best"].max() for run in lucky]),
        played.population.size * played.generations,
    )


def deviation(tree: Tree, seat: int, genes: Floats, opponent: Floats) -> float:
    """The standard deviation of one game's chips when genes (1, genes) meet a behaviour (sequences,)."""
    own = plans.plans(tree.sides[seat], plans.behaviours(tree.sides[seat], genes))[0]
    other = plans.plans(tree.sides[1 - seat], opponent[None])[0]
    pairs = tree.ends.sequences
    odds = np.array([float(chance) for chance in tree.ends.chances]) * own[pairs[:, seat]] * other[pairs[:, 1 - seat]]
    chips = np.array(tree.ends.chips, dtype=np.float64)
    return float(np.sqrt(odds @ chips**2 - (odds @ chips) ** 2))


def winnings(answer: Answer, variant: Variant) -> Finding:
    """The fittest of all generations: printed, ours in games played out, and what is possible."""
    most, printed = float(answer.response.value), answer.case.won
    name = f"{variant.section}: {answer.tree.game.name}, fittest {answer.title}"
    fraction = exact.recognised(answer.response.value)
    ours = f"ours is the luckiest of {answer.means:,} means of 1,010 games"
    if printed is None:
        return Finding(name, None, answer.sampled.mean, answer.sampled.ci95, most, NOT_PRINTED, ours)
    if abs(printed - most) < ROUNDING:
        verdict, reason = AGREES, f"the most is {fraction}"
    elif printed > most + BEYOND_LUCK * answer.error:
        verdict = IMPOSSIBLE
        reason = (
            f"the most is {fraction}, and a mean of 1,010 games has a standard error of {answer.error:.3f}: "
            f"luck does not reach so far"
        )
    elif printed > most:
        verdict, reason = INFLATED, f"the most is {fraction}; printed is the luckiest of 101,000 noisy means, {ours}"
    else:
        verdict = DIFFERS
        reason = f"the most is {fraction} and the luckiest mean lies above it: {printed} is neither"
    return Finding(name, printed, answer.sampled.mean, answer.sampled.ci95, most, verdict, reason)


def genes(answer: Answer, variant: Variant) -> Finding:
    """The table of genes: printed, ours by exact fitness, and what every best response does."""
    printed = answer.case.marks or []
    against = conflicts(printed, answer.response.forced)
    names = answer.tree.sides[answer.seat].gene_names
    lay = answer.layout
    reason = "no printed 0 or 1 contradicts a best response"
    if against:
        wrong = ", ".join(f"{names[i]} is {printed[i]} and should be {answer.response.forced[i]}" for i in against)
        costs = cost(answer, against, printed)
        reason = wrong + (f"; with the printed genes at most {float(answer.response.value - costs):.4f} is won")
    return Finding(
        f"{variant.section}: {answer.tree.game.name}, genes {answer.title}",
        lay.line(printed),
        lay.line(chromosomes.marks(answer.genes)),
        None,
        lay.line(answer.response.forced),
        DIFFERS if against else AGREES,
        reason,
    )


def conflicts(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """The genes printed on the wrong side of what every best response does."""
    up, down = ("1", "↑"), ("0", "↓")
    return [
        i
        for i, (ours, right) in enumerate(zip(printed, forced, strict=True))
        if (ours in up and right[:1] == "0") or (ours in down and right[:1] == "1")
    ]


def cost(answer: Answer, wrong: Sequence[int], printed: Sequence[str]) -> Fraction:
    """Chips a game that a best response gives away when these genes are as printed."""
    best = list(answer.response.genes)
    for i in wrong:
        best[i] = Fraction(int(printed[i] in ("1", "↑")))
    spec = "genes:" + ",".join(map(str, best))
    mine, other = policy(answer.tree.game, spec), policy(answer.tree.game, answer.case.model)
    pair = (mine.exact(0), other.exact(1)) if answer.seat == 0 else (other.exact(0), mine.exact(1))
    chips = exact.value(answer.tree, *pair)
    return answer.response.value - (chips if answer.seat == 0 else -chips)


def _show(context: Context, variant: Variant, found: list[Answer]) -> None:
    _table(context, found)
    name = found[0].tree.game.name.replace(":", "-").replace("=", "").replace("/", "-")
    _picture_of_winnings(context, f"fittest-{name}", found)
    _picture_of_genes(context, f"genes-{name}", variant, found)


def _table(context: Context, found: list[Answer]) -> None:
    header = ["against", "evolved by exact fitness", "exact best response", "genes", "deceptions"]
    rows = [
        [
            answer.title,
            answer.value.mean,
            exact.recognised(answer.response.value),
            answer.layout.line(chromosomes.marks(answer.genes)),
            ", ".join(deceptions(answer)) or "none",
        ]
        for answer in found
    ]
    context.table("What evolution finds when no luck interferes", header, rows)


def deceptions(answer: Answer) -> list[str]:
    """Bluffs (the lowest card is bet) and sandbags (the highest is checked) that our genes have settled on."""
    marks = dict(zip(answer.tree.sides[answer.seat].gene_names, chromosomes.marks(answer.genes), strict=True))
    cards = answer.layout.columns
    found = [f"bluffs the {cards[0]}"] if marks[f"B_{cards[0]}"] in ("1", "↑") else []
    return found + ([f"sandbags the {cards[-1]}"] if marks[f"B_{cards[-1]}"] in ("0", "↓") else [])


def _picture_of_winnings(context: Context, name: str, found: list[Answer]) -> None:
    figure = html.figure(9, 3.6)
    axes = figure.subplots()
    x = np.arange(len(found))
    exactly = [float(answer.response.value) for answer in found]
    printed = [np.nan if answer.case.won is None else answer.case.won for answer in found]
    axes.bar(x, exactly, 0.7, color="#c9d6ea", label="exact: the most that can be won")
    axes.plot(x - 0.12, printed, "x", color="#b42318", ms=8, mew=2, label="printed")
    axes.plot(x + 0.12, [answer.sampled.mean for answer in found], "o", color="#1d4f91", label="ours, games played out")
    axes.set_xticks(x, [answer.title.replace(", ", "\n") for answer in found], fontsize=7)
    axes.set_ylabel("chips a game")
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    curves: dict[str, Iterable[Any]] = {
        "case": [answer.title for answer in found],
        "printed": ["" if answer.case.won is None else answer.case.won for answer in found],
        "played": [answer.sampled.mean for answer in found],
        "exact": exactly,
    }
    caption = f"{found[0].tree.game.name}: the fittest of all generations. What lies above the bars is luck, selected."
    context.picture(name, figure, caption, curves)


def _picture_of_genes(context: Context, name: str, variant: Variant, found: list[Answer]) -> None:
    lay = found[0].layout
    rows = [answer for answer in found if answer.case.marks] or found
    shown = ["printed", "ours", "exact"] if rows[0].case.marks else ["ours", "exact"]
    figure = html.figure(1.25 * len(rows) + 0.5, len(shown) * (0.35 + 0.17 * len(lay.rows)) + 0.5)
    for line, (axes, what) in enumerate(zip(figure.subplots(len(shown), 1), shown, strict=True)):
        middles = chromosomes.heat_maps(axes, lay, [_panel(answer, what) for answer in rows])
        axes.set_ylabel(what, fontsize=8)
        if not line:
            for middle, answer in zip(middles, rows, strict=True):
                axes.text(middle, -0.7, answer.title.replace(", ", "\n"), ha="center", va="bottom", fontsize=7)
    curves: dict[str, Sequence[object]] = {"gene": found[0].tree.sides[0].gene_names}
    for answer in rows:
        curves |= {f"{answer.title}: ours": answer.genes.tolist(), f"{answer.title}: exact": answer.response.forced}
        curves |= {f"{answer.title}: printed": answer.case.marks or []}
    caption = (
        f"{variant.section}, {found[0].tree.game.name}: counter-strategies. Ours is the mean of the fittest of the "
        f"last {LATE} generations, by exact fitness; the stars are forced only where they are reached."
    )
    context.picture(name, figure, caption, curves)


def _panel(answer: Answer, what: str) -> tuple[Floats, list[str]]:
    """What one chromosome of the picture shows: genes and marks."""
    if what == "ours":
        return answer.genes, chromosomes.marks(answer.genes)
    marks = answer.case.marks or [] if what == "printed" else answer.response.forced
    return chromosomes.values_of(marks), marks


def kuhn(context: Context) -> Iterator[Finding]:
    """Classic Kuhn poker, with the sums that the text works out by hand."""
    yield from counter_strategies(context, KUHN, classic=True)
    yield _caller()
    yield from earnings()
    yield from _curse(context)


def _caller() -> Finding:
    """Appendix A prints the fittest chromosome against Caller, so its winnings can be checked."""
    tree = tree_of(game_of("kuhn"))
    own, other = policy(tree.game, f"genes:{CALLERS_BANE}"), policy(tree.game, "caller")
    worth = float(exact.value(tree, own.exact(0), other.exact(1)))
    error = deviation(tree, 0, np.array([[float(g) for g in own.genes(0)]]), other.behaviour(1)) / GAMES**0.5
    reason = f"{CALLERS_BANE} is worth this; a mean of 1,010 games has a standard error of {error:.3f}"
    name = "Appendix A: what the printed fittest against Caller is worth"
    return Finding(name, 0.59, worth, None, worth, INFLATED, reason)


def earnings() -> Iterator[Finding]:
    """What single choices earn, card by card."""
    tree = tree_of(game_of("kuhn"))
    for model, seat, card, set_genes, printed in EARNINGS:
        worth = by_card(tree, model, seat, card, set_genes)
        choices = ", ".join(f"{gene} = {value}" for gene, value in set_genes.items())
        name = f"5.1.1: {card} against {model.title()}, {choices}"
        verdict = AGREES if abs(worth - printed) < 1e-9 else DIFFERS
        yield Finding(name, printed, worth, None, worth, verdict, "expected chips with that card")
    response = answers.best_response(policy(tree.game, "bluffer"), 1)
    side = tree.sides[1]
    place = side.infosets.index("K after check")
    worth = float(response.action_values[side.layout[place, 1] + 1] / response.reached[place])
    reason = "after the check the Bluffer holds the queen 3 times in 8 and calls with it 7 times in 10"
    yield Finding("5.1.1: K bet after the Bluffer's check", 1.16, worth, None, worth, "miscalculated", reason)


def by_card(tree: Tree, model: str, seat: int, card: str, set_genes: dict[str, int]) -> float:
    """Expected chips of a seat that holds a card and plays it so."""
    side = tree.sides[seat]
    genes = np.array([[float(set_genes.get(name, 0)) for name in side.gene_names]])
    own = plans.plans(side, plans.behaviours(side, genes))[0]
    action_values = plans.gradient(tree, seat, policy(tree.game, model).plan(1 - seat))
    mine = [
        sequence
        for text, (_, first, count) in zip(side.infosets, side.layout.tolist(), strict=True)
        if text.split(" ")[0] == card
        for sequence in range(first, first + count)
    ]
    return float((own * action_values)[mine].sum() * len(chromosomes.layout(side.gene_names).columns))


def _curse(context: Context) -> Iterator[Finding]:
    """One run in games played out, looked at from behind: the printed best, its exact value, and the exact best."""
    size, generations = context.pick((101, 60), (1010, 100), (1010, 100), (1010, 100))
    changes = {"population": {"size": size}, "generations": generations, "fitness": {"games": GAMES}}
    run = trials([preset_with("lopez-sampled", context.key("curse"), changes)], 1)[0]
    series = seats(run)[0]
    seen, worth = series.metrics["best"], series.metrics["best_value"]
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    axes.plot(series.generation, seen, color="#b42318", lw=1, label="fittest, as its 1,010 games went")
    axes.plot(series.generation, worth, color="#1d4f91", lw=1, label="what that member is really worth")
    axes.axhline(1 / 12, color="#667085", ls="--", lw=1, label="the most that can be won, 1/12")
    axes.axhline(0.23, color="#b42318", ls=":", lw=1, label="printed, .23")
    axes.set(xlabel="generation", ylabel="chips a game")
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    caption = "Against Rational, player 1: in every generation the fittest is chosen for its luck as well."
    curves = {"generation": series.generation, "seen": seen, "worth": worth, "mean seen": series.metrics["mean"]}
    context.picture("winners-curse", figure, caption, curves)
    top = int(np.argmax(seen))
    reason = (
        f"selecting the best of {size * generations:,} noisy means adds {seen[top] - worth[top]:+.3f} to what the "
        f"member is worth ({worth[top]:+.3f})"
    )
    yield Finding(
        "5.1.1: the winner's curse, Rational, player 1", 0.23, float(seen[top]), None, 1 / 12, INFLATED, reason
    )
