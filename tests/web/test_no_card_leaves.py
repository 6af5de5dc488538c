"""No byte of a card that the viewer may not see ever leaves the server: 2,000 hands in code, every frame read.

What a seat may see is worked out here from the dealer's own records, not from what the page says.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardwin.arena.interactive_table import HoldemTable
from cardwin.cards.card import CARD_NAMES
from cardwin.core.rng import draw_below, stream_of
from web.served import Person, Sat, client_of

# 2,000 hands in all: the number that the page promises.
TABLES: list[tuple[str, list[str], int]] = [
    ("holdem-nl", ["person", "call", "random"], 500),
    ("holdem-nl", ["random", "call-or-raise", "person", "matrix", "standard", "v1:rollouts=5"], 300),
    ("holdem-limit", ["random", "person"], 400),
    ("holdem-simple", ["call", "person", "random", "raise"], 200),
    ("kuhn", ["person", "equilibrium"], 200),
    ("kuhn-13", ["uniform", "person"], 100),
    ("leduc", ["person", "uniform"], 200),
    ("onecard-10", ["person", "uniform"], 100),
]


def texts(value: Any) -> Iterator[str]:
    """Every text in a frame that is no name of a field."""
    if isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, str):
        yield value


def cards_in(frame: dict[str, Any], deck: set[str]) -> set[str]:
    """Every card that a frame names, wherever it stands. The names of players, and hands' marks, name none."""
    rest = {key: value for key, value in frame.items() if key not in ("players", "game", "table")}
    found = set()
    for text in texts(rest):
        found |= {text} & deck
    return found | (set(re.findall(r"[2-9TJQKA][cdhs]", json.dumps(rest))) & deck)


def dealt(person: Person) -> tuple[list[list[str]], list[str]]:
    """Everybody's cards and the board, from the dealer's records."""
    sitting = person.table.interactive
    if isinstance(sitting, HoldemTable):
        record = sitting.table.tables[0]
        names = [[CARD_NAMES[card] for card in record["hole"][2 * s : 2 * s + 2]] for s in range(sitting.table.seats)]
        known = int(record["board_size"][record["street"]])
        return names, [CARD_NAMES[card] for card in record["board"][:known]]
    cards = [str(card) for card in sitting.table.state.dealt]
    by_seat = [[cards[sitting._role_of(seat)]] for seat in (0, 1)]
    return by_seat, cards[2:]


def check_frame(person: Person, sat: Sat, seat: int, deck: set[str]) -> None:
    frame = json.loads(person.frames[-1])
    hands, board = dealt(person)
    shown = {event["seat"] for event in frame["events"] if event["what"] == "shown"}
    live = hands_shown(person) if frame["over"] else set()
    assert shown <= live, "cards are shown before the end, or of somebody who folded"
    allowed = {*hands[seat], *board, *(card for one in shown for card in hands[one])}
    assert cards_in(frame, deck) <= allowed, person.frames[-1]
    assert not re.search(r'"(seed|key|deck|hole|decisions)"', person.frames[-1])
    assert sat.seen["cards"][str(seat)] == hands[seat]


def hands_shown(person: Person) -> set[int]:
    """Who was still in at the showdown, by what was done."""
    events = person.table.interactive.hands[-1].events
    folded = {event["seat"] for event in events if event["what"] == "acted" and event["action"] == "fold"}
    left = set(range(len(person.table.interactive.names))) - folded
    return left if len(left) > 1 else set()


@pytest.mark.parametrize(("game", "players", "hands"), TABLES, ids=lambda value: str(value)[:40])
def test_no_card_leaves_that_the_viewer_may_not_see(game: str, players: list[str], hands: int, tmp_path: Path) -> None:
    look_at_every_frame(game, players, hands // 5, 7, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "hands"), TABLES, ids=lambda value: str(value)[:40])
def test_no_card_leaves_in_two_thousand_hands(game: str, players: list[str], hands: int, tmp_path: Path) -> None:
    assert sum(hands for _, _, hands in TABLES) == 2000
    look_at_every_frame(game, players, hands, 8, tmp_path)


def look_at_every_frame(game: str, players: list[str], hands: int, seed: int, home: Path) -> None:
    """Play so many hands at random, and look at all that the person is sent."""
    person = Person(client_of(home), game, players, seed=seed)
    seat, rng, read = players.index("person"), stream_of(11), 0
    deck = set(CARD_NAMES)
    if not game.startswith("holdem"):
        state = person.table.interactive.game.start()
        deck = {str(card) for card, _ in state.chance_outcomes()}
    with person.sits() as sat:
        for _ in range(hands):
            sat.say(do="deal")
            check_frame(person, sat, seat, deck)
            while not sat.seen["over"]:
                moves = sat.moves()
                sat.act(moves[draw_below(rng, len(moves))])
                check_frame(person, sat, seat, deck)
            read += 1
    assert read == hands


def test_after_the_hand_cards_are_turned_up_only_where_that_was_agreed(tmp_path: Path) -> None:
    for open_cards in (False, True):
        person = Person(client_of(tmp_path), "holdem-nl", ["person", "raise", "fold"], open_cards=open_cards)
        with person.sits() as sat:
            sat.say(do="deal")
            while not sat.seen["over"]:
                sat.act("fold" if "fold" in sat.moves() else "check")
            assert set(sat.seen["cards"]) == ({"0", "1", "2"} if open_cards else {"0"})
            place = next(n for n, e in enumerate(sat.seen["events"]) if e["what"] == "acted" and e["seat"] == 2)
            said = sat.say(do="why", hand=1, event=place)
            if open_cards:
                assert said["type"] == "why"
                assert len(said["cards"]) == 2
            else:
                # A player that keeps no thoughts has none to hide; no card comes with the answer.
                assert "cards" not in said
            phh = person.client.get(f"/api/tables/{person.opened['id']}/hands/1.phh?token={person.opened['token']}")
            assert phh.text.count("????") == (0 if open_cards else 2)


def test_why_is_refused_where_it_would_tell_of_hidden_cards(tmp_path: Path) -> None:
    person = Person(client_of(tmp_path), "kuhn", ["person", "uniform"], seed=3)
    with person.sits() as sat:
        for hand in range(1, 30):
            sat.say(do="deal")
            while not sat.seen["over"]:
                moves = sat.moves()
                sat.act("fold" if "fold" in moves else moves[0])
            events = sat.seen["events"]
            shown = any(event["what"] == "shown" for event in events)
            theirs = [n for n, event in enumerate(events) if event["what"] == "acted" and event["seat"] == 1]
            for place in theirs:
                said = sat.say(do="why", hand=hand, event=place)
                assert said["type"] == ("why" if shown else "refused")
