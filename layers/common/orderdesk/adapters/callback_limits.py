"""The time and bytes that one attempt at a callback may take, and what is left of them.

A socket's own time-out bounds each wait alone, so that a byte a second lasts for ever. Here every
wait ends by the attempt's deadline too, and every byte counts, in whatever part of an answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from orderdesk.domain.callback_attempts import ANSWER_KEPT_BYTES

type Clock = Callable[[], float]
"""Seconds of a clock that nobody sets."""

_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """What one attempt may take; seconds and bytes.

    `wait_seconds` bounds each read and write and the TLS handshake, `received_bytes` all that is
    read of an answer, `kept_bytes` how much of its body. Lambda's freeze ends connections without
    a word, so `idle_seconds` is short.
    """

    whole_seconds: float = 10
    lookup_seconds: float = 5
    connect_seconds: float = 3
    wait_seconds: float = 5
    kept_bytes: int = ANSWER_KEPT_BYTES
    received_bytes: int = 16 * 1024
    addresses_tried: int = 4
    idle_wires: int = 64
    idle_seconds: float = 20


DEFAULT_LIMITS: Final = Limits()


class AnswerTooLongError(Exception):
    """The receiver sent more than is read of any answer."""


class Budget:
    """What is left of the time and bytes of one exchange, from its construction on."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._began = clock()
        self.received = 0

    def wait(self, seconds: float) -> float:
        """Cut a wait so that it ends by the deadline. Raises: TimeoutError after it."""
        left = self._began + self._limits.whole_seconds - self._clock()
        if left <= 0:
            raise TimeoutError
        return min(left, seconds)

    def step(self) -> float:
        """Give how long the next read or write may take. Raises: TimeoutError."""
        return self.wait(self._limits.wait_seconds)

    def room(self) -> int:
        """Give how many bytes may still be read. Raises: AnswerTooLongError where none."""
        left = self._limits.received_bytes - self.received
        if left <= 0:
            raise AnswerTooLongError
        return left

    def elapsed_ms(self) -> int:
        """Give the milliseconds since the start."""
        return int((self._clock() - self._began) * _MS)
