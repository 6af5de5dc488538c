"""The value of bluffing in the one-card game, and the cost of cleaning: exactly, by linear programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context
from cardwin.papers.morsomme.hands import one_card_game
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.solvers import equilibria


def bluffing(context: Context) -> Iterator[Sample]:
    """Yield the value of bluffing, what the cleaning rule costs B, and the hands that A wins where the rule calls."""
    games = {name: one_card_game(name) for name in ("onecard", "onecard-10")}
    for name, game in games.items():
        values = [value_without_bluffs(game, lowest) for lowest in range(game.cards)]
        _draw_values(context, game, values)
        (value, without_bluffs), (fraction, without) = values[:2], map(_fraction, values[:2])
        exact = float(equilibria.game_value(game))
        yield sample(f"{name}: what the game is worth to A", value, exact=exact, fraction=fraction)
        yield sample(
            f"{name}: and without bluffing", without_bluffs, exact=without_bluffs, fraction=fraction, without=without
        )
    for name, game in games.items():
        settled = cleaned_equilibrium(game)
        highest, lowest = best_value_against(game, settled.calls), guaranteed_value(game, settled.bets)
        cost = highest - float(equilibria.game_value(game))
        yield sample(f"{name}: what cleaning costs B", cost, judged=cost, highest=highest, lowest=lowest)
    game = games["onecard"]
    ahead = np.arange(game.cards)[None, :] > np.arange(game.cards)[:, None]  # B's card, A's card
    for situation, lost in (("B's highest card", ahead[-1]), ("a bet of 0", ahead)):
        name, count = f"hands that A wins where the rule calls: {situation}", float(lost.sum())
        yield sample(name, count, exact=count, count=int(count), hands=lost.size)


@dataclass(frozen=True)
class Settled:
    """An equilibrium in which B obeys the cleaning rule: A's bets and B's calls as probabilities (cards, bets)."""

    bets: Floats
    calls: Floats


def cleaned_equilibrium(game: OneCard) -> Settled:
    """Solve two linear programs: A's guaranteed maximum, and the minimum to which a B that obeys the rule limits A."""
    return Settled(_best_bets(game, 0, False)[1], _best_calls(game))


def best_value_against(game: OneCard, calls: Floats) -> float:
    """Return A's maximum against a B with these probabilities of calling (cards, bets)."""
    return float(_against_calls(game, calls).max(axis=1).sum())


def guaranteed_value(game: OneCard, bets: Floats) -> float:
    """Return A's minimum with these probabilities of betting (cards, bets)."""
    n = game.cards
    wins = np.sign(np.arange(n)[:, None] - np.arange(n)[None, :])  # A's card, B's card
    folded = game.ante * bets.sum(axis=0) / n**2  # (bets,), whatever B's card
    called = np.einsum("ak,ac->ck", bets, wins) * (game.ante + np.array(game.bets)) / n**2
    return float(np.minimum(folded[None, :], called).sum())


def _against_calls(game: OneCard, calls: Floats) -> Floats:
    """Return the value per hand of each of A's cards and bets (cards, bets) against B's probabilities of calling."""
    n = game.cards
    wins = np.sign(np.arange(n)[:, None] - np.arange(n)[None, :])
    showdowns = np.einsum("ac,ck->ak", wins, calls) * (game.ante + np.array(game.bets))
    gains: Floats = (showdowns + game.ante * (1 - calls).sum(axis=0)) / n**2
    return gains


