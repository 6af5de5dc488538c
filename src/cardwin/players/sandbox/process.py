"""Untrusted players, each in its own process, so that nothing it does there affects the match or reaches other seats.

A view, the player's random stream and the events since its last decision are sent, and an action is returned
(`messages`). A player that does not answer in time is killed and restarted for its next decision. A player that ends
its process, fills its memory, prints, closes files or changes signal handlers affects only itself. The operating system
limits what the process can see and reach (`walls`).

A process that was killed from outside is restarted and asked again. The player is then a new one: if it watches, it
receives only the events since its last decision; a program of other people (`players.adapters`) receives those of the
whole hand. Such a program is also restarted for its next decision after it has failed.
"""

import json
import weakref
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.formats.small_states import SmallPosition
from cardwin.games.holdem.events import HandBegan
from cardwin.games.holdem.view import HoldemView
from cardwin.players.base import EndedError, ForfeitError, KilledError, OverdueError, StartError
from cardwin.players.sandbox import launcher
from cardwin.players.sandbox.launcher import Process
from cardwin.players.sandbox.layout import player_files
from cardwin.players.sandbox.messages import (
    MOST_ANSWER,
    NO_LIMIT,
    NO_ROW,
    Line,
    Seen,
    question,
    questions,
    read_answer,
)
from cardwin.players.sandbox.usage import WALL_FACTOR, Turn
from cardwin.players.sandbox.walls import STANDS, missing_walls, standing_walls
from cardwin.players.specs import inside, is_module, is_program, needs_socket

RESTARTS = 5  # in a row, after which the player forfeits
STARTS = 3  # attempts in a row that may fail, likewise


class _KilledError(Exception):
    """A player's process was killed from outside."""


