"""The public betting tree of a heads-up betting game, as arrays by street; cards are not in it.

A point is a decision or an end: a fold, a showdown, or the next street. The points of a street are numbered breadth
first from its entries (the ways to reach the street), so that parents precede their children and the children of a
point are contiguous. Strategies distinguish all histories (perfect recall). Against an opponent whose actions do not
depend on its cards, equal pots form one entry (`merged`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Ints
from cardwin.games.betting.game import BettingGame

DECISION, FOLD, SHOWDOWN, NEXT_STREET = range(4)


@dataclass(frozen=True)
class BettingStreet:
    """The points of one street, arrays (points,); the first `entries` points are the roots.

    kind; actor of a decision, or the seat that folded; first_child, children and parent (-1 for a root); chips (points,
    2), put in by each seat since the start of the hand; target, the entry of the next street. `lines` are the betting
    histories, such as `cr/c`, and `actions` the names of the children's actions.
    """

    entries: int
    kind: Ints
    actor: Ints
    first_child: Ints
    children: Ints
    parent: Ints
    chips: Ints
    target: Ints
    lines: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]

    @property
    def points(self) -> int:
        """The number of points."""
        return len(self.kind)


@dataclass(frozen=True)
class _Situation:
    """The betting before an action: chips of both seats, actor, raises so far, last raise, whether a seat acted."""

    chips: tuple[int, int]
    actor: int
    line: str
    raises: int = 0
    last_raise: int = 0
    acted: bool = True
    kind: int = DECISION


def betting_tree(game: BettingGame, merged: bool = False) -> tuple[BettingStreet, ...]:
    """Return the streets of a game's betting tree.

    Args:
        game: The game.
        merged: Whether equal chips at the start of a street are one entry, whatever the betting before.

    """
    entries = [((game.blinds[0] + game.ante, game.blinds[1] + game.ante), "")]
    streets = []
    for street in range(game.streets):
        roots = [_root(game, street, chips, line) for chips, line in entries]
        tree, entries = _build(game, street, roots, merged)
        streets.append(tree)
    return tuple(streets)


def _root(game: BettingGame, street: int, chips: tuple[int, int], line: str) -> _Situation:
    if game.stack and min(chips) >= game.stack:  # both are all-in: no decision is left
        return _Situation(chips, -1, line, kind=_end(game, street))
    return _Situation(chips, game.first[street], line, last_raise=game.min_bet or game.big_blind, acted=False)


def _end(game: BettingGame, street: int) -> int:
    return NEXT_STREET if street + 1 < game.streets else SHOWDOWN


def _build(
    game: BettingGame, street: int, roots: Sequence[_Situation], merged: bool
) -> tuple[BettingStreet, list[tuple[tuple[int, int], str]]]:
    """Return a street from its roots, and the entries of the next one."""
    situations, parent = list(roots), [-1] * len(roots)
    first_child, target, actions = list[int](), list[int](), list[tuple[str, ...]]()
    entry_of: dict[object, int] = {}
    entries: list[tuple[tuple[int, int], str]] = []
    for point, situation in enumerate(situations):  # grows while it is read
        options = _options(game, street, situation) if situation.kind == DECISION else []
        first_child.append(len(situations) if options else -1)
        actions.append(tuple(name for name, _ in options))
        situations += [after for _, after in options]
        parent += [point] * len(options)
        entry = -1
        if situation.kind == NEXT_STREET:
            entry = entry_of.setdefault(situation.chips if merged else situation.line, len(entries))
            if entry == len(entries):
                entries.append((situation.chips, situation.line + "/"))
        target.append(entry)

    def column(values: Sequence[object]) -> Ints:
        return np.array(values, dtype=np.int64)

    tree = BettingStreet(
        entries=len(roots),
        kind=column([situation.kind for situation in situations]),
        actor=column([situation.actor for situation in situations]),
        first_child=column(first_child),
        children=column([len(names) for names in actions]),
        parent=column(parent),
        chips=column([situation.chips for situation in situations]),
        target=column(target),
        lines=tuple(situation.line for situation in situations),
        actions=tuple(actions),
    )
    return tree, entries


def _options(game: BettingGame, street: int, before: _Situation) -> list[tuple[str, _Situation]]:
    """Return the legal actions in the order fold, call, raises, each with the situation after it."""
    seat, other = before.actor, 1 - before.actor
    ours, theirs = before.chips[seat], before.chips[other]
    options = []
    if ours < theirs:
        options.append(("f", _Situation(before.chips, seat, before.line + "f", kind=FOLD)))
    called = (theirs, theirs) if ours < theirs else before.chips
    if before.acted or (game.stack > 0 and min(called) >= game.stack):
        after = _Situation(called, -1, before.line + "c", kind=_end(game, street))
    else:
        after = _Situation(called, other, before.line + "c", before.raises, before.last_raise)
    options.append(("c", after))
    if before.raises < game.caps[street]:
        highest = max(ours, theirs)
        for name, total in _raises(game, street, theirs, highest, before.last_raise):
            chips = (total, theirs) if seat == 0 else (theirs, total)
            after = _Situation(chips, other, before.line + name, before.raises + 1, total - highest)
            options.append((name, after))
    return options


def _raises(game: BettingGame, street: int, theirs: int, highest: int, last_raise: int) -> list[tuple[str, int]]:
    """Return the names of the raises, with the actor's chips after each of them."""
    if game.limit:
        return [("r", highest + game.limit_sizes[street])]
    if theirs >= game.stack:
        return []
    totals = {
        min(game.stack, highest + max(last_raise, round(fraction * 2 * highest))) for fraction in game.pot_sizes[street]
    }
    return [(f"r{total}", total) for total in sorted(totals | {game.stack})]
