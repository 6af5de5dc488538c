"""The server's settings, shared by all its parts."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request

LOOPBACK = ("127.0.0.1", "localhost", "::1")
AT_ONCE = max(2, os.cpu_count() or 1)  # runs


@dataclass
class ServerSettings:
    """The settings of `cardwin serve`.

    Attributes:
        home: The folder of runs.
        host: The address to listen on.
        port: The port; 0 takes any free one.
        token: The token that is required beyond loopback.
        most_tables: Maximum number of open tables.
        at_once: Maximum number of runs at the same time; further ones wait.
        extra_hosts: Further names of this server in Host headers.
        seats: Programs that tables of the page may seat.

    """

    home: Path
    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = None
    most_tables: int = 1000
    at_once: int = AT_ONCE
    extra_hosts: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()

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
    """Return a new random token."""
    return secrets.token_urlsafe(24)


def settings_of(request: Request) -> ServerSettings:
    """Return the server's settings."""
    settings: ServerSettings = request.app.state.settings
    return settings
