"""Local best response (Lisý and Bowling 2017): a lower bound for what can be won from a hold'em player, by playing.

Heads-up, against a player that can say what it would do with every holding:

1. Keep the chances of all its holdings by Bayes' rule, from the chances of its actions with each of them.
2. At our turn compare fold, call and each bet of a menu, as if both sides checked and called from then on:
   fold is worth 0; a call w pot - (1 - w) to_call, where w is the chance to win against the present range; a bet b
   f pot + (1 - f) (w' (pot + b) - (1 - w') (to_call + b)), where f is the chance that the player folds to it, and w'
   the chance to win against what does not fold.
3. Do the best of them, check or fold if nothing is worth more than 0.

What it wins is truly won, whatever the range was: the mean is a lower bound of the exploitability. It can be far below,
and below 0 against strong players. Every deal is played from both seats. Players that remember begin every hand with an
empty memory.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from cardwin.analysis.holding_chances import CLASSES, holding_chances
from cardwin.analysis.situations import MAX_ACTIONS, STREET, Situation, situations_of
from cardwin.arena.engine import CARDS, DealScratch, advance, apply_decision, begin_hand, new_scratch
from cardwin.arena.stakes import deal_bounds
from cardwin.cards.deals import draw_card
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.cards.ranks import BITS, CODES, START, rank_of
from cardwin.core.arrays import Floats, Ints
from cardwin.core.display import BriefRepr
from cardwin.core.errors import InputError
from cardwin.core.executor import open_executor
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, bits_at, child, key_of, prf
from cardwin.games.holdem.events import STREET_NAMES
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.hooks import FIRST_DRAWING, FIRST_SLOT, PYTHON, Players, begin_match, decide, decide_static_at
from cardwin.games.holdem.rules import (
    CALL,
    FINE,
    FOLD,
    RAISE,
    max_raise_to,
    min_raise_to,
    read_betting,
    why_no_raise,
    write_betting,
)
from cardwin.games.holdem.table import BOARD, Table, Tables
from cardwin.players.compiled import CompiledPlayers, called_in_python, compiled_players
from cardwin.players.loki.play import LOKI
from cardwin.players.registry import player
from cardwin.players.specs import is_untrusted
from cardwin.stats.intervals import Estimate, bounded_mean

OURS, THEIRS = 0, 1  # the players' numbers
ALL_IN, POT = -1.0, 1.0  # bets of a menu are parts of the pot after a call; -1 is all-in
MENU = (POT, ALL_IN)
RUNOUTS = 48  # boards that are sampled before the turn
BLOCK = 64  # deals of one job
CHANCES, BOARDS = -2, -3  # children of a hand's key


class Menu(NamedTuple):
    """What may be bet: parts of the pot (bets,), and the first street on which; before, we check and call."""

    bets: Floats
    first_street: int
    runouts: int


class Room(NamedTuple):
    """Work arrays of a hand.

    They contain the player's range, our probability to win against each holding and the number of boards behind it,
    (1326,) each; the player's action probabilities (1326, 4), by class (169, 4); streams by seat (2, 2) for questions
    and one (2,) for boards; and the player's memory, as in `play_deals`.
    """

    reach: Floats
    wins: Floats
    counts: Floats
    chances: Floats
    by_class: Floats
    questions: Ints
    boards: Stream
    memory: Floats


@kernel(refcount=False)
def remove_known(t: Table, seat: int, reach: Floats) -> None:
    """Take holdings with our cards or those on the board out of a range (1326,)."""
    seen = (1 << t.hole[2 * seat]) | (1 << t.hole[2 * seat + 1])
    for index in range(t.board_size[t.street]):
        seen |= 1 << t.board[index]
    for holding in range(HOLDINGS):
        if ((seen >> HOLDING_CARDS[holding, 0]) | (seen >> HOLDING_CARDS[holding, 1])) & 1:
            reach[holding] = 0.0


@kernel(refcount=False)
def win_chances(t: Table, seat: int, runouts: int, room: Room) -> None:
    """Write our chance to win against each holding (1326,), ties as halves, over the boards to come.

    On the turn and the river all boards, before that a sample.
    """
    shown = t.board_size[t.street]
    a, b = t.hole[2 * seat], t.hole[2 * seat + 1]
    seen = (1 << a) | (1 << b)
    for index in range(shown):
        seen |= 1 << t.board[index]
    reach, wins, counts, stream = room.reach, room.wins, room.counts, room.boards
    for holding in range(HOLDINGS):
        wins[holding] = counts[holding] = 0.0
    many = 52 - 2 - shown if shown == BOARD - 1 else (1 if shown == BOARD else runouts)
    next_card = 0
    for _ in range(many):
        total, held, known = START, 0, seen
        for index in range(shown):
            total, held = total + CODES[t.board[index]], held | BITS[t.board[index]]
        for _ in range(shown, BOARD):
            if shown == BOARD - 1:
                while (seen >> next_card) & 1:
                    next_card += 1
                card = next_card
                next_card += 1
            else:
                card = draw_card(stream, known)
            total, held, known = total + CODES[card], held | BITS[card], known | (1 << card)
        ours = rank_of(total + CODES[a] + CODES[b], held | BITS[a] | BITS[b], 7)
        for holding in range(HOLDINGS):
            if reach[holding] > 0.0:
                c, d = HOLDING_CARDS[holding, 0], HOLDING_CARDS[holding, 1]
                if ((known >> c) | (known >> d)) & 1 == 0:
                    theirs = rank_of(total + CODES[c] + CODES[d], held | BITS[c] | BITS[d], 7)
                    counts[holding] += 1.0
                    wins[holding] += 1.0 if ours < theirs else (0.5 if ours == theirs else 0.0)
    for holding in range(HOLDINGS):
        wins[holding] = wins[holding] / counts[holding] if counts[holding] > 0.0 else 0.5


@kernel
def bet_value(
    tables: Tables, ids: Ints, players: Players, amount: int, pot: int, cost: int, scratch: DealScratch, room: Room
) -> float:
    """Return the value of a raise to an amount; tables (2,): the table, and room for the one after the raise."""
    tables[1] = tables[0]
    t, seat = tables[1], tables[0].actor
    raised = amount - tables[0].bet[seat] - cost
    memory = room.memory
    ours = memory[OURS].copy() if len(memory) else np.zeros(0)
    after = apply_decision(t, read_betting(t), ids, players, RAISE, amount, scratch)
    write_betting(t, after)
    folds = won = total = 0.0
    if t.actor >= 0:
        holding_chances(players, THEIRS, ids, t, room.questions, room.reach, room.by_class, room.chances)
    for holding in range(HOLDINGS):
        weight = room.reach[holding]
        if weight > 0.0:
            fold = room.chances[holding, FOLD] if t.actor >= 0 else 0.0
            total += weight
            folds += weight * fold
            won += weight * (1.0 - fold) * room.wins[holding]
    if len(memory):
        memory[OURS] = ours
    if total <= 0.0:
        return 0.0
    stay = (total - folds) / total
    win = won / (total - folds) if total - folds > 0.0 else 0.0
    return float(folds / total * pot + stay * (win * (pot + raised) - (1.0 - win) * (cost + raised)))


@kernel
def respond(
    tables: Tables, ids: Ints, players: Players, menu: Menu, scratch: DealScratch, room: Room
) -> tuple[int, int]:
    """Return our action at our turn, and the total bet if it is a raise."""
    t = tables[0]
    seat = t.actor
    cost = min(t.current_bet - t.bet[seat], t.stack[seat])
    if t.street < menu.first_street:
        return CALL, 0
    win_chances(t, seat, menu.runouts, room)
    pot, total, won = 0, 0.0, 0.0
    for other in range(2):
        pot += t.start[other] - t.stack[other]
    for holding in range(HOLDINGS):
        total += room.reach[holding]
        won += room.reach[holding] * room.wins[holding]
    win = won / total if total > 0.0 else 0.5
    action, amount, best = (FOLD if cost > 0 else CALL), 0, 0.0
    value = win * pot - (1.0 - win) * cost
    if value > best:
        action, best = CALL, value
    if why_no_raise(t) == FINE:
        minimum, maximum, before = min_raise_to(t), max_raise_to(t), 0
        for part in menu.bets:
            wanted = maximum if part < 0.0 else t.current_bet + int(part * (pot + cost) + 0.5)
            raise_to = min(max(wanted, minimum), maximum)
            if raise_to != before:
                value = bet_value(tables, ids, players, raise_to, pot, cost, scratch, room)
                if value > best:
                    action, amount, best = RAISE, raise_to, value
            before = raise_to
    return action, amount


@kernel(refcount=False)
def their_action(t: Table, ids: Ints, players: Players, scratch: DealScratch, room: Room) -> tuple[int, int]:
    """Return the player's action at its turn; its range becomes that of holdings with which it might have done it."""
    holding_chances(players, THEIRS, ids, t, room.questions, room.reach, room.by_class, room.chances)
    kind, seat = players.kinds[THEIRS], t.actor
    if kind < FIRST_SLOT:
        action, amount = decide_static_at(kind, t, read_betting(t), scratch.next_bits[seat])
        if kind >= FIRST_DRAWING:
            scratch.rng[seat, 1] += 1
            scratch.next_bits[seat] = bits_at(scratch.rng[seat, 0], scratch.rng[seat, 1])
    else:
        action, amount = decide(players, ids, t, scratch.rng)
    left = 0.0
    for holding in range(HOLDINGS):
        left += room.reach[holding] * room.chances[holding, action]
    if left > 1e-12:  # otherwise its action contradicts its probabilities: its range is reset
        for holding in range(HOLDINGS):
            room.reach[holding] *= room.chances[holding, action] / left
    else:
        for holding in range(HOLDINGS):
            room.reach[holding] = 1.0
        remove_known(t, 1 - seat, room.reach)
    return action, amount


