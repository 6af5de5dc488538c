"""Untrusted players of Kuhn poker and Leduc hold'em, each in its own process.

A question is the lines of what the seat knows that are new, the last of which is its decision (`adapters.small`), and
the player's random stream. A process that is started anew is sent all lines of the hand.
"""

import json

from cardwin.core.rng import Stream
from cardwin.games.base import Action, Game
from cardwin.players.adapters.small import check_small
from cardwin.players.sandbox.process import IsolatedPlayer


class IsolatedSmallPlayer(IsolatedPlayer):
    """The player of an untrusted specification at a table of a small game; `limit` is seconds an action."""

    def __init__(self, spec: str, game: Game, limit: float | None = None) -> None:
        check_small(spec, game)
        super().__init__(spec, limit, game=game.name)
        self._new: list[str] = []
        self._lines: list[str] = []

    def show(self, line: str) -> None:
        """Keep a line for the next question, and for a new process in this hand."""
        if not self._lines or line.split(":")[1:3] != self._lines[-1].split(":")[1:3]:
            self._lines = []
        self._new.append(line)
        self._lines.append(line)

    def decide(self, line: str, rng: Stream) -> Action:  # noqa: ARG002  the last line that was shown
        """The player's answer; any failure of its process is an exception."""
        lines, self._new = self._lines if self._process is None else self._new, []
        questions = [json.dumps({"lines": one, "stream": rng.tolist()}).encode() for one in (lines, self._lines)]
        answers, error = self._ask(questions[0], 1, questions[1])
        if error is not None:
            raise error
        return self._action(answers[0], rng)
