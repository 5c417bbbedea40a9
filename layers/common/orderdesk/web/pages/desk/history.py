"""The desk's history and balance: orders that are over, searched and totalled; postings."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from orderdesk.domain.accounts import Entry
from orderdesk.domain.ids import id_range, is_order_no
from orderdesk.domain.money import format_cny, format_rate, format_usdt, parse_typed_cny
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.domain.plain_text import plain_line
from orderdesk.domain.pricing import OrderType
from orderdesk.services.ports import Orders, Slice
from orderdesk.services.traders.desk import (
    DeskOrders,
    Statement,
    own_order,
    returned_orders,
    statement,
)
from orderdesk.services.traders.history import (
    ALL,
    SEARCHED_MAX,
    Found,
    Wanted,
    find_past,
    totals_by_day,
)
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.desk_texts import DeskTexts, SearchTexts
from orderdesk.web.pages.desk.gate import DeskScene
from orderdesk.web.pages.desk.open_orders import TEXT_MAX, number_of
from orderdesk.web.pages.desk.summary import payer_of, summary_of
from orderdesk.web.pages.frame import Download, Page
from orderdesk.web.pages.scene import Typed
from orderdesk.web.pages.values import account_of, china_time, start_of_day

PAGE_LENGTH = 20
DAYS_MAX = 31
_DAY = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}")
ORDER_ID = re.compile(r"[0-9]{1,16}")
# The form of a posting's sort key; nothing else is sent to the table.
PLACE = re.compile(r"[\w#-]{1,100}", re.ASCII)
_OWNED = re.compile(r"-?[0-9]{1,18}")
_CSV = "csv"
_CSV_VALUES = range(3, 8)  # the columns of times and amounts


class SearchField(StrEnum):
    """The fields of the form, by their names in the query."""

    NUMBER = "number"
    AMOUNT = "amount"
    DAY = "day"
    UNTIL = "until"


@dataclass(frozen=True, slots=True)
class Search:
    """A search: the fields as they were typed, and their values.

    `order_no` is set if a whole number was typed: that order is looked up, whatever its status.
    With an unfit field, nothing is searched for.
    """

    typed: Typed = field(repr=False)
    wanted: Wanted
    order_no: str | None

    @property
    def query(self) -> dict[str, str]:
        """The part of the address that names the search."""
        return {name: text for name, text in self.typed.texts.items() if text}

    @property
    def open_text(self) -> str:
        """The text that finds open orders of the same number or amount; "" for neither."""
        return self.typed.texts[SearchField.NUMBER] or self.typed.texts[SearchField.AMOUNT]

    @property
    def has_days(self) -> bool:
        """Whether days are named, which asks for their totals."""
        return bool(self.typed.texts[SearchField.DAY])


@dataclass(frozen=True, slots=True)
class HistoryRoute:
    orders: Orders
    index: DeskOrders

    def show(self, scene: DeskScene) -> Page | Download:
        """Find the orders, and return them as a page or a file.

        Totals need all orders of the days, so these are read at once.
        """
        search, place = search_of(scene.request), scene.asked("before", ORDER_ID)
        before = None if place is None else int(place)
        if scene.request.query.get("format") == _CSV:
            return history_csv(self._found(search, scene, before, SEARCHED_MAX), scene.texts)
        has_totals = search.has_days and before is None
        found = self._found(search, scene, before, SEARCHED_MAX if has_totals else PAGE_LENGTH)
        is_first = before is None and not search.query
        returned = (
            returned_orders(self.index, self.orders, scene.trader, scene.now) if is_first else ()
        )
        return history_page(scene, found, search, before, returned)

    def _found(self, search: Search, scene: DeskScene, before: int | None, limit: int) -> Found:
        """Find the orders of a search. Raises: TryAgain."""
        if search.typed.unfit:
            return Found((), None)
        if search.order_no is not None:
            try:  # also an open order
                return Found((own_order(self.orders, scene.trader, search.order_no),), None)
            except OrderNotFound:
                return Found((), None)
        return find_past(self.index.done, scene.trader, search.wanted, before, limit=limit)


def history_page(
    scene: DeskScene,
    found: Found,
    search: Search,
    before: int | None,
    returned: Sequence[Order] = (),
) -> Page:
    """Return one page of the history: the first of the orders that were found.

    `returned` are sells that were taken back from the trader.
    """
    texts, links = scene.texts, scene.links
    shown = found.orders[:PAGE_LENGTH]
    below = shown[-1].order_id if len(shown) < len(found.orders) else found.before
    query = search.query
    place = {} if before is None else {"before": str(before)}
    has_totals = search.has_days and before is None
    view = {
        "fields": tuple(_fields(search, texts.search)),
        "is_search": bool(query),
        "orders": [summary_of(order, scene) for order in shown],
        "totals": totals_by_day(found.orders) if has_totals else (),
        "buy": OrderType.BUY,
        "sell": OrderType.SELL,
        # Not all orders were read.
        "cut": texts.search.cut.format(most=f"{SEARCHED_MAX:,}") if found.is_cut else None,
        # The same orders as a file, and the open ones of the same number or amount.
        "csv": None if search.typed.unfit else links.to("history", **query, format=_CSV),
        "open": links.to("orders", q=text) if (text := search.open_text) else None,
        "is_newest": before is None,
        "newest": links.to("history", **query),
        "older": links.older("history", below, **query),
        "now": scene.now,
        # Of an order of another trader only these.
        "returned": [
            (
                each.order_no,
                each.quote.cny_fen,
                each.createtime,
                _claim_state(each, scene.trader.trader_id),
            )
            for each in returned
        ],
    }
    here = links.here("history", **query, **place)
    return Page("desk/history.html", view, here, section="history")


def _claim_state(order: Order, trader_id: str) -> str:
    """Return what became of a former trader's proof of a sell."""
    claim = order.claim_of(trader_id)
    if claim is not None:
        return "paid" if claim.is_paid else "rejected"
    return "kept" if order.has_late_proof_of(trader_id) else "open"


