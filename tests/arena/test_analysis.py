"""A finished hand taken back: the same cards and actions up to the decision, then the person's own way, uncounted."""

import pytest

from cardwin.arena.interactive_table import FinishedHand, InteractiveTable
from cardwin.arena.interactive_tables import open_table, replay_from
from cardwin.core.errors import InputError
from cardwin.games.base import NOBODY


def finish(table: InteractiveTable, move: str = "") -> None:
    """Play a hand to its end with the first legal action that is no fold, or a wish."""
    while table.turn == 0:
        names = [one.get("text", one["name"]) for one in table.look(0)["actions"]]
        table.take(0, move if move in names else next(name for name in names if name != "fold"))


def decisions(hand: FinishedHand) -> list[int]:
    events = hand.events
    return [place for place, event in enumerate(events) if event["what"] == "acted" and event["seat"] == 0]


def played(game: str, players: list[str], hands: int, seed: int = 3) -> InteractiveTable:
    table = open_table(game, ["person", *players], seed, open_cards=True)
    for _ in range(hands):
        table.deal()
        finish(table)
    return table


@pytest.mark.parametrize(
    ("game", "players"),
    [("kuhn", ["equilibrium"]), ("leduc", ["uniform"]), ("holdem-nl", ["random"]), ("holdem-nl", ["v2", "standard"]),
     ("holdem-limit", ["loki", "xcs:caller-beater"]), ("holdem-nl", ["net:by-hand", "call"])],
)  # fmt: skip
def test_the_same_actions_give_the_same_hand_and_other_ones_do_not_count(game: str, players: list[str]) -> None:
    table = played(game, players, 6)
    before = table.score(0)
    last = next(hand for hand in reversed(table.hands) if decisions(hand))
    at = decisions(last)[-1]
    again = replay_from(table, 0, last.number, at)
    assert again.turn == 0
    assert again.look(0)["events"] == list(last.events[:at])
    assert again.look(0)["cards"] == {"0": list(last.cards[0])}, "the others' cards are hidden again"
    event = last.events[at]
    again.take(0, f"{event['action']} {event['amount']}" if event["action"] in ("bet", "raise") else event["action"])
    finish(again)
    assert again.turn == NOBODY
    assert again.hands[-1].won == last.won
    assert again.hands[-1].events == last.events
    assert len(table.hands) == 6
    assert table.score(0) == before
    other = replay_from(table, 0, last.number, decisions(last)[0])
    if "fold" in [one["name"] for one in other.look(0)["actions"]]:
        other.take(0, "fold")
    finish(other)
    assert len(table.hands) == 6
    assert table.score(0) == before
    table.deal()
    assert table.look(0)["hand"] == 7, "the table goes on"


def test_a_fold_in_the_analysis_costs_what_was_paid_so_far() -> None:
    table = played("holdem-nl", ["raise"], 1)
    first = replay_from(table, 0, 1, decisions(table.hands[0])[0])
    first.take(0, "fold")
    assert first.hands[-1].won[0] < 0 < first.hands[-1].won[1]
    assert table.hands[0].won != first.hands[-1].won


def test_what_cannot_be_taken_back_is_refused() -> None:
    table = played("holdem-nl", ["call"], 1)
    with pytest.raises(InputError, match="hand 2 is not over"):
        replay_from(table, 0, 2, 3)
    for place in (-1, 0, 10_000):
        with pytest.raises(InputError, match="is not a decision of yours"):
            replay_from(table, 0, 1, place)
    theirs = next(place for place, event in enumerate(table.hands[0].events) if event.get("seat") == 1)
    with pytest.raises(InputError, match="is not a decision of yours"):
        replay_from(table, 0, 1, theirs)
    hidden = open_table("holdem-nl", ["person", "call"], 1)
    hidden.deal()
    finish(hidden)
    with pytest.raises(InputError, match="shows all cards"):
        replay_from(hidden, 0, 1, decisions(hidden.hands[0])[0])
    two = open_table("kuhn", ["person", "person"], 1, open_cards=True)
    two.deal()
    while two.turn != NOBODY:
        two.take(two.turn, "check" if "check" in [one["name"] for one in two.look(two.turn)["actions"]] else "fold")
    own = next(place for place, event in enumerate(two.hands[0].events) if event["what"] == "acted")
    with pytest.raises(InputError, match="no other people"):
        replay_from(two, two.hands[0].events[own]["seat"], 1, own)
