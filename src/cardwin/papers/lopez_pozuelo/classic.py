"""Classic Kuhn poker and its counter-strategies (5.1.1, Appendix A): sums done by hand, and the winner's curse.

Fixed before the runs: sums are exact or miscalculated; what one printed chromosome won is the best of 101,000
noisy means, as every fittest is.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.games import game as game_of
from cardwin.games.small.kuhn import Kuhn, KuhnState
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.lopez_pozuelo.answers import GAMES, PLAYED, deviation
from cardwin.papers.lopez_pozuelo.counter import MEANS, ROUNDING, counter_strategies
from cardwin.papers.lopez_pozuelo.published import CALLED, CALLERS_BANE, EARNINGS, KUHN, REACHED
from cardwin.papers.trials import mean_over, preset_with, spread, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes, html
from cardwin.runs.problems.small_game import seats
from cardwin.solvers import answers, exact, plans
from cardwin.solvers.tree import Tree, tree_of


def kuhn(context: Context) -> Iterator[Finding]:
    """All findings of the classic game."""
    yield from counter_strategies(context, KUHN)
    yield callers_bane()
    yield from earnings()
    yield from _curse(context)


def callers_bane() -> Finding:
    """Appendix A prints the fittest chromosome against Caller, so its exact value can be computed."""
    tree = tree_of(game_of("kuhn"))
    own, other = policy(tree.game, f"genes:{CALLERS_BANE}"), policy(tree.game, "caller")
    value = float(exact.value(tree, own.exact(0), other.exact(1)))
    error = deviation(tree, 0, own.genes(0), other.behaviour(1)) / GAMES**0.5
    return Finding(
        "Appendix A",
        "what the printed fittest against Caller is worth",
        published=0.59,
        exact=value,
        verdict=verdicts.judge(verdicts.best_of_many(value, error, MEANS, ROUNDING), 0.59),
        reason=f"{CALLERS_BANE} is worth this; a mean of 1,010 games has a standard error of {error:.3f}",
    )


def earnings() -> Iterator[Finding]:
    """The values of single choices, card by card."""
    tree = tree_of(game_of("kuhn"))
    for model, seat, card, set_genes, printed in EARNINGS:
        value = by_card(tree, model, seat, card, set_genes)
        yield _sum("5.1.1", f"{card} against {model.title()}, {_genes(set_genes)}", printed, value, "with that card")
    for place, game, model, seat, start, set_genes, printed in REACHED:
        value = once_reached(tree_of(game_of(game)), model, seat, start, set_genes)
        name = f"{game}, {start} against {model.title()}, {_genes(set_genes)}"
        yield _sum(place, name, printed, value, f"once {start} is reached")
    for model, seat, start, text, share in CALLED:
        value = called(tree, model, seat, start)
        yield Finding(
            "5.1.1",
            f"{start}, bet: how often {model.title()} calls",
            published=text,
            exact=value,
            verdict=verdicts.judge(verdicts.calculated(value, ROUNDING), share),
            reason="over the cards that the model may hold there",
        )
    yield loss_when_called()


def _genes(set_genes: dict[str, int]) -> str:
    return ", ".join(f"{gene} = {value}" for gene, value in set_genes.items())


def _sum(place: str, name: str, printed: float, value: float, when: str) -> Finding:
    return Finding(
        place,
        name,
        published=printed,
        exact=value,
        verdict=verdicts.judge(verdicts.calculated(value, ROUNDING), printed),
        reason=f"expected chips {when}",
    )


def loss_when_called() -> Finding:
    """5.3.1: the loss of a bluff that Shy's king calls, beside the loss of a check."""
    rules = game_of("kuhn-breadth")
    bet, check = (-float(_ended(rules, moves)) for moves in ("bet 1, call", "check, check"))
    return Finding(
        "5.3.1",
        "kuhn-breadth, the loss of a called bluff beside that of a check against Shy's king",
        published="equal",
        exact=f"{bet:g} and {check:g}",
        verdict=verdicts.judge(verdicts.calculated(0.0), bet - check),
        reason="the ante and the bet are lost, against the ante alone",
    )


def _ended(rules: object, moves: str) -> int:
    """The chips of a first player who holds the jack against the king, after these moves."""
    if not isinstance(rules, Kuhn):
        raise TypeError(f"{rules!r} is no game of this kind")
    state = KuhnState(rules, (rules.cards[0], rules.cards[2]))
    for move in moves.split(", "):
        state = state.apply(next(action for action in state.legal_actions() if str(action) == move))
    return int(state.returns()[0])


