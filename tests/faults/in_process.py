"""Random faults of AWS in this process, repeatable from a seed: at botocore's events, no HTTP."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, assert_never

from botocore.exceptions import ConnectionClosedError, ResponseStreamingError

from tests.support.faults import cancelled, refused_with


class Fault(StrEnum):
    DELAYED = "delayed"
    CUT_BEFORE = "cut before"  # the connection closes before the service receives the request
    CUT_AFTER = "cut after"  # the service executes the request, and its answer is lost
    CUT_SHORT = "cut short"  # the service executes the request, and half of its answer arrives
    THROTTLED = "throttled"
    FAILED = "failed"  # 500 in the service's own format
    UNAVAILABLE = "unavailable"  # 503 of a component in front of the service


# Of 100 requests. A request is sent at most 3 times, so about 4 % get no answer at all.
PER_CENT = {
    Fault.DELAYED: 16,
    Fault.CUT_BEFORE: 8,
    Fault.CUT_AFTER: 8,
    Fault.CUT_SHORT: 6,
    Fault.THROTTLED: 6,
    Fault.FAILED: 5,
    Fault.UNAVAILABLE: 5,
}


@dataclass(frozen=True, slots=True)
class Words:
    """The HTTP status and error code with which a service throttles and fails."""

    throttled: tuple[int, str]
    failed: tuple[int, str]

    def of(self, fault: Fault) -> tuple[int, str]:
        return self.throttled if fault is Fault.THROTTLED else self.failed


SERVICES = {
    "dynamodb": Words(
        (400, "ProvisionedThroughputExceededException"), (500, "InternalServerError")
    ),
    "kms": Words((400, "ThrottlingException"), (500, "KMSInternalException")),
    "lambda": Words((429, "TooManyRequestsException"), (500, "ServiceException")),
    "s3": Words((503, "SlowDown"), (500, "InternalError")),
    "sqs": Words((403, "RequestThrottled"), (500, "InternalFailure")),
}


class ProcessFaults:
    """Faults requests of clients while `faults` is active, and counts them."""

    def __init__(self) -> None:
        self._lost: Exception | None = None
        self.counts = Counter[tuple[str, Fault]]()
        self.passed = 0
        self._chance = random.Random(0)
        self._entered = 0

    @property
    def faulted(self) -> int:
        return self.counts.total()

    def reseed(self, seed: int) -> None:
        self._chance = random.Random(seed)

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Fault requests until the block ends; blocks may be nested."""
        self._entered += 1
        try:
            yield
        finally:
            self._entered -= 1

    def draw(self, service: str) -> Fault | None:
        """Choose the fault of the next request, and count it."""
        if service not in SERVICES or not self._entered:
            return None
        one = self._chance.randrange(100)
        for fault, per_cent in PER_CENT.items():
            one -= per_cent
            if one < 0:
                self.counts[service, fault] += 1
                return fault
        self.passed += 1
        return None

    def report(self) -> str:
        """Return the counts by service and by fault."""
        by_service, by_fault = Counter[str](), Counter[str]()
        for (service, fault), count in self.counts.items():
            by_service[service] += count
            by_fault[fault.value] += count
        listed = (
            ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
            for counted in (by_service, by_fault)
        )
        return f"{self.faulted} requests faulted, {self.passed} not: {'; '.join(listed)}"

    def reach(self, client: Any) -> None:
        """Fault a client's requests from now on."""
        service = client.meta.service_model.service_name
        client.meta.events.register(f"before-call.{service}", self._before)
        client.meta.events.register(f"after-call.{service}", self._after)

    def _before(self, model: Any, params: Mapping[str, Any], **_: Any) -> Any:
        """Answer instead of the service, or raise, or decide that its answer is lost."""
        service = model.service_model.service_name
        fault, self._lost = self.draw(service), None
        match fault:
            case None | Fault.DELAYED:
                return None
            case Fault.CUT_BEFORE:
                raise ConnectionClosedError(endpoint_url="test")
            case Fault.CUT_AFTER:
                self._lost = ConnectionClosedError(endpoint_url="test")
                return None
            case Fault.CUT_SHORT:
                self._lost = ResponseStreamingError(error="test")
                return None
            case Fault.THROTTLED if model.name == "TransactWriteItems" and self._is_conflict():
                reasons = params["body"].count(b'"TableName"')
                return _answer(400, cancelled(*["TransactionConflict"] * reasons))
            case Fault.THROTTLED | Fault.FAILED:
                status, code = SERVICES[service].of(fault)
                return _answer(status, refused_with(code, status))
            case Fault.UNAVAILABLE:
                return _answer(503, refused_with("503", 503))
            case _:
                assert_never(fault)

    def _is_conflict(self) -> bool:
        """Return whether a transaction meets another one rather than a limit of throughput."""
        return self._chance.random() < 1 / 2

    def _after(self, **_: Any) -> None:
        lost, self._lost = self._lost, None
        if lost is not None:
            raise lost


def _answer(status: int, parsed: dict[str, Any]) -> tuple[SimpleNamespace, dict[str, Any]]:
    return SimpleNamespace(status_code=status), parsed
