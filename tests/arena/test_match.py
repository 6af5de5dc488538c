"""Matches: exact where they can be, the same however they are played, and honest about luck."""

import numpy as np
import pytest

from cardwin.arena import match as match_module
from cardwin.arena.match import Listeners, Match, MatchOptions, match, play_match
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import makers_of, player
from cardwin.results.match import judge_match, plan_match

GAMES = ["holdem-nl", "holdem-limit", "holdem-simple"]
NL = holdem_game("holdem-nl", {})


@pytest.mark.parametrize("game", GAMES)
def test_the_same_player_against_itself_in_duplicate_is_exactly_even(game: str) -> None:
    record = match(holdem_game(game, {}), ["call", "call"], 2_000, seed=1, options=MatchOptions(duplicate=True))
    assert (record.by_deal == 0).all()


def test_what_showed_no_spread_has_a_bound_for_what_was_not_seen() -> None:
    findings = judge_match(match(NL, ["fold", "raise"], 2_000, seed=1, options=MatchOptions(duplicate=True)))
    assert [one.mean for one in findings.players] == [-750, 750]
    assert 360 < findings.intervals[0].fixed.ci95 < 380  # 3.7 stacks over the number of deals
    assert findings.players[0].method == "stakes"
    assert 0 < findings.players[0].ci95 < 15  # 3.7 times the largest bet
    few = judge_match(match(NL, ["standard", "all-in"], 12, seed=3, options=MatchOptions(duplicate=True))).players[0]
    assert few.low < -895 < few.high
    assert few.ci95 > 1000


def test_only_symmetry_is_exact() -> None:
    findings = judge_match(match(NL, ["call", "call"], 200, seed=1, options=MatchOptions(duplicate=True)))
    assert [(one.method, one.mean, one.ci95) for one in findings.players] == [("exact", 0.0, 0.0)] * 2
    different = judge_match(match(NL, ["all-in", "call"], 200, seed=1, options=MatchOptions(duplicate=True)))
    assert different.players[0].mean == 0
    assert different.players[0].ci95 > 0


def test_players_who_are_the_same_are_not_told_apart_by_their_neighbours() -> None:
    """Where everybody keeps the order as given, two standards differ by hundreds; with drawn orders by luck."""
    specs = ["raise", "standard", "call", "standard"]
    for kind, wrong in (("rotation", True), ("drawn", False)):
        for duplicate in (False, True):
            record = match(NL, specs, 60_000, seed=3, options=MatchOptions(duplicate=duplicate, seating=kind))
            test = next(one for one in judge_match(record).tests if (one.first, one.second) == (1, 3))
            assert (test.p < 0.001) == wrong


def test_all_seatings_of_a_deal_are_adjusted_by_the_same_boards() -> None:
    record = match(NL, ["all-in", "call"], 400, seed=1, options=MatchOptions(duplicate=True, all_in_adjusted=True))
    assert np.abs(record.by_deal).max() < 1e-9
    assert record.adjusted.any()


def test_a_plan_says_how_many_hands_find_a_margin() -> None:
    pilot = match(NL, ["random", "call-or-raise"], 2_000, seed=1)
    wide, narrow = (plan_match(pilot, margin).pairs[0, 1] for margin in (400.0, 100.0))
    assert 500 < wide.certain.fixed < wide.certain.until_certain
    assert narrow.certain.fixed > 4 * wide.certain.fixed
    assert wide.deals < narrow.deals / 4
    assert narrow.deals < narrow.certain.fixed
    for planned, margin in ((wide.deals, 400.0), (narrow.deals, 100.0)):  # the match keeps what the plan promises
        matches = [match(NL, ["random", "call-or-raise"], planned, seed) for seed in range(10)]
        assert sum(judge_match(record).players[0].ci95 <= margin for record in matches) >= 8
    with pytest.raises(InputError, match="margin"):
        plan_match(pilot, 0.0)


def test_without_duplicates_the_interval_covers_zero_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(100):
        estimate = judge_match(match(NL, ["call", "call"], 2_000, seed=seed)).players[0]
        covered += estimate.low <= 0 <= estimate.high
    assert covered >= 92


def test_duplicates_narrow_the_interval() -> None:
    findings = judge_match(match(NL, ["call", "raise", "random"], 20_000, seed=1, options=MatchOptions(duplicate=True)))
    assert findings.saving is not None
    assert findings.saving > 1.5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("duplicate", [False, True])
def test_python_and_kernels_play_the_same_match(game: str, duplicate: bool) -> None:
    makers = [lambda name=name: player(name) for name in ("random", "call", "random", "raise")]
    runs = []
    for in_python in (False, True):
        played = Match(
            holdem_game(game, {}),
            makers,
            5,
            options=MatchOptions(duplicate=duplicate, all_in_adjusted=True, in_python=in_python),
        )
        played.play(200)
        runs.append(played)
    assert (runs[0].chips == runs[1].chips).all()
    assert (runs[0].adjusted == runs[1].adjusted).all()


@pytest.mark.parametrize("duplicate", [False, True])
def test_learners_play_their_hands_in_order_however_they_are_played(duplicate: bool) -> None:
    specs = ["v2:rollouts=3,down=.3,up=.2", "call", "v2:rollouts=3,learns=fair,after=play,up=.2,down=.1"]
    runs = []
    for workers, in_python, parts in ((1, False, (300,)), (2, False, (120, 180)), (1, True, (300,))):
        played = Match(
            NL, makers_of(specs), 5, workers=workers, options=MatchOptions(duplicate=duplicate, in_python=in_python)
        )
        for part in parts:
            played.play(part)
        runs.append(played.chips)
    assert (runs[0] == runs[1]).all()
    assert (runs[0] == runs[2]).all()
    still = ["v1:rollouts=3" if spec.startswith("v2") else spec for spec in specs]
    assert (runs[0] != match(NL, still, 300, 5, options=MatchOptions(duplicate=duplicate)).chips).any()


