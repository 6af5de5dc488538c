"""Classic Kuhn poker and its counter-strategies (5.1.1, Appendix A): sums done by hand, and the winner's curse.

Fixed before the runs: sums are exact or miscalculated. What a printed chromosome won is the best of 101,000 noisy
means, like that of every fittest.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from cardwin.games import game as game_of
from cardwin.games.small.kuhn import Kuhn, KuhnState
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_seeds
from cardwin.papers.lopez_pozuelo.counter_strategies import MEANS, counter_strategies
from cardwin.papers.lopez_pozuelo.evolved_responses import (
    GAMES,
    SAMPLED_GAMES,
    game_deviation,
    plan_of,
    standard_error,
    value_against,
)
from cardwin.papers.lopez_pozuelo.published import (
    BEST_AGAINST_CALLER,
    CALL_RATES,
    EARNINGS,
    EARNINGS_ONCE_REACHED,
    KUHN,
)
from cardwin.papers.sample import Sample, sample, spread
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes, html
from cardwin.runs.problems.small_game import seats
from cardwin.runs.reader import Series
from cardwin.solvers import equilibria, plans
from cardwin.solvers.tree import Tree, tree_of


def kuhn(context: Context) -> Iterator[Sample]:
    """Yield all findings of the classic game."""
    yield from counter_strategies(context, KUHN)
    yield best_against_caller()
    yield from earnings()
    yield from _winners_curse(context)


def best_against_caller() -> Sample:
    """Compute the exact value of the fittest chromosome against Caller, which Appendix A prints."""
    tree = tree_of(game_of("kuhn"))
    player, caller = policy(tree.game, f"genes:{BEST_AGAINST_CALLER}"), policy(tree.game, "caller")
    return sample(
        "what the printed fittest against Caller is worth",
        exact=float(value_against(tree, player, 0, "caller")),
        genes=BEST_AGAINST_CALLER,
        error=game_deviation(tree, 0, player.genes(0), caller.behaviour(1)) / GAMES**0.5,
        means=MEANS,
    )


def earnings() -> Iterator[Sample]:
    """Compute the values of single choices, card by card."""
    tree = tree_of(game_of("kuhn"))
    for model, seat, card, set_genes, printed in EARNINGS:
        value = value_by_card(tree, model, seat, card, set_genes)
        yield sample(f"{card} against {model.title()}, {_genes(set_genes)}", exact=value, published=printed)
    for game, model, seat, start, set_genes, printed in EARNINGS_ONCE_REACHED:
        value = value_once_reached(tree_of(game_of(game)), model, seat, start, set_genes)
        name = f"{game}, {start} against {model.title()}, {_genes(set_genes)}"
        yield sample(name, exact=value, published=printed, start=start)
    for model, seat, start, text, share in CALL_RATES:
        name, rate = f"{start}, bet: how often {model.title()} calls", call_rate(tree, model, seat, start)
        yield sample(name, exact=rate, published=text, judged=share)
    bet, check = (-_chips_after("kuhn-breadth", moves) for moves in ("bet 1, call", "check, check"))
    name = "kuhn-breadth, the loss of a called bluff beside that of a check against Shy's king"
    yield sample(name, exact=f"{bet:g} and {check:g}", judged=bet - check)


def _genes(set_genes: Mapping[str, int]) -> str:
    return ", ".join(f"{gene} = {value}" for gene, value in set_genes.items())


def _chips_after(game: str, moves: str) -> float:
    """Return the chips of a first player who holds the jack against the king, after these moves."""
    rules = game_of(game)
    assert isinstance(rules, Kuhn)  # noqa: S101
    state = KuhnState(rules, (rules.cards[0], rules.cards[2]))
    for move in moves.split(", "):
        state = state.apply(next(action for action in state.legal_actions() if str(action) == move))
    return float(state.returns()[0])


def value_once_reached(tree: Tree, model: str, seat: int, start: str, set_genes: Mapping[str, int]) -> float:
    """Return the expected chips of a seat from one of its first information sets on.

    Args:
        tree: The game.
        model: The opponent.
        seat: The seat.
        start: The information set, at which the seat has not acted before.
        set_genes: The genes of the seat that are not 0.

    """
    reached = equilibria.best_response(policy(tree.game, model), seat).reached
    below = _partial_value(tree, model, seat, set_genes, lambda text: text == start or text.startswith(f"{start}, "))
    return below / float(reached[tree.sequences[seat].infosets.index(start)])


def value_by_card(tree: Tree, model: str, seat: int, card: str, set_genes: Mapping[str, int]) -> float:
    """Return the expected chips of a seat that holds a card and plays it with these genes, all others 0."""
    cards = len(chromosomes.layout(tree.sequences[seat].gene_names).columns)
    return _partial_value(tree, model, seat, set_genes, lambda text: text.split(" ")[0] == card) * cards


def _partial_value(
    tree: Tree, model: str, seat: int, set_genes: Mapping[str, int], includes: Callable[[str], bool]
) -> float:
    """Return the part of a seat's expected chips that its sequences at some information sets earn."""
    seqs = tree.sequences[seat]
    plan = plan_of(tree, seat, [float(set_genes.get(name, 0)) for name in seqs.gene_names])
    action_values = plans.gradient(tree, seat, policy(tree.game, model).plan(1 - seat))
    chosen = [
        sequence
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
        if includes(text)
        for sequence in range(first, first + count)
    ]
    return float((plan * action_values)[chosen].sum())


