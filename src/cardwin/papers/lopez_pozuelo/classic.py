"""Classic Kuhn poker and its counter-strategies (5.1.1, Appendix A): sums done by hand, and the winner's curse.

Fixed before the runs: sums are exact or miscalculated; what one printed chromosome won is the best of 101,000
noisy means, as every fittest is.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from cardwin.games import game as game_of
from cardwin.games.small.kuhn import Kuhn, KuhnState
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo.answers import GAMES, PLAYED, deviation, error_of, plan_of, value_of
from cardwin.papers.lopez_pozuelo.counter import MEANS, counter_strategies
from cardwin.papers.lopez_pozuelo.published import CALLED, CALLERS_BANE, EARNINGS, KUHN, REACHED
from cardwin.papers.sample import Sample, sample, spread
from cardwin.papers.trials import preset_with, trials
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes, html
from cardwin.runs.problems.small_game import seats
from cardwin.solvers import equilibria, plans
from cardwin.solvers.tree import Tree, tree_of


def kuhn(context: Context) -> Iterator[Sample]:
    """All findings of the classic game."""
    yield from counter_strategies(context, KUHN)
    yield callers_bane()
    yield from earnings()
    yield from _curse(context)


def callers_bane() -> Sample:
    """Appendix A prints the fittest chromosome against Caller, so its exact value can be computed."""
    tree = tree_of(game_of("kuhn"))
    own, other = policy(tree.game, f"genes:{CALLERS_BANE}"), policy(tree.game, "caller")
    error, value = deviation(tree, 0, own.genes(0), other.behaviour(1)) / GAMES**0.5, value_of(tree, own, 0, "caller")
    name = "what the printed fittest against Caller is worth"
    return sample(name, exact=float(value), genes=CALLERS_BANE, error=error, means=MEANS)


def earnings() -> Iterator[Sample]:
    """The values of single choices, card by card."""
    tree = tree_of(game_of("kuhn"))
    for model, seat, card, set_genes, printed in EARNINGS:
        value = by_card(tree, model, seat, card, set_genes)
        yield sample(f"{card} against {model.title()}, {_genes(set_genes)}", exact=value, published=printed)
    for game, model, seat, start, set_genes, printed in REACHED:
        value = once_reached(tree_of(game_of(game)), model, seat, start, set_genes)
        name = f"{game}, {start} against {model.title()}, {_genes(set_genes)}"
        yield sample(name, exact=value, published=printed, start=start)
    for model, seat, start, text, share in CALLED:
        name, often = f"{start}, bet: how often {model.title()} calls", called(tree, model, seat, start)
        yield sample(name, exact=often, published=text, judged=share)
    bet, check = (-_ended("kuhn-breadth", moves) for moves in ("bet 1, call", "check, check"))
    name = "kuhn-breadth, the loss of a called bluff beside that of a check against Shy's king"
    yield sample(name, exact=f"{bet:g} and {check:g}", judged=bet - check)


def _genes(set_genes: Mapping[str, int]) -> str:
    return ", ".join(f"{gene} = {value}" for gene, value in set_genes.items())


def _ended(game: str, moves: str) -> float:
    """The chips of a first player who holds the jack against the king, after these moves."""
    rules = game_of(game)
    assert isinstance(rules, Kuhn)  # noqa: S101
    state = KuhnState(rules, (rules.cards[0], rules.cards[2]))
    for move in moves.split(", "):
        state = state.apply(next(action for action in state.legal_actions() if str(action) == move))
    return float(state.returns()[0])


def once_reached(tree: Tree, model: str, seat: int, start: str, set_genes: Mapping[str, int]) -> float:
    """Expected chips of a seat from an information set on, where it has not acted before, with these genes."""
    reached = equilibria.best_response(policy(tree.game, model), seat).reached
    below = _earned(tree, model, seat, set_genes, lambda text: text == start or text.startswith(f"{start}, "))
    return below / float(reached[tree.sequences[seat].infosets.index(start)])


def by_card(tree: Tree, model: str, seat: int, card: str, set_genes: Mapping[str, int]) -> float:
    """Expected chips of a seat that holds a card and plays it with these genes."""
    cards = len(chromosomes.layout(tree.sequences[seat].gene_names).columns)
    return _earned(tree, model, seat, set_genes, lambda text: text.split(" ")[0] == card) * cards


def _earned(tree: Tree, model: str, seat: int, set_genes: Mapping[str, int], counted: Callable[[str], bool]) -> float:
    """The part of a seat's expected chips that its sequences at some information sets earn."""
    seqs = tree.sequences[seat]
    own = plan_of(tree, seat, [float(set_genes.get(name, 0)) for name in seqs.gene_names])
    action_values = plans.gradient(tree, seat, policy(tree.game, model).plan(1 - seat))
    chosen = [
        sequence
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
        if counted(text)
        for sequence in range(first, first + count)
    ]
    return float((own * action_values)[chosen].sum())


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


def _curse(context: Context) -> Iterator[Sample]:
    """Runs in sampled games: the fittest's measured mean, its exact value, and the exact maximum."""
    seeds, size, generations = context.pick((3, 303, 50), (10, 1010, 100), (30, 1010, 100), (30, 1010, 100))
    changes = {"population": {"size": size}, "generations": generations, "fitness": PLAYED}
    chosen = [preset_with("lopez-kuhn-rational-1", context.key("curse", n), changes) for n in range(seeds)]
    all_series = [seats(run)[0] for run in trials(chosen, context.workers)]
    found, generation = all_series[0].metrics, all_series[0].generation
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    axes.plot(generation, found["best"], color="#b42318", lw=1, label="fittest, mean of its 1,010 games")
    axes.plot(generation, found["best_value"], color="#1d4f91", lw=1, label="exact value of that member")
    axes.axhline(1 / 12, color="#667085", ls="--", lw=1, label="the most that can be won, 1/12")
    axes.axhline(0.23, color="#b42318", ls=":", lw=1, label="printed, .23")
    axes.set(xlabel="generation", ylabel="chips a game")
    html.legend_outside(figure, axes, 4)
    caption = "Against Rational, player 1: in every generation selection favours noise as well."
    curves = {"generation": generation, "seen": found["best"], "worth": found["best_value"], "mean seen": found["mean"]}
    context.picture("winners-curse", figure, caption, curves)
    tops = [(one.metrics, int(np.argmax(one.metrics["best"]))) for one in all_series]
    tree, opponent = tree_of(game_of("kuhn")), policy(game_of("kuhn"), "rational")
    yield sample(
        "the winner's curse, Rational, player 1", spread([metrics["best"][top] for metrics, top in tops]),
        exact=1 / 12, means=size * generations,
        error=error_of(tree, 0, equilibria.best_response(opponent, 0), opponent),
        real=spread([metrics["best_value"][top] for metrics, top in tops]).mean,
    )  # fmt: skip
