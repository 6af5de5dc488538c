"""Bots for the engine of the MIT Pokerbots competition: heads-up no-limit hold'em with fixed stacks and blinds.

A message is one line of clauses: T the seconds left, P the position, H the cards, then all actions since the last
message (F, C, K, R with the total of the street), B the whole board, O the opponent's cards, D the result, Q the end.
The bot answers each with one action, after D with an acknowledgement.

1. The bot's code has its own stacks and blinds as constants. `Belief` follows the hand in its chips: bets are rounded
   to them, and an all-in here that is none there becomes a smaller bet.
2. A raise that is legal in the bot's game is moved to the nearest legal one here; if there is none, it is a call.
3. After an all-in the bot's game continues with checks. The bot is asked, and its answers are ignored.
4. A match has 1,000 hands (`hands=`) and 30 seconds (`clock=`) there; then the bot is started again.
"""

import json
import re
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cardwin.cards.card import CARD_NAMES
from cardwin.core.errors import InputError, shorten
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.events import Acted, BoardDealt, Event
from cardwin.games.holdem.view import LIMIT, HoldemView
from cardwin.players.adapters.adapter import Adapter, Hand, ProgramError, illegal
from cardwin.players.adapters.programs import Lines, connected, run_to_end, writable_copy
from cardwin.players.specs import ProgramSpec

COMMANDS = "commands.json"
STACK, BLINDS, HANDS, CLOCK = 400, "1/2", 1000, 30
LAST_STREET = 5  # streets are counted by their board cards: 0, 3, 4, 5
_RAISE = re.compile(r"R(-?\d{1,9})")
_PLAIN = {"F": FOLD, "C": CALL, "K": CHECK}
_CONSTANT = re.compile(r"^\s*STARTING_STACK\s*=\s*(\d{1,9})", re.MULTILINE)


@dataclass
class Belief:
    """The hand in the bot's own game, by position: 0 is the button. `turns` counts as its state does."""

    big_blind: int
    bets: list[int]
    stacks: list[int]
    street: int = 0
    turns: int = 0
    over: bool = field(default=False)

    @property
    def actor(self) -> int:
        """The position to act."""
        return self.turns % 2

    @property
    def behind(self) -> int:
        """The chips that the actor has to add to call."""
        return self.bets[1 - self.actor] - self.bets[self.actor]

    def raise_range(self) -> tuple[int, int] | None:
        """Return the minimum and the maximum total that the actor may raise to, or None."""
        stack, other = self.stacks[self.actor], self.stacks[1 - self.actor]
        if other == 0 or stack == 0 or (self.behind and stack <= self.behind):
            return None
        maximum = min(stack, other + self.behind)
        minimum = min(maximum, self.behind + max(self.behind, self.big_blind))
        return self.bets[self.actor] + minimum, self.bets[self.actor] + maximum

    def take(self, clause: str) -> None:
        """Play an action of the actor."""
        if clause == "F":
            self.over = True
        elif clause == "C":
            first = self.turns == 0 and self.street == 0
            self._pay(self.bets[1 - self.actor])
            if first:
                self.turns = 1
            else:
                self._next_street()
        elif clause == "K":
            if self.turns > (0 if self.street == 0 else 1):
                self._next_street()
            else:
                self.turns += 1
        else:
            self._pay(int(clause[1:]))
            self.turns += 1

    def _pay(self, total: int) -> None:
        self.stacks[self.actor] -= total - self.bets[self.actor]
        self.bets[self.actor] = total

    def _next_street(self) -> None:
        if self.street == LAST_STREET:
            self.over = True
        else:
            self.street = 3 if self.street == 0 else self.street + 1
            self.turns, self.bets = 1, [0, 0]


