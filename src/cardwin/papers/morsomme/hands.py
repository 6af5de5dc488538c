"""One hand as five matrices (2.3.3), and ten strategies against ten (3.3).

Printed values are read from published.toml: one hand, populations of ten, fitness, children.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.arrays import Floats, Ints
from cardwin.core.report_parts import Cell
from cardwin.games import game as game_of
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.solvers import plans
from cardwin.solvers.tree import Tree, tree_of

PUBLISHED: dict[str, Any] = tomllib.loads((files(__package__) / "published.toml").read_text(encoding="utf-8"))
HAND: dict[str, Any] = PUBLISHED["hand"]
POPULATION_A: list[tuple[int, ...]] = [tuple(row) for row in PUBLISHED["population_a"]]
POPULATION_B: list[str] = PUBLISHED["population_b"]
FITNESS, FITNESS_A, FITNESS_B = (PUBLISHED[name] for name in ("fitness", "fitness_a", "fitness_b"))
TOLERANCE = 1e-9  # for another order of the arithmetic


@dataclass(frozen=True)
class Hand:
    """All hands between two strategies at once: rows are B's cards, columns A's (2.3.3)."""

    bet: Ints
    calls: npt.NDArray[np.bool_]
    pot: Ints
    winner: Ints
    gain: Floats


def all_hands(game: OneCard, bets: Sequence[int], answers: Sequence[str]) -> Hand:
    """Compute the script's five matrices.

    Args:
        game: The game.
        bets: A's bet by card.
        answers: B's answers by card, a letter per bet: C calls, F folds.

    """
    cards = np.arange(1, game.cards + 1)
    bet = np.tile(np.array(bets, dtype=np.int64), (game.cards, 1))
    indices = [game.bets.index(amount) for amount in bets]
    calls = np.array([[row[index] == "C" for index in indices] for row in answers])
    pot = 2 * game.ante + 2 * bet * calls
    winner = np.where(calls, np.sign(cards[None, :] - cards[:, None]), 1).astype(np.int64)
    return Hand(bet, calls, pot, winner, pot * winner / 2)


def one_card_game(name: str) -> OneCard:
    """Return a one-card game by name."""
    game = game_of(name)
    assert isinstance(game, OneCard)  # noqa: S101
    return game


def hand(context: Context) -> Iterator[Sample]:
    """Compare the five matrices of one hand with the printed ones."""
    game = one_card_game("onecard")
    ours = all_hands(game, HAND["a"], HAND["b"].split())
    _draw_hand(context, game, ours)
    for name, matrix in (("pot", ours.pot), ("winner", ours.winner), ("gain", ours.gain)):
        yield cells_alike(f"{name} of the 16 hands", matrix, HAND[name])


def cells_alike(name: str, ours: npt.ArrayLike, printed: npt.ArrayLike) -> Sample:
    """Compare a printed table with ours, cell by cell; illegible cells of our copy are NaN and left out."""
    shown = np.asarray(printed, dtype=np.float64)
    legible = ~np.isnan(shown)
    equal = np.abs(np.asarray(ours, dtype=np.float64) - shown)[legible] <= TOLERANCE
    return alike(name, int(equal.sum()), len(equal), shown.size)


def words_alike(name: str, ours: Sequence[str], printed: Sequence[str]) -> Sample:
    """Compare a printed table of words with ours, in order.

    Args:
        name: The name of the sample.
        ours: A row of letters per row of the table, one letter per word.
        printed: The same of our copy, whose rows may miss words; the missing ones are those with which most agree.

    """
    equal = sum(_max_equal(row, shown) for row, shown in zip(ours, printed, strict=True))
    return alike(name, equal, sum(map(len, printed)), sum(map(len, ours)))


def alike(name: str, equal: int, legible: int, total: int) -> Sample:
    """Return the sample of a printed table.

    Args:
        name: The name of the sample.
        equal: The number of cells that are equal to ours.
        legible: The number of cells that can be read in our copy.
        total: The number of all cells.

    """
    read = "" if legible == total else f"; {legible} of {total} cells can be read in our copy"
    cells = f"{legible} cells"
    return sample(name, f"{equal} equal", exact=cells, published=cells, judged=equal == legible, read=read)


def _max_equal(row: str, shown: str) -> int:
    """Return the maximum number of equal letters over all ways to leave letters out of the longer row."""
    return max(
        sum(row[index] == letter for index, letter in zip(indices, shown, strict=True))
        for indices in combinations(range(len(row)), len(shown))
    )


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
    """Return bets by card, a row per strategy, as choices (n, cards)."""
    return np.array([[game.bets.index(amount) for amount in row] for row in bets], dtype=np.float64)


def choices_of_b(tree: Tree, tables: Sequence[str]) -> Floats:
    """Return letters by card and bet as choices (n, infosets): 0 folds, 1 calls."""
    game = one_card_game("onecard")
    cells = [cell(text) for text in tree.sequences[1].infosets]
    rows = [table.split() for table in tables]
    return np.array([[row[card - 1][game.bets.index(bet)] == "C" for card, bet in cells] for row in rows], dtype=float)


def cell(information_state: str) -> tuple[int, int]:
    """Return B's card and A's bet at one of B's information sets."""
    card, _, bet = information_state.partition(" after bet ")
    return int(card), int(bet)


