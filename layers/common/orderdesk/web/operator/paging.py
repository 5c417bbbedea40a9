"""Pages of lists that are read whole, because they are short: merchants and traders."""

from collections.abc import Callable, Iterable
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.web.merchant.parameters import BAD_CURSOR, problem
from orderdesk.web.operator.parameters import PAGE_MAX, CommandParameters, Limit
from orderdesk.web.operator.parties import Json, Row

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
