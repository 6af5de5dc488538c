"""What a decision gave away where the odds tell: beside the rules themselves, and without a hidden card."""

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from cardwin.analysis.ev_loss import ClosingCall, closing_calls
from cardwin.arena.hand_history import history_seen, played_history
from cardwin.arena.interactive_table import HoldemTable
from cardwin.arena.interactive_tables import explain_action
from cardwin.arena.live_table import LiveTable
from cardwin.cards.card import parse_cards
from cardwin.cards.equity import equity, single_holding
from cardwin.cards.question import answer_question, parse_question
from cardwin.core.errors import InputError
from cardwin.core.rng import draw_below, stream_of
from cardwin.games import game
from cardwin.games.base import NOBODY
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import CALL, DEAL, FOLD, RAISE, History, Step
from cardwin.games.holdem.table import UNKNOWN
from cardwin.players.registry import player

HIDDEN = (UNKNOWN, UNKNOWN)
NL = game("holdem-nl")
LIMIT = game("holdem-limit")


def hand(hole: Sequence[tuple[int, ...]], stacks: Sequence[int], steps: Sequence[Step], rules: Any = NL) -> History:
    """A hand whose last seat has the button."""
    seats = len(stacks)
    small, big = (1, 0) if seats == 2 else (0, 1)
    blinds = [rules.small_blind if seat == small else rules.big_blind if seat == big else 0 for seat in range(seats)]
    return History(rules, tuple(stacks), (0,) * seats, tuple(blinds), False, tuple(hole), tuple(steps))


def deal(text: str) -> Step:
    return Step(DEAL, cards=tuple(parse_cards(text)))


def gains(history: History, hands: Sequence[Sequence[int]], board: Sequence[int], seat: int) -> float:
    """Chips that the seat wins more by calling than by folding at its last turn, all cards open, by the rules."""
    state = history.game.start(hands, board, stacks=history.stacks)
    moves = [step for step in history.steps if step.kind in (FOLD, CALL, RAISE)]
    for step in moves[:-1]:
        view = state.view(state.actor)
        words = {FOLD: "fold", CALL: "call" if view.to_call else "check"}
        state = state.apply(words.get(step.kind) or f"{'raise' if view.current_bet else 'bet'} {step.amount}")
    assert state.actor == seat
    called = state.apply("call")
    assert called.actor == NOBODY
    return called.returns()[seat] - state.apply("fold").returns()[seat]


def completions(board: Sequence[int], gone: Sequence[int]) -> Iterator[tuple[int, ...]]:
    left = [card for card in range(52) if card not in {*board, *gone}]
    for rest in combinations(left, 5 - len(board)):
        yield (*board, *rest)


RIVER = [Step(CALL, 1), Step(CALL, 0), deal("Kd9c4h"), Step(CALL, 0), Step(CALL, 1), deal("2s"), Step(CALL, 0),
         Step(CALL, 1), deal("Jh"), Step(RAISE, 0, 300)]  # fmt: skip


@pytest.mark.parametrize(("own", "done"), [("9h8h", FOLD), ("9h8h", CALL), ("7h6h", FOLD), ("7h6h", CALL)])
def test_on_the_river_every_hand_of_the_opponent_is_counted_by_the_rules(own: str, done: str) -> None:
    hole, board = parse_cards(own), parse_cards("Kd9c4h2sJh")
    history = hand([HIDDEN, hole], [10_000, 10_000], [*RIVER, Step(done, 1)])
    (found,) = closing_calls(history, 1)
    others = combinations([card for card in range(52) if card not in {*hole, *board}], 2)
    mean = np.mean([gains(history, [other, hole], board, 1) for other in others])
    assert found.value == pytest.approx(mean)
    assert found.ev_loss == pytest.approx(max(0, mean if done == FOLD else -mean))
    assert (found.ev_loss > 0) == ((own, done) in {("9h8h", FOLD), ("7h6h", CALL)})
    assert (found.price, found.pot, found.error, found.held, found.raising) == (300, 800, 0, None, True)
    assert found.decision == 7


