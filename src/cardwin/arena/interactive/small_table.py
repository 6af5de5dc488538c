"""Interactive tables of small games, where the EV loss of every decision is exact.

The two seats of the rules are roles: a player is first to act in every other hand, unless an opponent
has a policy for one role only. Cards and decisions use the same streams as `arena.small`.
"""

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np

from cardwin.arena.interactive.hints import refuse_out_of_turn, small_hint
from cardwin.arena.interactive.table import MOST_HANDS, PERSON, FinishedHand, as_data, known_cards, score_of
from cardwin.core.display import number_duplicates
from cardwin.core.errors import InputError, InvalidActionError
from cardwin.core.rng import child, draw_index, key_of, prf, stream_of
from cardwin.games.base import CHANCE, FOLD, NOBODY, Action, Game, State
from cardwin.games.holdem.events import EventJson
from cardwin.players.small_games.policies import PolicyPlayer, policy
from cardwin.solvers.equilibria import best_response, regret
from cardwin.solvers.exact import Response
from cardwin.solvers.policy import Policy
from cardwin.stats.intervals import bounded_mean


class SmallTable:
    """People and policies at a small game: two seats. `specs` name the players by seat, `person` for a person."""

    def __init__(self, game: Game, specs: Sequence[str], seed: int, open_cards: bool = False,
                 names: Sequence[str] | None = None) -> None:  # fmt: skip
        if len(specs) != 2:
            raise InputError(f"{len(specs)} players: {game.name} is played by two")
        self.game, self.open_cards, self.unit, self.specs = game, open_cards, "chips/h", list(specs)
        self.names = number_duplicates(names or specs)
        self.policies: list[Policy | None] = [None if spec == PERSON else _policy(game, spec) for spec in specs]
        self.players = [None if one is None else copy(_player(one)) for one in self.policies]
        self.roles = [_role(self.policies, hand) for hand in (0, 1)]  # of the first seat, in even and odd hands
        self.hands: list[FinishedHand] = []
        self.number = 0
        self.key = key_of(seed, "sitting")
        self.state: State = game.start()
        self.events: list[EventJson] = []
        self._explanation: dict[int, dict[str, Any]] = {}
        self._ev_loss: dict[int, float] = {}

    # --- roles and seats

    def _role_of(self, seat: int) -> int:
        """The role of a seat in this hand."""
        return (seat + self.roles[self.number % 2]) % 2

    def _seat_of(self, role: int) -> int:
        return (role - self.roles[self.number % 2]) % 2

    @property
    def turn(self) -> int:
        """The seat to act, or NOBODY."""
        return self._seat_of(self.state.actor) if self.number and self.state.actor >= 0 else NOBODY

    # --- deal and play

    def deal(self) -> None:
        """Begin the next hand, up to the first decision of a person."""
        if self.turn != NOBODY:
            raise InputError(f"hand {self.number} is not over: finish it first")
        if self.number >= MOST_HANDS:
            raise InputError(f"{MOST_HANDS} hands were played here: open another table")
        self.number += 1
        key = child(self.key, self.number)
        self._cards, *self._streams = (stream_of(prf(key, number)) for number in range(3))
        self.state = self.game.start()
        self._explanation, self._ev_loss = {}, {}
        self.events = [{"what": "hand", "button": self._seat_of(1), "stacks": None, "big_blind": None}]
        self.events += [
            {"what": "posted", "seat": seat, "kind": "ante", "chips": self.state.stakes()[self._role_of(seat)]}
            for seat in (0, 1)
        ]
        self._play_on()

    def take(self, seat: int, move: str) -> None:
        """Play the action of the person in a seat, and continue."""
        if self.turn != seat:
            raise InputError("the hand is over" if self.turn == NOBODY else f"it is {self.names[self.turn]}'s turn")
        action = next((one for one in self.state.legal_actions() if str(one) == move.strip().lower()), None)
        if action is None:
            legal = ", ".join(map(str, self.state.legal_actions()))
            raise InvalidActionError(f"{move[:40]!r} is not legal here; {legal} would be")
        self._ev_loss[len(self.events)] = self._price(seat, action)
        self._do(seat, action)
        self._play_on()

    def _play_on(self) -> None:
        """Deal cards and query policies, to the turn of a person or the end."""
        while self.state.actor != NOBODY:
            if self.state.actor == CHANCE:
                self._deal_card()
                continue
            seat = self.turn
            asked = self.players[seat]
            if asked is None:
                return
            role = self.state.actor
            view = self.state.view(role)
            action = asked.act(view, self._streams[role])  # type: ignore[arg-type]  # a small game's view
            self._explanation[len(self.events)] = asked.explain()
            self._do(seat, action)
        self._end()

    def _deal_card(self) -> None:
        outcomes = self.state.chance_outcomes()
        card = outcomes[draw_index(self._cards, [float(chance) for _, chance in outcomes])][0]
        dealt = len(_dealt(self.state))
        self.state = self.state.apply(card)
        if dealt >= 2:  # the first two are private, the rest are public
            self.events.append({"what": "board", "street": dealt - 1, "cards": [card]})

    def _do(self, seat: int, action: Action) -> None:
        before = self.state.stakes()[self._role_of(seat)]
        self.state = self.state.apply(action)
        chips = self.state.stakes()[self._role_of(seat)] - before
        street = sum(event["what"] == "board" for event in self.events)
        self.events.append(
            {"what": "acted", "seat": seat, "action": action.name, "amount": action.amount, "chips": chips,
             "street": street}
        )  # fmt: skip

    def _end(self) -> None:
        won = tuple(self.state.returns()[self._role_of(seat)] for seat in (0, 1))
        stakes = [self.state.stakes()[self._role_of(seat)] for seat in (0, 1)]
        cards = tuple((_dealt(self.state)[self._role_of(seat)],) for seat in (0, 1))
        folded = any(event["what"] == "acted" and event["action"] == FOLD.name for event in self.events)
        if not folded:
            self.events += [{"what": "shown", "seat": seat, "cards": list(cards[seat])} for seat in (0, 1)]
        for seat in (0, 1):
            if won[seat] + stakes[seat] > 0:
                self.events.append({"what": "won", "seat": seat, "chips": won[seat] + stakes[seat], "pot": 0})
        self.events.append({"what": "ended", "won": list(won)})
        expected = tuple(float(chips) for chips in won)
        self.hands.append(
            FinishedHand(self.number, tuple(self.events), won, expected, self._explanation, self._ev_loss, cards=cards)
        )

    def _price(self, seat: int, action: Action) -> float:
        """The exact EV loss of an action against this opponent; 0 against a person, where it is unknown."""
        opponent, role = self.policies[1 - seat], self._role_of(seat)
        if opponent is None:
            return 0.0
        knows = self.state.information_state(role)
        return regret(_response(opponent, role), opponent.tree.sequences[role], knows, action)

    # --- look

    def look(self, seat: int) -> dict[str, Any]:
        """Everything that a seat may know now."""
        if self.number == 0:
            return {"hand": 0, "over": True, "events": [], "turn": None, "cards": {}, "actions": []}
        over, role = self.turn == NOBODY, self._role_of(seat)
        own = {str(seat): [_dealt(self.state)[role]]}
        actions = () if over or self.turn != seat else self.state.legal_actions()
        facing = max(self.state.stakes()) - self.state.stakes()[role]
        return {
            "hand": self.number,
            "over": over,
            "events": self.events,
            "turn": None if over else self.turn,
            "cards": known_cards(self, self.hands[-1], seat) if over else own,
            "actions": [
                {"name": one.name, "amount": facing if one.name == "call" else one.amount, "text": str(one)}
                for one in actions
            ],
            "to_call": facing,
            "pot": sum(self.state.stakes()),
            "big_blind": None,
            "ev_loss": {str(place): chips for place, chips in self._ev_loss.items()} if over else {},
        }

    def hint(self, seat: int, spec: str, name: str) -> dict[str, Any]:  # noqa: ARG002  the protocol's
        """The exact EV loss of every action against this opponent."""
        refuse_out_of_turn(self.turn, seat)
        opponent, role = self.policies[1 - seat], self._role_of(seat)
        if opponent is None:
            raise InputError("a hint needs an opponent whose policy is known: this one is a person")
        sequences, knows = opponent.tree.sequences[role], self.state.information_state(role)
        legal = tuple(self.state.legal_actions())
        return small_hint(_response(opponent, role), sequences, knows, legal, self.names[1 - seat])

    def score(self, seat: int) -> dict[str, Any]:
        """A seat's mean result per hand, and the EV loss of its decisions."""
        found = score_of(self.hands, seat, self.unit) | {"chips_per_unit": 1.0}
        if not self.hands:
            return found
        most = float(max(abs(chips) for chips in self._all_ends()))
        won = np.array([hand.won[seat] for hand in self.hands], np.float64)
        given = sum(
            chips for hand in self.hands for place, chips in hand.ev_loss.items() if hand.events[place]["seat"] == seat
        )
        return found | {
            "played": as_data(bounded_mean(won, (-most, most), any_stop=True)),
            "ev_loss": given / len(self.hands),
        }

    def _all_ends(self) -> Sequence[float]:
        known = next((one for one in self.policies if one is not None), None)
        if known is not None:
            return list(map(float, known.tree.nodes.chips))
        return [float(chips) for hand in self.hands for chips in hand.won] + [1.0]


