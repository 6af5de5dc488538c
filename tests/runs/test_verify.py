"""`cardwin verify`: what was recorded is dealt again, and edits are found."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.arena.recorded_hands import recorded_hands
from cardwin.core.errors import InputError
from cardwin.core.trainer import Generation
from cardwin.players.registry import PlayerBuilder
from cardwin.players.sandbox import launcher
from cardwin.players.sandbox.walls import NAMESPACES
from cardwin.runs import checksums, launch
from cardwin.runs.commitments import commitments_in, fairness, sandbox_in
from cardwin.runs.run import Run
from cardwin.runs.store import Reader, packed
from cardwin.runs.trainers import match as match_run
from cardwin.runs.verify import verify
from support import answer, call, refusal

MODULE = """
from cardwin.games.base import CALL, CHECK, Action


class Sometimes:
    stateless = True

    def act(self, view, rng):
        if view.min_raise_to and view.hole[0] % 3 == 0:
            return Action("raise" if view.current_bet else "bet", view.min_raise_to)
        return CALL if view.to_call else CHECK


class Counting:
    def __init__(self):
        self.hands = 0

    def watch(self, event):
        self.hands += type(event).__name__ == "HandBegan"

    def act(self, view, rng):
        if self.hands % 5 == 0:
            return Action("jump", 3)
        return CALL if view.to_call else CHECK
