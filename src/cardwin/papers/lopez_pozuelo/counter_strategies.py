"""Counter-strategies to fixed models judged (5.1.1, 5.3, Appendices A and D): winnings, genes, seats.

Fixed before the runs:
- a printed winning has two decimals, and is the best of 101,000 noisy means (population times generations);
- a printed table is wrong if a gene is on the wrong side of what every best response does, or if a gene that every best
  response settles is printed as unsettled (~ or a fraction). If its only fault is a free gene printed as 0 or 1, it
  makes no difference;
- the seats differ if their exact winnings do by more than the register's margin; "no advantage" means at most that;
- a deception is judged by what every best response does with the lowest and the highest card.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo import counter_strategy_pictures
from cardwin.papers.lopez_pozuelo.evolved_responses import EvolvedResponse, evolve_responses, value_against
from cardwin.papers.lopez_pozuelo.published import ADVANTAGES, BLUFF, DECEPTIONS, Variant
from cardwin.papers.sample import Sample, sample
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes
from cardwin.solvers import equilibria, exact
from cardwin.solvers.exact import Response
from cardwin.solvers.tree import tree_of

ROUNDING = 0.0051  # printed to two places
MEANS = 101_000  # 1,010 members in each of 100 generations
ONE_MARKS, ZERO_MARKS = ("1", "↑"), ("0", "↓")


def counter_strategies(context: Context, variant: Variant) -> Iterator[Sample]:
    """Evolve all cases of one game and yield their winnings and genes, and the game's seats and deceptions."""
    responses = evolve_responses(context, variant)
    counter_strategy_pictures.show(context, variant, responses)
    for response in responses:
        yield winnings(response, variant)
    for response in responses:
        if response.case.marks:
            yield genes(response, variant)
    if responses[0].case.marks:
        yield from seat_advantages(variant.game)
        yield from deceptions(variant.game)


def winnings(evolved: EvolvedResponse, variant: Variant) -> Sample:
    """Compare the winnings of the fittest of all generations: printed, ours in sampled games, and the exact maximum."""
    best, printed = float(evolved.response.value), evolved.case.won
    fraction = exact.short_fraction(evolved.response.value)
    reason = f"the most is {fraction}; ours is the luckiest of {evolved.means:,} means of 1,010 games"
    if printed is not None and evolved.error and abs(printed - best) > ROUNDING:
        reason += f"; printed is {(printed - best) / evolved.error:+.1f} standard errors from the most"
    return sample(
        f"{evolved.tree.game.name}, fittest {evolved.title}",
        evolved.sampled_runs,
        exact=best,
        published=printed,
        place=section_of(variant, evolved),
        reason=reason,
        error=evolved.error,
        means=MEANS,
    )


def section_of(variant: Variant, evolved: EvolvedResponse) -> str:
    """Return the document's section; Folder and Caller have an appendix."""
    return "Appendix A" if evolved.case.model in ("folder", "caller") else variant.section


def genes(evolved: EvolvedResponse, variant: Variant) -> Sample:
    """Compare the table of genes: printed, ours by exact fitness, and those of every best response."""
    printed, forced = evolved.case.marks or [], evolved.response.forced
    wrong, unsettled = conflicts(printed, forced), unsettled_genes(printed, forced)
    names, layout = evolved.tree.sequences[evolved.case.seat].gene_names, evolved.layout
    settled = sum(mark in ("0", "1") for mark in forced)
    reason = f"all {settled} genes that every best response settles are printed so"
    if free := [names[i] for i in settled_but_free(printed, forced)]:
        reason += f"; {', '.join(free)} printed as settled, and free"
    if wrong or unsettled:
        described = [f"{names[i]} is {printed[i]} and should be {forced[i]}" for i in (*wrong, *unsettled)]
        left = evolved.response.value - ev_loss(evolved, wrong, unsettled, printed)
        reason = (
            f"{len(wrong) + len(unsettled)} of {settled} settled genes: {', '.join(described)}; "
            f"with these as printed (~ at a half) at most {float(left):.4f} is won"
        )
    return sample(
        f"{evolved.tree.game.name}, genes {evolved.title}",
        layout.line(chromosomes.marks(evolved.genes)),
        exact=layout.line(forced),
        published=layout.line(printed),
        judged=table_mark(printed, forced),
        place=section_of(variant, evolved),
        over=f"{evolved.exact_runs.n} seeds",
        reason=reason,
    )


