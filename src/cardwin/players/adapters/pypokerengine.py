"""Players of PyPokerEngine (ishikota/PyPokerEngine): `declare_action(valid_actions, hole_card, round_state)`.

The callbacks come in its engine's order: the start of a game, of a round (a hand), of a street, then for each turn the
question and an update, and the result of the round. A game has 1,000 rounds (`rounds=`), then the next one starts.

1. The answer is an action and an amount, or the action alone, which means the call's or the least amount. A float is
   rounded down.
2. A fold where checking is free is a check; there, every fold is legal.
3. A call of another amount than the one offered, and a raise outside the offered range, are faults.

Where the package is not installed, a base class of ours stands in for its `BasePokerPlayer`.
"""

import importlib.util
import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event
from cardwin.games.holdem.view import HoldemView
from cardwin.players.adapters.adapter import Adapter, Hand, illegal
from cardwin.players.adapters.python_files import in_writable_copy, module_from, named_in, seed_generators
from cardwin.players.adapters.round_state import (
    STREETS,
    card_text,
    game_information,
    identity,
    round_state,
    seats_of,
    valid_actions,
)
from cardwin.players.specs import PROGRAM, ProgramSpec

PACKAGE, EXTRA = "pypokerengine", "cardwin[pypokerengine]"
ROUNDS = 1000
SHOWDOWN = 4


class BasePlayer:
    """Stands in for BasePokerPlayer: callbacks that do nothing."""

    uuid = ""

    def set_uuid(self, uuid: str) -> None:
        """Set the identity by which the player finds its seat."""
        self.uuid = uuid

    def receive_game_start_message(self, game_info: Any) -> None:
        """A game starts."""

    def receive_round_start_message(self, round_count: Any, hole_card: Any, seats: Any) -> None:
        """A round starts."""

    def receive_street_start_message(self, street: Any, round_state: Any) -> None:
        """A street starts."""

    def receive_game_update_message(self, action: Any, round_state: Any) -> None:
        """A seat acted."""

    def receive_round_result_message(self, winners: Any, hand_info: Any, round_state: Any) -> None:
        """The round is over."""


class PyPokerEnginePlayer(Adapter):
    """The player of a class in a file, or of a function that makes one."""

    def __init__(self, spec: ProgramSpec) -> None:
        super().__init__()
        self._rounds, self._count = spec.int_option("rounds", ROUNDS, 10**9), 0
        file, _, name = spec.target.rpartition(":")
        self._bot: Any = _built(Path(file), name)
        self._uuid, self._begun = "", False

    def begin_hand(self, hand: Hand) -> None:
        """Set the identity. The callbacks wait for the blinds, which are part of what they show."""
        self._count = self._count % self._rounds + 1
        if self._uuid != identity(hand, hand.seat):
            self._uuid = identity(hand, hand.seat)
            getattr(self._bot, "set_uuid", lambda uuid: setattr(self._bot, "uuid", uuid))(self._uuid)
        self._begun = False

    def _begin(self, hand: Hand) -> None:
        """Start the game if it is new, the round, and the first street."""
        if self._begun:
            return
        self._begun = True
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
        """Tell an action or a street."""
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
        """Tell the result of the round."""
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
        """The bot's action."""
        self._begin(hand)
        seed_generators(rng)
        hole = [card_text(card) for card in hand.hole]
        offered = valid_actions(view)
        answer = self._bot.declare_action(offered, hole, self._state(hand))
        self.answered(answer)
        return _action(view, answer)


def _action(view: HoldemView, answer: Any) -> Action:
    """The action of an answer such as ("raise", 300) or "call"."""
    alone = isinstance(answer, str)
    if alone:
        name, amount = answer, None
    elif isinstance(answer, Sequence) and len(answer) == 2 and isinstance(answer[0], str):
        name, amount = answer
    else:
        return illegal(answer)
    stack = view.stacks[view.seat] + view.bets[view.seat]
    if name == "fold":
        return FOLD if view.to_call else CHECK
    whole = _whole(view.current_bet if alone and name == "call" else amount)
    if name == "call":
        fits = whole is not None and (whole == view.current_bet or whole >= stack)
        return (CALL if view.to_call else CHECK) if fits else illegal(f"call of {amount}")
    if name != "raise":
        return illegal(name)
    if alone and view.min_raise_to:
        whole = view.min_raise_to
    if whole is None or not view.min_raise_to or not view.min_raise_to <= whole <= view.max_raise_to:
        return illegal(f"raise to {amount}")
    return Action("raise" if view.current_bet else "bet", whole)


def _whole(amount: Any) -> int | None:
    """An amount as whole chips, or None if it is no number."""
    try:
        whole: int = math.floor(amount)
    except (TypeError, ValueError, OverflowError):
        return None
    return whole


def _built(file: Path, name: str) -> Any:
    """The bot: built in a writable copy of its folder, with the package or our base class."""
    in_writable_copy(Path(PROGRAM))
    file = file.relative_to(PROGRAM)
    missing = importlib.util.find_spec(PACKAGE) is None
    if missing:
        _stand_in()
    try:
        return named_in(module_from(file), name, callable)()
    except ModuleNotFoundError as error:
        if missing and str(error.name).startswith(PACKAGE):
            raise InputError(f"the bot needs {error.name}: pip install '{EXTRA}'") from None
        raise InputError(f"the bot needs the module {error.name}, which is not installed") from None


def _stand_in() -> None:
    """Offer our base class where the package is missing."""
    package, players = ModuleType(PACKAGE), ModuleType(f"{PACKAGE}.players")
    package.__path__ = []
    players.BasePokerPlayer = BasePlayer  # type: ignore[attr-defined]
    package.players = players  # type: ignore[attr-defined]
    sys.modules |= {PACKAGE: package, f"{PACKAGE}.players": players}
