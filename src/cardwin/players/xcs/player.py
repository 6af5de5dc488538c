"""A classifier system's rules at a hold'em table: `xcs:NAME` or `xcs:FILE`, no longer learning.

It takes the action of the highest prediction among the rules that match, and checks or calls if none does. In limit
hold'em a raise has one size; at other tables it is the least one.
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
from cardwin.games.holdem.rules import CALL
from cardwin.games.holdem.static_actions import nearest_legal
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
    forget,
    legal_bits,
    look,
    note_own,
    write_situation,
)
from cardwin.players.xcs.files import RuleSet, read
from cardwin.players.xcs.rules import (
    FITNESS,
    Rules,
    best_pair,
    internal_actions,
    matching,
    pair_of,
    predict,
    with_register,
    written,
)

GAME = "holdem"  # the mark of rule files for hold'em
SUFFIX = ".xcs"
MOST_RULES = 5  # rules that are named in an explanation


@kernel
def decide_by_rules(
    rules: Rules, coded: Coded, row: Ints, strength: float, potential: float, memory: Ints, situation: Ints,
    members: Ints, expected: Floats,
) -> tuple[int, int, int]:  # fmt: skip
    """An action, the best pair (-1 if no rule matches) and the number of matching rules; memory is updated.

    Scratch: situation (words,), members (1, rules), expected (2, actions * internals).
    """
    internals = expected.shape[1] // len(ACTIONS)
    look(memory, row)
    write_situation(coded, row, strength, potential, memory, situation)
    with_register(situation, coded.layout, coded.register, memory[REGISTER])
    count = matching(rules, situation, members, 0)
    predict(rules, members, 0, count, internals, expected)
    best = best_pair(expected, internals, legal_bits(row))
    action, register = CALL, memory[REGISTER]
    if best >= 0:
        action, register = best // internals, written(register, best % internals, coded.register)
    note_own(memory, action, strength, coded.bluff_below, register)
    return action, best, count


def strength_of(view: HoldemView) -> tuple[float, float]:
    """Strength and potential in a view; without suits they are computed each time."""
    a, b = view.hole
    board = np.array(view.board, np.int64)
    if view.suitless and len(board):
        holding = holding_index(a, b)
        ahead = potentials(board, True, ANY_TWO, 1)[0, holding] if len(board) < 5 else 0.0
        return float(board_ehs(view.board, True).strengths(ANY_TWO)[holding]), float(ahead)
    return strength_and_potential(ehs_table(), a, b, board)


class XcsPlayer:
    """Rules in a seat. It keeps its register within a hand, and its counters between hands."""

    def __init__(self, rule_set: RuleSet, encoding: Encoding) -> None:
        self.rule_set, self.encoding = rule_set, encoding
        self._memory = np.zeros(MEMORY, np.int64)
        forget(self._memory)
        self._began = False
        columns = rule_set.rules.condition.shape[1]
        self._members = np.zeros((1, max(columns, 1)), np.int64)
        self._expected = np.zeros((2, len(ACTIONS) * internal_actions(encoding.fields)))
        self._situation = np.zeros(len(encoding.fields.layout.full), np.int64)
        self._seen: tuple[float, float, int, int] | None = None

    def watch(self, event: Event) -> None:
        """Count hands."""
        if isinstance(event, MatchBegan):
            forget(self._memory)
        elif isinstance(event, HandBegan):
            begin_hand(self._memory)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """The best action according to the rules."""
        if view.street < self._memory[LAST_STREET]:
            begin_hand(self._memory)  # no event announced a new hand
        strength, potential = strength_of(view)
        action, best, count = decide_by_rules(
            self.rule_set.rules, self.encoding.coded, np.array(view.row, np.int64), strength, potential, self._memory,
            self._situation, self._members, self._expected,
        )  # fmt: skip
        self._seen = strength, potential, best, count
        wish = (action, view.min_raise_to, view.to_call > 0, view.min_raise_to, view.max_raise_to)
        return named_action(view, *nearest_legal(*wish))

    def explain(self) -> Mapping[str, Any]:
        """The situation, the prediction of each action, and the fittest rules of the chosen one."""
        if self._seen is None:
            return {}
        strength, potential, best, count = self._seen
        internals = self._expected.shape[1] // len(ACTIONS)
        promises: dict[str, float | None] = {}
        for number, name in enumerate(ACTIONS):
            pairs = range(number * internals, (number + 1) * internals)
            spoken = [float(self._expected[0, pair]) for pair in pairs if self._expected[1, pair] > 0]
            promises[f"expects of {name}"] = round(max(spoken), 3) if spoken else None
        rules = self.rule_set.rules
        fired = [int(i) for i in self._members[0, :count] if pair_of(rules, int(i), internals) == best]
        fired.sort(key=lambda i: -rules.values[FITNESS, i])
        return {
            "hs": round(strength, 4), "ppot": round(potential, 4), **promises, "rules that match": count,
            "rules that fired": len(fired), "text": "" if fired else "no rule knows this: it checks or calls",
            "rules": [str(rule_text(rules, i, self.encoding.fields, ACTIONS)) for i in fired[:MOST_RULES]],
        }  # fmt: skip


def player_of(rule_set: RuleSet, name: str = "these rules") -> XcsPlayer:
    """The player of a rule set; rules of other games are rejected."""
    about = rule_set.about
    if about.get("game") != GAME:
        what = about.get("problem") or about.get("game") or "something else"
        raise InputError(
            f"{name} has rules for {what}, not for hold'em: cardwin train xcs --game holdem-limit makes some"
        )
    try:
        encoding = encoding_of(about["encoding"] if "encoding" in about else about["sight"])
    except (KeyError, TypeError, InputError) as error:
        raise InputError(f"{name} does not say what its rules see: {error}") from None
    if encoding.fields.digest() != rule_set.fields.digest() or rule_set.actions != ACTIONS:
        raise InputError(f"{name} has rules of other fields than hold'em's here: train them anew")
    return XcsPlayer(rule_set, encoding)


def build_xcs(texts: Mapping[str, str]) -> XcsPlayer:
    """Rules by the name of a shipped set, or from a file."""
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
