"""The walls around an untrusted player: what each prevents, and which of them stand on this system.

A trial determines which walls stand: a process is started behind all of them and reports those that it could raise
(`box`). A match needs the walls without which an attack in tests/arena/test_attacks.py succeeds; the others are second
walls behind these.
"""

from dataclasses import dataclass
from functools import cache

from cardwin.core.errors import InputError

STANDS = "stands"
WEAK = "--allow-weak-sandbox"


@dataclass(frozen=True)
class Wall:
    """A means of the operating system, what it prevents, and whether an attack succeeds without it."""

    name: str
    prevents: str
    needed: bool = True


WALLS = (
    Wall("mount-namespace", "seeing or changing files: the runs folder, logs, the package, files of other seats"),
    Wall("private-inodes", "messages to other seats by locks and watches on files that both can read"),
    Wall("pid-namespace", "seeing, stopping or reading other processes, and leaving processes behind"),
    Wall("ipc-namespace", "messages to other seats through shared memory, semaphores and message queues"),
    Wall("network-namespace", "messages through the network, the loopback address and abstract sockets"),
    Wall("keyring", "messages to other seats through the kernel's keyrings"),
    Wall(
        "capabilities", "an administrator's rights: mounts, devices, other processes' memory; another user id for root"
    ),
    Wall("limits", "filling the memory, the disk or the table of processes"),
    Wall("environment", "reading the variables of the match's environment"),
    Wall("not-dumpable", "reading the memory of another process of the same user", needed=False),
    Wall("landlock", "file access, TCP and signals once more, if the kernel has Landlock", needed=False),
    Wall("uts-namespace", "seeing or changing the machine's name", needed=False),
    Wall("seccomp", "memory that no process has mapped, tracing, and sessions with shares of their own", needed=False),
    Wall("memory-group", "more memory in all processes of a seat than the limit, by a control group", needed=False),
    Wall("memory-watch", "the same, by a thread of the match that ends the seat", needed=False),
    Wall("process-group", "more processes and threads in a seat than the limit, by a control group", needed=False),
    Wall("cpu-group", "a larger share of the processor than other seats", needed=False),
    Wall("freezer", "computing while others are asked", needed=False),
    Wall("cpu-time", "being late because the machine was busy: processor time is measured", needed=False),
)
NAMES = tuple(wall.name for wall in WALLS)
NAMESPACES = frozenset(name for name in NAMES if name.endswith("-namespace"))
NEEDED = frozenset(wall.name for wall in WALLS if wall.needed)


def standing_walls(without: frozenset[str] | None = None) -> dict[str, str]:
    """Return the walls by name: "stands", or the reason for its absence. Tests do not raise those in `without`."""
    from cardwin.players.sandbox import launcher

    return dict(_trial(launcher.WITHOUT if without is None else without))


@cache
def _trial(without: frozenset[str]) -> dict[str, str]:
    from cardwin.players.sandbox.launcher import launch

    process = launch([], without)
    process.close()
    return process.walls


def missing_walls(walls: dict[str, str]) -> list[str]:
    """Return the needed walls that do not stand."""
    return [name for name in NAMES if name in NEEDED and walls.get(name) != STANDS]


def require_walls(allow_weak: bool = False) -> dict[str, str]:
    """Return the walls by name, as `standing_walls`.

    Raises:
        InputError: a needed wall is absent and that is not allowed.

    """
    walls = standing_walls()
    missing = missing_walls(walls)
    if missing and not allow_weak:
        raise InputError(
            f"the sandbox for untrusted players is not complete on this system, it lacks {', '.join(missing)}: "
            f"{WEAK}, or allow_weak_sandbox = true in an experiment, plays nevertheless"
        )
    return walls
