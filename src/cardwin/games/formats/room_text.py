"""Hand histories of poker rooms as text, in the layout of PokerStars and similar rooms: the meaning of each line.

A file is a sequence of hands, each from its header (`PokerStars Hand #…`, `Poker Hand #…`) to the next.
`sections_of_room` splits it, `read_head` reads header, table and seats, and `read_words` parses one further line.
`room_hand` combines them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from cardwin.cards.card import parse_cards
from cardwin.core.errors import InputError
from cardwin.games.holdem.table import UNKNOWN

HEADER = re.compile(
    r"^\ufeff?(\s*)(?:[A-Z][\w' ]{0,24} )?(?:PokerStars|Poker)\b[^#\n]{0,40}?\b(?:Hand|Game) #(\w+)\s*:"
)
_TABLE = re.compile(r"^Table .*?(?:Seat #(\d+) is the button.*)?$")
_SEAT = re.compile(r"^Seat (\d+): (.*) \(\D{0,3}?([\d.,]+) in chips(?:, [^()]*)?\)(.*)$")
_STAKES = re.compile(r"\(\s*[^\d()/]{0,4}([\d.,]+)/[^\d()/]{0,4}([\d.,]+)(?: - [^()]*)?(?:\s+[A-Z]{2,4})?\s*\)")
_CAPPED = re.compile(r"\([^()]*\bCap\b", re.IGNORECASE)
_AMOUNT = r"[^\d\s(]{0,3}\s?([\d][\d.,]*)"
_ALL_IN = r"(?:,? and is (?:all-in|capped))*"
_VERBS = {
    "ante": re.compile(rf"posts (?:the )?ante {_AMOUNT}{_ALL_IN}"),
    "small": re.compile(rf"posts (?:the )?small blind {_AMOUNT}{_ALL_IN}"),
    "big": re.compile(rf"posts (?:the )?big blind {_AMOUNT}{_ALL_IN}"),
    "both": re.compile(rf"posts (?:the )?small & big blinds {_AMOUNT}{_ALL_IN}"),
    "straddle": re.compile(rf"(?:posts (?:a |the )?straddle|straddles?) \[?{_AMOUNT}\]?{_ALL_IN}"),
    "dead": re.compile(rf"posts (?:a |the )?dead (?:small )?blind {_AMOUNT}{_ALL_IN}"),
    "fold": re.compile(r"folds(?: \[[^]]*\])?"),
    "check": re.compile(r"checks"),
    "call": re.compile(rf"calls {_AMOUNT}{_ALL_IN}"),
    "bet": re.compile(rf"bets {_AMOUNT}{_ALL_IN}"),
    "raise": re.compile(rf"raises (?:{_AMOUNT} )?to {_AMOUNT}{_ALL_IN}"),
    "show": re.compile(r"shows \[([^]]+)\].*"),
    "muck": re.compile(r"mucks hand"),
}
_COLLECTED = re.compile(rf"(?:collected|wins|won) \(?{_AMOUNT}\)? from (?:the )?(?:main |side )?pot.*")
_RETURNED = re.compile(rf"^Uncalled bet \({_AMOUNT}\) returned to (.*)$")
_DEALT = re.compile(r"^Dealt to (.*?)(?: \[([^]]*)\])*$")
_BOARD = re.compile(r"^\*\*\* (FLOP|TURN|RIVER) \*\*\*.*\[([^\[\]]+)\]\s*$")
_TWICE = re.compile(r"^(?:\*\*\* (?:FIRST|SECOND|THIRD) |Hand was run (?:twice|\w+ times))")
_POT = re.compile(rf"^Total pot {_AMOUNT}(.*)$")
_FEES = re.compile(rf"\| *(?:Rake|Jackpot|Bingo|Fortune|Tax|Insurance)[^|\d]*?{_AMOUNT}", re.IGNORECASE)
_REVEALED = re.compile(r"^Seat (\d+): .*\b(?:mucked|showed) \[([^]]+)\]")
# Lines that change nothing in the hand; some are about people who are not in it.
_AFTER_COLON = "is sitting out|sits out|sitting out|doesn't show hand|does not show|is disconnected|has returned"
_AFTER_NAME = (
    "joins the table|leaves the table|is sitting out|sits out|is connected|is disconnected|timed out|has timed out"
    "|has returned|was removed from the table|was moved from|will be allowed to play|finished the tournament|wins the "
    r"|wins \D{0,3}[\d.,]+ (?:bounty|for)|wins an entry|splits the |re-buys and|takes the add-on|has requested TIME"
    r"|has \d+ seconds left|is feeling|was eliminated|stood up|sat down|receives? |received |has been"
)
_IGNORED = re.compile(
    r"^$|^\*\*\* (?:HOLE CARDS|SHOW ?DOWN|PRE-FLOP)|^Board \[|^Dealt to |^\*{5,}|^Seat \d+: "
    rf"|.*(?:\bsaid, \"|: (?:{_AFTER_COLON})| (?:{_AFTER_NAME}))"
)


class LineError(InputError):
    """An invalid line of a room's text; `line` counts from the file's first."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Word:
    """The meaning of a line: a verb, the line's number, a player, an amount and cards."""

    verb: str
    line: int
    player: str = ""
    amount: Decimal = Decimal(0)
    cards: tuple[int, ...] = ()
    all_in: bool = False


@dataclass(frozen=True)
class Seat:
    """A seat of the table: its number, its player's name, and the chips before the hand."""

    number: int
    name: str
    chips: Decimal


@dataclass
class RoomText:
    """The text of one hand: number, line of its header, kind of game, stakes, button, seats and further lines."""

    number: str
    line: int
    kind: str = "nl"
    stakes: tuple[Decimal, Decimal] = (Decimal(0), Decimal(0))
    tournament: bool = False
    button: int = 0
    seats: list[Seat] = field(default_factory=list)
    lines: list[tuple[int, str]] = field(default_factory=list)


