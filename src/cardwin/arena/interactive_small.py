"""Interactive tables of small games: the EV loss of every decision is exact.

The two seats of the rules are roles: a player is first to act in every other hand, unless an opponent
has a policy for one role only. Cards and decisions use the same streams as `state_table.play_hand`.
"""

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import Any

from cardwin.arena.interactive_table import PERSON, FinishedHand, InteractiveTable
from cardwin.arena.state_table import StateTable, hand_streams
from cardwin.core.errors import InputError, InvalidActionError
from cardwin.core.rng import child
from cardwin.games.base import FOLD, NOBODY, Action, Game, State
from cardwin.games.holdem.events import EventJson
from cardwin.players.small_games.policies import PolicyPlayer, policy
from cardwin.solvers.equilibria import best_response, regret
from cardwin.solvers.exact import Response
from cardwin.solvers.policy import Policy

PRIVATE_CARDS = 2  # the first cards dealt are private, the others public


class SmallTable(InteractiveTable):
    """People and policies at a small game: two seats."""

    unit = "chips/h"
    table: StateTable

    def __init__(
        self, game: Game, specs: Sequence[str], seed: int, open_cards: bool = False, names: Sequence[str] | None = None
    ) -> None:
        if len(specs) != 2:
            raise InputError(f"{game.name}: expected 2 players, got {len(specs)}")
        super().__init__(game, specs, seed, open_cards, names)
        self.policies = [None if spec == PERSON else _load_policy(game, spec) for spec in specs]
        self.players = [None if known is None else copy(_policy_player(known)) for known in self.policies]
        self.roles = [_first_role(self.policies, hand) for hand in (0, 1)]  # of the first seat, in even and odd hands
        self.table = StateTable(game, observer=self._add_event)
        self.events: list[EventJson] = []
        self._explanations: dict[int, dict[str, Any]] = {}
        self._ev_loss: dict[int, float] = {}

    # --- roles and seats

    def _role_of(self, seat: int) -> int:
        """Return the role of a seat in this hand, or the seat of a role."""
        return (seat + self.roles[self.number % 2]) % 2

    def _by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Return by seat what is given by role, or the reverse."""
        return [values[self._role_of(seat)] for seat in (0, 1)]

    @property
    def turn(self) -> int:
        """The seat to act, or NOBODY."""
        return self._role_of(self.table.actor) if self.number and self.table.actor >= 0 else NOBODY

    # --- deal and play

    def _begin(self) -> None:
        self._explanations, self._ev_loss = {}, {}
        self.events = [{"what": "hand", "button": self._role_of(1), "stacks": None, "big_blind": None}]
        for seat, chips in enumerate(self._by_seat(self.game.start().stakes())):
            self.events.append({"what": "posted", "seat": seat, "kind": "ante", "chips": chips})
        self.table.seat_players(self._by_seat(self.players))
        self.table.begin(*hand_streams(child(self.key, self.number)))

    def _take(self, seat: int, move: str) -> None:
        legal = self.table.state.legal_actions()
        action = next((action for action in legal if str(action) == move.strip().lower()), None)
        if action is None:
            raise InvalidActionError(f"{move[:40]!r} is not legal here; {', '.join(map(str, legal))} would be")
        self._ev_loss[len(self.events)] = self._price(seat, action)
        self.table.take(action)

    def _add_event(self, before: State, move: Action | str, after: State) -> None:
        """Add the event of a card or an action, with the explanation of a policy's action."""
        street = sum(event["what"] == "board" for event in self.events)
        if isinstance(move, str):
            if len(_dealt(before)) >= PRIVATE_CARDS:
                self.events.append({"what": "board", "street": len(_dealt(before)) - 1, "cards": [move]})
            return
        role = before.actor
        seat, chips = self._role_of(role), after.stakes()[role] - before.stakes()[role]
        if (player := self.players[seat]) is not None:
            self._explanations[len(self.events)] = player.explain()
        acted = {"what": "acted", "seat": seat, "action": move.name, "amount": move.amount}
        self.events.append(acted | {"chips": chips, "street": street})

    def replay(self, hand: FinishedHand, event: int, seat: int) -> "SmallTable":
        """Return a new table with a finished hand of this one, up to an event.

        Policies have no memory, so the same streams repeat the hand.
        """
        analysis = SmallTable(self.game, self.specs, 0, self.open_cards, self.names)
        analysis.key, analysis.number = self.key, hand.number - 1
        analysis.deal()
        for played in hand.events[:event]:
            if played["what"] == "acted" and played["seat"] == seat and analysis.turn != NOBODY:
                analysis.take(seat, str(Action(played["action"], played["amount"])))
        return analysis

    def _finished_hand(self) -> FinishedHand:
        state = self.table.state
        won, stakes = self._by_seat(state.returns()), self._by_seat(state.stakes())
        cards = [(card,) for card in self._by_seat(_dealt(state)[:PRIVATE_CARDS])]
        if not any(event["what"] == "acted" and event["action"] == FOLD.name for event in self.events):
            self.events += [{"what": "shown", "seat": seat, "cards": list(cards[seat])} for seat in (0, 1)]
        for seat in (0, 1):
            if won[seat] + stakes[seat] > 0:
                self.events.append({"what": "won", "seat": seat, "chips": won[seat] + stakes[seat], "pot": 0})
        self.events.append({"what": "ended", "won": won})
        return FinishedHand(
            self.number,
            tuple(self.events),
            tuple(won),
            tuple(map(float, won)),
            self._explanations,
            self._ev_loss,
            cards=tuple(cards),
        )

    def _price(self, seat: int, action: Action) -> float:
        """Return the exact EV loss of an action against this opponent; 0 against a person, because it is unknown."""
        opponent, role = self.policies[1 - seat], self._role_of(seat)
        if opponent is None:
            return 0.0
        knows = self.table.state.information_state(role)
        return regret(_response(opponent, role), opponent.tree.sequences[role], knows, action)

    # --- look

    def _cards(self, seat: int) -> list[str]:
        return [_dealt(self.table.state)[self._role_of(seat)]]

    def _position(self, seat: int, over: bool) -> dict[str, Any]:
        stakes = self.table.state.stakes()
        to_call = max(stakes) - stakes[self._role_of(seat)]
        actions = () if over or self.turn != seat else self.table.state.legal_actions()
        return {
            "events": self.events,
            "actions": [
                {
                    "name": action.name,
                    "amount": to_call if action.name == "call" else action.amount,
                    "text": str(action),
                }
                for action in actions
            ],
            "to_call": to_call,
            "pot": sum(stakes),
            "big_blind": None,
            "ev_loss": {str(index): chips for index, chips in self._ev_loss.items()} if over else {},
        }

    def hint(self, seat: int, spec: str, name: str) -> dict[str, Any]:  # noqa: ARG002  the signature of all tables
        """Return the exact EV loss of every action against this opponent."""
        self.refuse_out_of_turn(seat)
        if self.policies[1 - seat] is None:
            raise InputError("a hint needs an opponent whose policy is known: this one is a person")
        losses = {str(action): self._price(seat, action) for action in self.table.state.legal_actions()}
        best = [move for move, loss in losses.items() if loss <= 1e-9]
        costs = ", ".join(f"{move} costs {loss:.3g}" for move, loss in losses.items() if loss > 1e-9)
        text = f"Against {self.names[1 - seat]}, {' and '.join(best)} {'is' if len(best) == 1 else 'are'} best"
        return {
            "exact": True,
            "player": self.names[1 - seat],
            "move": best[0],
            "text": f"{text}{f'; {costs} chips more' if costs else ''}.",
            "choices": [{"move": move, "ev_loss": loss} for move, loss in losses.items()],
        }

    def _means(self, seat: int) -> dict[str, Any]:
        limit = float(max(abs(chips) for chips in self._possible_results()))
        lost = sum(
            chips for hand in self.hands for index, chips in hand.ev_loss.items() if hand.events[index]["seat"] == seat
        )
        played = self._mean([hand.won[seat] for hand in self.hands], (-limit, limit))
        return {"played": played, "ev_loss": lost / len(self.hands)}

    def _possible_results(self) -> Sequence[float]:
        for known in self.policies:
            if known is not None:
                return list(map(float, known.tree.terminals.payoffs.ravel()))
        return [float(chips) for hand in self.hands for chips in hand.won] + [1.0]


