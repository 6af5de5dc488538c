"""The dealer: chips are conserved, nothing depends on workers, blocks, Python or the compiler."""

import numpy as np
import numpy.typing as npt
import pytest

from cardwin.arena.engine import CARDS, deal, new_scratch
from cardwin.arena.independent_hands import BLOCK
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, child, draw_below, key_of
from cardwin.games.base import CALL, CHECK, NOBODY, Action
from cardwin.games.holdem import HoldemGame, HoldemView, holdem_game
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, HandEnded, MatchBegan, Posted, Shown, Won
from cardwin.games.holdem.rules import CALL as CALLS
from cardwin.games.holdem.rules import (
    FINE,
    FOLD,
    RAISE,
    act,
    begin_hand,
    forced_bets,
    max_raise_to,
    min_raise_to,
    paid,
    verify,
)
from cardwin.games.holdem.table import ACTIVE, SEATS, Table, Tables
from cardwin.players.registry import player

GAMES = [holdem_game(f"holdem-{kind}", {}) for kind in ("nl", "limit", "simple")]


# --- chips and states under random play of all kinds ---------------------------------------------------------------


@kernel
def chips_at(t: Table) -> int:
    total = 0
    for seat in range(t.seats):
        total += t.stack[seat] + (paid(t, seat) if t.actor != NOBODY else 0)
    return int(total + (t.dead if t.actor != NOBODY else 0))


@kernel
def in_order(t: Table) -> bool:
    """Nobody below zero, the actor can act, nobody matched more than the high bet, live seats counted."""
    live = 0
    for seat in range(t.seats):
        live += t.status[seat] == ACTIVE
        if t.stack[seat] < 0 or t.bet[seat] < 0 or (t.actor != NOBODY and t.bet[seat] > paid(t, seat)):
            return False
        if t.actor != NOBODY and t.bet[seat] > t.current_bet:
            return False
    if live != t.live or live < 1:
        return False
    return bool(t.actor == NOBODY or (t.status[t.actor] == ACTIVE and t.stack[t.actor] > 0 and live > 1))


@kernel
def random_move(t: Table, rng: Stream) -> tuple[int, int]:
    """Any legal action, mostly with small amounts, sometimes with any."""
    action = draw_below(rng, 3)
    if action == FOLD and verify(t, FOLD, 0) != FINE:
        action = CALLS
    if action == RAISE and verify(t, RAISE, min_raise_to(t)) != FINE:
        action = CALLS
    if action != RAISE:
        return action, 0
    least, most = min_raise_to(t), max_raise_to(t)
    if draw_below(rng, 4) > 0:
        most = min(most, least + 3 * t.big_blind)
    return RAISE, least + draw_below(rng, most - least + 1)


@kernel
def wrong_hands(tables: Tables, key: int, first: int, count: int, depth: int) -> int:
    """How many of the hands lose or make a chip, or come into an illegal state; stacks, antes and blinds at random."""
    t = tables[0]
    scratch, stream = new_scratch(0), np.zeros(2, np.int64)
    wrong = 0
    for number in range(first, first + count):
        hand = child(key, number)
        stream[0], stream[1] = child(hand, 99), 0
        t.seats = 2 + draw_below(stream, SEATS - 1)
        t.button = draw_below(stream, t.seats)
        t.ante = draw_below(stream, 5) if draw_below(stream, 2) else 0
        t.small_blind = draw_below(stream, t.big_blind + 1)
        t.dead_antes = draw_below(stream, 2)
        total = 0
        for seat in range(t.seats):
            # Some seats are empty, some are short, but two at least have chips.
            t.stack[seat] = draw_below(stream, depth) if draw_below(stream, 5) or seat < 2 else 0
            t.stack[seat] += seat < 2
            total += t.stack[seat]
        deal(t, child(hand, CARDS), scratch)
        forced_bets(t, scratch.forced)
        begin_hand(t, scratch.forced, scratch.log)
        fine = chips_at(t) == total and in_order(t)
        while fine and t.actor != NOBODY:
            action, amount = random_move(t, stream)
            fine = verify(t, action, amount) == FINE
            seat, street, reach = t.actor, t.street, t.bet[t.actor] + t.stack[t.actor]
            act(t, action, amount, scratch.log)
            if t.actor != NOBODY and t.street == street:  # what leaves a stack lies before it until the street ends
                fine = fine and t.bet[seat] + t.stack[seat] == reach
            fine = fine and chips_at(t) == total and in_order(t)
        wrong += not fine
    return wrong


