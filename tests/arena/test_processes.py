"""Players written in Python in several processes: the same results as in one, whatever they remember."""

import os
import sys
from pathlib import Path

import pytest

from cardwin.arena.live_hands import BLOCK
from cardwin.arena.match import Match, MatchOptions, match, play_until_certain
from cardwin.arena.referee import Referee
from cardwin.arena.tournament import TournamentOptions, tournament
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.games.holdem import holdem_game
from cardwin.players.registry import makers_of

NL = holdem_game("holdem-nl", {})
DUPLICATE = TournamentOptions(duplicate=True)

PLAYERS = """
import os
from pathlib import Path
from cardwin.games.base import CALL, CHECK, FOLD
from cardwin.core.rng import draw_below

class Tired:
    "Remembers how often it was asked, folds more and more, and fails now and then."
    asked = 0
    def act(self, view, rng):
        self.asked += 1
        if self.asked % 50 == 0:
            raise RuntimeError("a nap")
        if view.to_call and draw_below(rng, 200) < self.asked:
            return FOLD
        return CALL if view.to_call else CHECK

class Light:
    "Decides from what it sees alone."
    stateless = True
    def __init__(self):
        folder = Path(__file__).parent / "seen"
        folder.mkdir(exist_ok=True)
        (folder / str(os.getpid())).touch()
    def act(self, view, rng):
        actions = view.legal_actions
        if draw_below(rng, 300) == 0:
            raise RuntimeError("a slip")
        return actions[draw_below(rng, len(actions))]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("players")
    (made / "players_in_processes.py").write_text(PLAYERS)
    sys.path.insert(0, str(made))
    return made


TIRED, LIGHT = "python:players_in_processes:Tired", "python:players_in_processes:Light"


def test_those_who_remember_are_shared_out_by_seatings(folder: Path) -> None:  # noqa: ARG001
    one, two = (
        match(NL, [TIRED, "random", "raise"], 600, 1, workers, options=MatchOptions(duplicate=True))
        for workers in (1, 2)
    )
    assert one.digest == two.digest
    assert one.report == two.report
    assert one.report.faults[0] > 0
    assert one.digest != match(NL, ["call", "random", "raise"], 600, 1, options=MatchOptions(duplicate=True)).digest


def test_the_stateless_are_shared_out_by_hands(folder: Path) -> None:
    hands = 2 * BLOCK + 100
    one, two = (
        match(NL, [LIGHT, "random"], hands, 1, workers, options=MatchOptions(all_in_adjusted=True))
        for workers in (1, 2)
    )
    assert one.digest == two.digest
    assert (one.adjusted == two.adjusted).all()
    assert one.report == two.report
    assert one.report.faults[0] > 0
    elsewhere = {path.name for path in (folder / "seen").iterdir()} - {str(os.getpid())}
    assert elsewhere


def test_play_that_goes_on_keeps_those_who_remember(folder: Path) -> None:  # noqa: ARG001
    runs = []
    for workers in (1, 2):
        referee = Referee([TIRED, "random"])
        played = Match(
            NL,
            makers_of([TIRED, "random"]),
            key_of(1, "x"),
            workers=workers,
            referee=referee,
            options=MatchOptions(duplicate=True),
        )
        play_until_certain(played, 3000)
        runs.append((played.chips.tolist(), referee.report()))
    assert runs[0] == runs[1]
    whole = Match(
        NL,
        makers_of([TIRED, "random"]),
        key_of(1, "x"),
        workers=2,
        referee=Referee([TIRED, "random"]),
        options=MatchOptions(duplicate=True),
    )
    whole.play(600, more=False)
    assert whole.chips.tolist() == runs[0][0][:600]
    with pytest.raises(InputError, match="processes"):
        whole.play(600)


def test_tournaments_are_shared_out_too(folder: Path) -> None:  # noqa: ARG001
    one, two = (
        tournament(NL, [TIRED, "random*3"], 6, 1, workers, options=TournamentOptions(duplicate=True))
        for workers in (1, 2)
    )
    assert one.digest == two.digest
    assert one.report == two.report