def is_room_text(text: str) -> bool:
    """Return whether a text is a room's: one of its first lines is the header of a hand."""
    return any(HEADER.match(line) for line in text[:20_000].splitlines()[:200])


def sections_of_room(text: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the number of each hand of a text, and its lines with their numbers."""
    number, lines, indent = "", list[tuple[int, str]](), ""
    lines_of_text = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for at, raw in enumerate(lines_of_text, 1):
        line = raw.replace("\xa0", " ").rstrip().lstrip("\t\ufeff")
        if header := HEADER.match(line):
            if number:
                yield number, lines
            indent, number, lines = header[1], header[2], [(at, line.strip())]
        elif number:
            lines.append((at, line.removeprefix(indent)))
    if number:
        yield number, lines


def read_head(number: str, lines: list[tuple[int, str]]) -> RoomText:
    """Return the hand of a section: its header, table and seats are parsed, further lines are stored as text."""
    first, header = lines[0]
    hand = RoomText(number, first)
    _read_header(hand, header)
    named = False
    for at, line in lines[1:]:
        if not named and (table := _TABLE.match(line)):
            hand.button, named = int(table[1] or 0), True
        elif not hand.lines and (seat := _SEAT.match(line)):
            hand.seats.append(Seat(int(seat[1]), seat[2], amount_of(seat[3], at)))
        else:
            hand.lines += [(at, line)] if line else []
    if not named or len(hand.seats) < 2:
        raise LineError(f"expected a line with the table and at least two seats, got {len(hand.seats)} seats", first)
    return hand


def _read_header(hand: RoomText, header: str) -> None:
    text = header.replace("’", "'")
    if "Hold'em" not in text or "6+ Hold'em" in text or "Omaha" in text:
        raise LineError(f"unsupported game: expected Texas hold'em, got {header[:60]!r}", hand.line)
    if "Pot Limit" in text or _CAPPED.search(text):
        raise LineError("unsupported game: expected no-limit or limit, got pot limit or a cap", hand.line)
    hand.kind = "nl" if "No Limit" in text else "limit"
    hand.tournament = "Tournament" in text
    stakes = list(_STAKES.finditer(text))
    if not stakes:
        raise LineError(f"expected stakes such as ($0.05/$0.10), got {header[:80]!r}", hand.line)
    hand.stakes = amount_of(stakes[-1][1], hand.line), amount_of(stakes[-1][2], hand.line)


def amount_of(text: str, line: int) -> Decimal:
    """Return an amount such as 1,234.50, or with a decimal comma 0,05."""
    plain = text.rstrip(".,")
    if re.fullmatch(r"\d+,\d{1,2}", plain):
        plain = plain.replace(",", ".")
    plain = plain.replace(",", "")
    if not re.fullmatch(r"\d{1,15}(\.\d{1,6})?", plain):
        raise LineError(f"expected an amount of chips, got {text[:40]!r}", line)
    return Decimal(plain)


def read_words(line: str, at: int, names: list[str]) -> Word | None:
    """Return the meaning of a line of a hand, None if it changes nothing.

    Args:
        line: The text.
        at: Its number in the file.
        names: The players at the table, longest names first.

    Raises:
        LineError: If the line is unknown, or what it reports is not replayed.

    """
    if _TWICE.match(line):
        raise LineError("the board was run more than once, which is not replayed", at)
    if "cashed out the hand" in line or "cash out" in line.lower().partition(": ")[0]:
        raise LineError("a player cashed out before the end, which is not replayed", at)
    for name in names:
        if line.startswith(f"{name}: ") and (word := _acted(line[len(name) + 2 :].strip(), at, name)):
            return word
        if line.startswith(f"{name} ") and (collected := _COLLECTED.fullmatch(line[len(name) + 1 :].strip(" :"))):
            return Word("collected", at, name, amount_of(collected[1], at))
    if (returned := _RETURNED.match(line)) and returned[2] in names:
        return Word("returned", at, returned[2], amount_of(returned[1], at))
    if (dealt := _DEALT.match(line)) and dealt[1] in names and dealt[2]:
        return Word("dealt", at, dealt[1], cards=_cards(dealt[2], at))
    if board := _BOARD.match(line):
        return Word("board", at, board[1], cards=_cards(board[2], at))
    if pot := _POT.match(line):
        fees = sum((amount_of(fee[1], at) for fee in _FEES.finditer(pot[2])), Decimal(0))
        return Word("fees", at, amount=fees)
    if line.startswith("*** SUMMARY"):
        return Word("summary", at)
    if _IGNORED.match(line):
        return None
    raise LineError(f"unknown line {line[:70]!r}", at)


def _acted(text: str, at: int, name: str) -> Word | None:
    for verb, pattern in _VERBS.items():
        if match := pattern.fullmatch(text):
            if verb == "show":
                return Word(verb, at, name, cards=_cards(match[1], at))
            last = match[match.lastindex] if match.lastindex else None
            return Word(verb, at, name, amount_of(last, at) if last else Decimal(0), all_in="all-in" in text)
    return None


def read_summary(line: str, at: int) -> tuple[int, tuple[int, ...]] | None:
    """Return the seat and the cards that a line of the summary reveals, if it does."""
    match = _REVEALED.match(line)
    return (int(match[1]), _cards(match[2], at)) if match else None


def _cards(text: str, at: int) -> tuple[int, ...]:
    names = text.replace("XX", "??").replace(",", " ").split()
    try:
        known = parse_cards(" ".join(name for name in names if name != "??"))
        return (*known, *[UNKNOWN] * names.count("??"))
    except InputError as error:
        raise LineError(str(error), at) from error
