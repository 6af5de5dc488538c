"""The atlas of styles, a trainer: MAP-Elites over VPIP, PFR and aggression, by chips against a fixed field.

1. The first generation is drawn; later ones are children of the archive's networks (`evolution.map_elites`).
2. Every child plays `screen` matches, the same deals for all. They give its cell by its style, and its chips. The child
   of each cell that won most, if that is more than the incumbent's value, is the cell's challenger.
3. Challengers and the incumbents of their cells play `fresh` matches, new deals that are the same for all. A
   challenger enters if its style on these lies in that cell again, and the cell is empty or the mean of its differences
   to the incumbent, match by match, is above `margin` standard errors. The incumbent's new matches enter its value.
4. After the last generation all networks play `final` matches on new deals: each is placed by its style on these, and
   where two meet, the one that won more stays. Those that stay play as many matches on further deals. Values and styles
   of the last ones alone are stated, since no choice was made by them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.analysis.style_matches import StyleSample, field_forms, measure
from cardwin.core.arrays import Floats, Ints
from cardwin.core.executor import Executor
from cardwin.core.files import write_atomic
from cardwin.core.rng import child, generator_of
from cardwin.core.trainer import Generation, PrimaryMetric, Record, State, digest_of
from cardwin.evolution.genome import Population
from cardwin.evolution.map_elites import CellArchive
from cardwin.players.network.atlas import ATLAS_SUFFIX, Atlas, StyleGrid, atlas_file
from cardwin.players.network.by_hand import varied
from cardwin.players.network.decision import Shape
from cardwin.players.network.networks import NetworkForm
from cardwin.runs.experiment import as_toml
from cardwin.runs.problems.style_atlas import StyleAtlasExperiment
from cardwin.runs.trainers.evolution import arrays_under
from cardwin.stats.intervals import mean_interval

BREEDING, SCREEN, FRESH, PLACING, STATING = range(5)  # children of a generation's key
POPULATION = "styles"


@dataclass(frozen=True, eq=False)
class Stated:
    """Networks after the final.

    Attributes:
        rows: Their rows of the archive (n,).
        cells: Their cells (n,).
        styles: Their styles (n, 3), as in an atlas.
        values: Their values with intervals (n, 3).
        before: The values that the archive had (n,).

    """

    rows: Ints
    cells: Ints
    styles: Floats
    values: Floats
    before: Floats


class StyleAtlas:
    """An archive of networks by style."""

    def __init__(self, experiment: StyleAtlasExperiment, executor: Executor) -> None:
        self.experiment, self.executor, self.game = experiment, executor, experiment.rules
        edges = experiment.grid
        self.grid = StyleGrid((edges.vpip, edges.pfr, edges.aggression))
        self.like = NetworkForm(np.zeros(Shape().weights, np.float32))
        self.field = field_forms(experiment.opponents)
        self.archive = CellArchive(self.like.shape.weights)
        self.generation = self.hands = 0
        self.stated: Stated | None = None

    # --- measuring -------------------------------------------------------------------------------------------------

    def _measure(self, networks: Iterable[Population], matches: int, key: int) -> list[StyleSample]:
        """Play matches of each network, all with the same deals."""
        keys = np.array([child(key, number) for number in range(matches)])
        forms = [NetworkForm(np.ascontiguousarray(genes, np.float32)).compiled for genes in networks]
        job = partial(measure, self.game, self.field, self.experiment.matches.deals, keys)
        samples = list(self.executor.map(job, forms))
        self.hands += len(samples) * matches * self.experiment.matches.deals * (1 + len(self.field))
        return samples

    def _cell(self, sample: StyleSample) -> int:
        style = sample.style
        return self.grid.cell_of((100 * style.vpip, 100 * style.pfr, style.aggression))

    def _mbb(self, sample: StyleSample) -> Floats:
        """Return the winnings in each match, in mbb per hand."""
        won: Floats = sample.chips / self.game.chips_per_unit
        return won

    # --- a generation ----------------------------------------------------------------------------------------------

    def step(self, key: int) -> Generation:
        """Return one generation: breed, screen, measure challengers and incumbents again, replace."""
        self.stated = None
        children = self._children(child(key, BREEDING))
        challengers = self._challengers(children, child(key, SCREEN))
        counted = self._challenge(children, challengers, child(key, FRESH))
        self.generation += 1
        if self.generation == self.experiment.generations:
            self.stated = self._final(key)
        return self._recorded({**counted, "challenged": len(challengers)})

    def _children(self, key: int) -> Population:
        if len(self.archive):
            variation = self.experiment.variation
            return self.archive.children(self.experiment.children, variation.sigma, variation.line, key)
        settings = self.experiment.first
        first = np.empty((settings.size, self.like.shape.weights), np.float32)
        for number in range(len(first)):
            rng = generator_of(child(key, number))
            by_hand = number < round(settings.by_hand * settings.size)
            first[number] = varied(rng) if by_hand else rng.uniform(-1, 1, first.shape[1])
        return first

    def _challengers(self, children: Population, key: int) -> dict[int, int]:
        """Return the best child of each cell that is above the cell's incumbent, by the cell's number."""
        best: dict[int, tuple[float, int]] = {}
        for number, sample in enumerate(self._measure(children, self.experiment.matches.screen, key)):
            cell, value = self._cell(sample), float(self._mbb(sample).mean())
            row = self.archive.row(cell)
            limit = best[cell][0] if cell in best else -np.inf if row is None else self.archive.values[row]
            if value > limit:
                best[cell] = value, number
        return {cell: number for cell, (_, number) in sorted(best.items())}

    def _challenge(self, children: Population, challengers: Mapping[int, int], key: int) -> dict[str, int]:
        """Measure challengers and incumbents on the same fresh deals, replace, and return the counts of outcomes."""
        rows = {cell: self.archive.row(cell) for cell in challengers}
        filled = [row for row in rows.values() if row is not None]
        networks = [*children[list(challengers.values())], *self.archive.genomes[filled]]
        matches = self.experiment.matches.fresh
        samples = self._measure(networks, matches, key)
        incumbents = dict(zip(filled, samples[len(challengers) :], strict=True))
        counted = dict.fromkeys(("misplaced", "entered", "replaced", "refused"), 0)
        for (cell, number), sample in zip(challengers.items(), samples, strict=False):
            row, won = rows[cell], self._mbb(sample)
            outcome = "entered"
            if row is not None:
                held = self._mbb(incumbents[row])
                outcome = "replaced" if significantly_above(won - held, self.experiment.margin) else "refused"
                self.archive.remeasure(cell, float(held.mean()), matches)
            if self._cell(sample) != cell:
                outcome = "misplaced"
            counted[outcome] += 1
            if outcome in ("entered", "replaced"):
                self.archive.put(cell, children[number], float(won.mean()), matches)
        return counted

    def _recorded(self, counted: Mapping[str, int]) -> Generation:
        archive = self.archive
        values = np.full(int(np.prod(self.grid.shape)), np.nan)
        values[archive.cells] = archive.values
        metrics: dict[str, float] = {
            "filled": float(len(archive)),
            "mean": float(archive.values.mean()) if len(archive) else 0.0,
            "best": float(archive.values.max()) if len(archive) else 0.0,
            "hands": float(self.hands),
            **{name: float(count) for name, count in counted.items()},
        }
        arrays = {"values": values}
        stated = self.stated
        known = [] if stated is None else [stated.rows, stated.cells, stated.styles, stated.values]
        digest = digest_of(*metrics.values(), *arrays.values(), archive.genomes, *known)
        primary = PrimaryMetric("filled cells", float(len(archive) if stated is None else len(stated.rows)))
        return Generation(primary, {POPULATION: metrics}, {POPULATION: arrays}, digest=digest)

    # --- the final -------------------------------------------------------------------------------------------------

    def _final(self, key: int) -> Stated:
        """Place all networks again, and then measure those that stay on further deals."""
        matches, archive = self.experiment.matches.final, self.archive
        best: dict[int, tuple[float, int]] = {}
        for row, sample in enumerate(self._measure(archive.genomes, matches, child(key, PLACING))):
            cell, value = self._cell(sample), float(self._mbb(sample).mean())
            if cell not in best or value > best[cell][0]:
                best[cell] = value, row
        cells = np.array(sorted(best), np.int64)
        rows = np.array([best[cell][1] for cell in cells.tolist()], np.int64)
        samples = self._measure(archive.genomes[rows], matches, child(key, STATING))
        intervals = [mean_interval(self._mbb(sample)) for sample in samples]
        styles = np.array([sample.style for sample in samples])
        values = np.array([(interval.mean, interval.low, interval.high) for interval in intervals])
        return Stated(rows, cells, styles, values, archive.values[rows])

    def atlas(self) -> Atlas:
        """Return the atlas after the final."""
        stated = self._finished()
        cells = np.array([self.grid.bins(cell) for cell in stated.cells.tolist()], np.int64)
        lineage = {"population": POPULATION, "experiment": as_toml(self.experiment.without_cluster)}
        return Atlas(
            self.grid, self.archive.genomes[stated.rows], cells, stated.styles, stated.values, self.like, lineage
        )

    def _finished(self) -> Stated:
        if self.stated is None:
            raise ValueError("an atlas is stated after its last generation")
        return self.stated

    # --- the contract of a run -------------------------------------------------------------------------------------

    def state(self) -> State:
        """Return the archive, and the results of the final after the last generation."""
        arrays = {f"archive.{name}": array for name, array in self.archive.state().items()}
        arrays["counts"] = np.array([self.generation, self.hands])
        if self.stated is not None:
            arrays |= {f"stated.{name}": array for name, array in vars(self.stated).items()}
        return arrays

    def load(self, state: State) -> None:
        """Restore a saved state."""
        self.archive.load(arrays_under("archive.", state))
        self.generation, self.hands = state["counts"].tolist()
        stated = arrays_under("stated.", state)
        self.stated = Stated(**stated) if stated else None

    def write_champions(self, folder: Path) -> list[Path]:
        """Write the atlas."""
        path = folder / f"{POPULATION}{ATLAS_SUFFIX}"
        write_atomic(path, atlas_file(self.atlas()))
        return [path]

    def answer(self, record: Record) -> dict[str, Any]:  # noqa: ARG002  not needed
        """Return the cells with their results in the final, the best first named."""
        atlas, stated = self.atlas(), self._finished()
        cells = atlas.as_json()["cells"]
        best = max(cells, key=lambda cell: float(cell["value"]))
        again = [self.grid.cell_of((100 * vpip, 100 * pfr, bold)) for vpip, pfr, bold in stated.styles.tolist()]
        return {
            "generations": self.generation,
            "game": self.experiment.game,
            "hands": self.hands,
            "best": [{"population": best["name"], "fitness": best["value"]}],
            "possible_cells": sum(map(self.grid.possible, range(int(np.prod(self.grid.shape))))),
            "in_their_cells_again": int((np.array(again) == stated.cells).sum()),
            "archived_minus_stated": float((stated.before - stated.values[:, 0]).mean()),
            "cells": cells,
        }


def significantly_above(differences: Floats, margin: float) -> bool:
    """Return whether the mean of paired differences (n,) is above zero by more than `margin` standard errors."""
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    return bool(differences.mean() > max(0.0, margin * error))
