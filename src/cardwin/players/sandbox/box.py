"""Raising the walls around the process of a player, on Linux by system calls. `host` forks the process.

1. The host has made a pid namespace, in which this process is number 1.
2. The process enters its own user namespace, if it is not root, and mount, ipc, network and uts namespaces.
3. It builds a file system: a read-only overlay of each folder of libraries, the player's files, and a temporary folder
   of limited size. It makes that its root and detaches the old one. The new root is a folder of its mount, and the
   kernel gives no further user namespace to a process whose root is (user_namespaces(7), on chroot).
4. It leaves the session keyring, clears its environment, limits its resources, takes another user id if it is root,
   drops all capabilities, and restricts itself by Landlock.

The overlays give each seat its own inodes, so that locks (flock) and watches (inotify) of one seat are invisible to
the others, though all read the same libraries.
"""

import fcntl
import os
import resource
import shutil
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cardwin.players.sandbox import filters, groups, layout
from cardwin.players.sandbox import system_calls as linux
from cardwin.players.sandbox.walls import NAMES, STANDS

TEMPORARY = 2**24  # bytes in the temporary folder, and in any one file
TEMPORARY_FILES = 1024
PROGRAM_ROOM, PROGRAM_FILES = 2**28, 2**14  # the same for a program with a writable copy of its folder
HOSTS = "127.0.0.1 localhost\n"  # for programs that connect to the adapter by this name
ROOT_SIZE = 2**26  # bytes of the player's Python files
PROCESSES = groups.TASKS  # threads included
FEWER_PROCESSES = 16  # where seats do not have equal shares of the processor
OPEN_FILES = 64
MAX_OOM_SCORE = "1000"  # the highest oom_score_adj
FIRST_USER = 1_900_000_000  # user ids that no system assigns
NOBODY = 65534
COUNTS_BY_NAMESPACE = (5, 14)  # from this kernel on, RLIMIT_NPROC counts each user namespace by itself
PRIVATE = "/tmp"  # noqa: S108  a file system of each seat's own
MOUNT_FLAGS = linux.MS_NOSUID | linux.MS_NODEV


@dataclass(frozen=True)
class Needs:
    """Additional needs of other people's programs.

    Attributes:
        program: Whether it is a program, which needs the system's commands and room for its folder.
        loopback: Whether it needs a network of its own with the loopback address only.

    """

    program: bool = False
    loopback: bool = False

    @property
    def room(self) -> int:
        """Bytes in the temporary folder, and in any one file."""
        return PROGRAM_ROOM if self.program else TEMPORARY

    @property
    def files(self) -> int:
        """The number of files in the temporary folder."""
        return PROGRAM_FILES if self.program else TEMPORARY_FILES


@dataclass
class Walls:
    """The walls raised so far, by name; `without` are not to be raised."""

    without: frozenset[str] = frozenset()
    states: dict[str, str] = field(default_factory=dict)
    own_namespace: bool = False  # whether in a user namespace

    def attempt(self, name: str, raise_wall: Callable[[], object]) -> bool:
        """Raise a wall; return whether it stands."""
        if name in self.without:
            self.states[name] = "absent: removed by a test"
        elif sys.platform != "linux" and name not in ("environment", "limits"):
            self.states[name] = "absent: needs Linux"
        else:
            try:
                raise_wall()
                self.states[name] = STANDS
            except OSError as error:
                self.states[name] = f"absent: {error.strerror}"
        return self.states[name] == STANDS

    def by_name(self) -> dict[str, str]:
        """Return the state of all walls, in the order of the list."""
        return {name: self.states.get(name, "absent: not raised") for name in NAMES}


