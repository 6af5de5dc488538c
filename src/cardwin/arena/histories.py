"""Hands as they were played at a live table, as histories that can be written down."""

from collections.abc import Sequence

from cardwin.arena.live import LiveTable
from cardwin.games.holdem.events import Acted, BoardDealt, Event, HandBegan, Shown
from cardwin.games.holdem.history import CALL, DEAL, FOLD, RAISE, SHOW, History, Step

_WHAT = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}


def history_of(table: LiveTable, record: Sequence[Event], names: Sequence[str]) -> History:
    """The history of the hand just played, whose events are the record; empty seats are left out."""
    began = next(event for event in record if isinstance(event, HandBegan))
    seats = len(table.players)
    around = [(began.button + step) % seats for step in range(1, seats + 1)]
    order = [seat for seat in around if began.stacks[seat] > 0]
    return History(
        game=table.game,
        stacks=tuple(began.stacks[seat] for seat in order),
        antes=tuple(int(table.desk.forced[0, seat]) for seat in order),
        blinds=tuple(int(table.desk.forced[1, seat]) for seat in order),
        dead_antes=False,
        hole=tuple(tuple(table.tables["hole"][0, 2 * seat : 2 * seat + 2].tolist()) for seat in order),
        steps=tuple(step for event in record for step in _steps(event, order)),
        names=tuple(names[seat] for seat in order),
    )


def _steps(event: Event, order: list[int]) -> list[Step]:
    if isinstance(event, Acted):
        return [Step(_WHAT[event.action.name], order.index(event.seat), event.action.amount)]
    if isinstance(event, BoardDealt):
        return [Step(DEAL, cards=event.cards)]
    if isinstance(event, Shown):
        return [Step(SHOW, order.index(event.seat), cards=event.cards)]
    return []