def test_the_cards_they_held_are_counted_over_every_board() -> None:
    hole, other, board = parse_cards("AhQh"), parse_cards("KcKd"), parse_cards("Kh7h2s")
    steps = [Step(CALL, 1), Step(CALL, 0), deal("Kh7h2s"), Step(RAISE, 0, 9_900), Step(CALL, 1), deal("3c"), deal("4d")]
    history = hand([other, hole], [10_000, 10_000], steps)
    (found,) = closing_calls(history, 1)
    until = hand([other, hole], [10_000, 10_000], steps[:-2])
    mean = np.mean([gains(until, [other, hole], full, 1) for full in completions(board, [*hole, *other])])
    assert found.held is not None
    assert found.held * found.pot - found.price == pytest.approx(mean)
    assert not found.raising, "everything is in: there is nothing to raise with"
    blind = closing_calls(hand([HIDDEN, hole], [10_000, 10_000], steps), 1)[0]
    assert (blind.wins, blind.ev_loss, blind.held) == (found.wins, found.ev_loss, None)


def test_before_the_flop_boards_are_drawn_and_come_close_to_all_of_them() -> None:
    hands = [parse_cards("2cJd"), parse_cards("3d8s")]
    (found,) = closing_calls(hand(hands, [10_000] * 2, [Step(CALL, 1), Step(RAISE, 0, 10_000), Step(FOLD, 1)]), 1)
    exact = equity([single_holding(*hands[1]), single_holding(*hands[0])])
    assert found.held == pytest.approx(exact.equity, abs=5 * 0.0016)
    assert "about" in found.reason
    assert found.wins == answer_question(parse_question("3d8s")).equity


def side_pots(known: Sequence[tuple[int, ...]]) -> History:
    """Four seats: one is all-in for 500, one for 2,000, one folds after paying, and the button may call both."""
    steps = [
        Step(RAISE, 2, 300),
        Step(CALL, 3),
        Step(RAISE, 0, 500),
        Step(RAISE, 1, 2000),
        Step(FOLD, 2),
        Step(CALL, 3),
    ]
    return hand(known, [500, 2000, 10_000, 1_500], steps)


def test_side_pots_are_split_as_the_rules_split_them() -> None:
    hands = [parse_cards(text) for text in ("AsAd", "QcQs", "7d2h", "KhKs")]
    (found,) = closing_calls(side_pots(hands), 3)
    assert (found.price, found.pot) == (1200, 500 + 1500 + 300 + 1500), "of 2,000 only 1,500 can be won"
    assert found.held is not None
    rng, boards = stream_of(5), list(completions([], [card for one in hands for card in one]))
    drawn = [gains(side_pots(hands), hands, boards[draw_below(rng, len(boards))], 3) for _ in range(4000)]
    value, error = found.held * found.pot - found.price, np.std(drawn) / np.sqrt(len(drawn))
    assert abs(value - np.mean(drawn)) < 4 * error
    assert error < 60, "the control can see a wrong pot"


def test_any_two_cards_in_side_pots_agree_with_deals_of_the_rules() -> None:
    known = [HIDDEN, HIDDEN, HIDDEN, parse_cards("KhKs")]
    (found,) = closing_calls(side_pots(known), 3)
    assert found.held is None
    rng, drawn = stream_of(6), []
    for _ in range(6000):
        deck = [card for card in range(52) if card not in known[3]]
        for place in range(11):
            other = place + draw_below(rng, len(deck) - place)
            deck[place], deck[other] = deck[other], deck[place]
        drawn.append(gains(side_pots(known), [deck[:2], deck[2:4], deck[4:6], known[3]], deck[6:11], 3))
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert abs(found.value - np.mean(drawn)) < 4 * error
    assert error < 40


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([Step(CALL, 1), Step(RAISE, 0, 300), Step(CALL, 1)], "a flop with bets follows"),
        ([Step(CALL, 1), Step(RAISE, 0, 300), Step(RAISE, 1, 900), Step(FOLD, 0)], "a raise has no such price"),
        ([Step(CALL, 1), Step(CALL, 0), deal("Kd9c4h"), Step(CALL, 0)], "nothing was to pay"),
    ],
)
def test_nothing_is_said_where_the_odds_do_not_tell(steps: list[Step], why: str) -> None:
    history = hand([HIDDEN, parse_cards("AhKh")], [10_000, 10_000], steps)
    assert closing_calls(history, 1) == [], why