@kernel
def play_deals(
    tables: Tables,
    players: Players,
    stops: Players,
    memory: Floats,
    menu: Menu,
    stack: int,
    key: int,
    deals: Ints,
    won: Floats,
    notes: Ints,
) -> None:
    """Play deals by their numbers, each from both seats; tables (2,) are scratch, `stops` stops at every decision.

    memory (players, any) is what the player remembers of both, or has no rows: bets that are only considered are
    forgotten again.

    Out: the chips that we won (deals, 2), and the actions (deals, 2, MAX_ACTIONS) as `line_of` reads them.
    """
    t, scratch, ids = tables[0], new_scratch(len(players.states)), np.empty(2, np.int64)
    room = Room(
        np.empty(HOLDINGS),
        np.empty(HOLDINGS),
        np.empty(HOLDINGS),
        np.empty((HOLDINGS, 4)),
        np.empty((CLASSES, 4)),
        np.zeros((2, 2), np.int64),
        np.zeros(2, np.int64),
        memory,
    )
    for row in range(len(deals)):
        for seat in range(2):
            hand = child(child(key, deals[row]), seat)
            ids[seat], ids[1 - seat] = OURS, THEIRS
            t.button, t.stack[0], t.stack[1] = deals[row] % 2, stack, stack
            begin_match(players)
            begin_hand(t, ids, players, prf(child(key, deals[row]), CARDS), hand, scratch)
            room.reach[:] = 1.0
            for index in range(2):
                room.questions[index, 0], room.questions[index, 1] = child(child(hand, CHANCES), index), 0
            room.boards[0], room.boards[1] = child(hand, BOARDS), 0
            noted, street = 0, 0
            while True:
                advance(t, ids, stops, scratch)
                if t.actor < 0:
                    break
                ours = ids[t.actor] == OURS
                remove_known(t, seat, room.reach)
                if ours:
                    action, amount = respond(tables, ids, players, menu, scratch, room)
                else:
                    action, amount = their_action(t, ids, players, scratch, room)
                while street < t.street and noted < MAX_ACTIONS:
                    street += 1
                    notes[row, seat, noted] = STREET
                    noted += 1
                if noted < MAX_ACTIONS:
                    facing = t.bet[t.actor] < t.current_bet
                    code = 1 + action + (3 if action == CALL and facing else 0)
                    notes[row, seat, noted] = -code if ours else code
                    noted += 1
                write_betting(t, apply_decision(t, read_betting(t), ids, players, action, amount, scratch))
            won[row, seat] = t.stack[seat] - t.start[seat]


