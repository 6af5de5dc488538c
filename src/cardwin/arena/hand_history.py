"""Histories of hands played at a live table."""

from collections.abc import Sequence

from cardwin.arena.live_table import LiveTable
from cardwin.games.holdem.events import Event, HandBegan, Posted, Shown
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import History
from cardwin.games.holdem.saved import seats_from, steps_of
from cardwin.games.holdem.table import UNKNOWN


def played_history(table: LiveTable, record: Sequence[Event], names: Sequence[str]) -> History:
    """Return the history of the hand just played, whose events are the record, without empty seats."""
    forced, hole = table.forced.tolist(), table.tables["hole"][0].tolist()
    hands = [tuple(hole[2 * seat : 2 * seat + 2]) for seat in range(len(names))]
    return _history(table.game, record, names, hands, forced[0], forced[1])


def history_seen(
    game: HoldemGame, record: Sequence[Event], names: Sequence[str], seat: int, hole: tuple[int, ...]
) -> History:
    """Return the history of a hand as a seat saw it: its events, the seat's own cards, and the cards shown."""
    hands: list[tuple[int, ...]] = [(UNKNOWN, UNKNOWN) for _ in names]
    forced = {"ante": [0] * len(names), "blind": [0] * len(names)}
    for event in record:
        if isinstance(event, Shown):
            hands[event.seat] = event.cards
        elif isinstance(event, Posted):
            forced[event.kind][event.seat] = event.chips
    hands[seat] = hole
    return _history(game, record, names, hands, forced["ante"], forced["blind"])


def _history(
    game: HoldemGame,
    record: Sequence[Event],
    names: Sequence[str],
    hands: Sequence[tuple[int, ...]],
    antes: Sequence[int],
    blinds: Sequence[int],
) -> History:
    """Return a history from each seat's cards and forced bets."""
    began = next(event for event in record if isinstance(event, HandBegan))
    order = [seat for seat in seats_from(began.button, len(names)) if began.stacks[seat] > 0]
    return History(
        game=game,
        stacks=tuple(began.stacks[seat] for seat in order),
        antes=tuple(antes[seat] for seat in order),
        blinds=tuple(blinds[seat] for seat in order),
        dead_antes=False,
        hole=tuple(hands[seat] for seat in order),
        steps=tuple(step for event in record for step in steps_of(event, order)),
        names=tuple(names[seat] for seat in order),
    )
