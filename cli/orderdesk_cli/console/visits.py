"""One request of the console: what it asks, how it is answered, and what goes wrong with it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from orderdesk.web.pages.headers import new_nonce, page_headers
from orderdesk_cli.console.refusals import NO_SUCH_PAGE, Problem, problem_of
from orderdesk_cli.console.rendering import render

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

_TAG = "en"


@dataclass(frozen=True, slots=True)
class Premises:
    """What all visits share: the office, and the path under which every page is."""

    office: "Office"
    root: str


@dataclass(frozen=True, slots=True)
class Visit:
    """A request: its path's parts, its query and its form, without what was left empty."""

    premises: Premises
    parts: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, str] = field(repr=False)

    @property
    def office(self) -> "Office":
        """The stack and the operator."""
        return self.premises.office

    @property
    def now(self) -> int:
        """The time in Unix seconds."""
        return self.office.now()

    @property
    def reason(self) -> str:
        """The form's reason; the use cases say where one is needed."""
        return self.form.get("reason", "")

    def to(self, path: str = "", **query: str) -> str:
        """Give the address of a page."""
        asked = f"?{urlencode(query)}" if query else ""
        return f"{self.premises.root}/{path}{asked}"

    def page(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Render a page."""
        nonce = new_nonce()
        shared = {
            "nonce": nonce,
            "to": self.to,
            "who": self.office.operator.who,
            "stack": self.office.stack.name,
            "time_of_page": self.now,
        }
        headers = page_headers(nonce, _TAG, ("'self'",))
        return HTMLResponse(render(template, {**shared, **values}), status, headers)

    def go(self, path: str, **query: str) -> Response:
        """Lead to another page, for example after a form."""
        return RedirectResponse(self.to(path, **query), HTTPStatus.SEE_OTHER)

    def problem(self, problem: Problem) -> Response:
        """Show that something cannot be done."""
        return self.page("problem.html", status=problem.status, section="", problem=problem)


type View = Callable[[Visit], Response]


def endpoint(premises: Premises, view: View) -> Callable[[Request], Awaitable[Response]]:
    """Make a page's endpoint; the page runs in a thread, because requests to AWS wait."""

    async def run(request: Request) -> Response:
        body = await request.body()
        visit = Visit(
            premises,
            {name: str(part) for name, part in request.path_params.items()},
            _given(request.url.query),
            _given(body.decode("utf-8", "replace")),
        )
        return await run_in_threadpool(partial(answered, visit, view))

    return run


def not_found(visit: Visit) -> Response:
    """Say that no page has this address."""
    return visit.problem(NO_SUCH_PAGE)


def answered(visit: Visit, view: View) -> Response:
    """Answer a visit; a refusal becomes its page. What is a bug is raised."""
    try:
        return view(visit)
    except Exception as error:
        problem = problem_of(error)
        if problem is None:
            raise
        return visit.problem(problem)


def _given(text: str) -> dict[str, str]:
    return {name: value.strip() for name, value in parse_qsl(text) if value.strip()}
