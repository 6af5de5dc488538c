"""The algorithm in action (4): the behaviour of both populations over the generations, as the script draws it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context
from cardwin.papers.evolutions import evolve_seeds
from cardwin.papers.morsomme.bluffs import cleaned_equilibrium
from cardwin.papers.morsomme.hands import cell, one_card_game
from cardwin.papers.morsomme.script import Population, fitness
from cardwin.papers.sample import SHARES, Sample, sample, spread
from cardwin.reports import html
from cardwin.runs.problems.small_game import experiment_of, seats
from cardwin.runs.reader import RunData
from cardwin.solvers import equilibria
from cardwin.solvers.tree import Sequences, tree_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage


@dataclass(frozen=True)
class History:
    """A run as the script shows it.

    Attributes:
        game: The game.
        generation: The numbers of the generations.
        bets: A's probabilities of betting, (generations, cards, bets).
        calls: B's probabilities of calling, (generations, cards, bets).
        gain: A's average gain, (generations,).
        called: The share of hands in which B calls, (generations,).

    """

    game: OneCard
    generation: Ints
    bets: Floats
    calls: Floats
    gain: Floats
    called: Floats

    @property
    def mean_bet(self) -> Floats:
        """A's mean bet by card, (generations, cards)."""
        return self.bets @ np.array(self.game.bets, dtype=np.float64)

    @property
    def bluffs(self) -> Floats:
        """The share of hands in which each card is bet, (generations, cards)."""
        free = self.game.bets.index(0)
        return 1 - self.bets[:, :, free]


def history_of(run: RunData) -> History:
    """Return the average behaviour of a run's populations."""
    game = one_card_game(experiment_of(run).game)
    tree = tree_of(game)
    bets = np.stack([as_bets(tree.sequences[0], plan) for plan in seats(run)[0].arrays["average"]])
    calls = np.stack([as_calls(tree.sequences[1], game, plan) for plan in seats(run)[1].arrays["average"]])
    called = np.einsum("gab,gcb->g", bets, calls) / game.cards**2
    return History(game, seats(run)[0].generation, bets, calls, seats(run)[0].metrics["average_value"], called)


def as_bets(seqs: Sequences, plan: Floats) -> Floats:
    """Return A's plan as probabilities (cards, bets)."""
    order = np.argsort([int(text) for text in seqs.infosets])
    return np.stack([plan[seqs.layout[n, 1] : seqs.layout[n, 1] + seqs.layout[n, 2]] for n in order])


def as_calls(seqs: Sequences, game: OneCard, plan: Floats) -> Floats:
    """Return B's plan as probabilities of calling (cards, bets)."""
    table = np.zeros((game.cards, len(game.bets)))
    for text, (_, first, _) in zip(seqs.infosets, seqs.layout.tolist(), strict=True):
        card, bet = cell(text)
        table[card - 1, game.bets.index(bet)] = plan[first + 1]
    return table


def history_of_populations(game: OneCard, populations: Sequence[Population]) -> History:
    """Return the average behaviour of populations that the replayed script bred."""
    choices = np.arange(len(game.bets))
    bets = np.array([(population.bets[:, :, None] == choices).mean(axis=0) for population in populations])
    calls = np.array([population.calls.mean(axis=0).T for population in populations])
    called = np.einsum("gab,gcb->g", bets, calls) / game.cards**2
    gain = np.array([fitness(game, population).mean() for population in populations])
    return History(game, np.arange(len(populations)), bets, calls, gain, called)


