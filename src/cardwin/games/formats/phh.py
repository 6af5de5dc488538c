"""Hands in PHH, the poker hand history format (Kim 2023), and PHHS, many hands in one file: replayed and written.

`phh_toml` splits a text into hands, `phh_fields` reads one, and `history` replays it and compares final stacks.
"""

import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any

from cardwin.core.errors import InputError
from cardwin.games.formats.phh_fields import CUSTOMS, VARIANTS, FieldError, RecordedHand, quote, read_fields
from cardwin.games.formats.phh_toml import Section, sections_of
from cardwin.games.holdem.events import card_names
from cardwin.games.holdem.history import (
    CALL,
    DEAL,
    FOLD,
    INFINITE,
    MUCK,
    NOTE,
    RAISE,
    RAKE,
    SHOW,
    History,
    ReplayResult,
    Step,
    StepError,
    replay,
    stack_mismatch,
)
from cardwin.games.holdem.state import HoldemState


def replay_text(text: str) -> list[ReplayResult]:
    """Replay every hand of a PHH or PHHS text by our rules, and compare it with its finishing stacks."""
    hands = [_replay_section(section) for section in sections_of(text)]
    return hands or [ReplayResult("", None, 1, "no hand in this file", read=False)]


def histories_of(text: str) -> Iterator[History]:
    """Yield the histories of all hands of a text. The first invalid one raises an error."""
    for section in sections_of(text):
        yield _recorded(section).history


def hands_of(text: str, first: int, count: int) -> Iterator[tuple[ReplayResult, History | None]]:
    """Yield some hands of a text with their histories, None if they are invalid. Other hands are not replayed.

    Args:
        text: The PHH or PHHS text.
        first: The index of the first hand, from 0.
        count: The maximum number of hands.

    """
    for section in islice(sections_of(text), first, first + count):
        result = _replay_section(section)
        yield result, None if result.final_stacks is None else _recorded(section).history


def replayed_hands(text: str) -> Iterator[RecordedHand]:
    """Yield the hands of a text whose replay succeeds."""
    for section in sections_of(text):
        if not _replay_section(section).reason:
            yield _recorded(section)


def _replay_section(section: Section) -> ReplayResult:
    name, recorded = _name(section), None
    try:
        recorded = _recorded(section)
        state = replay(recorded.history)
    except InputError as error:
        return ReplayResult(name, None, _line_of(section, error), str(error), recorded is not None)
    final = _in_chips(recorded, state)
    if recorded.finishing is not None:
        reason = stack_mismatch(state, recorded.finishing, recorded.history.stacks)
        if reason == RAKE and recorded.rake and sum(state.stacks) - sum(recorded.finishing) == recorded.rake:
            reason, final = "", tuple(float(chips / recorded.scale) for chips in recorded.finishing)
        if reason:
            line = section.line + _line_of_key(section.text, "finishing_stacks")
            return ReplayResult(name, None, line, _difference(recorded, state, reason))
    return ReplayResult(name, final)


def _recorded(section: Section) -> RecordedHand:
    if section.problem:
        raise section.problem
    return read_fields(section.fields)


def _name(section: Section) -> str:
    if section.name is not None:
        return section.name
    number = section.fields.get("hand", "1")
    return number if isinstance(number, str) else quote(number)


def _in_chips(recorded: RecordedHand, state: HoldemState) -> tuple[float, ...]:
    """Return the stacks of a position in chips, infinite if they were infinite at the start."""
    scale = recorded.scale
    return tuple(
        math.inf if start == INFINITE else stack // scale if stack % scale == 0 else stack / scale
        for stack, start in zip(state.stacks, recorded.history.stacks, strict=True)
    )


def _difference(recorded: RecordedHand, state: HoldemState, reason: str) -> str:
    final = _in_chips(recorded, state)
    finishing = [float(chips / recorded.scale) for chips in recorded.finishing or ()]
    expected = f"expected final stacks {_listed(finishing)}, got {_listed(final)}"
    if reason != RAKE:
        return expected
    return f"{round(sum(final) - sum(finishing), 6):g} of rake was taken, which is not replayed: {expected}"


