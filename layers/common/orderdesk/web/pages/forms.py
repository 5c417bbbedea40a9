"""The checks of a page's form: its origin, its size, its fields."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlsplit

from orderdesk.domain.errors import Refusal
from orderdesk.web.http import Request

FORM_TYPE = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 8 * 1024
_MAX_FIELDS = 16
_SAME_ORIGIN = "same-origin"
# Browsers send this as Origin if the referrer policy forbids the real one.
_HIDDEN = "null"


class NotSameOrigin(Refusal):
    """A POST that was not sent from our own page (contract section 8)."""

    reason = "not_same_origin"


class BadForm(Refusal):
    """A body that none of our forms sends: of another type, too long, or unreadable."""

    reason = "bad_form"


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