def raise_walls(
    walls: Walls, files: Sequence[tuple[str, str]], memory: int, base: str, number: int, needs: Needs
) -> str:
    """Raise the walls around this process and return the player's folder.

    `files` are the player's, by name; `memory` is bytes beyond those used now; `base` is an empty folder; `number`
    chooses the user id, if this process is root.
    """
    if sys.platform == "linux":
        _prepare(walls.own_namespace)
    size, user = _memory_now() + memory, _other_user(walls, number)
    walls.attempt("ipc-namespace", lambda: linux.unshare(linux.CLONE_NEWIPC))
    walls.attempt("network-namespace", lambda: _own_network(needs.loopback))
    walls.attempt("uts-namespace", _own_name)
    folders = layout.libraries(needs.program)
    if walls.attempt("mount-namespace", lambda: _own_mounts(base)):
        _new_root(walls, files, folders, base, needs)
        player, temporary = "/player", PRIVATE
        readable = [*folders, "/player", "/dev", "/etc"]
    else:
        walls.states["private-inodes"] = "absent: needs the mount namespace"
        user = user if user is not None and _can_read(user) else None
        player, temporary = _plain_folders(files, base, user)
        readable = [*folders, player, *(source for _, source in files)]
    walls.attempt("keyring", linux.new_session_keyring)
    walls.attempt("environment", lambda: _clear_environment(temporary))
    shared = walls.states.get("cpu-group") == STANDS
    processes = PROCESSES if shared else FEWER_PROCESSES
    walls.attempt("limits", lambda: _limit(size, walls.own_namespace or user is not None, needs, processes))
    walls.attempt("capabilities", lambda: _drop_rights(walls, user))
    walls.attempt("landlock", lambda: linux.landlock(readable, [temporary], needs.loopback))
    walls.attempt("not-dumpable", lambda: linux.prctl(linux.PR_SET_DUMPABLE, 0))
    walls.attempt("seccomp", lambda: filters.deny_calls((*filters.DENIED, *(() if shared else [filters.SETSID]))))
    if sys.platform == "linux":
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.chdir(player)
    return player


def _prepare(own_namespace: bool) -> None:
    """Enter a user namespace of its own, and become the first process to be killed if memory runs out."""
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # otherwise files of /proc/self belong to root
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(MAX_OOM_SCORE, encoding="ascii")
    if own_namespace:
        linux.new_user_namespace()


def _own_network(loopback: bool) -> None:
    """Enter a network namespace; its loopback address works only if a program needs it."""
    linux.unshare(linux.CLONE_NEWNET)
    if loopback:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, linux.SIOCSIFFLAGS, struct.pack("16sh", b"lo", linux.IFF_UP))


def _own_name() -> None:
    """Enter an uts namespace, in which the machine has another name."""
    linux.unshare(linux.CLONE_NEWUTS)
    socket.sethostname("player")


def _memory_now() -> int:
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def _other_user(walls: Walls, number: int) -> int | None:
    """Return the id of an unused user if this process can become that user; each seat has a different one."""
    if os.geteuid() != 0 or walls.own_namespace or "capabilities" in walls.without:
        return None
    for user in (FIRST_USER + number, NOBODY):
        try:
            os.seteuid(user)  # fails where a container has few ids
        except OSError:
            continue
        os.seteuid(0)
        return user
    return None


def _own_mounts(base: str) -> None:
    """Enter a mount namespace and mount the future root."""
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", base, "tmpfs", MOUNT_FLAGS, f"size={ROOT_SIZE},mode=755")


