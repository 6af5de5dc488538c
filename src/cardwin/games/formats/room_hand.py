"""A room's hand as a history, replayed by our rules and compared with the chips that the text reports.

1. Players who posted or acted are in the hand; the others sat out. Seats are in our order, from the left of the button
   on.
2. Posts: the first small and big blind and straddles are blinds. A further big blind is a live bet of a player who
   comes in; a further small blind is dead. The bet to match before the flop is the whole big blind, even if the player
   who posts it has less.
3. Every line of betting is a step.
4. The final stacks must equal those of the text: chips before the hand, minus those put in, plus those returned and
   collected. They may differ from ours by the rake that the summary reports, which the winners pay.

Amounts are in the smallest unit of the hand, such as cents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from cardwin.core.errors import InputError
from cardwin.games.formats.room_text import (
    LineError,
    RoomText,
    Seat,
    Word,
    read_head,
    read_summary,
    read_words,
    sections_of_room,
)
from cardwin.games.holdem.events import Returned, Won
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.history import (
    CALL,
    DEAL,
    FOLD,
    MUCK,
    RAISE,
    SHOW,
    History,
    ReplayResult,
    Step,
    StepError,
    replay,
    stack_mismatch,
)
from cardwin.games.holdem.replaying import ROOM
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import SEATS, UNBOUNDED, UNKNOWN

MAX_DECIMALS = 6
POSTS = ("ante", "small", "big", "both", "straddle", "dead")
BETTING = ("fold", "check", "call", "bet", "raise")
_STEPS = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}


@dataclass(frozen=True)
class RoomHand:
    """A hand of a room: its history in units of 1/scale chips, and the final chips by seat, in units.

    `lines` are the text's lines of the history's steps, `rake` is in units, `returned` is whether the text reports a
    returned bet, and `end` is the last line.
    """

    number: str
    line: int
    history: History
    scale: int
    finishing: tuple[int, ...]
    rake: int
    returned: bool
    lines: tuple[int, ...]
    end: int


def replay_room(text: str) -> list[ReplayResult]:
    """Replay every hand of a room's text by our rules, and compare it with the chips that the text reports."""
    hands = [_replayed(number, lines) for number, lines in sections_of_room(text)]
    return hands or [
        ReplayResult("", None, 1, "no hand in this file: expected a header such as PokerStars Hand #1:", False)
    ]


def room_hands(text: str) -> Iterator[RoomHand]:
    """Yield the hands of a room's text whose replay agrees with it, with the final stacks that were checked."""
    for number, lines in sections_of_room(text):
        try:
            hand = read_room_hand(number, lines)
            yield replace(hand, finishing=finished(hand))
        except InputError:
            continue


