"""The referee keeps a match running whatever a player does: exceptions, illegal actions, endless computation.

A fault is recorded with its hand and action, and the player checks or folds instead. A player that keeps failing
is disqualified: it is not called again, and checks or folds to the end. If a player's process is killed from outside,
that is no fault: it is started again and asked again, which the report counts as a restart.

Players in their own process (`players.sandbox`) are killed when their time is up. For others the time limit is an
alarm of the operating system, which works in the main thread only. In other threads a late answer is also a fault,
but the player is not interrupted; nor is a call into compiled code that never returns to Python.
Time is wall-clock time: hands with a late answer cannot be repeated, so records name them and exclude
them from their digest.
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
    KilledError,
    OverdueError,
    ProcessPlayer,
    has_own_process,
    too_many,
)
from cardwin.players.compiled import CompiledPlayers
from cardwin.players.specs import TIME_LIMIT, is_untrusted

# From a player's number, its series (counted from 1, or 0) and its hand in it to a tournament, or 0, and a hand.
Locate = Callable[[int, int, int], tuple[int, int]]

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
        where = f"tournament {self.tournament}, " if self.tournament else ""
        return f"{self.spec}, {where}hand {self.hand}, action {self.action}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a series a decision is: hands and actions count from 1, as in `Fault`."""

    hand: int
    action: int
    tournament: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A referee's report: faults of each player, who is disqualified, the first faults of each as text.

    `late` are the hands, as (tournament, hand), with a late answer; `restarts` counts for each player how often its
    process was killed from outside and started again; `decisions` and `seconds` are how often each untrusted player was
    asked, and how long it took in all.
    """

    faults: tuple[int, ...] = ()
    disqualified: tuple[bool, ...] = ()
    first: tuple[Fault, ...] = ()
    late: frozenset[tuple[int, int]] = frozenset()
    restarts: tuple[int, ...] = ()
    decisions: tuple[int, ...] = ()
    seconds: tuple[float, ...] = field(default=(), compare=False)  # of the clock, so never the same twice

    def milliseconds(self, place: int) -> float | None:
        """The mean time that an untrusted player took for a decision, or None if it was never asked."""
        asked = self.decisions[place] if self.decisions else 0
        return 1000 * self.seconds[place] / asked if asked else None


NO_FAULTS = Report()


def together(reports: Sequence[Report]) -> Report:
    """The reports of several parts of a series as one."""
    counts, out = zip(*((report.faults, report.disqualified) for report in reports), strict=True)
    restarts, decisions, seconds = (
        tuple(map(sum, zip(*((getattr(report, name) or (0,) * len(report.faults)) for report in reports), strict=True)))
        for name in ("restarts", "decisions", "seconds")
    )
    first = [fault for report in reports for fault in report.first]
    return Report(
        tuple(map(sum, zip(*counts, strict=True))),
        tuple(map(any, zip(*out, strict=True))),
        tuple(sorted(first, key=lambda fault: (fault.tournament, fault.hand, fault.action, fault.spec))[:FAULTS_KEPT]),
        frozenset().union(*(report.late for report in reports)),
        restarts,
        decisions,
        seconds,
    )


def compiled_faults(players: CompiledPlayers, specs: Sequence[str], locate: Locate) -> Report:
    """Return the report of what compiled players did in a part of a series; NO_FAULTS if all of them are ours.

    Args:
        players: The players of all tables, table after table, with the scratch of this part.
        specs: The specifications of one table's players.
        locate: Returns where in the series a fault was.

    """
    states = [slot.state for slot in players.slots if slot.kind.judged]
    if not states:
        return NO_FAULTS
    from cardwin.players import compiled_plugin as plugin  # most matches need none of it

    seats, tables = len(specs), len(players.kinds) // len(specs)
    conduct = sum(state.conduct for state in states).reshape(tables, seats, plugin.CONDUCT)
    faults = []
    for row in (row.tolist() for state in states for row in state.faults[: int(state.kept[0])]):
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
class Conduct:
    """A player's conduct so far."""

    spec: str
    limit: float | None = None
    decisions: int = 0
    faults: int = 0
    in_a_row: int = 0
    action: int = 0
    disqualified: bool = False
    restarts: int = 0
    seconds: float = 0.0
    first: list[Fault] = field(default_factory=list)


