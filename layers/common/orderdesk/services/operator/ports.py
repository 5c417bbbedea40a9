"""The ports of the operators' use cases.

Every commit is one conditional transaction that also writes its audit entry, and with it the
proposal that it executes and the idempotency key that it answers. Reads raise TryAgain. Commits
raise Contended, Throttled, TryAgain, DecisionLost, KeyUsed, and the exceptions of each docstring.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from orderdesk.domain.accounts import Account, Balance, Transfer
from orderdesk.domain.audit import AuditEntry, FirstAnswer
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import Team
from orderdesk.domain.merchants.withdrawals import AddressBook, WithdrawalRequest
from orderdesk.domain.orders.blocks import Block
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.proposals import PartResult, Proposal
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.orders import OrderIndexes
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.ports import FindsTraders, KeyVault, Orders
from orderdesk.services.traders.stops import OpenOrders


class RequestBooks(Protocol):
    """Reads merchants' withdrawal requests and address books."""

    def request(self, request_no: str) -> WithdrawalRequest | None:
        """Return a request's present state, or None."""

    def address_book(self, merchant_id: str) -> AddressBook:
        """Return a merchant's address book."""


class Vault(KeyVault, Protocol):
    """Encrypts and decrypts merchants' secrets, and those that proposals make."""

    def seal_for_people(self, proposal_no: str, secret: str) -> bytes:
        """Encrypt a secret that a proposal makes; it can be decrypted for this proposal only."""

    def unseal_for_people(self, proposal_no: str, sealed: bytes) -> str:
        """Decrypt the secret that a proposal made."""

    def unseal_digest(self, request_no: str, sealed: str) -> str:
        """Return the digest that the portal sealed for a request; "" if it sealed none."""