def _replayed(number: str, lines: list[tuple[int, str]]) -> ReplayResult:
    hand = None
    try:
        hand = read_room_hand(number, lines)
        final = finished(hand)
    except LineError as error:
        return ReplayResult(number, None, error.line, str(error), hand is not None)
    except InputError as error:
        return ReplayResult(number, None, lines[0][0], str(error), hand is not None)
    scale = hand.scale
    return ReplayResult(number, tuple(chips // scale if chips % scale == 0 else chips / scale for chips in final))


def finished(hand: RoomHand) -> tuple[int, ...]:
    """Return the final stacks in units.

    Raises:
        LineError: If the replay does not agree with the text.

    """
    try:
        state = replay(hand.history)
    except StepError as error:
        raise LineError(str(error), hand.lines[error.index] if error.index < len(hand.lines) else hand.end) from error
    if _agrees(hand, state, hand.finishing):
        return hand.finishing
    back = {event.seat: event.chips for event in state.events if isinstance(event, Returned)}
    returned = tuple(chips + back.get(seat, 0) for seat, chips in enumerate(hand.finishing))
    # Older texts do not report returned bets.
    if not hand.returned and _agrees(hand, state, returned):
        return returned
    texts = [", ".join(f"{chips / hand.scale:.12g}" for chips in stacks) for stacks in (state.stacks, hand.finishing)]
    rake = f" after a rake of {hand.rake / hand.scale:.12g}" if hand.rake else ""
    raise LineError(f"expected final stacks {texts[1]}, got {texts[0]}{rake}", hand.end)


def _agrees(hand: RoomHand, state: HoldemState, finishing: tuple[int, ...]) -> bool:
    """Return whether the final stacks are ours, up to odd chips and the rake."""
    if hand.rake == 0:
        return not stack_mismatch(state, [Decimal(chips) for chips in finishing], hand.history.stacks)
    wins = [event for event in state.events if isinstance(event, Won)]
    odd = len({event.pot for event in wins})  # each pot may have a chip that cannot be split
    winners = {event.seat for event in wins}
    missing = [ours - theirs for ours, theirs in zip(state.stacks, finishing, strict=True)]
    return sum(missing) == hand.rake and all(
        -odd <= chips <= hand.rake + odd if seat in winners else chips == 0 for seat, chips in enumerate(missing)
    )


@dataclass
class _Draft:
    """A hand while its lines are read. Amounts are in chips, and players are named."""

    words: list[Word] = field(default_factory=list)
    revealed: dict[str, tuple[int, ...]] = field(default_factory=dict)
    fees: Decimal = Decimal(0)
    end: int = 0


def read_room_hand(number: str, lines: list[tuple[int, str]]) -> RoomHand:
    """Return the hand of a section of a text (see `sections_of_room`)."""
    text = read_head(number, lines)
    draft = _read_lines(text)
    order = _order(text, draft)
    amounts = [seat.chips for seat in order] + [word.amount for word in draft.words] + [*text.stakes, draft.fees]
    scale = _scale(amounts, text.line)
    posts = _posts(text, draft, order, scale)
    steps = [word for word in draft.words if word.verb not in (*POSTS, "returned", "collected", "dealt")]
    names = [seat.name for seat in order]
    stacks = tuple(int(seat.chips * scale) for seat in order)
    history = History(
        game=_game(text, scale, stacks[0], _big_blind(text, draft, scale)),
        stacks=stacks,
        antes=posts.antes,
        blinds=posts.blinds,
        dead_antes=posts.dead,
        hole=tuple(draft.revealed.get(name, (UNKNOWN, UNKNOWN)) for name in names),
        steps=tuple(_step(word, names, scale) for word in steps),
        names=tuple(names),
        caps=(UNBOUNDED,) * 4 if text.kind == "limit" else (),
        customs=ROOM,
        to_match=posts.to_match,
    )
    spent = _spent(draft, names, posts.live, scale)
    finishing = tuple(start - chips for start, chips in zip(stacks, spent, strict=True))
    return RoomHand(
        number=number,
        line=text.line,
        history=history,
        scale=scale,
        finishing=finishing,
        rake=int(draft.fees * scale),
        returned=any(word.verb == "returned" for word in draft.words),
        lines=tuple(word.line for word in steps),
        end=draft.end,
    )


def _read_lines(text: RoomText) -> _Draft:
    draft, summary = _Draft(end=text.line), False
    names = sorted((seat.name for seat in text.seats), key=len, reverse=True)
    numbers = {seat.number: seat.name for seat in text.seats}
    for at, line in text.lines:
        if summary:
            if shown := read_summary(line, at):
                draft.revealed.setdefault(numbers.get(shown[0], ""), _two(shown[1]))
            if not line.startswith("Total pot"):
                continue
        word = read_words(line, at, names)
        if word is None:
            continue
        draft.end = at
        if word.verb == "summary":
            summary = True
        elif word.verb == "fees":
            draft.fees += word.amount
        else:
            draft.words.append(word)
        if word.verb in ("dealt", "show"):
            known = _two(word.cards)
            if UNKNOWN not in known or word.player not in draft.revealed:
                draft.revealed[word.player] = known
    return draft


def _two(cards: tuple[int, ...]) -> tuple[int, ...]:
    return (*cards, UNKNOWN, UNKNOWN)[:2]


def _order(text: RoomText, draft: _Draft) -> list[Seat]:
    """Return the seats that are in the hand, from the left of the button on."""
    active = {word.player for word in draft.words if word.verb in (*POSTS, *BETTING)}
    after = sorted(text.seats, key=lambda seat: (seat.number <= text.button, seat.number))
    order = [seat for seat in after if seat.name in active]
    if not 2 <= len(order) <= SEATS:
        raise LineError(f"expected 2 to {SEATS} players who posted or acted, got {len(order)}", text.line)
    if len({seat.name for seat in order}) < len(order):
        raise LineError("expected different names of the players, got equal ones", text.line)
    return order


def _scale(amounts: Sequence[Decimal], line: int) -> int:
    decimals = max(-int(amount.normalize().as_tuple().exponent) for amount in amounts)
    if decimals > MAX_DECIMALS:
        raise LineError(f"expected at most {MAX_DECIMALS} decimals, got {decimals}", line)
    return int(10 ** max(decimals, 0))


def _game(text: RoomText, scale: int, stack: int, big_blind: int) -> HoldemGame:
    if text.kind == "limit":
        small_bet, big_bet = (int(amount * scale) for amount in text.stakes)
        return HoldemGame("limit", stack, 0, big_blind, 0, small_bet, big_bet)
    return HoldemGame("nl", stack, 0, big_blind)


@dataclass(frozen=True)
class _Posts:
    """Antes and blinds by seat in units, as a history has them, and the live chips of each post by its line."""

    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    dead: bool
    to_match: int
    live: dict[int, int]


def _big_blind(text: RoomText, draft: _Draft, scale: int) -> int:
    """Return the whole big blind: as posted unless all-in, because the header may have the next level's."""
    posted = next((word for word in draft.words if word.verb == "big" and not word.all_in), None)
    chips = text.stakes[1 if text.kind == "nl" else 0] if posted is None else posted.amount
    return int(chips * scale)


def _no_big_blind(draft: _Draft, names: list[str]) -> bool:
    """Return whether the seat after the small blind was all-in for its ante, so that there was no big blind."""
    small = next((word.player for word in draft.words if word.verb == "small"), None)
    after = names[(names.index(small) + 1) % len(names)] if small in names else None
    return any(word.verb == "ante" and word.all_in and word.player == after for word in draft.words)


def _posts(text: RoomText, draft: _Draft, order: Sequence[Seat], scale: int) -> _Posts:
    seats = {seat.name: index for index, seat in enumerate(order)}
    antes, dead, blinds = [0] * len(order), [0] * len(order), [0] * len(order)
    seen, to_match, live = set[str](), 0, dict[int, int]()
    full = _big_blind(text, draft, scale)
    if _no_big_blind(draft, [seat.name for seat in order]):
        seen.add("big")
    for word in draft.words:
        if word.verb not in POSTS:
            continue
        seat, chips, first = seats[word.player], int(word.amount * scale), word.verb not in seen
        seen.add(word.verb)
        if word.verb == "ante":
            antes[seat] += chips
        elif word.verb == "dead" or (word.verb == "small" and not first):
            dead[seat] += chips
        else:
            live[word.line] = min(chips, full) if word.verb == "both" else chips
            dead[seat] += chips - live[word.line]
            comes_in = word.verb == "both" or (word.verb == "big" and not first)
            blinds[seat] += -live[word.line] if comes_in else live[word.line]
            # The text does not report the full size of a straddle that is all-in; the common size is two big blinds.
            whole = 2 * full if word.verb == "straddle" and word.all_in else chips
            to_match = max(to_match, full, 0 if comes_in else whole)
    # A dead blind belongs to the main pot. A short ante plays for its own layer only.
    short = len({ante for ante in antes if ante}) > 1
    both = tuple(ante + blind for ante, blind in zip(antes, dead, strict=True))
    return _Posts(both, tuple(blinds), any(dead) or not short, to_match, live)


def _step(word: Word, names: list[str], scale: int) -> Step:
    if word.verb == "board":
        return Step(DEAL, cards=word.cards)
    seat = names.index(word.player) if word.player in names else -1
    if seat < 0:
        raise LineError(f"{word.player[:40]!r} is not in the hand", word.line)
    if word.verb == "show":
        return Step(SHOW, seat, cards=_two(word.cards))
    if word.verb == "muck":
        return Step(MUCK, seat)
    return Step(_STEPS[word.verb], seat, int(word.amount * scale) if word.verb in ("bet", "raise") else 0)


def _spent(draft: _Draft, names: list[str], live: dict[int, int], scale: int) -> list[int]:
    """Return the chips that each seat put in and did not get back, by the amounts of the text's lines."""
    spent, street = [0] * len(names), [0] * len(names)
    for word in draft.words:
        if word.verb == "board":
            street = [0] * len(names)
        if word.player not in names:
            continue
        seat, chips = names.index(word.player), int(word.amount * scale)
        if word.verb == "raise":
            chips, street[seat] = chips - street[seat], chips
        elif word.verb in POSTS:
            street[seat] += live.get(word.line, 0)
        elif word.verb in ("call", "bet"):
            street[seat] += chips
        elif word.verb in ("returned", "collected"):
            chips = -chips
        else:
            chips = 0
        spent[seat] += chips
    return spent
