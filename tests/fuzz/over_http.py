"""Sends a drawn request to the deployed stack, as far as an HTTP client can."""

import re
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from tests.fuzz.requests import Case

# An HTTP client sends no header with these characters. The host stays the gateway's.
_UNWRITABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_LEFT_OUT = {"host"}
# Clients normalise a path with these parts.
_DOTS = {"", ".", ".."}
# httpx sends at most 64 KiB; API Gateway accepts 10 KB (headers and request line together).
_ADDRESS_MAX = 60_000


def is_sendable(case: Case) -> bool:
    """Return whether a client can send the address without changing its route."""
    names = (case.names[name] for name in re.findall(r"{(\w+)}", case.route.path))
    is_kept = not any(name in _DOTS or "/" in name for name in names)
    return is_kept and len(_address(case)) <= _ADDRESS_MAX


def sent(http: httpx.Client, case: Case) -> dict[str, Any]:
    """Send a request; return its answer in the form of a function's answer."""
    headers = [("x-forwarded-for", case.source_ip)]
    headers += [(name, value) for name, value in case.headers if name.lower() not in _LEFT_OUT]
    response = http.request(
        case.route.method,
        _address(case),
        headers=[(name.encode(), _writable(value)) for name, value in headers],
        content=case.content(),
    )
    return {
        "statusCode": response.status_code,
        "headers": dict(response.headers),
        "body": response.text,
    }


def _address(case: Case) -> str:
    """Return path and query, relative to the stage."""
    names = {name: _quoted(value) for name, value in case.names.items()}
    query = urlencode(case.query, errors="surrogatepass")
    return case.route.path.lstrip("/").format(**names) + (f"?{query}" if query else "")


def _quoted(value: str) -> str:
    return quote(value, safe="", errors="surrogatepass")


def _writable(value: str) -> bytes:
    return _UNWRITABLE.sub("", value).strip().encode("utf-8", "surrogatepass")
