"""A trader's login: an access code opens a session, whose cookie is valid for 12 hours.

A session ends when it expires, when the trader logs out, and when an operator sets a new access
code. Only hashes of the code and of the session's token are stored.
"""

from dataclasses import dataclass, field, replace
from typing import Protocol

from orderdesk.domain.credentials import typed_access_code
from orderdesk.domain.errors import Refusal
from orderdesk.domain.ids import token_hash
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.attempt_limits import (
    CODE_LOOKUPS,
    WRONG_CODES,
    Attempts,
    require_unspent,
    require_within,
)
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, change_until_committed
from orderdesk.services.traders.desk import DutyRoster

SESSION_SECONDS = 12 * 3600


class NotLoggedIn(Refusal):
    """There is no session, or it has ended."""

    reason = "not_logged_in"


class WrongAccessCode(Refusal):
    """No trader has this access code."""

    reason = "wrong_access_code"


@dataclass(frozen=True, slots=True)
class Session:
    """A session as stored; `expires_at` in Unix seconds.

    `code_hash` is the hash of the access code that opened it. A new code ends the session.
    """

    token_hash: str = field(repr=False)
    trader_id: str
    code_hash: str = field(repr=False)
    expires_at: int


class Sessions(Protocol):
    """Stores sessions. Each method raises TryAgain."""

    def open(self, session: Session) -> None:
        """Store a session."""

    def find(self, token_hash: str) -> Session | None:
        """Return a session, or None; it may have expired."""

    def end(self, token_hash: str) -> None:
        """Delete a session; a missing one is no error."""


class TraderDirectory(DutyRoster, Protocol):
    """Finds traders for the desk. Each method raises TryAgain."""

    def of_access_code(self, code_hash: str) -> str | None:
        """Return the id of the trader whose access code has this hash, or None. It may lag."""


@dataclass(frozen=True, slots=True)
class SessionPorts:
    sessions: Sessions
    traders: TraderDirectory
    attempts: Attempts
    chance: Chance
    pause_ms: PauseMs


def log_in(code: str, source_ip: str, ports: SessionPorts, now: int) -> str:
    """Open a session with an access code as typed; return the cookie's token.

    Traders of one office share an address, so wrong codes of one trader must not lock out another:
    a right code works after any number of wrong ones up to CODE_LOOKUPS. That is safe, because a
    code has 140 random bits.
    `now` in Unix seconds. Raises: WrongAccessCode, TooManyRequests, TryAgain.
    """
    require_unspent(ports.attempts, CODE_LOOKUPS, source_ip, now)
    typed = typed_access_code(code)
    code_hash = token_hash(typed)
    trader_id = ports.traders.of_access_code(code_hash) if typed else None
    trader = None if trader_id is None else ports.traders.trader(trader_id)
    if trader is None or trader.access.access_code_hash != code_hash:
        require_within(ports.attempts, WRONG_CODES, source_ip, now)
        raise WrongAccessCode
    token = ports.chance.token() + ports.chance.token()
    expires_at = now + SESSION_SECONDS
    ports.sessions.open(Session(token_hash(token), trader.trader_id, code_hash, expires_at))
    if trader.access.code_used != trader.access.code_mark:
        _mark_used(trader, ports)
    return token


def _mark_used(trader: Trader, ports: SessionPorts) -> None:
    """Store that a session was opened: nobody reads the halves of the code any more."""

    def read() -> Trader:
        now = ports.traders.trader(trader.trader_id)
        if now is None:
            raise WrongAccessCode
        return now

    def changed(before: Trader) -> Trader:
        return replace(before, access=replace(before.access, code_used=trader.access.code_mark))

    def write(before: Trader, after: Trader) -> None:
        ports.traders.change(before, after, ports.chance.token())

    change_until_committed(read, changed, write, ports.chance, ports.pause_ms)


def logged_in(token: str | None, ports: SessionPorts, now: int) -> Trader:
    """Return the trader of a session, read now. Raises: NotLoggedIn, TryAgain."""
    session = ports.sessions.find(token_hash(token)) if token else None
    if session is None or now >= session.expires_at:
        raise NotLoggedIn
    trader = ports.traders.trader(session.trader_id)
    if trader is None or trader.access.access_code_hash != session.code_hash:
        raise NotLoggedIn
    return trader


def log_out(token: str | None, ports: SessionPorts) -> None:
    """End a session, if there is one. Raises: TryAgain."""
    if token:
        ports.sessions.end(token_hash(token))
