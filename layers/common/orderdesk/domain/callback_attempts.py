"""One attempt to deliver a callback, as the record keeps it (contract section 7)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

ANSWER_KEPT_BYTES: Final = 1024
"""How much of an answer is read and kept."""

_SUCCESS: Final = range(200, 300)


class Failure(StrEnum):
    """Why an attempt brought no whole answer."""

    REFUSED_TARGET = "refused_target"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    RESET = "reset"
    PROTOCOL = "protocol"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one POST.

    `status` is None where no status line was read; `failure` is None where an answer was, or as
    much of it as is kept. Both are set where an answer broke off. `latency_ms` counts from the
    lookup of the name; `retry_after` is the header as it came.
    """

    status: int | None
    latency_ms: int
    answer: bytes = field(default=b"", repr=False)
    failure: Failure | None = None
    retry_after: str | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver took it: any 2xx, within the time an attempt has."""
        return self.failure is None and self.status in _SUCCESS
