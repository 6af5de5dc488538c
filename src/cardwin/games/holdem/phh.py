"""PHH, the poker hand history format (Kim 2023), and PHHS, many hands in one file: read and written.

Both are TOML. Variant NT is no-limit and FT limit hold'em; `holdem-simple`, which the format has no code for, stands
under its own name. Heads-up the format lists antes and blinds the other way round: the first player is the big blind.
Amounts may have decimals: hands are replayed in the smallest unit that makes them whole.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from cardwin.cards.card import cards_text, parse_cards
from cardwin.errors import InputError
from cardwin.games.holdem.game import MOST_CHIPS, HoldemGame
from cardwin.games.holdem.history import CALL, DEAL, FOLD, NOTE, RAISE, SHOW, History, Step, StepError, replay
from cardwin.games.holdem.table import SEATS, UNKNOWN

VARIANTS = {"NT": "nl", "FT": "limit", "holdem-simple": "simple"}
MOST_DECIMALS = 6
_HIDDEN = (UNKNOWN, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of one hand of a file: its final stacks, or the line and the reason of its failure."""

    hand: str
    final_stacks: tuple[float, ...] | None
    line: int = 0
    reason: str = ""


def replay_text(text: str) -> list[Replayed]:
    """Every hand of a PHH or PHHS text, replayed by our rules and compared with its finishing stacks."""
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"line (\d+)", str(error))
        return [Replayed("", None, int(place[1]) if place else 1, f"no TOML: {error}")]
    if "variant" in document:
        return [_replay_fields(str(document.get("hand", "1")), document, text, 0)]
    hands = [(name, fields) for name, fields in document.items() if isinstance(fields, dict)]
    if not hands:
        return [Replayed("", None, 1, "no hand in this file: PHH needs a variant")]
    return [_replay_fields(name, fields, text, _section_start(text, name)) for name, fields in hands]


