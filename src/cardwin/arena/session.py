"""A session: one table that plays on with the chips everyone has, round after round, until it is decided or over.

1. The button moves to the next seat with chips, cards and decisions come from the round's own key.
2. After every hand learners learn from it, in order; seats without chips are out.
3. It ends after so many rounds, or when fewer players are left than it needs.

Blind and ante may rise as players leave, so that they stay the same share of the average stack.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.arena.dealer import CARDS, Ints, open_hand, players_at
from cardwin.arena.live import LiveTable
from cardwin.errors import InputError
from cardwin.games.base import NOBODY
from cardwin.games.holdem.events import MatchBegan
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.rules import CALL, RAISE, act, next_seat, to_call
from cardwin.games.holdem.table import SEATS, Table, Tables
from cardwin.kernel import kernel
from cardwin.players.base import CompiledForm
from cardwin.players.compiled import PYTHON, decide
from cardwin.players.learner import PLAYED, RAISED, Learner, LearningForm, adjust
from cardwin.players.registry import HoldemPlayer
from cardwin.rng import child

Floats = npt.NDArray[np.float64]
MOST_ROUNDS = 1_000_000


@dataclass(frozen=True)
class SessionRules:
    """When a session ends, and whether blind and ante rise as players leave."""

    rounds: int = 1000
    least_players: int = 2
    rising: bool = False


@dataclass(frozen=True)
class Session:
    """What happened: stacks (rounds played + 1, seats), and each seat's first learnt parameter beside them (or nan)."""

    stacks: Ints
    learnt: Floats

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.stacks) - 1


@kernel
def raise_bets(t: Table, small_blind: int, blind: int, ante: int) -> None:
    """Blinds, ante and least bet, which grow as seats empty."""
    left = players_at(t)
    t.small_blind = small_blind * t.seats // left
    t.big_blind = blind * t.seats // left
    t.ante = ante * t.seats // left
    for street in range(t.streets):
        t.bet_size[street] = t.big_blind


@kernel
def play_rounds(
    tables: Tables, kinds: Ints, parameters: Floats, steps: Floats, counts: Ints, key: int, least_players: int,
    rising: bool, stacks: Ints, learnt: Floats, tallies: Ints,
) -> int:  # fmt: skip
    """Play a session of compiled players; returns the rounds played.

    Shapes: tables (1,), with the stacks to begin with; kinds, counts (seats,); parameters (seats, any); steps (seats,
    any, 4); stacks, learnt (rounds + 1, seats) and tallies (seats, 2: hands that counted, those won) are written.
    """
    t = tables[0]
    rng = np.empty((SEATS + 1, 2), np.int64)
    deck = np.empty(52, np.int64)
    forced = np.empty((2, SEATS), np.int64)
    did = np.zeros(SEATS, np.int64)
    small_blind, blind, ante, button = t.small_blind, t.big_blind, t.ante, t.seats - 1
    write_row(t, parameters, steps, 0, stacks, learnt)
    for number in range(len(stacks) - 1):
        if players_at(t) < least_players:
            return number
        if rising:
            raise_bets(t, small_blind, blind, ante)
        button = next_seat(t, button)
        t.button = button
        hand = child(key, number)
        open_hand(t, child(hand, CARDS), hand, rng, deck, forced, None)
        did[:] = 0
        while t.actor != NOBODY:
            seat = t.actor
            action, amount = decide(kinds, parameters, seat, t, rng[seat])
            if action == RAISE:
                did[seat] |= RAISED
            elif action == CALL and to_call(t, seat) > 0:
                did[seat] |= PLAYED ^ RAISED
            act(t, action, amount, None)
        for seat in range(t.seats):
            chips = t.stack[seat] - t.start[seat]
            adjust(parameters[seat], steps[seat], counts[seat], did[seat], chips)
            if did[seat] & counts[seat] and chips != 0:
                tallies[seat, 0] += 1
                tallies[seat, 1] += chips > 0
        write_row(t, parameters, steps, number + 1, stacks, learnt)
    return len(stacks) - 1