def once_reached(tree: Tree, model: str, seat: int, start: str, set_genes: dict[str, int]) -> float:
    """Expected chips of a seat from an information set on, where it has not acted before, with these genes."""
    seqs = tree.sequences[seat]
    genes = np.array([[float(set_genes.get(name, 0)) for name in seqs.gene_names]])
    own = plans.plans(seqs, plans.behaviours(seqs, genes))[0]
    opponent = policy(tree.game, model)
    action_values = plans.gradient(tree, seat, opponent.plan(1 - seat))
    below = [
        sequence
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
        if text == start or text.startswith(f"{start}, ")
        for sequence in range(first, first + count)
    ]
    reached = answers.best_response(opponent, seat).reached[seqs.infosets.index(start)]
    return float((own * action_values)[below].sum()) / float(reached)


def called(tree: Tree, model: str, seat: int, start: str) -> float:
    """How often a model calls a bet of 1 made at an information set, over the cards that it may hold there."""
    card = start.split(" ")[0]
    total = reached = 0.0
    opponent = dict(zip(tree.sequences[1 - seat].gene_names, policy(tree.game, model).genes(1 - seat), strict=True))
    for other in chromosomes.layout(tree.sequences[seat].gene_names).columns:
        if other != card:
            here = 1.0 if seat == 0 else 1.0 - float(opponent[f"B_{other}"])
            reached += here
            total += here * float(opponent[f"C_{other}"])
    return total / reached


def by_card(tree: Tree, model: str, seat: int, card: str, set_genes: dict[str, int]) -> float:
    """Expected chips of a seat that holds a card and plays it with these genes."""
    seqs = tree.sequences[seat]
    genes = np.array([[float(set_genes.get(name, 0)) for name in seqs.gene_names]])
    own = plans.plans(seqs, plans.behaviours(seqs, genes))[0]
    action_values = plans.gradient(tree, seat, policy(tree.game, model).plan(1 - seat))
    mine = [
        sequence
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
        if text.split(" ")[0] == card
        for sequence in range(first, first + count)
    ]
    return float((own * action_values)[mine].sum() * len(chromosomes.layout(seqs.gene_names).columns))


def _curse(context: Context) -> Iterator[Finding]:
    """Runs in sampled games: the fittest's measured mean, its exact value, and the exact maximum."""
    seeds, size, generations = context.pick((3, 303, 50), (10, 1010, 100), (30, 1010, 100), (30, 1010, 100))
    changes = {"population": {"size": size}, "generations": generations, "fitness": PLAYED}
    chosen = [preset_with("lopez-kuhn-rational-1", context.key("curse", n), changes) for n in range(seeds)]
    all_series = [seats(run)[0] for run in trials(chosen, context.workers)]
    series = all_series[0]
    seen, value = series.metrics["best"], series.metrics["best_value"]
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    axes.plot(series.generation, seen, color="#b42318", lw=1, label="fittest, mean of its 1,010 games")
    axes.plot(series.generation, value, color="#1d4f91", lw=1, label="exact value of that member")
    axes.axhline(1 / 12, color="#667085", ls="--", lw=1, label="the most that can be won, 1/12")
    axes.axhline(0.23, color="#b42318", ls=":", lw=1, label="printed, .23")
    axes.set(xlabel="generation", ylabel="chips a game")
    html.legend_outside(figure, axes, 4)
    axes.spines[["top", "right"]].set_visible(False)
    caption = "Against Rational, player 1: in every generation selection favours noise as well."
    curves = {"generation": series.generation, "seen": seen, "worth": value, "mean seen": series.metrics["mean"]}
    context.picture("winners-curse", figure, caption, curves)
    tops = [int(np.argmax(one.metrics["best"])) for one in all_series]
    best = spread([one.metrics["best"][top] for one, top in zip(all_series, tops, strict=True)])
    real = spread([one.metrics["best_value"][top] for one, top in zip(all_series, tops, strict=True)])
    rules = game_of("kuhn")
    response, opponent = answers.best_response(policy(rules, "rational"), 0), policy(rules, "rational")
    error = deviation(tree_of(rules), 0, response.genes, opponent.behaviour(1)) / GAMES**0.5
    yield Finding(
        "5.1.1",
        "the winner's curse, Rational, player 1",
        published=0.23,
        **mean_over(best, "seeds"),
        exact=1 / 12,
        verdict=None,
        reason=(
            f"the luckiest of {size * generations:,} means, each with an error of {error:.3f}; that member is worth "
            f"{real.mean:+.3f} on average. The figure is judged above"
        ),
    )
