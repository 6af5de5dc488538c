"""A filter of system calls (seccomp) for players' processes, as a program for the kernel's packet filter (BPF).

The calls that it denies fail with EPERM, and no process is killed. Filters of 32-bit programs have other numbers.
See seccomp(2) and linux/filter.h.
"""

import ctypes
import platform
import struct

from cardwin.players.sandbox.system_calls import PR_SET_NO_NEW_PRIVS, prctl, set_filter

DENIED = ("shmget", "semget", "msgget", "ipc", "memfd_create", "memfd_secret", "ptrace", "io_uring_setup")
SETSID = "setsid"  # a session has its own share of the processor, so a seat with many has many shares
# From an architecture to its number in an audit record, and the numbers of its system calls.
NUMBERS: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {"shmget": 29, "semget": 64, "msgget": 68, "ptrace": 101, "setsid": 112, "memfd_create": 319,
         "memfd_secret": 447, "io_uring_setup": 425},
    ),
    "i386": (
        0x40000003,
        {"ptrace": 26, "setsid": 66, "ipc": 117, "memfd_create": 356, "semget": 393, "shmget": 395, "msgget": 399,
         "memfd_secret": 447, "io_uring_setup": 425},
    ),
    "aarch64": (
        0xC00000B7,
        {"ptrace": 117, "setsid": 157, "msgget": 186, "semget": 190, "shmget": 194, "memfd_create": 279,
         "memfd_secret": 447, "io_uring_setup": 425},
    ),
}  # fmt: skip
X32 = 0x40000000  # the bit of a third set of numbers on x86_64, which nobody uses
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY = 0x7FFF0000, 0x00050001  # EPERM
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data


def program(machine: str, denied: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """Return the instructions of the filter, each as its code, both jumps and its operand.

    Args:
        machine: The architecture, as `platform.machine` names it.
        denied: Names of system calls.

    Raises:
        OSError: the architecture is not known.

    """
    if machine not in NUMBERS or machine == "i386":
        raise OSError(38, f"the numbers of system calls are not known for {machine}")
    code = [(_LOAD, 0, 0, _ARCHITECTURE)]
    for name in ("x86_64", "i386") if machine == "x86_64" else (machine,):
        architecture, numbers = NUMBERS[name]
        calls = sorted(numbers[call] for call in denied if call in numbers)
        # After the number is loaded: a comparison for each call, then allow, then deny.
        block = [(_LOAD, 0, 0, _NUMBER), *([(_AT_LEAST, len(calls) + 1, 0, X32)] if name == "x86_64" else [])]
        block += [(_EQUAL, len(calls) - index, 0, call) for index, call in enumerate(calls)]
        block += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _DENY)]
        code += [(_EQUAL, 0, len(block), architecture), *block]
    return [*code, (_RETURN, 0, 0, _DENY)]


def deny_calls(denied: tuple[str, ...]) -> None:
    """Deny system calls to this process and all that it starts; it can gain no privileges from then on."""
    code = b"".join(struct.pack("<HBBI", *line) for line in program(platform.machine(), denied))
    buffer = ctypes.create_string_buffer(code, len(code))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    set_filter(struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer)))
