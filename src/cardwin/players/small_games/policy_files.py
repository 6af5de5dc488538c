"""Policies in the formats of other programs."""

import csv
import io
import json
from fractions import Fraction

from cardwin.games.base import State
from cardwin.solvers.policy import Policy

SCHEMA = 1


def as_file(policy: Policy) -> str:
    """The text of a policy file: exact, and readable again by `policies.load`."""
    seats = {
        str(seat + 1): dict(zip(policy.tree.sequences[seat].gene_names, map(_shown, policy.genes(seat)), strict=True))
        for seat in policy.seats
    }
    return json.dumps({"schema": SCHEMA, "game": policy.tree.game.name, "seats": seats}, indent=1) + "\n"


def _shown(number: Fraction) -> str | int:
    """Short fractions as text; a float's exact fraction as the float, which reads back to the same value."""
    if number.denominator == 1:
        return number.numerator
    return str(number) if number.denominator < 10**6 else repr(float(number))


def as_csv(policy: Policy) -> str:
    """A line for each seat, information set and action."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("seat", "knowing", "action", "probability"))
    for seat in policy.seats:
        seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat).tolist()
        for known, actions, (_, first, _) in zip(seqs.infosets, seqs.actions, seqs.layout.tolist(), strict=True):
            writer.writerows((seat + 1, known, str(action), behaviour[first + i]) for i, action in enumerate(actions))
    return text.getvalue()


def as_openspiel(policy: Policy) -> str:
    """A JSON object of OpenSpiel's information-state strings with [action, probability] pairs, for TabularPolicy."""
    from cardwin.players.small_games.openspiel_strings import action_number, state_string

    table: dict[str, list[tuple[int, float]]] = {}
    tables = [behaviour_by_set(policy, seat) for seat in policy.seats]
    stack: list[State] = [policy.tree.game.start()]
    while stack:
        state = stack.pop()
        if state.actor in policy.seats:
            seat = state.actor
            behaviour, first = tables[policy.seats.index(seat)], state.information_state(seat)
            pairs = zip(state.legal_actions(), behaviour[first], strict=True)
            table[state_string(policy.tree.game, state)] = [
                (action_number(state, action), chance) for action, chance in pairs
            ]
        moves = [outcome for outcome, _ in state.chance_outcomes()] if state.actor == -1 else []
        stack += [state.apply(move) for move in moves]
        stack += [state.apply(action) for action in state.legal_actions()] if state.actor >= 0 else []
    lines = (f"{json.dumps(text)}: {json.dumps(pairs)}" for text, pairs in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def behaviour_by_set(policy: Policy, seat: int) -> dict[str, list[float]]:
    """The probabilities of the legal actions at each information set of a seat."""
    seqs, behaviour = policy.tree.sequences[seat], policy.behaviour(seat).tolist()
    return {
        text: behaviour[first : first + count]
        for text, (_, first, count) in zip(seqs.infosets, seqs.layout.tolist(), strict=True)
    }
