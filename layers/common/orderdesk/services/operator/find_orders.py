"""`order find`: search by any text that people have of an order.

| text | finds |
|---|---|
| order_no, pending_no, order_id | it |
| at least four digits | orders and drafts whose number ends so, at any age |
| a merchant_order_no, in any case | it, of every merchant that used it, at any age |
| an amount: `1000`, `1,000.00` | orders of this CNY amount |
| a merchant's or trader's name or id, or a part of a name | its newest orders |
| anything else | orders whose remark has this part, see `OperatorSearch` |

The last three read from the newest order on, and end after a bounded number of requests; the next
page continues. The first page has what was found by number, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from orderdesk.domain.ids import is_numbered
from orderdesk.domain.money import NotAnAmount, TooLarge, TooManyDecimals, parse_typed_cny
from orderdesk.domain.orders.drafts import DRAFT_LETTER, Draft
from orderdesk.domain.orders.order import BUY_LETTER, SELL_LETTER, Order
from orderdesk.services.operator.orders import (
    ENDING_DIGITS_MIN,
    PAGE_MAX,
    OperatorSearch,
    number_of,
    numbers_of_id,
    order_page,
)
from orderdesk.services.operator.ports import CommandPorts
from orderdesk.services.ports import Slice

_LETTERS = f"{BUY_LETTER}{SELL_LETTER}{DRAFT_LETTER}"
_TEXT_LENGTH_MAX = 255
# Of the 20 requests, the numbers take up to 3, and both registers 4 for 500 merchants and traders.
# A query of all orders goes to 8 partitions, one of a merchant's to 6, one of a trader's to 4.
_QUERIES_BY_AMOUNT, _QUERIES_BY_REMARK = 16, 8
_QUERIES_OF_MERCHANT, _QUERIES_OF_TRADER = 6, 4
# A longer number is rather part of a remark.
_FEN_MAX = 10**11 - 1


def find_orders(
    ports: CommandPorts, text: str, now: int, *, size: int, before_id: int | None = None
) -> Slice[Order | Draft, int]:
    """Find orders and drafts by a text; `now` in Unix seconds. Raises: TryAgain."""
    text = text.strip()
    if not 0 < len(text) <= _TEXT_LENGTH_MAX:
        return Slice((), None)
    exact = _by_number(ports, text) if before_id is None else ()
    if is_numbered(_LETTERS, text.upper()):
        return Slice(tuple(exact), None)
    page = _by_content(ports, text, now, size, before_id, has_exact=bool(exact))
    found = {number_of(subject): subject for subject in (*exact, *page.items)}
    newest = sorted(found.values(), key=lambda one: number_of(one)[1:], reverse=True)
    return Slice(tuple(newest), page.following)


def _by_number(ports: CommandPorts, text: str) -> Sequence[Order | Draft]:
    if is_numbered(_LETTERS, text.upper()):
        return ports.order_listing.subjects([text.upper()])
    numbers = [*ports.order_listing.of_merchants_number(text), *numbers_of_id(text)]
    if text.isascii() and text.isdigit() and len(text) >= ENDING_DIGITS_MIN:
        numbers += ports.order_listing.ending_with(text)
    return ports.order_listing.subjects(list(dict.fromkeys(numbers))[:PAGE_MAX])


def _by_content(
    ports: CommandPorts, text: str, now: int, size: int, before_id: int | None, *, has_exact: bool
) -> Slice[Order, int]:
    """Return orders by amount, else by a party's name, else by remark."""
    wanted = OperatorSearch(before_id=before_id)
    page_of = partial(order_page, ports.order_listing, now=now, size=size)
    fen = _fen(text)
    if fen is not None:
        amount = replace(wanted, min_cny_fen=fen, max_cny_fen=fen)
        return page_of(amount, queries=_QUERIES_BY_AMOUNT)
    merchant_id = _party(((m.merchant_id, m.name) for m in ports.merchants.merchants()), text)
    trader_id = _party(((t.trader_id, t.name) for t in ports.traders.traders()), text)
    pages = []
    if merchant_id is not None:
        theirs = replace(wanted, merchant_id=merchant_id)
        pages.append(page_of(theirs, queries=_QUERIES_OF_MERCHANT))
    if trader_id is not None:
        theirs = replace(wanted, trader_id=trader_id)
        pages.append(page_of(theirs, queries=_QUERIES_OF_TRADER))
    if pages:
        return _joined(pages, size)
    if has_exact:
        return Slice((), None)
    return page_of(replace(wanted, remark=text), queries=_QUERIES_BY_REMARK)


def _fen(text: str) -> int | None:
    """Return the amount that a text is; None if it is none, or one that no order has."""
    try:
        fen = parse_typed_cny(text)
    except (NotAnAmount, TooManyDecimals, TooLarge):
        return None
    return fen if fen <= _FEN_MAX else None


def _joined(pages: Sequence[Slice[Order, int]], size: int) -> Slice[Order, int]:
    """Join pages of two searches; below the highest place where one ended, something may lack."""
    ends = [page.following for page in pages if page.following is not None]
    end = max(ends, default=0)
    orders = {o.order_no: o for page in pages for o in page.items if o.order_id >= end}
    newest = sorted(orders.values(), key=lambda order: order.order_id, reverse=True)
    if len(newest) > size:
        return Slice(tuple(newest[:size]), newest[size - 1].order_id)
    return Slice(tuple(newest), end or None)


def _party(parties: Iterable[tuple[str, str]], text: str) -> str | None:
    """Return the only party with this id or name, else the only one whose name has this part."""
    folded, whole, part = text.casefold(), set[str](), set[str]()
    for party_id, name in parties:
        if text == party_id or folded == name.casefold():
            whole.add(party_id)
        elif folded in name.casefold():
            part.add(party_id)
    matching = whole or part
    return matching.pop() if len(matching) == 1 else None
