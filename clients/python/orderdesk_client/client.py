# SPDX-License-Identifier: Apache-2.0
"""orderdesk's merchant API: signed calls and verified callbacks, with the standard library only.

    client = Orderdesk("https://api.example.com/v1", "mk_…", "sk_…")
    order = client.create_buy("A-1001", "1000.00")
    print(order["pay_url"])

Amounts are strings (`"1000.00"`) or `decimal.Decimal` in requests, and strings in responses.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import random
import re
import secrets
import time
import urllib.request
from decimal import Decimal
from enum import IntEnum
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Unpack

    from orderdesk_client import types

ATTEMPTS_MAX = 4
WAIT_SECONDS_MAX = 10.0
CALLBACK_TOLERANCE_SECONDS = 300


class Code(IntEnum):
    """The error codes of Refused.code."""

    INVALID_BODY = 1001
    INVALID_PARAMETER = 1002
    AMOUNT_OUT_OF_RANGE = 1003
    UNKNOWN_API_KEY = 1101
    BAD_SIGNATURE = 1102
    TIMESTAMP_OUT_OF_WINDOW = 1103
    NONCE_REUSED = 1104
    IP_NOT_ALLOWED = 1105
    MERCHANT_SUSPENDED = 1106
    NOT_ALLOWED_BY_KEY = 1107
    TOO_MANY_REQUESTS = 1201
    MERCHANT_ORDER_NO_EXISTS = 2001
    ORDER_NOT_FOUND = 2002
    STATE_CONFLICT = 2003
    NO_TRADER_AVAILABLE = 2101
    INSUFFICIENT_BALANCE = 2102
    RATE_UNAVAILABLE = 2103
    OPEN_LIMIT_REACHED = 2104
    OPEN_SELL_LIMIT_REACHED = 2105
    REFUSED_BY_DESK = 2106
    IDENTITY_VERIFICATION_FAILED = 2201
    IDENTITY_PROVIDER_UNAVAILABLE = 2202
    UNKNOWN_ROUTE = 4000
    INTERNAL_ERROR = 5000
    TRY_AGAIN = 5001


_BASE_URL = re.compile(
    r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?"
)
_CALLBACK_SECRET = re.compile(
    r"(whsec_)?([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
)
# Retried. After the last two codes, the service may or may not have executed the call.
_RETRIED = (Code.TOO_MANY_REQUESTS, Code.INTERNAL_ERROR, Code.TRY_AGAIN)
_UNSURE = (Code.INTERNAL_ERROR, Code.TRY_AGAIN)
_REFUSED_BY_GATEWAY = range(400, 500)
# The fields of `data` that the text of Refused shows.
_SHOWN = ("status", "min_cny", "max_cny", "limit")


class OrderdeskError(Exception):
    """A call failed.

    `after_lost_attempt`: an earlier attempt of this call got no clear response; the service may
    have executed it.
    """

    after_lost_attempt = False


class NoAnswer(OrderdeskError):
    """No attempt got a response. The service may have executed the call: query the order."""


class Refused(OrderdeskError):
    """The service refused the call; `data` has the details of `code`, 0 if a gateway refused it."""

    def __init__(
        self, code: int, message: str, data: dict[str, Any], status: int, headers: Mapping[str, str]
    ) -> None:
        # This text is often logged, so it omits names and card numbers, which `data` may have.
        details = [str(data.get("fields", data.get("reason")))]
        details += [f"{name} {data[name]}" for name in _SHOWN if name in data]
        super().__init__(f"{code} {message}: {', '.join(details)}")
        self.code = code
        self.message = message
        self.data = data
        self.http_status = status
        self.request_id = headers.get("x-request-id", "")
        after = headers.get("Retry-After", "")
        self.retry_after_seconds = int(after) if after.isdecimal() else None


class InvalidCallback(Exception):
    """The callback is not signed with this secret, or its timestamp is too old or too new."""


class Orderdesk:
    """The merchant API; thread-safe.

    A call returns the response's `data`, or raises Refused or NoAnswer after up to 4 attempts.
    With `test=True`, orders are test orders. `timeout_seconds` applies to each attempt.

    Raises: ValueError for a base URL that is not http:// or https:// with a host.
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
        if not _BASE_URL.fullmatch(base_url):
            raise ValueError(f"base_url: {base_url!r} is not an http or https URL")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._api_secret = api_secret
        self._create_path = "/test/createOrder" if test else "/merchant/createOrder"
        self._timeout_seconds = timeout_seconds

    def create_buy(
        self, merchant_order_no: str, cny_amount: str | Decimal, **more: Unpack[types.BuyOptions]
    ) -> types.CreatedBuy:
        """Create a buy; by `result_status`, the response has `pay_url` or `identity_url`."""
        created = self._create(1, merchant_order_no, cny_amount, {**more})
        if "result_status" not in created:  # an earlier attempt created it: queryOrder's response
            created["result_status"] = "success" if "order_no" in created else "pending_identity"
        return cast("types.CreatedBuy", created)

    def create_or_get(
        self, merchant_order_no: str, cny_amount: str | Decimal, **more: Unpack[types.BuyOptions]
    ) -> types.CreatedBuy:
        """Create a buy, or return the first one of this number if it is the same, as it is now.

        See `status`: an order that has ended needs a new merchant_order_no, one a payment attempt.
        """
        try:
            return self.create_buy(merchant_order_no, cny_amount, **more)
        except Refused as refused:
            if refused.code != Code.MERCHANT_ORDER_NO_EXISTS or not refused.data.get("same"):
                raise
        first = self.query_order(merchant_order_no=merchant_order_no)
        kind = "success" if "order_no" in first else "pending_identity"
        return cast("types.CreatedBuy", {"result_status": kind, **first})

    def create_sell(
        self,
        merchant_order_no: str,
        cny_amount: str | Decimal,
        payment_method: types.PaymentMethod,
        **more: Unpack[types.SellOptions],
    ) -> types.CreatedSell:
        """Create a sell that is paid to the customer's `payment_method`."""
        parameters = {**more, "payment_method": payment_method}
        return cast("types.CreatedSell", self._create(2, merchant_order_no, cny_amount, parameters))

    def query_order(self, **number: Unpack[types.AnyNumber]) -> types.OrderOrDraft:
        """Return an order or draft by `merchant_order_no`, `order_no` or `pending_no`."""
        return cast("types.OrderOrDraft", self.call("/merchant/queryOrder", number))

    def list_orders(self, **filters: Unpack[types.OrderFilters]) -> types.OrderPage:
        """Return a page of `orders`, newest first; pass its `cursor` for the next page."""
        return cast("types.OrderPage", self.call("/merchant/listOrders", filters))

    def orders(self, **filters: Unpack[types.OrderFilters]) -> Iterator[types.Order]:
        """Yield the orders of all pages, newest first."""
        return self._rows("/merchant/listOrders", "orders", filters)

    def cancel_order(self, **number: Unpack[types.OrderNumber]) -> types.Order:
        """Cancel a pending buy or a matching sell, by `merchant_order_no` or `order_no`."""
        return cast("types.Order", self.call("/merchant/cancelOrder", number))

    def dispute_order(self, **number: Unpack[types.OrderNumber]) -> types.Order:
        """Dispute a paid buy that is not confirmed within 30 minutes."""
        return cast("types.Order", self.call("/merchant/disputeOrder", number))

    def balance(self) -> types.Balances:
        """Return available, held and deposit USDT for `live` and `test`."""
        return cast("types.Balances", self.call("/merchant/balance", {}))

    def statement(self, **filters: Unpack[types.StatementFilters]) -> types.StatementPage:
        """Return a page of postings, oldest first; pass its `cursor` for the next page."""
        return cast("types.StatementPage", self.call("/merchant/statement", filters))

    def postings(self, **filters: Unpack[types.StatementFilters]) -> Iterator[types.Posting]:
        """Yield the postings of all pages, oldest first."""
        return self._rows("/merchant/statement", "postings", filters)

    def list_callbacks(self, **filters: Unpack[types.CallbackFilters]) -> types.CallbackPage:
        """Return a page of `callbacks` with their attempts, newest first, of one order or all."""
        return cast("types.CallbackPage", self.call("/merchant/listCallbacks", filters))

    def callbacks(self, **filters: Unpack[types.CallbackFilters]) -> Iterator[types.Delivery]:
        """Yield the callbacks of all pages, newest first."""
        return self._rows("/merchant/listCallbacks", "callbacks", filters)

    def list_events(self, **filters: Unpack[types.EventFilters]) -> types.EventPage:
        """Return a page of `events`, the bodies of callbacks, newest first."""
        return cast("types.EventPage", self.call("/merchant/listEvents", filters))

    def events(self, **filters: Unpack[types.EventFilters]) -> Iterator[types.ListedEvent]:
        """Yield the events of all pages, newest first."""
        return self._rows("/merchant/listEvents", "events", filters)

    def list_withdrawals(self, **filters: Unpack[types.WithdrawalFilters]) -> types.WithdrawalPage:
        """Return a page of `withdrawals`, newest first."""
        return cast("types.WithdrawalPage", self.call("/merchant/listWithdrawals", filters))

    def quote(
        self, order_type: int, cny_amount: str | Decimal, **more: Unpack[types.QuoteOptions]
    ) -> types.Quote:
        """Return the amounts of an order (1 = buy, 2 = sell) that is not created."""
        asked = {"order_type": order_type, "cny_amount": cny_amount, **more}
        return cast("types.Quote", self.call("/merchant/quote", asked))

    def agreement(self) -> types.Agreement:
        """Return the merchant's terms, and what is open of its limits."""
        return cast("types.Agreement", self.call("/merchant/agreement", {}))

    def redeliver_callback(self, webhook_id: str, endpoint_id: str | None = None) -> types.Delivery:
        """Send a callback again, with the same id; `endpoint_id` is that of a further address."""
        asked = {"webhook_id": webhook_id, "endpoint_id": endpoint_id}
        return cast("types.Delivery", self.call("/merchant/redeliverCallback", asked))

    def test_callback(self, callback_url: str | None = None) -> types.Delivery:
        """Queue a test event for an endpoint, or for the default address; return its delivery."""
        asked = {"callback_url": callback_url}
        return cast("types.Delivery", self.call("/merchant/testCallback", asked))

    def advance_order(self, to: str, **number: Unpack[types.AnyNumber]) -> types.OrderOrDraft:
        """Move a test order or draft, as its payer, its trader, an operator or the clock."""
        return cast("types.OrderOrDraft", self.call("/test/advanceOrder", {**number, "to": to}))

    def call(self, path: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Call any route. Each attempt is signed again, because a nonce is accepted only once."""
        attempt, lost = 1, False
        while True:
            try:
                return self._attempt(path, parameters)
            except (NoAnswer, Refused) as error:
                error.after_lost_attempt = lost
                wait_seconds = _seconds_before_retry(error, attempt)
                if attempt == ATTEMPTS_MAX or wait_seconds is None:
                    raise
                lost = lost or isinstance(error, NoAnswer) or error.code in _UNSURE
            time.sleep(wait_seconds)
            attempt += 1

    def _rows(self, path: str, name: str, filters: Mapping[str, Any]) -> Iterator[Any]:
        page: dict[str, Any] = {"cursor": filters.get("cursor")}
        while True:
            page = self.call(path, {**filters, "cursor": page["cursor"]})
            yield from page[name]
            if page["cursor"] is None:
                return

    def _create(
        self,
        order_type: int,
        merchant_order_no: str,
        cny_amount: str | Decimal,
        more: dict[str, Any],
    ) -> dict[str, Any]:
        if not merchant_order_no:
            raise ValueError("merchant_order_no: without it a retry could create a second order")
        named = {"merchant_order_no": merchant_order_no, "cny_amount": cny_amount}
        try:
            return self.call(self._create_path, {**more, **named, "order_type": order_type})
        except Refused as refused:
            is_first_ones = refused.after_lost_attempt and refused.data.get("same") is not False
            if refused.code != Code.MERCHANT_ORDER_NO_EXISTS or not is_first_ones:
                raise
        # The earlier attempt created the order.
        return self.call("/merchant/queryOrder", {"merchant_order_no": merchant_order_no})

    def _attempt(self, path: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        common = {
            "api_key": self._api_key,
            "timestamp": int(time.time()),
            "nonce": secrets.token_hex(16),
        }
        sent = {name: value for name, value in parameters.items() if value not in (None, "")}
        signed = {name: _sendable(value) for name, value in sent.items()} | common
        signed["signature"] = sign(self._api_secret, string_to_sign(path, signed))
        request = urllib.request.Request(  # noqa: S310 - the merchant's own base_url
            self._base_url + path,
            canonical_json(signed).encode(),
            {"Content-Type": "application/json", "User-Agent": "orderdesk-python/1"},
        )
        try:
            with _OPENER.open(request, timeout=self._timeout_seconds) as answer:
                status, headers, body = answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"{path}: {error}") from error
        try:
            envelope = json.loads(body)
            code, data = int(envelope["code"]), envelope.get("data") or {}
        except (ValueError, LookupError, TypeError) as error:
            text = f"{path}: the answer (HTTP {status}) is not orderdesk's"
            if status in _REFUSED_BY_GATEWAY:  # the service never saw it
                raise Refused(0, text, {}, status, headers) from error
            raise NoAnswer(text) from error
        if code != 1:
            raise Refused(code, str(envelope.get("msg")), data, status, headers)
        return dict(data)


def string_to_sign(path: str, parameters: Mapping[str, Any]) -> str:
    """Return the string to sign. `path` begins at /merchant or /test, after the base URL."""
    lines = [f"POST {path}"]
    for name in sorted(parameters):
        value = parameters[name]
        if name != "signature" and value is not None and value != "":
            lines.append(f"{name}={value if isinstance(value, str) else canonical_json(value)}")
    return "\n".join(lines)


def sign(api_secret: str, text: str) -> str:
    """Return the signature of a string to sign."""
    return hmac.new(api_secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def canonical_json(value: Any) -> str:
    """Return canonical JSON (RFC 8785). Raises: TypeError for a float, which is inexact."""
    return json.dumps(_sorted(value), ensure_ascii=False, separators=(",", ":"))


def verify_callback(callback_secret: str, headers: Mapping[str, str], body: bytes) -> types.Event:
    """Return the event of an authentic, fresh callback. `body` is the raw request body.

    Raises: InvalidCallback; respond with 400.
    """
    lowered = {name.lower(): value for name, value in headers.items()}
    timestamp = lowered.get("webhook-timestamp", "")
    if not _CALLBACK_SECRET.fullmatch(callback_secret):
        raise InvalidCallback("the secret is not whsec_ and base64")
    key = base64.b64decode(callback_secret.removeprefix("whsec_"))
    signed = f"{lowered.get('webhook-id', '')}.{timestamp}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    # During a rotation of the secret there are two signatures; one matches this secret.
    given = lowered.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(wanted.encode(), each.encode()) for each in given):
        raise InvalidCallback("no signature matches this secret")
    if abs(time.time() - int(timestamp)) > CALLBACK_TOLERANCE_SECONDS:
        raise InvalidCallback("the timestamp differs too much from this machine's clock")
    return cast("types.Event", json.loads(body))


def _sendable(value: Any) -> Any:
    return f"{value:f}" if isinstance(value, Decimal) else value


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        # RFC 8785 sorts names by UTF-16 code units.
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _sorted(value[name]) for name in names}
    if isinstance(value, (list, tuple)):
        return [_sorted(inner) for inner in value]
    if value is None or isinstance(value, (str, int)):
        return value
    raise TypeError(f"a {type(value).__name__} cannot be sent; write amounts as text: '100.50'")


def _seconds_before_retry(error: NoAnswer | Refused, attempt: int) -> float | None:
    """Return the pause before the next attempt; None without a further attempt."""
    if isinstance(error, Refused):
        if error.code not in _RETRIED:
            return None
        if error.retry_after_seconds is not None:
            after = error.retry_after_seconds
            return after if after <= WAIT_SECONDS_MAX else None
    return 0.1 * (1 << attempt) * random.uniform(0.5, 1)  # noqa: S311 - not a secret


class _EveryStatus(urllib.request.HTTPErrorProcessor):
    """Return every response: error statuses raise nothing, redirects are not followed."""

    def http_response(
        self,
        request: urllib.request.Request,  # noqa: ARG002 - the base's signature
        response: http.client.HTTPResponse,
    ) -> http.client.HTTPResponse:
        return response

    https_response = http_response


_OPENER = urllib.request.build_opener(_EveryStatus)