def _listed(chips: Any) -> str:
    return ", ".join(f"{round(amount, 6):.15g}" for amount in chips)


def _line_of(section: Section, error: InputError) -> int:
    """Return the line of the file in which an error is."""
    if isinstance(error, StepError):
        return section.line + _line_of_step(section, error.index)
    if isinstance(error, FieldError):
        return section.line + _line_of_key(section.text, error.field)
    if error is section.problem:
        return section.line + section.problem.line - 1
    return section.line + _line_of_key(section.text, "actions")


def _line_of_key(text: str, key: str) -> int:
    """Return the line of a field, relative to the section; 0 if the field is missing."""
    match = re.search(rf"^[ \t]*[\"']?{key}[\"']?[ \t]*=", text, re.MULTILINE)
    return text.count("\n", 0, match.end()) if match else 0


def _line_of_step(section: Section, index: int) -> int:
    """Return the line of an action, relative to the section: in a line of its own, or in the list."""
    text = section.text
    match = re.search(r"^[ \t]*[\"']?actions[\"']?[ \t]*=", text, re.MULTILINE)
    position = match.end() if match else 0
    for line in section.fields["actions"][: index + 1]:
        next_position = text.find(line, position)
        position = next_position + len(line) if next_position >= 0 else position
    return text.count("\n", 0, position)


def phh_fields(history: History) -> dict[str, Any]:
    """Return the PHH fields of a finished hand, with its final stacks."""
    order = -1 if len(history.stacks) == 2 else 1
    game = history.game
    bets = {"small_bet": game.small_bet, "big_bet": game.big_bet} if game.kind == "limit" else {"min_bet": game.min_bet}
    deals = [f"d dh p{seat + 1} {_cards(cards)}" for seat, cards in enumerate(history.hole)]
    return {
        "variant": next(code for code, kind in VARIANTS.items() if kind == game.kind),
        "ante_trimming_status": not history.dead_antes,
        "antes": list(history.antes[::order]),
        "blinds_or_straddles": list(history.blinds[::order]),
        **bets,
        "starting_stacks": list(history.stacks),
        "actions": [*deals, *(_step_line(step) for step in history.steps if step.kind != NOTE)],
        **({"players": list(history.names)} if history.names else {}),
        **({"_customs": CUSTOMS[history.customs]} if history.customs else {}),
        **({"_to_match": history.to_match} if history.to_match else {}),
        "finishing_stacks": list(replay(history).stacks),
    }


def in_chips(fields: dict[str, Any], scale: int) -> dict[str, Any]:
    """Return the fields of a hand, which are in units of 1/scale chips, in chips."""

    def chips(value: Any) -> Any:
        if isinstance(value, list):
            return [chips(item) for item in value]
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        return value // scale if value % scale == 0 else value / scale

    def line(text: str) -> str:
        start, bet, amount = text.partition(" cbr ")
        return f"{start}{bet}{Decimal(amount) / scale:f}" if bet else text

    return {
        name: [line(text) for text in value] if name == "actions" else chips(value) for name, value in fields.items()
    }


def _step_line(step: Step) -> str:
    if step.kind == DEAL:
        return f"d db {_cards(step.cards)}"
    shown = _cards(step.cards) or "-"
    code = {FOLD: "f", CALL: "cc", RAISE: f"cbr {step.amount}", SHOW: f"sm {shown}", MUCK: "sm"}[step.kind]
    return f"p{step.seat + 1} {code}"


def _cards(cards: tuple[int, ...]) -> str:
    return "".join(card_names(cards))


def phh_text(history: History, number: int | None = None, scale: int = 1, **more: Any) -> str:
    """Return a finished hand in PHH.

    Args:
        history: The hand, in units of 1/scale chips.
        number: If not None, the hand is written as a section of a PHHS text with this number.
        scale: Units per chip.
        more: Further fields, in units, which replace or follow the others.

    """
    fields = phh_fields(history) | more
    fields = fields if scale == 1 else in_chips(fields, scale)
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "\n".join([*([] if number is None else [f"[{number}]"]), *lines]) + "\n"
