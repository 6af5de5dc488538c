"""AIVAT: every correction has mean zero, the mean of results is kept, variance falls, and bounds hold."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from cardwin.arena.corrections import BOUND, COLUMNS, OTHERS, OWN, check_down_value
from cardwin.arena.independent_hands import CompiledHands, Plan
from cardwin.arena.live_hands import LiveHands
from cardwin.arena.match import MatchOptions, match
from cardwin.arena.value_function import PLAIN_WEIGHTS, chosen_weights, fitted_weights, plain_function
from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem import HoldemGame, holdem_game
from cardwin.players.registry import makers_of
from cardwin.results.match import judge_match
from support import answer

NL, LIMIT = holdem_game("holdem-nl", {}), holdem_game("holdem-limit", {})


def played(
    game: HoldemGame, specs: Sequence[str], hands: int, bound: float | None = None, live: bool = False
) -> tuple[Floats, Floats]:
    """What corrections by the plain value function took from results, in big blinds, and their columns."""
    weights, seats = plain_function(game, len(specs)).weights, len(specs)
    if bound is not None:
        weights[:, BOUND] = bound
    plan = Plan(game, makers_of(specs), 5, adjust=True, in_python=live, weights=weights)
    chips, adjusted, plain = np.zeros((hands, seats), np.int64), np.zeros((hands, seats)), np.zeros((hands, seats))
    columns = np.zeros((hands, seats, COLUMNS))
    players = [make() for make in plan.makers]
    if live:
        LiveHands(plan, players, 1, None).play(0, chips, adjusted, lambda _: None, False)
    else:
        CompiledHands(plan, players, 1).play(0, chips, adjusted, lambda _: None, True, columns)
    CompiledHands(replace(plan, weights=weights[:0]), [make() for make in plan.makers], 1).play(
        0, chips, plain, lambda _: None, True
    )
    return (plain - adjusted) / game.min_bet, columns


def worst_z(columns: Floats) -> float:
    """The largest mean in units of its standard error; columns of zeros have none."""
    return float(np.abs(columns.mean(axis=0) / (columns.std(axis=0) / len(columns) ** 0.5 + 1e-12)).max())


@pytest.mark.parametrize(
    ("game", "specs"),
    [("holdem-nl", ["random", "standard"]), ("holdem-limit", ["blind:call=.3,raise=.6", "random", "call-or-raise"]),
     ("holdem-simple", ["random", "call-or-raise"])],
)  # fmt: skip
def test_every_correction_has_mean_zero(game: str, specs: list[str]) -> None:
    hands = 3_000 if game == "holdem-simple" else 10_000
    moved, columns = played(holdem_game(game, {}), specs, hands)
    assert worst_z(columns) < 4.2
    assert worst_z(moved) < 4.2
    assert columns[:, 0, OWN].std() > 0.1  # the first player draws
    if "standard" in specs:
        assert not columns[:, 1, OWN:OTHERS].any()  # a standard never does


def test_no_sum_exceeds_the_bound_and_the_mean_stays_zero() -> None:
    """With a bound of two big blinds many corrections are left out."""
    free, _ = played(NL, ["random", "call-or-raise"], 20_000)
    bounded, _ = played(NL, ["random", "call-or-raise"], 20_000, bound=2.0)
    assert np.abs(free).max() > 4
    assert np.abs(bounded).max() <= 2 + 1e-9
    assert worst_z(bounded) < 4


def test_a_decision_is_worth_what_checking_down_gives() -> None:
    """Heads-up, blinds 50 and 100, the button wins 80% of the pots and faces 50: fold, call and the raise to 200."""
    t = NL.start(["7c2s", "AhAd"], "KhQd9s4c3d").tables[0]
    assert t["actor"] == t["button"] == 1
    shares = np.array([0.2, 0.8])
    values = [check_down_value(shares, t, seat, option, 200) for seat in (1, 0) for option in range(3)]
    assert values == pytest.approx([-50, 60, 120, 50, -60, -120])


def test_tables_in_python_correct_the_same() -> None:
    specs = ["call", "raise", "standard"]
    compiled, _ = played(NL, specs, 60)
    live, _ = played(NL, specs, 60, live=True)
    assert np.array_equal(compiled, live)
    assert compiled.any()


def test_a_network_called_in_python_says_its_chances() -> None:
    moved, columns = played(NL, ["net:by-hand", "call"], 400)
    live, _ = played(NL, ["net:by-hand", "call"], 400, live=True)
    assert columns[:, 0, OWN:].any()
    assert worst_z(live) < 4.2
    assert np.corrcoef(moved[:, 0], live[:, 0])[0, 1] > 0.5  # equal but for the size of a raise


def test_the_mean_is_kept_where_it_is_known() -> None:
    """The same player in both seats wins nothing; a hundred corrected means scatter around that, by what they say."""
    values = (
        match(NL, ["random", "random"], 100_000, 1, options=MatchOptions(reduce_variance=True))
        .adjusted[:, 0]
        .reshape(100, -1)
    )
    means, errors = values.mean(axis=1), values.std(axis=1) / values.shape[1] ** 0.5
    assert abs(means.mean()) < 3.5 * errors.mean() / 10
    assert 0.75 < means.std() / errors.mean() < 1.3


@pytest.mark.parametrize(
    ("specs", "saved"), [(["random", "call"], 100), (["random", "random"], 2.5), (["call", "raise"], 1000)]
)
def test_variance_falls(specs: list[str], saved: int) -> None:
    plain = match(NL, specs, 10_000, seed=1)
    fewer = match(NL, specs, 10_000, seed=1, options=MatchOptions(reduce_variance=True))
    assert (plain.chips == fewer.chips).all()
    assert plain.digest == fewer.digest
    assert fewer.adjusted[:, 0].var() * saved < plain.chips[:, 0].var()
    assert np.abs(fewer.adjusted - fewer.chips).max() <= fewer.moved  # nobody is all-in here
    ours, theirs = judge_match(fewer).players[0], judge_match(plain).players[0]
    assert ours.ci95 < theirs.ci95
    assert abs(ours.mean - theirs.mean) < theirs.ci95 * 2


def test_the_value_function_is_fixed_before_the_match() -> None:
    """Its name depends on game and players, not on the cards, and stands in the result with the plain one."""
    words = ("match", "random", "call", "--hands", "300", "--reduce-variance")
    one, other = answer(*words, "--seed", "1"), answer(*words, "--seed", "2")
    assert one["variance_reduction"] == other["variance_reduction"]
    assert one["variance_reduction"]["pilot_hands"] > 0
    assert one["players"][0]["plain"]["mean"] != one["players"][0]["mean"]
    plain = answer("match", "random", "call", "--hands", "300", "--seed", "1")["players"][0]
    assert one["players"][0]["plain"] == {name: plain[name] for name in one["players"][0]["plain"]}
    others = (["call", "raise"], ["call", "call"])
    names = {match(NL, specs, 10, 1, options=MatchOptions(reduce_variance=True)).value_function for specs in others}
    assert len(names | {one["variance_reduction"]["value_function"]}) == 3


def test_weights_are_found_again() -> None:
    draw = generator_of(key_of(1, "weights"))
    columns = draw.normal(size=(4_000, COLUMNS))
    weights = PLAIN_WEIGHTS + draw.normal(size=COLUMNS)
    found = fitted_weights(columns @ weights + draw.normal(size=4_000), columns)
    assert np.abs(found - weights).max() < 0.2
    assert np.abs(fitted_weights(np.zeros(2), np.zeros((2, COLUMNS))) - PLAIN_WEIGHTS).max() == 0


def test_corrections_that_do_not_help_are_left_out_before_play() -> None:
    draw = generator_of(key_of(2, "weights"))
    columns = draw.normal(size=(4_000, COLUMNS))
    helpful, noise = columns @ PLAIN_WEIGHTS + draw.normal(size=4_000), draw.normal(size=4_000) / 1_000
    assert chosen_weights(helpful, columns).any()
    assert not chosen_weights(noise, 1e-3 * columns * np.where(np.arange(4_000) < 2_000, 1, 1_000)[:, None]).any()


def test_decisions_of_blueprints_are_corrected() -> None:
    """Their probabilities are known, so that their decisions are events like those of networks."""
    taken, columns = played(LIMIT, ["cfr:limit", "call"], 2_000)
    assert columns[:, 0, OWN:OTHERS].std() > 0.1
    assert abs(taken[:, 0].mean()) < 4 * taken[:, 0].std() / 2_000**0.5


def test_intervals_at_any_stop_use_the_bound() -> None:
    record = match(
        NL, ["random", "raise"], 20_000, seed=1, options=MatchOptions(reduce_variance=True, until_certain=True)
    )
    assert record.certain
    found = judge_match(record).players[0]
    assert found.method == "any stop"
    assert found.low < -3_130 < found.high


def test_duplicates_have_no_noise_of_cards_left() -> None:
    with pytest.raises(InputError, match="duplicate"):
        match(NL, ["call", "raise"], 100, seed=1, options=MatchOptions(duplicate=True, reduce_variance=True))
