"""Studies of López Pozuelo (2015): what explains its figures."""

from fractions import Fraction

import numpy as np
import pytest

import lopez_pozuelo_explained as explained
from cardwin.papers.lopez_pozuelo import published


def test_the_search_finds_who_called_ten_half_of_the_time() -> None:
    case = next(one for one in published.BREADTH.cases if one.won == 1.24)
    changes = list(explained.single_changes("kuhn-breadth", case))
    assert len(changes) == 72
    reach = [(change.gene, change.value) for change in changes if change.reaches(1.24)]
    fit = [(change.gene, change.value) for change in changes if change.reaches(1.24) and not change.contradicted]
    assert ("B10_Q", Fraction(1)) in reach
    assert fit == [("C10_J", Fraction(1, 2)), ("C10_Q", Fraction(1, 2))]


def test_the_search_finds_the_chromosome_that_earns_the_mixed_player_s_averages() -> None:
    ((names, values),) = explained.chromosomes_that_fit(published.MIXED_1)
    assert names == ("B_J", "C_Q")
    assert values.mean(axis=0) == pytest.approx([0.11, 0.25], abs=0.01)


def test_how_many_matches_have_a_luckiest_so_far_up() -> None:
    drawn = np.random.default_rng(1).standard_normal((500, 1000)).max(axis=1)
    assert explained.best_of(float(np.median(drawn))) == pytest.approx(1000, rel=0.15)
