"""The same calls as coroutines.

Each call runs `Orderdesk` in a thread, so no HTTP library is needed. The number of concurrent calls
is limited by asyncio's thread pool, which has 5 to 32 threads.
"""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any

from orderdesk_client.client import Orderdesk

if TYPE_CHECKING:
    from collections.abc import Mapping


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
        self, merchant_order_no: str, cny_amount: str, **more: Any
    ) -> dict[str, Any]:
        """Create a buy."""
        return await to_thread(self._client.create_buy, merchant_order_no, cny_amount, **more)

    async def create_sell(
        self, merchant_order_no: str, cny_amount: str, payment_method: dict[str, str], **more: Any
    ) -> dict[str, Any]:
        """Create a sell."""
        create = self._client.create_sell
        return await to_thread(create, merchant_order_no, cny_amount, payment_method, **more)

    async def query_order(self, **number: str) -> dict[str, Any]:
        """Return an order or draft."""
        return await to_thread(self._client.query_order, **number)

    async def list_orders(self, **filters: Any) -> dict[str, Any]:
        """Return a page of orders."""
        return await to_thread(self._client.list_orders, **filters)

    async def cancel_order(self, **number: str) -> dict[str, Any]:
        """Cancel an order."""
        return await to_thread(self._client.cancel_order, **number)

    async def dispute_order(self, **number: str) -> dict[str, Any]:
        """Dispute a paid buy."""
        return await to_thread(self._client.dispute_order, **number)

    async def balance(self) -> dict[str, Any]:
        """Return the balances."""
        return await to_thread(self._client.balance)

    async def statement(self, **filters: Any) -> dict[str, Any]:
        """Return a page of postings."""
        return await to_thread(self._client.statement, **filters)

    async def list_callbacks(self, **filters: Any) -> dict[str, Any]:
        """Return a page of callbacks."""
        return await to_thread(self._client.list_callbacks, **filters)

    async def redeliver_callback(self, webhook_id: str) -> dict[str, Any]:
        """Send a callback again."""
        return await to_thread(self._client.redeliver_callback, webhook_id)

    async def test_callback(self, callback_url: str | None = None) -> dict[str, Any]:
        """Queue a test event for an endpoint."""
        return await to_thread(self._client.test_callback, callback_url)

    async def advance_order(self, to: str, **number: str) -> dict[str, Any]:
        """Move a test order to a status."""
        return await to_thread(self._client.advance_order, to, **number)

    async def call(self, path: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Call any route."""
        return await to_thread(self._client.call, path, parameters)
