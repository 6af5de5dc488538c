"""Runs made longer, and experiments that were edited: what is sealed, what may change, and what is refused."""

import contextlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardwin.core.errors import InputError
from cardwin.core.trainer import Generation
from cardwin.reports import report
from cardwin.results.leaderboard import Pairing
from cardwin.runs import checkpoint, reader
from cardwin.runs.launch import Launch, begin, evolve, resume
from cardwin.runs.run import Run
from cardwin.runs.store import Reader
from cardwin.runs.trainers.leaderboard import RoundRobin

SMALL = ["population.size=30", "save_seconds=0"]


@pytest.fixture(autouse=True)
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longer than these runs; test_report draws them."""
    monkeypatch.setattr(report, "write", lambda folder: folder)


def evolved(folder: Path, generations: int, *changes: str) -> dict[str, Any]:
    return evolve("kuhn-coevolution", [*SMALL, f"generations={generations}", *changes], 1, Launch(folder))


def trained(folder: Path, games: int) -> dict[str, Any]:
    values = {"learner": "v2", "against": ["call"], "games": games, "rounds": 20}
    return begin("training", values, 3, Launch(folder))


def learnt(folder: Path, trials: int) -> dict[str, Any]:
    return begin("xcs-problem", {"problem": "multiplexer-6", "every": 100, "trials": trials}, 3, Launch(folder))


def held(folder: Path, tables: int) -> dict[str, Any]:
    # A thousand players: 16 tables a step.
    return begin("tournament", {"players": ["random*1000"], "tables": tables}, 3, Launch(folder))


def edit(folder: Path, *changes: tuple[str, str]) -> None:
    file = folder / "experiment.toml"
    for before, after in changes:
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after))


@pytest.mark.parametrize(
    ("make", "key", "lengths"),
    [
        (evolved, "generations", (5, 12, 20)),
        (trained, "games", (2, 3, 5)),
        (learnt, "hands", (200, 300, 500)),
        (held, "tables", (16, 32, 48)),
    ],
)
def test_a_run_made_longer_is_the_long_run(
    tmp_path: Path, make: Callable[[Path, int], dict[str, Any]], key: str, lengths: tuple[int, int, int]
) -> None:
    short, middle, long = lengths
    whole = make(tmp_path / "whole", long)
    make(tmp_path / "run", short)
    resume(tmp_path / "run", lengths={key: middle})
    answer = resume(tmp_path / "run", lengths={key: long})
    assert answer["digest"] == whole["digest"]
    assert resume(tmp_path / "run", lengths={key: long}) == answer
    assert (tmp_path / "run" / "experiment.toml").read_bytes() == (tmp_path / "whole" / "experiment.toml").read_bytes()
    assert reader.summary(tmp_path / "run")["of"] == reader.summary(tmp_path / "whole")["of"]


def test_a_run_is_not_made_shorter_and_has_its_own_length(tmp_path: Path) -> None:
    evolved(tmp_path / "run", 10)
    with pytest.raises(InputError, match=r"--generations.*\b10\b"):
        resume(tmp_path / "run", lengths={"generations": 9})
    with pytest.raises(InputError, match=r"tables.*--generations"):
        resume(tmp_path / "run", lengths={"tables": 9})
    with pytest.raises(InputError, match=r"10\*\*15"):
        resume(tmp_path / "run", lengths={"generations": 10**30})
    held(tmp_path / "odd", 7)
    with pytest.raises(InputError, match=r"\b16\b.*\b7\b"):
        resume(tmp_path / "odd", lengths={"tables": 80})


def test_where_the_digest_depends_on_the_length_it_is_said(tmp_path: Path) -> None:
    evolved(tmp_path / "run", 10, "record_every=4")
    said: list[str] = []
    resume(tmp_path / "run", Launch(announce=said.append), lengths={"generations": 20})
    assert "generation 10" in said[0]
    evolved(tmp_path / "even", 9, "record_every=4")
    whole = evolved(tmp_path / "whole", 20, "record_every=4")
    assert (
        resume(tmp_path / "even", Launch(announce=said.append), lengths={"generations": 20})["digest"]
        == whole["digest"]
    )
    assert len([line for line in said if "digest" in line]) == 1


def test_a_lengthening_that_was_cut_off_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evolved(tmp_path / "whole", 20)
    evolved(tmp_path / "run", 10)

    for what in ("cardwin.runs.run.lengthen", "cardwin.runs.store.Store.begin_with", "cardwin.runs.checkpoint.write"):
        with monkeypatch.context() as patched:
            patched.setattr(what, fails)
            with pytest.raises(PowerError):
                resume(tmp_path / "run", lengths={"generations": 20})
    assert resume(tmp_path / "run", lengths={"generations": 20})["digest"] == whole["digest"]


@pytest.mark.parametrize(
    ("make", "before", "after", "said"),
    [
        (lambda folder: evolved(folder, 5), "seed = 1", "seed = 6", "seed was 1 and is 6"),
        (lambda folder: evolved(folder, 5), "size = 30", "size = 31", "population.size was 30 and is 31"),
        (lambda folder: evolved(folder, 5), 'game = "kuhn"', 'game = "leduc"', 'game was "kuhn" and is "leduc"'),
        (lambda folder: evolved(folder, 5), "generations = 5", "generations = 6", "--generations N makes it longer"),
        (lambda folder: trained(folder, 2), "rounds = 20", "rounds = 21", "rounds was 20 and is 21"),
        (lambda folder: learnt(folder, 200), "seed = 3", "seed = 4", "seed was 3 and is 4"),
        (lambda folder: held(folder, 1), "seed = 3", "seed = 4", "seed was 3 and is 4"),
        (lambda folder: held(folder, 1), "growth = 1.5", "growth = 2.0", "structure.growth was 1.5 and is 2.0"),
    ],
)
def test_an_edited_experiment_of_a_finished_run_is_refused_by_its_key(
    tmp_path: Path, make: Callable[[Path], dict[str, Any]], before: str, after: str, said: str
) -> None:
    answer = make(tmp_path / "run")
    edit(tmp_path / "run", (before, after))
    with pytest.raises(InputError, match=re.escape(said)):
        resume(tmp_path / "run")
    with pytest.raises(InputError, match=re.escape(said)):
        reader.summary(tmp_path / "run")
    assert said in reader.listed(tmp_path)[0]["wrong"]
    edit(tmp_path / "run", (after, before))
    assert resume(tmp_path / "run") == answer


def test_an_experiment_edited_before_the_first_checkpoint_is_refused(tmp_path: Path) -> None:
    evolved(tmp_path / "run", 5)
    (tmp_path / "run" / "result.json").unlink()
    for path in checkpoint.all_in(tmp_path / "run" / "checkpoints"):
        path.unlink()
    edit(tmp_path / "run", ("seed = 1", "seed = 2"))
    with pytest.raises(InputError, match=r"seed.* 1 .*2"):
        resume(tmp_path / "run")
    assert Reader(tmp_path / "run" / "run.db").generations == 5


def test_a_report_can_be_left_out_and_drawn_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Path] = []
    monkeypatch.setattr(report, "write", drawn.append)
    said: list[str] = []
    evolve(
        "kuhn-coevolution", [*SMALL, "generations=2"], 1, Launch(tmp_path / "run", report=False, announce=said.append)
    )
    resume(tmp_path / "run", Launch(report=False, announce=said.append))
    assert not drawn
    assert not any("writing" in line for line in said)
    resume(tmp_path / "run", Launch(announce=said.append))
    assert drawn == [tmp_path / "run"]
    assert "report" in said[-1]


def test_parents_take_two_bytes_each(tmp_path: Path) -> None:
    evolved(tmp_path / "run", 3)
    (parents,) = Reader(tmp_path / "run" / "run.db").arrays("first", "parents", 2)
    assert parents.dtype.name == "int16"
    assert parents.shape == (30, 2)
    assert parents.max() < 30


BOARD = {"hands": 300, "save_seconds": 0}


def board(folder: Path, *players: str, **more: object) -> dict[str, Any]:
    return begin("leaderboard", {"players": players, **BOARD, **more}, 4, Launch(folder))


def with_report(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without where and how long."""
    return {key: value for key, value in answer.items() if key not in ("run", "seconds")}


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder; opening run.db comes and goes with files beside it."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and "run.db-" not in path.name}


