"""The archive of MAP-Elites: cells, values that may fall, saved states, and search that beats random search."""

import numpy as np
import pytest

from cardwin.core.rng import generator_of
from cardwin.evolution.map_elites import CellArchive, CellGrid

GRID = CellGrid(((10, 20, 40), (1, 2)))


def test_numbers_lie_in_the_bins_between_edges() -> None:
    assert GRID.shape == (4, 3)
    for descriptor, bins in (
        ((0, 0), (0, 0)),
        ((9.99, 1), (0, 1)),
        ((10, 1.99), (1, 1)),
        ((1e9, float("inf")), (3, 2)),
    ):
        assert GRID.bins(GRID.cell_of(descriptor)) == bins
    assert sorted(GRID.number(GRID.bins(cell)) for cell in range(12)) == list(range(12))


def test_the_nearest_cell_is_the_fewest_bins_away() -> None:
    others = [GRID.number((0, 0)), GRID.number((3, 2)), GRID.number((2, 1))]
    assert GRID.nearest(GRID.number((3, 1)), others) == GRID.number((3, 2))
    assert GRID.nearest(GRID.number((1, 0)), others) == GRID.number((0, 0))


def archive_of(rows: int = 5) -> CellArchive:
    archive = CellArchive(7)
    for row, genome in enumerate(generator_of(1).normal(size=(rows, 7))):
        archive.put(3 * row % 11, genome, float(row), 4)
    return archive


def test_a_cell_holds_one_genome_and_its_value_may_fall() -> None:
    archive = archive_of()
    archive.put(3, np.full(7, 2.0), 100.0, 4)
    assert len(archive) == 5
    place = archive.row(3)
    assert place is not None
    assert archive.genomes[place].tolist() == [2.0] * 7
    archive.remeasure(3, 0.0, 12)
    assert (archive.values[place], archive.samples[place]) == (25.0, 16)
    assert archive.row(10) is None
    with pytest.raises(ValueError, match="empty"):
        archive.remeasure(10, 0.0, 1)


def test_saved_equals_loaded_and_children_depend_on_their_number_alone() -> None:
    archive, again = archive_of(), CellArchive(7)
    saved = archive.state()
    archive.remeasure(3, 50.0, 4)
    again.load(saved)
    assert again.values.tolist() == archive_of().values.tolist()
    many, few = archive.children(9, 0.3, 0.2, 5), again.children(4, 0.3, 0.2, 5)
    assert many.dtype == np.float32
    assert many[:4].tolist() == few.tolist()
    assert many.tolist() != archive.children(9, 0.3, 0.2, 6).tolist()


def test_it_comes_three_times_as_close_to_every_cells_optimum_as_random_search() -> None:
    """The first two genes are the descriptor, and the optimum of every cell is 0 in all others."""
    grid = CellGrid(((-0.5, 0, 0.5),) * 2)

    def filled(search: bool) -> CellArchive:
        archive = CellArchive(12, np.float64)
        for generation in range(60):
            rng = generator_of(100 + generation)
            asked = (
                archive.children(50, 0.3, 0.2, generation) if search and generation else rng.uniform(-1, 1, (50, 12))
            )
            for genome in asked:
                cell, value = grid.cell_of(genome[:2]), -float((genome[2:] ** 2).sum())
                place = archive.row(cell)
                if place is None or value > archive.values[place]:
                    archive.put(cell, genome, value, 1)
        return archive

    found, random = filled(True), filled(False)
    assert len(found) == len(random) == 16
    assert found.values.mean() > random.values.mean() / 3
