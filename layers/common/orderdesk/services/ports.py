"""The ports that several use cases share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from orderdesk.domain.accounts import Gather
from orderdesk.domain.orders.drafts import Draft, Reservation
from orderdesk.domain.orders.open_orders import NeedsRoom, OpenShare
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import BaseRate, Mode, OrderType
from orderdesk.domain.traders.matching import Demand
from orderdesk.domain.traders.trader import Claim, Trader

if TYPE_CHECKING:
    from orderdesk.domain.callbacks.delivery import Attempt
    from orderdesk.domain.merchants.merchant import ApiSecrets, Merchant, MerchantSecrets
    from orderdesk.domain.orders.amounts import AccountAmount, AmountRecord
    from orderdesk.domain.orders.blocks import DayCount


DEFAULT_LIMIT = 20
MAX_LIMIT = 100
"""The default and the most items of a page that a merchant asks for."""


@dataclass(frozen=True, slots=True)
class Slice[T, P]:
    """One page of a list; the next one begins after the place `following`, None at the end.

    A page can be short, or empty, although others follow.
    """

    items: Sequence[T]
    following: P | None


class Chance(Protocol):
    """Cryptographically secure randomness."""

    def below(self, bound: int) -> int:
        """Return a random int in [0, bound)."""

    def token(self) -> str:
        """Return a new random token of at least 122 bits."""


class FindsMerchants(Protocol):
    """Reads merchants, from a cache if it can."""

    def find(self, merchant_id: str) -> "Merchant | None":
        """Return a merchant, or None. Raises: TryAgain."""


class FindsTraders(Protocol):
    """Reads traders."""

    def trader(self, trader_id: str) -> Trader | None:
        """Return a trader's present state, or None. Raises: TryAgain."""


class MerchantDirectory(FindsMerchants, Protocol):
    """Reads merchants, their decrypted secrets and the base rates through a bounded cache."""

    def find_fresh(self, merchant_id: str) -> "Merchant | None":
        """Return a merchant that was read within the last second, or None. Raises: TryAgain."""

    def secrets(self, merchant: "Merchant") -> "MerchantSecrets":
        """Decrypt a merchant's secrets. Raises: TryAgain."""

    def base_rate(self, side: OrderType) -> BaseRate | None:
        """Return a side's base rate, or None if none was set. Raises: TryAgain."""

    def blocks(self) -> Mapping[str, int]:
        """Return the block list: keyed hashes and the ends of their blocks. Raises: TryAgain."""

    def day_limits(self) -> Mapping[str, int]:
        """Return the limits of a day that are set, by name. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class Nonce:
    """A nonce of an api_key, which the call `holder` consumes once; `now` in Unix seconds.

    `holder` is drawn for each invocation. It is not the request id, because a caller can choose
    that.
    """

    api_key: str = field(repr=False)
    value: str = field(repr=False)
    now: int
    holder: str


@dataclass(frozen=True, slots=True)
class MerchantCaller:
    """An authenticated merchant, and the nonce of its call, which is not consumed yet.

    `key` is the mode of the call's api_key. `secret_rotated_at` is when a rotation made the secret
    of the call (Unix seconds), or 0.
    """

    merchant: "Merchant"
    key: Mode
    nonce: Nonce = field(repr=False)
    secret_rotated_at: int = 0


class KeyVault(Protocol):
    """Encrypts and decrypts a merchant's secrets, each only for that merchant. Raises: TryAgain."""

    def unseal(self, merchant_id: str, sealed: bytes) -> "MerchantSecrets":
        """Decrypt the live key's secrets and the link secret."""

    def unseal_key(self, merchant_id: str, mode: Mode, sealed: bytes) -> "ApiSecrets":
        """Decrypt the secrets of a key of a mode."""

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        """Decrypt the callback secrets, newest first."""

    def seal(self, merchant_id: str, secrets: "MerchantSecrets") -> bytes:
        """Encrypt the live key's secrets and the link secret."""

    def seal_key(self, merchant_id: str, mode: Mode, secrets: "ApiSecrets") -> bytes:
        """Encrypt the secrets of a key of a mode."""

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        """Encrypt the callback secrets, newest first."""


class Sender(Protocol):
    """Posts over HTTP, within limits of time and size."""

    def send(self, url: str, headers: Mapping[str, str], body: str) -> "Attempt":
        """Post once; the attempt has the response or the failure."""


