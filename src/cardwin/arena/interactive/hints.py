"""Hints for a person who is to act: exact in a small game, in hold'em what another player would do in that seat."""

from dataclasses import replace
from typing import Any

from cardwin.arena.live_table import LiveTable
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of, prf, stream_of
from cardwin.games.base import Action
from cardwin.games.holdem.events import HandBegan, MatchBegan, card_names
from cardwin.players.base import explanation_of
from cardwin.players.coach import reason_for
from cardwin.players.registry import player
from cardwin.solvers.equilibria import regret
from cardwin.solvers.exact import Response
from cardwin.solvers.tree import Sequences


def refuse_out_of_turn(turn: int, seat: int) -> None:
    """Raise an error if the seat has nothing to decide now."""
    if turn != seat:
        raise InputError("a hint is for your turn: it is not your turn now")


def holdem_hint(table: LiveTable, seat: int, number: int, spec: str, name: str) -> dict[str, Any]:
    """What the player of a specification would do in the seat of the person who is to act.

    It is told the public events of this hand and sees the seat's view: hidden cards are not in it. It knows nothing of
    earlier hands.
    """
    refuse_out_of_turn(table.actor, seat)
    adviser, view = player(spec), table.view(seat)
    watch = getattr(adviser, "watch", None)
    if watch is not None:
        watch(MatchBegan(table.seats))
        for event in table.events:
            watch(replace(event, you=seat) if isinstance(event, HandBegan) else event)
    action = adviser.act(view, stream_of(prf(key_of(number, "hint"), len(table.events))))
    why = reason_for(name, action.name, explanation_of(adviser), card_names(view.hole))
    said = f"{name} would {action}" + (f": {why}." if why else "; it does not say why.")
    return {"exact": False, "player": name, "move": str(action), "choices": [], "text": said}


def small_hint(response: Response, seqs: Sequences, knows: str, legal: tuple[Action, ...], name: str) -> dict[str, Any]:
    """The exact EV loss of every legal action against a policy, and those without any."""
    losses = {str(action): regret(response, seqs, knows, action) for action in legal}
    best = [move for move, loss in losses.items() if loss <= 1e-9]
    costs = ", ".join(f"{move} costs {loss:.3g}" for move, loss in losses.items() if loss > 1e-9)
    said = f"Against {name}, {' and '.join(best)} {'is' if len(best) == 1 else 'are'} best"
    return {
        "exact": True, "player": name, "move": best[0], "text": f"{said}{f'; {costs} chips more' if costs else ''}.",
        "choices": [{"move": move, "ev_loss": loss} for move, loss in losses.items()],
    }  # fmt: skip