class MerchantRegister(Protocol):
    """Reads and changes merchants and their teams, and the desk's rules, for operators.

    The rules are the block list, the limits of a day, and the base rates.
    """

    def merchant(self, merchant_id: str) -> Merchant | None:
        """Return a merchant's present state, or None."""

    def merchants(self) -> Iterator[Merchant]:
        """Yield every merchant, unsorted."""

    def add(self, merchant: Merchant, entry: AuditEntry) -> None:
        """Store a new merchant.

        Raises: ChangedMeanwhile if the id is taken; UnacceptableTerms if another merchant is shown
        by one of its names and nobody acts alone.
        """

    def change_merchant(self, before: Merchant, after: Merchant, entry: AuditEntry) -> None:
        """Write the changed attributes. Raises: ChangedMeanwhile if `before` is outdated.

        Raises UnacceptableTerms for another merchant's name, as `add`.
        """

    def team(self, merchant_id: str) -> Team:
        """Return a merchant's team; without members if there is none."""

    def change_team(self, before: Team, after: Team, entry: AuditEntry) -> None:
        """Write a team. Raises: ChangedMeanwhile if `before` is outdated."""

    def blocks(self) -> tuple[int, Sequence[Block]]:
        """Return the list's version and its entries."""

    def write_blocks(self, version: int, blocks: Sequence[Block], entry: AuditEntry) -> None:
        """Write the list. Raises: ChangedMeanwhile if its version is another one."""

    def day_limits(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the limits of a day by name, and those that two people approved; 0 is none."""

    def set_day_limits(
        self,
        before: Mapping[str, int],
        after: Mapping[str, int],
        approved: Mapping[str, int],
        entry: AuditEntry,
    ) -> None:
        """Write the limits. Raises: ChangedMeanwhile if they are not those before."""

    def rates(self) -> dict[OrderType, BaseRate]:
        """Return the base rates that were set."""

    def set_rate(
        self, side: OrderType, before: BaseRate | None, rate: BaseRate, entry: AuditEntry
    ) -> None:
        """Set a side's rate.

        Raises: ChangedMeanwhile if `before` is outdated or the sell rate would exceed the buy rate.
        """


class TraderRegister(FindsTraders, Protocol):
    """Reads and changes traders for operators; `change` never writes the attributes of matching."""

    def traders(self) -> Iterator[Trader]:
        """Yield every trader, unsorted."""

    def add(self, trader: Trader, shard: int, entry: AuditEntry) -> None:
        """Store a new trader.

        Raises: ChangedMeanwhile if the id is taken; UnacceptableTerms if it is live, another trader
        has its name, and nobody acts alone.
        """

    def named(self, name: str) -> Collection[str]:
        """Return the ids of the traders that have a name, as people see it."""

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Return the present state of a trader's open orders; a new one may be missing."""

    def reserve_amount(self, order: Order, now: int, token: str) -> None:
        """Reserve the amount of an open buy at a time (Unix seconds). Raises: ChangedMeanwhile."""

    def change(self, before: Trader, after: Trader, entry: AuditEntry) -> None:
        """Write the changed attributes. Raises: ChangedMeanwhile if `before` is outdated.

        If unique amounts begin, `before` is also outdated if an order was taken or ended since.
        """


class Funds(RequestBooks, Protocol):
    """Posts what people decide about money, and keeps the withdrawal requests of merchants."""

    def balance(self, account: Account) -> Balance:
        """Return an account's balance. Raises: UnknownId for an unknown trader."""

    def owner_name(self, account: Account) -> str:
        """Return the name of an account's merchant or trader. Raises: UnknownId."""

    def has_team(self, merchant_id: str) -> bool:
        """Return whether a merchant has people who can sign in to the portal."""

    def post(
        self,
        transfer: Transfer,
        entry: AuditEntry,
        *,
        is_held: bool,
        request: WithdrawalRequest | None = None,
    ) -> None:
        """Post a funding, or what leaves an account, held or available; approve its request.

        Raises: UnknownId, BalanceTooLow if it is not held; RequestDecided if the request changed.
        """

    def put_off(self, entry: AuditEntry, *, request: WithdrawalRequest | None = None) -> None:
        """Approve a payout that waits for a seal; its amount stays held.

        Raises: DecisionLost, RequestDecided or RequestForged if the request was changed.
        """

    def reverse(
        self,
        before: Order,
        after: Order,
        transfer: Transfer,
        entry: AuditEntry,
        *,
        also: Sequence[tuple[Order, Order]] = (),
    ) -> None:
        """Write a reversed order, its postings and balances; gather split accounts first.

        `also` are other orders before and after their change. Raises: ChangedMeanwhile if an order
        or a balance is no longer as it was read.
        """

    def open_after(self, request_no: str, limit: int) -> Sequence[WithdrawalRequest]:
        """Return open requests with a higher number, oldest first."""

    def record_sent(
        self, proposal_no: str, request: WithdrawalRequest | None, txid: str, entry: AuditEntry
    ) -> None:
        """Record the transaction of an executed proposal and an approved request.

        Each may be missing (`proposal_no` ""). Raises: ChangedMeanwhile if one has a transaction.
        """


class Proposals(Protocol):
    """Reads and decides proposals, and moves the USDT that they hold.

    It also has the first answers of idempotency keys.
    """

    def proposal(self, proposal_no: str) -> Proposal | None:
        """Return a proposal's present state, or None."""

    def newest(self, since: str, before: str | None) -> Iterator[Sequence[Proposal]]:
        """Yield pages of proposals, newest first, with numbers above `since` and below `before`.

        `since` is "" and `before` None for all. Each page is one request.
        """

    def propose(self, proposal: Proposal, entry: AuditEntry) -> None:
        """Store a new one and hold its amount, or take up the request that holds it.

        Raises: UnknownId, BalanceTooLow, RequestDecided; ChangedMeanwhile if the number is taken.
        """

    def reject(self, rejected: Proposal, entry: AuditEntry, *, is_blocked: bool = False) -> None:
        """Reject an open or a blocked one and release its hold; reject its request too.

        Raises: ChangedMeanwhile if it is not so any more.
        """

    def record(self, entry: AuditEntry) -> None:
        """Write that a proposal is seen unmasked, or that a list is begun."""

    def finish(self, proposal_no: str, results: Sequence[PartResult], entry: AuditEntry) -> None:
        """Write a begun list's results. Raises: ChangedMeanwhile if it is not begun any more."""

    def record_reveal(self, proposal: Proposal, entry: AuditEntry) -> None:
        """Write that a secret is read. Raises: ChangedMeanwhile if its time is over."""

    def first_answer(self, person: str, key: str, now: int) -> FirstAnswer | None:
        """Return the answer of a key that is not over (Unix seconds), or None. Raises: TryAgain."""

    def keep_key(self, answer: FirstAnswer, now: int, token: str) -> None:
        """Store the key of a request that may run again. Raises: KeyUsed, TryAgain."""


@dataclass(frozen=True, slots=True)
class Record:
    """The subjects that a person's hands are on, and the micro-USDT that it decided alone."""

    touched: tuple[str, ...]
    spent_micro: int


class Records(Protocol):
    """Reads what persons had a part in."""

    def record(self, person: str, subjects: Sequence[str], day: int, now: int) -> Record:
        """Return a person's record about subjects at a time (Unix seconds)."""


class CommandPorts(Protocol):
    """The ports of the commands that can need a second person; each is made at its first use."""

    def acting(self, operator: Operator) -> Self:
        """Return the ports of another caller, or of the same one while it decides."""

    @property
    def operator(self) -> Operator:
        """The caller, with the clock and the randomness of the action."""

    @property
    def proposals(self) -> Proposals: ...
    @property
    def funds(self) -> Funds: ...
    @property
    def merchants(self) -> MerchantRegister: ...
    @property
    def traders(self) -> TraderRegister: ...
    def block_key(self) -> bytes:
        """Return the key of the block list's hashes."""

    @property
    def vault(self) -> Vault: ...
    @property
    def orders(self) -> Orders: ...
    @property
    def open_orders(self) -> OpenOrders: ...
    @property
    def order_listing(self) -> OrderIndexes: ...
    @property
    def moves(self) -> MovePorts: ...
    @property
    def reads(self) -> Records: ...
    @property
    def solo_micro(self) -> int:
        """What one person may decide on a trading day: the deployment's SoloResolveUsdt."""

    @property
    def assignment_seconds(self) -> int:
        """How long a trader has for an assigned sell."""

    @property
    def rotation_shards(self) -> int:
        """Over how many shards the traders' rotation is split."""

    @property
    def allow_loopback(self) -> bool:
        """The deployment's AllowLocalTargets."""

    @property
    def pages_url(self) -> str:
        """The address under which merchants and payers reach the pages."""
