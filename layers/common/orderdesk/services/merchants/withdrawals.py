"""A merchant's people request withdrawals and keep the address book (contract section 12).

Each change is one conditional transaction with its entry in the merchant's audit trail. The amount
of a request is held from the request on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.audit import AuditEntry, Requester
from orderdesk.domain.ids import RANDOM_BITS
from orderdesk.domain.merchants.withdrawals import (
    OPEN_REQUESTS_MAX,
    REQUEST_ACTION,
    Address,
    AddressBook,
    Network,
    RequestNoTaken,
    RequestStatus,
    WithdrawalProblem,
    WithdrawalRefused,
    WithdrawalRequest,
    canonical_address,
    is_fresh,
    request_number,
)
from orderdesk.domain.money import format_usdt
from orderdesk.domain.plain_text import plain_line, text_problems
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.list_withdrawals import Requests
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, until_committed

MEMO_LENGTH_MAX = 128


class WithdrawalBook(Requests, Protocol):
    """Reads and writes one merchant's requests and addresses.

    Reads raise TryAgain. Commits raise Contended, Throttled, TryAgain, and the exceptions of each
    docstring.
    """

    def address_book(self, merchant_id: str) -> AddressBook:
        """Return a merchant's address book."""

    def change_book(self, before: AddressBook, after: AddressBook, entry: AuditEntry) -> None:
        """Store a changed address book. Raises: ChangedMeanwhile if `before` is outdated."""

    def request(self, merchant_id: str, request_no: str) -> WithdrawalRequest | None:
        """Return a request's present state; None if the merchant has no such request."""

    def has_room(self, merchant_id: str, most: int) -> bool:
        """Return whether fewer than `most` of the newest requests wait for a decision."""

    def create(self, request: WithdrawalRequest, entry: AuditEntry) -> None:
        """Store a new request and hold its amount.

        Raises: RequestNoTaken, MerchantSuspended, WithdrawalRefused if the balance is too low;
        ChangedMeanwhile if the address is not usable.
        """

    def cancel(self, request: WithdrawalRequest, entry: AuditEntry) -> None:
        """Cancel a request and release its hold. Raises: ChangedMeanwhile if it is outdated."""


