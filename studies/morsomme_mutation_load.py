"""Morsomme (2019): does it learn to bluff? How often A bets its lowest card, compared with mutation alone.

An older version counted more than a quarter of bets as learnt, an arbitrary limit. The effect of mutation alone can be
measured: against a B that calls everything no bet on the lowest card pays, and what remains is the mutation load.
The script asks the question and does not answer it: a question, so there is no verdict; the answer is the difference on
the same seeds.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import open_executor
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context
from cardwin.papers.morsomme import script
from cardwin.papers.morsomme.bluffs import cleaned_equilibrium
from cardwin.papers.morsomme.hands import one_card_game
from cardwin.papers.morsomme.script import Sizes
from cardwin.papers.sample import DIFFERENCES, SHARES, Sample, sample, spread
from cardwin.reports import html
from study import main

RATES = (0.01, 0.02, 0.05, 0.1, 0.2)
RATE = 0.05  # the script's own


def bluff_rates(game: OneCard, seed: int, last: int, rate: float, always_called: bool) -> Floats:
    """Return how often A bets each card (cards,), mean over the last half of the generations, from a seed of R."""
    sizes = Sizes(mutation_rate=rate)
    populations = script.generations(game, seed, last, sizes, always_called=always_called)
    often = [(one.bets != game.bets.index(0)).mean(axis=0) for one in populations]
    mean: Floats = np.mean(often[last // 2 :], axis=0)
    return mean


def mutation_load(context: Context) -> Iterator[Sample]:
    """Measure evolved bluffs and bluffs by mutation alone, over mutation rates, and answer the script's question."""
    last, seeds = context.pick(40, 200, 500, 500), context.pick(3, 8, 30, 20)
    context.text(
        f"The script itself on R's seeds 1 to {seeds}, {last} generations, their second half. The control: B calls "
        "everything, so that no bluff pays, and what A still bets is the mutation load."
    )
    for name, rates in (("onecard", RATES), ("onecard-10", (RATE,))):
        game = one_card_game(name)
        found = {
            rate: [_over_seeds(context, game, seeds, last, rate, called) for called in (False, True)] for rate in rates
        }
        yield from _answer(game, found[RATE], last)
        if len(rates) > 1:
            _draw(context, game, found)


def _over_seeds(context: Context, game: OneCard, seeds: int, last: int, rate: float, always_called: bool) -> Floats:
    """Return the rates (seeds, cards)."""
    with open_executor(context.workers) as executor:
        rows = executor.map(lambda seed: bluff_rates(game, seed, last, rate, always_called), range(1, seeds + 1))
        return np.array(list(rows))


def _answer(game: OneCard, found: Sequence[Floats], last: int) -> Iterator[Sample]:
    evolved, load = found
    right = 1 - cleaned_equilibrium(game).bets[:, game.bets.index(0)]
    first, second = (spread(column, DIFFERENCES) for column in (evolved - load).T[:2])
    often, kept = (spread(rates[:, 0], SHARES) for rates in found)
    yield sample(
        f"{game.name}: bets on the lowest card beyond the mutation load", first, place="section 1", over="seeds",
        published="asked", exact=float(right[0]), reason=f"does it learn to bluff? A bets it {often.mean:.0%} of the "
        f"time, by mutation alone {kept.mean:.1%}, in equilibrium {right[0]:.0%} (exact); second half of {last} "
        "generations",
    )  # fmt: skip
    yield sample(
        f"{game.name}: the mutation load on the lowest card", kept, place="ours", over="seeds",
        exact=RATE * (1 - 1 / len(game.bets)), reason="how often A bets it where every bluff is called; exact: the "
        "redraws of one generation that bet, before any selection",
    )  # fmt: skip
    yield sample(
        f"{game.name}: bets on the second lowest card beyond the mutation load", second, place="ours", over="seeds",
        exact=float(right[1]), reason="exact: in the equilibrium shown",
    )  # fmt: skip


def _draw(context: Context, game: OneCard, found: dict[float, list[Floats]]) -> None:
    figure = html.figure(6.4, 3.8)
    axes = figure.subplots()
    curves: dict[str, Iterable[Any]] = {"mutation rate": list(found)}
    for which, label, colour in (
        (0, "evolved against B", "#1d4f91"),
        (1, "by mutation alone: B calls everything", "#b42318"),
    ):
        ones = [spread(rates[which][:, 0], SHARES) for rates in found.values()]
        means = [one.mean for one in ones]
        errors = np.array([[abs(end - one.mean) for end in one.ci95 or (one.mean, one.mean)] for one in ones]).T
        axes.errorbar(list(found), means, errors, marker="o", markersize=4, capsize=3, color=colour, label=label)
        curves[label] = means
    right = 1 - cleaned_equilibrium(game).bets[0, game.bets.index(0)]
    axes.axhline(right, color="#667085", ls="--", lw=0.8, label="equilibrium")
    axes.axvline(RATE, color="#c9d6ea", lw=0.8)
    axes.set(
        xlabel="mutation rate of A (the script's: .05)",
        ylabel="share of A's lowest cards that it bets",
        xscale="log",
        ylim=(0, 1),
    )
    axes.set_xticks(list(found), [f"{rate:g}" for rate in found])
    axes.minorticks_off()
    html.legend_outside(figure, axes, 3)
    axes.spines[["top", "right"]].set_visible(False)
    caption = f"{game.name}: how often A bets its lowest card, evolved and by mutation alone, over mutation rates."
    context.picture("bluffs-and-mutation-load", figure, caption, curves)
    rows = []
    for rate, (evolved, load) in found.items():
        more = spread(evolved[:, 0] - load[:, 0], DIFFERENCES)
        low, high = more.ci95 or (more.mean, more.mean)
        rows.append([rate, float(evolved[:, 0].mean()), float(load[:, 0].mean()), more.mean, (high - low) / 2])
    context.table(
        f"{game.name}: bets on the lowest card, {len(next(iter(found.values()))[0])} seeds",
        ["mutation rate", "evolved", "by mutation alone", "difference", "±"], rows,
    )  # fmt: skip


if __name__ == "__main__":
    main(mutation_load)
