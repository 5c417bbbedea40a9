"""The desk's balance page: the trader's balance and statement."""

import re
from dataclasses import dataclass

from orderdesk.domain.ledger.accounts import Entry, TransferKind
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.desk import Slice
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import Moment, moment_of, usdt_of

# A posting's sort key; anything longer is not sent to the store.
_PLACE = re.compile(r"[\w#-]{1,100}", re.ASCII)
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class PostingView:
    """One posting: its signed amount in USDT, and the order that it settles, if any."""

    kind: str
    amount: str
    is_credit: bool
    order_no: str
    link: str | None
    memo: str
    at: Moment


@dataclass(frozen=True, slots=True)
class BalanceView:
    """The balance in USDT, and one page of the statement; `older` links to the next page."""

    available: str
    held: str
    is_test: bool
    postings: tuple[PostingView, ...]
    is_newest: bool
    older: str | None
    now: int


def balance_page(
    trader: Trader,
    page: Slice[Entry],
    before: str | None,
    language: Language,
    links: DeskLinks,
    *,
    now: int,
) -> Page:
    """Make the balance page, with one page of the statement."""
    texts = TEXTS[language]
    view = BalanceView(
        available=usdt_of(trader.available_micro),
        held=usdt_of(trader.held_micro),
        is_test=bool(trader.mode.is_test),
        postings=tuple(_posting(entry, texts, links) for entry in page.items),
        is_newest=before is None,
        older=None if page.before is None else links.to("balance", before=page.before),
        now=now,
    )
    query = {} if before is None else {"before": before}
    here = links.here("balance", **query)
    return desk_page("desk/balance.html", view, links, here, section="balance")


def posting_before(request: Request) -> str | None:
    """Read the posting that the statement starts below; None for the newest."""
    text = request.query.get("before", "")
    return text if _PLACE.fullmatch(text) else None


def _kind(kind: TransferKind, texts: DeskTexts) -> str:
    match kind:
        case TransferKind.FUNDING:
            return texts.lists.funding
        case TransferKind.SETTLEMENT:
            return texts.lists.settlement
        case TransferKind.WITHDRAWAL:
            return texts.lists.withdrawal


def _posting(entry: Entry, texts: DeskTexts, links: DeskLinks) -> PostingView:
    is_credit = entry.amount_micro >= 0
    return PostingView(
        kind=_kind(entry.kind, texts),
        amount=f"{'+' if is_credit else _MINUS}{usdt_of(entry.amount_micro)}",
        is_credit=is_credit,
        order_no=entry.order_no,
        link=links.order(entry.order_no) if entry.order_no else None,
        memo=entry.memo,
        at=moment_of(entry.at_us // US_PER_SECOND, texts.shared),
    )