def gains(bets: Sequence[Sequence[int]]) -> Floats:
    """Return A's gains with these bets by card against the ten of B (B, A)."""
    tree = tree_of(one_card_game("onecard"))
    choices = choices_of_a(one_card_game("onecard"), bets), choices_of_b(tree, POPULATION_B)
    first, second = (
        plans.plans(seqs, plans.behaviours_of_choices(seqs, chosen))
        for seqs, chosen in zip(tree.sequences, choices, strict=True)
    )
    return plans.values(tree, first, second).T


def confrontation(context: Context) -> Iterator[Sample]:
    """Compute the worked example, the table of ten against ten, and the text's statements about it."""
    table = gains(POPULATION_A)
    names = [f"s{n}" for n in range(1, 11)]
    rows: list[list[Cell]] = [[name, *map(float, row)] for name, row in zip(names, table, strict=True)]
    context.table("Average gains of A: rows are B's strategies", ["", *names], rows)
    _draw_table(context, names, table)
    yield _exact("(8, 2, 2, 2) against B's first strategy", table[0, 2])
    yield cells_alike("the table of ten against ten", table, FITNESS)
    scores = table.mean(axis=0)
    yield cells_alike("fitness of A's ten", scores, FITNESS_A)
    yield cells_alike("fitness of B's ten", -table.mean(axis=1), FITNESS_B)
    order = [names[n] for n in np.argsort(-scores, kind="stable")]
    yield _exact("the best of A, by the text", order[0])
    yield _exact("fitness of s5 in the text", scores[4])
    yield _exact("the two lowest of A, by the text", " and ".join(sorted(order[-2:])))
    for name in ("s1", "s8"):
        yield _exact(f"fitness of {name} in the text", scores[names.index(name)])
    s1, s5, s8 = (POPULATION_A[n] for n in (0, 4, 7))
    yield _exact("bets of s1 and s8 on the lowest card, by the text", f"{s1[0]} and {s8[0]}")
    yield _exact("bet of s8 on the highest card, by the text", s8[-1])
    rising = list(s5) == sorted(s5) and s5[-1] > s5[0]
    yield sample("s5 bets more on higher cards, by the text", ", ".join(map(str, s5)), judged=rising)
    gain = np.diff(gains([(*s8[:3], top) for top in (0, 10)]).mean(axis=0))[0]
    yield _exact("gain of a bet of 10 on the highest card over a bet of 0", gain)
    yield _exact("the seven parents", " ".join(order[:7]))


def _exact(name: str, value: float | str) -> Sample:
    """Return the sample of a value that is computed exactly, and is so also our measurement."""
    number = value if isinstance(value, str) else float(value)
    return sample(name, number, exact=number)


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
