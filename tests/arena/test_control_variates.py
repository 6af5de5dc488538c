"""Controls have mean zero, keep the mean of results, and take luck away."""

import numpy as np
import pytest

from cardwin.analysis.results import judge_match
from cardwin.arena.control_variates import CONTROLS, controls_of
from cardwin.arena.corrections import OWN, value_with_open_cards
from cardwin.arena.match import Match, makers_of, match
from cardwin.arena.seating import seating_of
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem import holdem_game
from cardwin.stats.controls import FIRST, controlled

NL = holdem_game("holdem-nl", {})


@pytest.mark.parametrize("seats", [2, 5])
def test_every_control_has_mean_zero(seats: int) -> None:
    rng = controls_of(seating_of(seats, "drawn", duplicate=False, key=3), seats, False, 5, 6, 0, 40_000)
    assert rng.shape == (40_000, seats, CONTROLS)
    for player in range(seats):
        errors = rng[:, player].mean(axis=0) / (rng[:, player].std(axis=0) / 200 + 1e-12)
        assert np.abs(errors).max() < 4.5
    assert rng[:, :, 1].sum(axis=1) == pytest.approx(0)


def test_the_mean_is_kept_where_it_is_known() -> None:
    """The same player in both seats wins nothing; a hundred corrected means scatter around that, by what they say."""
    means, errors = [], []
    for seed in range(100):
        record = match(NL, ["random", "random"], 2_000, seed, reduce_variance=True)
        means.append(record.adjusted[:, 0].mean())
        errors.append(record.adjusted[:, 0].std() / 2_000**0.5)
    assert abs(np.mean(means)) < 3.5 * np.mean(errors) / 10
    assert 0.75 < np.std(means) / np.mean(errors) < 1.3


@pytest.mark.parametrize("game", ["holdem-nl", "holdem-limit", "holdem-simple"])
def test_the_luck_of_decisions_has_mean_zero(game: str) -> None:
    played = Match(holdem_game(game, {}), makers_of(["random", "call-or-raise", "standard"]), 5, reduce_variance=True)
    played.play(20_000)
    rng = played._corrected
    errors = rng.mean(axis=0) / (rng.std(axis=0) / 20_000**0.5 + 1e-12)
    assert np.abs(errors).max() < 4
    assert (rng[:, 2, OWN] == 0).all()  # a standard's chances are not known
    assert rng[:, :2, OWN].std(axis=0).min() > 0.1


def test_a_decision_is_worth_what_the_open_cards_say() -> None:
    """Heads-up, blinds 50 and 100, the button holds the winner and faces 50: fold, call and the raise to 200."""
    t = NL.start(["7c2s", "AhAd"], "KhQd9s4c3d").tables[0]
    assert t["actor"] == t["button"] == 1
    values = [value_with_open_cards(np.array([1, 9]), t, seat, option) for seat in (1, 0) for option in range(3)]
    assert values == [-50, 100, 200, 50, -100, -200]


@pytest.mark.parametrize(
    ("specs", "saved"), [(["random", "call"], 20), (["random", "random"], 1.8), (["call", "raise"], 2)]
)
def test_luck_is_taken_away(specs: list[str], saved: int) -> None:
    plain = match(NL, specs, 20_000, seed=1)
    fewer = match(NL, specs, 20_000, seed=1, reduce_variance=True)
    assert (plain.chips == fewer.chips).all()
    assert fewer.adjusted[:, 0].var() * saved < plain.chips[:, 0].var()
    ours, theirs = judge_match(fewer).players[0], judge_match(plain).players[0]
    assert ours.ci95 < theirs.ci95
    assert abs(ours.mean - theirs.mean) < theirs.ci95 * 2


def test_corrections_rest_on_earlier_results_only() -> None:
    draw = generator_of(key_of(1, "controls"))
    rng = draw.normal(size=(4 * FIRST, 2))
    values = rng @ np.array([3.0, -1.0]) + draw.normal(size=4 * FIRST)
    whole, moved = controlled(values, rng)
    part, _ = controlled(values[: 2 * FIRST], rng[: 2 * FIRST])
    assert (whole[: 2 * FIRST] == part).all()
    assert (whole[:FIRST] == values[:FIRST]).all()
    assert whole[FIRST:].std() < 0.5 * values[FIRST:].std()
    assert moved == pytest.approx(np.abs(whole - values).max())


def test_duplicates_have_no_luck_of_cards_left() -> None:
    with pytest.raises(InputError, match="duplicate"):
        match(NL, ["call", "raise"], 100, seed=1, duplicate=True, reduce_variance=True)
