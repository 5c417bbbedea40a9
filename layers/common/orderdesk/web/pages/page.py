"""The frame of every page: it catches errors, logs, renders and sets the headers.

It is the pages' counterpart of `endpoint`. An expected refusal becomes its problem page, any other
error the page of an internal error. Every answer has the headers of contract section 8.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import Refusal, TooManyRequests, TryAgain
from orderdesk.domain.orders.errors import OrderNotFound
from orderdesk.web.codes import CODES, INTERNAL_ERROR
from orderdesk.web.http import Answer, Request, request_of, response_of
from orderdesk.web.logs import log_unexpected
from orderdesk.web.pages import SHARED
from orderdesk.web.pages.forms import BadForm, NotSameOrigin
from orderdesk.web.pages.headers import data_headers, new_nonce, page_headers, script_headers
from orderdesk.web.pages.links import asked_language, in_language, own_address
from orderdesk.web.pages.templates import render
from orderdesk.web.pages.texts import ByLanguage, Language

_RETRY_SOON = {"Retry-After": "1"}
_STAY = "stay"
# Problems of pages, which have no code of the merchant API.
_STATUSES = {NotSameOrigin.reason: 403, BadForm.reason: 400, "not_logged_in": 401}


@dataclass(frozen=True, slots=True)
class Page:
    """A page before it is rendered.

    `texts`: the page's own texts, by language; None if the shared texts are enough.
    `image_origins`, `upload_origin`: the origins of its images and the target of its uploads, if
    any. `here`: its address without a language, if that is not the address of its route.
    `has_worker`: whether it registers a service worker.
    `moved_to`: its address, if it answers a POST to another one (`led_to`).
    """

    template: str
    values: Mapping[str, object] = field(repr=False)
    texts: ByLanguage[object] | None = field(default=None, repr=False, kw_only=True)
    image_origins: tuple[str, ...] = ()
    status: int = 200
    upload_origin: str | None = None
    here: str | None = field(default=None, repr=False)
    has_worker: bool = False
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
    """A file that the browser saves; `name` is plain ASCII."""

    name: str
    media_type: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Worker:
    """A service worker's script: its template, and the page's texts by language."""

    template: str
    texts: ByLanguage[object] = field(repr=False)


type PageRoute = Callable[[Request, int], Page | SeeOther | Download | Worker]
"""Gets the request and the time in Unix seconds."""

type DataRoute = Callable[[Request, int], Mapping[str, object]]
"""The same, for data that a page's script fetches."""


@dataclass(frozen=True, slots=True)
class Problems:
    """The refusals that a function's pages expect, and the page for a refusal's reason."""

    refusals: tuple[type[Refusal], ...]
    page: Callable[[Request, str], Page | SeeOther]


def problem_page(request: Request, reason: str) -> Page:
    """Show a problem to a payer."""
    values = {"problem": SHARED[language_of(request)].problems[reason], "reason": reason}
    return Page("problem.html", values, status=status_of(reason))


REFUSALS = (OrderNotFound, TooManyRequests, TryAgain, NotSameOrigin, BadForm)
PAYERS_PROBLEMS = Problems(REFUSALS, problem_page)


def language_of(request: Request) -> Language:
    """Give the page's language: that of `?lang=`, else that of Accept-Language."""
    asked = request.query.get("lang")
    if asked in {language.value for language in Language}:
        return Language(asked)
    return Language.ZH if request.prefers_chinese else Language.EN


def answer_page(
    event: Mapping[str, Any],
    logger: Logger,
    route: PageRoute,
    problems: Problems = PAYERS_PROBLEMS,
) -> dict[str, Any]:
    """Run a page's route on an API Gateway event."""

    def show(request: Request, now: int) -> Answer:
        return _shown(request, route(request, now))

    def show_problem(request: Request, reason: str) -> Answer:
        return _shown(request, problems.page(request, reason))

    return _answer(event, logger, show, show_problem, problems.refusals)