@dataclass(frozen=True, slots=True)
class WithdrawalPorts:
    """The ports of a request; `now_us` returns Unix microseconds.

    `seal` encrypts the digest of a request, for this request only; only the portal's role can.
    """

    book: WithdrawalBook
    seal: Callable[[str, str], str]
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks for. `request_no` was drawn for the form, so that it is sent once."""

    request_no: str
    network: Network
    address: str
    amount_micro: int
    memo: str = ""


def draw_request_no(ports: WithdrawalPorts) -> str:
    """Return a new request_no for a form; it can be used for 24 h."""
    return request_number(ports.now_us(), ports.chance.below(1 << RANDOM_BITS))


def request_withdrawal(ports: WithdrawalPorts, by: Requester, asked: Asked) -> WithdrawalRequest:
    """Request a withdrawal and hold its amount; the same request again returns the first one.

    Raises: WithdrawalRefused, MerchantSuspended, TryAgain.
    """
    problem = _problem(asked, ports.now_us() // US_PER_SECOND)
    if problem is not None:
        raise WithdrawalRefused(problem)

    def attempt() -> WithdrawalRequest:
        at_us = ports.now_us()
        address = _usable_address(ports.book, by.merchant_id, asked, at_us // US_PER_SECOND)
        request = WithdrawalRequest(
            request_no=asked.request_no,
            merchant_id=by.merchant_id,
            network=asked.network,
            address=asked.address,
            label=address.label,
            address_added_at=address.added_at,
            amount_micro=asked.amount_micro,
            memo=asked.memo,
            requested_by=by.who,
            requested_at_us=at_us,
        )
        sealed = ports.seal(request.request_no, request.digest)
        request = replace(request, sealed=sealed)
        entry = _entry(ports, by, at_us, REQUEST_ACTION, _details(request))
        ports.book.create(request, entry)
        return request

    try:
        _check_open(ports.book, by.merchant_id)
        return until_committed(attempt, ports)
    except (RequestNoTaken, WithdrawalRefused) as refused:
        # The same form, sent before, may have held the amount that is missing now.
        first = ports.book.request(by.merchant_id, asked.request_no)
        if first is not None:
            return _same(first, asked)
        if isinstance(refused, WithdrawalRefused):
            raise
        raise WithdrawalRefused(WithdrawalProblem.STALE_FORM) from None  # another merchant's


def _problem(asked: Asked, now: int) -> WithdrawalProblem | None:
    if not is_fresh(asked.request_no, now):
        return WithdrawalProblem.STALE_FORM
    if asked.amount_micro <= 0:
        return WithdrawalProblem.BAD_AMOUNT
    if text_problems("memo", asked.memo, MEMO_LENGTH_MAX):
        return WithdrawalProblem.BAD_MEMO
    return None


def _same(first: WithdrawalRequest, asked: Asked) -> WithdrawalRequest:
    """Return the first request if it asks for the same. Raises: WithdrawalRefused."""
    is_same = all(getattr(first, name) == getattr(asked, name) for name in Asked.__slots__)
    if not is_same:
        raise WithdrawalRefused(WithdrawalProblem.STALE_FORM)
    return first


def _check_open(book: WithdrawalBook, merchant_id: str) -> None:
    """Refuse one more request if many wait. Requests at the same time may exceed the limit."""
    if not book.has_room(merchant_id, OPEN_REQUESTS_MAX):
        raise WithdrawalRefused(WithdrawalProblem.TOO_MANY_OPEN)


def _usable_address(book: WithdrawalBook, merchant_id: str, asked: Asked, now: int) -> Address:
    found = book.address_book(merchant_id).find(asked.network, asked.address)
    if found is None:
        raise WithdrawalRefused(WithdrawalProblem.UNKNOWN_ADDRESS)
    if now < found.usable_at:
        raise WithdrawalRefused(WithdrawalProblem.ADDRESS_RESTS)
    return found


def cancel_request(ports: WithdrawalPorts, by: Requester, request_no: str) -> WithdrawalRequest:
    """Cancel a request that no operator has taken up, and release its hold.

    A cancelled one stays as it is. Raises: WithdrawalRefused, TryAgain.
    """

    def attempt() -> WithdrawalRequest:
        before = ports.book.request(by.merchant_id, request_no)
        if before is None:
            raise WithdrawalRefused(WithdrawalProblem.UNKNOWN_REQUEST)
        if before.status is RequestStatus.CANCELLED:
            return before
        if not before.is_held or before.is_taken_up:
            raise WithdrawalRefused(WithdrawalProblem.TAKEN_UP)
        at_us = ports.now_us()
        entry = _entry(ports, by, at_us, "withdrawal.cancel", _details(before))
        ports.book.cancel(before, entry)
        return replace(before, status=RequestStatus.CANCELLED, decided_at_us=at_us)

    return until_committed(attempt, ports)


def add_address(
    ports: WithdrawalPorts, by: Requester, network: Network, text: str, label: str
) -> AddressBook:
    """Add an address, which can be used 24 h later. Raises: WithdrawalRefused, TryAgain."""
    address = canonical_address(network, plain_line(text))

    def changed(before: AddressBook, now: int) -> tuple[AddressBook, Address]:
        new = Address(network, address, plain_line(label), by.who, now)
        return before.plus(new), new

    return _change_book(ports, by, "address.add", changed)


def remove_address(
    ports: WithdrawalPorts, by: Requester, network: Network, address: str
) -> AddressBook:
    """Remove an address; an open request to it is not paid. Raises: WithdrawalRefused, TryAgain."""

    def changed(before: AddressBook, _: int) -> tuple[AddressBook, Address]:
        old = before.find(network, address)
        if old is None:
            raise WithdrawalRefused(WithdrawalProblem.UNKNOWN_ADDRESS)
        return before.minus(old), old

    return _change_book(ports, by, "address.remove", changed)


def _change_book(
    ports: WithdrawalPorts,
    by: Requester,
    action: str,
    changed: Callable[[AddressBook, int], tuple[AddressBook, Address]],
) -> AddressBook:
    def attempt() -> AddressBook:
        at_us = ports.now_us()
        before = ports.book.address_book(by.merchant_id)
        after, address = changed(before, at_us // US_PER_SECOND)
        details = {
            "network": address.network.value,
            "address": address.address,
            "label": address.label,
        }
        entry = _entry(ports, by, at_us, action, details)
        ports.book.change_book(before, after, entry)
        return after

    return until_committed(attempt, ports)


def _entry(
    ports: WithdrawalPorts, by: Requester, at_us: int, action: str, details: Mapping[str, str]
) -> AuditEntry:
    below, token = ports.chance.below, ports.chance.token()
    return by.entry(below, at_us, action, by.merchant_id, details, token=token)


def _details(request: WithdrawalRequest) -> Mapping[str, str]:
    return {
        "request_no": request.request_no,
        "amount_usdt": format_usdt(request.amount_micro),
        "account": request.money.account.key,
        "network": request.network.value,
        "address": request.address,
    }
