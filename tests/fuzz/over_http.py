"""Carries a drawn request to the deployed stack, as far as an HTTP client can write it."""

import re
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from tests.fuzz.requests import Case

# An HTTP client writes no header with these. Which host is asked stays the gateway's.
_UNWRITABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_LEFT_OUT = {"host"}
# Clients shorten a path with these, so they never arrive as a part.
_DOTS = {"", ".", ".."}
# httpx writes at most 64 KiB; API Gateway takes 10 KB (its quota of headers and request line).
_ADDRESS_MAX = 60_000


def is_sendable(case: Case) -> bool:
    """Tell whether a client writes the address, and its path still names its route at its end."""
    names = (case.names[name] for name in re.findall(r"{(\w+)}", case.route.path))
    is_kept = not any(name in _DOTS or "/" in name for name in names)
    return is_kept and len(_address(case)) <= _ADDRESS_MAX


def sent(http: httpx.Client, case: Case) -> dict[str, Any]:
    """Send a request; give its answer in the form in which a function answers."""
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
    """Give the path and query, relative to the stage."""
    names = {name: _quoted(value) for name, value in case.names.items()}
    query = urlencode(case.query, errors="surrogatepass")
    return case.route.path.lstrip("/").format(**names) + (f"?{query}" if query else "")


def _quoted(value: str) -> str:
    return quote(value, safe="", errors="surrogatepass")


def _writable(value: str) -> bytes:
    return _UNWRITABLE.sub("", value).strip().encode("utf-8", "surrogatepass")
