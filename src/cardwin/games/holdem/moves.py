"""What a player says, in the words of the rules: texts and actions in, an action with a legal name and whole chips out.

Either of `bet` and `raise` is understood where the other is meant; `all-in` is the bet, raise or call that takes all.
"""

import re

import numpy as np

from cardwin.core.errors import InputError, short
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem import rules
from cardwin.games.holdem.table import MOST_CHIPS
from cardwin.games.holdem.view import HoldemView

CODES = {"fold": rules.FOLD, "check": rules.CALL, "call": rules.CALL, "bet": rules.RAISE, "raise": rules.RAISE}
ALL_IN = Action("all-in")
_PLAIN = {action.name: action for action in (FOLD, CHECK, CALL)}
_TEXT = re.compile(r"(fold|check|call|bet|raise|all[- ]?in)(?: +(?:to +)?(\d{1,15}))?")
_EXAMPLES = "fold, check, call, bet 300, raise 300 (a total in whole chips) or all-in"


def read_move(view: HoldemView, move: Action | str) -> Action:
    """The action that a move means to the one whose turn it is; whether its amount is legal the rules know."""
    if move is FOLD or (move is CALL and view.to_call) or (move is CHECK and not view.to_call):
        return move  # what players do most, read at once
    action = _read_text(move) if isinstance(move, str) else move
    if not isinstance(action, Action) or not isinstance(action.name, str):
        raise InputError(f"a {type(move).__name__} is no action of hold'em: {_EXAMPLES}")
    amount = _whole(view, action)
    if action.name == ALL_IN.name:
        return _all_in(view, amount)
    if action.name in _PLAIN:
        return _plain(view, action.name, amount)
    if action.name not in CODES:
        raise InputError(f"{short(action.name)!r} is no action of hold'em: {_EXAMPLES}")
    if amount == 0 and view.min_raise_to == view.max_raise_to:
        amount = view.min_raise_to
    return Action("raise" if view.current_bet else "bet", amount)


def _read_text(text: str) -> Action:
    found = _TEXT.fullmatch(text.strip().lower())
    if not found:
        raise InputError(f"{short(text)!r} is no action of hold'em: {_EXAMPLES}")
    name = ALL_IN.name if found[1].startswith("all") else found[1]
    return Action(name, int(found[2] or 0))


def _whole(view: HoldemView, action: Action) -> int:
    amount = action.amount
    if type(amount) is not int and not isinstance(amount, np.integer):
        raise InputError(f"no {short(action.name)} of {short(amount)}: amounts are whole chips; {choices(view)}")
    if not -MOST_CHIPS <= amount <= MOST_CHIPS:
        raise InputError(f"no {short(action.name)} beyond {MOST_CHIPS} chips; {choices(view)}")
    return int(amount)


def _plain(view: HoldemView, name: str, amount: int) -> Action:
    if name == "check" and view.to_call:
        raise InputError(f"no check facing a bet: {view.to_call} to call; {choices(view)}")
    if name == "call" and not view.to_call:
        raise InputError(f"nothing to call; {choices(view)}")
    if amount and not (name == "call" and amount == view.to_call):
        raise InputError(f"no {name} of {amount}: a {name} has no amount of its own; {choices(view)}")
    return _PLAIN[name]


def _all_in(view: HoldemView, amount: int) -> Action:
    stack = view.stacks[view.seat]
    if amount:
        raise InputError(f"no all-in of {amount}: an all-in has no amount of its own; {choices(view)}")
    if view.max_raise_to and view.max_raise_to == view.bets[view.seat] + stack:
        return Action("raise" if view.current_bet else "bet", view.max_raise_to)
    if view.to_call == stack:
        return CALL
    raise InputError(f"no all-in: the stack of {stack} cannot be bet here; {choices(view)}")


def refusal(view: HoldemView, action: Action, reason: int) -> InputError:
    """The error that names the rule broken and what would be legal."""
    rule = {
        rules.NOBODY_TO_ACT: "the hand is over",
        rules.FOLD_IS_FREE: "no fold where checking is free",
        rules.RAISE_CAPPED: f"no more raises on this street after {view.raises}",
        rules.NOT_REOPENED: "an all-in for less than a full raise does not reopen the betting to those who have acted",
        rules.NOBODY_TO_RAISE: "nobody is left who could call more",
        rules.STACK_TOO_SMALL: f"the stack of {view.stacks[view.seat]} does not reach beyond a call",
        rules.RAISE_TOO_SMALL: f"the least amount is {view.min_raise_to}",
        rules.RAISE_TOO_LARGE: f"the largest amount is {view.max_raise_to}",
    }[reason]
    return InputError(f"no {action}: {rule}" + (f"; {choices(view)}" if view.legal_actions else ""))


def choices(view: HoldemView) -> str:
    """What would be legal, in words."""
    texts = [f"{action} to {view.max_raise_to}" if action.amount else str(action) for action in view.legal_actions]
    return "legal: " + ", ".join(texts) if texts else "it is nobody's turn"
