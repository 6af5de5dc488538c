"""Players of PyPokerEngine (ishikota/PyPokerEngine): `declare_action(valid_actions, hole_card, round_state)`.

The callbacks come in its engine's order: the start of a game, of a round (a hand), of a street, then for each turn the
question and an update, and the result of the round. A game has 1,000 rounds (`rounds=`), then the next one starts.

Seats are shown in an order in which the bot keeps its index, so that a bot that finds itself by its index stays right
when the players of a match change seats. Amounts are totals of the street; cards have the suit first. The order and the
fields of the action histories follow the engine; positions and the legal amounts follow our rules.

1. The answer is an action and an amount, or the action alone, which means the call's or the minimum amount. A float is
   rounded down.
2. A fold where checking is free is a check; there, every fold is legal.
3. A call of another amount than the one offered, and a raise outside the offered range, are faults.

If the package is not installed, a base class of ours replaces its `BasePokerPlayer`.
"""

import importlib.util
import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from cardwin.cards.card import RANKS, SUITS
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.adapter import Adapter, Hand, illegal
from cardwin.players.adapters.programs import in_writable_copy, module_from, named_in, seed_generators
from cardwin.players.specs import PROGRAM, ProgramSpec

PACKAGE, EXTRA = "pypokerengine", "cardwin[pypokerengine]"
ROUNDS = 1000
SHOWDOWN = 4
STREETS = ("preflop", "flop", "turn", "river", "showdown")
PARTICIPATING, ALL_IN, FOLDED = "participating", "allin", "folded"


class BasePlayer:
    """A replacement for BasePokerPlayer: callbacks that do nothing."""

    uuid = ""

    def set_uuid(self, uuid: str) -> None:
        """Set the identity by which the player finds its seat."""
        self.uuid = uuid

    def receive_game_start_message(self, game_info: Any) -> None:
        """Handle the start of a game."""

    def receive_round_start_message(self, round_count: Any, hole_card: Any, seats: Any) -> None:
        """Handle the start of a round."""

    def receive_street_start_message(self, street: Any, round_state: Any) -> None:
        """Handle the start of a street."""

    def receive_game_update_message(self, action: Any, round_state: Any) -> None:
        """Handle the action of a seat."""

    def receive_round_result_message(self, winners: Any, hand_info: Any, round_state: Any) -> None:
        """Handle the result of a round."""


class PyPokerEnginePlayer(Adapter):
    """A player built by a class or a function in a file."""

    def __init__(self, spec: ProgramSpec) -> None:
        super().__init__()
        self._rounds, self._count = spec.int_option("rounds", ROUNDS, 10**9), 0
        file, _, name = spec.target.rpartition(":")
        self._bot: Any = _build(Path(file), name)
        self._uuid, self._has_begun = "", False

    def begin_hand(self, hand: Hand) -> None:
        """Set the identity. The callbacks wait for the blinds, which are part of what they show."""
        self._count = self._count % self._rounds + 1
        if self._uuid != identity(hand, hand.seat):
            self._uuid = identity(hand, hand.seat)
            getattr(self._bot, "set_uuid", lambda uuid: setattr(self._bot, "uuid", uuid))(self._uuid)
        self._has_begun = False

    def _begin(self, hand: Hand) -> None:
        """Start the game if it is new, the round, and the first street."""
        if self._has_begun:
            return
        self._has_begun = True
        if self._count == 1:
            self._call("receive_game_start_message", game_information(hand, self._rounds))
        hole = [card_text(card) for card in hand.hole]
        self._call("receive_round_start_message", self._count, hole, seats_of(hand))
        self._call("receive_street_start_message", STREETS[0], self._state(hand))

    def _state(self, hand: Hand, street: int | None = None) -> dict[str, Any]:
        return round_state(hand, self._count, hand.seat, street)

    def _call(self, name: str, *arguments: object) -> None:
        with suppress(NotImplementedError):  # of the package's base class, for callbacks that a bot leaves out
            getattr(self._bot, name, lambda *_: None)(*arguments)

    def happened(self, hand: Hand, event: Event) -> None:
        """Pass on an action or a street."""
        if isinstance(event, Acted):
            move = hand.moves.pop()
            self._begin(hand)
            hand.moves.append(move)
            name = {"check": "call", "bet": "raise"}.get(event.action.name, event.action.name)
            amount = 0 if name == "fold" else hand.paid(event.seat, event.street)
            action = {"player_uuid": identity(hand, event.seat), "action": name, "amount": amount}
            self._call("receive_game_update_message", action, self._state(hand))
        elif isinstance(event, BoardDealt):
            self._begin(hand)
            self._call("receive_street_start_message", STREETS[event.street], self._state(hand))

    def end_hand(self, hand: Hand) -> None:
        """Pass on the result of the round."""
        self._begin(hand)
        shown = [
            {"uuid": identity(hand, seat), "hand": {"hole_card": [card_text(card) for card in cards]}}
            for seat, cards in hand.shown.items()
        ]
        seats = seats_of(hand)
        won = {identity(hand, seat) for seat, chips in enumerate(hand.won) if chips > 0}
        winners = [seat for seat in seats if seat["uuid"] in won]
        self._call("receive_round_result_message", winners, shown, self._state(hand, SHOWDOWN))

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:
        """Return the bot's action."""
        self._begin(hand)
        seed_generators(rng)
        hole = [card_text(card) for card in hand.hole]
        answer = self._bot.declare_action(valid_actions(view), hole, self._state(hand))
        self.answered(answer)
        return _action(view, answer)


