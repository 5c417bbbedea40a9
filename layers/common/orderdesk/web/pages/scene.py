"""A page's request: its time, language, links and texts, and the checks of its form."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from orderdesk.domain.errors import Refusal
from orderdesk.web.http import Request
from orderdesk.web.pages.shared_texts import PageTexts
from orderdesk.web.pages.texts import Language

FORM_TYPE = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 8 * 1024
_MAX_FIELDS = 16
_SAME_ORIGIN = "same-origin"
# Browsers send this as Origin if the referrer policy forbids the real one.
_HIDDEN = "null"
_PARAMETER_CHARS_MAX = 100  # a token has 43 characters


@dataclass(frozen=True, slots=True)
class Links:
    """Relative links to `base` and the addresses below it, in the requested language.

    They contain no host, stage or base path, because pages are served under different ones.
    `base` is a route, such as `/pay/{order_no}/{token}`. `page` is the address of `base` itself;
    `root` precedes every address below it. `query` keeps the chosen language: `?lang=…` or "".
    """

    base: str
    page: str = field(repr=False)
    root: str = field(repr=False)
    query: str

    @classmethod
    def of(cls, request: Request, base: str) -> Self:
        """Return the links of a request's page."""
        name = _last_segment(base, request)
        depth = request.route.removeprefix(base).count("/") + request.ends_in_slash
        page, root = "../" * depth + name, "../" * (depth - 1) if depth else f"{name}/"
        return cls(base, page, root, asked_language(request))

    def here(self, path: str = "", **query: str) -> str:
        """Return an address without a language; without a path that of `base`."""
        address = f"{self.root}{path}" if path else self.page
        return f"{address}{f'?{urlencode(query)}' if query else ''}"

    def to(self, path: str = "", **query: str) -> str:
        """Return an address in the requested language; without a path that of `base`."""
        return self.kept(self.here(path, **query))

    def kept(self, address: str) -> str:
        """Return an address without a language in the requested one."""
        return address + (self.query.replace("?", "&") if "?" in address else self.query)

    def older(self, path: str, before: object, **query: str) -> str | None:
        """Return the address of what is older than a place (`?before=`); None without a place."""
        return None if before is None else self.to(path, **query, before=str(before))

    def picture(self, path: str, number: int, page: int = 1) -> str:
        """Return the address of a picture's page; both numbers are counted from 1."""
        return self.here(f"{path}/{number}", **({} if page == 1 else {"page": str(page)}))


@dataclass(frozen=True, slots=True)
class Scene[T: PageTexts]:
    """A request at a time (Unix seconds), with the language, links and texts of its page."""

    request: Request
    now: int
    language: Language
    links: Links
    texts: T

    @property
    def role(self) -> str | None:
        """The role of who sends the request; None on a surface without roles."""
        return None

    @property
    def reader(self) -> Mapping[str, object] | None:
        """What each page shows of who reads it; None on a surface that shows nothing."""
        return None

    @property
    def parts(self) -> tuple[Request, int, Language, Links, T]:
        """The fields, for a scene that has more of its reader."""
        return self.request, self.now, self.language, self.links, self.texts

    @property
    def own_address(self) -> str:
        """The address of the page of `links.base`; "" on that page itself."""
        return "" if self.request.route == self.links.base else self.links.page

    def asked(self, name: str, form: re.Pattern[str]) -> str | None:
        """Return a parameter of the query; None if it is absent or of another form."""
        text = self.request.query.get(name, "")
        return text if form.fullmatch(text) else None

    def at(self, route: str) -> Self:
        """Return the scene of a GET of another route with the same parameters."""
        request = replace(self.request, method="GET", route=route, body=b"", ends_in_slash=False)
        return replace(self, request=request, links=Links.of(request, self.links.base))

    def absolute(self, public_base_url: str, route: str) -> str:
        """Return the absolute address of a route with the request's parameters.

        An empty `public_base_url` means the requested host.
        """
        base = (public_base_url or self.request.stage_url).rstrip("/")
        parameters = self.request.path_parameters.items()
        path = route.format(**{name: quote(value, safe="") for name, value in parameters})
        return f"{base}{path}{self.links.query}"