class IsolatedPlayer:
    """The player of an untrusted specification, in its own process; `limit` is seconds per action.

    `restarts` counts how often the process was killed from outside. `without` are walls that are not raised, for tests.
    `game` is the name of a small game, if the player sits at one; its events and views are then `SmallPosition`s.
    """

    own_timer = True  # the referee needs no alarm

    def __init__(
        self, spec: str, limit: float | None = None, without: frozenset[str] | None = None, game: str = ""
    ) -> None:
        self.spec, self.restarts, self._game = spec, 0, game
        self._program = is_program(spec)
        self._inside = spec if is_module(spec) else inside(spec)
        self._limit = limit or NO_LIMIT
        self._without = launcher.WITHOUT if without is None else without
        self._files = player_files(spec)
        self._events: list[Seen] = []
        self._hand: list[Seen] = []  # of the present hand, if a restarted program needs them
        self.cpu_seconds = 0.0  # of all decisions
        self._failed_starts = 0
        self._process: Process | None = None
        self._stop: weakref.finalize[Any, Any] | None = None
        self._killed_in_a_row = 0
        able = self._start()
        self._whole_hands, self.sees_cards = "whole_hands" in able, "sees_cards" in able
        # Neither holds a reference to this player, so that its process ends as soon as the player is unused.
        if "watch" in able:
            events = self._events  # sent with the next question
            self.watch = partial(_store, events, self._hand) if self._whole_hands else events.append
        if "explain" in able:
            self.explain = partial(_explain, weakref.ref(self))
        self.stateless = "stateless" in able

    def _start(self) -> list[str]:
        """Start a process and build the player there; return its optional methods."""
        process = launcher.launch(self._files, self._without, self._program, needs_socket(self.spec))
        self._process, self._stop = process, weakref.finalize(self, process.close)
        self._in_namespace = process.walls["pid-namespace"] == STANDS
        lost = set(missing_walls(process.walls)) - set(missing_walls(standing_walls(self._without)))
        if lost:
            self.close()
            raise InputError(f"{self.spec!r} has a weaker sandbox than the others: {', '.join(sorted(lost))} is absent")
        seconds = launcher.PROGRAM_LIMIT if self._program else launcher.BUILD_LIMIT
        try:
            answer = process.ask({"spec": self._inside, "game": self._game}, seconds)
        except TimeoutError:
            self.close()
            raise StartError(f"{self.spec!r} took more than {seconds:g} s to be built") from None
        except (EndedError, OSError, ValueError, RecursionError) as error:
            reason = process.reason or (error if isinstance(error, EndedError) else "its process ended")
            self.close()
            raise StartError(f"{self.spec!r} cannot be built: {reason}") from None
        if "refused" in answer:
            self.close()
            raise InputError(f"{self.spec}: {answer['refused']}" if self._program else str(answer["refused"]))
        process.usage.end()
        process.usage.sleep()
        able = answer.get("able", [])
        return [str(name) for name in able] if isinstance(able, list) else []

    def close(self) -> None:
        """End the process."""
        if self._stop is not None:
            self._stop()
        self._process = None

    def act(self, view: HoldemView | SmallPosition, rng: Stream) -> Action:
        """Return the player's answer; any failure of its process is an exception."""
        events, self._events[:] = list(self._events), []
        if self._whole_hands and self._process is None:
            events = self._hand
        row = view.row if isinstance(view, HoldemView) else NO_ROW
        answers, error = self._ask(question(row, rng, events), 1, question(row, rng, self._hand))
        if error is not None:
            raise error
        return self._action(answers[0], rng)

    def _action(self, answer: Any, rng: Stream) -> Action:
        """Return the action of an answer; a failure is an exception."""
        action = read_answer(answer, rng)
        if isinstance(action, Exception):
            if self._whole_hands:
                self.close()  # after a failure in the middle of its protocol, the program has to be restarted
            raise action
        return action  # type: ignore[no-any-return]

    def act_many(self, rows: npt.NDArray[np.int64], streams: npt.NDArray[np.int64]) -> list[Any]:
        """Return the answers to many questions in one message, for players that are `stateless`.

        `rows` (questions, VIEW_SIZE) are those of views (`fill_view`), `streams` (questions, 2) the keys and counters
        of random streams, whose counters are updated. Each answer is what `act` would return, or the exception
        that it would raise. No two questions may be of the same deal.

        Each question has the time limit of an action: an answer that took long is sent at once, so the process is
        overdue if nothing arrives for that time. Then it is killed, and the remaining questions are asked one by one,
        as also after a crash, to find the one that failed. If none fails again, the fault is recorded for the first.
        """
        rows, streams_sent = np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(streams, np.int64)
        answers, error = self._ask(questions(rows, streams_sent), len(rows)) if len(rows) > 1 else ([], None)
        read = [self._read(answer, streams[index]) for index, answer in enumerate(answers)]
        rest = [self._act_alone(rows[index], streams[index]) for index in range(len(read), len(rows))]
        if error is not None and not any(isinstance(answer, Exception) for answer in rest):
            rest[0] = error
        return read + rest

    def _act_alone(self, row: npt.NDArray[np.int64], rng: Stream) -> Any:
        try:
            return self.act(HoldemView(tuple(row.tolist())), rng)
        except (OverdueError, EndedError) as error:
            return error

    @staticmethod
    def _read(answer: Any, rng: Stream) -> Any:
        try:
            return read_answer(answer, rng)
        except EndedError as error:
            return error

    def _ask(self, content: bytes, count: int, again: bytes = b"") -> tuple[list[Any], Exception | None]:
        """Return the answers to questions; fewer, and the reason, if the process did not answer all.

        `again` is the question for a program whose process was killed from outside.
        """
        while True:
            try:
                return self._ask_once(content, count)
            except _KilledError:
                self.restarts += 1
                self._killed_in_a_row += 1
                content = again if again and self._whole_hands else content
                if self._killed_in_a_row > RESTARTS:
                    times = f"was killed from outside {self._killed_in_a_row} times"
                    if self._in_namespace:  # no rival can do that
                        return [], ForfeitError(f"its process {times} in a row")
                    raise KilledError(f"the process of {self.spec} {times}") from None

    def _ask_once(self, content: bytes, count: int) -> tuple[list[Any], Exception | None]:
        answers: list[Any] = []
        try:
            process = self._started()
        except InputError as error:
            self._failed_starts += 1
            return answers, (ForfeitError if self._failed_starts >= STARTS else EndedError)(str(error))
        usage = process.usage
        try:
            with usage.awake():
                turn = Turn(usage, self._limit)
                try:
                    process.line.send(content, self._limit * WALL_FACTOR)
                    while len(answers) < count:
                        part = json.loads(self._receive(process.line, turn))
                        if not isinstance(part, list) or not 0 < len(part) <= count - len(answers):
                            raise EndedError("its process sent an invalid answer")
                        answers += part
                        turn.restart()
                finally:
                    self.cpu_seconds += turn.spent()
        except ForfeitError as error:
            self.close()
            return answers, error
        except TimeoutError:
            self.close()
            return answers, OverdueError()
        except (EndedError, OSError, ValueError, RecursionError) as error:
            ended = str(error) if isinstance(error, EndedError) else "its process ended"
            killed = ended == "its process ended" and process.killed_from_outside()
            ended = process.reason or ended
            self.close()
            if killed:
                raise _KilledError from None
            return answers, EndedError(ended)
        self._killed_in_a_row = 0
        return answers, None

    @staticmethod
    def _receive(line: Line, turn: Turn) -> bytes:
        """Return the next message; a decision that is late is a TimeoutError."""
        while True:
            try:
                content = line.receive(MOST_ANSWER, turn.patience)
            except TimeoutError:
                turn.check()
            else:
                turn.check(answered=True)
                return content

    def _started(self) -> Process:
        """Return the process, which is started if necessary."""
        if self._process is None:
            self._start()
            self._failed_starts = 0
        return self._process  # type: ignore[return-value]  # started above

    def explanation(self) -> dict[str, Any] | str:
        """Return the player's explanation of its last decision, or the reason why there is none."""
        if self._process is None:
            return ""
        try:
            answer = self._process.ask({"explain": True}, min(self._limit, launcher.BUILD_LIMIT))
        except TimeoutError:
            self.close()
            return "no explanation in time"
        except (EndedError, OSError, ValueError, RecursionError):
            self.close()
            return "its process ended"
        explanation = answer.get("explanation")
        return explanation if isinstance(explanation, dict) else str(answer.get("failed", explanation))[:500]


def _store(events: list[Seen], hand: list[Seen], event: Seen) -> None:
    """Store an event for the next question, and for a new process in this hand."""
    events.append(event)
    if isinstance(event, HandBegan) or (isinstance(event, SmallPosition) and event.begins):
        hand.clear()
    hand.append(event)


def _explain(player: weakref.ref[IsolatedPlayer]) -> dict[str, Any] | str:
    """Return the explanation of a player that is still in use."""
    isolated = player()
    return "" if isolated is None else isolated.explanation()
