"""Range grids: exact chances are those of many samples, samples have intervals, and nothing depends on time."""

import numpy as np
import pytest

from cardwin.analysis import range_grid
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, draw_uniform
from cardwin.games.base import Action
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.holdem.view import HoldemView
from cardwin.players.registry import player

LIMIT, NO_LIMIT = holdem_game("holdem-limit", {}), holdem_game("holdem-nl", {})
SPOTS = [(LIMIT, 2, (), ""), (LIMIT, 2, ("raise 20", "call", "check"), "AsTh2c"), (NO_LIMIT, 3, ("call", "call"), "")]


def shares(cells: list[dict[str, object]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Plays (169, 3), 0 where a hand is never here, and reach as the last column."""
    rows = [[*(cell["plays"] or (0, 0, 0)), cell["reach"] or 0] for cell in cells]  # type: ignore[misc]
    return np.array(rows, np.float64)


@pytest.mark.parametrize("spec", ["standard", "loki", "xcs:caller-beater"])
@pytest.mark.parametrize(("game", "seats", "line", "board"), SPOTS)
def test_a_player_without_chance_does_what_its_exact_grid_says(
    spec: str, game: HoldemGame, seats: int, line: tuple[str, ...], board: str
) -> None:
    found, state = range_grid.situation(game, seats, line, board)
    exact = range_grid.grid_of(player(spec), found, state)
    assert exact.exact
    assert exact.samples == 0
    every = range_grid.sampled_cells(player(spec), found, state, 12)  # a class has 12 combos at most
    assert np.abs(shares(exact.cells) - shares(every)).max() < 0.35, (
        "samples take combos in turn, not all equally often"
    )
    always = [place for place, cell in enumerate(exact.cells) if cell["plays"] and max(cell["plays"]) == 1]
    assert len(always) > 8
    assert all(every[place]["plays"] == exact.cells[place]["plays"] for place in always if every[place]["plays"])


@pytest.mark.parametrize("spec", ["random", "blind:call=.2,raise=.5", "net:by-hand", "net:large-hof", "cfr:limit"])
def test_exact_chances_are_those_of_many_samples(spec: str) -> None:
    found, state = range_grid.situation(LIMIT, 2, ("call", "check"), "AsTh2c")
    exact = range_grid.grid_of(player(spec), found, state)
    assert exact.exact
    sampled = range_grid.sampled_cells(player(spec), found, state, 30)
    pairs = [
        (one["plays"][place], other["low"][place], other["high"][place])
        for one, other in zip(exact.cells, sampled, strict=True)
        if one["plays"] and other["came"] >= 10
        for place in range(3)
    ]
    covered = np.mean([low - 1e-9 <= value <= high + 1e-9 for value, low, high in pairs])
    assert len(pairs) > 60
    assert covered > 0.93, f"{covered:.3f} of {len(pairs)} intervals contain the exact chance"
    for cell in exact.cells:
        assert cell["plays"] is None or sum(cell["plays"]) == pytest.approx(1)


def test_samples_are_counted_have_intervals_and_are_the_same_every_time() -> None:
    found, state = range_grid.situation(NO_LIMIT, 2, (), "")
    first, again = (range_grid.grid_of(player("matrix"), found, state, 8) for _ in range(2))
    assert not first.exact
    assert first.samples == 8
    assert first.cells == again.cells
    for cell in first.cells:
        assert cell["came"] == 8
        assert all(low <= at <= high for low, at, high in zip(cell["low"], cell["plays"], cell["high"], strict=True))
        assert max(cell["high"][place] - cell["low"][place] for place in range(3)) > 0.3
    more = range_grid.grid_of(player("matrix"), found, state, 32)
    assert more.samples == 32
    assert more.cells[0]["came"] == 32


def test_samples_are_limited_by_count_and_not_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(range_grid, "MAX_SAMPLES", 16)
    found, state = range_grid.situation(LIMIT, 2, ("call", "check"), "AsTh2c")
    grid = range_grid.grid_of(Undecided(), found, state, 10_000)
    assert grid.samples == 8, "it is its second turn"
    assert max(cell["came"] for cell in grid.cells) > grid.samples / 4


class Undecided:
    """Calls half the time, and does not say so."""

    def act(self, view: HoldemView, rng: Stream) -> Action:
        return view.legal_actions[0 if draw_uniform(rng) < 0.5 else min(1, len(view.legal_actions) - 1)]


def test_a_blueprint_says_that_a_game_is_not_its_own() -> None:
    found, state = range_grid.situation(LIMIT, 3, (), "")
    with pytest.raises(InputError, match="heads-up"):
        range_grid.grid_of(player("cfr:limit"), found, state)
