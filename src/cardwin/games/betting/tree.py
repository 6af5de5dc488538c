"""The public betting tree of a heads-up betting game, as arrays by street; cards are not in it.

A point is a decision or an end: somebody folds, a showdown, or the next street. The points of a street are numbered
breadth first from its entries (the ways to reach the street), so that parents come before their children and the
children of a point are contiguous. Strategies need each history apart (perfect recall). Against an opponent who does
not look at its cards equal pots are one entry (`merged`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cardwin.core.arrays import Ints
from cardwin.games.betting.game import BettingGame

DECISION, FOLD, SHOWDOWN, NEXT_STREET = range(4)


@dataclass(frozen=True)
class BettingStreet:
    """The points of one street, arrays (points,); the first `entries` points are the roots.

    kind; actor of a decision, or the seat that folded; first_child, children and parent (-1 for a root); chips (points,
    2): what each seat has put in since the start of the hand; target: the entry of the next street. `lines` are the
    betting histories, such as `cr/c`, `actions` the names of the children's actions.
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
    """The betting before somebody acts: chips of both seats, whose turn, raises so far, the last raise, who acted."""

    chips: tuple[int, int]
    actor: int
    raises: int
    last_raise: int
    acted: bool
    line: str
    kind: int = DECISION


@dataclass
class _Draft:
    """A street while it is built."""

    entries: int
    situations: list[_Situation]
    first_child: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    actions: list[tuple[str, ...]] = field(default_factory=list)


def betting_tree(game: BettingGame, merged: bool = False) -> tuple[BettingStreet, ...]:
    """The streets of a game's betting tree."""
    entries = [((game.blinds[0] + game.ante, game.blinds[1] + game.ante), "")]
    streets = []
    for street in range(game.streets):
        roots = [_root(game, street, chips, line) for chips, line in entries]
        tree, entries = _build(game, street, roots, merged)
        streets.append(tree)
    return tuple(streets)


def _root(game: BettingGame, street: int, chips: tuple[int, int], line: str) -> _Situation:
    if game.stack and min(chips) >= game.stack:  # both are all-in: no decision is left
        return _Situation(chips, -1, 0, 0, True, line, _end(game, street))
    return _Situation(chips, game.first[street], 0, game.least_bet or game.big_blind, False, line)


def _end(game: BettingGame, street: int) -> int:
    return NEXT_STREET if street + 1 < game.streets else SHOWDOWN


def _build(
    game: BettingGame, street: int, roots: Sequence[_Situation], merged: bool
) -> tuple[BettingStreet, list[tuple[tuple[int, int], str]]]:
    """A street from its roots, and the entries of the next one."""
    draft = _Draft(len(roots), list(roots), parent=[-1] * len(roots))
    following: dict[object, int] = {}
    entries: list[tuple[tuple[int, int], str]] = []
    place = 0
    while place < len(draft.situations):
        here = draft.situations[place]
        options = _options(game, street, here) if here.kind == DECISION else []
        draft.first_child.append(len(draft.situations) if options else -1)
        draft.children.append(len(options))
        draft.actions.append(tuple(name for name, _ in options))
        draft.situations += [after for _, after in options]
        draft.parent += [place] * len(options)
        target = -1
        if here.kind == NEXT_STREET:
            key = here.chips if merged else here.line
            target = following.setdefault(key, len(entries))
            if target == len(entries):
                entries.append((here.chips, here.line + "/"))
        draft.target.append(target)
        place += 1
    return _finish(draft), entries


def _finish(draft: _Draft) -> BettingStreet:
    def column(values: Sequence[int]) -> Ints:
        return np.array(values, dtype=np.int64)

    return BettingStreet(
        draft.entries,
        column([one.kind for one in draft.situations]),
        column([one.actor for one in draft.situations]),
        column(draft.first_child),
        column(draft.children),
        column(draft.parent),
        np.array([one.chips for one in draft.situations], dtype=np.int64),
        column(draft.target),
        tuple(one.line for one in draft.situations),
        tuple(draft.actions),
    )


def _options(game: BettingGame, street: int, here: _Situation) -> list[tuple[str, _Situation]]:
    """The legal actions in the order fold, call, raises, and what follows each."""
    seat, other = here.actor, 1 - here.actor
    own, theirs = here.chips[seat], here.chips[other]
    options = []
    if own < theirs:
        options.append(("f", _Situation(here.chips, seat, 0, 0, True, here.line + "f", FOLD)))
    called = (theirs, theirs) if own < theirs else here.chips
    ends = here.acted or (game.stack > 0 and min(called) >= game.stack)
    if ends:
        after = _Situation(called, -1, 0, 0, True, here.line + "c", _end(game, street))
    else:
        after = _Situation(called, other, here.raises, here.last_raise, True, here.line + "c")
    options.append(("c", after))
    if here.raises < game.caps[street]:
        for name, total in _raises(game, street, theirs, max(own, theirs), here.last_raise):
            chips = (total, theirs) if seat == 0 else (theirs, total)
            step = total - max(own, theirs)
            options.append((name, _Situation(chips, other, here.raises + 1, step, True, here.line + name)))
    return options


def _raises(game: BettingGame, street: int, theirs: int, highest: int, last_raise: int) -> list[tuple[str, int]]:
    """The names of raises and the chips of the one who raises, after each of them."""
    if game.limit:
        return [("r", highest + game.limit_sizes[street])]
    if theirs >= game.stack:
        return []
    totals = {
        min(game.stack, highest + max(last_raise, round(fraction * 2 * highest))) for fraction in game.pot_sizes[street]
    }
    return [(f"r{total}", total) for total in sorted(totals | {game.stack})]