# Many tables may have the same opponent: its values are computed once.


@lru_cache(maxsize=64)
def _named(game: Game, spec: str) -> Policy:
    return policy(game, spec)


def _policy(game: Game, spec: str) -> Policy:
    """A policy by its specification, cached unless it is a file, which may change."""
    return policy(game, spec) if "/" in spec or spec.endswith(".json") else _named(game, spec)


@lru_cache(maxsize=64)
def _player(known: Policy) -> PolicyPlayer:
    return PolicyPlayer(known)


@lru_cache(maxsize=64)
def _response(known: Policy, role: int) -> Response:
    return best_response(known, role)


def _dealt(state: State) -> tuple[str, ...]:
    """The cards dealt so far, as texts; for the dealer only."""
    return tuple(map(str, getattr(state, "dealt", ())))


def _role(policies: Sequence[Policy | None], hand: int) -> int:
    """The role of the first seat in even and odd hands: both in turn, unless a policy has one only."""
    fits = [
        role
        for role in (0, 1)
        if all(known is None or (seat + role) % 2 in known.seats for seat, known in enumerate(policies))
    ]
    if not fits:
        raise InputError("both policies are for the same seat of the game: they cannot play each other")
    return fits[hand % len(fits)] if len(fits) == 2 else fits[0]
