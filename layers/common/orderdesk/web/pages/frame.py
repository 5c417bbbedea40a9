"""The frame of every page: it catches errors, logs, renders and sets the headers.

It is the pages' counterpart of `endpoint`. An expected refusal becomes its problem page, any other
error the page of an internal error. Every response has the headers of contract section 8.
"""

import json
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import Refusal, TooManyRequests, TryAgain
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.web.codes import CODES, INTERNAL_ERROR, UNKNOWN_ROUTE
from orderdesk.web.http import Request, Response, log_unexpected, proxy_response, request_of
from orderdesk.web.pages.scene import (
    BadForm,
    Links,
    NotSameOrigin,
    Scene,
    in_language,
    language_of,
    read_form,
)
from orderdesk.web.pages.shared_texts import PageTexts, SharedTexts
from orderdesk.web.pages.templates import render
from orderdesk.web.pages.texts import Language

_RETRY_SOON = {"Retry-After": "1"}
_KEY, _AGAIN = "key", "again"
# The tries of an upload that waits; after them all pauses are as long as the last one.
_PAUSE_SECONDS, _TRIES_COUNTED = 5, 6
# The form of the keys in our upload forms (`domain/receipts/places.py`). The page shows no other
# key, because it repeats the key several times and escapes it each time.
_UPLOAD = re.compile(r"[A-Za-z0-9._/-]{1,128}")
_NONCE_BYTES = 16  # of the styles and scripts of one response
_STAY = "stay"
# The refusals of pages, which have no code of the merchant API.
_STATUSES = {
    NotSameOrigin.reason: HTTPStatus.FORBIDDEN,
    BadForm.reason: HTTPStatus.BAD_REQUEST,
    "not_logged_in": HTTPStatus.UNAUTHORIZED,
    "page_not_found": HTTPStatus.NOT_FOUND,
    "member_not_found": HTTPStatus.NOT_FOUND,
    "invitation_not_found": HTTPStatus.NOT_FOUND,
    "invitation_rests": HTTPStatus.CONFLICT,
    "role_not_allowed": HTTPStatus.FORBIDDEN,
    "passkey_refused": HTTPStatus.FORBIDDEN,
    "last_admin": HTTPStatus.CONFLICT,
    "last_passkey": HTTPStatus.CONFLICT,
    "team_full": HTTPStatus.CONFLICT,
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page before it is rendered; its template gets the `view`.

    `here`: its address without a language, if that is not the address of its route. `section`: its
    section in the navigation. `image_origins`, `upload_origin`: the origins of its images and the
    target of its uploads, if any. `has_worker`: whether it registers a service worker.
    `scene`: that of who reads it, set by the gate. `scene` and `moved_to` are set by `led_to`, if
    the page is the response to a POST to another address.
    """

    template: str
    view: object = field(repr=False)
    here: str | None = field(default=None, repr=False)
    section: str | None = None
    status: int = HTTPStatus.OK
    image_origins: tuple[str, ...] = ()
    upload_origin: str | None = None
    has_worker: bool = False
    scene: Scene[PageTexts] | None = field(default=None, repr=False)
    moved_to: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SeeOther:
    """A redirect to another page (303), for example after a POST.

    `cookie` is its Set-Cookie, if any.
    """

    url: str = field(repr=False)
    cookie: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Download:
    """A CSV file that the browser saves; `name` is plain ASCII."""

    name: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class WorkerScript:
    """The script of a service worker, by its template."""

    template: str


type Data = Mapping[str, object]
"""The result of a route that a page's script fetches."""

type Shown = Page | SeeOther | Download | WorkerScript | Data
"""The result of a route."""


def problem_page(scene: Scene[PageTexts], reason: str) -> Page:
    """Return the page of a refusal, for a payer."""
    problem = scene.texts.shared.problems[reason]
    view = {"problem": problem, "reason": reason}
    return Page("problem.html", view, status=status_of(reason))


REFUSALS = (OrderNotFound, TooManyRequests, TryAgain, NotSameOrigin, BadForm)


@dataclass(frozen=True, slots=True)
class Site[T: PageTexts]:
    """The pages of one function: the route of their root, and their texts.

    `refusals` are those that the pages expect; `problem` makes the page of a refusal's reason.
    """

    base: str
    texts_of: Callable[[Language], T]
    refusals: tuple[type[Refusal], ...] = REFUSALS
    problem: Callable[[Scene[T], str], Page] = problem_page

    def scene(self, request: Request, now: int) -> Scene[T]:
        language = language_of(request)
        links = Links.of(request, self.base)
        return Scene(request, now, language, links, self.texts_of(language))


def answer_page[T: PageTexts](
    event: Mapping[str, Any],
    logger: Logger,
    route: Callable[[Scene[T]], Shown],
    site: Site[T],
    *,
    is_data: bool = False,
) -> dict[str, Any]:
    """Run a route on an API Gateway event; a refusal becomes its page.

    If the route `is_data`, a refusal is its reason for the page's script.
    """
    request = request_of(event)
    scene = site.scene(request, int(time.time()))

    def show_problem(reason: str) -> Response:
        if is_data:
            return Response(status_of(reason), json.dumps({"reason": reason}), data_headers())
        return _response(scene, site.problem(scene, reason))

    name = f"{request.method} {request.route}"
    with logger.append_context_keys(request_id=request.request_id, route=name):
        try:
            response = _response(scene, route(scene))
            # Polls are most of the requests: of those that succeed the access log is enough.
            is_poll = is_data and request.method == "GET"
            log = logger.debug if is_poll else logger.info
            log("done", extra={"status": int(response.status)})
        except site.refusals as refusal:
            code = CODES[refusal.reason].code if refusal.reason in CODES else None
            logger.info("refused", extra={"code": code, "reason": refusal.reason})
            response = show_problem(refusal.reason)
            headers = {**response.headers, **_retry_after(refusal)}
            response = replace(response, headers=headers)
        except Exception as error:  # noqa: BLE001 - every error must have a response
            log_unexpected(logger, error)
            response = show_problem(INTERNAL_ERROR)
    return proxy_response(response, request.request_id)


def _retry_after(refusal: Refusal) -> Mapping[str, str]:
    """Return the Retry-After header of a temporary refusal."""
    match refusal:
        case TooManyRequests():
            return {"Retry-After": str(refusal.retry_after_seconds)}
        case TryAgain():
            return _RETRY_SOON
        case _:
            return {}


def status_of(reason: str) -> int:
    """Return a reason's HTTP status, also for reasons without a code of the merchant API."""
    return _STATUSES[reason] if reason in _STATUSES else CODES[reason].status


def _response(scene: Scene[PageTexts], shown: Shown) -> Response:
    match shown:
        case Page():
            return _rendered(scene, shown)
        case WorkerScript():
            values = {"texts": scene.texts, "language": scene.language}
            text = render(shown.template, values)
            return Response(HTTPStatus.OK, text, data_headers("text/javascript"))
        case Download():
            disposition = f'attachment; filename="{shown.name}"'
            headers = {**data_headers("text/csv"), "Content-Disposition": disposition}
            return Response(HTTPStatus.OK, shown.text, headers)
        case SeeOther():
            cookie = {} if shown.cookie is None else {"Set-Cookie": shown.cookie}
            headers = {**data_headers(), **cookie, "Location": shown.url}
            return Response(HTTPStatus.SEE_OTHER, "", headers)
        case _:
            return Response(HTTPStatus.OK, json.dumps(shown), data_headers())


def led_to[S: Scene[PageTexts]](
    scene: S, url: str, route: str, show: Callable[[S], Page]
) -> Page | SeeOther:
    """Redirect a POST to a page, or return the page if a script sent the form (`?stay`).

    The latter saves the browser a request. The page's script then replaces the form's address by
    the page's (`url`, relative to the request's address), so that a reload sends nothing again.
    `show` gets the scene of the page's own `route`.
    """
    if _STAY not in scene.request.query:
        return SeeOther(url)
    there = scene.at(route)
    return replace(show(there), scene=there, moved_to=url)


def _rendered(scene: Scene[PageTexts], page: Page) -> Response:
    nonce = secrets.token_urlsafe(_NONCE_BYTES)
    headers = _page_headers(page, nonce, scene.language.tag)
    soon = _RETRY_SOON if page.status == CODES["try_again"].status else {}
    return Response(page.status, text_of(page, scene, nonce), {**headers, **soon})


def text_of(page: Page, scene: Scene[PageTexts], nonce: str = "") -> str:
    """Render a page as HTML; without a nonce it has no styles and no script."""
    scene = page.scene or scene
    language, shared = scene.language, scene.texts.shared
    here = scene.own_address if page.here is None else page.here
    values = {
        "view": page.view,
        "section": page.section,
        "reader": scene.reader,
        "language": language,
        "links": scene.links,
        "m": shared,
        "texts": scene.texts,
        "other_language": SharedTexts(language.other).language_name,
        "nonce": nonce,
        "request_id": scene.request.request_id,
        "here": here,
        "switch": in_language(here, language.other),
        "asked_language": scene.links.query,
        "moved_to": page.moved_to,
    }
    return render(page.template, values)


def unknown_route(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the response to an unknown route, as API Gateway returns it for all others."""
    code = CODES[UNKNOWN_ROUTE]
    body = {"code": code.code, "msg": "No such route", "data": {"reason": UNKNOWN_ROUTE}}
    text = json.dumps(body, separators=(",", ":"))
    return proxy_response(
        Response(code.status, text, data_headers()), event["requestContext"]["requestId"]
    )


def back_page(scene: Scene[PageTexts]) -> Page | None:
    """Return the page that S3 redirects a browser to; None if the address names no upload.

    Any site can open this address, so it changes nothing. The page's form does, by a POST from our
    own origin. Its script submits the form only in a tab that has just sent this upload. The page
    needs no session, because a browser that comes from S3 sends no SameSite=Strict cookie.
    """
    key = scene.request.query.get(_KEY, "")
    if _UPLOAD.fullmatch(key) is None:
        return None
    view = {"key": key, "action": scene.links.query or "?", "pause_seconds": 0}
    return Page("back.html", view, f"?{urlencode({_KEY: key})}")


def waiting_page(scene: Scene[PageTexts], key: str) -> Page:
    """Return the page of an upload that could not be taken yet: it tries again by itself.

    Its script sends the form. Without a script the browser opens the address of the same form, and
    the pauses grow likewise.
    """
    again = min(tries_of(scene.request) + 1, _TRIES_COUNTED)
    action = f"?{_AGAIN}={again}{scene.links.query.replace('?', '&')}"
    key_part = urlencode({_KEY: key})
    view = {
        "key": key,
        "action": action,
        "address": f"{action}&{key_part}",
        "pause_seconds": again * _PAUSE_SECONDS,
    }
    return Page("back.html", view, f"?{key_part}", status=HTTPStatus.ACCEPTED)


def tries_of(request: Request) -> int:
    """Return how often the page of an upload has tried again; 0 if it has not."""
    tries = request.query.get(_AGAIN, "")
    return int(tries) if tries in map(str, range(1, _TRIES_COUNTED + 1)) else 0


def uploaded_key(request: Request) -> str:
    """Return the key of the upload that a browser has come back from. Raises: BadForm."""
    if request.method == "GET":
        return request.query.get(_KEY, "")
    return read_form(request, (_KEY,))[_KEY]


def _page_headers(page: Page, nonce: str, language_tag: str) -> dict[str, str]:
    """Return an HTML page's headers; images come only from, and files go only to, its origins.

    A page with an upload form may show the file that was chosen (`blob:`). A page that `has_worker`
    may register our service worker.
    """
    chosen = () if page.upload_origin is None else ("blob:",)
    images = " ".join(dict.fromkeys((*page.image_origins, *chosen))) or "'none'"
    forms = "'self'" if page.upload_origin is None else f"'self' {page.upload_origin}"
    return {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Language": language_tag,
        "Content-Security-Policy": _policy(
            "default-src 'none'",
            f"style-src 'nonce-{nonce}'",
            f"script-src 'nonce-{nonce}'",
            f"img-src {images}",
            "connect-src 'self'",
            *(("worker-src 'self'",) if page.has_worker else ()),
            f"form-action {forms}",
        ),
        **_ALWAYS,
    }


def data_headers(kind: str = "application/json") -> dict[str, str]:
    """Return the headers of data or of a service worker's script, which may load nothing."""
    return {
        "Content-Type": f"{kind}; charset=utf-8",
        "Content-Security-Policy": _policy("default-src 'none'", "form-action 'none'"),
        **_ALWAYS,
    }


def _policy(*directives: str) -> str:
    return "; ".join((*directives, "base-uri 'none'", "frame-ancestors 'none'"))


_ALWAYS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Language",
    "X-Content-Type-Options": "nosniff",
}