def language_of(request: Request) -> Language:
    """Return the page's language: that of `?lang=`, else that of Accept-Language."""
    asked = request.query.get("lang")
    if asked in {language.value for language in Language}:
        return Language(asked)
    return Language.ZH if request.prefers_chinese else Language.EN


def asked_language(request: Request) -> str:
    """Return the query that keeps the chosen language, or ""."""
    asked = request.query.get("lang")
    return f"?lang={asked}" if asked in {language.value for language in Language} else ""


def in_language(address: str, language: Language) -> str:
    """Return an address with a language; it must not have one yet."""
    return f"{address}{'&' if '?' in address else '?'}lang={language.value}"


def _last_segment(base: str, request: Request) -> str:
    """Return the last segment of a route, with its parameter's value in a URL's form.

    A value that is longer than any of ours is left out. Only a 404 page has one, and an answer must
    not be many times longer than its request.
    """
    segment = base.rpartition("/")[2]
    if not segment.startswith("{"):
        return segment
    value = request.path_parameters.get(segment[1:-1], "")
    return quote(value, safe="") if len(value) <= _PARAMETER_CHARS_MAX else ""


class NotSameOrigin(Refusal, reason="not_same_origin"):
    """A POST that was not sent from our own page (contract section 8)."""


class BadForm(Refusal, reason="bad_form"):
    """A body that none of our forms sends: of another type, too long, or unreadable."""


def require_same_origin(request: Request, public_base_url: str) -> None:
    """Refuse a POST from another origin. Raises: NotSameOrigin.

    Browsers send Sec-Fetch-Site; older ones send only Origin. At least one of them must be present,
    and neither may name another origin. With `Referrer-Policy: no-referrer` the Origin of a page's
    own form is "null", which proves nothing. It counts as missing, so Sec-Fetch-Site is required.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if origin == _HIDDEN:
        origin = None
    if site is None and origin is None:
        raise NotSameOrigin
    if site is not None and site != _SAME_ORIGIN:
        raise NotSameOrigin
    if origin is not None and not _is_own(origin, request, public_base_url):
        raise NotSameOrigin


def _is_own(origin: str, request: Request, public_base_url: str) -> bool:
    """Return whether an origin is the pages' public one, or that of the requested host."""
    public = urlsplit(public_base_url)
    own = {f"{public.scheme}://{public.netloc}"} if public.netloc else set()
    if host := request.headers.get("host"):
        asked = request.headers.get("x-forwarded-proto")
        own |= {f"{scheme}://{host}" for scheme in ([asked] if asked else ["https", "http"])}
    return origin in own


def read_form(request: Request, fields: Sequence[str]) -> Mapping[str, str]:
    """Parse the fields of a URL-encoded form; absent ones are "". Raises: BadForm."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if len(request.body) > MAX_FORM_BYTES or (request.body and media_type != FORM_TYPE):
        raise BadForm
    try:
        sent = parse_qs(
            request.body.decode("utf-8"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="strict",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError:
        raise BadForm from None
    if any(len(sent.get(name, ())) > 1 for name in fields):
        raise BadForm
    return {name: sent.get(name, [""])[0] for name in fields}


class Typed:
    """Fields as they were typed; `unfit` are those whose text is no value."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.unfit: set[str] = set()

    def read[T](self, name: str, parse: Callable[[str], T]) -> T | None:
        """Return a field's value; None if it is empty, or no value that `parse` knows."""
        try:
            return parse(self.texts[name]) if self.texts[name] else None
        except (ValueError, KeyError):
            self.unfit.add(name)
            return None


def chosen[E: StrEnum](form: Mapping[str, str], name: str, among: type[E]) -> E:
    """Return the member that a field names. Raises: BadForm."""
    try:
        return among(form[name])
    except ValueError:
        raise BadForm from None