def _best_calls(game: OneCard) -> Floats:
    """Return B's probabilities of calling (cards, bets) that minimise A's value, among those that obey the rule."""
    from scipy.optimize import linprog

    shape = (game.cards, len(game.bets))
    size = game.cards * len(game.bets)
    never = _against_calls(game, np.zeros(shape))
    rows, limits = [], []
    for card, bet in np.ndindex(shape):
        row = np.zeros(size + game.cards)
        for other in range(game.cards):
            unit = np.zeros(shape)
            unit[other, bet] = 1
            row[other * len(game.bets) + bet] = (_against_calls(game, unit) - never)[card, bet]
        row[size + card] = -1
        rows.append(row)
        limits.append(-never[card, bet])
    must = [card == game.cards - 1 or bet == 0 for card in range(game.cards) for bet in game.bets]
    bounds = [(1 if call else 0, 1) for call in must] + [(None, None)] * game.cards
    aim = np.concatenate([np.zeros(size), np.ones(game.cards)])
    done = linprog(aim, np.array(rows), np.array(limits), bounds=bounds, method="highs")
    calls: Floats = np.asarray(done.x, dtype=np.float64)[:size].reshape(shape)
    return calls


def value_without_bluffs(game: OneCard, lowest: int, cleaned: bool = False) -> float:
    """Return A's value if its lowest cards must bet 0.

    Args:
        game: The game.
        lowest: The number of cards that must bet 0.
        cleaned: Whether B's best response obeys the cleaning rule.

    """
    return _best_bets(game, lowest, cleaned)[0]


def _best_bets(game: OneCard, lowest: int, cleaned: bool) -> tuple[float, Floats]:
    """Solve a linear program over A's bets and B's best responses; return A's value and probabilities (cards, bets).

    Variables are A's probabilities (cards, bets), and A's value at each of B's cards and A's bets, also (cards, bets).
    """
    from scipy.optimize import linprog

    shape = (game.cards, len(game.bets))
    size = game.cards * len(game.bets)
    leaves = [row for cell in np.ndindex(shape) for row in _answers(game, cell, cleaned)]
    sums = np.zeros((game.cards, 2 * size))
    for card in range(game.cards):
        sums[card, card * len(game.bets) : (card + 1) * len(game.bets)] = 1
    forbidden = [card < lowest and bet > 0 for card in range(game.cards) for bet in game.bets]
    bounds = [(0, 0 if never else 1) for never in forbidden] + [(None, None)] * size
    aim = np.concatenate([np.zeros(size), -np.ones(size)])
    done = linprog(aim, np.array(leaves), np.zeros(len(leaves)), sums, np.ones(game.cards), bounds, method="highs")
    return -float(done.fun or 0.0), np.asarray(done.x, dtype=np.float64)[:size].reshape(shape)


def _answers(game: OneCard, cell: tuple[int, ...], cleaned: bool) -> Iterator[Floats]:
    """Yield the constraints of B's response at one card and bet: A's value is at most that of a fold and of a call."""
    card, bet = cell[0], game.bets[cell[1]]
    shape = (game.cards, len(game.bets))
    wins = np.sign(np.arange(game.cards) - card)
    folded, called = np.zeros((2, *shape)), np.zeros((2, *shape))
    folded[0, :, cell[1]] = -game.ante / game.cards**2
    called[0, :, cell[1]] = -(game.ante + bet) * wins / game.cards**2
    must_call = cleaned and (card == game.cards - 1 or bet == 0)
    for answer in (called,) if must_call else (folded, called):
        answer[(1, *cell)] = 1
        yield answer.ravel()


def _fraction(value: float) -> str:
    near = Fraction(value).limit_denominator(20_000)
    return str(near) if abs(float(near) - value) < 1e-9 else f"{value:.6f}"


def _draw_values(context: Context, game: OneCard, values: Sequence[float]) -> None:
    figure = html.figure(6, 3)
    axes = figure.subplots()
    axes.bar(range(game.cards), values, color="#c9d6ea")
    for lowest, value in enumerate(values):
        axes.text(lowest, value, _fraction(max(value, 0.0)), ha="center", va="bottom", fontsize=6)
    axes.set(xlabel="how many of the lowest cards must bet 0", ylabel="value to A")
    axes.set_xticks(range(game.cards))
    axes.spines[["top", "right"]].set_visible(False)
    caption = f"{game.name}: the game's value to A, and how much of it bluffing earns."
    curves: dict[str, Iterable[Any]] = {"cards that must bet 0": range(game.cards), "value": values}
    context.picture(f"worth-of-bluffing-{game.name}", figure, caption, curves)
