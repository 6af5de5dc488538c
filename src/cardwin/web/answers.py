"""JSON responses: non-finite numbers become null, and every error is one sentence."""

import json
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from cardwin.core.errors import InputError


def plain(value: Any) -> Any:
    """The value as JSON types: no infinities, no NumPy numbers."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | int | bool) or value is None:
        return value
    return str(value)


def text_of(value: Any) -> str:
    """The value as JSON text."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Answer(JSONResponse):
    """A JSON response."""

    def render(self, content: Any) -> bytes:
        """The body as bytes."""
        return text_of(content).encode("utf-8", "replace")


class NotHereError(InputError):
    """Something that was requested does not exist: status 404."""


def why_not_stored(error: OSError) -> str:
    """A sentence for a file that could not be written or read: a full disk, a folder without permission."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}; check the space and the permissions of the folder of runs"


def add_refusals(app: FastAPI) -> None:
    """Install error handlers: the sentence is in `error`, and invalid fields in `fields`."""

    @app.exception_handler(InputError)
    async def mistaken(request: Request, error: InputError) -> Answer:  # noqa: ARG001  the signature is FastAPI's
        return Answer({"error": str(error)}, 404 if isinstance(error, NotHereError) else 400)

    @app.exception_handler(OSError)
    async def not_stored(request: Request, error: OSError) -> Answer:  # noqa: ARG001
        return Answer({"error": why_not_stored(error)}, 507)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Answer:  # noqa: ARG001
        fields = [
            {"field": ".".join(str(part) for part in one["loc"][1:]), "said": str(one["msg"])} for one in error.errors()
        ]
        said = "; ".join(f"{one['field']}: {one['said']}" if one["field"] else one["said"] for one in fields)
        return Answer({"error": said, "fields": fields}, 422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Answer:  # noqa: ARG001
        return Answer({"error": str(error.detail)}, error.status_code, dict(error.headers or {}))