def _action(view: HoldemView, answer: Any) -> Action:
    """Return the action of an answer such as ("raise", 300) or "call"."""
    has_no_amount = isinstance(answer, str)
    if has_no_amount:
        name, amount = answer, None
    elif isinstance(answer, Sequence) and len(answer) == 2 and isinstance(answer[0], str):
        name, amount = answer
    else:
        return illegal(answer)
    stack = view.stacks[view.seat] + view.bets[view.seat]
    if name == "fold":
        return FOLD if view.to_call else CHECK
    chips = _whole_chips(view.current_bet if has_no_amount and name == "call" else amount)
    if name == "call":
        fits = chips is not None and (chips == view.current_bet or chips >= stack)
        return (CALL if view.to_call else CHECK) if fits else illegal(f"call of {amount}")
    if name != "raise":
        return illegal(name)
    if has_no_amount and view.min_raise_to:
        chips = view.min_raise_to
    if chips is None or not view.min_raise_to or not view.min_raise_to <= chips <= view.max_raise_to:
        return illegal(f"raise to {amount}")
    return Action("raise" if view.current_bet else "bet", chips)


def _whole_chips(amount: Any) -> int | None:
    """Return an amount rounded down, or None if it is not a number."""
    try:
        chips: int = math.floor(amount)
    except (TypeError, ValueError, OverflowError):
        return None
    return chips


def _build(file: Path, name: str) -> Any:
    """Build the bot in a writable copy of its folder, with the package or our base class."""
    in_writable_copy(Path(PROGRAM))
    file = file.relative_to(PROGRAM)
    missing = importlib.util.find_spec(PACKAGE) is None
    if missing:
        _install_base_class()
    try:
        return named_in(module_from(file), name, callable)()
    except ModuleNotFoundError as error:
        if missing and str(error.name).startswith(PACKAGE):
            raise InputError(f"the bot needs {error.name}: pip install '{EXTRA}'") from None
        raise InputError(f"the bot needs the module {error.name}, which is not installed") from None


def _install_base_class() -> None:
    """Install our base class in place of the missing package."""
    package, players = ModuleType(PACKAGE), ModuleType(f"{PACKAGE}.players")
    package.__path__ = []
    players.BasePokerPlayer = BasePlayer  # type: ignore[attr-defined]
    package.players = players  # type: ignore[attr-defined]
    sys.modules |= {PACKAGE: package, f"{PACKAGE}.players": players}


def card_text(card: int) -> str:
    """Return a card as text, such as HA for the ace of hearts."""
    return f"{SUITS[card % 4].upper()}{RANKS[card // 4]}"


def identity(hand: Hand, seat: int) -> str:
    """Return the identity of a seat's player, which is the same in all hands of a match."""
    return f"player-{hand.players[seat] + 1}"


def seat_order(hand: Hand) -> list[int]:
    """Return our seats in the order in which the bot sees them: its own first."""
    return [(hand.seat + index) % hand.seats for index in range(hand.seats)]


def seat_index(hand: Hand, seat: int) -> int:
    """Return the index of a seat in that order."""
    return (seat - hand.seat) % hand.seats