def call_rate(tree: Tree, model: str, seat: int, start: str) -> float:
    """Return how often a model calls a bet of 1 made at an information set, over the cards that it may hold there."""
    card = start.split(" ")[0]
    called = reached = 0.0
    opponent = dict(zip(tree.sequences[1 - seat].gene_names, policy(tree.game, model).genes(1 - seat), strict=True))
    for other in chromosomes.layout(tree.sequences[seat].gene_names).columns:
        if other != card:
            probability = 1.0 if seat == 0 else 1.0 - float(opponent[f"B_{other}"])
            reached += probability
            called += probability * float(opponent[f"C_{other}"])
    return called / reached


def _winners_curse(context: Context) -> Iterator[Sample]:
    """Evolve in sampled games; yield the fittest's measured mean with its exact value and the exact maximum."""
    seeds, size, generations = context.pick((3, 303, 50), (10, 1010, 100), (30, 1010, 100), (30, 1010, 100))
    changes = {"population": {"size": size}, "generations": generations, "fitness": SAMPLED_GAMES}
    all_series = [
        seats(run)[0] for run in evolve_seeds(context, "lopez-kuhn-rational-1", seeds, changes, purpose="curse")
    ]
    _draw_winners_curse(context, all_series[0])
    peaks = [(series.metrics, int(np.argmax(series.metrics["best"]))) for series in all_series]
    tree, opponent = tree_of(game_of("kuhn")), policy(game_of("kuhn"), "rational")
    yield sample(
        "the winner's curse, Rational, player 1",
        spread([metrics["best"][peak] for metrics, peak in peaks]),
        exact=1 / 12,
        means=size * generations,
        error=standard_error(tree, 0, equilibria.best_response(opponent, 0), opponent),
        real=spread([metrics["best_value"][peak] for metrics, peak in peaks]).mean,
    )


def _draw_winners_curse(context: Context, series: Series) -> None:
    metrics, generation = series.metrics, series.generation
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    axes.plot(generation, metrics["best"], color="#b42318", lw=1, label="fittest, mean of its 1,010 games")
    axes.plot(generation, metrics["best_value"], color="#1d4f91", lw=1, label="exact value of that member")
    axes.axhline(1 / 12, color="#667085", ls="--", lw=1, label="the most that can be won, 1/12")
    axes.axhline(0.23, color="#b42318", ls=":", lw=1, label="printed, .23")
    axes.set(xlabel="generation", ylabel="chips per game")
    html.legend_outside(figure, axes, 4)
    caption = "Against Rational, player 1: in every generation selection favours noise as well."
    curves = {
        "generation": generation,
        "seen": metrics["best"],
        "worth": metrics["best_value"],
        "mean seen": metrics["mean"],
    }
    context.picture("winners-curse", figure, caption, curves)
