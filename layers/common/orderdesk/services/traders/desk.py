"""The trader's desk: login, own orders, own balance, and going on and off duty.

An access code opens a session, whose cookie is valid for 12 hours. A session ends when it expires,
when the trader logs out, and when an operator sets a new access code. Only hashes of the code and
of the session's token are stored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from orderdesk.domain.accounts import Account, AccountKind, Entry
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.credentials import typed_access_code
from orderdesk.domain.errors import NotLoggedIn, Refusal
from orderdesk.domain.ids import id_range, is_order_no, token_hash
from orderdesk.domain.orders.desk_lists import OPEN_LISTS, DeskList, twins_of
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.attempt_limits import (
    CODE_LOOKUPS,
    WRONG_CODES,
    Attempts,
    require_unspent,
    require_within,
)
from orderdesk.services.ports import Chance, FindsTraders, Orders, Slice
from orderdesk.services.retrying import PauseMs, change_until_committed

SUSPENDED = "suspended"

# An order that ended within 48 h was hardly created more than a week ago.
TWIN_CREATED_SECONDS = 604_800


@dataclass(frozen=True, slots=True)
class DeskPlace:
    """A place among a trader's open orders: after this order of this list."""

    on_desk: DeskList
    order_id: int


TOP = DeskPlace(OPEN_LISTS[0], 0)
"""The place before the first open order."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """One page of a trader's open orders, after `after`; the next page begins after `further`.

    `further` is None at the end. `total` counts the open orders of all pages, including those whose
    deadline passed since the last sweep.
    """

    orders: Sequence[Order]
    after: DeskPlace
    further: DeskPlace | None
    total: int

    @property
    def is_crowd(self) -> bool:
        """Whether there are other pages."""
        return self.after != TOP or self.further is not None


class DeskOrders(Protocol):
    """Reads a trader's orders by the desk's index, which may lag behind them. Raises: TryAgain."""

    def waiting(
        self, trader_id: str, on_desk: DeskList, after_id: int, limit: int
    ) -> Sequence[Order]:
        """Return open orders of a list, oldest first, with ids above `after_id`."""

    def returned(self, trader_id: str, limit: int) -> Sequence[str]:
        """Return the numbers of sells that were taken back, the newest order first."""

    def of_amount(self, trader_id: str, cny_fen: int, first_id: int) -> Sequence[Order]:
        """Return all open orders of an amount, and ended ones with ids from `first_id` on.

        Of more than 3,000 orders of a list, only the newest are searched.
        """

    def done(self, trader_id: str, first_id: int, last_id: int, limit: int) -> Sequence[Order]:
        """Return ended orders of a span of ids, both included, newest first."""


class Statement(Protocol):
    """Reads the postings of accounts."""

    def entries(self, account: Account, before: str | None, limit: int) -> Slice[Entry, str]:
        """Return an account's postings, newest first, older than `before`. Raises: TryAgain."""


class TraderDirectory(FindsTraders, Protocol):
    """Finds traders, and writes their own changes.

    Writes raise ChangedMeanwhile if `before` is outdated, Contended, Throttled, TryAgain.
    """

    def of_access_code(self, code_hash: str) -> str | None:
        """Return the id of the trader whose access code has this hash, or None.

        It may lag. Raises: TryAgain.
        """

    def change(self, before: Trader, after: Trader, token: str) -> None:
        """Write whether the trader is online, and that it logged in."""

    def change_settings(self, before: Trader, after: Trader, entry: AuditEntry) -> None:
        """Write the changed attributes with the audit entry."""


def own_order(orders: Orders, trader: Trader, order_no: str) -> Order:
    """Find an order of this trader. Raises: OrderNotFound, also for another trader's; TryAgain."""
    order = orders.order(order_no) if is_order_no(order_no) else None
    if order is None or order.trader_id != trader.trader_id:
        raise OrderNotFound
    return order


RETURNED_READ = 50


def returned_order(orders: Orders, trader: Trader, order_no: str, now: int) -> Order | None:
    """Find a sell that a trader lost and can prove, or has proved; or None. Raises: TryAgain."""
    order = orders.order(order_no) if is_order_no(order_no) else None
    return order if order is not None and _is_returned(order, trader, now) else None


def _is_returned(order: Order, trader: Trader, now: int) -> bool:
    """Return whether a sell was taken back from a trader in the last 24 h, or has its proof."""
    who = trader.trader_id
    return order.returned_from(who, now) is not None or order.has_late_proof_of(who)


def returned_orders(index: DeskOrders, orders: Orders, trader: Trader, now: int) -> Sequence[Order]:
    """Return the sells that a trader can still prove, or has proved, of its 50 newest.

    Raises: TryAgain.
    """
    numbers = index.returned(trader.trader_id, RETURNED_READ)
    found = filter(None, map(orders.order, numbers))
    return [order for order in found if _is_returned(order, trader, now)]


def find_twins(index: DeskOrders, order: Order, now: int) -> Sequence[Order]:
    """Return what a trader could mistake for its buy: same amount and account, open or recent.

    Raises: TryAgain.
    """
    assert order.trader_id is not None, "an order on a desk has a trader"
    first_id, _ = id_range(now - TWIN_CREATED_SECONDS, None)
    return twins_of(order, index.of_amount(order.trader_id, order.quote.cny_fen, first_id), now)