def _new_root(walls: Walls, files: Iterable[tuple[str, str]], folders: Iterable[str], base: str, needs: Needs) -> None:
    """Build the file system in `base` and make it the root."""
    root = f"{base}/box"
    for folder in ("box/player", "box/tmp", "box/dev", "box/etc", "old", "empty"):
        Path(base, folder).mkdir(parents=True)
    limits = f"size={needs.room},nr_inodes={needs.files},mode=1777"
    linux.mount("tmpfs", root + PRIVATE, "tmpfs", MOUNT_FLAGS, limits)
    for path, target in layout.links(needs.program):
        Path(root + path).parent.mkdir(parents=True, exist_ok=True)
        Path(root + path).symlink_to(target)
    player = [(source, f"{root}/player/{name}") for name, source in files]
    walls.states["private-inodes"] = STANDS
    for source, target in [
        *((folder, root + folder) for folder in folders),
        *player,
        (layout.LOADER, root + layout.LOADER),
    ]:
        if Path(source).is_dir():
            Path(target).mkdir(parents=True, exist_ok=True)
            _mount_read_only(walls, source, target, f"{base}/empty")
        elif Path(source).is_file():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    if needs.loopback:
        Path(root, "etc/hosts").write_text(HOSTS, encoding="ascii")
    Path(root, "dev/null").symlink_to(f"{PRIVATE}/.null")
    Path(f"{root}{PRIVATE}/.null").touch()
    Path(f"{root}{PRIVATE}/.null").chmod(0o666)  # whatever the umask
    linux.pivot_root(base, f"{base}/old")
    os.chdir("/")
    linux.detach("/old")
    linux.mount("none", "/", "", linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | MOUNT_FLAGS)
    os.chroot("/box")


def _mount_read_only(walls: Walls, source: str, target: str, empty: str) -> None:
    """Mount a folder read-only: as an overlay, or if the kernel supports none, as the folder itself."""
    lower = source.replace("\\", "\\\\").replace(":", "\\:").replace(",", "\\,")
    options = f"lowerdir={lower}:{empty}"
    if walls.states["private-inodes"] == STANDS and walls.attempt(
        "private-inodes", lambda: linux.mount("overlay", target, "overlay", MOUNT_FLAGS, options)
    ):
        return
    linux.mount(source, target, "", linux.MS_BIND | linux.MS_REC)
    linux.make_read_only(target)


def _plain_folders(files: Iterable[tuple[str, str]], base: str, user: int | None) -> tuple[str, str]:
    """Make a folder with links to the player's files, and a temporary folder, if there is no own file system."""
    player, temporary = Path(base, "player"), Path(base, "tmp")
    player.mkdir()
    temporary.mkdir()
    for name, source in files:
        (player / name).parent.mkdir(exist_ok=True)
        (player / name).symlink_to(source)
    if user is not None:
        for path in (Path(base), temporary):
            os.chown(path, user, user)
    return str(player), str(temporary)


def _clear_environment(temporary: str) -> None:
    os.environ.clear()
    os.environ.update(PATH=os.defpath, LANG="C.UTF-8", USER="player", HOME=temporary, TMPDIR=temporary)
    tempfile.tempdir = None


def _limit(size: int, own_user: bool, needs: Needs, processes: int) -> None:
    limits = {resource.RLIMIT_FSIZE: needs.room, resource.RLIMIT_NOFILE: OPEN_FILES, resource.RLIMIT_CORE: 0}
    if sys.platform == "linux":
        limits[resource.RLIMIT_AS] = size
    kernel = tuple(int(part) for part in os.uname().release.split(".")[:2])
    counted = sys.platform == "linux" and own_user and (os.geteuid() == 0 or kernel >= COUNTS_BY_NAMESPACE)
    if counted:
        limits[resource.RLIMIT_NPROC] = processes
    for name, limit in limits.items():
        resource.setrlimit(name, (limit, limit))
    if not counted:
        raise OSError(0, "the number of processes can be limited only for a user of its own")


def _drop_rights(walls: Walls, user: int | None) -> None:
    with suppress(PermissionError):  # a process without capabilities has none to drop
        linux.forbid_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    linux.drop_capabilities()
    if os.getuid() == 0 and not walls.own_namespace:
        raise OSError(0, "root cannot become another user that can read the interpreter")


def _can_read(user: int) -> bool:
    """Return whether a user can read the interpreter's libraries."""
    os.seteuid(user)
    try:
        return os.access(os.__file__, os.R_OK, effective_ids=True)
    finally:
        os.seteuid(0)
