"""Control groups (cgroups): each seat has groups of its own, which limit, count and stop all its processes together.

1. Linux has one tree of groups (version 2), or one per controller (version 1), or both. A group is made below the one
   that this process is in, so that limits which others have set remain in force. It is made only if that group is the
   root of its tree, is marked as delegated to us by systemd, or is named by `CARDWIN_CGROUP`: a group belongs to one
   manager.
2. A host makes the group `cardwin-NUMBER` in each tree, which it locks while it lives, and in it one group per seat.
   `enter` moves the seat's first process there before it runs anything of the player.
3. The host removes the groups of a seat that has ended. The groups of a host that was killed are removed by the next
   one: they are not locked.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cardwin.players.sandbox.walls import STANDS

NAMED = "CARDWIN_CGROUP"
PREFIX = "cardwin-"
LEAF = "cardwin.match"  # for our own processes, because a group of version 2 has either processes or groups
UNIFIED = "unified"  # the tree of version 2
CONTROLLERS = ("memory", "pids", "cpu")
WALL_OF = {"memory": "memory-group", "pids": "process-group", "cpu": "cpu-group"}
TASKS = 32  # processes and threads of a seat
WEIGHT = 100  # of the processor, the same for every seat; a seat cannot change it


@dataclass(frozen=True)
class Tree:
    """A tree of groups: the group in which ours are made, its controllers, and whether the tree is of version 2."""

    parent: Path
    controllers: frozenset[str]
    unified: bool


@dataclass(frozen=True)
class SeatGroups:
    """The groups of one seat by tree, and the state of each wall that they are."""

    folders: tuple[Path, ...] = ()
    unified: Path | None = None
    memory: Path | None = None
    states: dict[str, str] = field(default_factory=dict)

    def enter(self) -> None:
        """Move this process into the groups."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0", encoding="ascii")

    def out_of_memory(self) -> bool:
        """Return whether the kernel has ended a process of the seat because of its limit."""
        if self.memory is None:
            return False
        name = "memory.events" if (self.memory / "memory.events").exists() else "memory.oom_control"
        with suppress(OSError, IndexError):
            words = (self.memory / name).read_text(encoding="ascii").split()
            return "oom_kill" in words and int(words[words.index("oom_kill") + 1]) > 0
        return False

    def remove(self) -> None:
        """Remove the groups, whose processes have ended."""
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def find_trees(mounts: str = "/proc/self/mountinfo", self_groups: str = "/proc/self/cgroup") -> tuple[list[Tree], str]:
    """Return the trees in which groups may be made, and why there are no others."""
    try:
        groups = _own_groups(Path(self_groups).read_text(encoding="utf-8"))
        lines = Path(mounts).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        return [], f"absent: {error.strerror}"
    trees, reason = list[Tree](), "absent: no such controller is mounted"
    for controllers, root, point in _mounts(lines):
        group = groups.get(next(iter(controllers & groups.keys()), ""))
        if group is None:
            continue
        parent = _parent(Path(point), root, group)
        if parent is None:
            reason = f"absent: the group {group} is managed by another program (see CARDWIN_CGROUP)"
        elif not os.access(parent, os.W_OK) or not os.access(parent / "cgroup.procs", os.W_OK):
            reason = f"absent: {parent} is not writable"
        else:
            trees.append(Tree(parent, controllers, UNIFIED in controllers))
    return trees, reason


def _own_groups(text: str) -> dict[str, str]:
    """Return the group of this process by controller; that of version 2 is called `unified`."""
    groups: dict[str, str] = {}
    for line in text.splitlines():
        _, names, group = line.split(":", 2)
        groups |= dict.fromkeys(names.split(",") if names else [UNIFIED], group)
    return groups


def _mounts(lines: list[str]) -> Iterator[tuple[frozenset[str], str, str]]:
    """Yield the controllers, the root and the folder of every mounted tree with a controller that we use."""
    for line in lines:
        about, _, system = line.partition(" - ")
        root, point = about.split()[3:5]
        kind, _, options = system.split(" ", 2)
        names = frozenset([UNIFIED] if kind == "cgroup2" else options.split(",") if kind == "cgroup" else [])
        if names & {UNIFIED, *CONTROLLERS}:
            yield names, root, point


def _parent(point: Path, root: str, group: str) -> Path | None:
    """Return the folder below which groups may be made, or None if another program manages it."""
    if named := os.environ.get(NAMED):
        return point / named.strip("/")
    folder = point / os.path.relpath(group, root)
    if group == "/":
        return folder.resolve()
    with suppress(OSError):
        return folder.resolve() if os.getxattr(folder, "user.delegate") == b"1" else None
    return None


