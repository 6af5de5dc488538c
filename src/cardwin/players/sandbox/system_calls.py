"""System calls of Linux that Python 3.11 has no function for, through the C library. Each raises OSError if it fails.

They are the calls that unshare(1) and bubblewrap make; see the manual pages namespaces(7), mount(2), pivot_root(2),
mount_setattr(2), capabilities(7), keyctl(2) and landlock(7).
"""

import ctypes
import os
import platform
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
_SECCOMP_MODE_FILTER = 2
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _ATTR_READ_ONLY = 442, -100, 0x8000, 1 | 2 | 4  # no set-uid, no devices
_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}
_KEYCTL_JOIN_SESSION_KEYRING = 1
_CAPABILITY_VERSION, _CAP_SYS_ADMIN = 0x20080522, 21
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_LANDLOCK_ABI, _LANDLOCK_PATH = 1, 1
_READ = 1 | 4 | 8  # execute, read a file, read a folder
_FILE_RIGHTS = 1 | 2 | 4 | 1 << 14 | 1 << 15  # those that a rule for a single file may have
_ALL_RIGHTS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}  # by version


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> int:
    function = getattr(_library(), name, None)
    if function is None:
        raise OSError(38, f"the C library has no {name}")
    plain = [value.encode() if isinstance(value, str) else value for value in arguments]
    plain = [ctypes.c_long(value) if isinstance(value, int) else value for value in plain]
    result: int = function(*plain)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave a namespace for a new one."""
    _call("unshare", flags)


def enter(namespace: int, kind: int) -> None:
    """Enter a namespace, given by an open file of it; a pid namespace is entered by the next child."""
    _call("setns", namespace, kind)


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    _call("prctl", option, value, 0, 0, 0)


def set_filter(program: bytes) -> None:
    """Set a filter of system calls; `program` is a struct sock_fprog."""
    _call("prctl", PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0)


def new_user_namespace() -> None:
    """Enter a user namespace in which this process has all capabilities and the ids that it had outside."""
    user, group = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount a file system, or change a mount."""
    _call("mount", source, target, kind, flags, data)


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root of the file system, and move the present one to `old`."""
    _call("pivot_root", new, old)


def detach(path: str) -> None:
    """Unmount a file system and everything mounted in it, even if it is in use."""
    _call("umount2", path, MNT_DETACH)


def make_read_only(path: str) -> None:
    """Make a mount and everything mounted in it read-only."""
    attributes = struct.pack("<4Q", _ATTR_READ_ONLY, 0, 0, 0)
    _call("syscall", _MOUNT_SETATTR, _AT_FDCWD, path, _AT_RECURSIVE, attributes, len(attributes))


def forbid_capabilities() -> None:
    """Let no program that this process starts gain capabilities."""
    for number in range(64):
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError as error:
            if error.errno != 22:  # the kernel has no more
                raise
            return


def drop_capabilities() -> None:
    """Give up all capabilities."""
    _call("capset", struct.pack("<Ii", _CAPABILITY_VERSION, 0), struct.pack("<6I", *[0] * 6))


def new_session_keyring() -> None:
    """Leave the session keyring, which processes inherit, for a new one."""
    if platform.machine() not in _KEYCTL:
        raise OSError(38, f"the number of keyctl is not known for {platform.machine()}")
    _call("syscall", _KEYCTL[platform.machine()], _KEYCTL_JOIN_SESSION_KEYRING, None)


def landlock(readable: Iterable[str], writable: Iterable[str], tcp: bool = False) -> None:
    """Allow access to these files and folders only, no TCP unless allowed, no signals or abstract sockets outside."""
    version = _call("syscall", _LANDLOCK_CREATE, None, 0, _LANDLOCK_ABI)
    every = _ALL_RIGHTS[min(version, max(_ALL_RIGHTS))]
    handled = [every, 0 if tcp else 3, 3][: 1 if version < 4 else 2 if version < 6 else 3]
    attributes = struct.pack(f"<{len(handled)}Q", *handled)
    rules = _call("syscall", _LANDLOCK_CREATE, attributes, len(attributes), 0)
    try:
        for paths, rights in ((readable, _READ), (writable, every)):
            for path in paths:
                _allow(rules, path, rights & every)
        _call("syscall", _LANDLOCK_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    opened = os.open(path, os.O_PATH)
    try:
        rights &= -1 if Path(path).is_dir() else _FILE_RIGHTS
        _call("syscall", _LANDLOCK_ADD, rules, _LANDLOCK_PATH, struct.pack("<Qi", rights, opened), 0)
    finally:
        os.close(opened)


def can_administer() -> bool:
    """Return whether this process has CAP_SYS_ADMIN, and can make namespaces without a user namespace."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return bool(int(status.partition("CapEff:")[2].split()[0], 16) >> _CAP_SYS_ADMIN & 1)