def seats_of(hand: Hand) -> list[dict[str, Any]]:
    """Return name, identity, remaining chips and state of each seat."""
    gone = hand.folded

    def seat_data(seat: int) -> dict[str, Any]:
        left = hand.stacks[seat] + (hand.won[seat] if hand.won else -hand.paid(seat))
        state = FOLDED if seat in gone else PARTICIPATING if left else ALL_IN
        name = identity(hand, seat)
        return {"name": name, "uuid": name, "stack": left, "state": state}

    return [seat_data(seat) for seat in seat_order(hand)]


def pots_of(hand: Hand) -> dict[str, Any]:
    """Return the main pot, the smallest that an all-in seat can win, and the side pots with who can win them."""
    paid = {seat: hand.paid(seat) for seat in range(hand.seats)}
    gone = hand.folded
    all_in = {paid[seat] for seat in paid if seat not in gone and paid[seat] == hand.stacks[seat]}
    levels = sorted(all_in | {max(paid.values())})
    pots, below = list[dict[str, Any]](), 0
    for level in levels:
        amount = sum(max(min(chips, level) - below, 0) for chips in paid.values())
        able = [identity(hand, seat) for seat in seat_order(hand) if seat not in gone and paid[seat] > below]
        if amount or not pots:
            pots.append({"amount": amount, "eligibles": able})
        below = level
    return {"main": {"amount": pots[0]["amount"]}, "side": pots[1:]}


def histories_of(hand: Hand) -> dict[str, list[dict[str, Any]]]:
    """Return the actions of every street that was reached, in order."""
    histories: dict[str, list[dict[str, Any]]] = {name: [] for name in STREETS[: hand.street + 1]}
    bets = {street: dict.fromkeys(range(hand.seats), 0) for street in range(4)}
    current = dict.fromkeys(range(4), 0)
    small = hand.small_blind
    for post in hand.posted:
        kind = "ANTE" if post.kind == "ante" else "SMALLBLIND" if post.chips <= small < hand.big_blind else "BIGBLIND"
        entry = {"action": kind, "amount": post.chips} | ({} if kind == "ANTE" else {"add_amount": small})
        histories[STREETS[0]].append(entry | {"uuid": identity(hand, post.seat)})
        if kind != "ANTE":
            bets[0][post.seat] = post.chips
            current[0] = max(current[0], post.chips)
    for move in hand.moves:
        total = bets[move.street][move.seat] = bets[move.street][move.seat] + move.chips
        entry = {"action": "FOLD"}
        if move.action.name in ("check", "call"):
            entry = {"action": "CALL", "amount": total, "paid": move.chips}
        elif move.action.name != "fold":
            more = total - current[move.street]
            entry = {"action": "RAISE", "amount": total, "paid": move.chips, "add_amount": more}
            current[move.street] = total
        histories[STREETS[move.street]].append(entry | {"uuid": identity(hand, move.seat)})
    return histories


def round_state(hand: Hand, count: int, next_player: int, street: int | None = None) -> dict[str, Any]:
    """Return the hand as its players see it; `next_player` is one of our seats."""
    heads_up = sum(stack > 0 for stack in hand.stacks) == 2
    blinds = [post.seat for post in hand.posted if post.kind == "blind"]
    small = hand.button if heads_up else blinds[0] if len(blinds) > 1 else hand.button
    big = next((seat for seat in reversed(blinds) if seat != small), small)
    return {
        "street": STREETS[hand.street if street is None else street],
        "pot": pots_of(hand),
        "community_card": [card_text(card) for card in hand.board],
        "dealer_btn": seat_index(hand, hand.button),
        "next_player": seat_index(hand, next_player),
        "small_blind_pos": seat_index(hand, small),
        "big_blind_pos": seat_index(hand, big),
        "round_count": count,
        "small_blind_amount": hand.small_blind,
        "seats": seats_of(hand),
        "action_histories": histories_of(hand),
    }


def valid_actions(view: HoldemView) -> list[dict[str, Any]]:
    """Return fold, call and raise, always all three; an illegal raise has -1 as amounts."""
    minimum, maximum = (view.min_raise_to, view.max_raise_to) if view.min_raise_to else (-1, -1)
    return [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": view.current_bet},
        {"action": "raise", "amount": {"min": minimum, "max": maximum}},
    ]


def game_information(hand: Hand, rounds: int) -> dict[str, Any]:
    """Return the information at the start of a game."""
    rule = {
        "initial_stack": hand.stacks[hand.seat],
        "max_round": rounds,
        "small_blind_amount": hand.small_blind,
        "ante": hand.ante,
        "blind_structure": {},
    }
    return {"player_num": hand.seats, "rule": rule, "seats": seats_of(hand)}