def test_somebody_behind_who_may_still_raise_keeps_the_betting_open() -> None:
    steps = [Step(FOLD, 2), Step(CALL, 0), Step(CALL, 1), deal("Kd9c4h"), Step(CALL, 0), Step(CALL, 1), deal("2s"),
             Step(CALL, 0), Step(CALL, 1), deal("Jh")]  # fmt: skip
    three = [Step(CALL, 2), *steps[1:3], deal("Kd9c4h"), *(Step(CALL, seat) for seat in range(3)), deal("2s"),
             *(Step(CALL, seat) for seat in range(3)), deal("Jh"), Step(RAISE, 0, 300)]  # fmt: skip
    stacks = [10_000] * 3
    own = parse_cards("AhKh")
    middle = hand([HIDDEN, own, HIDDEN], stacks, [*three, Step(CALL, 1), Step(FOLD, 2)])
    assert closing_calls(middle, 1) == [], "the button comes after"
    last = hand([HIDDEN, HIDDEN, own], stacks, [*three, Step(CALL, 1), Step(FOLD, 2)])
    (found,) = closing_calls(last, 2)
    assert found.action == FOLD
    assert found.error == 0, "two opponents on the river are counted, not drawn"


def test_limit_holdem_has_its_river_too_and_the_simple_game_nothing() -> None:
    steps = [Step(step.kind, step.seat, 20 if step.amount else 0, step.cards) for step in RIVER]
    (found,) = closing_calls(hand([HIDDEN, parse_cards("7h6h")], [10_000] * 2, [*steps, Step(CALL, 1)], LIMIT), 1)
    assert found.ev_loss == pytest.approx(20 - found.wins * 60)
    assert f"lost {found.ev_loss:.1f} in EV" in found.verdict
    assert "needs 33.3%" in found.reason
    assert "any two cards" in found.reason
    simple = HoldemTable(game("holdem-simple"), ["person", "all-in"], 1, review=closing_calls)  # type: ignore[arg-type]
    simple.deal()
    while simple.turn != NOBODY:
        simple.take(0, simple.look(0)["actions"][0]["name"])
    assert simple.look(0)["odds"] == {}


def sit(specs: list[str], seed: int, open_cards: bool = False, hands: int = 40) -> tuple[HoldemTable, list[Any]]:
    """A sitting whose people take any legal action, and all that each of them was told."""
    rules = NL if seed % 2 else game("holdem-nl:stack=600")
    assert isinstance(rules, HoldemGame)
    sitting, rng, with_report = HoldemTable(rules, specs, seed, open_cards, review=closing_calls), stream_of(seed), []
    for _ in range(hands):
        sitting.deal()
        while sitting.turn != NOBODY:
            seat = sitting.turn
            assert not sitting.look(seat).get("odds"), "nothing is told before the end"
            moves = [one for one in sitting.look(seat)["actions"] if "most" not in one]
            sitting.take(seat, moves[draw_below(rng, len(moves))]["name"])
        with_report.append([sitting.look(seat) | {"score": sitting.score(seat)} for seat in sitting.people])
    return sitting, with_report


def test_a_sitting_tells_after_each_hand_and_adds_up() -> None:
    sitting, with_report = sit(["person", "all-in", "raise"], 3)
    odds = [one for (look,) in with_report for one in look["odds"].values()]
    assert len(odds) > 10
    assert {one["action"] for one in odds} == {"fold", "call"}
    assert min(one["ev_loss"] for one in odds) == 0 < max(one["ev_loss"] for one in odds)
    assert all(look["ev_loss"].keys() == look["odds"].keys() for (look,) in with_report)
    score, given = sitting.score(0), sum(one["ev_loss"] for one in odds)
    assert score["odds"] == {"count": len(odds), "chips": pytest.approx(given), "against": "any two cards"}
    assert score["ev_loss"] == pytest.approx(given / NL.big_blind * 1000 / 40)  # type: ignore[attr-defined]
    held = [(look, one) for (look,) in with_report for one in look["odds"].values() if one["held"] is not None]
    assert held
    assert all(any(event["what"] == "shown" for event in look["events"]) for look, _ in held)