def _replay_fields(name: str, fields: dict[str, Any], text: str, start: int) -> Replayed:
    try:
        history, scale = history_of(fields)
        stacks = replay(history).stacks
    except StepError as error:
        return Replayed(name, None, _line_of_step(fields, text, start, error.place), str(error))
    except InputError as error:
        return Replayed(name, None, _line_of_key(text, start, "actions"), str(error))
    final = tuple(stack // scale if stack % scale == 0 else stack / scale for stack in stacks)
    told = fields.get("finishing_stacks")
    if told is not None and not _agree(final, told):
        told_text = ", ".join(map(str, told)) if isinstance(told, list) else str(told)
        reason = f"it ends with stacks {', '.join(map(str, final))}, the file says {told_text}"
        return Replayed(name, None, _line_of_key(text, start, "finishing_stacks"), reason)
    return Replayed(name, final)


def _agree(ours: Sequence[float], told: object) -> bool:
    """Equal stacks; a file that splits odd chips into fractions may differ by less than one chip."""
    if not isinstance(told, list) or len(told) != len(ours) or not all(isinstance(n, int | Decimal) for n in told):
        return False
    split = any(n % 1 for n in told)
    return all(abs(Decimal(str(a)) - b) < 1 if split else Decimal(str(a)) == b for a, b in zip(ours, told, strict=True))


def history_of(fields: dict[str, Any]) -> tuple[History, int]:
    """The history that PHH fields tell, in units of 1/scale chips, and that scale."""
    variant = fields.get("variant")
    if variant not in VARIANTS:
        raise InputError(f"variant {variant!r} is not played here: one of {', '.join(VARIANTS)} is")
    kind = VARIANTS[variant]
    lines = fields.get("actions")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise InputError("actions are missing: a list of texts such as 'p1 cbr 200' is needed")
    words = [line.split("#")[0].split() for line in lines]
    amounts = [_amounts(fields, names) for names in _amount_names(kind)]
    scale = _scale([*(n for group in amounts for n in group), *_raises(words)])
    stacks, antes, blinds, bets = ([int(n * scale) for n in group] for group in amounts)
    _check_amounts(stacks, antes, blinds, bets)
    if len(stacks) == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    hole, steps = _read_actions(words, len(stacks), scale)
    game = HoldemGame(kind, stacks[0], 0, bets[0], 0, *(bets if kind == "limit" else []))
    dead = not fields.get("ante_trimming_status", len(set(antes)) == 1)
    return History(game, tuple(stacks), tuple(antes), tuple(blinds), dead, hole, steps), scale


def _amount_names(kind: str) -> tuple[tuple[str, ...], ...]:
    bets = ("small_bet", "big_bet") if kind == "limit" else ("min_bet",)
    return ("starting_stacks",), ("antes",), ("blinds_or_straddles",), bets


def _amounts(fields: dict[str, Any], names: tuple[str, ...]) -> list[Decimal]:
    """The amounts of a list, or of several single fields."""
    amounts: list[Decimal] = []
    for name in names:
        value = fields.get(name)
        numbers = value if isinstance(value, list) and not name.endswith("bet") else [value]
        if not all(isinstance(n, int | Decimal) and not isinstance(n, bool) for n in numbers):
            raise InputError(f"{name} is {value!r}: whole or decimal amounts of chips are needed")
        amounts += [_number(str(n)) for n in numbers]
    return amounts


def _raises(words: list[list[str]]) -> Iterator[Decimal]:
    for place, line in enumerate(words):
        if len(line) == 3 and line[1] == "cbr":
            try:
                yield _number(line[2])
            except InputError as error:
                raise StepError(str(error), place) from error


def _number(text: str) -> Decimal:
    if not re.fullmatch(r"\d{1,15}(\.\d{1,15})?", text):
        raise InputError(f"{text!r} is no amount of chips")
    return Decimal(text)


def _scale(amounts: Sequence[Decimal]) -> int:
    decimals = max((-int(n.normalize().as_tuple().exponent) for n in amounts), default=0)
    if decimals > MOST_DECIMALS:
        raise InputError(f"an amount has {decimals} decimals: {MOST_DECIMALS} at most are read")
    return int(10 ** max(decimals, 0))


def _check_amounts(stacks: list[int], antes: list[int], blinds: list[int], bets: list[int]) -> None:
    if not 2 <= len(stacks) <= SEATS or not len(stacks) == len(antes) == len(blinds):
        raise InputError(f"{len(stacks)} starting stacks: 2 to {SEATS} are needed, and as many antes and blinds")
    if min(bets) < 1 or max(stacks + antes + blinds + bets) > MOST_CHIPS:
        raise InputError(f"amounts may not exceed {MOST_CHIPS} of the smallest unit, and the least bet is at least 1")


def _read_actions(
    words: list[list[str]], seats: int, scale: int
) -> tuple[tuple[tuple[int, ...], ...], tuple[Step, ...]]:
    hole: list[tuple[int, ...]] = [_HIDDEN] * seats
    steps: list[Step] = []
    for place, line in enumerate(words):
        try:
            match line:
                case []:
                    step = Step(NOTE)
                case ["d", "dh", who, cards]:
                    hole[_seat(who, seats)] = _hole_cards(cards)
                    step = Step(NOTE)
                case ["d", "db", cards]:
                    step = Step(DEAL, cards=parse_cards(cards))
                case [who, "f"]:
                    step = Step(FOLD, _seat(who, seats))
                case [who, "cc"]:
                    step = Step(CALL, _seat(who, seats))
                case [who, "cbr", amount]:
                    step = Step(RAISE, _seat(who, seats), int(_number(amount) * scale))
                case [who, "sm"]:
                    step = Step(SHOW, _seat(who, seats))
                case [who, "sm", cards]:
                    shown = _hole_cards(cards)
                    step = Step(SHOW, _seat(who, seats), cards=() if shown == _HIDDEN else shown)
                case _:
                    raise InputError(f"{' '.join(line)!r} is no action of hold'em in PHH")
        except InputError as error:
            raise StepError(str(error), place) from error
        steps.append(step)
    return tuple(hole), tuple(steps)


def _seat(who: str, seats: int) -> int:
    number = re.fullmatch(r"p([1-9]\d?)", who)
    if not number or int(number[1]) > seats:
        raise InputError(f"{who!r} is no player: p1 to p{seats} are")
    return int(number[1]) - 1


def _hole_cards(text: str) -> tuple[int, ...]:
    if text == "????":
        return _HIDDEN
    cards = parse_cards(text)
    if len(cards) != 2:
        raise InputError(f"{text!r}: two cards are needed, or ???? where they are not known")
    return cards


def _section_start(text: str, name: str) -> int:
    """Where a hand's section begins in a PHHS text."""
    found = re.search(rf"^\s*\[\s*[\"']?{re.escape(name)}[\"']?\s*\]", text, re.MULTILINE)
    return found.start() if found else 0


def _line_of_key(text: str, start: int, key: str) -> int:
    found = re.compile(rf"^\s*{key}\s*=", re.MULTILINE).search(text, start)
    return text.count("\n", 0, found.end() if found else start) + 1


def _line_of_step(fields: dict[str, Any], text: str, start: int, place: int) -> int:
    """The line of an action in the text: of its own, or of the list it stands in."""
    found = re.compile(r"^\s*actions\s*=", re.MULTILINE).search(text, start)
    position = found.end() if found else start
    for line in fields["actions"][: place + 1]:
        next_position = text.find(line, position)
        position = next_position + len(line) if next_position >= 0 else position
    return text.count("\n", 0, position) + 1


def phh_fields(history: History) -> dict[str, Any]:
    """The PHH fields of a hand that was played, with the stacks it ended with."""
    order = -1 if len(history.stacks) == 2 else 1
    game = history.game
    bets = (
        {"small_bet": game.small_bet, "big_bet": game.big_bet} if game.kind == "limit" else {"min_bet": game.big_blind}
    )
    names = {"players": list(history.names)} if history.names else {}
    return {
        "variant": next(code for code, kind in VARIANTS.items() if kind == game.kind),
        "ante_trimming_status": not history.dead_antes,
        "antes": list(history.antes[::order]),
        "blinds_or_straddles": list(history.blinds[::order]),
        **bets,
        "starting_stacks": list(history.stacks),
        "actions": [*_deal_lines(history), *map(_step_line, history.steps)],
        **names,
        "finishing_stacks": list(replay(history).stacks),
    }


def _deal_lines(history: History) -> Iterator[str]:
    for seat, cards in enumerate(history.hole):
        yield f"d dh p{seat + 1} {'????' if UNKNOWN in cards else cards_text(cards)}"


def _step_line(step: Step) -> str:
    if step.what == DEAL:
        return f"d db {cards_text(step.cards)}"
    code = {FOLD: "f", CALL: "cc", RAISE: f"cbr {step.amount}", SHOW: f"sm {cards_text(step.cards)}"}[step.what]
    return f"p{step.seat + 1} {code}".rstrip()


def phh_text(history: History, number: int | None = None) -> str:
    """A hand in PHH, or with a number as one section of a PHHS text."""
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in phh_fields(history).items()]
    return "\n".join([*([] if number is None else [f"[{number}]"]), *lines]) + "\n"
