"""The headers of every page, errors included (contract section 8)."""

import re
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from orderdesk.domain.plain_text import ascii_host

_ORIGIN_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_NONCE_BYTES = 16


def new_nonce() -> str:
    """Return a new nonce for the styles and scripts of one response."""
    return secrets.token_urlsafe(_NONCE_BYTES)


def page_headers(
    nonce: str,
    language_tag: str,
    image_origins: Sequence[str] = (),
    upload_origin: str | None = None,
    *,
    has_worker: bool = False,
) -> dict[str, str]:
    """Return an HTML page's headers; images come only from, and files go only to, these origins.

    A page with an upload form may show the file that was chosen (`blob:`). A page that `has_worker`
    may register our service worker.
    """
    chosen = () if upload_origin is None else ("blob:",)
    images = " ".join(dict.fromkeys((*image_origins, *chosen))) or "'none'"
    forms = "'self'" if upload_origin is None else f"'self' {upload_origin}"
    return {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Language": language_tag,
        "Content-Security-Policy": _policy(
            "default-src 'none'",
            f"style-src 'nonce-{nonce}'",
            f"script-src 'nonce-{nonce}'",
            f"img-src {images}",
            "connect-src 'self'",
            *(("worker-src 'self'",) if has_worker else ()),
            f"form-action {forms}",
        ),
        **_ALWAYS,
    }


def data_headers() -> dict[str, str]:
    """Return the headers of data for a page's script."""
    return {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Security-Policy": _policy("default-src 'none'", "form-action 'none'"),
        **_ALWAYS,
    }


def script_headers() -> dict[str, str]:
    """Return the headers of a service worker, which may load nothing."""
    return {**data_headers(), "Content-Type": "text/javascript; charset=utf-8"}


def image_origin(url: str) -> str | None:
    """Return the origin of an image's address for the policy; None if it is not acceptable.

    Traders and merchants enter these addresses, so the header may get only a host and a port.
    """
    try:
        parts = urlsplit(url)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc:
        return None
    if _ORIGIN_HOST.fullmatch(host) is None:
        return None
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def _policy(*directives: str) -> str:
    return "; ".join((*directives, "base-uri 'none'", "frame-ancestors 'none'"))


_ALWAYS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Language",
    "X-Content-Type-Options": "nosniff",
}
