"""Hands in PHH, the poker hand history format (Kim 2023), and PHHS, many hands in one file: replayed and written.

`phh_toml` splits a text into hands, `phh_fields` reads one, `history` replays it, `finishing` compares final stacks.
"""

import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any

from cardwin.cards.card import cards_text
from cardwin.core.errors import InputError
from cardwin.games.formats.finishing import RAKE, why_different
from cardwin.games.formats.phh_fields import CUSTOMS, VARIANTS, FieldError, Recorded, quoted, read_fields
from cardwin.games.formats.phh_toml import Section, sections_of
from cardwin.games.holdem.history import (
    CALL,
    DEAL,
    FOLD,
    INFINITE,
    MUCK,
    NOTE,
    RAISE,
    SHOW,
    History,
    Replayed,
    Step,
    StepError,
    replay,
)
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import UNKNOWN


def replay_text(text: str) -> list[Replayed]:
    """Every hand of a PHH or PHHS text, replayed by our rules and compared with its finishing stacks."""
    hands = [_replay_section(section) for section in sections_of(text)]
    return hands or [Replayed("", None, 1, "no hand in this file")]


def histories_of(text: str) -> Iterator[History]:
    """The histories of all hands of a text; the first invalid one raises an error."""
    for section in sections_of(text):
        yield _recorded(section).history


def hands_of(text: str, first: int, most: int) -> Iterator[tuple[Replayed, History | None]]:
    """Hands of a text from a place on, counted from 0, with their histories where they are valid; others are skipped.

    Only these are replayed, so that a part of a long file costs little.
    """
    for section in islice(sections_of(text), first, first + most):
        found = _replay_section(section)
        yield found, None if found.final_stacks is None else _recorded(section).history


def replayed_hands(text: str) -> Iterator[Recorded]:
    """The hands of a text that are replayed to the end."""
    for section in sections_of(text):
        if not _replay_section(section).reason:
            yield _recorded(section)


def _replay_section(section: Section) -> Replayed:
    name = _name(section)
    try:
        recorded = _recorded(section)
        state = replay(recorded.history)
    except InputError as error:
        return Replayed(name, None, _line_of(section, error), str(error))
    final = _in_chips(recorded, state)
    if recorded.finishing is not None:
        reason = why_different(state, recorded.finishing, recorded.history.stacks)
        if reason == RAKE and recorded.rake and sum(state.stacks) - sum(recorded.finishing) == recorded.rake:
            reason, final = "", tuple(float(chips / recorded.scale) for chips in recorded.finishing)
        if reason:
            line = section.line + _line_of_key(section.text, "finishing_stacks")
            return Replayed(name, None, line, _difference(recorded, state, reason))
    return Replayed(name, final)


def _recorded(section: Section) -> Recorded:
    if section.problem:
        raise section.problem
    return read_fields(section.fields)


def _name(section: Section) -> str:
    if section.name is not None:
        return section.name
    number = section.fields.get("hand", "1")
    return number if isinstance(number, str) else quoted(number)


def _in_chips(recorded: Recorded, state: HoldemState) -> tuple[float, ...]:
    """The stacks of a position, infinite if they were infinite at the start."""
    scale = recorded.scale
    return tuple(
        math.inf if start == INFINITE else stack // scale if stack % scale == 0 else stack / scale
        for stack, start in zip(state.stacks, recorded.history.stacks, strict=True)
    )


def _difference(recorded: Recorded, state: HoldemState, reason: str) -> str:
    final = _in_chips(recorded, state)
    finishing = [float(chips / recorded.scale) for chips in recorded.finishing or ()]
    ends = f"it ends with stacks {_listed(final)}, the file says {_listed(finishing)}"
    if reason != RAKE:
        return ends
    return f"{round(sum(final) - sum(finishing), 6):g} of rake was taken, which is not replayed: {ends}"


def _listed(chips: Any) -> str:
    return ", ".join(f"{round(amount, 6):.15g}" for amount in chips)


