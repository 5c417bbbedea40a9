"""Links between the desk's pages, relative: no link knows host, stage or base path."""

from dataclasses import dataclass
from urllib.parse import urlencode

from orderdesk.domain.transitions import Move
from orderdesk.web.http import Request
from orderdesk.web.pages_links import asked_language

_DESK = "/trader"
PARTS = {Move.CONFIRM: "confirm", Move.DISPUTE: "report", Move.DECLINE: "decline"}
"""A trader's moves, as the parts of an order's page name them."""


@dataclass(frozen=True, slots=True)
class DeskLinks:
    """The desk as seen from one of its routes, in the language asked for."""

    root: str
    language: str

    @classmethod
    def of(cls, request: Request) -> "DeskLinks":
        """Give the links of a request's page: up as many folders as its route is deep."""
        below = request.route.removeprefix(_DESK).count("/")
        root = "../" * (below - 1) if below else f"{_DESK.removeprefix('/')}/"
        return cls(root, asked_language(request))

    def here(self, path: str, **query: str) -> str:
        """Give a page's address that asks for no language yet."""
        return f"{self.root}{path}{f'?{urlencode(query)}' if query else ''}"

    def to(self, path: str, **query: str) -> str:
        """Give a page's address in the language asked for."""
        address = self.here(path, **query)
        return address + (self.language.replace("?", "&") if query else self.language)

    def order(self, order_no: str) -> str:
        """Give an order's page."""
        return self.to(f"orders/{order_no}")

    def move(self, order_no: str, move: Move) -> str:
        """Give where a move of an order is asked about (GET) and made (POST)."""
        return self.to(f"orders/{order_no}/{PARTS[move]}")

    def receipt(self, order_no: str, number: int) -> str:
        """Give where a receipt of an order can be seen; the first is 1."""
        return self.to(f"orders/{order_no}/receipts/{number}")


def return_address(request: Request, public_base_url: str, order_no: str) -> str:
    """Give the whole address to which S3 sends a browser back from an upload."""
    base = (public_base_url or request.stage_url).rstrip("/")
    return f"{base}{_DESK}/orders/{order_no}/proof{asked_language(request)}"
