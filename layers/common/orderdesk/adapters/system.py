"""Randomness, time and sleep from the operating system."""

import secrets
import time


class SystemChance:
    def below(self, bound: int) -> int:
        return secrets.randbelow(bound)

    def token(self) -> str:
        """Return 128 random bits as 32 hex digits; a ClientRequestToken has at most 36."""
        return secrets.token_hex(16)


def pause_ms(milliseconds: int) -> None:
    time.sleep(milliseconds / 1000)


class SystemRetries:
    """Fills `Retries`."""

    chance = SystemChance()
    pause_ms = staticmethod(pause_ms)


def now_us() -> int:
    """Return the time in Unix microseconds."""
    return time.time_ns() // 1000
