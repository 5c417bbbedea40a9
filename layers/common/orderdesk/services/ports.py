"""What the use cases ask of the outside; the adapters give it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.traders.trader import Demand, Trader


class Chance(Protocol):
    """Randomness fit for secrets."""

    def below(self, bound: int) -> int:
        """Give a random int in [0, bound)."""

    def token(self) -> str:
        """Give a fresh random token of at least 122 bits."""


class MerchantDirectory(Protocol):
    """Merchants, their unsealed secrets and the base rates, read through a bounded cache."""

    def find(self, merchant_id: str) -> Merchant | None:
        """Give a merchant, or None."""

    def find_anew(self, merchant_id: str) -> Merchant | None:
        """The same, read again unless that was done within the last second."""

    def secrets(self, merchant: Merchant) -> MerchantSecrets:
        """Unseal a merchant's secrets."""

    def base_rate(self, side: OrderType) -> BaseRate | None:
        """Give the operator's rate of a side, or None before one was set."""


@dataclass(frozen=True, slots=True)
class Nonce:
    """A nonce of an api_key, to be consumed once, by the call `holder`; `now` in Unix seconds.

    `holder` is drawn anew for each invocation: a request id will not do, callers can choose it.
    """

    api_key: str = field(repr=False)
    value: str = field(repr=False)
    now: int
    holder: str


class NonceGuard(Protocol):
    """Remembers nonces."""

    def consume(self, nonce: Nonce) -> None:
        """Consume a nonce. Raises: NonceReused."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Whose a merchant_order_no is: an order's for ever, or a draft's until it runs out."""

    order_no: str | None
    pending_no: str | None
    expire_time: int | None

    def holds_at(self, now: int) -> bool:
        """Tell whether the number is taken at a time (Unix seconds)."""
        return self.expire_time is None or now < self.expire_time


class Orders(Protocol):
    """Orders, drafts and the reservations of merchant_order_no, for reading."""

    def order(self, order_no: str) -> Order | None:
        """Give an order, or None."""

    def draft(self, pending_no: str) -> Draft | None:
        """Give a draft, or None."""

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:
        """Give the last reservation of a number, or None; a draft's may have run out."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A trader as read, to be taken for an order on a trading day, at a time (Unix us).

    `in_rotation`: only while it is online; an operator may also assign to one that is not.
    """

    trader: Trader
    day: int
    now_us: int
    in_rotation: bool = True

    @property
    def accepts_us(self) -> int:
        """When the trader accepts (Unix us): always later than the last time."""
        return max(self.now_us, self.trader.last_accepted_us + 1)


class Rotation(Protocol):
    """The traders in rotation, for reading."""

    def rotation_pages(self, demand: Demand, at_least: int = 1) -> Iterator[Iterator[Trader]]:
        """Read the online traders of the demand's mode in rotation order.

        One request a page; the first looks at `at_least` so many. Traders that cannot take the
        order may be left out, so a page may be empty.
        """


class NewOrders(NonceGuard, Rotation, Protocol):
    """Everything createOrder writes; each commit is one conditional transaction.

    Commits raise NonceReused, NumberTaken, OrderIdTaken, Contended, Throttled beside what each
    names, in this order of precedence.
    """

    def commit_buy(self, order: Order, claim: Claim, nonce: Nonce | None, token: str) -> None:
        """Claim the trader, hold its USDT, put the order. Raises: ClaimLost."""

    def commit_sell(self, order: Order, nonce: Nonce | None, token: str) -> None:
        """Hold the merchant's USDT, put the order. Raises: HoldLost."""

    def commit_draft(self, draft: Draft, nonce: Nonce | None, token: str) -> None:
        """Put the draft."""

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:
        """Give the last reservation of a number, or None; a draft's may have run out."""


class Drafts(Protocol):
    """Reads a draft and writes its next state, each change one conditional transaction.

    Writes raise ChangedMeanwhile, Contended, Throttled, TryAgain beside what each names.
    """

    def draft(self, pending_no: str) -> Draft | None:
        """Give a draft, or None."""

    def change(self, before: Draft, after: Draft, token: str) -> None:
        """Write what differs."""

    def end(self, before: Draft, after: Draft, token: str, *, frees_number: bool) -> None:
        """Lock or expire it, and free its merchant_order_no. Raises: NumberLost."""

    def complete(self, before: Draft, after: Draft, order: Order, claim: Claim, token: str) -> None:
        """Make it the order, number and all. Raises: ClaimLost, NumberLost, OrderIdTaken."""
