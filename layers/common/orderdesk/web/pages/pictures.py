"""A picture that somebody sent, as the pages show it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from orderdesk.domain.orders.order import Receipt


@dataclass(frozen=True, slots=True)
class PageLink:
    """A further page of a picture."""

    text: str
    link: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Picture:
    """`preview` is the address of a small picture, `link` leads to the first page."""

    label: str
    link: str = field(repr=False)
    preview: str = field(repr=False)
    more: tuple[PageLink, ...]


def picture_of(
    receipt: Receipt, label: str, preview: str, page_text: str, link: Callable[[int], str]
) -> Picture:
    """Give the picture of a receipt; `link` gives the address of a page, counted from 1.

    `page_text` names a further page: its `{page}` is replaced.
    """
    further = range(2, receipt.pages + 1)
    more = tuple(PageLink(page_text.format(page=page), link(page)) for page in further)
    return Picture(label, link(1), preview, more)