def count_wrong(hands: int, key: int) -> int:
    jobs = [(game, depth) for game in GAMES for depth in (40, 400, 20_000)]
    return sum(wrong_hands(game.tables(2), key, 0, hands // len(jobs) + 1, depth) for game, depth in jobs)


def test_a_million_random_hands_conserve_chips_and_stay_legal() -> None:
    assert count_wrong(1_000_000, 1) == 0


@pytest.mark.slow
def test_fifty_million_random_hands_conserve_chips_and_stay_legal() -> None:
    assert count_wrong(50_000_000, 2) == 0


# --- matches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_workers_do_not_change_a_chip(game: HoldemGame) -> None:
    specs, hands = ["call", "random", "raise", "fold"], 2 * BLOCK + 100
    one, two = match(game, specs, hands, 1), match(game, specs, hands, 1, workers=2)
    assert one.digest == two.digest
    assert not one.chips.sum(axis=1).any()
    assert match(game, specs, hands, 2).digest != one.digest


def test_a_longer_match_begins_like_a_shorter_one() -> None:
    long, short = (match(GAMES[0], ["random"] * 6, hands, 4).chips for hands in (BLOCK + 50, 70))
    assert (long[:70] == short).all()


def test_folding_to_every_raise_costs_three_quarters_of_a_big_blind() -> None:
    assert match(GAMES[0], ["fold", "raise"], 1000, 1).chips.mean(axis=0).tolist() == [-75, 75]


def test_equal_players_differ_by_luck_only() -> None:
    chips = match(GAMES[0], ["random"] * 5, 40_000, 8).chips
    half_widths = 3.5 * chips.std(axis=0) / np.sqrt(len(chips))
    assert (abs(chips.mean(axis=0)) < half_widths).all()


def test_impossible_matches_are_refused() -> None:
    with pytest.raises(InputError, match="got 1"):
        match(GAMES[0], ["call"], 10, 1)
    with pytest.raises(InputError, match="got 11"):
        match(GAMES[0], ["call*11"], 10, 1)
    with pytest.raises(InputError, match="0 hands"):
        match(GAMES[0], ["call", "call"], 0, 1)
    with pytest.raises(InputError, match="expected 1 to 1024, got 0"):
        match(GAMES[0], ["call", "call"], 10, 1, workers=0)


def test_every_card_comes_equally_often_in_every_place() -> None:
    tables, seen = GAMES[0].tables(2), np.zeros((52, 9))
    count_cards(tables, seen, 52_000)
    assert (((seen - 1000) ** 2 / 1000).sum(axis=0) < 100).all()  # chi square, 51 degrees of freedom, p = .00005


@kernel
def count_cards(tables: Tables, seen: npt.NDArray[np.float64], deals: int) -> None:
    scratch = new_scratch(0)
    for hand in range(deals):
        deal(tables[0], child(7, hand), scratch)
        for place in range(5):
            seen[tables[0].board[place], place] += 1
        for place in range(4):
            seen[tables[0].hole[place], 5 + place] += 1


# --- live tables ---------------------------------------------------------------------------------------------------


class Watcher:
    """Calls, and remembers what it was told and shown."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.views: list[HoldemView] = []

    def watch(self, event: Event) -> None:
        self.events.append(event)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        self.views.append(view)
        return CALL if view.to_call else CHECK


def test_a_watching_player_changes_nothing_and_is_told_everything_public() -> None:
    game, key = GAMES[0], key_of(5, "match")
    watcher = Watcher()
    table = LiveTable(game, [player("random"), watcher, player("raise")])
    chips = [table.play([10_000] * 3, hand % 3, child(key, hand)) for hand in range(100)]
    assert (
        chips
        == match(game, ["random", "call", "raise"], 100, 5, options=MatchOptions(seating="rotation")).chips.tolist()
    )
    assert watcher.events[0] == MatchBegan(3)
    assert sum(isinstance(event, HandBegan) and event.you == 1 for event in watcher.events) == 100
    assert {type(event) for event in watcher.events} >= {Posted, Acted, BoardDealt, Shown, Won}
    assert [list(event.won) for event in watcher.events if isinstance(event, HandEnded)] == chips
    own = [event for event in watcher.events if isinstance(event, Acted) and event.seat == 1]
    assert len(own) == len(watcher.views)


def test_a_log_that_runs_full_is_told_in_parts() -> None:
    game = holdem_game("holdem-nl", {"stack": "20000", "blinds": "1/2"})
    watcher = Watcher()
    table = LiveTable(game, [player("raise"), player("raise"), watcher])
    won = table.play([20_000] * 3, 0, 3)
    assert sum(won) == 0
    raises = [event for event in watcher.events if isinstance(event, Acted) and event.action.name == "raise"]
    assert len(raises) > 2000


def test_an_illegal_action_of_a_python_player_is_refused_by_name() -> None:
    class Wrong:
        def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
            return Action("raise", 1)

    with pytest.raises(InputError, match=r"raise 1\b.*\b200\b"):
        LiveTable(GAMES[0], [Wrong(), player("call")]).play([1000, 1000], 0, 1)


def test_empty_seats_sit_out_at_a_live_table() -> None:
    table = LiveTable(GAMES[0], [player("random")] * 5)
    for hand in range(50):
        won = table.play([1000, 0, 500, 0, 2000], 2, child(1, hand))
        assert sum(won) == 0
        assert won[1] == won[3] == 0


# --- uncompiled ----------------------------------------------------------------------------------------------------
