"""One hand as five matrices (2.3.3), and ten strategies against ten (3.3)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.games import game as game_of
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.morsomme.published import (
    FITNESS,
    FITNESS_A,
    FITNESS_B,
    HAND_A,
    HAND_B,
    HAND_GAIN,
    HAND_POT,
    HAND_WINNER,
    PARENTS,
    POPULATION_A,
    POPULATION_B,
)
from cardwin.reports import html
from cardwin.solvers import plans
from cardwin.solvers.tree import Floats, Ints, Tree, tree_of

CLOSE = 1e-9  # tolerance for another order of the arithmetic


@dataclass(frozen=True)
class Hand:
    """All hands between two strategies at once: rows are B's cards, columns A's (2.3.3)."""

    bet: Ints
    calls: npt.NDArray[np.bool_]
    pot: Ints
    winner: Ints
    gain: Floats


def all_hands(game: OneCard, bets: Sequence[int], answers_: Sequence[str]) -> Hand:
    """The script's five matrices, for A's bet by card and B's rows of letters by card."""
    cards = np.arange(1, game.cards + 1)
    bet = np.tile(np.array(bets, dtype=np.int64), (game.cards, 1))
    column = [game.bets.index(amount) for amount in bets]
    calls = np.array([[row[place] == "C" for place in column] for row in answers_])
    pot = 2 * game.ante + 2 * bet * calls
    winner = np.where(calls, np.sign(cards[None, :] - cards[:, None]), 1).astype(np.int64)
    return Hand(bet, calls, pot, winner, pot * winner / 2)


def the_game(name: str) -> OneCard:
    """A one-card game by name."""
    game = game_of(name)
    if not isinstance(game, OneCard):
        raise TypeError(f"{game.name} is not the one-card game")
    return game


def hand(context: Context) -> Iterator[Finding]:
    """The five matrices of one hand."""
    game = the_game("onecard")
    ours = all_hands(game, HAND_A, HAND_B.split())
    _draw_hand(context, game, ours)
    for name, matrix, printed in (
        ("pot", ours.pot, HAND_POT),
        ("winner", ours.winner, HAND_WINNER),
        ("gain", ours.gain, HAND_GAIN),
    ):
        yield table_finding("section 2.3.3", f"{name} of the 16 hands", matrix, printed)


def table_finding(place: str, name: str, ours: npt.ArrayLike, printed: npt.ArrayLike, reason: str = "") -> Finding:
    """A printed table compared with ours, cell by cell; illegible cells of our copy are NaN and left out."""
    shown = np.asarray(printed, dtype=np.float64)
    legible = ~np.isnan(shown)
    off = np.abs(np.asarray(ours, dtype=np.float64) - shown)[legible] > CLOSE
    size, wrong = int(legible.sum()), int(off.sum())
    return Finding(
        place, name, published=f"{size} cells", measured=f"{size - wrong} equal", exact=f"{size} cells",
        verdict=verdicts.stated(wrong == 0), reason=_read(size, shown.size, reason or "cell by cell"),
    )  # fmt: skip


def words_finding(place: str, name: str, ours: Sequence[str], printed: Sequence[str]) -> Finding:
    """A printed table of words compared with ours, a row of letters each; a row of our copy may be short of words.

    Words are compared in order: in a short row as many as agree if the missing ones are where that suits best.
    """
    size, legible = sum(map(len, ours)), sum(map(len, printed))
    equal = sum(_most_equal(row, shown) for row, shown in zip(ours, printed, strict=True))
    return Finding(
        place, name, published=f"{legible} cells", measured=f"{equal} equal", exact=f"{legible} cells",
        verdict=verdicts.stated(equal == legible), reason=_read(legible, size, "word by word"),
    )  # fmt: skip


def _most_equal(row: str, shown: str) -> int:
    return max(
        sum(row[place] == letter for place, letter in zip(places, shown, strict=True))
        for places in combinations(range(len(row)), len(shown))
    )


def _read(cells: int, of: int, reason: str) -> str:
    return reason if cells == of else f"{reason}; {cells} of {of} cells can be read in our copy"


