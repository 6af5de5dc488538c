"""OpenSpiel's information-state strings and action numbers of Kuhn poker and Leduc hold'em."""

from cardwin.core.errors import InputError
from cardwin.games.base import Action, Game, State
from cardwin.games.small import leduc
from cardwin.games.small.kuhn import Kuhn
from cardwin.games.small.leduc import Leduc, LeducState


def state_string(game: Game, state: State) -> str:
    """Return OpenSpiel's information-state string of the actor."""
    if isinstance(game, Kuhn) and len(game.cards) == 3 and game.bets == (1,) and not game.with_raise:
        card, _, line = state.information_state(state.actor).partition(" after ")
        return str(game.cards.index(card)) + "".join("b" if "bet" in move else "p" for move in line.split(", ") if move)
    if isinstance(game, Leduc) and isinstance(state, LeducState):
        return _leduc_string(state)
    raise InputError(f"OpenSpiel has no game like {game.name}: kuhn and leduc can be exported to it")


def action_number(state: State, action: Action) -> int:
    """OpenSpiel's number of an action: in Kuhn pass and bet, in Leduc fold, call and raise."""
    if isinstance(state, LeducState):
        return {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}[action.name]
    return int(action.name in ("bet", "call"))


def _leduc_string(state: LeducState) -> str:
    seat, money = state.actor, [99, 99]
    lines = []
    for moves, size in zip(state.rounds, leduc.BETS, strict=True):
        before, made = min(money), 0
        for turn, move in enumerate(moves):
            made += move.name in ("bet", "raise")
            money[turn % 2] = before - size * made
        lines.append(" ".join(str(action_number(state, move)) for move in moves))
    public = f"[Public: {leduc.CARDS.index(state.dealt[2])}]" if len(state.dealt) == 3 else ""
    turn = 2 if public else 1
    return (
        f"[Observer: {seat}][Private: {leduc.CARDS.index(state.dealt[seat])}][Round {turn}][Player: {seat}]"
        f"[Pot: {200 - sum(money)}][Money: {money[0]} {money[1]}]{public}[Round1: {lines[0]}][Round2: {lines[1]}]"
    )