def history_csv(found: Found, texts: DeskTexts) -> Download:
    """Return the orders as CSV with Beijing times; the file's name shows if it is incomplete."""
    # Few requests are for a file, and each module costs a cold start some time.
    from orderdesk.web.pages.csv_file import csv_file  # noqa: PLC0415

    columns = _columns(texts)
    rows = [[cell(order) for _, cell in columns] for order in found.orders]
    name = "orders-part.csv" if found.is_cut else "orders.csv"
    return csv_file(name, [[head for head, _ in columns], *rows], _CSV_VALUES)


def search_of(request: Request) -> Search:
    """Return the search of a request; without fields it finds all orders that are over."""
    query = request.query
    typed = Typed({name.value: plain_line(query.get(name, "")[:TEXT_MAX]) for name in SearchField})
    number = typed.read(SearchField.NUMBER, number_of) or ""
    fen = typed.read(SearchField.AMOUNT, parse_typed_cny)
    day, until = typed.read(SearchField.DAY, _day), typed.read(SearchField.UNTIL, _day)
    if until is not None and (day is None or not day <= until < day + timedelta(DAYS_MAX)):
        typed.unfit.add(SearchField.UNTIL)
    first, last = ALL.first_id, ALL.last_id
    if day is not None and not typed.unfit:
        first, last = id_range(start_of_day(day), start_of_day((until or day) + timedelta(1)) - 1)
    whole = number if is_order_no(number) else None
    return Search(typed, Wanted(number, fen, first, last), whole)


def _day(text: str) -> date | None:
    if not _DAY.fullmatch(text):
        raise ValueError(text)
    return date.fromisoformat(text)


def _fields(search: Search, texts: SearchTexts) -> Iterator[tuple[str, str, str, str | None]]:
    """Yield each field's name, its label, the typed text, and what is wrong with it."""
    t = texts
    labels = t.number, t.amount, t.day, t.until
    rules = t.number_rule, t.amount_rule, t.day_rule, t.until_rule
    for name, label, problem in zip(SearchField, labels, rules, strict=True):
        wrong = problem if name in search.typed.unfit else None
        # An input of type date accepts no invalid text.
        is_empty = wrong and name in {SearchField.DAY, SearchField.UNTIL}
        yield name.value, label, "" if is_empty else search.typed.texts[name], wrong


def _columns(texts: DeskTexts) -> Sequence[tuple[str, Callable[[Order], str]]]:
    """Return the file's columns: the head of each, and its cell of an order."""
    t, of_order = texts.search, texts.order

    return (
        (texts.shared.order_no, lambda order: order.order_no),
        (t.side, lambda order: texts.sides[order.order_type]),
        (texts.lists.state, lambda order: texts.statuses[order.status]),
        (t.created, lambda order: china_time(order.createtime)),
        (t.changed, lambda order: china_time(order.updatetime)),
        ("CNY", lambda order: format_cny(order.quote.cny_fen)),
        (of_order.rate, lambda order: format_rate(order.base_rate.rate_e4)),
        ("USDT", lambda order: format_usdt(order.quote.trader_micro)),
        (texts.lists.account, lambda order: account_of(order.payment_method, texts.shared)),
        (of_order.payer, lambda order: payer_of(order, of_order) or ""),
        (of_order.reference, lambda order: order.transfer_remark or ""),
    )


def balance_page(scene: DeskScene, page: Slice[Entry, str], before: str | None) -> Page:
    """Return the balance page, with the statement's page below the posting `before`.

    Each posting has the balance after it, if the address has one. The link to the next page has the
    balance before its first posting (`?owned=`, in micro-USDT).
    """
    trader, links = scene.trader, scene.links
    owned, postings = _owned(scene, before), list[tuple[Entry, int | None]]()
    here, older = _query(before, owned), None
    for entry in page.items:
        postings.append((entry, owned))
        owned = None if owned is None else owned - entry.amount_micro
    if page.following is not None:
        older = links.to("balance", **_query(page.following, owned))
    view = {
        "available": trader.counts.available_micro,
        "held": trader.counts.held_micro,
        "is_test": trader.mode.is_test,
        "postings": postings,
        "is_newest": before is None,
        "older": older,
        "now": scene.now,
    }
    return Page("desk/balance.html", view, links.here("balance", **here), section="balance")


def show_balance(ledger: Statement, scene: DeskScene) -> Page:
    """Return the balance page, with the page of the statement that is asked for."""
    before = scene.asked("before", PLACE)
    return balance_page(scene, statement(ledger, scene.trader, before, limit=PAGE_LENGTH), before)


def _query(before: str | None, owned: int | None) -> dict[str, str]:
    if before is None:
        return {}
    return {"before": before} | ({} if owned is None else {"owned": str(owned)})


def _owned(scene: DeskScene, before: str | None) -> int | None:
    """Return the balance after the page's first posting in micro-USDT, or None."""
    if before is None:
        return scene.trader.counts.available_micro + scene.trader.counts.held_micro
    text = scene.asked("owned", _OWNED)
    return None if text is None else int(text)
