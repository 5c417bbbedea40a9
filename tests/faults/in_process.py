"""The proxy's faults in this process: at botocore's events, without HTTP."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, assert_never

from botocore.exceptions import ConnectionClosedError, ResponseStreamingError

from tests.faults.proxy import SERVICES, Fault, Faults
from tests.support.faults import cancelled, refused_with


class ProcessFaults(Faults):
    """Faults the requests of clients while `faults` is active."""

    def __init__(self) -> None:
        super().__init__()
        self._lost: Exception | None = None

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