class Pokerbot(Adapter):
    """A bot in a folder, built by its own command in a writable copy and started with a port as last argument."""

    def __init__(self, spec: ProgramSpec) -> None:
        super().__init__()
        folder = Path(spec.target)
        self._run, build = _commands(folder)
        self._stack = spec.int_option("stack", _stack_in(folder), 10**9)
        self._blinds = _blinds(spec.option("blinds", BLINDS))
        self._hands, self._clock = spec.int_option("hands", HANDS, 10**9), spec.int_option("clock", CLOCK, 10**6)
        self._folder = writable_copy(folder)
        if build:
            run_to_end(build, self._folder)
        self._left, self._played = float(self._clock), 0
        self._unit = Fraction(1)
        self._clauses: list[str] = []
        self._belief = Belief(1, [0, 0], [0, 0])
        self._position = 0
        self._line: Lines = self._start()

    def close(self) -> None:
        """End the bot."""
        self._line.close()

    def _start(self) -> Lines:
        return connected(self._run, self._folder)

    def _exchange(self) -> str:
        """Send the new clauses, and return the bot's answer."""
        start = time.perf_counter()
        self._line.send(" ".join([f"T{self._left:.3f}", *self._clauses]) + "\n")
        self._clauses = []
        answer = self._line.receive()
        self._left = max(self._left - (time.perf_counter() - start), 0.001)
        return answer

    def begin_hand(self, hand: Hand) -> None:
        """Announce the position and the cards with the next message."""
        if hand.seats != 2:
            raise ProgramError(f"expected a table of 2 seats, got {hand.seats}: pokerbots play heads-up")
        if self._played == self._hands:
            self._line.send("Q\n")
            self._line.close()
            self._line, self._left, self._played = self._start(), float(self._clock), 0
        self._played += 1
        small, big = self._blinds
        self._unit = Fraction(hand.big_blind, big)
        if min(hand.stacks) > self._stack * self._unit:
            raise ProgramError(f"its stack of {self._stack} chips is smaller than this table's: stack= sets it")
        self._position = 0 if hand.seat == hand.button else 1
        self._belief = Belief(big, [small, big], [self._stack - small, self._stack - big])
        self._clauses = [f"P{self._position}", f"H{_cards(hand.hole)}"]

    def happened(self, hand: Hand, event: Event) -> None:
        """Add an action or the board to the next message."""
        if isinstance(event, BoardDealt):
            self._pass_until(3 if event.street == 1 else 2 + event.street)
            self._clauses.append(f"B{_cards(hand.board)}")
        elif isinstance(event, Acted):
            self._clauses.append(self._clause(event))
            self._belief.take(self._clauses[-1])

    def _clause(self, event: Acted) -> str:
        if event.action.name == "fold":
            return "F"
        raises = self._belief.raise_range()
        if event.action.name in ("check", "call") or raises is None:
            return "C" if self._belief.behind else "K"
        return f"R{min(max(round(event.action.amount / self._unit), raises[0]), raises[1])}"

    def _pass_until(self, street: int) -> None:
        """Continue the bot's game with checks and calls until a street, or its end."""
        while not self._belief.over and self._belief.street < street:
            if self._belief.actor == self._position:
                self._exchange()
            self._clauses.append("C" if self._belief.behind else "K")
            self._belief.take(self._clauses[-1])

    def end_hand(self, hand: Hand) -> None:
        """Send the result, which the bot acknowledges."""
        if not self._belief.over:
            self._pass_until(LAST_STREET + 1)
        opponent = hand.shown.get(1 - hand.seat)
        if opponent:
            self._clauses.append(f"O{_cards(opponent)}")
        self._clauses.append(f"D{round(hand.won[hand.seat] / self._unit)}")
        self._exchange()

    def ask(self, hand: Hand, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002  the bot has its own
        """Return the bot's action."""
        if view.row[LIMIT]:
            raise ProgramError("expected a no-limit table, got limit")
        answer = self._exchange()
        self.answered(answer)
        if answer in _PLAIN:
            return _PLAIN[answer]
        match, raises = _RAISE.fullmatch(answer), self._belief.raise_range()
        if not match or raises is None or not raises[0] <= int(match[1]) <= raises[1]:
            return illegal(answer)
        if view.max_raise_to == 0:
            return CALL if view.to_call else CHECK
        total = view.max_raise_to if int(match[1]) == raises[1] else int(int(match[1]) * self._unit)
        amount = min(max(total, view.min_raise_to), view.max_raise_to)
        return Action("raise" if view.current_bet else "bet", amount)


def _cards(cards: list[int] | tuple[int, ...]) -> str:
    return ",".join(CARD_NAMES[card] for card in cards)


def _commands(folder: Path) -> tuple[list[str], list[str]]:
    """Return the words of the run command and of the build command."""
    expected = f'{COMMANDS} should be such as {{"build": [], "run": ["python3", "player.py"]}}'
    try:
        read = json.loads((folder / COMMANDS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"expected a pokerbot's folder, but it has no {COMMANDS}") from None
    except (OSError, ValueError, RecursionError):
        raise InputError(f"{COMMANDS} cannot be read: {expected}") from None
    run, build = (read.get("run"), read.get("build", [])) if isinstance(read, dict) else (None, [])
    for words in (run, build):
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise InputError(expected)
    if not run:
        raise InputError(f"{COMMANDS} has no command to run: {expected}")
    return run, build


def _stack_in(folder: Path) -> int:
    """Return the stack in the constants of the Python skeleton, or else the engine's."""
    try:
        match = _CONSTANT.search((folder / "skeleton" / "states.py").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return STACK
    return int(match[1]) if match and int(match[1]) else STACK


def _blinds(text: str) -> tuple[int, int]:
    parts = text.split("/")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 10 for part in parts) or int(parts[1]) < 1:
        raise InputError(f"pokerbots: expected blinds=SMALL/BIG such as 1/2, got blinds={shorten(text)}")
    return int(parts[0]), int(parts[1])
