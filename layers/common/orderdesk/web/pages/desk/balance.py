"""The desk's balance page: the trader's balance and statement."""

import re
from dataclasses import dataclass

from orderdesk.domain.ledger.accounts import Entry, TransferKind
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.traders.desk import Slice, Statement, statement
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.frame import DeskScene, desk_page
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.values import Moment, moment_of, usdt_of

# The form of a posting's sort key; nothing else is sent to the table.
_PLACE = re.compile(r"[\w#-]{1,100}", re.ASCII)
PAGE_LENGTH = 20
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class PostingView:
    """A posting: its signed amount in USDT, and the order that it settles, if any."""

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


def balance_page(scene: DeskScene, page: Slice[Entry], before: str | None) -> Page:
    """Return the balance page, with the statement's page below the posting `before`."""
    trader, links = scene.trader, scene.links
    view = BalanceView(
        available=usdt_of(trader.available_micro),
        held=usdt_of(trader.held_micro),
        is_test=bool(trader.mode.is_test),
        postings=tuple(_posting(entry, scene) for entry in page.items),
        is_newest=before is None,
        older=None if page.before is None else links.to("balance", before=page.before),
        now=scene.now,
    )
    here = links.here("balance", **({} if before is None else {"before": before}))
    return desk_page("desk/balance.html", view, here, section="balance")


def show_balance(ledger: Statement, scene: DeskScene) -> Page:
    """Return the balance page, with the page of the statement that is asked for."""
    before = posting_before(scene.request)
    return balance_page(scene, statement(ledger, scene.trader, before, limit=PAGE_LENGTH), before)


def posting_before(request: Request) -> str | None:
    """Return the posting below which the statement starts; None for the newest."""
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


def _posting(entry: Entry, scene: DeskScene) -> PostingView:
    is_credit = entry.amount_micro >= 0
    return PostingView(
        kind=_kind(entry.kind, scene.texts),
        amount=f"{'+' if is_credit else _MINUS}{usdt_of(entry.amount_micro)}",
        is_credit=is_credit,
        order_no=entry.order_no,
        link=scene.links.to(f"orders/{entry.order_no}") if entry.order_no else None,
        memo=entry.memo,
        at=moment_of(entry.at_us // US_PER_SECOND, scene.texts.shared),
    )