def evolution(context: Context) -> Iterator[Sample]:
    """Evolve both games; draw the script's four pictures and yield averages beside the equilibrium (4)."""
    seeds, last = context.pick(4, 8, 50, 20), context.pick(60, 400, 1000, 1000)
    context.text(f"The presets morsomme-10 and morsomme, {seeds} seeds of {last} generations each.")
    for preset in ("morsomme-10", "morsomme"):
        changes = {"generations": last, "record_members": False}
        histories = [history_of(run) for run in evolve_seeds(context, preset, seeds, changes)]
        game = histories[0].game
        draw_history(context, histories[0], f"evolution-{game.name}", "")
        late = slice(last // 2, None)
        gains = spread([history.gain[late].mean() for history in histories])
        yield sample(f"{game.name}: A's average gain", gains, exact=float(equilibria.game_value(game)), last=last)
        settled = cleaned_equilibrium(game)
        exact = float((settled.bets[:, None, :] * settled.calls[None, :, :]).sum() / game.cards**2)
        calls = spread([history.called[late].mean() for history in histories], SHARES)
        yield sample(f"{game.name}: how often B calls", calls, exact=exact)
    seeds = context.pick(20, 40, 100, 100)  # whether small cards get smaller bets after one generation
    runs = evolve_seeds(context, "morsomme", seeds, {"generations": 2}, purpose="children")
    bets = [history_of(run).mean_bet for run in runs]
    name = "change of the mean bet on card 1 in one generation, 200 strategies"
    yield sample(name, spread([bet[1, 0] - bet[0, 0] for bet in bets]))


def draw_history(context: Context, history: History, name: str, title: str) -> None:
    """Draw the script's four pictures at chosen generations, beside an equilibrium that obeys the cleaning rule."""
    shown = sorted({0, 1, *(len(history.generation) * k // 4 for k in (1, 2)), len(history.generation) - 1})
    figure = html.figure(9, 6)
    parts = figure.add_gridspec(3, len(shown) + 1)
    settled = cleaned_equilibrium(history.game)
    for column, index in enumerate(shown):
        label = f"generation {history.generation[index] + 1}"
        _map(figure.add_subplot(parts[0, column]), history.game, history.bets[index], f"A's bets\n{label}", column == 0)
        _map(
            figure.add_subplot(parts[1, column]), history.game, history.calls[index], f"B's calls\n{label}", column == 0
        )
    last = figure.add_subplot(parts[0, -1]), figure.add_subplot(parts[1, -1])
    for axes, table, choice in zip(last, (settled.bets, settled.calls), ("A's bets", "B's calls"), strict=True):
        scale = _map(axes, history.game, table, f"{choice}\nan equilibrium", False)
        figure.colorbar(scale, ax=axes, label="how often").ax.tick_params(labelsize=6)
    half = (len(shown) + 1) // 2
    gain, called = figure.add_subplot(parts[2, :half]), figure.add_subplot(parts[2, half:])
    gain.plot(history.generation + 1, history.gain, lw=0.8, color="#1d4f91")
    gain.axhline(float(equilibria.game_value(history.game)), color="#667085", ls="--", lw=0.8)
    gain.set(xlabel="generation", ylabel="A's average gain")
    called.plot(history.generation + 1, history.called, lw=0.8, color="#b42318")
    called.set(xlabel="generation", ylabel="how often B calls")
    for axes in (gain, called):
        axes.spines[["top", "right"]].set_visible(False)
    caption = (
        f"{title or history.game.name}: the script's four pictures at chosen generations, with an "
        "equilibrium that obeys the cleaning rule beside them. Dashed: the game's value."
    )
    curves: dict[str, Iterable[Any]] = {
        "generation": history.generation + 1,
        "gain": history.gain,
        "called": history.called,
    }
    curves |= {f"mean bet on {card + 1}": history.mean_bet[:, card] for card in range(history.game.cards)}
    curves |= {f"bets {card + 1} how often": history.bluffs[:, card] for card in range(history.game.cards)}
    context.picture(name, figure, caption, curves)


def _map(axes: "Axes", game: OneCard, table: Floats, title: str, labelled: bool) -> "AxesImage":
    image = axes.imshow(table.T, cmap="Blues", vmin=0, vmax=1, origin="lower", aspect="auto")
    axes.set_title(title, fontsize=8)
    axes.set_xticks(range(game.cards), [str(card + 1) for card in range(game.cards)], fontsize=6)
    axes.set_yticks(range(len(game.bets)), [str(bet) if labelled else "" for bet in game.bets], fontsize=6)
    axes.tick_params(length=1)
    if labelled:
        axes.set_ylabel("bet", fontsize=7)
    axes.set_xlabel("card", fontsize=7)
    return image
