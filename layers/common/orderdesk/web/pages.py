"""Around every page: one place that catches, logs, renders and sets the headers.

The pages' counterpart of `endpoint`: an expected refusal becomes a page of its own, anything else
the page of an internal error, and every answer carries the headers of contract section 8.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import OrderNotFound, Refusal, TooManyRequests, TryAgain
from orderdesk.web.codes import CODES, INTERNAL_ERROR
from orderdesk.web.endpoint import log_unexpected
from orderdesk.web.http import Answer, Request, request_of, response_of
from orderdesk.web.messages import MESSAGES, Language
from orderdesk.web.pages_headers import data_headers, new_nonce, page_headers
from orderdesk.web.pages_links import asked_language, own_address
from orderdesk.web.pages_templates import render
from orderdesk.web.posted_forms import BadForm, NotSameOrigin

_RETRY_SOON = {"Retry-After": "1"}
_STATUSES = {NotSameOrigin.reason: 403, BadForm.reason: 400}


@dataclass(frozen=True, slots=True)
class Page:
    """A page before it is rendered: where its images come from and its files go to, if any."""

    template: str
    values: Mapping[str, object] = field(repr=False)
    image_origin: str | None = None
    status: int = 200
    upload_origin: str | None = None


@dataclass(frozen=True, slots=True)
class SeeOther:
    """The answer to a POST that is done: the browser goes on to another page (303)."""

    url: str = field(repr=False)


type PageRoute = Callable[[Request, int], Page | SeeOther]
"""Gets the request and the time in Unix seconds."""

type DataRoute = Callable[[Request, int], Mapping[str, object]]
"""The same for what a page's script fetches."""


def language_of(request: Request) -> Language:
    """Give the page's language: the switch's `?lang=`, else Accept-Language's choice."""
    asked = request.query.get("lang")
    if asked in {language.value for language in Language}:
        return Language(asked)
    return Language.ZH if request.prefers_chinese else Language.EN


def answer_page(event: Mapping[str, Any], logger: Logger, route: PageRoute) -> dict[str, Any]:
    """Run a page's route on an API Gateway event."""

    def show(request: Request, now: int) -> Answer:
        page = route(request, now)
        if isinstance(page, SeeOther):
            return Answer(303, "", {**data_headers(), "Location": page.url})
        return _rendered(request, page)

    def show_problem(request: Request, reason: str) -> Answer:
        values = {"problem": MESSAGES[language_of(request)].problems[reason], "reason": reason}
        return _rendered(request, Page("problem.html", values, status=_status_of(reason)))

    return _answer(event, logger, show, show_problem)


def answer_data(event: Mapping[str, Any], logger: Logger, route: DataRoute) -> dict[str, Any]:
    """Run a script's route on an API Gateway event; a problem is told by its reason."""

    def give(request: Request, now: int) -> Answer:
        return Answer(200, json.dumps(route(request, now)), data_headers())

    def give_problem(_: Request, reason: str) -> Answer:
        return Answer(_status_of(reason), json.dumps({"reason": reason}), data_headers())

    return _answer(event, logger, give, give_problem)


def _answer(
    event: Mapping[str, Any],
    logger: Logger,
    run: Callable[[Request, int], Answer],
    tell: Callable[[Request, str], Answer],
) -> dict[str, Any]:
    now, request = int(time.time()), request_of(event)
    route = f"{request.method} {request.route}"
    with logger.append_context_keys(request_id=request.request_id, route=route):
        try:
            answer = run(request, now)
            logger.info("done", extra={"status": answer.status})
        except (OrderNotFound, TooManyRequests, TryAgain, NotSameOrigin, BadForm) as refusal:
            code = CODES[refusal.reason].code if refusal.reason in CODES else None
            logger.info("refused", extra={"code": code, "reason": refusal.reason})
            answer = tell(request, refusal.reason)
            answer = replace(answer, headers={**answer.headers, **_retry_after(refusal)})
        except Exception as error:  # noqa: BLE001 - the last resort of the house
            log_unexpected(logger, error)
            answer = tell(request, INTERNAL_ERROR)
    return response_of(answer, request.request_id)


def _retry_after(refusal: Refusal) -> Mapping[str, str]:
    """Say when to come back, to whom it helps."""
    match refusal:
        case TooManyRequests():
            return {"Retry-After": str(refusal.retry_after_seconds)}
        case TryAgain():
            return _RETRY_SOON
        case _:
            return {}


def _status_of(reason: str) -> int:
    """Give a problem's status: its code's, or its own where merchants have no such code."""
    return _STATUSES[reason] if reason in _STATUSES else CODES[reason].status


def _rendered(request: Request, page: Page) -> Answer:
    language, nonce = language_of(request), new_nonce()
    values = {
        **page.values,
        "language": language,
        "m": MESSAGES[language],
        "other_language": MESSAGES[language.other].language_name,
        "nonce": nonce,
        "request_id": request.request_id,
        "here": own_address(request),
        "asked_language": asked_language(request),
    }
    headers = page_headers(nonce, language.tag, page.image_origin, page.upload_origin)
    soon = _RETRY_SOON if page.status == CODES["try_again"].status else {}
    return Answer(page.status, render(page.template, values), {**headers, **soon})