@dataclass(frozen=True)
class LocalBestResponse(BriefRepr):
    """What the local best response won: at least so much can be won from the player.

    `exact`: whether the player says its chances; otherwise its actions with other holdings were sampled, and the bound
    is lower than it could be. `frozen`: the player remembers, and began every hand as it begins a match.
    """

    game: str
    spec: str
    unit: str
    won: Estimate
    hands: int
    seed: int
    exact: bool
    situations: tuple[Situation, ...]
    frozen: bool = False

    @property
    def exploitability(self) -> float:
        """The mean of what was won: the true exploitability is at least the lower end of the interval of `won`."""
        return self.won.mean


def asked_in_python(compiled: CompiledPlayers, player_id: int) -> bool:
    """Return whether a player is asked for all its holdings in Python: it is not compiled, or a Loki."""
    slot = compiled.slot_of(player_id)
    return int(compiled.kinds[player_id]) == PYTHON or (slot is not None and slot.kind is LOKI)


def local_best_response(
    game: HoldemGame,
    spec: str,
    deals: int,
    seed: int,
    *,
    menu: Sequence[float] = MENU,
    first_street: int = 0,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> LocalBestResponse:
    """Play deals against a player, each from both seats, with an interval that is valid at any stop.

    `menu` are parts of the pot, -1 is all-in; limit games have one size.
    """
    if not 1 <= deals <= 10_000_000:
        raise InputError(f"expected 1 to 10,000,000 deals, got {deals}")
    if not 0 <= first_street < len(STREET_NAMES):
        raise InputError(f"invalid street {first_street}: expected 0 (before the flop) to 3 (the river)")
    from cardwin.analysis import python_response  # which needs this module

    opponent = None if is_untrusted(spec) else player(spec)
    compiled = compiled_players([None, opponent])
    slot = compiled.slot_of(THEIRS)
    in_python = asked_in_python(compiled, THEIRS)
    if opponent is None or (in_python and python_response.holdings_of(opponent) is None):
        raise InputError(
            f"{spec} cannot say what it would do with every holding: robots, networks, Loki and classifier systems can"
        )
    if slot is not None and slot.kind.remembers and not slot.kind.knows and not in_python:
        raise InputError(f"{spec} learns while it plays: a local best response needs a player that stays the same")
    limit = bool(game.tables(2)["limit"][0])
    if not limit and (not menu or any(part != ALL_IN and not 0 < part <= 100 for part in menu)):
        raise InputError(f"expected bets as parts of the pot above 0, up to 100, or all-in, got {list(menu)}")
    # All-in comes last, so that equal sizes are next to each other.
    bets = np.array([0.0] if limit else sorted(menu, key=lambda part: (part == ALL_IN, part)))
    rules, key = Menu(bets, first_street, RUNOUTS), key_of(seed, "local best response")
    blocks = [np.arange(start, min(start + BLOCK, deals)) for start in range(0, deals, BLOCK)]
    won, notes = np.zeros((deals, 2)), np.zeros((deals, 2, MAX_ACTIONS), np.int64)
    job = (
        partial(python_response.job, game, spec, rules, key) if in_python else partial(_job, game, compiled, rules, key)
    )
    with open_executor(workers, in_python=in_python) as executor:
        for block, (chips, actions) in zip(blocks, executor.map(job, blocks), strict=True):
            won[block], notes[block] = chips, actions
            if progress is not None:
                progress(2 * len(block))
    unit = float(game.chips_per_unit)
    mean = bounded_mean(won.mean(axis=1), deal_bounds(game, 2), unit, any_stop=True)
    situations = situations_of(won.reshape(-1) / unit, notes.reshape(-1, MAX_ACTIONS))
    exact = in_python or compiled.knows(THEIRS)
    return LocalBestResponse(game.name, spec, game.unit, mean, 2 * deals, seed, exact, situations, in_python)


def _job(game: HoldemGame, compiled: CompiledPlayers, menu: Menu, key: int, deals: Ints) -> tuple[Floats, Ints]:
    won, notes = np.zeros((len(deals), 2)), np.zeros((len(deals), 2, MAX_ACTIONS), np.int64)
    tables = game.tables(2).repeat(2)
    players = compiled.copy()
    slot, memory = players.slot_of(THEIRS), np.zeros((0, 0))
    if slot is not None and slot.kind.remembers:
        (memory,) = slot.kind.memory(slot.state).values()
    play_deals(
        tables,
        players.arrays_with_probabilities,
        called_in_python(2).arrays,
        memory,
        menu,
        game.stack,
        key,
        deals,
        won,
        notes,
    )
    return won, notes