def test_workers_and_parts_change_nothing() -> None:
    records = [
        match(NL, ["random", "call", "raise"], 30_000, 1, workers, options=MatchOptions(duplicate=True))
        for workers in (1, 2)
    ]
    assert records[0].digest == records[1].digest
    makers = [lambda name=name: player(name) for name in ("random", "call", "raise")]
    played = Match(NL, makers, key_of(1, "match"), options=MatchOptions(duplicate=True))
    for part in (600, 6_000, 23_400):
        played.play(part)
    assert (played.chips == records[0].chips).all()


def test_hands_are_rounded_up_to_whole_deals() -> None:
    record = match(NL, ["call"] * 7, 100, seed=1, options=MatchOptions(duplicate=True))
    assert len(record.chips) == 105


def test_adjustment_keeps_the_mean_and_takes_luck_away() -> None:
    record = match(
        NL, ["all-in", "call", "random"], 6_000, seed=2, options=MatchOptions(duplicate=True, all_in_adjusted=True)
    )
    difference = (record.adjusted - record.chips)[:, 0]
    assert abs(difference.mean()) < 4 * difference.std() / len(difference) ** 0.5
    assert record.adjusted.std() < 0.5 * record.chips.std()
    assert np.abs(record.adjusted.sum(axis=1)).max() < 1e-6


def test_kept_stacks_end_with_one_player_and_conserve_chips() -> None:
    players = [player(name) for name in ("raise", "random", "call")]
    kept = play_match(NL, players, 5_000, 3, options=MatchOptions(stacks="kept"))
    assert len(kept) < 5_000
    totals = np.sort(kept.sum(axis=0))
    assert totals.tolist() == [-10_000, -10_000, 20_000]
    assert (kept.cumsum(axis=0) >= -10_000).all()
    assert (kept == play_match(NL, players, 5_000, 3, options=MatchOptions(stacks="kept", in_python=True))).all()


def test_rebuying_goes_on_to_the_end() -> None:
    chips = play_match(NL, [player("all-in"), player("call")], 500, 3, options=MatchOptions(stacks="rebuy"))
    assert len(chips) == 500
    assert (chips.sum(axis=1) == 0).all()
    assert chips.cumsum(axis=0).min() < -10_000


def test_play_stops_once_the_order_is_certain() -> None:
    clear = match(NL, ["raise", "fold"], 100_000, seed=1, options=MatchOptions(until_certain=True))
    assert clear.certain
    assert len(clear.chips) == 1_000
    even = match(NL, ["call", "call"], 8_000, seed=1, options=MatchOptions(until_certain=True))
    assert even.certain is False
    assert len(even.chips) == 8_000


def test_watching_tells_every_move_and_changes_nothing() -> None:
    lines: list[str] = []
    watched = match(NL, ["random", "raise"], 20, seed=4, listeners=Listeners(print_line=lines.append))
    assert watched.digest == match(NL, ["random", "raise"], 20, seed=4).digest
    assert sum(line.startswith("hand ") for line in lines) == 20
    assert any("wins" in line and "%" in line for line in lines)


@pytest.mark.parametrize(
    ("options", "clue"),
    [({"stacks": "keep"}, "kept"), ({"stacks": "kept", "duplicate": True}, "duplicates"), ({"seating": "x"}, "drawn")],
)
def test_wrong_wishes_are_refused(options: dict[str, object], clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        MatchOptions(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("stacks", ["kept", "rebuy"])
def test_hands_that_depend_on_each_other_have_no_interval(stacks: str) -> None:
    findings = judge_match(match(NL, ["random", "call"], 200, seed=1, options=MatchOptions(stacks=stacks)))
    assert findings.players[0].ci95 == np.inf
    assert "not independent" in findings.method
    assert findings.tests == ()
    with pytest.raises(InputError, match="depend"):
        match(NL, ["random", "call"], 200, seed=1, options=MatchOptions(stacks=stacks, until_certain=True))


@pytest.mark.parametrize(("specs", "duplicate"), [(["call", "random"], False), (["random", "fold", "raise"], True)])
def test_long_matches_keep_sums_only(specs: list[str], duplicate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hands, digest and means; the interval is of means over 16 deals, so it is a little different."""
    usual = match(NL, specs, 19_200, 5, options=MatchOptions(duplicate=duplicate))
    monkeypatch.setattr(match_module, "MOST_KEPT", 10_000)
    monkeypatch.setattr(match_module, "PORTION", 5_000)
    long = match(NL, specs, 19_200, 5, options=MatchOptions(duplicate=duplicate))
    assert (long.hands, long.deals, long.digest) == (usual.hands, usual.deals, usual.digest)
    assert len(long.chips) == usual.deals // 16
    assert long.chips.sum(axis=0).tolist() == usual.chips.sum(axis=0).tolist()
    for one, other in zip(judge_match(long).intervals, judge_match(usual).intervals, strict=True):
        assert one.shown.mean == pytest.approx(other.shown.mean)
        assert one.approximate.ci95 == pytest.approx(other.approximate.ci95, rel=0.3)
    kept = match(NL, specs[:2], 19_200, 5, options=MatchOptions(stacks="rebuy"))
    assert kept.summed == 1
