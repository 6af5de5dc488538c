"""The report of an evolution of hold'em players.

It shows curves, style over the generations, the champion's actions before the flop, and its results against its
ancestors.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.arena.match import play_match
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.core.report_parts import Cell, Grid, Heading, Part, Picture, Text
from cardwin.core.rng import key_of
from cardwin.players.kind import HoldemPlayer
from cardwin.players.network.files import SUFFIX, load_network
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.network.preflop import SITUATIONS, preflop_chances
from cardwin.players.robots.robot import matrix_player
from cardwin.reports import html
from cardwin.reports.network_pictures import influence_picture, preflop_picture
from cardwin.runs.problems.tournament import TournamentEvolutionExperiment, form_of
from cardwin.runs.problems.tournament.problem import matrix_of
from cardwin.runs.reader import RunData, Series
from cardwin.stats.intervals import mean_interval

COLOURS = ("#b42318", "#1d4f91", "#1a7f4b", "#9a5b00")
ANCESTORS = 8
MIN_GENERATIONS = 4  # of the second half, for a statement on selection
HANDS = 2000  # of each pair of champions, in both seats
FITNESS = {
    "place": "minus the mean place",
    "hands": "hands won per tournament",
    "chips": "mbb per hand",
    "wins": "share of tournaments won",
    "mixed": "place, wins and heads-up chips in a mixed field",
}


@dataclass(frozen=True, eq=False)
class Report:
    """A run and the folder of its pictures."""

    data: RunData
    experiment: TournamentEvolutionExperiment
    pictures: Path

    def member(self, genes: Any) -> HoldemPlayer:
        """Return a recorded genome as a player."""
        if self.experiment.player == "network":
            return NetworkPlayer(form_of(self.experiment, genes))
        return matrix_player(matrix_of(genes), {"rollouts": str(self.experiment.matrix.rollouts)})


def champion_at(data: RunData, index: int) -> dict[str, Any]:
    """Return the champions of a recorded generation.

    Networks are shown by their actions before the flop with all 169 classes, (169, 3) for each situation; matrix
    players by their matrix.
    """
    report, players = _report(data, Path()), []
    for name, series in data.populations.items():
        (genes,) = data.store.arrays(name, "champion", int(series.generation[index]))
        champion: dict[str, Any] = {"name": name}
        if report.experiment.player == "network":
            form = form_of(report.experiment, genes)
            champion["grids"] = [
                {"title": situation.title, "chances": np.round(preflop_chances(form, situation), 3).tolist()}
                for situation in SITUATIONS
            ]
        else:
            champion["matrix"] = np.round(matrix_of(genes), 3).tolist()
        players.append(champion)
    return {"players": players, "classes": list(CLASS_NAMES)}


def _report(data: RunData, pictures: Path) -> Report:
    if not isinstance(data.experiment, TournamentEvolutionExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    return Report(data, data.experiment, pictures)


def parts(data: RunData, pictures: Path) -> Iterator[Part]:
    """Return the parts of the report."""
    return _parts(_report(data, pictures))


def _parts(report: Report) -> Iterator[Part]:
    """Yield the report, part by part."""
    yield _facts(report)
    if not report.data.generations:
        yield Text("No generation is recorded yet.")
        return
    yield Heading("How it went")
    series = report.data.populations
    yield _curves(
        report,
        "outlived",
        {"best_outlived": "best", "mean_outlived": "mean", "hall_outlived": "hall"},
        "The share of the field that members outlasted, averaged over the tournaments: an average member has one half. "
        "The field improves with them, so a flat line does not mean no progress.",
    )
    if report.experiment.fitness == "mixed":
        yield _curves(
            report,
            "results",
            {"best_outlived": "outlasted", "best_wins": "tournaments won", "best_heads_up": "heads-up"},
            "The search's average: opponents outlasted, tournaments won, and heads-up results (tanh, 1 at most). The "
            "hall improves with it.",
        )
    else:
        yield _curves(
            report, "chips", {"best_mbb": "best"}, "What the best won, in thousandths of a big blind per hand."
        )
    yield from _selection(report)
    if report.experiment.player == "network":
        yield _curves(
            report,
            "style",
            {
                "plays_first": "plays first to act",
                "plays_button": "plays on the button",
                "raises_first": "raises first to act",
                "raises_button": "raises on the button",
            },
            "The style of each generation's best before the flop: how many of all hands it plays and raises.",
        )
    if report.data.answer is not None:
        for name in series:
            yield from _champion(report, name, series[name])


def _selection(report: Report) -> Iterator[Part]:
    """Show whether fitness was skill or chance: its reliability, and how far the members still differ."""
    for name, series in report.data.populations.items():
        if "reliability" in series.metrics:
            yield Text(f"{name}: {selection_text(np.asarray(series.metrics['reliability'], np.float64))}")
    if any("spread" in series.metrics for series in report.data.populations.values()):
        yield _curves(
            report,
            "selection",
            {"reliability": "reliability of fitness", "spread": "spread of the genes"},
            "Reliability of fitness: 0 is chance, 1 is skill (by halves of each generation's tournaments). Spread: the "
            "mean standard deviation of a weight over the members.",
        )


def selection_text(reliabilities: npt.NDArray[np.float64]) -> str:
    """Return whether selection was above chance, in a sentence; by the generations of the second half."""
    late = reliabilities[len(reliabilities) // 2 :]
    late = late[np.isfinite(late)]
    if len(late) < MIN_GENERATIONS:
        return "too few generations to say whether selection was above chance."
    result = mean_interval(late)
    verdict = "selection was above chance" if result.low > 0 else "selection was not shown to be above chance"
    return (
        f"{verdict}: the reliability of fitness was {result.mean:.2f} ({result.low:.2f} to {result.high:.2f}) in the "
        f"second half of the generations, so about {max(result.mean, 0):.0%} of the differences between members were "
        "skill."
    )


def _facts(report: Report) -> Grid:
    experiment, answer = report.experiment, report.data.answer
    populations, hall = experiment.populations, experiment.hall.capacity
    rows: dict[str, Cell] = {
        "game": f"{experiment.game}, blinds times {experiment.structure.growth:g} every {experiment.structure.every} "
        "hands",
        "players": f"{' and '.join(populations)}: {experiment.population.size:,} {experiment.player} players each",
        "survivors, which breed": f"{experiment.survivors:,} of each population",
        "hall of fame": f"up to {hall:,} of each population" if hall else "none",
        "generations": f"{report.data.generations:,} of {experiment.tournaments:,} tournaments",
        "fitness": FITNESS[experiment.fitness],
        "searcher": experiment.searcher,
        "seed": str(experiment.seed),
    }
    if answer:
        rows |= {
            "champions": ", ".join(Path(path).name for path in answer["champions"]),
            "digest": answer["digest"],
        }
        finals = [best for best in answer["best"] if "low" in best]
        rows |= {f"{best['population']}'s champion in the final": _stated(best) for best in finals}
    else:
        rows["state"] = report.data.state
    return html.facts(rows)


def _stated(best: Mapping[str, Any]) -> str:
    return f"{best['fitness']:.3f} (95% interval {best['low']:.3f} to {best['high']:.3f}), by fresh tournaments"


def _curves(report: Report, name: str, lines: Mapping[str, str], caption: str) -> Picture:
    figure = html.figure(9, 3.4)
    axes = figure.subplots()
    data: dict[str, Iterable[Any]] = {}
    styles = ("-", "--", ":", "-.")
    for colour, (population, series) in zip(COLOURS * 8, report.data.populations.items(), strict=False):
        data["generation"] = series.generation
        for style, (column, label) in zip(styles, lines.items(), strict=False):
            if column in series.metrics:
                values = np.asarray(series.metrics[column], np.float64)
                axes.plot(series.generation, values, style, lw=1.2, color=colour, label=f"{population}: {label}")
                data[f"{population}: {label}"] = values
    axes.set(xlabel="generation", ylabel=name)
    html.legend_outside(figure, axes, 2)
    axes.spines[["top", "right"]].set_visible(False)
    return html.save(report.pictures, name, figure, caption, data)


def _champion(report: Report, name: str, series: Series) -> Iterator[Part]:
    yield Heading(f"What {name} became")
    if report.experiment.player == "network":
        # The file and not the last generation's best: a final may have chosen another.
        form = load_network(report.data.folder / "champions" / f"{name}{SUFFIX}").form
        yield preflop_picture(report.pictures, f"preflop-{name}", form)
        yield influence_picture(report.pictures, f"influence-{name}", form, report.experiment.rules)
    yield _ancestors(report, name, series)


def _ancestors(report: Report, name: str, series: Series) -> Picture:
    """Draw champions of some generations heads-up against each other, to show whether the last one has forgotten."""
    chosen = np.unique(np.linspace(0, len(series.generation) - 1, ANCESTORS).astype(np.int64))
    genes = series.arrays["champion"]
    table = np.zeros((len(chosen), len(chosen)))
    for row in range(len(chosen)):
        for column in range(row):
            pair = genes[chosen[row]], genes[chosen[column]]
            table[row, column] = heads_up(report, *pair, key_of(1, name, row, column))
            table[column, row] = -table[row, column]
    generations = series.generation[chosen].tolist()
    figure = html.figure(6.4, 5)
    axes = figure.subplots()
    limit = float(np.abs(table).max()) or 1.0
    image = axes.imshow(table, cmap="RdBu", vmin=-limit, vmax=limit)
    axes.set_xticks(range(len(chosen)), generations)
    axes.set_yticks(range(len(chosen)), generations)
    axes.set(xlabel="opponent's generation", ylabel="champion's generation")
    for row in range(len(chosen)):
        for column in range(len(chosen)):
            axes.text(column, row, f"{table[row, column]:.0f}", ha="center", va="center", fontsize=7)
    figure.colorbar(image, ax=axes, shrink=0.8, label="mbb per hand")
    data: dict[str, Iterable[Any]] = {"generation": generations}
    data |= {str(generation): table[:, column] for column, generation in enumerate(generations)}
    caption = (
        f"{name.capitalize()}'s champions heads-up, {2 * HANDS:,} hands per pair with 100 big blinds, in both seats, "
        "in mbb per hand for the row. A row without forgetting is blue to the left of the diagonal."
    )
    return html.save(report.pictures, f"ancestors-{name}", figure, caption, data)


def heads_up(report: Report, genes: Any, opponent: Any, key: int) -> float:
    """Return what the first genome wins from the second, in mbb per hand, with the same cards in both seats."""
    game = report.experiment.rules
    first = play_match(game, [report.member(genes), report.member(opponent)], HANDS, key)[:, 0]
    second = play_match(game, [report.member(opponent), report.member(genes)], HANDS, key)[:, 1]
    return mean_interval((first + second) / 2, game.chips_per_unit).mean
