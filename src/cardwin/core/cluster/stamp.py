"""What two machines must have in common to compute the same bits: versions, sources and the type of processor.

Kernels are compiled on each node for its own processor. Another version of a library, or another processor, may order
or fuse floating-point operations differently, so that the last bits of a result depend on where a job ran.
"""

import hashlib
import os
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGE = Path(__file__).parent.parent.parent


@cache
def stamp() -> Mapping[str, str]:
    """The name of each thing that must agree, and what this process has."""
    import cardwin

    return {
        "Cardwin": f"{cardwin.__version__} (sources {_sources()})",
        "Python": platform.python_version(),
        "NumPy": _version("numpy"),
        "Numba": _version("numba"),
        "processor": _processor(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _sources() -> str:
    """A hash of the package's sources: two copies of one version may differ while somebody works on it."""
    digest = hashlib.blake2b(digest_size=4)
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _processor() -> str:
    """The processor that kernels are compiled for, which the user may set: its name, and a hash of its features."""
    from llvmlite import binding

    features = os.environ.get("NUMBA_CPU_FEATURES") or binding.get_host_cpu_features().flatten()
    name = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return f"{name} ({hashlib.blake2b(features.encode(), digest_size=3).hexdigest()})"


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """What another machine has differently, in words; empty if nothing."""
    return "; ".join(
        f"{name} {there.get(name, 'unknown')} where this machine has {mine}"
        for name, mine in here.items()
        if there.get(name) != mine
    )