"""
CHANGED = "{} was changed after the run ended: it does not have its checksum"
KINDS: dict[str, dict[str, Any]] = {
    "match": {"hands": 120},
    "tournament": {"tables": 2, "structure": {"every": 2}},
    "leaderboard": {"hands": 60},
}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "strange.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "python:strange:Sometimes"


def run(kind: str, players: list[str], folder: Path, **values: Any) -> dict[str, Any]:
    return launch.begin(kind, KINDS[kind] | {"players": players} | values, launch=launch.Launch(folder, report=False))


# The deals are secret, so that how many hands two tournaments take is chance: one each at least.
@pytest.mark.parametrize(("kind", "least"), [("match", 120), ("tournament", 2), ("leaderboard", 360)])
def test_an_untouched_run_of_our_own_players_is_right(kind: str, least: int, tmp_path: Path) -> None:
    result = run(kind, ["call", "random", "standard"], tmp_path / "run")
    found = verify(tmp_path / "run")
    assert (found.ok, found.problems) == (True, ())
    assert found.commitment == result["commitment"]
    assert (found.hands or 0) >= least
    assert result["seed"] is None
    assert result["fair"]
    text = (tmp_path / "run" / "experiment.toml").read_text()
    assert "seed" not in text


@pytest.mark.parametrize("kind", list(KINDS))
def test_an_untouched_run_with_a_program_is_right_and_the_program_is_not_run_again(
    kind: str, tmp_path: Path, program: str
) -> None:
    run(kind, ["call", program, "v1"], tmp_path / "run")
    (tmp_path / "strange.py").unlink()
    assert verify(tmp_path / "run").problems == ()


def test_a_program_that_remembers_and_breaks_the_rules_is_verified_too(tmp_path: Path, program: str) -> None:
    watching = program.replace("Sometimes", "Counting")
    result = run("match", ["standard", watching, "net:large-hof"], tmp_path / "run", duplicate=True)
    assert result["players"][1]["faults"] > 0
    assert verify(tmp_path / "run").problems == ()


def edit_array(folder: Path, population: str, name: str, change: Any) -> None:
    """Change a recorded array of the first step."""
    (array,) = Reader(folder / "run.db").arrays(population, name, 0)
    edited = array.copy()
    change(edited)
    with sqlite3.connect(folder / "run.db") as db:
        db.execute(
            f'UPDATE arrays SET "{name}" = ? WHERE population = ? AND generation = 0',  # noqa: S608
            (packed(edited), population),
        )
    db.close()


def test_a_hand_and_its_total_edited_consistently_are_found(tmp_path: Path, program: str) -> None:
    folder = tmp_path / "run"
    run("match", ["call", program], folder)

    def more(chips: np.ndarray) -> None:
        chips[3] += [500, -500]

    edit_array(folder, match_run.TABLE, "chips", more)
    (folder / "result.json").unlink()
    launch.resume(folder, launch.Launch(report=False), trusted=[program])  # the result follows from the edited record
    problems = verify(folder).problems
    assert len(problems) == 1
    assert "chips" in problems[0]
    assert "row 4" in problems[0]


def test_an_edited_action_card_or_seat_is_found(tmp_path: Path, program: str) -> None:
    for number, field in enumerate(("actions", "board", "players")):
        folder = tmp_path / f"run-{number}"
        run("match", ["call", program], folder)

        def change(rows: np.ndarray, field: str = field) -> None:
            hand = next(recorded_hands(rows))
            place = {"players": 5, "board": 5 + 8, "actions": 5 + 8 + 5 + 1}[field]
            if field == "players":
                rows[place : place + 2] = rows[place : place + 2][::-1].copy()
            else:
                rows[place] = (rows[place] + 1) % 2 if field == "actions" else (rows[place] + 7) % 52
            assert next(recorded_hands(rows)) != hand

        edit_array(folder, "hands", "rows", change)
        problems = verify(folder).problems
        assert problems, field
        assert any("hand 1:" in problem for problem in problems)


def test_a_wrong_secret_and_a_missing_commitment_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run("leaderboard", ["call", "random"], folder)
    with sqlite3.connect(folder / "run.db") as db:
        (text,) = db.execute("SELECT text FROM notes WHERE name = 'secrets' AND generation = 0").fetchone()
        pairs = json.loads(text)
        pairs[0][1] = "00" * 32
        db.execute("UPDATE notes SET text = ? WHERE name = 'secrets' AND generation = 0", (json.dumps(pairs),))
    db.close()
    assert "does not belong" in verify(folder).problems[0]
    other = tmp_path / "other"
    run("leaderboard", ["call", "random"], other)
    lines = (other / "commitments.jsonl").read_text().splitlines(keepends=True)
    (other / "commitments.jsonl").write_text("".join(lines[1:]))
    assert "commitments.jsonl" in verify(other).problems[0]


def test_an_edited_result_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run("match", ["call", "random"], folder)
    result = json.loads((folder / "result.json").read_text())
    result["players"][0]["mean"] += 1
    (folder / "result.json").write_text(json.dumps(result))
    assert verify(folder).problems == (
        "result.json: players does not follow from the record",
        CHANGED.format("result.json"),
    )


def test_a_killed_block_is_discarded_counted_and_dealt_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_run, "BLOCK_HANDS", 50)
    folder, step = tmp_path / "run", Run.step

    def killed(one: Run) -> Generation:
        found = step(one)
        if one.generation == 2:
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Run, "step", killed)
        with pytest.raises(KeyboardInterrupt):
            run("match", ["call", "random"], folder, hands=200, save_seconds=0)
    result = launch.resume(folder, launch.Launch(report=False))
    assert (result["hands"], result["blocks"], result["discarded"]) == (200, 4, 1)
    assert len(set(commitments_in(folder))) == 5
    found = verify(folder)
    assert (found.ok, found.discarded) == (True, 1)


def test_with_a_seed_a_match_repeats_and_says_that_it_is_not_fair_to_programs(tmp_path: Path, program: str) -> None:
    digests = {run("match", ["call", program], tmp_path / str(number), seed=7)["digest"] for number in range(2)}
    assert len(digests) == 1
    result = json.loads((tmp_path / "0" / "result.json").read_text())
    assert (result["fair"], result["commitment"]) == (False, None)
    assert verify(tmp_path / "0").ok
    assert run("match", ["call", program], tmp_path / "secret")["fair"]
    assert run("match", ["call", "raise"], tmp_path / "own", seed=7)["fair"]


def test_the_command(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    result = answer("match", "call", "random", "--hands", "60", "--out", folder)
    checked = answer("verify", folder)
    assert checked["ok"] is True
    assert checked["hands"] == 60
    assert checked["commitment"] == result["commitment"]
    (tmp_path / "run" / "commitments.jsonl").unlink()
    done = call("verify", folder)
    assert done.returncode == 1
    assert "commitments.jsonl" in done.stdout
    assert "not a run folder" in refusal("verify", str(tmp_path))


def test_default_folders_have_no_seed_in_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [
        Path(run("leaderboard", ["call", "fold"], None, hands=10)["run"]).name  # type: ignore[arg-type]
        for _ in range(2)
    ]
    assert len(set(names)) == 2
    for name in names:
        kind, day, time, *more = name.split("-")
        assert (kind, len(day), len(time)) == ("leaderboard", 8, 6)
        assert more in ([], ["2"])


@pytest.mark.parametrize("kind", list(KINDS))
def test_where_the_sandbox_is_incomplete_a_program_is_refused_before_its_code_runs(
    kind: str, tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "WITHOUT", NAMESPACES)
    monkeypatch.setattr(PlayerBuilder, "__call__", lambda _: pytest.fail("a player was built"))
    with pytest.raises(InputError, match="--allow-weak-sandbox"):
        run(kind, [program, "call"], tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("kind", list(KINDS))
def test_runs_whose_hands_an_older_version_did_not_record(kind: str, tmp_path: Path, program: str) -> None:
    """Our own players are verified without recorded hands; a program is not run instead."""
    for name, players, refused in (("own", ["call", "fold"], False), ("program", ["call", program], True)):
        run(kind, players, tmp_path / name, seed=3)
        with sqlite3.connect(tmp_path / name / "run.db") as db:
            db.execute("DELETE FROM arrays WHERE population = 'hands'")
        db.close()
        if refused:
            assert "run.db does not have the hands of step 1" in verify(tmp_path / name).problems
        (tmp_path / name / checksums.FILE).unlink()  # an older version wrote none
        if refused:
            with pytest.raises(InputError, match="does not contain its hands"):
                verify(tmp_path / name)
        else:
            assert verify(tmp_path / name).problems == ()


def test_a_dropped_pair_is_named_and_not_called_a_run_of_an_older_version(tmp_path: Path, program: str) -> None:
    run("leaderboard", ["call", program, "fold"], tmp_path / "run")
    (tmp_path / "run" / checksums.FILE).unlink()
    for table, missing in (("arrays", "the hands of step 4"), ("headlines", "step 4")):
        with sqlite3.connect(tmp_path / "run" / "run.db") as db:
            db.execute(f"DELETE FROM {table} WHERE generation = 3")  # noqa: S608
        db.close()
        assert verify(tmp_path / "run").problems[0] == f"run.db does not have {missing}"


def test_runs_that_were_made_longer_are_right(tmp_path: Path) -> None:
    """The last generation of the shorter run was recorded, though `record_every` skips it."""
    out, quiet = launch.Launch(tmp_path / "evolve", report=False), launch.Launch(report=False)
    launch.evolve("kuhn-coevolution", ["generations=7", "population.size=10", "record_every=5"], 1, out)
    for generations in (9, 11):
        launch.resume(tmp_path / "evolve", quiet, lengths={"generations": generations})
    assert verify(tmp_path / "evolve").problems == ()
    run("leaderboard", ["call", "raise"], tmp_path / "board", hands=1000, until_certain=True)
    launch.resume(tmp_path / "board", quiet, newcomers=["fold"])
    assert verify(tmp_path / "board").problems == ()


def test_a_wall_that_was_missing_once_is_missing_in_the_result(tmp_path: Path, program: str) -> None:
    run("leaderboard", ["call", program], tmp_path / "run")
    assert json.loads((tmp_path / "run" / "result.json").read_text())["fair"]
    with sqlite3.connect(tmp_path / "run" / "run.db") as db:
        db.execute(
            'UPDATE notes SET text = replace(text, \'"pid-namespace": "stands"\', \'"pid-namespace": "absent"\') '
            "WHERE name = 'sandbox' AND generation = 1"
        )
    db.close()
    walls = sandbox_in(Reader(tmp_path / "run" / "run.db"))
    assert (walls["pid-namespace"], walls["ipc-namespace"]) == ("absent", "stands")
    assert fairness([program], None, walls)["fair"] is False