def conflicts(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """Return the genes printed on the wrong side of every best response.

    Args:
        printed: The printed marks.
        forced: The marks of every best response.

    Returns:
        The indices of the genes.

    """
    return [
        i
        for i, (ours, right) in enumerate(zip(printed, forced, strict=True))
        if (ours in ONE_MARKS and right[:1] == "0") or (ours in ZERO_MARKS and right[:1] == "1")
    ]


def unsettled_genes(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """Return the genes printed as unsettled that every best response settles."""
    pairs = enumerate(zip(printed, forced, strict=True))
    return [i for i, (ours, right) in pairs if ours not in (*ONE_MARKS, *ZERO_MARKS) and right in ("0", "1")]


def settled_but_free(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """Return the genes printed as 0 or 1 that are free in a best response, or never used."""
    pairs = enumerate(zip(printed, forced, strict=True))
    return [i for i, (ours, right) in pairs if ours in ("0", "1") and right in ("~", "-")]


def table_mark(printed: Sequence[str], forced: Sequence[str]) -> str:
    """Return the mark of a table.

    It is 0 if a settled gene is wrong or left open, ~ if the only fault is a free gene printed as settled, or else 1.
    """
    if conflicts(printed, forced) or unsettled_genes(printed, forced):
        return "0"
    return "~" if settled_but_free(printed, forced) else "1"


def ev_loss(
    evolved: EvolvedResponse, wrong: Sequence[int], unsettled: Sequence[int], printed: Sequence[str]
) -> Fraction:
    """Return the EV loss per game of a best response with some genes as printed and others at a half.

    Args:
        evolved: The case.
        wrong: The genes that are set as printed.
        unsettled: The genes that are set to a half.
        printed: The printed marks.

    """
    best = list(evolved.response.genes)
    for i in wrong:
        best[i] = Fraction(int(printed[i] in ONE_MARKS))
    for i in unsettled:
        best[i] = Fraction(1, 2)
    player = policy(evolved.tree.game, "genes:" + ",".join(map(str, best)))
    return evolved.response.value - value_against(evolved.tree, player, evolved.case.seat, evolved.case.model)


def seat_advantages(game: str) -> Iterator[Sample]:
    """Compare the exact winnings of the two seats against each model."""
    for model in ADVANTAGES.get(game, []):
        best = [_response(game, model, seat).value for seat in (0, 1)]
        name = f"{game}, the better seat against {model.title()}"
        yield sample(name, exact=float(best[1] - best[0]), first=best[0], second=best[1])


def deceptions(game: str) -> Iterator[Sample]:
    """Judge bluffs and sandbags, case by case."""
    names = tree_of(game_of(game)).sequences[0].gene_names
    cards = chromosomes.layout(names).columns
    for model, seat, deception, claimed in DECEPTIONS.get(game, []):
        card = cards[0] if deception == BLUFF else cards[-1]
        bet = _response(game, model, seat).forced[names.index(f"B_{card}")]
        # Checking the highest card is a sandbag, so its mark is the reverse of the mark for betting it.
        mark = bet if deception == BLUFF else {"0": "1", "1": "0"}.get(bet, bet)
        free = "free: it makes no difference" if mark != "-" else "never reached"
        yield sample(
            f"{game}, the answer to {model.title()} {deception}, player {seat + 1}",
            published=claimed,
            judged=mark,
            exact={"0": "never", "1": "always"}.get(mark, free),
            card="lowest" if deception == BLUFF else "highest",
        )


def _response(game: str, model: str, seat: int) -> Response:
    return equilibria.best_response(policy(game_of(game), model), seat)
