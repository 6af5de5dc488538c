"""The referee keeps a match running whatever a player does: exceptions, illegal actions, endless computation.

A fault is recorded with its hand and action, and the player checks or folds instead. A player that keeps failing
is disqualified: it is not called again, and checks or folds to the end. If a player's process is killed from outside,
that is not a fault: it is restarted and asked again, which the report counts as a restart.

Players in their own process (`players.sandbox`) are killed when their time is up. For others the time limit is an
alarm of the operating system, which works in the main thread only. In other threads a late answer is also a fault,
but the player is not interrupted; nor is a call into compiled code that never returns to Python.
Their time is processor time (`players.sandbox.usage`), that of others the wall clock. Hands with a late answer cannot
be repeated, so records name them and exclude them from their digest.
A player that forfeits (`players.base.FORFEIT_RULE`) is not asked again either, and the report has the reason.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from cardwin.core.arrays import Ints
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.players.base import (
    FAULTS_KEPT,
    EndedError,
    FailedError,
    ForfeitError,
    KilledError,
    OverdueError,
    ProcessPlayer,
    too_many,
)
from cardwin.players.compiled import CompiledPlayers
from cardwin.players.specs import TIME_LIMIT, is_untrusted

# From a player's number, its series (counted from 1, or 0) and its hand in it to a tournament, or 0, and a hand.
Locate = Callable[[int, int, int], tuple[int, int]]

BANK_HANDS = 1000
AGAIN = 0.05  # seconds until the alarm is raised again, if it was caught
MOST_AMOUNT = 2**53


class TimeUp(BaseException):
    """The alarm. Not an Exception, so that a player's own `except Exception` does not catch it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A player's fault: hands and actions count from 1, the actions are its own in that hand."""

    spec: str
    hand: int
    action: int
    reason: str
    tournament: int = 0

    def __str__(self) -> str:
        tournament = f"tournament {self.tournament}, " if self.tournament else ""
        return f"{self.spec}, {tournament}hand {self.hand}, action {self.action}: {self.reason}"


@dataclass(frozen=True, slots=True)
class DecisionPlace:
    """The location of a decision in a series: hands and actions count from 1, as in `Fault`."""

    hand: int
    action: int
    tournament: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A referee's report: the faults of each player, whether it is disqualified, and the first faults of each.

    `late` are the hands, as (tournament, hand), with a late answer; `restarts` counts for each player how often its
    process was killed from outside and restarted; `decisions` and `seconds` are the number of questions to each
    untrusted player, and its time for them in all; `forfeits` are the reasons for which players forfeited, or empty.
    """

    faults: tuple[int, ...] = ()
    disqualified: tuple[bool, ...] = ()
    first: tuple[Fault, ...] = ()
    late: frozenset[tuple[int, int]] = frozenset()
    restarts: tuple[int, ...] = ()
    decisions: tuple[int, ...] = ()
    seconds: tuple[float, ...] = field(default=(), compare=False)  # of the clock, so never the same twice
    forfeits: tuple[str, ...] = ()

    def forfeit(self, player_id: int) -> str:
        """Return the reason for which a player forfeited, or nothing."""
        return self.forfeits[player_id] if self.forfeits else ""

    def milliseconds(self, player_id: int) -> float | None:
        """Return an untrusted player's mean time per decision, or None if it was never asked."""
        asked = self.decisions[player_id] if self.decisions else 0
        return 1000 * self.seconds[player_id] / asked if asked else None


NO_FAULTS = Report()


def merge_reports(reports: Sequence[Report]) -> Report:
    """Return the reports of several parts of a series as one."""
    counts, out = zip(*((report.faults, report.disqualified) for report in reports), strict=True)
    restarts, decisions, seconds = (
        tuple(map(sum, zip(*((getattr(report, name) or (0,) * len(report.faults)) for report in reports), strict=True)))
        for name in ("restarts", "decisions", "seconds")
    )
    first = [fault for report in reports for fault in report.first]
    reasons = zip(*(report.forfeits or ("",) * len(report.faults) for report in reports), strict=True)
    return Report(
        tuple(map(sum, zip(*counts, strict=True))),
        tuple(map(any, zip(*out, strict=True))),
        tuple(sorted(first, key=lambda fault: (fault.tournament, fault.hand, fault.action, fault.spec))[:FAULTS_KEPT]),
        frozenset().union(*(report.late for report in reports)),
        restarts,
        decisions,
        seconds,
        tuple(next(filter(None, player), "") for player in reasons),
    )