# Many tables may have the same opponent: its values are computed once.


@lru_cache(maxsize=64)
def _named_policy(game: Game, spec: str) -> Policy:
    return policy(game, spec)


def _load_policy(game: Game, spec: str) -> Policy:
    """Return a policy by its specification, cached unless it is a file, which may change."""
    return policy(game, spec) if "/" in spec or spec.endswith(".json") else _named_policy(game, spec)


@lru_cache(maxsize=64)
def _policy_player(known: Policy) -> PolicyPlayer:
    return PolicyPlayer(known)


@lru_cache(maxsize=64)
def _response(known: Policy, role: int) -> Response:
    return best_response(known, role)


def _dealt(state: State) -> tuple[str, ...]:
    """Return the cards dealt so far, as texts; for the dealer only."""
    return tuple(map(str, getattr(state, "dealt", ())))


def _first_role(policies: Sequence[Policy | None], hand: int) -> int:
    """Return the role of the first seat in even and odd hands: both in turn, unless a policy has one only."""
    roles = [
        role
        for role in (0, 1)
        if all(known is None or (seat + role) % 2 in known.seats for seat, known in enumerate(policies))
    ]
    if not roles:
        raise InputError("both policies are for the same seat of the game: they cannot play each other")
    return roles[hand % len(roles)]
