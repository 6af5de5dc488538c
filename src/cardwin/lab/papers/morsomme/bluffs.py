"""What bluffing is worth in the one-card game, and what cleaning costs: exactly, by linear programs."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from cardwin.games.onecard import OneCard
from cardwin.lab import html
from cardwin.lab.papers import AGREES, DIFFERS, NOT_PRINTED, Context, Finding
from cardwin.lab.papers.morsomme.hands import the_game
from cardwin.solvers import answers
from cardwin.solvers.tree import Floats


def bluffing(context: Context) -> Iterator[Finding]:
    """What a bluff is worth: the game's value, and what is left of it when the lowest cards may not bet."""
    for name in ("onecard", "onecard-10"):
        game = the_game(name)
        values = [value_without_bluffs(game, lowest) for lowest in range(game.cards)]
        _draw_values(context, game, values)
        fraction = _fraction(values[0])
        free = float(answers.game_value(game))
        yield Finding(f"1: {name}, what is the game worth to A?", None, values[0], None, free, NOT_PRINTED, fraction)
        loss = f"{_fraction(values[0])} with bluffs, {_fraction(values[1])} when card 1 must bet 0"
        yield Finding(f"1: {name}, and without bluffing?", None, values[1], None, values[1], "bluffing pays", loss)
    reason = "the value is the same with and without the rule: a wise B obeys it anyway"
    for name in ("onecard", "onecard-10"):
        worth = float(answers.game_value(the_game(name)))
        held = value_without_bluffs(the_game(name), 0, cleaned=True)
        verdict = AGREES if abs(held - worth) < 1e-9 else DIFFERS
        yield Finding(f"3.2.1: {name}, cleaning risks nothing", "nothing", held - worth, None, 0.0, verdict, reason)


def value_without_bluffs(game: OneCard, lowest: int, cleaned: bool = False) -> float:
    """A's value when its lowest cards must bet 0: a linear program over A's bets, B answering each of them best.

    Unknown are A's chances (cards, bets), and what B leaves A at each of B's cards and A's bets, also (cards, bets).
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
    return -float(done.fun or 0.0)


def _answers(game: OneCard, place: tuple[int, ...], cleaned: bool) -> Iterator[Floats]:
    """B's answers at one card and bet: what it leaves A is at most what folding leaves, and what calling leaves."""
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
    caption = f"{game.name}: what the game is worth to A, and how bluffing earns it."
    curves: dict[str, Iterable[Any]] = {"cards that must bet 0": range(game.cards), "value": values}
    context.picture(f"worth-of-bluffing-{game.name}", figure, caption, curves)
