"""The headers of every page, errors included (contract section 8)."""

import re
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

_ORIGIN_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_NONCE_BYTES = 16


def new_nonce() -> str:
    """Make the nonce of one answer's styles and scripts."""
    return secrets.token_urlsafe(_NONCE_BYTES)


def page_headers(
    nonce: str,
    language_tag: str,
    image_origins: Sequence[str] = (),
    upload_origin: str | None = None,
    *,
    has_worker: bool = False,
) -> dict[str, str]:
    """Give an HTML page's headers: images only from, and files only to, the given origins.

    A page that takes an upload may show the file that its reader chose (`blob:`). A page that
    `has_worker` may register a service worker of our own.
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
    """Give the headers of an answer to a page's script."""
    return {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Security-Policy": _policy("default-src 'none'", "form-action 'none'"),
        **_ALWAYS,
    }


def script_headers() -> dict[str, str]:
    """Give the headers of a service worker, which may load nothing."""
    return {**data_headers(), "Content-Type": "text/javascript; charset=utf-8"}


def image_origin(url: str) -> str | None:
    """Give the origin of an image's address for the policy, or None if it is not acceptable.

    A trader typed the address, so only a plain host, with a port if any, may reach the header.
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode("ascii"), parts.port
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