def compiled_faults(players: CompiledPlayers, specs: Sequence[str], locate: Locate) -> Report:
    """Return the report of what compiled players did in a part of a series; NO_FAULTS if all of them are ours.

    Args:
        players: The players of all tables, table after table, with the scratch of this part.
        specs: The specifications of one table's players.
        locate: Returns where in the series a fault was.

    """
    states = [slot.state for slot in players.slots if slot.kind.needs_referee]
    if not states:
        return NO_FAULTS
    from cardwin.players import compiled_plugin as plugin  # most matches need none of it

    seats, tables = len(specs), len(players.kinds) // len(specs)
    conduct = sum(state.conduct for state in states).reshape(tables, seats, plugin.CONDUCT)
    faults = []
    for row in (row.tolist() for state in states for row in state.faults[: int(state.recorded[0])]):
        player = row[plugin.PLAYER]
        tournament, hand = locate(player, row[plugin.AT_SERIES], row[plugin.AT_HAND])
        reason = plugin.fault_text(row[plugin.FAULT :], row[plugin.RETURNED], row[plugin.AMOUNT], row[plugin.RULE])
        faults.append(Fault(specs[player % seats], hand, row[plugin.AT_ACTION], reason, tournament))
    return Report(
        tuple(conduct[:, :, plugin.FAULTS].sum(axis=0).tolist()),
        tuple(conduct[:, :, plugin.OUT].any(axis=0).tolist()),
        tuple(faults),
    )


@dataclass
class FaultRecord:
    """A player's decisions and faults so far."""

    spec: str
    limit: float | None = None
    decisions: int = 0
    faults: int = 0
    in_a_row: int = 0
    action: int = 0
    disqualified: bool = False
    restarts: int = 0
    seconds: float = 0.0
    forfeit: str = ""
    bank: "TimeBank | None" = None
    first: list[Fault] = field(default_factory=list)


@dataclass
class TimeBank:
    """The time of a player for its decisions in every `BANK_HANDS` hands at a table, beside the limit per decision.

    Once it is spent, the player is not asked until the next of these hands begin: it checks or folds.
    """

    seconds: float
    hands: int = BANK_HANDS
    begun: int = 0
    spent: float = 0.0
    named: bool = False

    def begin_hand(self) -> None:
        """Count a hand; after `hands` of them the bank is full again."""
        if self.begun % self.hands == 0:
            self.spent, self.named = 0.0, False
        self.begun += 1


