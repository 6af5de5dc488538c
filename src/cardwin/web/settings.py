"""The server's settings, shared by all its parts."""

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("127.0.0.1", "localhost", "::1")
AT_ONCE = max(2, os.cpu_count() or 1)  # runs


@dataclass
class ServerSettings:
    """The folder of runs, host and port, the token that is required beyond loopback, and programs for the tables."""

    home: Path
    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = None
    most_tables: int = 1000
    at_once: int = AT_ONCE  # runs; further ones wait
    extra_hosts: tuple[str, ...] = field(default=())
    seats: tuple[str, ...] = field(default=())  # programs that the operator lets the page seat

    @property
    def local(self) -> bool:
        """Whether only this machine can connect."""
        return self.host in LOOPBACK

    @property
    def url(self) -> str:
        """The address to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        shown = "127.0.0.1" if self.host in ("0.0.0.0", "::") else host  # noqa: S104  compared, not bound
        return f"http://{shown}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    @property
    def tables_home(self) -> Path:
        """The folder of finished tables; no run's folder has this name."""
        return self.home / ".tables"


def new_token() -> str:
    """A new random token."""
    return secrets.token_urlsafe(24)
