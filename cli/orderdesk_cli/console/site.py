"""One request of the console: what it asks, how it is answered, and what goes wrong with it."""

import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import click
from jinja2 import FileSystemLoader
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from orderdesk_cli.api import Api, NoAnswer, NotAllowed, Refused
from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.console.words import SECTIONS, WORDS, Words
from orderdesk_cli.sheets.html import environment, rendered
from orderdesk_cli.sheets.layout import Block, Cell, Language, View, blocks_of
from orderdesk_cli.sheets.sheet import Json, Kind, Label, Sheet

LANGUAGE_COOKIE = "orderdesk_language"
_NONCE_BYTES = 16
_TAGS = {Language.EN: "en", Language.ZH: "zh-CN"}
_TEMPLATES = environment().overlay(loader=FileSystemLoader(Path(__file__).parent / "templates"))

# The page of each kind of id, and the command that its page calls.
_PAGES = {
    Kind.ORDER: ("orders", "order.show"),
    Kind.PROPOSAL: ("proposals", "proposal.show"),
    Kind.MERCHANT: ("merchants", "merchant.show"),
    Kind.TRADER: ("traders", "trader.show"),
    Kind.CALLBACK: ("callbacks", "callback.show"),
}


class BadForm(Exception):
    """A field is not filled in correctly; the text names it."""


@dataclass(frozen=True, slots=True)
class Site:
    """What all requests share: the API, who calls it and may call what, and where the pages are."""

    api: Api
    root: str
    person: str
    rights: frozenset[str]


@dataclass(frozen=True, slots=True)
class Visit:
    """A request: its language, its path's parts, its query and its form, without empty values."""

    site: Site
    language: Language
    path: str
    parts: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, str] = field(repr=False)

    @property
    def words(self) -> Words:
        """The console's own words in the visitor's language."""
        return WORDS[self.language]

    def text(self, label: Label) -> str:
        """Return a label in the visitor's language."""
        return label[self.language]

    def may(self, command: str) -> bool:
        """Return whether the operator may call a command."""
        return command in self.site.rights

    def to(self, path: str = "", **query: str) -> str:
        """Return the address of a page."""
        asked = f"?{urlencode(query)}" if query else ""
        return f"{self.site.root}/{path}{asked}"

    def link_to(self, cell: Cell) -> str | None:
        """Return the address of a cell's page, if the operator may open it."""
        if cell.kind not in _PAGES or not cell.value:
            return None
        section, command = _PAGES[cell.kind]
        return self.to(f"{section}/{cell.value}") if self.may(command) else None

    def drawn(self, sheet: Sheet, data: Json) -> str:
        """Render an answer by its sheet."""
        return self.drawn_blocks(blocks_of(sheet, data, View(self.language)))

    def drawn_blocks(self, blocks: Iterator[Block]) -> str:
        """Render blocks."""
        return rendered(blocks, self.link_to, self.words.copy)

    def page(self, template: str, *, status: int = HTTPStatus.OK, **values: object) -> Response:
        """Render a page."""
        nonce = secrets.token_urlsafe(_NONCE_BYTES)
        other = Language(1 - self.language)
        shared = {
            "nonce": nonce,
            "to": self.to,
            "words": self.words,
            "tag": _TAGS[self.language],
            "sections": [
                (path, label[self.language])
                for path, command, label in SECTIONS
                if self.may(command)
            ],
            "site": self.site,
            "other_language": self.to("language", to=other.name.lower(), back=self.path),
            "other_tag": _TAGS[other],
            "other_name": WORDS[other].language,
        }
        text = _TEMPLATES.get_template(template).render({**shared, **values})
        return HTMLResponse(text, status, _headers(nonce, _TAGS[self.language]))

    def go(self, path: str, **query: str) -> Response:
        """Redirect to another page."""
        return RedirectResponse(self.to(path, **query), HTTPStatus.SEE_OTHER)

    def problem(self, status: HTTPStatus, title: str, lines: list[str]) -> Response:
        """Show that something cannot be done."""
        return self.page("problem.html", status=status, section="", title=title, lines=lines)


type Answerer = Callable[[Visit], Response]


def endpoint(site: Site, answer: Answerer) -> Callable[[Request], Awaitable[Response]]:
    """Create a page's endpoint; the page runs in a thread, because it waits for the API."""

    async def run(request: Request) -> Response:
        body = await request.body()
        visit = Visit(
            site,
            _language_of(request),
            request.url.path.removeprefix(f"{site.root}/"),
            {name: str(part) for name, part in request.path_params.items()},
            _given(request.url.query),
            _given(body.decode("utf-8", "replace")),
        )
        return await run_in_threadpool(partial(_answered, visit, answer))

    return run


def not_found(visit: Visit) -> Response:
    """Say that no page has this address."""
    return visit.problem(HTTPStatus.NOT_FOUND, visit.words.no_page, [])


def switch_language(visit: Visit) -> Response:
    """Keep the chosen language in a cookie, and return to the page."""
    back = visit.go(visit.query.get("back", "orders").lstrip("/\\"))
    language = Language.ZH if visit.query.get("to") == "zh" else Language.EN
    back.set_cookie(
        LANGUAGE_COOKIE,
        language.name.lower(),
        path=visit.site.root,
        httponly=True,
        samesite="strict",
    )
    return back


def _answered(visit: Visit, answer: Answerer) -> Response:
    """Answer a visit; a refusal becomes its page. A bug is raised."""
    words = visit.words
    try:
        return answer(visit)
    except BadForm as error:
        return visit.problem(HTTPStatus.UNPROCESSABLE_ENTITY, words.bad_form, [str(error)])
    except click.BadParameter as error:
        return visit.problem(HTTPStatus.UNPROCESSABLE_ENTITY, words.bad_form, [error.message])
    except Exception as error:
        complaint = complaint_about(error, visit.site.api, writes=bool(visit.form))
        if complaint is None:
            raise
        status, title = _status_of(error, words)
        return visit.problem(status, title, list(complaint.lines))


def _status_of(error: Exception, words: Words) -> tuple[HTTPStatus, str]:
    match error:
        case Refused(is_usage=True):
            return HTTPStatus.UNPROCESSABLE_ENTITY, words.bad_form
        case Refused(status=HTTPStatus.NOT_FOUND):
            return HTTPStatus.NOT_FOUND, words.not_there
        case Refused():
            return HTTPStatus.CONFLICT, words.refused
        case NotAllowed():
            return HTTPStatus.FORBIDDEN, words.not_allowed
        case NoAnswer():
            return HTTPStatus.SERVICE_UNAVAILABLE, words.no_answer
        case _:
            return HTTPStatus.BAD_GATEWAY, words.no_answer


def _language_of(request: Request) -> Language:
    kept = request.cookies.get(LANGUAGE_COOKIE)
    if kept in {"en", "zh"}:
        return Language[kept.upper()]
    for part in request.headers.get("accept-language", "").split(","):
        tag = part.partition(";")[0].strip().lower()
        if tag.startswith("zh"):
            return Language.ZH
        if tag.startswith("en"):
            break
    return Language.EN


def _given(text: str) -> dict[str, str]:
    return {name: value.strip() for name, value in parse_qsl(text) if value.strip()}


def _headers(nonce: str, tag: str) -> dict[str, str]:
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; "
        "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    return {"Content-Language": tag, "Content-Security-Policy": policy}