def _line_of(section: Section, error: InputError) -> int:
    """The line of the file that an error is about."""
    if isinstance(error, StepError):
        return section.line + _line_of_step(section, error.place)
    if isinstance(error, FieldError):
        return section.line + _line_of_key(section.text, error.field)
    if error is section.problem:
        return section.line + section.problem.line - 1
    return section.line + _line_of_key(section.text, "actions")


def _line_of_key(text: str, key: str) -> int:
    """The line of a field, relative to the section; 0 if the field is missing."""
    found = re.search(rf"^[ \t]*[\"']?{key}[\"']?[ \t]*=", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) if found else 0


def _line_of_step(section: Section, place: int) -> int:
    """The line of an action, relative to the section: in a line of its own, or in the list."""
    text = section.text
    found = re.search(r"^[ \t]*[\"']?actions[\"']?[ \t]*=", text, re.MULTILINE)
    position = found.end() if found else 0
    for line in section.fields["actions"][: place + 1]:
        next_position = text.find(line, position)
        position = next_position + len(line) if next_position >= 0 else position
    return text.count("\n", 0, position)


def phh_fields(history: History) -> dict[str, Any]:
    """The PHH fields of a finished hand, with its final stacks."""
    order = -1 if len(history.stacks) == 2 else 1
    game = history.game
    bets = (
        {"small_bet": game.small_bet, "big_bet": game.big_bet} if game.kind == "limit" else {"min_bet": game.least_bet}
    )
    names = {"players": list(history.names)} if history.names else {}
    return {
        "variant": next(code for code, kind in VARIANTS.items() if kind == game.kind),
        "ante_trimming_status": not history.dead_antes,
        "antes": list(history.antes[::order]),
        "blinds_or_straddles": list(history.blinds[::order]),
        **bets,
        "starting_stacks": list(history.stacks),
        "actions": [*_deal_lines(history), *(_step_line(step) for step in history.steps if step.what != NOTE)],
        **names,
        **({"_customs": CUSTOMS[history.customs]} if history.customs else {}),
        **({"_to_match": history.to_match} if history.to_match else {}),
        "finishing_stacks": list(replay(history).stacks),
    }


def in_chips(fields: dict[str, Any], scale: int) -> dict[str, Any]:
    """The fields of a hand in units of 1/scale chips, in chips."""

    def chips(value: Any) -> Any:
        if isinstance(value, list):
            return [chips(one) for one in value]
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        return value // scale if value % scale == 0 else value / scale

    def line(text: str) -> str:
        start, bet, amount = text.partition(" cbr ")
        return f"{start}{bet}{Decimal(amount) / scale:f}" if bet else text

    return {name: [line(one) for one in value] if name == "actions" else chips(value) for name, value in fields.items()}


def _deal_lines(history: History) -> Iterator[str]:
    for seat, cards in enumerate(history.hole):
        yield f"d dh p{seat + 1} {_card_names(cards)}"


def _step_line(step: Step) -> str:
    if step.what == DEAL:
        return f"d db {_card_names(step.cards)}"
    shown = _card_names(step.cards) or "-"
    code = {FOLD: "f", CALL: "cc", RAISE: f"cbr {step.amount}", SHOW: f"sm {shown}", MUCK: "sm"}[step.what]
    return f"p{step.seat + 1} {code}"


def _card_names(cards: tuple[int, ...]) -> str:
    return "".join("??" if card == UNKNOWN else cards_text([card]) for card in cards)


def phh_text(history: History, number: int | None = None, scale: int = 1, **more: Any) -> str:
    """A hand in PHH, or with a number as one section of a PHHS text.

    A history in units of 1/scale chips is written in chips. Further fields, in units too, replace or follow the others.
    """
    fields = phh_fields(history) | more
    fields = fields if scale == 1 else in_chips(fields, scale)
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    return "\n".join([*([] if number is None else [f"[{number}]"]), *lines]) + "\n"