class Referee:
    """Calls players and records their faults.

    Args:
        specs: The specifications of the players.
        limit: Seconds per decision of untrusted players; None or 0 means no limit.
        bank: Seconds per `BANK_HANDS` hands of untrusted players; 0 means no limit.

    """

    def __init__(self, specs: Sequence[str], limit: float | None = TIME_LIMIT, bank: float = 0.0) -> None:
        self.specs, self.limit, self.bank = tuple(specs), limit, bank
        self.records = [FaultRecord(spec, (limit or None) if is_untrusted(spec) else None) for spec in specs]
        for record in self.records:
            record.bank = TimeBank(bank) if bank and is_untrusted(record.spec) else None
        self.late: set[tuple[int, int]] = set()
        self._hand = (0, 1)
        self._parts: list[Referee] = []
        self._added: list[Report] = []

    def fresh_copy(self, hands: int = BANK_HANDS) -> "Referee":
        """Return a new referee for the same players, without records; if it is for few `hands`, they have less time."""
        hands = min(hands, BANK_HANDS)
        copy = Referee(self.specs, self.limit, self.bank * hands / BANK_HANDS)
        for bank in (record.bank for record in copy.records if record.bank is not None):
            bank.hands = hands
        return copy

    def part(self) -> "Referee":
        """Return a referee for one table of several, whose report is part of this one's."""
        self._parts.append(self.fresh_copy())
        return self._parts[-1]

    def add(self, report: Report) -> None:
        """Add the report of another referee, unless it is of no player."""
        if report.faults:
            self._added.append(report)

    def begin_hand(self, hand: int, tournament: int = 0) -> None:
        """Assign faults from here on to this hand, counted from 1."""
        self._hand = (tournament, hand)
        for record in self.records:
            record.action = 0
            if record.bank is not None:
                record.bank.begin_hand()

    def report(self) -> Report:
        """Return the report so far, of all tables."""
        report = Report(
            tuple(record.faults for record in self.records),
            tuple(record.disqualified for record in self.records),
            tuple(fault for record in self.records for fault in record.first),
            frozenset(self.late),
            tuple(record.restarts for record in self.records),
            tuple(record.decisions if is_untrusted(record.spec) else 0 for record in self.records),
            tuple(record.seconds if is_untrusted(record.spec) else 0.0 for record in self.records),
            tuple(record.forfeit for record in self.records),
        )
        others = [*(part.report() for part in self._parts), *self._added]
        return merge_reports([report, *others]) if others else report

    def ask(self, player_id: int, act: Callable[[Any, Stream], Any], view: Any, rng: Stream) -> Action | None:
        """Return a player's answer to a view, or None if it is disqualified or failed to answer with an action."""
        record = self.records[player_id]
        record.action += 1
        if record.disqualified or self._is_bank_empty(record):
            return None
        record.decisions += 1
        owner = getattr(act, "__self__", None)
        start, used = time.perf_counter(), getattr(owner, "cpu_seconds", None)
        done, answer = self._call(record, act, view, rng)
        self._count_time(record, time.perf_counter() - start, owner, used)
        return self._checked(record, answer) if done else None

    def ask_many(
        self, player_id: int, player: ProcessPlayer, rows: Ints, streams: Ints, locations: Sequence[DecisionPlace]
    ) -> list[Action | None]:
        """Return the answers of a stateless player in its own process to many questions, each as `ask` returns it.

        `rows` (questions, VIEW_SIZE) and `streams` (questions, 2) are as in `IsolatedPlayer.act_many`; `locations` are
        the hand and the action of each question. The caller checks whether an answer is legal, and calls `accept`, or
        `record_fault` with its location.
        """
        record = self.records[player_id]
        if record.disqualified or self._is_bank_empty(record, locations[0]):
            return [None] * len(rows)
        record.decisions += len(rows)
        before, start, used = player.restarts, time.perf_counter(), getattr(player, "cpu_seconds", None)
        try:
            answers = player.act_many(rows, streams)
        finally:
            record.restarts += player.restarts - before
            self._count_time(record, time.perf_counter() - start, player, used)
        return [self._checked(record, answer, location) for answer, location in zip(answers, locations, strict=True)]

    @staticmethod
    def _count_time(record: FaultRecord, seconds: float, owner: object, used: float | None) -> None:
        """Count the time of decisions: for the bank the processor time if the player has measured it."""
        record.seconds += seconds
        if record.bank is not None:
            record.bank.spent += seconds if used is None else getattr(owner, "cpu_seconds", 0.0) - used

    def _is_bank_empty(self, record: FaultRecord, location: DecisionPlace | None = None) -> bool:
        """Return whether a player has spent its time for these hands; the first time that is recorded as a fault."""
        bank = record.bank
        if bank is None or bank.spent <= bank.seconds:
            return False
        self.late.add(self._hand if location is None else (location.tournament, location.hand))
        if not bank.named:
            bank.named = True
            record.faults += 1
            reason = f"spent its time bank of {bank.seconds:g} s for {bank.hands:,} hands, and was not asked"
            self._keep(record, reason, location)
        return True

    def _checked(self, record: FaultRecord, answer: Any, location: DecisionPlace | None = None) -> Action | None:
        """Return an answer if it is an action; otherwise record a fault and return None."""
        if record.disqualified:
            return None
        if isinstance(answer, OverdueError):
            self._too_late(record, location)
        elif isinstance(answer, EndedError):
            self._record_ending(record, answer, location)
        elif not isinstance(answer, Action) or not isinstance(answer.amount, int) or abs(answer.amount) > MOST_AMOUNT:
            self._record_fault(
                record, f"returned {_short(answer)}, which is not an action with a whole amount", location
            )
        else:
            if location is not None:
                record.in_a_row = 0  # the caller accepts all answers only after the last of them
            return answer
        return None

    def accept(self, player_id: int) -> None:
        """Note that the player's answer was legal."""
        self.records[player_id].in_a_row = 0

    def record_fault(self, player_id: int, reason: str, location: DecisionPlace | None = None) -> None:
        """Record a fault, and disqualify the player after too many. The default location is the present hand."""
        self._record_fault(self.records[player_id], reason, location)

    def watcher(self, player_id: int, watch: Callable[[Any], Any]) -> Callable[[Any], None]:
        """Return a player's `watch`, guarded like its actions."""

        def guarded(event: Any) -> None:
            if not self.records[player_id].disqualified:
                self._call(self.records[player_id], watch, event)

        return guarded

    def _call(self, record: FaultRecord, function: Callable[..., Any], *arguments: object) -> tuple[bool, Any]:
        """Call a function of a player; return whether it succeeded within its time limit, and its result."""
        start = time.perf_counter()
        owner = getattr(function, "__self__", None)
        own_timer = getattr(owner, "own_timer", False)
        restarts = getattr(owner, "restarts", 0) if own_timer else 0
        try:
            with alarm(None if own_timer else record.limit):
                answer = function(*arguments)
        except (TimeUp, OverdueError):
            self._too_late(record)
        except (KilledError, FailedError):  # the match cannot go on
            raise
        except EndedError as error:
            self._record_ending(record, error)
        except (Exception, SystemExit) as error:  # a player may raise anything, the match continues
            self._record_fault(record, f"raised {type(error).__name__}: {_short(error)}")
        else:
            if own_timer or record.limit is None or time.perf_counter() - start <= record.limit:
                return True, answer
            self._too_late(record)
        finally:
            record.restarts += getattr(owner, "restarts", 0) - restarts if own_timer else 0
        return False, None

    def _too_late(self, record: FaultRecord, location: DecisionPlace | None = None) -> None:
        self.late.add(self._hand if location is None else (location.tournament, location.hand))
        self._record_fault(record, f"took more than {record.limit:g} s", location)

    def _record_ending(self, record: FaultRecord, error: EndedError, location: DecisionPlace | None = None) -> None:
        self._record_fault(record, _short(error), location)
        if isinstance(error, ForfeitError):
            record.disqualified, record.forfeit = True, str(error)[:200]

    def _record_fault(self, record: FaultRecord, reason: str, location: DecisionPlace | None = None) -> None:
        record.faults += 1
        record.in_a_row += 1
        self._keep(record, reason, location)
        record.disqualified = record.disqualified or too_many(record.faults, record.in_a_row, record.decisions)

    def _keep(self, record: FaultRecord, reason: str, location: DecisionPlace | None) -> None:
        at = location or DecisionPlace(self._hand[1], record.action, self._hand[0])
        if len(record.first) < FAULTS_KEPT:
            record.first.append(Fault(record.spec, at.hand, at.action, reason, at.tournament))


def _short(value: object) -> str:
    try:
        text = " ".join((str(value) if isinstance(value, BaseException) else repr(value)).split())
    except Exception:
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= 80 else text[:77] + "..."


@contextmanager
def alarm(limit: float | None) -> Iterator[None]:
    """Raise TimeUp in the block after `limit` seconds, repeatedly until it is left. Main thread only."""
    if limit is None or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    rung = 0

    def ring(_number: int, frame: FrameType | None) -> None:
        nonlocal rung
        rung += 1
        if rung > 1 and frame is not None:
            _raise_at_next_line(frame)
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, limit, AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if rung > 1:
            sys.settrace(None)


def _raise_at_next_line(frame: FrameType) -> None:
    """Raise at the next line too, so that code that catches everything is left from inside its `except`."""

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            raise TimeUp
        return trace

    sys.settrace(trace)
    frame.f_trace = trace
