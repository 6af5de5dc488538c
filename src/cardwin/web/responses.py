"""JSON responses: non-finite numbers become null, and every error is one sentence."""

import json
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from cardwin.core.errors import InputError


def json_value(value: Any) -> Any:
    """Return the value as JSON types: no infinities, no NumPy numbers."""
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_value(item) for item in value]
    if hasattr(value, "tolist"):
        return json_value(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | int | bool) or value is None:
        return value
    return str(value)


def json_text(value: Any) -> str:
    """Return the value as JSON text."""
    return json.dumps(json_value(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class JsonResponse(JSONResponse):
    """A JSON response of any values, see `json_value`."""

    def render(self, content: Any) -> bytes:
        """Return the body as bytes."""
        return json_text(content).encode("utf-8", "replace")


class NotFoundError(InputError):
    """A requested thing that does not exist: status 404."""


def storage_error(error: OSError) -> str:
    """Return a sentence for a file that could not be written or read: a full disk, a folder without permission."""
    path = f"{error.filename}: " if error.filename else ""
    return f"{path}{error.strerror or error}; check the space and the permissions of the folder of runs"


def add_error_handlers(app: FastAPI) -> None:
    """Install error handlers: the sentence is in `error`, and invalid fields are in `fields`."""

    @app.exception_handler(InputError)
    async def invalid(request: Request, error: InputError) -> JsonResponse:  # noqa: ARG001  the signature is FastAPI's
        return JsonResponse({"error": str(error)}, 404 if isinstance(error, NotFoundError) else 400)

    @app.exception_handler(OSError)
    async def not_stored(request: Request, error: OSError) -> JsonResponse:  # noqa: ARG001
        return JsonResponse({"error": storage_error(error)}, 507)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JsonResponse:  # noqa: ARG001
        fields = [
            {"field": ".".join(str(part) for part in wrong["loc"][1:]), "message": str(wrong["msg"])}
            for wrong in error.errors()
        ]
        texts = (f"{field['field']}: {field['message']}" if field["field"] else field["message"] for field in fields)
        return JsonResponse({"error": "; ".join(texts), "fields": fields}, 422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JsonResponse:  # noqa: ARG001
        return JsonResponse({"error": str(error.detail)}, error.status_code, dict(error.headers or {}))
