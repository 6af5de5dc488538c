"""Converts hands played at a live table to the records from which playing styles are counted."""

from collections.abc import Sequence

import numpy as np

from cardwin.arena.live_table import LiveTable
from cardwin.cards.ranks import rank_cards, simple_rank
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Shown
from cardwin.stats.style import SeenDecision, SeenHand


@kernel
def share_beaten(cards: Ints, suitless: bool) -> float:
    """Return the share of other combos that two cards beat on a board.

    Ties count half. `cards` (5 to 7,) begins with the hole cards.
    """
    other = cards.copy()
    ours = simple_rank(cards) if suitless else -rank_cards(cards)
    beaten, total = 0.0, 0
    for a in range(52):
        for b in range(a):
            free = True
            for card in cards:
                free &= card not in (a, b)
            if free:
                other[0], other[1] = a, b
                theirs = simple_rank(other) if suitless else -rank_cards(other)
                beaten += 1.0 if ours > theirs else (0.5 if ours == theirs else 0.0)
                total += 1
    return beaten / total


def seen_hand(table: LiveTable, events: Sequence[Event]) -> SeenHand:
    """Return the hand just played, from its events; players by the numbers in `table.player_ids`."""
    began = next(event for event in events if isinstance(event, HandBegan))
    hole, suitless = table.tables["hole"][0], bool(table.tables["suitless"][0])
    board: list[int] = []
    raises = 0
    decisions, shown = [], []
    for event in events:
        if isinstance(event, BoardDealt):
            board += event.cards
            raises = 0
        elif isinstance(event, Shown):
            shown.append(table.player_ids[event.seat])
        elif isinstance(event, Acted):
            facing, strength = raises > 0, None  # a player's turn comes again only after another player raised
            if event.action.amount:
                raises += 1
                cards = hole[2 * event.seat : 2 * event.seat + 2]
                strength = share_beaten(np.array([*cards, *board]), suitless) if board else None
            decisions.append(
                SeenDecision(table.player_ids[event.seat], event.street, event.action.name, facing, strength)
            )
    dealt = tuple(table.player_ids[seat] for seat, stack in enumerate(began.stacks) if stack > 0)
    return SeenHand(dealt, tuple(decisions), tuple(shown))