@kernel
def write_row(t: Table, parameters: Floats, steps: Floats, row: int, stacks: Ints, learnt: Floats) -> None:
    """Write the stacks and each seat's first learnt parameter down."""
    for seat in range(t.seats):
        stacks[row, seat] = t.stack[seat]
        learnt[row, seat] = np.nan
        for place in range(steps.shape[1] - 1, -1, -1):
            if steps[seat, place, 0] != 0 or steps[seat, place, 1] != 0:
                learnt[row, seat] = parameters[seat, place]


def play_session(
    game: HoldemGame, players: Sequence[HoldemPlayer], key: int, rules: SessionRules | None = None,
    *, in_python: bool = False,
) -> Session:  # fmt: skip
    """Play a session; player i sits in seat i. Learners of the players given end as they have learnt."""
    rules = rules or SessionRules()
    if not 1 <= rules.rounds <= MOST_ROUNDS:
        raise InputError(f"{rules.rounds} rounds: from 1 to {MOST_ROUNDS} can be played")
    if not 2 <= rules.least_players <= len(players):
        raise InputError(f"least_players={rules.least_players}: from 2 to the {len(players)} who sit down")
    if rules.rising and game.kind == "limit":
        raise InputError("rising blinds are for no-limit games: limit's bets have fixed sizes")
    # As at a live table, where a new match is announced: some learners forget then.
    for player in players:
        if isinstance(player, Learner):
            player.watch(MatchBegan(len(players)))
    forms = [_form(player) for player in players]
    if in_python or any(form.form.kind == PYTHON for form in forms):
        return _play_live(game, players, key, rules, in_python)
    return _play_compiled(game, players, forms, key, rules)


def _form(player: HoldemPlayer) -> LearningForm:
    if isinstance(player, Learner):
        return player.learning
    form: CompiledForm = getattr(player, "compiled", CompiledForm(PYTHON))
    return LearningForm(form, np.zeros((1, 4)), 0)


def _play_compiled(
    game: HoldemGame, players: Sequence[HoldemPlayer], forms: Sequence[LearningForm], key: int, rules: SessionRules
) -> Session:
    seats, width = len(forms), max(1, *(len(form.form.parameters) for form in forms))
    parameters, steps = np.zeros((seats, width)), np.zeros((seats, width, 4))
    for seat, form in enumerate(forms):
        parameters[seat, : len(form.form.parameters)] = form.form.parameters
        steps[seat, : len(form.steps)] = form.steps
    kinds = np.array([form.form.kind for form in forms])
    counts = np.array([form.counts for form in forms])
    stacks, learnt = np.zeros((rules.rounds + 1, seats), np.int64), np.zeros((rules.rounds + 1, seats))
    tallies = np.zeros((seats, 2), np.int64)
    played = play_rounds(
        game.tables(seats), kinds, parameters, steps, counts, key, rules.least_players, rules.rising, stacks, learnt,
        tallies,
    )  # fmt: skip
    for seat, player in enumerate(players):
        if isinstance(player, Learner):
            player.robot.values[:] = parameters[seat, : len(player.robot.values)]
            player.tally += tallies[seat]
    return Session(stacks[: played + 1], learnt[: played + 1])


def _play_live(
    game: HoldemGame, players: Sequence[HoldemPlayer], key: int, rules: SessionRules, in_python: bool
) -> Session:
    table = LiveTable(game, players, in_python=in_python)
    stacks, learnt = [np.full(len(players), game.stack)], [_first_learnt(players)]
    button = len(players) - 1
    for number in range(rules.rounds):
        left = int((stacks[-1] > 0).sum())
        if left < rules.least_players:
            break
        if rules.rising:
            blind = game.big_blind * len(players) // left
            table.tables["big_blind"], table.tables["bet_size"] = blind, blind
            table.tables["small_blind"] = game.small_blind * len(players) // left
            table.tables["ante"] = game.ante * len(players) // left
        button = next(seat for step in range(1, 11) if stacks[-1][seat := (button + step) % len(players)] > 0)
        won = table.play(stacks[-1].tolist(), button, child(key, number))
        stacks.append(stacks[-1] + won)
        learnt.append(_first_learnt(players))
    return Session(np.array(stacks), np.array(learnt))


def _first_learnt(players: Sequence[HoldemPlayer]) -> list[float]:
    return [player.value(player.learnt[0].name) if isinstance(player, Learner) else np.nan for player in players]
