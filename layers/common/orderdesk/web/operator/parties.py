"""Merchants and traders in requests and responses, pages of their lists, and values as rows.

Personal data is masked. The lists are read whole, because they are short.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from orderdesk.domain.identity import mask_name
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.operators import OperatorRefusal, UnknownId
from orderdesk.domain.payment_methods import PaymentMethod, mask_account
from orderdesk.web.merchant.parameters import BAD_CURSOR, problem
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator.declare import BatchReads, Json, OperatorPorts, Row
from orderdesk.web.operator.parameters import PAGE_MAX, CommandParameters, Limit

MERCHANT, TRADER = "merchant", "trader"


def ids_of(asked: CommandParameters, ports: OperatorPorts) -> dict[str, str]:
    """Return the ids for names of a merchant or trader in `merchant_id` and `trader_id`.

    A name counts in any case; an id is what it is. Raises: UnknownId; OperatorRefusal if several
    have the name; TryAgain.
    """
    ids: dict[str, str] = {}
    merchant, trader = (getattr(asked, f"{kind}_id", None) for kind in (MERCHANT, TRADER))
    if merchant is not None and ports.merchants.merchant(merchant) is None:
        named = ((each.merchant_id, each.name) for each in ports.merchants.merchants())
        ids["merchant_id"] = _named(MERCHANT, merchant, named)
    if trader is not None and ports.traders.trader(trader) is None:
        named = ((each.trader_id, each.name) for each in ports.traders.traders())
        ids["trader_id"] = _named(TRADER, trader, named)
    return ids


def _named(kind: str, text: str, every: Iterable[tuple[str, str]]) -> str:
    wanted = text.strip().casefold()
    found = [own_id for own_id, name in every if name.strip().casefold() == wanted]
    if not found:
        raise UnknownId(kind, text)
    if len(found) > 1:
        ids = ", ".join(sorted(found))
        raise OperatorRefusal(f"{len(found)} {kind}s have the name {text}: {ids}")
    return found[0]


def with_names(book: BatchReads, rows: Iterable[Row]) -> list[Row]:
    """Add `merchant_name` and `trader_name` where a row has the id; at most 100 ids of a kind.

    A name that is not found is null. Raises: TryAgain.
    """
    shown = list(rows)
    merchants, traders = set(_ids(shown, MERCHANT)), set(_ids(shown, TRADER))
    names = book.names(merchants, traders) if merchants or traders else {}
    for row in shown:
        for kind in (MERCHANT, TRADER):
            if f"{kind}_id" in row:
                row[f"{kind}_name"] = names.get(str(row[f"{kind}_id"]))
    return shown


def _ids(rows: Iterable[Json], kind: str) -> Iterator[str]:
    for row in rows:
        own_id = row.get(f"{kind}_id")
        if isinstance(own_id, str):
            yield own_id


def masked_method(method: PaymentMethod) -> Row:
    """Return a receiving method with card, account and payee masked, and without its QR code."""
    return {
        **row_of(method, "method_type bank sub_bank card_number=masked_card_number"),
        "account": mask_account(method.account),
        "real_name": mask_name(method.real_name),
    }


type Place = tuple[int, str]
"""A number that sorts a list, and the id of the item."""


def _place(value: JsonValue) -> Place:
    number, _, own_id = value.partition("/") if isinstance(value, str) else ("", "", "")
    if not (number.isascii() and number.isdigit() and own_id):
        raise problem(BAD_CURSOR)
    return int(number), own_id


PlaceAfter = Annotated[Place, BeforeValidator(_place), WithJsonSchema({"type": "string"})]
"""A cursor that `cursor_of` has written."""


class PageParameters(CommandParameters):
    """Parameters of a list without filters."""

    limit: Limit = PAGE_MAX
    after: PlaceAfter | None = None


def cursor_of(place: Place) -> str:
    """Return the cursor of a page that begins after a place."""
    number, own_id = place
    return f"{number}/{own_id}"


def page_of[T](
    asked: PageParameters,
    every: Iterable[T],
    place_of: Callable[[T], Place],
    data_of: Callable[[T], Row],
) -> Json:
    """Return a page of all items, the highest place first: a place begins with a time."""
    after = asked.after
    left = [item for item in every if after is None or place_of(item) < after]
    left.sort(key=place_of, reverse=True)
    page = left[: asked.limit]
    more = len(left) > len(page)
    return {
        "items": [data_of(item) for item in page],
        "next": cursor_of(place_of(page[-1])) if more else None,
    }
