"""Adding a binary media type to an API, which the emulator reads as an attribute of that name."""

from collections.abc import Sequence
from typing import Any

from ministack.services import apigateway_v1  # type: ignore[import-untyped]

_PREFIX = "/binaryMediaTypes/"

_apply_patch = apigateway_v1._apply_patch  # noqa: SLF001 - the emulator has no other way


def install() -> None:
    """Add types as AWS does: `/binaryMediaTypes/image~1png` adds `image/png`."""
    apigateway_v1._apply_patch = _patched  # noqa: SLF001


def _patched(changed: dict[str, Any], operations: Sequence[dict[str, Any]]) -> dict[str, Any]:
    others = []
    for operation in operations:
        path = str(operation.get("path", ""))
        if operation.get("op") == "add" and path.startswith(_PREFIX):
            media_type = path.removeprefix(_PREFIX).replace("~1", "/")
            there = changed.get("binaryMediaTypes") or []
            changed["binaryMediaTypes"] = sorted({*there, media_type})
        else:
            others.append(operation)
    result: dict[str, Any] = _apply_patch(changed, others)
    return result
