"""The algorithm in action (4): the script's pictures over the generations, and whether it learns to bluff."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwin.games.onecard import OneCard
from cardwin.lab import html
from cardwin.lab.papers import AGREES, NOT_PRINTED, Context, Finding
from cardwin.lab.papers.morsomme.hands import cell, the_game
from cardwin.lab.papers.trials import preset_with, spread, trials
from cardwin.lab.problems.small_game import experiment_of, seats
from cardwin.lab.run_data import RunData
from cardwin.solvers import answers
from cardwin.solvers.tree import Floats, Ints, Side, tree_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Course:
    """A run as the script shows it: how A bets (generations, cards, bets), when B calls, A's gain, B's calls."""

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
        """How often each card is bet, (generations, cards)."""
        free = self.game.bets.index(0)
        return 1 - self.bets[:, :, free]


def course_of(run: RunData) -> Course:
    """What a run's populations did on average."""
    game = the_game(experiment_of(run).game)
    tree = tree_of(game)
    bets = np.stack([as_bets(tree.sides[0], plan) for plan in seats(run)[0].arrays["average"]])
    calls = np.stack([as_calls(tree.sides[1], game, plan) for plan in seats(run)[1].arrays["average"]])
    called = np.einsum("gab,gcb->g", bets, calls) / game.cards**2
    return Course(game, seats(run)[0].generation, bets, calls, seats(run)[0].metrics["average_value"], called)


def as_bets(side: Side, plan: Floats) -> Floats:
    """A's plan as chances (cards, bets)."""
    order = np.argsort([int(text) for text in side.infosets])
    return np.stack([plan[side.layout[n, 1] : side.layout[n, 1] + side.layout[n, 2]] for n in order])


def as_calls(side: Side, game: OneCard, plan: Floats) -> Floats:
    """B's plan as chances of calling (cards, bets)."""
    table = np.zeros((game.cards, len(game.bets)))
    for text, (_, first, _) in zip(side.infosets, side.layout.tolist(), strict=True):
        card, bet = cell(text)
        table[card - 1, game.bets.index(bet)] = plan[first + 1]
    return table


