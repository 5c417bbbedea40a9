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


def is_sendable(case: Case) -> bool:
    """Tell whether the request's path still names its route when it arrives."""
    names = (case.names[name] for name in re.findall(r"{(\w+)}", case.route.path))
    return not any(name in _DOTS or "/" in name for name in names)


def sent(http: httpx.Client, case: Case) -> dict[str, Any]:
    """Send a request; give its answer in the form in which a function answers."""
    names = {name: _quoted(value) for name, value in case.names.items()}
    query = urlencode(case.query, errors="surrogatepass")
    headers = [("x-forwarded-for", case.source_ip)]
    headers += [(name, value) for name, value in case.headers if name.lower() not in _LEFT_OUT]
    response = http.request(
        case.route.method,
        case.route.path.lstrip("/").format(**names) + (f"?{query}" if query else ""),
        headers=[(name.encode(), _writable(value)) for name, value in headers],
        content=case.content(),
    )
    return {
        "statusCode": response.status_code,
        "headers": dict(response.headers),
        "body": response.text,
    }


def _quoted(value: str) -> str:
    return quote(value, safe="", errors="surrogatepass")


def _writable(value: str) -> bytes:
    return _UNWRITABLE.sub("", value).strip().encode("utf-8", "surrogatepass")