def answer_data(
    event: Mapping[str, Any],
    logger: Logger,
    route: DataRoute,
    problems: Problems = PAYERS_PROBLEMS,
) -> dict[str, Any]:
    """Run a script's route on an API Gateway event; a refusal is answered with its reason."""

    def give(request: Request, now: int) -> Answer:
        return Answer(200, json.dumps(route(request, now)), data_headers())

    def give_problem(_: Request, reason: str) -> Answer:
        return Answer(status_of(reason), json.dumps({"reason": reason}), data_headers())

    return _answer(event, logger, give, give_problem, problems.refusals)


def _answer(
    event: Mapping[str, Any],
    logger: Logger,
    run: Callable[[Request, int], Answer],
    tell: Callable[[Request, str], Answer],
    refusals: tuple[type[Refusal], ...],
) -> dict[str, Any]:
    now, request = int(time.time()), request_of(event)
    route = f"{request.method} {request.route}"
    with logger.append_context_keys(request_id=request.request_id, route=route):
        try:
            answer = run(request, now)
            logger.info("done", extra={"status": answer.status})
        except refusals as refusal:
            code = CODES[refusal.reason].code if refusal.reason in CODES else None
            logger.info("refused", extra={"code": code, "reason": refusal.reason})
            answer = tell(request, refusal.reason)
            answer = replace(answer, headers={**answer.headers, **_retry_after(refusal)})
        except Exception as error:  # noqa: BLE001 - an unexpected error is still answered
            log_unexpected(logger, error)
            answer = tell(request, INTERNAL_ERROR)
    return response_of(answer, request.request_id)


def _retry_after(refusal: Refusal) -> Mapping[str, str]:
    """Give the header that says when to try again, for the refusals that pass."""
    match refusal:
        case TooManyRequests():
            return {"Retry-After": str(refusal.retry_after_seconds)}
        case TryAgain():
            return _RETRY_SOON
        case _:
            return {}


def status_of(reason: str) -> int:
    """Give a reason's HTTP status, also for reasons without a code of the merchant API."""
    return _STATUSES[reason] if reason in _STATUSES else CODES[reason].status


def _shown(request: Request, page: Page | SeeOther | Download | Worker) -> Answer:
    if isinstance(page, Page):
        return _rendered(request, page)
    if isinstance(page, Worker):
        language = language_of(request)
        values = {"texts": page.texts[language], "language": language}
        return Answer(200, render(page.template, values), script_headers())
    if isinstance(page, Download):
        disposition = f'attachment; filename="{page.name}"'
        about = {"Content-Type": page.media_type, "Content-Disposition": disposition}
        return Answer(200, page.text, data_headers() | about)
    cookie = {} if page.cookie is None else {"Set-Cookie": page.cookie}
    return Answer(303, "", {**data_headers(), **cookie, "Location": page.url})


def led_to(
    request: Request, url: str, route: str, show: Callable[[Request], Page]
) -> Page | SeeOther:
    """Lead a POST to a page: by a redirect, or, if a script sent the form (`?stay`), with the page.

    That saves the browser a request. The page's script then puts the page's address in the place of
    the form's, so a reload sends nothing again. `url` is relative to the request's address. `show`
    gets the request of the page's own `route`.
    """
    if _STAY not in request.query:
        return SeeOther(url)
    there = replace(request, method="GET", route=route, body=b"")
    page = show(there)
    here = own_address(there) if page.here is None else page.here
    return replace(page, here=here, moved_to=url)


def _rendered(request: Request, page: Page) -> Answer:
    nonce = new_nonce()
    tag = language_of(request).tag
    headers = page_headers(
        nonce, tag, page.image_origins, page.upload_origin, has_worker=page.has_worker
    )
    soon = _RETRY_SOON if page.status == CODES["try_again"].status else {}
    return Answer(page.status, text_of(page, request, nonce), {**headers, **soon})


def text_of(page: Page, request: Request, nonce: str = "") -> str:
    """Render a page as HTML; without a nonce its styles and scripts do nothing."""
    language = language_of(request)
    here = own_address(request) if page.here is None else page.here
    values = {
        **page.values,
        "language": language,
        "m": SHARED[language],
        "texts": page.texts and page.texts[language],
        "other_language": SHARED[language.other].language_name,
        "nonce": nonce,
        "request_id": request.request_id,
        "here": here,
        "switch": in_language(here, language.other),
        "asked_language": asked_language(request),
        "moved_to": page.moved_to,
    }
    return render(page.template, values)