def _draw_hand(context: Context, game: OneCard, ours: Hand) -> None:
    figure = html.figure(11, 2.6)
    panels: dict[str, Floats | Ints] = {
        "A's bet": ours.bet,
        "B's action": ours.calls.astype(np.int64),
        "pot": ours.pot,
        "winner": ours.winner,
        "A's gain": ours.gain,
    }
    for axes, (title, matrix) in zip(figure.subplots(1, 5), panels.items(), strict=True):
        words = {0: "fold", 1: "call"} if title == "B's action" else {}
        top = 2 * np.abs(matrix).max()  # pale, so that the numbers are legible
        axes.imshow(
            matrix, cmap="Blues" if matrix.min() >= 0 else "RdBu", vmin=min(0, np.sign(matrix.min()) * top), vmax=top
        )
        for (row, column), value in np.ndenumerate(matrix):
            axes.text(column, row, words.get(int(value), f"{value:g}"), ha="center", va="center", fontsize=8)
        names = range(1, game.cards + 1)
        axes.set_xticks(range(game.cards), names, fontsize=7)
        axes.set_yticks(range(game.cards), names, fontsize=7)
        axes.set(title=title)
        axes.set_xlabel("A's card", fontsize=8)
    figure.axes[0].set_ylabel("B's card", fontsize=8)
    caption = "All sixteen hands between two strategies at once, as the script's five steps compute them."
    curves: dict[str, Iterable[Any]] = {name: matrix.ravel().tolist() for name, matrix in panels.items()}
    context.picture("hand", figure, caption, curves)


def choices_of_a(game: OneCard, bets: Sequence[Sequence[int]]) -> Floats:
    """Bets by card, a row a strategy, as choices (n, cards)."""
    return np.array([[game.bets.index(amount) for amount in row] for row in bets], dtype=np.float64)


def choices_of_b(tree: Tree, tables: Sequence[str]) -> Floats:
    """Letters by card and bet as choices (n, infosets): 0 folds, 1 calls."""
    game = the_game("onecard")
    cells = [cell(text) for text in tree.sequences[1].infosets]
    rows = [table.split() for table in tables]
    return np.array([[row[card - 1][game.bets.index(bet)] == "C" for card, bet in cells] for row in rows], dtype=float)


def cell(information_state: str) -> tuple[int, int]:
    """B's card and A's bet at one of B's information sets."""
    card, _, bet = information_state.partition(" after bet ")
    return int(card), int(bet)


def confrontation(context: Context) -> Iterator[Finding]:
    """The worked example, the table of ten against ten, and the text's statements about it."""
    tree = tree_of(the_game("onecard"))
    choices = choices_of_a(the_game("onecard"), POPULATION_A), choices_of_b(tree, POPULATION_B)
    first, second = (
        plans.plans(seqs, plans.behaviours_of_choices(seqs, chosen))
        for seqs, chosen in zip(tree.sequences, choices, strict=True)
    )
    table = plans.values(tree, first, second).T
    names = [f"s{n}" for n in range(1, 11)]
    context.table("Average gains of A: rows are B's strategies", ["", *names], _rows(names, table))
    _draw_table(context, names, table)
    yield _same("section 3.3.1", "(8, 2, 2, 2) against B's first strategy", -0.75, float(table[0, 2]))
    yield table_finding("section 3.3.2", "the table of ten against ten", table, FITNESS, "to the last digit")
    scores = table.mean(axis=0)
    yield table_finding("section 3.3.2", "fitness of A's ten", scores, FITNESS_A, "means of the table")
    yield table_finding("section 3.3.2", "fitness of B's ten", -table.mean(axis=1), FITNESS_B, "means of the table")
    yield from _sentences(names, scores)
    yield from _bets_in_the_text(table_of_bets())
    yield _zero_on_the_highest()
    ranked = " ".join(names[n] for n in np.argsort(-scores, kind="stable")[:7])
    printed = " ".join(names[n] for n in PARENTS)
    yield Finding(
        "section 3.4.1", "the seven parents", published=printed, measured=ranked, exact=ranked,
        verdict=verdicts.stated(printed == ranked), reason="fittest first",
    )  # fmt: skip


def _sentences(names: Sequence[str], scores: Floats) -> Iterator[Finding]:
    """The text's statements about the table."""
    place, order = "section 3.3.2", [names[n] for n in np.argsort(-scores, kind="stable")]
    why = (
        "the sentences describe another seed's table; the numbers in them are this one's, put there by the script, "
        "which leaves a minus before what it calls a loss"
    )
    yield Finding(
        place, "the best of A, by the text", published="s5", measured=order[0], exact=order[0],
        verdict=verdicts.stated(order[0] == "s5"), reason=f"in its own table s1 is the best and s5 the third: {why}",
    )  # fmt: skip
    yield _same(place, "fitness of s5 in the text", 0.375, float(scores[4]))
    worst = " and ".join(sorted(order[-2:]))
    yield Finding(
        place, "the two lowest of A, by the text", published="s1 and s8", measured=worst, exact=worst,
        verdict=verdicts.stated(worst == "s1 and s8"), reason=why,
    )  # fmt: skip
    for name, said in (("s1", -1.2), ("s8", -0.1625)):
        exact = float(scores[names.index(name)])
        yield Finding(
            place, f"fitness of {name} in the text", published=said, measured=exact, exact=exact,
            verdict=verdicts.judge(verdicts.below(0.0), exact),
            reason=f"a loss, says the text; the table above it says {exact:+}",
        )  # fmt: skip