def test_newcomers_join_a_board_as_if_there_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = board(tmp_path / "whole", "fold", "call", "random", "raise", "all-in")
    before = board(tmp_path / "run", "fold", "call", "random")
    met: list[tuple[int, int]] = []
    play = RoundRobin.play

    def counted(one: RoundRobin, first: int, second: int, *more: Any) -> Pairing:
        met.append((first, second))
        return play(one, first, second, *more)

    monkeypatch.setattr(RoundRobin, "play", counted)
    resume(tmp_path / "run", Launch(workers=2), newcomers=["raise"])
    assert met == [(0, 3), (1, 3), (2, 3), (3, 3)]
    answer = resume(tmp_path / "run", newcomers=["all-in"])
    assert met[4:] == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    assert with_report(answer) == with_report(whole)
    assert with_report(answer)["digest"] != before["digest"]
    assert (tmp_path / "run" / "experiment.toml").read_bytes() == (tmp_path / "whole" / "experiment.toml").read_bytes()
    ours, theirs = (Reader(tmp_path / name / "run.db") for name in ("run", "whole"))
    assert [one.tobytes() for one in ours.primaries] == [one.tobytes() for one in theirs.primaries]
    assert ours.notes("seen") == theirs.notes("seen")
    assert resume(tmp_path / "run") == answer


