"""Pay out what two people approved, once a seal of the books proves its account (section 13).

The seal must be newer than the approval, and have no open finding on the account. Otherwise the
payout waits, or is blocked until two people acknowledge the finding or somebody rejects it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from orderdesk.domain.accounts import Transfer, decided_transfer
from orderdesk.domain.ledger.seals import NOTHING_SEALED, Seal
from orderdesk.domain.merchants.withdrawals import Address, WithdrawalRequest
from orderdesk.domain.operators import ADDRESS_GONE, RequestForged
from orderdesk.domain.proposals import TRANSFERS, Proposal, ProposalStatus
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ledger.seal import SealStore
from orderdesk.services.operator.ports import RequestBooks, Vault
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, each_apart, until_committed


class Paid(StrEnum):
    """The result for a payout that waited; FAILED ones are tried again."""

    PAID = "payouts_paid"
    WAITS = "payouts_waiting"
    BLOCKED = "payouts_blocked"
    FAILED = "payouts_failed"


class WaitingPayouts(RequestBooks, Protocol):
    """Reads payouts that wait, and pays them. Each raises TryAgain."""

    def waiting(self) -> Sequence[str]:
        """Return the proposal_nos of payouts that wait, oldest first."""

    def proposal(self, proposal_no: str) -> Proposal | None:
        """Return a proposal's present state, or None."""

    def pay(self, transfer: Transfer, request: WithdrawalRequest | None, token: str) -> None:
        """Post a payout from what is held; approve its request.

        Raises: ChangedMeanwhile if it waits no more, RequestForged if the request was changed.
        """

    def block(self, proposal_no: str, token: str) -> None:
        """Note that a finding blocks a payout. Raises: ChangedMeanwhile if it waits no more."""


@dataclass(frozen=True, slots=True)
class PayoutPorts:
    """What payouts work with."""

    payouts: WaitingPayouts
    seals: SealStore
    vault: Vault
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs
    report: Callable[[Exception], None]


def pay_approved(ports: PayoutPorts, has_time: Callable[[], bool]) -> Counter[Paid]:
    """Pay each payout that the newest seal allows, while there is time; safe to repeat.

    Raises: BrokenSeal, TryAgain.
    """
    tally: Counter[Paid] = Counter()
    waiting = ports.payouts.waiting()
    name = ports.seals.newest() if waiting else None
    seal = NOTHING_SEALED if name is None else ports.seals.load(name)

    @each_apart(Paid.FAILED, ports.report, expected=None)
    def settle(number: str) -> Paid:
        return until_committed(lambda: _settled(ports, seal, number), ports)

    for number in waiting:
        if not has_time():
            break
        tally[settle(number)] += 1
    return tally


def _settled(ports: PayoutPorts, seal: Seal, number: str) -> Paid:
    proposal = ports.payouts.proposal(number)
    if proposal is None or not proposal.status.waits:
        return Paid.WAITS  # rejected meanwhile
    money, agreed_us = proposal.plan.money, proposal.decided_at_us
    assert money is not None, "it takes money"
    assert agreed_us is not None, "it was approved"
    if seal.end * US_PER_SECOND <= agreed_us:
        return Paid.WAITS
    if any(each.finding.account == money.account.key for each in seal.findings):
        if proposal.status is not ProposalStatus.BLOCKED:
            ports.payouts.block(number, ports.chance.token())
        return Paid.BLOCKED
    request = _request(ports, proposal)
    transfer = decided_transfer(
        *(TRANSFERS[proposal.command], money.account, money.amount_micro),
        transfer_id=number,
        at_us=ports.now_us(),
        memo=proposal.plan.reason,
    )
    ports.payouts.pay(transfer, request, ports.chance.token())
    return Paid.PAID


def _request(ports: PayoutPorts, proposal: Proposal) -> WithdrawalRequest | None:
    """Return the request that a payout pays. Raises: RequestForged."""
    number = proposal.plan.request_no
    if not number:
        return None
    request = ports.payouts.request(number)
    assert request is not None, "a proposal's request was deleted"
    entry_of(ports.vault, ports.payouts, request)
    return request


def entry_of(vault: Vault, requests: RequestBooks, request: WithdrawalRequest) -> Address:
    """Return the entry of the book that a request names. Raises: RequestForged, TryAgain."""
    number = request.request_no
    if vault.unseal_digest(number, request.sealed) != request.digest:
        raise RequestForged(number, "it is not what the merchant's person asked for in the portal")
    book = requests.address_book(request.merchant_id)
    entry = book.find(request.network, request.address)
    if entry is None or entry.added_at != request.address_added_at:
        raise RequestForged(number, ADDRESS_GONE)
    return entry
