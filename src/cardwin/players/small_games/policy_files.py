"""Policies as files: our own format, CSV, and OpenSpiel's."""

import csv
import io
import json
from fractions import Fraction

from cardwin.core.errors import InputError
from cardwin.games.base import CHANCE, Action, Game, State
from cardwin.games.small import leduc
from cardwin.games.small.kuhn import Kuhn
from cardwin.solvers.policy import Policy

SCHEMA = 1


def as_file(policy: Policy) -> str:
    """Return the text of a policy file: exact, and readable by `policies.load`."""
    seats = {
        str(seat + 1): dict(
            zip(policy.tree.sequences[seat].gene_names, map(_json_number, policy.genes(seat)), strict=True)
        )
        for seat in policy.seats
    }
    return json.dumps({"schema": SCHEMA, "game": policy.tree.game.name, "seats": seats}, indent=1) + "\n"


def _json_number(number: Fraction) -> str | int:
    """Return short fractions as text; a float's exact fraction as the float, which reads back to the same value."""
    if number.denominator == 1:
        return number.numerator
    return str(number) if number.denominator < 10**6 else repr(float(number))


def as_csv(policy: Policy) -> str:
    """Return a CSV line for each seat, information set and action."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("seat", "knowing", "action", "probability"))
    for seat in policy.seats:
        seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat).tolist()
        for known, actions, (_, first, _) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
            writer.writerows((seat + 1, known, str(action), behaviour[first + i]) for i, action in enumerate(actions))
    return text.getvalue()


def as_openspiel(policy: Policy) -> str:
    """Return OpenSpiel's information-state strings with [action, probability] pairs as a JSON object.

    `TabularPolicy` of OpenSpiel reads it.

    Raises:
        InputError: OpenSpiel has no such game.

    """
    game, table = policy.tree.game, dict[str, list[tuple[int, float]]]()
    tables = {seat: behaviour_by_set(policy, seat) for seat in policy.seats}
    stack: list[State] = [game.start()]
    while stack:
        state = stack.pop()
        if state.actor in tables:
            behaviour = tables[state.actor][state.information_state(state.actor)]
            pairs = zip(state.legal_actions(), behaviour, strict=True)
            table[_openspiel_string(game, state)] = [(_openspiel_action(state, action), p) for action, p in pairs]
        stack += [state.apply(outcome) for outcome, _ in state.chance_outcomes()] if state.actor == CHANCE else []
        stack += [state.apply(action) for action in state.legal_actions()] if state.actor >= 0 else []
    lines = (f"{json.dumps(text)}: {json.dumps(pairs)}" for text, pairs in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _openspiel_string(game: Game, state: State) -> str:
    """Return OpenSpiel's information-state string of the actor."""
    if isinstance(game, Kuhn) and len(game.cards) == 3 and game.bets == (1,) and not game.with_raise:
        card, _, line = state.information_state(state.actor).partition(" after ")
        return str(game.cards.index(card)) + "".join("b" if "bet" in move else "p" for move in line.split(", ") if move)
    if isinstance(state, leduc.LeducState):
        return _leduc_string(state)
    raise InputError(f"OpenSpiel has no game like {game.name}: expected kuhn or leduc")


def _openspiel_action(state: State, action: Action) -> int:
    """Return OpenSpiel's number of an action: in Kuhn pass and bet, in Leduc fold, call and raise."""
    if isinstance(state, leduc.LeducState):
        return {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}[action.name]
    return int(action.name in ("bet", "call"))


def _leduc_string(state: leduc.LeducState) -> str:
    seat, money = state.actor, [99, 99]
    lines = []
    for moves, size in zip(state.rounds, leduc.BETS, strict=True):
        lowest, count_bets = min(money), 0
        for turn, move in enumerate(moves):
            count_bets += move.name in ("bet", "raise")
            money[turn % 2] = lowest - size * count_bets
        lines.append(" ".join(str(_openspiel_action(state, move)) for move in moves))
    public = f"[Public: {leduc.CARDS.index(state.dealt[2])}]" if len(state.dealt) == 3 else ""
    return (
        f"[Observer: {seat}][Private: {leduc.CARDS.index(state.dealt[seat])}][Round {2 if public else 1}]"
        f"[Player: {seat}][Pot: {200 - sum(money)}][Money: {money[0]} {money[1]}]{public}"
        f"[Round1: {lines[0]}][Round2: {lines[1]}]"
    )


def behaviour_by_set(policy: Policy, seat: int) -> dict[str, list[float]]:
    """Return the probabilities of the legal actions at each information set of a seat."""
    seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat).tolist()
    return {
        text: behaviour[first : first + count]
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
    }
