"""Counter-strategies to fixed models judged (5.1.1, 5.3, Appendices A and D): winnings, genes, seats.

Fixed before the runs:
- a printed winning has two places, and is the best of 101,000 noisy means (population times generations);
- a printed table is wrong if a gene is on the wrong side of what every best response does, or if a gene
  that every best response settles is printed as unsettled (~ or a fraction); where the only fault is a free gene
  printed as 0 or 1, it makes no difference;
- the seats differ if the exact winnings do by more than the register's margin, "no advantage" means at most that;
- a deception is judged by what every best response does with the lowest and the highest card.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from cardwin.games import game as game_of
from cardwin.papers import Context
from cardwin.papers.lopez_pozuelo import counter_pictures
from cardwin.papers.lopez_pozuelo.answers import Answer, answers_to, value_of
from cardwin.papers.lopez_pozuelo.published import ADVANTAGES, BLUFF, DECEPTIONS, Variant
from cardwin.papers.sample import Sample, sample
from cardwin.players.small_games.policies import policy
from cardwin.reports import chromosomes
from cardwin.solvers import equilibria, exact
from cardwin.solvers.exact import Response
from cardwin.solvers.tree import tree_of

ROUNDING = 0.0051  # printed to two places
MEANS = 101_000  # 1,010 members in each of 100 generations
UP, DOWN = ("1", "↑"), ("0", "↓")


def counter_strategies(context: Context, variant: Variant) -> Iterator[Sample]:
    """All cases of one game."""
    found = answers_to(context, variant)
    counter_pictures.show(context, variant, found)
    for answer in found:
        yield winnings(answer, variant)
    for answer in found:
        if answer.case.marks:
            yield genes(answer, variant)
    if found[0].case.marks:
        yield from advantages(variant.game)
        yield from deceptions(variant.game)


def winnings(answer: Answer, variant: Variant) -> Sample:
    """The fittest of all generations: printed, ours in sampled games, and the exact maximum."""
    best, printed = float(answer.response.value), answer.case.won
    fraction = exact.short_fraction(answer.response.value)
    reason = f"the most is {fraction}; ours is the luckiest of {answer.means:,} means of 1,010 games"
    if printed is not None and answer.error and abs(printed - best) > ROUNDING:
        reason += f"; printed is {(printed - best) / answer.error:+.1f} standard errors from the most"
    return sample(
        f"{answer.tree.game.name}, fittest {answer.title}", answer.played_runs, exact=best, published=printed,
        place=place_of(variant, answer), reason=reason, error=answer.error, means=MEANS,
    )  # fmt: skip


def place_of(variant: Variant, answer: Answer) -> str:
    """The document's section: Folder and Caller have an appendix."""
    return "Appendix A" if answer.case.model in ("folder", "caller") else variant.place


def genes(answer: Answer, variant: Variant) -> Sample:
    """The table of genes: printed, ours by exact fitness, and those of every best response."""
    printed, forced = answer.case.marks or [], answer.response.forced
    wrong, unsettled = conflicts(printed, forced), left_open(printed, forced)
    names, lay = answer.tree.sequences[answer.case.seat].gene_names, answer.layout
    settled = sum(mark in ("0", "1") for mark in forced)
    reason = f"all {settled} genes that every best response settles are printed so"
    if free := [names[i] for i in printed_free(printed, forced)]:
        reason += f"; {', '.join(free)} printed as settled, and free"
    if wrong or unsettled:
        described = [f"{names[i]} is {printed[i]} and should be {forced[i]}" for i in (*wrong, *unsettled)]
        left = answer.response.value - cost(answer, wrong, unsettled, printed)
        reason = (
            f"{len(wrong) + len(unsettled)} of {settled} settled genes: {', '.join(described)}; "
            f"with these as printed (~ at a half) at most {float(left):.4f} is won"
        )
    return sample(
        f"{answer.tree.game.name}, genes {answer.title}", lay.line(chromosomes.marks(answer.genes)),
        exact=lay.line(forced), published=lay.line(printed), judged=table_mark(printed, forced),
        place=place_of(variant, answer), over=f"{answer.value.n} seeds", reason=reason,
    )  # fmt: skip


def conflicts(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """The genes printed on the wrong side of every best response."""
    return [
        i
        for i, (ours, right) in enumerate(zip(printed, forced, strict=True))
        if (ours in UP and right[:1] == "0") or (ours in DOWN and right[:1] == "1")
    ]


def left_open(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """The genes printed as unsettled that every best response settles."""
    pairs = enumerate(zip(printed, forced, strict=True))
    return [i for i, (ours, right) in pairs if ours not in (*UP, *DOWN) and right in ("0", "1")]


def printed_free(printed: Sequence[str], forced: Sequence[str]) -> list[int]:
    """The genes printed as 0 or 1 that are free in a best response, or never used."""
    pairs = enumerate(zip(printed, forced, strict=True))
    return [i for i, (ours, right) in pairs if ours in ("0", "1") and right in ("~", "-")]


def table_mark(printed: Sequence[str], forced: Sequence[str]) -> str:
    """A table as one choice: 0 if a settled gene is wrong or left open, ~ if a free one is printed as settled, or 1."""
    if conflicts(printed, forced) or left_open(printed, forced):
        return "0"
    return "~" if printed_free(printed, forced) else "1"


def cost(answer: Answer, wrong: Sequence[int], unsettled: Sequence[int], printed: Sequence[str]) -> Fraction:
    """EV loss a game of a best response with some genes as printed and others at a half."""
    best = list(answer.response.genes)
    for i in wrong:
        best[i] = Fraction(int(printed[i] in UP))
    for i in unsettled:
        best[i] = Fraction(1, 2)
    mine = policy(answer.tree.game, "genes:" + ",".join(map(str, best)))
    return answer.response.value - value_of(answer.tree, mine, answer.case.seat, answer.case.model)


def advantages(game: str) -> Iterator[Sample]:
    """Which seat wins more against a model."""
    for model in ADVANTAGES.get(game, []):
        best = [_response(game, model, seat).value for seat in (0, 1)]
        name = f"{game}, the better seat against {model.title()}"
        yield sample(name, exact=float(best[1] - best[0]), first=best[0], second=best[1])


def deceptions(game: str) -> Iterator[Sample]:
    """Bluffs and sandbags, case by case."""
    names = tree_of(game_of(game)).sequences[0].gene_names
    cards = chromosomes.layout(names).columns
    for model, seat, what, claimed in DECEPTIONS.get(game, []):
        bet = _response(game, model, seat).forced[names.index(f"B_{cards[0] if what == BLUFF else cards[-1]}")]
        # Checking the highest card is a sandbag, so its mark is the reverse of the mark for betting it.
        mark = bet if what == BLUFF else {"0": "1", "1": "0"}.get(bet, bet)
        free = "free: it makes no difference" if mark != "-" else "never reached"
        yield sample(
            f"{game}, the answer to {model.title()} {what}, player {seat + 1}", published=claimed, judged=mark,
            exact={"0": "never", "1": "always"}.get(mark, free), card="lowest" if what == BLUFF else "highest",
        )  # fmt: skip


def _response(game: str, model: str, seat: int) -> Response:
    return equilibria.best_response(policy(game_of(game), model), seat)
