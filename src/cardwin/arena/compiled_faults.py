"""The faults of compiled players from outside the package, which were recorded in the kernels that played them."""

from collections.abc import Callable, Sequence

from cardwin.arena.referee import NO_FAULTS, Fault, Report
from cardwin.players.compiled import CompiledPlayers

# From a player's number, its series (counted from 1, or 0) and its hand in it to a tournament, or 0, and a hand.
Locate = Callable[[int, int, int], tuple[int, int]]


def compiled_faults(players: CompiledPlayers, specs: Sequence[str], locate: Locate) -> Report:
    """Return the report of what compiled players did in a part of a series; NO_FAULTS if all of them are ours.

    Args:
        players: The players of all tables, table after table, with the scratch of this part.
        specs: The specifications of one table's players.
        locate: Returns where in the series a fault was.

    """
    states = [slot.state for slot in players.slots if slot.kind.judged]
    if not states:
        return NO_FAULTS
    from cardwin.players import compiled_plugin as plugin  # most matches need none of it

    seats, tables = len(specs), len(players.kinds) // len(specs)
    conduct = sum(state.conduct for state in states).reshape(tables, seats, plugin.CONDUCT)
    faults = []
    for row in (row.tolist() for state in states for row in state.faults[: int(state.kept[0])]):
        player = row[plugin.PLAYER]
        tournament, hand = locate(player, row[plugin.AT_SERIES], row[plugin.AT_HAND])
        reason = plugin.fault_text(row[plugin.FAULT :], row[plugin.RETURNED], row[plugin.AMOUNT], row[plugin.RULE])
        faults.append(Fault(specs[player % seats], hand, row[plugin.AT_ACTION], reason, tournament))
    return Report(
        tuple(conduct[:, :, plugin.FAULTS].sum(axis=0).tolist()),
        tuple(conduct[:, :, plugin.OUT].any(axis=0).tolist()),
        tuple(faults),
    )