class NonceGuard(Protocol):
    """Stores consumed nonces."""

    def consume(self, nonce: Nonce) -> None:
        """Consume a nonce. Raises: NonceReused, TryAgain."""


class Orders(Protocol):
    """Reads orders, drafts and the reservations of merchant_order_no. Raises: TryAgain."""

    def order(self, order_no: str) -> Order | None:
        """Return an order, or None."""

    def draft(self, pending_no: str) -> Draft | None:
        """Return a draft, or None."""

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:
        """Return the last reservation of a number, or None; a draft's may have expired."""


@dataclass(frozen=True, slots=True)
class NewBuy:
    """A buy to be stored, with its trader's claim and its share of its merchant's limits.

    `day` is what it adds to its customer's day, where the desk limits it.
    """

    order: Order
    claim: Claim
    share: OpenShare
    day: "DayCount | None" = None


@dataclass(frozen=True, slots=True)
class NewSell:
    """A sell to be stored, with its share of its merchant's limits.

    `gathered` is what other shards transfer to the sell's in the same transaction, if anything.
    `refunded` is the buy that it refunds, before and after. `day` is as in a buy.
    """

    order: Order
    share: OpenShare
    gathered: Gather | None
    refunded: tuple[Order, Order] | None = None
    day: "DayCount | None" = None


class Rotation(Protocol):
    """Reads the traders in rotation."""

    def rotation_pages(self, demand: Demand, at_least: int = 1) -> Iterator[Iterator[Trader]]:
        """Read the online traders of the demand's mode in rotation order, one request a page.

        The first page reads at least `at_least` traders. Traders that cannot take the order may be
        left out, so a page may be empty.
        Raises: TryAgain.
        """

    def amount_records(self, amounts: "Sequence[AccountAmount]") -> "Sequence[AmountRecord]":
        """Return the records of at most 100 amounts, in one read that may lag. Raises: TryAgain."""


class LimitsRoom(Protocol):
    """Shares the room of merchants' limits out over their counters."""

    def share_room_out(self, wanted: NeedsRoom, token: str) -> Sequence[OpenShare]:
        """Return the shares that have room, the first of them for the order.

        Raises: ShareFull if the limits have none, ChangedMeanwhile, Contended, Throttled, TryAgain.
        """


class NewOrders(NonceGuard, Orders, Protocol):
    """Everything that createOrder writes; each commit is one conditional transaction.

    Commits raise NonceReused, NumberTaken, OrderIdTaken, Contended, Throttled, TryAgain, and the
    exceptions of each docstring. If several apply, the first is raised.
    """

    def commit_buy(self, buy: NewBuy, nonce: Nonce | None, token: str) -> None:
        """Count the buy, claim the trader, hold its USDT, store the order.

        Raises: ShareFull, SharesChanged, ClaimLost, AmountTaken.
        """

    def commit_sell(self, sell: NewSell, nonce: Nonce | None, token: str) -> None:
        """Count the sell and place the hold on its shard, store the order.

        Raises: ShareFull, SharesChanged, HoldLost; ChangedMeanwhile if the refunded buy changed.
        """

    def gather(self, order: Order, shards: int) -> Gather | None:
        """Return what the sell's shard needs from the others; there are at least `shards` shards.

        Return None only if one consistent read showed that all shards together do not cover the
        hold.
        Raises: Contended, Throttled, TryAgain.
        """

    def commit_draft(self, draft: Draft, token: str) -> None:
        """Store the draft. Its nonce was already consumed."""


class Drafts(Protocol):
    """Reads a draft and writes its next state; each change is one conditional transaction.

    Writes raise ChangedMeanwhile, Contended, Throttled, TryAgain, and the exceptions of each
    docstring.
    """

    def draft(self, pending_no: str) -> Draft | None:
        """Return a draft, or None. Raises: TryAgain."""

    def change(self, before: Draft, after: Draft, token: str) -> None:
        """Write the changed attributes."""

    def end(self, before: Draft, after: Draft, chance: Chance) -> None:
        """Lock or expire the draft, and free its merchant_order_no if the draft still has it.

        Before the sweep expires a draft, a new order may have taken the number.
        """

    def complete(self, before: Draft, after: Draft, buy: NewBuy, token: str) -> None:
        """Store the order, count it, claim its trader, and move the draft's number to it.

        Raises: NumberLost, ShareFull, SharesChanged, ClaimLost, AmountTaken, OrderIdTaken.
        """