def evolution(context: Context) -> Iterator[Finding]:
    """The algorithm in action (4): both games, the four pictures at chosen generations, the equilibrium beside."""
    seeds, last = context.pick(4, 10, 50, 20), context.pick(60, 500, 1000, 1000)
    for preset in ("morsomme-10", "morsomme"):
        changes = {"generations": last, "record_members": False}
        runs = trials([preset_with(preset, context.key(preset, n), changes) for n in range(seeds)], context.workers)
        courses = [course_of(run) for run in runs]
        game = courses[0].game
        _draw_course(context, courses[0])
        value = float(answers.game_value(game))
        ours = spread([course.gain[last // 2 :].mean() for course in courses])
        reason = f"A's average gain in the second half of {last} generations; the populations are not in equilibrium"
        verdict = NOT_PRINTED
        yield Finding(f"4: {game.name}, A's average gain", None, ours.mean, ours.ci95, value, verdict, reason)
        called = spread([course.called[last // 2 :].mean() for course in courses])
        settled = _equilibrium(game)
        exact = float((settled[0][:, None, :] * settled[1][None, :, :]).sum() / game.cards**2)
        reason = "of all hands, bets of 0 included, which it must call; exact: in one equilibrium"
        yield Finding(f"4: {game.name}, how often B calls", None, called.mean, called.ci95, exact, verdict, reason)
        context.say(answer(game, courses, last))
        yield from _bluffing(game, courses, last)
    yield _children(context)


def _equilibrium(game: OneCard) -> tuple[Floats, Floats]:
    tree, settled = tree_of(game), answers.equilibrium(game)
    return as_bets(tree.sides[0], settled.plan(0)), as_calls(tree.sides[1], game, settled.plan(1))


def answer(game: OneCard, courses: list[Course], last: int) -> str:
    """The script's question, answered in words."""
    ours = np.mean([course.bluffs[last // 2 :, 0].mean() for course in courses])
    right = 1 - _equilibrium(game)[0][0, game.bets.index(0)]
    learned = "Yes" if ours > 0.25 else "Hardly"
    return (
        f"Does it learn to bluff in {game.name}? {learned}: over the second half of {last} generations A bets its "
        f"lowest card {ours:.0%} of the time; an equilibrium does so {right:.0%} of the time. There is no saddle point "
        "among fixed strategies, so no single strategy is safe and the populations keep circling; only mixtures settle."
    )


def _bluffing(game: OneCard, courses: list[Course], last: int) -> Iterator[Finding]:
    right = 1 - _equilibrium(game)[0][:, game.bets.index(0)]
    for card in (1, 2):
        often = spread([course.bluffs[last // 2 :, card - 1].mean() for course in courses])
        amount = spread([course.mean_bet[last // 2 :, card - 1].mean() for course in courses])
        verdict = "it learns to bluff" if often.mean > 0.25 else "it hardly bluffs"
        if right[card - 1] == 0 and often.mean > 0.25:
            verdict = "it bets a card that no equilibrium bets"
        reason = (
            f"how often A bets card {card} in the second half, {amount.mean:.1f} on average; redraws alone keep "
            f"{0.05 * (1 - 1 / len(game.bets)):.0%} of the bets random"
        )
        name = f"1: {game.name}, does it learn to bluff with card {card}?"
        yield Finding(name, "asked", often.mean, often.ci95, float(right[card - 1]), verdict, reason)


def _children(context: Context) -> Finding:
    """Small bets for small cards after one generation?"""
    trial = [preset_with("morsomme", context.key("children", n), {"generations": 2}) for n in range(20)]
    courses = [course_of(run) for run in trials(trial, context.workers)]
    change = spread([course.mean_bet[1, 0] - course.mean_bet[0, 0] for course in courses])
    verdict = AGREES if change.ci95 is not None and change.ci95[1] < 0 else "not measured"
    reason = "change of the mean bet on card 1 from the first generation to the second, 20 seeds"
    return Finding("3.4.3: children bet small cards less", "less", change.mean, change.ci95, None, verdict, reason)


def _draw_course(context: Context, course: Course) -> None:
    shown = sorted({0, 1, *(len(course.generation) * k // 4 for k in (1, 2)), len(course.generation) - 1})
    figure = html.figure(11, 7.4)
    parts = figure.add_gridspec(3, len(shown) + 1)
    settled = _equilibrium(course.game)
    for column, place in enumerate(shown):
        label = f"generation {course.generation[place] + 1}"
        _map(figure.add_subplot(parts[0, column]), course.game, course.bets[place], f"A's bets\n{label}", column == 0)
        _map(figure.add_subplot(parts[1, column]), course.game, course.calls[place], f"B's calls\n{label}", column == 0)
    _map(figure.add_subplot(parts[0, -1]), course.game, settled[0], "A's bets\nan equilibrium", False)
    _map(figure.add_subplot(parts[1, -1]), course.game, settled[1], "B's calls\nan equilibrium", False)
    half = (len(shown) + 1) // 2
    gain, called = figure.add_subplot(parts[2, :half]), figure.add_subplot(parts[2, half:])
    gain.plot(course.generation + 1, course.gain, lw=0.8, color="#1d4f91")
    gain.axhline(float(answers.game_value(course.game)), color="#667085", ls="--", lw=0.8)
    gain.set(xlabel="generation", ylabel="A's average gain")
    called.plot(course.generation + 1, course.called, lw=0.8, color="#b42318")
    called.set(xlabel="generation", ylabel="how often B calls")
    for axes in (gain, called):
        axes.spines[["top", "right"]].set_visible(False)
    caption = (
        f"{course.game.name}: the script's four pictures at chosen generations, darker is more often, with an "
        "equilibrium beside them. Dashed: the game's value."
    )
    curves: dict[str, Iterable[Any]] = {
        "generation": course.generation + 1,
        "gain": course.gain,
        "called": course.called,
    }
    curves |= {f"mean bet on {card + 1}": course.mean_bet[:, card] for card in range(course.game.cards)}
    curves |= {f"bets {card + 1} how often": course.bluffs[:, card] for card in range(course.game.cards)}
    context.picture(f"evolution-{course.game.name}", figure, caption, curves)


def _map(axes: "Axes", game: OneCard, table: Floats, title: str, labelled: bool) -> None:
    axes.imshow(table.T, cmap="Blues", vmin=0, vmax=1, origin="lower", aspect="auto")
    axes.set_title(title, fontsize=8)
    axes.set_xticks(range(game.cards), [str(card + 1) for card in range(game.cards)], fontsize=6)
    axes.set_yticks(range(len(game.bets)), [str(bet) if labelled else "" for bet in game.bets], fontsize=6)
    axes.tick_params(length=1)
    if labelled:
        axes.set_ylabel("bet", fontsize=7)
    axes.set_xlabel("card", fontsize=7)


def steps_beyond(context: Context) -> Iterator[Finding]:
    """What the script left for another one: strategies with chance in them; and no cleaning."""
    last, seeds = context.pick(100, 400, 1000, 1000), context.pick(4, 8, 20, 20)
    ends = {}
    for preset in ("morsomme", "morsomme-unclean", "morsomme-stochastic", "morsomme-hall"):
        changes = {"generations": last, "record_members": False}
        runs = trials([preset_with(preset, context.key(preset, n), changes) for n in range(seeds)], context.workers)
        ends[preset] = runs
        for what, column in (
            ("population's average", "average_exploitability"),
            ("hall of fame", "hall_exploitability"),
        ):
            gaps = [np.mean([s.metrics[column][last // 2 :].mean() for s in seats(run).values()]) for run in runs]
            ours = spread([float(gap) for gap in gaps])
            reason = f"what a seat gives away to a perfect opponent, mean of the second half of {last} generations"
            name = f"beyond: {runs[0].experiment.title}, exploitability of the {what}"
            yield Finding(name, None, ours.mean, ours.ci95, 0.0, NOT_PRINTED, reason)
    _draw_steps(context, ends)


def _draw_steps(context: Context, ends: dict[str, list[RunData]]) -> None:
    figure = html.figure(8, 3.4)
    axes = figure.subplots()
    curves: dict[str, Iterable[Any]] = {}
    for (preset, runs), colour in zip(ends.items(), ("#1d4f91", "#9a5b00", "#b42318", "#2e7d4f"), strict=True):
        line = np.mean([s.metrics["hall_exploitability"] for s in seats(runs[0]).values()], axis=0)
        axes.plot(line, lw=1, color=colour, label=runs[0].experiment.title)
        curves[preset] = line
    axes.set(xlabel="generation", ylabel="exploitability of the champions' average", yscale="log")
    axes.legend(fontsize=7, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    context.picture("beyond", figure, "Four ways to go on: how exploitable the average of all champions is.", curves)
