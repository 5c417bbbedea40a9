"""listWithdrawals: a merchant's requests, and what operators paid out, newest first (section 4)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.accounts import Account, AccountKind, Entry
from orderdesk.domain.ids import is_numbered
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRequest
from orderdesk.domain.pricing import Mode
from orderdesk.services.ports import Slice

# People ask for withdrawals, so a merchant has few; older requests are in the portal.
REQUESTS_MAX = 1_000
ENDING_LENGTH = 6


class Requests(Protocol):
    """Reads a merchant's requests."""

    def newest(
        self, merchant_id: str, before: str | None, limit: int
    ) -> Sequence[WithdrawalRequest]:
        """Return requests with a lower number, newest first; `before` is None for the first.

        Raises: TryAgain.
        """


class Payouts(Protocol):
    """Reads the withdrawals that were paid out of an account."""

    def payouts(self, account: Account, before_us: int | None, limit: int) -> Slice[Entry, int]:
        """Return at most `limit` postings before a time (Unix us), newest first. Raises: TryAgain.

        If very many postings are of other kinds, `following` is the time that was reached.
        """

    def txids(self, withdrawal_nos: Sequence[str]) -> Sequence[str]:
        """Return the transactions that paid at most 100 withdrawals; "" for one that is not sent.

        Raises: TryAgain.
        """


@dataclass(frozen=True, slots=True)
class ListedWithdrawal:
    """A request or a withdrawal by an operator; the former has a number, network and address."""

    at_us: int
    amount_micro: int
    state: RequestStatus
    request_no: str | None = None
    withdrawal_no: str | None = None
    network: str | None = None
    address_ending: str | None = None
    txid: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class WithdrawalReads:
    requests: Requests
    payouts: Payouts


def list_withdrawals(
    reads: WithdrawalReads, merchant_id: str, mode: Mode, before_us: int | None, limit: int
) -> Slice[ListedWithdrawal, int]:
    """Return the newest requests and withdrawals of a mode before a time (Unix us).

    A page can be short, or empty, although others follow. Raises: TryAgain.

    Only live money is requested. A payout of a request is listed as the request.
    """
    asked = reads.requests.newest(merchant_id, None, REQUESTS_MAX) if mode is Mode.LIVE else ()
    requested = {each.transfer_id for each in asked if each.transfer_id}
    account = Account(AccountKind.MERCHANT, merchant_id, mode)
    paid = reads.payouts.payouts(account, before_us, limit + len(requested) + 1)
    found = [
        *map(_of_request, asked),
        *(_of_payout(each) for each in paid.items if each.transfer_id not in requested),
    ]
    reached, end = paid.following or 0, math.inf if before_us is None else before_us
    asked_for = [each for each in found if reached <= each.at_us < end]
    newest = sorted(asked_for, key=lambda each: each.at_us, reverse=True)
    page = _sent(reads.payouts, newest[:limit])
    return Slice(page, page[-1].at_us if len(newest) > limit else paid.following)


def _sent(payouts: Payouts, page: Sequence[ListedWithdrawal]) -> tuple[ListedWithdrawal, ...]:
    """Return a page whose withdrawals without a request have their transactions."""
    own = [each.withdrawal_no for each in page if each.withdrawal_no and not each.request_no]
    txids = dict(zip(own, payouts.txids(own), strict=True)) if own else {}
    return tuple(
        replace(each, state=RequestStatus.SENT, txid=txid)
        if (txid := txids.get(each.withdrawal_no or ""))
        else each
        for each in page
    )


def _of_request(request: WithdrawalRequest) -> ListedWithdrawal:
    return ListedWithdrawal(
        request.requested_at_us,
        request.amount_micro,
        request.shown_status,
        request_no=request.request_no,
        withdrawal_no=request.proposal_no or None,
        network=request.network.value,
        address_ending=request.address[-ENDING_LENGTH:],
        txid=request.txid or None,
        reason=request.reason or None,
    )


def _of_payout(entry: Entry) -> ListedWithdrawal:
    return ListedWithdrawal(
        entry.at_us,
        -entry.amount_micro,
        RequestStatus.APPROVED,
        withdrawal_no=entry.transfer_id if is_numbered("P", entry.transfer_id) else None,
    )
