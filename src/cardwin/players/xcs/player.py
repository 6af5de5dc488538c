"""A classifier system's rules at a hold'em table: `xcs:NAME` or `xcs:FILE`, no longer learning.

It takes the action of the highest prediction among the rules that match, and checks or calls if none does. In limit
hold'em a raise has one size; at other tables it is the minimum raise.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.cards.all_combos import potentials
from cardwin.cards.ehs import ANY_TWO, board_ehs, ehs_table, strength_and_potential
from cardwin.cards.holdings import holding_index
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Event, HandBegan, MatchBegan
from cardwin.games.holdem.hooks import nearest_legal
from cardwin.games.holdem.rules import CALL
from cardwin.games.holdem.view import HoldemView
from cardwin.players.champions import champion_file
from cardwin.players.kind import REVELEY, PlayerKind
from cardwin.players.robots.static import named_action
from cardwin.players.xcs.descriptions import rule_text
from cardwin.players.xcs.encoding import (
    ACTIONS,
    LAST_STREET,
    MEMORY,
    REGISTER,
    Coded,
    Encoding,
    begin_hand,
    encoding_of,
    legal_bits,
    record_action,
    reset_memory,
    update_memory,
    write_situation,
)
from cardwin.players.xcs.files import RuleSet, read
from cardwin.players.xcs.rules import (
    FITNESS,
    Rules,
    add_register,
    best_pair,
    internal_actions,
    matching,
    pair_of,
    predict,
    updated_register,
)

GAME = "holdem"  # marks rule files for hold'em
SUFFIX = ".xcs"
MAX_RULES = 5  # shown in an explanation


@kernel
def decide_by_rules(
    rules: Rules,
    coded: Coded,
    row: Ints,
    strength: float,
    potential: float,
    memory: Ints,
    situation: Ints,
    members: Ints,
    expected: Floats,
) -> tuple[int, int, int]:
    """Return an action, the best pair (-1 if no rule matches) and the number of matching rules; update the memory.

    Scratch: situation (words,), members (1, rules), expected (2, actions * internals).
    """
    internals = expected.shape[1] // len(ACTIONS)
    update_memory(memory, row)
    write_situation(coded, row, strength, potential, memory, situation)
    add_register(situation, coded.layout, coded.register, memory[REGISTER])
    count = matching(rules, situation, members, 0)
    predict(rules, members, 0, count, internals, expected)
    best = best_pair(expected, internals, legal_bits(row))
    action, register = CALL, memory[REGISTER]
    if best >= 0:
        action, register = best // internals, updated_register(register, best % internals, coded.register)
    record_action(memory, action, strength, coded.bluff_below, register)
    return action, best, count


def strength_of(view: HoldemView) -> tuple[float, float]:
    """Return hand strength and potential in a view; if suits do not count, they are computed each time."""
    a, b = view.hole
    board = np.array(view.board, np.int64)
    if view.suitless and len(board):
        holding = holding_index(a, b)
        ahead = potentials(board, True, ANY_TWO, 1)[0, holding] if len(board) < 5 else 0.0
        return float(board_ehs(view.board, True).strengths(ANY_TWO)[holding]), float(ahead)
    return strength_and_potential(ehs_table(), a, b, board)


class XcsPlayer:
    """Rules in a seat, with a register that lasts for a hand and counters that last for a match."""

    def __init__(self, rule_set: RuleSet, encoding: Encoding) -> None:
        self.rule_set, self.encoding = rule_set, encoding
        self._memory = np.zeros(MEMORY, np.int64)
        reset_memory(self._memory)
        columns = rule_set.rules.condition.shape[1]
        self._members = np.zeros((1, max(columns, 1)), np.int64)
        self._expected = np.zeros((2, len(ACTIONS) * internal_actions(encoding.fields)))
        self._situation = np.zeros(len(encoding.fields.layout.full), np.int64)
        self._seen: tuple[float, float, int, int] | None = None

    def watch(self, event: Event) -> None:
        """Update the counters when a match or a hand begins."""
        if isinstance(event, MatchBegan):
            reset_memory(self._memory)
        elif isinstance(event, HandBegan):
            begin_hand(self._memory)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Return the best action according to the rules."""
        if view.street < self._memory[LAST_STREET]:
            begin_hand(self._memory)  # no event announced a new hand
        strength, potential = strength_of(view)
        action, best, count = decide_by_rules(
            self.rule_set.rules,
            self.encoding.coded,
            np.array(view.row, np.int64),
            strength,
            potential,
            self._memory,
            self._situation,
            self._members,
            self._expected,
        )
        self._seen = strength, potential, best, count
        wish = (action, view.min_raise_to, view.to_call > 0, view.min_raise_to, view.max_raise_to)
        return named_action(view, *nearest_legal(*wish))

    def explain(self) -> Mapping[str, Any]:
        """Return the situation, the prediction of each action, and the fittest rules of the chosen one."""
        if self._seen is None:
            return {}
        strength, potential, best, count = self._seen
        internals = self._expected.shape[1] // len(ACTIONS)
        predictions: dict[str, float | None] = {}
        for number, name in enumerate(ACTIONS):
            pairs = range(number * internals, (number + 1) * internals)
            values = [float(self._expected[0, pair]) for pair in pairs if self._expected[1, pair] > 0]
            predictions[f"expects of {name}"] = round(max(values), 3) if values else None
        rules = self.rule_set.rules
        fired = [int(i) for i in self._members[0, :count] if pair_of(rules, int(i), internals) == best]
        fired.sort(key=lambda i: -rules.values[FITNESS, i])
        return {
            "hs": round(strength, 4),
            "ppot": round(potential, 4),
            **predictions,
            "rules that match": count,
            "rules that fired": len(fired),
            "text": "" if fired else "no rule matches: it checks or calls",
            "rules": [str(rule_text(rules, i, self.encoding.fields, ACTIONS)) for i in fired[:MAX_RULES]],
        }


def player_of(rule_set: RuleSet, name: str = "these rules") -> XcsPlayer:
    """Return the player of a rule set.

    Args:
        rule_set: the rules.
        name: their name in error messages.

    Raises:
        InputError: the rules are for another game, or their fields differ from those of their encoding.

    """
    about = rule_set.about
    if about.get("game") != GAME:
        purpose = about.get("problem") or about.get("game") or "an unknown problem"
        raise InputError(
            f"{name}: expected rules for hold'em, got rules for {purpose}; cardwin train xcs --game holdem-limit "
            "trains some"
        )
    try:
        encoding = encoding_of(about["encoding"])
    except (KeyError, TypeError, InputError) as error:
        raise InputError(f"{name}: invalid encoding of what its rules see: {error}") from None
    if encoding.fields.digest() != rule_set.fields.digest() or rule_set.actions != ACTIONS:
        raise InputError(f"{name} has rules of other fields than its encoding: train them again")
    return XcsPlayer(rule_set, encoding)


def build_xcs(texts: Mapping[str, str]) -> XcsPlayer:
    """Build a player from a shipped rule set or a file."""
    path = champion_file("xcs", texts.get("file"), SUFFIX)
    return player_of(read(Path(path)), str(path))


KIND = PlayerKind(
    "a trained classifier system (after Reveley), by its name or file: rules in words, for limit hold'em",
    build_xcs,
    ("file",),
    "file",
    suffix=SUFFIX,
    needs_file=True,
    source=f"{REVELEY}, section 2, trained here ([classifier systems](../xcs.md))",
    game="holdem-limit",
)
