"""The value of bluffing in the one-card game, and the cost of cleaning: exactly, by linear programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context
from cardwin.papers.morsomme.hands import the_game
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.solvers import equilibria


def bluffing(context: Context) -> Iterator[Sample]:
    """The value of a bluff: the game's value, and the value if the lowest cards must not bet."""
    games = {name: the_game(name) for name in ("onecard", "onecard-10")}
    for name, game in games.items():
        values = [value_without_bluffs(game, lowest) for lowest in range(game.cards)]
        _draw_values(context, game, values)
        (value, less), (fraction, without) = values[:2], map(_fraction, values[:2])
        exact = float(equilibria.game_value(game))
        yield sample(f"{name}: what the game is worth to A", value, exact=exact, fraction=fraction)
        yield sample(f"{name}: and without bluffing", less, exact=less, fraction=fraction, without=without)
    for name, game in games.items():
        settled = cleaned_equilibrium(game)
        highest, lowest = most_of_a(game, settled.calls), least_of_a(game, settled.bets)
        cost = highest - float(equilibria.game_value(game))
        yield sample(f"{name}: what cleaning costs B", cost, judged=cost, highest=highest, lowest=lowest)
    game = games["onecard"]
    ahead = np.arange(game.cards)[None, :] > np.arange(game.cards)[:, None]  # B's card, A's card
    for what, lost in (("B's highest card", ahead[-1]), ("a bet of 0", ahead)):
        name, count = f"hands that A wins where the rule calls: {what}", float(lost.sum())
        yield sample(name, count, exact=count, count=int(count), of=lost.size)


@dataclass(frozen=True)
class Settled:
    """An equilibrium in which B obeys the cleaning rule: A's bets and B's calls as probabilities (cards, bets)."""

    bets: Floats
    calls: Floats


def cleaned_equilibrium(game: OneCard) -> Settled:
    """By two linear programs: A's guaranteed maximum, and the minimum to which a B that obeys the rule can limit A."""
    return Settled(_best_bets(game, 0, False)[1], _best_calls(game))


def most_of_a(game: OneCard, calls: Floats) -> float:
    """A's maximum against a B with probabilities of calling (cards, bets)."""
    return float(_against_calls(game, calls).max(axis=1).sum())


def least_of_a(game: OneCard, bets: Floats) -> float:
    """A's minimum with probabilities (cards, bets)."""
    n = game.cards
    wins = np.sign(np.arange(n)[:, None] - np.arange(n)[None, :])  # A's card, B's card
    folded = game.ante * bets.sum(axis=0) / n**2  # (bets,), whatever B's card
    called = np.einsum("ak,ac->ck", bets, wins) * (game.ante + np.array(game.bets)) / n**2
    return float(np.minimum(folded[None, :], called).sum())


def _against_calls(game: OneCard, calls: Floats) -> Floats:
    """The value of each of A's cards and bets (cards, bets), as shares of a hand, against B's calling probabilities."""
    n = game.cards
    wins = np.sign(np.arange(n)[:, None] - np.arange(n)[None, :])
    showdowns = np.einsum("ac,ck->ak", wins, calls) * (game.ante + np.array(game.bets))
    gains: Floats = (showdowns + game.ante * (1 - calls).sum(axis=0)) / n**2
    return gains


def _best_calls(game: OneCard) -> Floats:
    """B's probabilities of calling (cards, bets) that minimise A's value, among those that obey the rule."""
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
    """A's value if its lowest cards must bet 0, against B's best response, or one that obeys the cleaning rule."""
    return _best_bets(game, lowest, cleaned)[0]


def _best_bets(game: OneCard, lowest: int, cleaned: bool) -> tuple[float, Floats]:
    """A's value and its probabilities (cards, bets): a linear program over A's bets and B's best responses.

    Variables are A's probabilities (cards, bets), and A's value at each of B's cards and A's bets, also (cards, bets).
    """
    from scipy.optimize import linprog

    shape = (game.cards, len(game.bets))
    size = game.cards * len(game.bets)
    leaves = [row for place in np.ndindex(shape) for row in _answers(game, place, cleaned)]
    sums = np.zeros((game.cards, 2 * size))
    for card in range(game.cards):
        sums[card, card * len(game.bets) : (card + 1) * len(game.bets)] = 1
    forbidden = [card < lowest and bet > 0 for card in range(game.cards) for bet in game.bets]
    bounds = [(0, 0 if never else 1) for never in forbidden] + [(None, None)] * size
    aim = np.concatenate([np.zeros(size), -np.ones(size)])
    done = linprog(aim, np.array(leaves), np.zeros(len(leaves)), sums, np.ones(game.cards), bounds, method="highs")
    return -float(done.fun or 0.0), np.asarray(done.x, dtype=np.float64)[:size].reshape(shape)


def _answers(game: OneCard, place: tuple[int, ...], cleaned: bool) -> Iterator[Floats]:
    """Constraints of B's response at one card and bet: A's value is at most that of a fold, and that of a call."""
    card, bet = place[0], game.bets[place[1]]
    shape = (game.cards, len(game.bets))
    wins = np.sign(np.arange(game.cards) - card)
    folded, called = np.zeros((2, *shape)), np.zeros((2, *shape))
    folded[0, :, place[1]] = -game.ante / game.cards**2
    called[0, :, place[1]] = -(game.ante + bet) * wins / game.cards**2
    must_call = cleaned and (card == game.cards - 1 or bet == 0)
    for answer in (called,) if must_call else (folded, called):
        answer[(1, *place)] = 1
        yield answer.ravel()


def _fraction(value: float) -> str:
    near = Fraction(value).limit_denominator(20_000)
    return str(near) if abs(float(near) - value) < 1e-9 else f"{value:.6f}"


def _draw_values(context: Context, game: OneCard, values: Sequence[float]) -> None:
    figure = html.figure(6, 3)
    axes = figure.subplots()
    axes.bar(range(game.cards), values, color="#c9d6ea")
    for place, value in enumerate(values):
        axes.text(place, value, _fraction(max(value, 0.0)), ha="center", va="bottom", fontsize=6)
    axes.set(xlabel="how many of the lowest cards must bet 0", ylabel="value to A")
    axes.set_xticks(range(game.cards))
    axes.spines[["top", "right"]].set_visible(False)
    caption = f"{game.name}: the game's value to A, and how much of it bluffing earns."
    curves: dict[str, Iterable[Any]] = {"cards that must bet 0": range(game.cards), "value": values}
    context.picture(f"worth-of-bluffing-{game.name}", figure, caption, curves)
