"""Approvals on the deployed stack whose process dies, or loses an answer, at each of its requests.

A proposal is open or executed with its audit entry, and a repeated request gets the first answer.
Every command dies in tests/integration/operator/test_proposals.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, override

import httpx
import psutil
import pytest

from local.stack import Stack
from orderdesk.domain.merchants.merchant import Merchant
from tests.faults.proxy import SERVICES, Fault, FaultProxy
from tests.support.books import assert_books
from tests.support.operator_calls import People, Refused, people_of
from tests.support.served import served
from tests.support.stack_seed import StackSeed
from tests.support.stack_settings import changed

PROPOSER, DECIDER = "finance-1", "finance-2"
# Whether the process dies at the request, and whether the request is still executed.
DEATHS = ((True, True), (False, True))
COMMAND = "withdraw.merchant"


class KillingProxy(FaultProxy):
    """Faults one request to AWS, and can kill the function's processes at it."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(stack.port)
        self._stack = stack
        self.stop()

    def stop(self) -> None:
        """Fault nothing, and count nothing."""
        self._number, self._kills, self._executes, self.seen = -1, False, False, 0

    def fault(self, number: int, *, kills: bool, executes: bool) -> None:
        """Fault request `number` from now on, counted from 0."""
        self._number, self._kills, self._executes, self.seen = number, kills, executes, 0

    @override
    def draw(self, service: str | None) -> Fault | None:
        if service not in SERVICES:
            return None
        with self._lock:
            number, self.seen = self.seen, self.seen + 1
        if number != self._number:
            return None
        if self._kills:
            kill_workers(self._stack, "operator-api")
        return Fault.CUT_AFTER if self._executes else Fault.CUT_BEFORE


def kill_workers(stack: Stack, function: str) -> None:
    """Kill the processes of a function; return when they have ended."""
    workers = [each for each in psutil.process_iter() if _is_worker(each, stack, function)]
    for worker in workers:
        worker.kill()
    psutil.wait_procs(workers)


def _is_worker(process: psutil.Process, stack: Stack, function: str) -> bool:
    try:
        command = " ".join(process.cmdline())
    except psutil.Error:
        return False
    return (
        str(stack.work) in command
        and "_worker.py" in command
        and f"orderdesk-{function}-" in command
    )


NAMES = {"merchant_name", "trader_name"}
DONE = {"approved", "executed"}


@dataclass(frozen=True)
class Approvals:
    """A funded merchant, and approvals that a proxy faults."""

    seed: StackSeed
    people: People
    proxy: KillingProxy
    merchant: Merchant

    def proposed(self, command: str) -> str:
        asked = {"merchant_id": self.merchant.merchant_id}
        asked |= {} if command == "merchant.rotate-secret" else {"amount": "3", "memo": "faults"}
        return self.people.proposed(PROPOSER, command, **asked)

    def approve(self, proposal_no: str) -> Any:
        """Approve with the proposal's own key; return the proposal that was answered."""
        asked = {"proposal_no": proposal_no, "idempotency_key": f"approve-{proposal_no}"}
        answer = self.people.insist(DECIDER, "proposal.approve", **asked)
        return answer.get("proposal", answer)

    def approve_among_faults(self, proposal_no: str) -> Any:
        """Approve; return None if the process died, which is no answer of the function."""
        try:
            return self.approve(proposal_no)
        except (httpx.HTTPError, ValueError):
            return None
        except Refused as refused:
            if refused.code is not None:
                raise
            return None

    def stored(self, proposal_no: str) -> Any:
        """Return what an approval answers, which is a proposal without the parties' names.

        If it is executed, it has an entry of its approval.
        """
        shown = self.people.insist("viewer-1", "proposal.show", proposal_no=proposal_no)
        entries: list[Any] = self.seed.items(self.seed.tables.audit)
        mine = [e["action"] for e in entries if e.get("proposal_no") == proposal_no]
        assert mine.count("proposal.approve") == (shown["status"] != "open"), shown
        assert shown["status"] in {"open", *DONE}
        return {name: value for name, value in shown.items() if name not in NAMES}


@pytest.fixture
def approvals(
    stack: Stack, stack_seed: StackSeed, operators: list[dict[str, str]]
) -> Iterator[Approvals]:
    """Route the operators' function through a proxy; yield a merchant with 1000 USDT."""
    merchant, _ = stack_seed.add_merchant()
    name = stack.outputs["OperatorApiFunctionName"]
    with people_of(stack, operators) as people, served(KillingProxy(stack)) as proxy:
        funding = {"merchant_id": merchant.merchant_id, "amount": "1000", "memo": "float"}
        people.insist("root", "solo/fund.merchant", **funding)
        with changed(stack, [name], {"AWS_ENDPOINT_URL": proxy.endpoint_url}):
            yield Approvals(stack_seed, people, proxy, merchant)


@pytest.mark.parametrize(("kills", "executes"), DEATHS)
def test_an_approval_that_dies_is_open_or_executed(
    approvals: Approvals, *, kills: bool, executes: bool
) -> None:
    statuses = [
        status_after_fault(approvals, COMMAND, number, kills=kills, executes=executes)
        for number in requests_of(approvals, COMMAND)
    ]
    assert statuses[-1] in DONE
    assert ("open" in statuses) is kills, statuses
    assert_books(approvals.seed, {approvals.merchant.merchant_id}, set())


def requests_of(approvals: Approvals, command: str) -> range:
    """Return the numbers of the requests of an approval, from one without a fault."""
    proposal_no = approvals.proposed(command)
    approvals.proxy.stop()
    approvals.approve(proposal_no)
    return range(approvals.proxy.seen)


def status_after_fault(
    approvals: Approvals, command: str, number: int, *, kills: bool, executes: bool
) -> str:
    """Approve with a fault, then again; return the proposal's status between the two."""
    proposal_no = approvals.proposed(command)
    approvals.proxy.fault(number, kills=kills, executes=executes)
    first = approvals.approve_among_faults(proposal_no)
    assert approvals.proxy.seen > number, "the fault came too late"
    approvals.proxy.stop()
    between = approvals.stored(proposal_no)
    again = approvals.approve(proposal_no)
    assert again["status"] in DONE
    assert first == again or (first is None and kills), first
    if between["status"] in DONE:
        assert again == between
    assert approvals.stored(proposal_no) == again
    return str(between["status"])
