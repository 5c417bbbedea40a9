"""One request of the console: what it asks, how it is answered, and what goes wrong with it."""

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from jinja2 import FileSystemLoader
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from orderdesk_cli.api import PAGE_MAX, Api, NoAnswer, NotAllowed, Refused
from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.console.console_texts import Words
from orderdesk_cli.language import Language
from orderdesk_cli.options import of_api
from orderdesk_cli.sheets.html import environment, rendered
from orderdesk_cli.sheets.layout import Cell, View, blocks_of
from orderdesk_cli.sheets.sheet import Json, Kind, Label, Sheet

WORDS = {language: Words(language) for language in Language}
LANGUAGE_COOKIE = "orderdesk_language"
_NONCE_BYTES = 16
_TAGS = {Language.EN: "en", Language.ZH: "zh-CN"}
_TEMPLATES = environment().overlay(loader=FileSystemLoader(Path(__file__).parent / "templates"))

_NAMES_KEPT_SECONDS = 60

# The page of each kind of id, and the command that its page calls.
_PAGES = {
    Kind.ORDER: ("orders", "order.show"),
    Kind.PROPOSAL: ("proposals", "proposal.show"),
    Kind.MERCHANT: ("merchants", "merchant.show"),
    Kind.TRADER: ("traders", "trader.show"),
    Kind.CALLBACK: ("callbacks", "callback.show"),
}
_ABSENT = (
    "section found drawn older newest following back here leads filters actions decisions pictures "
    "charts is_filtered progress"
)
_NOTHING = dict.fromkeys(_ABSENT.split(), "")
"""What a page leaves out if it does not say otherwise."""

_DRAFT = ("drafts", "draft.show")
_NUMBER = re.compile(r"[A-Z][0-9]{15,}\Z")
_LETTERS = {"B": Kind.ORDER, "S": Kind.ORDER, "D": Kind.ORDER, "P": Kind.PROPOSAL}


