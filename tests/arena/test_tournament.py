"""Tournaments: complete places, conserved chips, full tables, and one result however they are played."""

import numpy as np
import pytest

from cardwin.arena import multi_table
from cardwin.arena.engine import new_scratch
from cardwin.arena.payouts import icm, prizes, read_payouts
from cardwin.arena.tournament import Structure, TournamentOptions, Tournaments, joined, tournament
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, Action
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.events import Event, HandBegan, Joined, MatchBegan
from cardwin.games.holdem.table import SEATS
from cardwin.players.compiled import players_of
from cardwin.players.registry import makers_of, player

NL = holdem_game("holdem-nl", {})
MIXED = ["random", "call", "raise", "fold", "all-in"]


def test_a_thousand_players_get_a_thousand_places() -> None:
    results = tournament(NL, ["random*1000"], 2, seed=1).results
    assert (np.sort(results.ranks, axis=1) == np.arange(1, 1001)).all()
    assert (results.chips.sum(axis=1) == 1000 * NL.stack).all()
    assert (results.chips > 0).sum() == 2


@pytest.mark.parametrize("game", ["holdem-nl", "holdem-limit", "holdem-simple", "holdem-nl:ante=10"])
@pytest.mark.parametrize("players", [2, 5, 25])
def test_python_and_kernels_play_the_same_tournament(game: str, players: int) -> None:
    from cardwin.games.specs import split_spec

    rules = holdem_game(*split_spec(game))
    makers = makers_of((MIXED * 5)[:players])
    runs = [Tournaments(rules, makers, 7, Structure(every=5), in_python=switch).play(3, 2) for switch in (False, True)]
    assert runs[0].digest == runs[1].digest


def test_learners_forget_when_they_are_moved_and_in_every_tournament() -> None:
    makers = makers_of(["v2:rollouts=2,down=.5,up=.5,threshold=3", "random", "call"] * 8)
    structure = Structure(seats=6, every=5)
    compiled, live = (Tournaments(NL, makers, 7, structure, in_python=switch) for switch in (False, True))
    assert compiled.compiled
    whole = compiled.play(0, 2)
    assert whole.digest == live.play(0, 2).digest
    assert whole.digest == joined([compiled.play(0, 1), compiled.play(1, 1)]).digest


def test_a_population_that_is_compiled_already_plays_as_it_is() -> None:
    field = players_of([player(spec).compiled for spec in MIXED])  # type: ignore[attr-defined]
    ready, made = Tournaments(NL, field, 3, Structure()), Tournaments(NL, makers_of(MIXED), 3, Structure())
    assert ready.play(0, 4).digest == made.play(0, 4).digest
    assert ready.field is field


def test_blocks_and_workers_change_nothing() -> None:
    series = Tournaments(NL, makers_of(MIXED), 11, Structure(), duplicate=True)
    whole = series.play(0, 20)
    assert joined([series.play(0, 5), series.play(5, 15)]).digest == whole.digest
    records = [tournament(NL, MIXED, 400, 2, workers, options=TournamentOptions(duplicate=True)) for workers in (1, 2)]
    assert records[0].digest == records[1].digest
    assert len(records[0].results.ranks) == 2_000


def test_equal_players_at_a_duplicate_table_are_equal() -> None:
    series = Tournaments(NL, makers_of(["call"] * 6), 3, Structure(), duplicate=True)
    places, seating = series.play(0, 300).ranks.reshape(50, 6, 6), series.order
    # The cards repeat, so a seat's fate falls to whoever sits there: by seat, the rows of a table are alike, but for
    # lots among equal stacks.
    by_seat = np.stack([[places[table, turn][seating(6 * table + turn)] for turn in range(6)] for table in range(50)])
    same = (by_seat == by_seat[:, :1]).mean()
    assert same > 0.8
    assert same > 2 * (places == places[:, :1]).mean()
    assert np.abs(places.mean(axis=(0, 1)) - 3.5).max() < 0.2


def test_the_same_player_in_all_seats_has_the_same_duplicate_chips() -> None:
    results = tournament(NL, ["raise"] * 4, 20, seed=3, options=TournamentOptions(duplicate=True)).results
    won = results.won.reshape(20, 4, 4).sum(axis=1)
    assert np.allclose(won, won[:, :1])