def open_orders(index: DeskOrders, trader: Trader, after: DeskPlace, *, limit: int) -> OpenPage:
    """Return one page of a trader's open orders: list by list, the oldest order first.

    It makes at most one request for each list, however many orders are open. Raises: TryAgain.
    """
    found: list[tuple[DeskPlace, Order]] = []
    for on_desk in OPEN_LISTS[OPEN_LISTS.index(after.on_desk) :]:
        after_id = after.order_id if on_desk is after.on_desk else 0
        room = limit + 1 - len(found)
        if room > 0:
            orders = index.waiting(trader.trader_id, on_desk, after_id, room)
            found += [(DeskPlace(on_desk, order.order_id), order) for order in orders]
    page = found[:limit]
    further = page[-1][0] if len(found) > limit else None
    return OpenPage([order for _, order in page], after, further, trader.counts.open_orders)


def statement(
    ledger: Statement, trader: Trader, before: str | None, *, limit: int
) -> Slice[Entry, str]:
    """Return one page of a trader's statement. Raises: TryAgain."""
    account = Account(AccountKind.TRADER, trader.trader_id, trader.mode)
    return ledger.entries(account, before, limit)


SESSION_SECONDS = 12 * 3600


class WrongAccessCode(Refusal, reason="wrong_access_code"):
    """No trader has this access code."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as stored; `expires_at` in Unix seconds.

    `code_hash` is the hash of the access code that opened it. A new code ends the session.
    """

    token_hash: str = field(repr=False)
    trader_id: str
    code_hash: str = field(repr=False)
    expires_at: int


class Sessions(Protocol):
    """Stores sessions. Each method raises TryAgain."""

    def open(self, session: Session) -> None:
        """Store a session."""

    def find(self, token_hash: str) -> Session | None:
        """Return a session, or None; it may have expired."""

    def end(self, token_hash: str) -> None:
        """Delete a session; a missing one is no error."""


@dataclass(frozen=True, slots=True)
class SessionPorts:
    sessions: Sessions
    traders: TraderDirectory
    attempts: Attempts
    chance: Chance
    pause_ms: PauseMs


def log_in(code: str, source_ip: str, ports: SessionPorts, now: int) -> str:
    """Open a session with an access code as typed; return the cookie's token.

    Traders of one office share an address, so wrong codes of one trader must not lock out another:
    a right code works after any number of wrong ones up to CODE_LOOKUPS. That is safe, because a
    code has 140 random bits.
    `now` in Unix seconds. Raises: WrongAccessCode, TooManyRequests, TryAgain.
    """
    require_unspent(ports.attempts, CODE_LOOKUPS, source_ip, now)
    typed = typed_access_code(code)
    code_hash = token_hash(typed)
    trader_id = ports.traders.of_access_code(code_hash) if typed else None
    trader = None if trader_id is None else ports.traders.trader(trader_id)
    if trader is None or trader.access.access_code_hash != code_hash:
        require_within(ports.attempts, WRONG_CODES, source_ip, now)
        raise WrongAccessCode
    token = ports.chance.token() + ports.chance.token()
    expires_at = now + SESSION_SECONDS
    ports.sessions.open(Session(token_hash(token), trader.trader_id, code_hash, expires_at))
    mark = trader.access.code_mark
    if trader.access.code_used != mark:  # a session was opened: nobody reads the halves any more

        def used(before: Trader) -> Trader:
            return replace(before, access=replace(before.access, code_used=mark))

        _change(trader.trader_id, used, ports, WrongAccessCode)
    return token


def _change(
    trader_id: str, changed: Callable[[Trader], Trader], ports: SessionPorts, missing: type[Refusal]
) -> Trader:
    """Change a trader's present state. Raises: `missing` if there is no such trader."""

    def read() -> Trader:
        before = ports.traders.trader(trader_id)
        if before is None:
            raise missing
        return before

    def write(before: Trader, after: Trader) -> None:
        ports.traders.change(before, after, ports.chance.token())

    return change_until_committed(read, changed, write, ports)


def logged_in(token: str | None, ports: SessionPorts, now: int) -> Trader:
    """Return the trader of a session, read now. Raises: NotLoggedIn, TryAgain."""
    session = ports.sessions.find(token_hash(token)) if token else None
    if session is None or now >= session.expires_at:
        raise NotLoggedIn
    trader = ports.traders.trader(session.trader_id)
    if trader is None or trader.access.access_code_hash != session.code_hash:
        raise NotLoggedIn
    return trader


def log_out(token: str | None, ports: SessionPorts) -> None:
    """End a session, if there is one. Raises: TryAgain."""
    if token:
        ports.sessions.end(token_hash(token))


def go_on_duty(trader_id: str, ports: SessionPorts, *, online: bool) -> Trader:
    """Add a trader to the rotation or remove it; open orders are not affected.

    Raises: StateConflict if a suspended trader wants to go online; OrderNotFound if there is no
    such trader; TryAgain.
    """

    def changed(before: Trader) -> Trader:
        if online and before.suspended:
            raise StateConflict(SUSPENDED)
        return replace(before, online=online)

    return _change(trader_id, changed, ports, OrderNotFound)
