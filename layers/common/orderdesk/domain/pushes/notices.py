"""Which change of an order causes a push, the queue message of a push, and its result (RFC 8030).

Like an event, a notice depends on the change only: a relay that runs again makes the same one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.events import QueueMessage, Subject
from orderdesk.domain.callbacks.schedule import MS, asked_ms
from orderdesk.domain.orders.desk_lists import CALLING_LISTS, DeskList, desk_due, desk_list
from orderdesk.domain.orders.drafts import Draft

GAPS_SECONDS: Final = (5, 30, 120)
"""The wait after each failed attempt until the next one."""

_GONE: Final = frozenset({404, 410})
_BUSY: Final = frozenset({408, 429})
_FIRST_SERVER_ERROR: Final = 500


@dataclass(frozen=True, slots=True)
class PushNotice:
    """An order waits for a trader or its customer until a time (Unix seconds)."""

    trader_id: str
    until: int


@dataclass(frozen=True, slots=True)
class Push(QueueMessage):
    """A push to one device, and the queue's message. `device` is the device's key.

    It contains no order and no endpoint. After `until` (Unix seconds) it is not sent.
    """

    trader_id: str
    device: str
    until: int


def notice_of(before: Subject | None, after: Subject) -> PushNotice | None:
    """Return the notice if the change moved the order to a list in CALLING_LISTS, else None.

    A dispute that the trader must answer, and each question of an operator, cause another one.
    The desk's script alerts a trader at the same changes.
    """
    called, until = _called(after), None if isinstance(after, Draft) else desk_due(after)
    if called is None or until is None:
        return None
    if before is not None and _called(before) == called:
        return None
    return PushNotice(called[0], until)


def latest(notices: Iterable[PushNotice]) -> Sequence[PushNotice]:
    """Return one notice for each trader: many orders at once cause one push."""
    until: dict[str, int] = {}
    for notice in notices:
        until[notice.trader_id] = max(notice.until, until.get(notice.trader_id, 0))
    return [PushNotice(trader_id, at) for trader_id, at in until.items()]


def _called(subject: Subject) -> tuple[str, DeskList, int | None] | None:
    if isinstance(subject, Draft) or subject.trader_id is None:
        return None
    on_desk = desk_list(subject)
    if on_desk not in CALLING_LISTS:
        return None
    return subject.trader_id, on_desk, subject.dispute.trader_asked_at


class PushResult(StrEnum):
    """What a push service's response means."""

    TAKEN = "taken"
    GONE = "gone"
    REFUSED = "refused"
    LATER = "later"


def push_result(attempt: Attempt) -> PushResult:
    """Classify an attempt. A refused target counts as GONE, because it stays refused."""
    status = attempt.status
    if status in _GONE or attempt.failure is Failure.REFUSED_TARGET:
        return PushResult.GONE
    if attempt.delivered:
        return PushResult.TAKEN
    if status is None or status in _BUSY or status >= _FIRST_SERVER_ERROR:
        return PushResult.LATER
    return PushResult.REFUSED


def retry_seconds(tries: int, until: int, now: int, retry_after: str | None) -> int | None:
    """Return the wait after `tries` failed attempts; None if no attempt fits before `until`.

    Times in Unix seconds. `retry_after` is the push service's header. It can only increase the
    wait.
    """
    if tries > len(GAPS_SECONDS):
        return None
    asked = -(-asked_ms(retry_after, now * MS) // MS)
    wait = max(GAPS_SECONDS[tries - 1], asked)
    return wait if now + wait < until else None