def test_newcomers_join_a_board_that_is_not_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = board(tmp_path / "whole", "fold", "call", "random", "raise")
    cut_off(monkeypatch, 3, lambda: board(tmp_path / "run", "fold", "call"))
    assert with_report(resume(tmp_path / "run", newcomers=["random", "raise"])) == with_report(whole)


class PowerError(BaseException):
    """The power fails."""


def cut_off(monkeypatch: pytest.MonkeyPatch, at: int, run: Callable[[], object]) -> None:
    """Start something whose run ends in the middle of a step, if it gets there."""
    step = Run.step

    def failing(one: Run) -> Generation:
        if one.generation == at:
            raise PowerError
        return step(one)

    with monkeypatch.context() as patched, contextlib.suppress(PowerError):
        patched.setattr(Run, "step", failing)
        run()


def test_a_joining_that_was_cut_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = board(tmp_path / "whole", "fold", "call", "random", "raise")
    board(tmp_path / "run", "fold", "call")
    for at in (3, 5, 8):  # before the first newcomer's hands are saved, amid them, amid the second one's
        shutil.copytree(tmp_path / "run", tmp_path / str(at))
        cut_off(monkeypatch, at, lambda at=at: resume(tmp_path / str(at), newcomers=["random", "raise"]))  # type: ignore[misc]
        assert not (tmp_path / str(at) / "result.json").exists()
        assert with_report(resume(tmp_path / str(at))) == with_report(whole)
    for what in ("cardwin.runs.run.lengthen", "cardwin.runs.store.Store.begin_with", "cardwin.runs.checkpoint.write"):
        folder = tmp_path / what
        shutil.copytree(tmp_path / "run", folder)
        with monkeypatch.context() as patched:
            patched.setattr(what, fails)
            with pytest.raises(PowerError):
                resume(folder, newcomers=["random", "raise"])
        again = () if "write" in what else ("random", "raise")
        assert with_report(resume(folder, newcomers=again)) == with_report(whole)


def fails(*_: object) -> None:
    raise PowerError


@pytest.mark.parametrize(
    ("newcomers", "said"),
    [
        (["call"], "call.*board|board.*call"),
        (["raise", "call"], "call.*board|board.*call"),
        (["raise", "raise"], "raise is named twice"),
        (["raise*2"], "raise is named twice"),
        (["cal"], "unknown player 'cal'"),
        (["rational"], "unknown player 'rational'"),  # of Kuhn poker
        (["net:nobody"], "unknown net player 'nobody'"),
        (["python:no_such_module:Own"], "no_such_module"),
    ],
)
def test_who_cannot_join_is_refused_and_the_folder_left_as_it_was(
    tmp_path: Path, newcomers: list[str], said: str
) -> None:
    answer = board(tmp_path / "run", "fold", "call", hands=20)
    before = files_of(tmp_path)
    with pytest.raises(InputError, match=said) as refused:
        resume(tmp_path / "run", newcomers=newcomers)
    assert "\n" not in str(refused.value)
    assert files_of(tmp_path) == before
    assert resume(tmp_path / "run") == answer


def test_only_boards_are_joined_and_only_by_being_asked(tmp_path: Path) -> None:
    held(tmp_path / "series", 16)
    with pytest.raises(InputError, match=r"tournament.*leaderboard"):
        resume(tmp_path / "series", newcomers=["call"])
    board(tmp_path / "run", "fold", "call", hands=20)
    with pytest.raises(InputError, match=r"hands.*--add"):
        resume(tmp_path / "run", lengths={"hands": 40})
    edit(tmp_path / "run", ('"call",', '"call", "raise",'))
    with pytest.raises(InputError, match="--add"):
        resume(tmp_path / "run")
    edit(tmp_path / "run", ('"fold",\n    "call", "raise",', '"call", "fold",'))
    with pytest.raises(InputError, match="players was"):
        resume(tmp_path / "run", newcomers=["raise"])


def test_pairs_that_stop_once_certain_say_that_newcomers_change_the_digest(tmp_path: Path) -> None:
    said: list[str] = []
    answers = []
    for name in ("one", "two"):
        board(tmp_path / name, "fold", "raise", until_certain=True, hands=5_000)
        answers.append(with_report(resume(tmp_path / name, Launch(announce=said.append), newcomers=["call", "random"])))
    assert answers[0] == answers[1]
    assert "pairs" in said[0]