def test_nobody_is_told_of_another_persons_decisions() -> None:
    sitting, with_report = sit(["person", "person", "all-in"], 5)
    assert sum(len(look["odds"]) for both in with_report for look in both) > 10
    for both in with_report:
        for seat, look in enumerate(both):
            assert all(look["events"][int(place)]["seat"] == seat for place in look["odds"])
    number, place, seat = next(
        (hand.number, place, hand.events[place]["seat"]) for hand in sitting.hands for place in hand.odds
    )
    assert explain_action(sitting, seat, number, place)["ev_loss"] >= 0
    assert "ev_loss" not in explain_action(sitting, 1 - seat, number, place)


@pytest.mark.parametrize("specs", [["person", "all-in"], ["person", "fold", "all-in", "fold"]])
def test_hidden_cards_change_nothing_that_is_told(specs: list[str]) -> None:
    """Other cards in the hands that nobody showed, and every byte stays as it was; with open cards it does not."""
    odds = 0
    for seed in range(1, 9):
        with_report = {_told_with(specs, seed, False, turned) for turned in range(4)}
        assert len(with_report) == 1, "what was told hangs on cards that nobody saw"
        odds += '"held": null' in with_report.pop()
        assert len({_told_with(specs, seed, True, turned) for turned in range(4)}) == 4
    assert odds > 5


def _told_with(specs: list[str], seed: int, open_cards: bool, turned: int) -> str:
    """All that a person is told who folds to an all-in, the others' cards being turned round with the deck's."""
    rules = game("holdem-nl:stack=900")
    assert isinstance(rules, HoldemGame)
    sitting = HoldemTable(rules, specs, seed, open_cards, review=closing_calls)
    sitting.deal()
    record, hidden = sitting.table.tables, slice(2, 2 * len(specs))
    known = {*record["hole"][0, :2].tolist(), *record["board"][0].tolist()}
    rest = [card for card in range(52) if card not in known]
    record["hole"][0, hidden] = rest[7 * turned :][: 2 * len(specs) - 2]
    while sitting.turn == 0:
        moves = [one["name"] for one in sitting.look(0)["actions"]]
        sitting.take(0, "call" if 0 < sitting.look(0)["to_call"] <= 100 else "fold" if "fold" in moves else "check")
    look, (hand,) = sitting.look(0), sitting.hands
    assert not hand.shown
    assert hand.phh is not None
    return json.dumps(
        [look, sitting.score(0), hand.phh(0), [explain_action(sitting, 0, 1, place) for place in hand.odds]]
    )


def test_a_hand_seen_from_a_seat_is_the_hand_that_was_played() -> None:
    """What the terminal rebuilds from the events is what the table's own record tells, for every seat."""
    with_report = 0
    for seats in (2, 3, 5):
        rules = game("holdem-nl:stack=1500,ante=10" if seats == 3 else "holdem-nl:stack=1500")
        assert isinstance(rules, HoldemGame)
        names = [f"player {seat}" for seat in range(seats)]
        table = LiveTable(rules, [player(("random", "all-in", "call")[seat % 3]) for seat in range(seats)])
        for number in range(20):
            record: list[Any] = []
            table.play([1500] * seats, number % seats, number, record=record)
            whole = played_history(table, record, names)
            for seat in range(seats):
                place = whole.names.index(names[seat])
                seen = history_seen(rules, record, names, seat, whole.hole[place])
                assert (seen.stacks, seen.antes, seen.blinds) == (whole.stacks, whole.antes, whole.blinds)
                ours, theirs = closing_calls(seen, place), closing_calls(whole, place)
                assert [_plain(one) for one in ours] == [_plain(one) for one in theirs]
                with_report += len(ours)
    assert with_report > 20


def _plain(one: ClosingCall) -> tuple[Any, ...]:
    return one.decision, one.price, one.pot, one.wins, one.ev_loss


def test_folding_for_nothing_is_no_choice() -> None:
    sitting = HoldemTable(NL, ["person", "call"], 1, review=closing_calls)  # type: ignore[arg-type]
    sitting.deal()
    sitting.take(0, "call")
    while sitting.turn != NOBODY:
        assert "fold" not in [one["name"] for one in sitting.look(0)["actions"]]
        with pytest.raises(InputError, match="free"):
            sitting.take(0, "fold")
        sitting.take(0, "check")