def test_tables_stay_balanced_and_buttons_stay_with_players() -> None:
    series = Tournaments(NL, makers_of(["random"] * 63), 5, Structure(every=3))
    tables = series.empty_tables
    who = np.full((len(tables), SEATS), -1)
    place, scratch = np.zeros(63), new_scratch(0)
    multi_table.seat_players(tables, who, series.order(0), NL.stack)
    left, hand = 63, 0
    while left > 1:
        multi_table.begin_round(tables, series.levels.schedule, 3, hand)
        multi_table.play_round(tables, who, series.field.arrays, 1, 2, hand, scratch)
        left = multi_table.eliminate(tables, who, left, 3, place)
        multi_table.rearrange(tables, who, series.field.arrays, left)
        sizes = (who >= 0).sum(axis=1)
        running = sizes[sizes > 0]
        assert len(running) == -(-left // 10)
        assert running.max() - running.min() <= 1
        assert ((tables["stack"] > 0) == (who >= 0)).all()
        assert tables["stack"].sum() == 63 * NL.stack
        assert all(who[table, tables["button"][table]] >= 0 for table in np.flatnonzero(sizes))
        seated = who[who >= 0]
        assert len(set(seated)) == left
        assert (place[seated] == 0).all()
        hand += 1
    assert sorted(place[place > 0]) == list(range(2, 64))


def test_who_held_more_is_placed_better_and_equals_by_lot() -> None:
    place = np.zeros(5)
    leaving, held = np.array([4, 1, 3]), np.array([50, 70, 60])
    multi_table.place_worst(leaving, held, 9, place, 5)
    assert place.tolist() == [0, 3, 0, 4, 5]
    firsts = {tuple(_lots(key)) for key in range(40)}
    assert len(firsts) == 6


def _lots(key: int) -> list[int]:
    place = np.zeros(3)
    multi_table.place_worst(np.arange(3), np.full(3, 10), key, place, 3)
    return [int(one) for one in place]


def blinds_of(structure: Structure, key: int) -> tuple[int, int, int]:
    """Plays a tournament of 63: hands, small blinds by somebody who had not posted the big one before, and big blinds
    by somebody who had.
    """
    series = Tournaments(NL, makers_of(["random"] * 63), key, structure)
    tables, scratch, place = series.empty_tables, new_scratch(0), np.zeros(63)
    who, last_big = np.full((len(tables), SEATS), -1), np.full(len(tables), -1)
    multi_table.seat_players(tables, who, series.order(0), NL.stack)
    left, hand, hands, unpaid, twice = 63, 0, 0, 0, 0
    while left > 1:
        multi_table.begin_round(tables, series.levels.schedule, 3, hand)
        for k, t in enumerate(tables):
            before = who[k].copy()
            if (t["stack"] > 0).sum() < 2:
                continue
            multi_table.play_round(
                tables[k : k + 1], who[k : k + 1], series.field.arrays, key, 2, hand * 10 + k, scratch
            )
            small, big = (scratch.forced[1] == t["small_blind"]).nonzero()[0], scratch.forced[1].argmax()
            posted = [before[seat] for seat in small if seat != big]
            if hand and (before >= 0).sum() > 2:
                hands += 1
                unpaid += any(one != last_big[k] for one in posted)
            twice += hand > 0 and before[big] == last_big[k]
            last_big[k] = before[big]
        left = multi_table.eliminate(tables, who, left, 3, place)
        multi_table.rearrange(tables, who, series.field.arrays, left)
        hand += 1
    return hands, unpaid, twice


def test_with_a_dead_button_nobody_pays_a_small_blind_before_a_big_one() -> None:
    plain = np.sum([blinds_of(Structure(every=3), key) for key in range(6)], axis=0)
    dead = np.sum([blinds_of(Structure(every=3, dead_button=True), key) for key in range(6)], axis=0)
    assert plain[1] > 0.01 * plain[0]  # so the test can tell
    assert dead[0] > 500
    assert dead[1] == 0
    assert dead[2] == 0


def test_same_round_at_different_tables_ties() -> None:
    place = np.zeros(6)
    leaving, held, at = np.array([0, 1, 2, 3]), np.array([10, 20, 90, 5]), np.array([0, 0, 1, 2])
    multi_table.place_tied(leaving, held, at, 1, place, 6)
    assert place.tolist() == [5, 3, 5, 5, 0, 0]  # 0, 2 and 3 were the last of their tables, 1 better at the first
    results = tournament(
        NL, ["random*60"], 20, seed=1, options=TournamentOptions(Structure(every=3, dead_button=True))
    ).results
    assert (results.ranks.sum(axis=1) == 60 * 61 / 2).all()
    assert (results.ranks % 1 == 0.5).any()
    assert ((results.ranks == 1).sum(axis=1) == 1).all()
    live = Tournaments(NL, makers_of(["random"] * 25), 7, Structure(every=3, dead_button=True), in_python=True)
    batch = Tournaments(NL, makers_of(["random"] * 25), 7, Structure(every=3, dead_button=True))
    assert live.play(0, 2).digest == batch.play(0, 2).digest


class Listener:
    """Calls, and checks that what it was told is what it sees: nothing of other tables, everything of its own."""

    def __init__(self) -> None:
        self.seats_taken = self.matches = 0

    def watch(self, event: Event) -> None:
        if isinstance(event, HandBegan):
            self.began, self.acted = event, 0
        elif isinstance(event, Joined):
            self.seats_taken += 1
        elif isinstance(event, MatchBegan):
            self.matches += 1

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        assert self.began.you == view.seat
        assert self.began.stacks == view.starting_stacks
        assert self.began.button == view.button
        return CALL if view.to_call else CHECK


def test_players_are_told_of_their_own_table_only() -> None:
    listeners = [Listener() for _ in range(25)]
    makers = [lambda one=one: one for one in listeners]
    series = Tournaments(NL, makers, 7, Structure(every=3))
    results = series.play(0, 1)
    assert results.digest == Tournaments(NL, makers_of(["call"] * 25), 7, Structure(every=3)).play(0, 1).digest
    assert sum(one.seats_taken for one in listeners) > 0
    assert max(one.matches for one in listeners) > 1


def test_blinds_grow_to_cover_everything() -> None:
    schedule = Structure().schedule(NL, 1000)
    assert schedule[:3].tolist() == [[50, 100, 0, 100, 100], [75, 150, 0, 150, 150], [112, 225, 0, 225, 225]]
    assert schedule[3, :2].tolist() == [169, 338]  # 168.75 and 337.5
    assert schedule[-1, 1] >= 1000 * NL.stack
    assert len(Structure(growth=1).schedule(NL, 10)) == 1
    limit = Structure(growth=2).schedule(holdem_game("holdem-limit", {}), 4)
    assert limit[1].tolist() == [10, 20, 0, 20, 40]


def test_tournaments_may_stop_early() -> None:
    folders = tournament(NL, ["fold*2"], 1, seed=1, options=TournamentOptions(Structure(growth=1, rounds=50))).results
    assert folders.hands.max() == 50
    assert (folders.chips > 0).all()
    assert sorted(folders.ranks[0]) == [1, 2]
    five = tournament(NL, ["random*40"], 3, seed=1, options=TournamentOptions(Structure(last=5))).results
    assert ((five.chips > 0).sum(axis=1) <= 5).all()
    assert (np.sort(five.ranks, axis=1) == np.arange(1, 41)).all()


def test_the_chip_model() -> None:
    assert icm([5000, 5000], [0.6, 0.4]) == pytest.approx([0.5, 0.5])
    # By hand: first 1/2, 1/3, 1/6; second by what is left of the others.
    assert icm([3, 2, 1], [1.0, 0.0, 0.0]) == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    chance = [1 / 3 * 3 / 4 + 1 / 6 * 3 / 5, 1 / 2 * 2 / 3 + 1 / 6 * 2 / 5, 1 / 2 * 1 / 3 + 1 / 3 * 1 / 4]
    assert icm([3, 2, 1], [0.0, 1.0, 0.0]) == pytest.approx(chance)
    assert sum(icm([900, 50, 0, 50], [0.5, 0.3, 0.2])) == pytest.approx(1)


def test_prizes_follow_places_or_the_chip_model() -> None:
    place = np.array([[2.0, 1, 3], [1, 2, 3], [1, 2.5, 2.5]])
    chips = np.array([[0, 30, 0], [15, 15, 0], [30, 0, 0]])
    value = prizes(place, chips, read_payouts("70/30", 3))
    assert value == pytest.approx(np.array([[0.3, 0.7, 0], [0.5, 0.5, 0], [0.7, 0.15, 0.15]]))
    for text in ("", "a/b", "-1/2", "0", "1/1/1/1"):
        with pytest.raises(InputError):
            read_payouts(text, 3)


@pytest.mark.parametrize(
    ("specs", "duplicate", "clue"),
    [(["call"], False, "at least 2 players"), (["call*11"], True, "one table"), (["cal", "fold"], False, "call")],
)
def test_wrong_wishes_are_refused(specs: list[str], duplicate: bool, clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        tournament(NL, specs, 1, seed=1, options=TournamentOptions(duplicate=duplicate))