class BadForm(Exception):
    """Fields are not filled in correctly: what is wrong, by the name of each; the text has all."""

    def __init__(self, text: str, problems: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.problems = problems or {}


class PartyNames:
    """The names of merchants and traders by id, read when an answer lacks one, and kept a while."""

    def __init__(self, api: Api, clock: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._clock = clock
        self._known: Mapping[str, tuple[Kind, str]] = {}
        self._read_at: float | None = None

    def name_of(self, own_id: str) -> str | None:
        return self.of(own_id)[1]

    def of(self, own_id: str) -> tuple[Kind | None, str | None]:
        """Return of which kind an id is, and its name."""
        now = self._clock()
        if self._read_at is None or now - self._read_at > _NAMES_KEPT_SECONDS:
            self._known, self._read_at = dict(self._read()), now
        return self._known.get(own_id, (None, None))

    def _read(self) -> Iterator[tuple[str, tuple[Kind, str]]]:
        for kind, command in ((Kind.MERCHANT, "merchant.list"), (Kind.TRADER, "trader.list")):
            with suppress(Refused, NotAllowed, NoAnswer):
                for each in self._api.items(command, limit=PAGE_MAX):
                    own_id = each.get(f"{kind.name.lower()}_id")
                    yield str(own_id), (kind, str(each.get("name") or own_id))


@dataclass(frozen=True, slots=True)
class Site:
    """What all requests share: the API, who calls it and may call what, and where the pages are.

    `sections` are the navigation: a path, the command that it needs, and its name.
    """

    api: Api
    root: str
    person: str
    rights: frozenset[str]
    names: PartyNames
    sections: Sequence[tuple[str, str, Label]]


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

    def is_proposer_of(self, data: Mapping[str, Json]) -> bool:
        """Return whether the operator proposed it; upper and lower case are the same person."""
        return str(data.get("proposed_by")).casefold() == self.site.person.casefold()

    def call(self, command: str, /, **parameters: Json) -> Mapping[str, Json]:
        """Call a command that reads. Raises: as `Api.call`."""
        self.require(command)
        return self.site.api.call(command, **parameters)

    def require(self, command: str) -> None:
        """Refuse what no page offers this operator. Raises: NotAllowed."""
        if not self.may(command):
            raise NotAllowed(command, "not authorized")

    @property
    def view(self) -> View:
        """How answers are laid out for the visitor."""
        return View(self.language, self.site.names.name_of)

    def to(self, path: str = "", **query: str) -> str:
        asked = f"?{urlencode(query)}" if query else ""
        return f"{self.site.root}/{path}{asked}"

    def link_to(self, cell: Cell) -> str | None:
        """Return the address of a cell's page, if the operator may open it."""
        value = cell.value
        kind: Kind | None = cell.kind
        if not isinstance(value, str):
            return None
        if kind is Kind.SUBJECT:
            is_number = _NUMBER.match(value)
            kind = _LETTERS.get(value[0]) if is_number else self.site.names.of(value)[0]
        if kind not in _PAGES:
            return None
        is_draft = kind is Kind.ORDER and value.startswith("D")
        section, command = _DRAFT if is_draft else _PAGES[kind]
        return self.to(f"{section}/{quote(value, safe='')}") if self.may(command) else None

    def drawn(self, sheet: Sheet, data: Json) -> str:
        return rendered(blocks_of(sheet, data, self.view), self.link_to, self.words.copy)

    def page(
        self, template: str, values: Mapping[str, object], status: int = HTTPStatus.OK
    ) -> Response:
        nonce = secrets.token_urlsafe(_NONCE_BYTES)
        other = Language(1 - self.language)
        shared = {
            "nonce": nonce,
            "to": self.to,
            "words": self.words,
            "tag": _TAGS[self.language],
            "sections": [
                (path, self.text(label))
                for path, command, label in self.site.sections
                if self.may(command)
            ],
            "site": self.site,
            "may_find": self.may("order.find"),
            **_NOTHING,
            "other_language": self.to("language", to=other.name.lower(), back=self.path),
            "other_tag": _TAGS[other],
            "other_name": WORDS[other].language_name,
        }
        text = _TEMPLATES.get_template(template).render({**shared, **values})
        policy = (
            f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; "
            "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
            "frame-ancestors 'none'"
        )
        headers = {"Content-Language": _TAGS[self.language], "Content-Security-Policy": policy}
        return HTMLResponse(text, status, headers)

    def go(self, path: str, **query: str) -> Response:
        return RedirectResponse(self.to(path, **query), HTTPStatus.SEE_OTHER)

    def problem(
        self, status: HTTPStatus, title: str, lines: Iterable[str] = (), details: Iterable[str] = ()
    ) -> Response:
        """Show that something cannot be done; `details` are English."""
        back = self.to(self.path) if self.form else ""
        values = {"title": title, "lines": lines, "details": details, "back": back}
        return self.page("problem.html", values, status)


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
    """Show that no page has this address."""
    return visit.problem(HTTPStatus.NOT_FOUND, visit.words.no_page)


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
    except Exception as error:
        complaint = complaint_about(error, visit.site.api, writes=bool(visit.form))
        if complaint is None:
            raise
        match error:
            case Refused(is_usage=True):
                status, title = HTTPStatus.UNPROCESSABLE_ENTITY, words.bad_form
            case Refused(status=HTTPStatus.NOT_FOUND):
                status, title = HTTPStatus.NOT_FOUND, words.not_there
            case Refused(status=HTTPStatus.FORBIDDEN):
                status, title = HTTPStatus.FORBIDDEN, words.refused
            case Refused():
                status, title = HTTPStatus.CONFLICT, words.refused
            case NotAllowed():
                status, title = HTTPStatus.FORBIDDEN, words.not_allowed
            case NoAnswer():
                status, title = HTTPStatus.SERVICE_UNAVAILABLE, words.no_answer
            case _:
                status, title = HTTPStatus.BAD_GATEWAY, words.no_answer
        code = str(error.code) if isinstance(error, Refused) and visit.language else ""
        meaning = of_api("chinese").get(code)  # the details are English
        return visit.problem(status, title, filter(None, [meaning]), complaint.lines)


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
    """Return the values of a query or form; those of one name, as of checkboxes, are joined."""
    given: dict[str, str] = {}
    for name, value in parse_qsl(text):
        if value.strip():
            given[name] = " ".join(filter(None, [given.get(name), value.strip()]))
    return given
