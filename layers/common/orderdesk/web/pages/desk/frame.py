"""The parts of every desk page: its links, its section in the navigation, its problem pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from orderdesk.domain.orders.transitions import Move
from orderdesk.services.traders.sessions import NotLoggedIn
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.links import asked_language
from orderdesk.web.pages.page import REFUSALS, Page, Problems, SeeOther, language_of, status_of

_DESK = "/trader"

type TraderMove = Literal[Move.CONFIRM, Move.DISPUTE, Move.DECLINE]
"""The moves that the desk offers."""


def _part_of(move: TraderMove) -> str:
    match move:
        case Move.CONFIRM:
            return "confirm"
        case Move.DISPUTE:
            return "report"
        case Move.DECLINE:
            return "decline"


_MOVES: tuple[TraderMove, ...] = (Move.CONFIRM, Move.DISPUTE, Move.DECLINE)
PARTS: Mapping[TraderMove, str] = {move: _part_of(move) for move in _MOVES}
"""A trader's moves, and the path of each under an order's page."""


@dataclass(frozen=True, slots=True)
class DeskLinks:
    """The desk's relative links from one of its routes, in the requested language."""

    root: str
    language: str

    @classmethod
    def of(cls, request: Request) -> "DeskLinks":
        """Give the links of a request's page; the depth of its route gives the number of `../`."""
        below = request.route.removeprefix(_DESK).count("/")
        root = "../" * (below - 1) if below else f"{_DESK.removeprefix('/')}/"
        return cls(root, asked_language(request))

    def here(self, path: str, **query: str) -> str:
        """Give a page's address without a language."""
        return f"{self.root}{path}{f'?{urlencode(query)}' if query else ''}"

    def to(self, path: str, **query: str) -> str:
        """Give a page's address in the requested language."""
        address = self.here(path, **query)
        return address + (self.language.replace("?", "&") if query else self.language)

    def order(self, order_no: str) -> str:
        """Give the address of an order's page."""
        return self.to(f"orders/{order_no}")

    def move(self, order_no: str, move: TraderMove) -> str:
        """Give the address where a move of an order is confirmed (GET) and made (POST)."""
        return self.to(f"orders/{order_no}/{PARTS[move]}")

    def receipt(self, order_no: str, number: int, page: int = 1) -> str:
        """Give the address of a receipt of an order; the first has number 1."""
        return self._picture(f"orders/{order_no}/receipts/{number}", page)

    def note(self, order_no: str, number: int, page: int = 1) -> str:
        """Give the address of a picture of a dispute's note; the first note has number 1."""
        return self._picture(f"orders/{order_no}/notes/{number}", page)

    def _picture(self, path: str, page: int) -> str:
        return self.to(path) if page == 1 else self.to(path, page=str(page))


def return_address(request: Request, public_base_url: str, order_no: str) -> str:
    """Give the absolute address to which S3 sends a browser back after an upload."""
    base = (public_base_url or request.stage_url).rstrip("/")
    return f"{base}{_DESK}/orders/{order_no}/proof{asked_language(request)}"


_NOWHERE = "order_not_found"


def desk_page(
    template: str,
    view: object,
    links: DeskLinks,
    here: str,
    *,
    section: str | None = None,
    image_origin: str | None = None,
    upload_origin: str | None = None,
    status: int = 200,
    has_worker: bool = False,
) -> Page:
    """Make a desk page; `section` is its section in the navigation, or None."""
    return Page(
        template,
        {"view": view, "links": links, "section": section},
        texts=TEXTS,
        image_origins=(image_origin,) if image_origin else (),
        upload_origin=upload_origin,
        status=status,
        here=here,
        has_worker=has_worker,
    )


def _problem_page(request: Request, reason: str) -> Page | SeeOther:
    """Show a problem to a trader; without a session every address leads to the login."""
    links = DeskLinks.of(request)
    if reason == NotLoggedIn.reason:
        return SeeOther(links.to("login"))
    view = {
        "problem": TEXTS[language_of(request)].problems[reason],
        "is_nowhere": reason == _NOWHERE,
        "can_reload": request.method == "GET" and reason != _NOWHERE,
    }
    here = "" if request.method == "GET" else links.here("orders")
    return desk_page("desk/problem.html", view, links, here, status=status_of(reason))


DESK_PROBLEMS = Problems((*REFUSALS, NotLoggedIn), _problem_page)
