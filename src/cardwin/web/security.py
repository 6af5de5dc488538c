"""Access checks: local pages and programs are allowed; other machines need the token.

1. The Host header must be one of ours, which prevents DNS rebinding.
2. The Origin header, if a browser sends it, must be ours, and requests marked as cross-site are refused, so that no
   other page can control this one.
3. Beyond loopback every request and socket needs the token: as ?token= once, then in an HttpOnly cookie, or as a
   Bearer header.
"""

import asyncio
import ipaddress
import json
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardwin.web.settings import LOOPBACK, ServerSettings

COOKIE = "cardwin-token"
HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        b"object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
MAX_BODY = 10_000_000  # bytes
BODY_SECONDS = 20.0  # between two parts of a body


class Guard:
    """ASGI middleware that refuses requests that fail a check, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self.refusal(scope, headers)
        if refusal is not None:
            await refuse(scope, receive, send, *refusal)
            return
        token = _token_of(scope)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
                if self.settings.token and token:
                    cookie = f"{COOKIE}={self.settings.token}; HttpOnly; SameSite=Strict; Path=/"
                    message["headers"].append((b"set-cookie", cookie.encode()))
            await send(message)

        await self.app(scope, _bounded(receive) if scope["type"] == "http" else receive, send_safely)

    def refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return the status and the reason of a refusal, or None for an allowed request."""
        host = headers.get("host", "")
        if not self.is_ours(host):
            return 421, f"this server does not serve {host[:80]!r}"
        origin = headers.get("origin")
        if origin is not None and _host_of(origin) != host:
            return 403, "cross-site requests are refused"
        navigates = headers.get("sec-fetch-mode") == "navigate" and scope["type"] == "http" and scope["method"] == "GET"
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign and (not navigates or scope["path"].startswith("/api/")):
            return 403, "cross-site requests are refused"
        if int(headers.get("content-length") or 0) > MAX_BODY if _is_number(headers) else True:
            return 413, f"the body is larger than {MAX_BODY} bytes"
        if self.settings.token and not self._has_token(scope, headers):
            return 401, "the token that was printed at the start of the server is required: ?token=…"
        return None

    def is_ours(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        try:
            split = urlsplit(f"//{host}")
            name, port = split.hostname or "", split.port
        except ValueError:
            return False
        if port not in (self.settings.port, None) or (port is None and self.settings.port != 80):
            return False
        if name in LOOPBACK or name in self.settings.extra_hosts or name == self.settings.host:
            return True
        return not self.settings.local and _is_address(name)

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        texts = (_token_of(scope), bearer, cookie.value if cookie else "")
        token = (self.settings.token or "").encode()
        return any(secrets.compare_digest(text.encode(), token) for text in texts)


def _is_number(headers: dict[str, str]) -> bool:
    text = headers.get("content-length", "0")
    return text.isascii() and text.isdigit() and len(text) < 12


def _is_address(name: str) -> bool:
    """Return whether a host is an IP address; unlike names, addresses cannot be rebound by DNS."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _token_of(scope: Scope) -> str:
    values = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])
    return values[0] if values else ""


def _host_of(origin: str) -> str:
    """Return the host and port of an origin; empty unless it is served by HTTP, as all pages of this server are."""
    try:
        split = urlsplit(origin)
    except ValueError:
        return ""
    return split.netloc if split.scheme == "http" else ""


def _bounded(receive: Receive) -> Receive:
    """Return a reader that stops at bodies that are too large without a declared length, or too slow."""
    read, complete = 0, False

    async def receive_bounded() -> Message:
        nonlocal read, complete
        try:
            message = await (receive() if complete else asyncio.wait_for(receive(), BODY_SECONDS))
        except TimeoutError:
            return {"type": "http.disconnect"}
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if read > MAX_BODY:
                return {"type": "http.disconnect"}
        return message

    return receive_bounded


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    """Refuse a request or socket with a reason."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": reason[:120]})
        return
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