def table_of_bets() -> dict[str, tuple[int, ...]]:
    """The bets of A's ten by name."""
    return {f"s{n + 1}": bets for n, bets in enumerate(POPULATION_A)}


def _bets_in_the_text(bets: dict[str, tuple[int, ...]]) -> Iterator[Finding]:
    """What the text says that s1, s5 and s8 bet."""
    place, why = "section 3.3.2", "the document's own table of A's ten (3.2)"
    low = f"{bets['s1'][0]} and {bets['s8'][0]}"
    yield Finding(
        place, "bets of s1 and s8 on the lowest card, by the text", published="10 and 10", measured=low, exact=low,
        verdict=verdicts.stated(low == "10 and 10"), reason=f"{why}; the text calls that card 0, and it is 1",
    )  # fmt: skip
    yield Finding(
        place, "bet of s8 on the highest card, by the text", published=0.0, measured=float(bets["s8"][-1]),
        exact=float(bets["s8"][-1]), verdict=verdicts.stated(bets["s8"][-1] == 0), reason=why,
    )  # fmt: skip
    rising = list(bets["s5"]) == sorted(bets["s5"])
    yield Finding(
        place, "s5 bets more on higher cards, by the text", published="small, then large",
        measured=", ".join(map(str, bets["s5"])), verdict=verdicts.stated(rising and bets["s5"][-1] > bets["s5"][0]),
        reason=f"{why}; judged by the order of its bets, though none is above 4 of 10",
    )  # fmt: skip


def _zero_on_the_highest() -> Finding:
    """What a bet of 10 on the highest card brings beyond a bet of 0, against the ten of B."""
    tree = tree_of(the_game("onecard"))
    bets = choices_of_a(the_game("onecard"), [(*POPULATION_A[7][:3], top) for top in (0, 10)])
    choices = bets, choices_of_b(tree, POPULATION_B)
    first, second = (
        plans.plans(seqs, plans.behaviours_of_choices(seqs, chosen))
        for seqs, chosen in zip(tree.sequences, choices, strict=True)
    )
    more = float(np.diff(plans.values(tree, first, second).mean(axis=1))[0])
    return Finding(
        "section 3.3.2", "gain of a bet of 10 on the highest card over a bet of 0", published="0 is a bad idea",
        measured=more, exact=more, verdict=verdicts.judge(verdicts.above(0.0), more),
        reason="a hand, mean over B's ten; no B at all makes it a loss, since nothing beats that card",
    )  # fmt: skip


def _same(place: str, name: str, printed: float, ours: float) -> Finding:
    return Finding(
        place, name, published=printed, measured=ours, exact=ours,
        verdict=verdicts.judge(verdicts.calculated(ours, CLOSE), printed),
        reason="all hands once",
    )  # fmt: skip


def _rows(names: Sequence[str], table: Floats) -> list[list[str | float | None]]:
    return [[name, *map(float, row)] for name, row in zip(names, table, strict=True)]


def _draw_table(context: Context, names: Sequence[str], table: Floats) -> None:
    figure = html.figure(6, 4)
    axes = figure.subplots()
    image = axes.imshow(table, cmap="RdBu", vmin=-3, vmax=3)
    for (row, column), value in np.ndenumerate(table):
        axes.text(column, row, f"{value:g}", ha="center", va="center", fontsize=6).set_in_layout(False)
    axes.set_xticks(range(10), names, fontsize=7)
    axes.set_yticks(range(10), names, fontsize=7)
    axes.set(xlabel="A's strategies", ylabel="B's strategies")
    figure.colorbar(image, label="A's average gain")
    curves: dict[str, Iterable[Any]] = {name: table[:, n].tolist() for n, name in enumerate(names)}
    context.picture("ten-against-ten", figure, "Ten strategies against ten, every hand once.", curves)
