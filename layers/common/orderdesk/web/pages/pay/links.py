"""The addresses of the pay page's parts."""

from dataclasses import dataclass, field

from orderdesk.web.http import Request
from orderdesk.web.pages.links import address_of


@dataclass(frozen=True, slots=True)
class Links:
    """The page's parts relative to the route that shows it; each contains the token."""

    page: str = field(repr=False)
    status: str = field(repr=False)
    paid: str = field(repr=False)
    cancel: str = field(repr=False)
    dispute: str = field(repr=False)
    receipts: str = field(repr=False)
    say: str = field(repr=False)
    notes: str = field(repr=False)

    @classmethod
    def of(cls, request: Request) -> "Links":
        """Give the links of a request's page, in the requested language."""
        parts = ("", "/status", "/paid", "/cancel", "/dispute", "/receipts", "/say", "/notes")
        return cls(*(address_of(request, part) for part in parts))

    def receipt(self, number: int, page: int = 1) -> str:
        """Give the address of a picture of a receipt; both are counted from 1."""
        return _picture(self.receipts, number, page)

    def note(self, number: int, page: int = 1) -> str:
        """Give the address of a picture of a dispute's note; both are counted from 1."""
        return _picture(self.notes, number, page)


def _picture(pictures: str, number: int, page: int) -> str:
    address = pictures.partition("?")[0]  # a picture has no language
    return f"{address}/{number}" + ("" if page == 1 else f"?page={page}")
