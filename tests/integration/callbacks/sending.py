"""A callback sender for tests: without limits, or with short ones for slow receivers."""

import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any

from orderdesk.adapters.callback_http.sender import CallbackSender
from orderdesk.adapters.callback_http.wire import Limits
from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.callbacks.target import Address

AN_HOUR = 3600.0
PATIENT = Limits(whole_seconds=AN_HOUR, lookup_seconds=AN_HOUR, connect_seconds=AN_HOUR)
# For slow receivers. On a busy machine even a normal receiver may exceed this limit.
SHORT = replace(PATIENT, whole_seconds=0.6)

HEADERS = {"content-type": "application/json", "webhook-id": "msg_1"}
BODY = '{"type":"order.paid"}'

# Never used: plain HTTP reads no certificates.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass
class Names:
    """A resolver that returns each name's answers in turn; the last one repeats."""

    answers: Mapping[str, Sequence[str]]
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str) -> list[Address]:
        count = self.asked.count(host)
        self.asked.append(host)
        answers = self.answers.get(host)
        if answers is None:
            raise OSError
        return [ip_address(text) for text in answers[min(count, len(answers) - 1)].split()]


@contextmanager
def sender(**changes: Any) -> Iterator[CallbackSender]:
    given: dict[str, Any] = {"allow_loopback": True, "limits": PATIENT, "tls": NO_TLS} | changes
    with CallbackSender(**given) as made:
        yield made


def sent(sender: CallbackSender, url: str, body: str = BODY) -> Attempt:
    return sender.send(url, HEADERS, body)


def nobody(address: Address, port: int, seconds: float) -> socket.socket:
    raise AssertionError("connected")
