"""Relative links between a page and its parts: they contain no host, stage or base path."""

from urllib.parse import quote

from orderdesk.web.http import Request
from orderdesk.web.pages.texts import Language

_TOKEN = "{token}"  # noqa: S105 - the route's placeholder


def own_address(request: Request) -> str:
    """Give the page's address relative to one of its routes; "" on the page itself."""
    below = request.route.partition(_TOKEN)[2]
    if not below:
        return ""
    return "../" * below.count("/") + _token(request)


def address_of(request: Request, part: str = "") -> str:
    """Give the address of the page, or of a part of it (`/paid`), in the requested language."""
    return f"{own_address(request) or _token(request)}{part}{asked_language(request)}"


def asked_language(request: Request) -> str:
    """Give the query that keeps the chosen language, or ""."""
    asked = request.query.get("lang")
    known = asked in {language.value for language in Language}
    return f"?lang={asked}" if known else ""


def in_language(address: str, language: Language) -> str:
    """Give an address with a language; it must not have one yet."""
    return f"{address}{'&' if '?' in address else '?'}lang={language.value}"


def public_address_of(request: Request, public_base_url: str, part: str) -> str:
    """Give the absolute address of a part of the page, to which others send a browser back."""
    base = (public_base_url or request.stage_url).rstrip("/")
    page = request.route.partition(_TOKEN)[0].format(**request.path_parameters)
    return f"{base}{page}{_token(request)}{part}{asked_language(request)}"


def _token(request: Request) -> str:
    return quote(request.path_parameters.get("token", ""), safe="")
