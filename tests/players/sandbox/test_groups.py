"""Control groups where they may be made, and the filter of system calls for every architecture."""

import json
from pathlib import Path

import pytest

from cardwin.players.sandbox import filters, groups
from cardwin.players.sandbox.filters import DENIED, NUMBERS, SETSID
from cardwin.players.sandbox.groups import HostGroups, Tree, find_trees
from cardwin.players.sandbox.walls import NAMES, STANDS, missing_walls, standing_walls
from support import call

MOUNT = "30 20 0:26 / {point} rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
FIRST = "31 20 0:27 / {point} rw,relatime - cgroup cgroup rw,{name}\n"


def trees(tmp_path: Path, mounts: str, own: str) -> tuple[list[Tree], str]:
    for name, text in (("mounts", mounts), ("own", own)):
        (tmp_path / name).write_text(text)
    return find_trees(str(tmp_path / "mounts"), str(tmp_path / "own"))


def group(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.procs").touch()
    return folder


def test_groups_are_made_below_the_own_one_only_if_nobody_else_manages_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = group(tmp_path / "unified")
    mount = MOUNT.format(point=root)
    assert trees(tmp_path, mount, "0::/\n")[0] == [Tree(root, frozenset({"unified"}), True)]
    group(root / "system.slice" / "session.scope")
    found, reason = trees(tmp_path, mount, "0::/system.slice/session.scope\n")
    assert found == []
    assert reason == (
        "absent: the group /system.slice/session.scope is managed by another program (see CARDWIN_CGROUP)"
    )
    named = group(root / "poker")
    monkeypatch.setenv("CARDWIN_CGROUP", "/poker")
    assert trees(tmp_path, mount, "0::/system.slice/session.scope\n")[0] == [Tree(named, frozenset({"unified"}), True)]
    assert trees(tmp_path, "", "0::/\n") == ([], "absent: no such controller is mounted")


def test_each_controller_of_version_1_is_judged_by_itself(tmp_path: Path) -> None:
    memory, cpu = group(tmp_path / "memory"), group(tmp_path / "cpu")
    group(memory / "others")
    mounts = FIRST.format(point=memory, name="memory") + FIRST.format(point=cpu, name="cpu")
    found, reason = trees(tmp_path, mounts, "4:memory:/others\n2:cpu:/\n")
    assert [tree.parent for tree in found] == [cpu]
    assert "the group /others is managed by another program" in reason


@pytest.mark.parametrize("unified", [True, False], ids=["version 2", "version 1"])
def test_limits_are_written_for_every_seat(tmp_path: Path, unified: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = group(tmp_path)
    monkeypatch.setattr(groups, "_enable", lambda _: frozenset(groups.CONTROLLERS))  # a plain file enables none
    controllers = frozenset({"unified"} if unified else {"memory", "pids", "cpu"})
    host = HostGroups([Tree(parent, controllers, unified)], "absent: a test")
    seat = host.seat(1, 2**28, frozenset({"process-group"}))
    (folder,) = seat.folders
    assert {name: seat.states[name] for name in ("memory-group", "cpu-group")} == dict.fromkeys(
        ("memory-group", "cpu-group"), STANDS
    )
    assert seat.states["process-group"] == "absent: removed by a test"
    assert not (folder / "pids.max").exists()
    if unified:
        limits = {"memory.max": str(2**28), "memory.swap.max": "0", "memory.oom.group": "1", "cpu.weight": "100"}
    else:
        limits = {"memory.limit_in_bytes": str(2**28), "cpu.shares": "1024"}
    assert {name: (folder / name).read_text() for name in limits} == limits
    assert not seat.out_of_memory()
    name = "memory.events" if unified else "memory.oom_control"
    (folder / name).write_text("low 0\noom_kill 1\n")
    assert seat.out_of_memory()


def test_groups_of_a_living_host_are_not_removed(tmp_path: Path) -> None:
    parent = group(tmp_path)
    host = HostGroups([Tree(parent, frozenset({"cpu"}), False)], "")
    stale = parent / "cardwin-1-old"
    (stale / "seat-1").mkdir(parents=True)
    groups.remove_stale(parent)
    assert not stale.exists()
    assert len(list(parent.glob("cardwin-*"))) == 1
    host.close()
    assert list(parent.glob("cardwin-*")) == []


def judged(code: list[tuple[int, int, int, int]], architecture: int, number: int) -> int:
    """What the filter returns, by running it."""
    at, value = 0, 0
    while True:
        kind, yes, no, operand = code[at]
        if kind == 0x06:
            return operand
        if kind == 0x20:
            value = architecture if operand == 4 else number
            at += 1
        else:
            true = value == operand if kind == 0x15 else value >= operand
            at += 1 + (yes if true else no)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_denies_its_calls_and_no_other(machine: str) -> None:
    denied = (*DENIED, SETSID)
    code = filters.program(machine, denied)
    for name in ("x86_64", "i386") if machine == "x86_64" else (machine,):
        architecture, numbers = NUMBERS[name]
        assert {number for number in range(500) if judged(code, architecture, number) == 0x50001} == {
            numbers[call] for call in denied if call in numbers
        }
    assert judged(code, 0xC000003E, 0x40000001) == 0x50001  # x32, or another architecture
    assert judged(code, 0x1234, 1) == 0x50001
    with pytest.raises(OSError, match="not known for riscv64"):
        filters.program("riscv64", denied)


def test_the_command_names_the_protections_of_this_machine() -> None:
    missing = missing_walls(standing_walls())
    done = call("sandbox", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == (1 if missing else 0)
    assert [wall["name"] for wall in answer["walls"]] == list(NAMES)
    assert answer["missing"] == missing
    assert {wall["name"]: wall["state"] for wall in answer["walls"]} == standing_walls()
    assert set(answer["rules"]) == {"late", "forfeit"}
    text = call("sandbox").stdout
    assert all(name in text for name in NAMES)
