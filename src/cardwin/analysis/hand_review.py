"""Hand review: what a player would have done in a seat of a recorded hand, with its explanation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cardwin.arena.runouts import win_rates
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream, key_of, stream_of
from cardwin.games.base import Action
from cardwin.games.formats.phh import histories_of
from cardwin.games.formats.room_hand import room_hands
from cardwin.games.formats.room_text import is_room_text
from cardwin.games.holdem.events import STREET_NAMES, Dealt, HandBegan, MatchBegan, card_names, events_json
from cardwin.games.holdem.history import CALL, FOLD, RAISE, History, Step, positions, replay
from cardwin.games.holdem.table import ACTIVE, FOLDED, UNKNOWN, Tables
from cardwin.games.holdem.view import HoldemView
from cardwin.players.base import EndedError, OverdueError, explanation_of
from cardwin.players.kind import HoldemPlayer


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision of the seat: its view, the player's action, the recorded action, and the player's explanation."""

    view: HoldemView
    action: Action
    played: Action
    explanation: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return the decision as plain data; keys of the player's explanation cannot replace the others."""
        return {
            **self.explanation,
            "street": STREET_NAMES[self.view.street],
            "to_call": self.view.to_call,
            "pot": self.view.pot,
            "action": str(self.action),
            "played": str(self.played),
        }


def read_hand(file: Path, number: int = 1) -> History:
    """Return a hand, counted from 1, of a PHH or PHHS file or of a room's text (unreadable hands are skipped)."""
    return _first_hands(file, number)[-1]


def _first_hands(file: Path, number: int) -> list[History]:
    """Return the hands of a file up to one, counted from 1."""
    if file.exists() and not file.is_file():
        raise InputError(f"{file}: expected a file of hands, got a folder or a pipe")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a hand history: expected text, got bytes that are not UTF-8") from None
    hands = (hand.history for hand in room_hands(text)) if is_room_text(text) else histories_of(text)
    try:
        histories = list(islice(hands, max(number, 0)))
    except InputError as error:
        raise InputError(f"{file} is not a readable hand history: {error}") from None
    if len(histories) < number or not histories:
        raise InputError(f"invalid hand {number} of {file}: expected 1 to {len(histories)}")
    return histories


def earlier_hands(file: Path, number: int) -> list[History]:
    """Return the hands of a file before hand `number`, as far back as the same players sat there.

    The list is empty if names are missing or repeated.
    """
    *hands, last = _first_hands(file, number)
    players = set(last.names)
    if len(players) < len(last.stacks):
        return []
    earlier: list[History] = []
    for history in reversed(hands):
        if set(history.names) != players:
            break
        earlier.append(history)
    return earlier[::-1]


def review_decisions(
    history: History, seat: int, player: HoldemPlayer, earlier: Sequence[History] = ()
) -> list[ReviewedDecision]:
    """Show a player a recorded hand from a seat, counted from 0: it observes every event and acts at every turn.

    Its actions change nothing: the hand continues as recorded. Of `earlier` hands of the same players it observes the
    events first, so that it knows of its opponents what it knew then.
    """
    replay(history)  # raises if the hand breaks a rule, before the player acts
    if not 0 <= seat < len(history.stacks):
        raise InputError(f"invalid seat {seat + 1}: expected 1 to {len(history.stacks)}")
    if UNKNOWN in history.hole[seat]:
        raise InputError(f"seat {seat + 1}'s cards are not recorded in this hand: no player can act without them")
    watch, sees_cards = getattr(player, "watch", lambda _: None), getattr(player, "sees_cards", False)
    watch(MatchBegan(len(history.stacks)))
    numbers = {name: number for number, name in enumerate(sorted(history.names))}
    for before in earlier:
        seat_before = before.names.index(history.names[seat])
        watch(_beginning(before, seat_before, numbers))
        if sees_cards:
            watch(Dealt(before.hole[seat_before]))
        for event in replay(before).events:
            watch(event)
    watch(_beginning(history, seat, numbers))
    if sees_cards:
        watch(Dealt(history.hole[seat]))
    rng, seen, decisions = stream_of(key_of(0, "hindsight")), 0, list[ReviewedDecision]()
    for state, step in positions(history):
        for event in state.events[seen:]:
            watch(event)
        seen = len(state.events)
        if state.actor == seat:
            view = state.view(seat)
            action = _decision(player, view, rng)
            decisions.append(ReviewedDecision(view, action, _action_of(view, step), explanation_of(player)))
    return decisions


def _decision(player: HoldemPlayer, view: HoldemView, rng: Stream) -> Action:
    """Return the player's action; a program of other people that fails has none."""
    try:
        return player.act(view, rng)
    except (EndedError, OverdueError) as error:
        raise InputError(f"the player gave no answer: {str(error) or 'it took too long'}") from None


def _beginning(history: History, seat: int, numbers: Mapping[str, int]) -> HandBegan:
    """Return the first event of a recorded hand; its players are known by number if they have names."""
    players = tuple(numbers[name] for name in history.names) if len(numbers) == len(history.stacks) else ()
    return HandBegan(len(history.stacks) - 1, history.stacks, history.game.min_bet, seat, players)


def _action_of(view: HoldemView, step: Step) -> Action:
    """Return a recorded step as an action, named as the view's legal actions are."""
    names = {FOLD: "fold", CALL: "call" if view.to_call else "check", RAISE: "raise" if view.current_bet else "bet"}
    return Action(names[step.kind], step.amount)


def hand_json(history: History, key: int = 0) -> dict[str, Any]:
    """Return a recorded hand as JSON: its events, all known cards, and the odds after each event.

    The odds are the mean share of the pot that each remaining seat wins, if all their cards are known.
    """
    last = replay(history)
    view = last.view(0)
    seats = len(history.stacks)
    events = events_json([HandBegan(seats - 1, history.stacks, view.big_blind), *last.events])
    holes = [last.hole(seat) for seat in range(seats)]
    folded: set[int] = set()
    known, odds, now = 0, [], _rates(last.tables, holes, folded, 0, key)
    for event in events:
        if event["what"] == "acted" and event["action"] == "fold":
            folded.add(event["seat"])
            now = _rates(last.tables, holes, folded, known, key)
        elif event["what"] == "board":
            known += len(event["cards"])
            now = _rates(last.tables, holes, folded, known, key)
        odds.append(now)
    return {
        "game": history.game.name,
        "players": list(history.names) or [f"seat {seat + 1}" for seat in range(seats)],
        "events": events,
        "cards": {str(seat): card_names(hole) for seat, hole in enumerate(holes)},
        "odds": odds,
    }


def _rates(
    tables: Tables, holes: list[tuple[int, ...]], folded: set[int], known: int, key: int
) -> list[float | None] | None:
    """Return every seat's win rate after some board cards, if the cards of all remaining seats are known."""
    live = [seat for seat in range(len(holes)) if seat not in folded]
    if any(UNKNOWN in holes[seat] for seat in live) or len(live) < 2:
        return None
    table = tables.copy()
    table["status"][0, : len(holes)] = [ACTIVE if seat in live else FOLDED for seat in range(len(holes))]
    rates = win_rates(table, known, key_of(key, "retold"))
    return [rate if seat in live else None for seat, rate in enumerate(rates)]