class Referee:
    """Calls players and records their faults. The limit applies to untrusted players; None or 0 is no limit."""

    def __init__(self, specs: Sequence[str], limit: float | None = TIME_LIMIT) -> None:
        self.specs, self.limit = tuple(specs), limit
        self.conduct = [Conduct(spec, (limit or None) if is_untrusted(spec) else None) for spec in specs]
        self.late: set[tuple[int, int]] = set()
        self._hand = (0, 1)
        self._parts: list[Referee] = []
        self._added: list[Report] = []

    def anew(self) -> "Referee":
        """A new referee for the same players, without records."""
        return Referee(self.specs, self.limit)

    def part(self) -> "Referee":
        """A referee for one table of several, whose report is part of this one's."""
        self._parts.append(self.anew())
        return self._parts[-1]

    def add(self, report: Report) -> None:
        """Add the report of another referee, unless it is of no player."""
        if report.faults:
            self._added.append(report)

    def begin_hand(self, hand: int, tournament: int = 0) -> None:
        """Assign faults from here on to this hand, counted from 1."""
        self._hand = (tournament, hand)
        for conduct in self.conduct:
            conduct.action = 0

    def report(self) -> Report:
        """The report so far, of all tables."""
        own = Report(
            tuple(conduct.faults for conduct in self.conduct),
            tuple(conduct.disqualified for conduct in self.conduct),
            tuple(fault for conduct in self.conduct for fault in conduct.first),
            frozenset(self.late),
            tuple(conduct.restarts for conduct in self.conduct),
            tuple(conduct.decisions if is_untrusted(conduct.spec) else 0 for conduct in self.conduct),
            tuple(conduct.seconds if is_untrusted(conduct.spec) else 0.0 for conduct in self.conduct),
        )
        others = [*(part.report() for part in self._parts), *self._added]
        return together([own, *others]) if others else own

    def ask(self, who: int, act: Callable[[Any, Stream], Any], view: Any, rng: Stream) -> Action | None:
        """A player's answer to a view of its game, or None if it is disqualified or failed to answer with an action."""
        conduct = self.conduct[who]
        conduct.action += 1
        if conduct.disqualified:
            return None
        conduct.decisions += 1
        start = time.perf_counter()
        done, answer = self._call(conduct, act, view, rng)
        conduct.seconds += time.perf_counter() - start
        return self._judged(conduct, answer) if done else None

    def ask_many(
        self, who: int, player: ProcessPlayer, rows: Ints, streams: Ints, places: Sequence[Place]
    ) -> list[Action | None]:
        """The answers of a stateless player in its own process to many questions, each as `ask` returns it.

        `rows` (questions, VIEW_SIZE) and `streams` (questions, 2) are as in `IsolatedPlayer.act_many`; `places` say of
        which hand and action each question is. Whether an answer is legal is for the caller to say, by `accept`, or by
        `blame` with its place.
        """
        conduct = self.conduct[who]
        if conduct.disqualified:
            return [None] * len(rows)
        conduct.decisions += len(rows)
        before, start = player.restarts, time.perf_counter()
        try:
            answers = player.act_many(rows, streams)
        finally:
            conduct.restarts += player.restarts - before
            conduct.seconds += time.perf_counter() - start
        return [self._judged(conduct, answer, place) for answer, place in zip(answers, places, strict=True)]

    def _judged(self, conduct: Conduct, answer: Any, place: Place | None = None) -> Action | None:
        """An answer if it is an action; otherwise a fault is recorded, and there is none."""
        if conduct.disqualified:
            return None
        if isinstance(answer, OverdueError):
            self._too_late(conduct, place)
        elif isinstance(answer, EndedError):
            self._blame(conduct, _short(answer), place)
        elif not isinstance(answer, Action) or not isinstance(answer.amount, int) or abs(answer.amount) > MOST_AMOUNT:
            self._blame(conduct, f"returned {_short(answer)}, which is no action with a whole amount", place)
        else:
            if place is not None:
                conduct.in_a_row = 0  # the caller accepts all answers only after the last of them
            return answer
        return None

    def accept(self, who: int) -> None:
        """The player's answer was legal."""
        self.conduct[who].in_a_row = 0

    def blame(self, who: int, reason: str, place: Place | None = None) -> None:
        """Record a fault, and disqualify the player after too many. Without a place it is the present hand's."""
        self._blame(self.conduct[who], reason, place)

    def watcher(self, who: int, watch: Callable[[Any], Any]) -> Callable[[Any], None]:
        """A player's `watch`, guarded like its actions."""

        def guarded(event: Any) -> None:
            if not self.conduct[who].disqualified:
                self._call(self.conduct[who], watch, event)

        return guarded

    def _call(self, conduct: Conduct, function: Callable[..., Any], *arguments: object) -> tuple[bool, Any]:
        """Whether the player's function returned within its time limit without an error, and its result."""
        start = time.perf_counter()
        owner = getattr(function, "__self__", None)
        elsewhere = owner if has_own_process(owner) else None
        own_timer = getattr(owner, "own_timer", False)
        restarts = elsewhere.restarts if elsewhere else 0
        try:
            with alarm(None if own_timer else conduct.limit):
                answer = function(*arguments)
        except (TimeUp, OverdueError):
            self._too_late(conduct)
        except (KilledError, FailedError):  # the match cannot go on
            raise
        except EndedError as error:
            self._blame(conduct, _short(error))
        except (Exception, SystemExit) as error:  # a player may raise anything, the match continues
            self._blame(conduct, f"raised {type(error).__name__}: {_short(error)}")
        else:
            if own_timer or conduct.limit is None or time.perf_counter() - start <= conduct.limit:
                return True, answer
            self._too_late(conduct)
        finally:
            conduct.restarts += elsewhere.restarts - restarts if elsewhere else 0
        return False, None

    def _too_late(self, conduct: Conduct, place: Place | None = None) -> None:
        self.late.add(self._hand if place is None else (place.tournament, place.hand))
        self._blame(conduct, f"took more than {conduct.limit:g} s", place)

    def _blame(self, conduct: Conduct, reason: str, place: Place | None = None) -> None:
        conduct.faults += 1
        conduct.in_a_row += 1
        at = place or Place(self._hand[1], conduct.action, self._hand[0])
        if len(conduct.first) < FAULTS_KEPT:
            conduct.first.append(Fault(conduct.spec, at.hand, at.action, reason, at.tournament))
        conduct.disqualified = too_many(conduct.faults, conduct.in_a_row, conduct.decisions)


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
            _insist(frame)
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


def _insist(frame: FrameType) -> None:
    """Raise at the next line too, so that code that catches everything is left from inside its `except`."""

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            raise TimeUp
        return trace

    sys.settrace(trace)
    frame.f_trace = trace
