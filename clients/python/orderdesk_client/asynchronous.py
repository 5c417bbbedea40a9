"""The same calls as coroutines.

Each call runs `Orderdesk` in a thread, so no HTTP library is needed. The number of concurrent calls
is limited by asyncio's thread pool, which has 5 to 32 threads.
"""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any, TypeVar

from orderdesk_client.client import Orderdesk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from decimal import Decimal
    from typing import Unpack

    from orderdesk_client import types

Row = TypeVar("Row")


class AsyncOrderdesk:
    """`Orderdesk` for asyncio: the same arguments, results and errors.

    Cancelling a task does not cancel its call.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        api_secret: str,
        *,
        test: bool = False,
        timeout_seconds: float = 10,
    ) -> None:
        self._client = Orderdesk(
            base_url, api_key, api_secret, test=test, timeout_seconds=timeout_seconds
        )

    async def create_buy(
        self, merchant_order_no: str, cny_amount: str | Decimal, **more: Unpack[types.BuyOptions]
    ) -> types.CreatedBuy:
        """Create a buy."""
        return await to_thread(self._client.create_buy, merchant_order_no, cny_amount, **more)

    async def create_or_get(
        self, merchant_order_no: str, cny_amount: str | Decimal, **more: Unpack[types.BuyOptions]
    ) -> types.CreatedBuy:
        """Create a buy, or return the first one of this number if it is the same."""
        return await to_thread(self._client.create_or_get, merchant_order_no, cny_amount, **more)

    async def create_sell(
        self,
        merchant_order_no: str,
        cny_amount: str | Decimal,
        payment_method: types.PaymentMethod,
        **more: Unpack[types.SellOptions],
    ) -> types.CreatedSell:
        """Create a sell."""
        create = self._client.create_sell
        return await to_thread(create, merchant_order_no, cny_amount, payment_method, **more)

    async def query_order(self, **number: Unpack[types.AnyNumber]) -> types.OrderOrDraft:
        """Return an order or draft."""
        return await to_thread(self._client.query_order, **number)

    async def list_orders(self, **filters: Unpack[types.OrderFilters]) -> types.OrderPage:
        """Return a page of orders."""
        return await to_thread(self._client.list_orders, **filters)

    def orders(self, **filters: Unpack[types.OrderFilters]) -> AsyncIterator[types.Order]:
        """Yield the orders of all pages."""
        return _rows(self._client.orders(**filters))

    async def cancel_order(self, **number: Unpack[types.OrderNumber]) -> types.Order:
        """Cancel an order."""
        return await to_thread(self._client.cancel_order, **number)

    async def dispute_order(self, **number: Unpack[types.OrderNumber]) -> types.Order:
        """Dispute a paid buy."""
        return await to_thread(self._client.dispute_order, **number)

    async def balance(self) -> types.Balances:
        """Return the balances."""
        return await to_thread(self._client.balance)

    async def statement(self, **filters: Unpack[types.StatementFilters]) -> types.StatementPage:
        """Return a page of postings."""
        return await to_thread(self._client.statement, **filters)

    def postings(self, **filters: Unpack[types.StatementFilters]) -> AsyncIterator[types.Posting]:
        """Yield the postings of all pages."""
        return _rows(self._client.postings(**filters))

    async def list_callbacks(self, **filters: Unpack[types.CallbackFilters]) -> types.CallbackPage:
        """Return a page of callbacks."""
        return await to_thread(self._client.list_callbacks, **filters)

    def callbacks(self, **filters: Unpack[types.CallbackFilters]) -> AsyncIterator[types.Delivery]:
        """Yield the callbacks of all pages."""
        return _rows(self._client.callbacks(**filters))

    async def list_events(self, **filters: Unpack[types.EventFilters]) -> types.EventPage:
        """Return a page of events."""
        return await to_thread(self._client.list_events, **filters)

    def events(self, **filters: Unpack[types.EventFilters]) -> AsyncIterator[types.ListedEvent]:
        """Yield the events of all pages."""
        return _rows(self._client.events(**filters))

    async def list_withdrawals(
        self, **filters: Unpack[types.WithdrawalFilters]
    ) -> types.WithdrawalPage:
        """Return a page of withdrawals."""
        return await to_thread(self._client.list_withdrawals, **filters)

    async def quote(
        self, order_type: int, cny_amount: str | Decimal, **more: Unpack[types.QuoteOptions]
    ) -> types.Quote:
        """Return the amounts of an order that is not created."""
        return await to_thread(self._client.quote, order_type, cny_amount, **more)

    async def agreement(self) -> types.Agreement:
        """Return the merchant's terms."""
        return await to_thread(self._client.agreement)

    async def redeliver_callback(
        self, webhook_id: str, endpoint_id: str | None = None
    ) -> types.Delivery:
        """Send a callback again."""
        return await to_thread(self._client.redeliver_callback, webhook_id, endpoint_id)

    async def test_callback(self, callback_url: str | None = None) -> types.Delivery:
        """Queue a test event for an endpoint."""
        return await to_thread(self._client.test_callback, callback_url)

    async def advance_order(self, to: str, **number: Unpack[types.AnyNumber]) -> types.OrderOrDraft:
        """Move a test order to a status."""
        return await to_thread(self._client.advance_order, to, **number)

    async def call(self, path: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Call any route."""
        return await to_thread(self._client.call, path, parameters)


async def _rows(rows: Iterator[Row]) -> AsyncIterator[Row]:
    while (row := await to_thread(next, rows, None)) is not None:
        yield row