class HostGroups:
    """The groups of all seats of a host; see the module's docstring."""

    def __init__(self, trees: list[Tree], reason: str) -> None:
        self._reason = reason
        self._folders: list[tuple[Path, frozenset[str], bool]] = []
        self._locks: list[int] = []
        for tree in trees:
            with suppress(OSError):
                remove_stale(tree.parent)
                controllers = _enable(tree.parent) if tree.unified else tree.controllers
                folder = tree.parent / f"{PREFIX}{os.getpid()}-{os.urandom(4).hex()}"
                folder.mkdir()
                self._lock(folder)
                if tree.unified:
                    _write(folder / "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(controllers)))
                self._folders.append((folder, controllers, tree.unified))

    def _lock(self, folder: Path) -> None:
        lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._locks.append(lock)

    def seat(self, number: int, memory: int, without: frozenset[str]) -> SeatGroups:
        """Make the groups of a seat.

        Args:
            number: A number that no other seat of this host has.
            memory: Bytes of all its processes together.
            without: Names of walls that are not raised.

        Returns:
            The groups, which have no process yet.

        """
        states = dict.fromkeys([*WALL_OF.values(), "freezer"], self._reason)
        folders, unified, with_memory = list[Path](), None, None
        for parent, controllers, is_unified in self._folders:
            folder = parent / f"seat-{number}"
            try:
                folder.mkdir()
            except OSError as error:
                self._reason = f"absent: {error.strerror}"
                continue
            wanted = [name for name in CONTROLLERS if name in controllers and WALL_OF[name] not in without]
            stands = [name for name in wanted if all(_limit(folder, name, memory, is_unified))]
            if is_unified and "freezer" not in without and (folder / "cgroup.freeze").exists():
                unified = folder
                states["freezer"] = STANDS
            elif not stands:
                folder.rmdir()
                continue
            states |= dict.fromkeys([WALL_OF[name] for name in stands], STANDS)
            with_memory = folder if "memory" in stands else with_memory
            folders.append(folder)
        states |= {name: "absent: removed by a test" for name in states if name in without}
        return SeatGroups(tuple(folders), unified, with_memory, states)

    def close(self) -> None:
        """Remove the groups of the host, whose seats have ended."""
        for folder, _, _ in self._folders:
            _remove_tree(folder)
        for lock in self._locks:
            os.close(lock)
        self._folders, self._locks = [], []


def _limit(folder: Path, controller: str, memory: int, unified: bool) -> Iterator[bool]:
    """Set the limits of one controller; yield whether each was set."""
    if controller == "memory" and unified:
        _write(folder / "memory.swap.max", "0")
        _write(folder / "memory.oom.group", "1")
        yield _write(folder / "memory.max", str(memory))
    elif controller == "memory":
        yield _write(folder / "memory.limit_in_bytes", str(memory))
        _write(folder / "memory.memsw.limit_in_bytes", str(memory))
    elif controller == "pids":
        yield _write(folder / "pids.max", str(TASKS))
    elif unified:
        yield _write(folder / "cpu.weight", str(WEIGHT))
    else:
        yield _write(folder / "cpu.shares", "1024")


def _enable(parent: Path) -> frozenset[str]:
    """Enable the controllers for groups below one of version 2, and return those that are enabled."""
    try:
        available = (parent / "cgroup.controllers").read_text(encoding="ascii").split()
    except OSError:
        return frozenset()
    wanted = [name for name in CONTROLLERS if name in available]
    control = parent / "cgroup.subtree_control"
    if wanted and not _write(control, " ".join(f"+{name}" for name in wanted)):
        with suppress(OSError):
            if os.getxattr(parent, "user.delegate") == b"1":
                (parent / LEAF).mkdir(exist_ok=True)
                for pid in (parent / "cgroup.procs").read_text(encoding="ascii").split():
                    _write(parent / LEAF / "cgroup.procs", pid)
                _write(control, " ".join(f"+{name}" for name in wanted))
    with suppress(OSError):
        return frozenset(control.read_text(encoding="ascii").split()) & frozenset(wanted)
    return frozenset()


def _write(path: Path, text: str) -> bool:
    try:
        path.write_text(text, encoding="ascii")
    except OSError:
        return False
    return True


def remove_stale(parent: Path) -> None:
    """Remove the groups of hosts that were killed: nobody has them locked."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove_tree(folder)
            finally:
                os.close(lock)


def _remove_tree(folder: Path) -> None:
    """Remove a group and those below it; one with processes remains."""
    for path in [*folder.glob("*/"), folder]:
        with suppress(OSError):
            path.rmdir()
