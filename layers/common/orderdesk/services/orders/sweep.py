"""The sweep: make the clock's moves on orders and drafts that are due (contract section 6).

Pages and conditions compare the time themselves. The sweep releases holds, frees numbers and
returns attempts. It may run twice at the same time: each settlement is one conditional transaction.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.orders import drafts as steps
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.moves import By, OrderChange, move
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.transitions import DEADLINE_MOVES, Actor, DeadlineMove, Move
from orderdesk.services.orders.move import MovePorts, step_order
from orderdesk.services.ports import Drafts
from orderdesk.services.retrying import each_apart, until_committed

RUN_SECONDS = 60
"""The interval of the sweep; each run begins at another shard."""


class DueKind(StrEnum):
    """The kind of an entry of the due index."""

    ORDER = "order"
    DRAFT = "draft"


class Settled(StrEnum):
    """The result for a due entry; LEFT: it was already settled, or another process settles it.

    PAGE_UNREAD is the result for a page of entries that could not be read, SHARD_UNREACHED for a
    shard that the run had no time to read to its end.
    """

    ORDER_EXPIRED = "orders_expired"
    ORDER_DISPUTED = "orders_disputed"
    ASSIGNMENT_LAPSED = "assignments_lapsed"
    DRAFT_EXPIRED = "drafts_expired"
    ATTEMPT_GIVEN_BACK = "attempts_given_back"
    LEFT = "left"
    FAILED = "failed"
    PAGE_UNREAD = "pages_unread"
    SHARD_UNREACHED = "shards_unreached"


@dataclass(frozen=True, slots=True)
class Due:
    """An entry of the due index: its order_no or pending_no, and its deadline (Unix seconds)."""

    kind: DueKind
    number: str
    due_time: int


class DueIndex(Protocol):
    """Reads open deadlines, in shards."""

    @property
    def shards(self) -> int:
        """The number of shards."""

    def due(self, shard: int, now: int, after: Due | None = None) -> Sequence[Due]:
        """Return one page of a shard's due entries behind `after`, oldest first.

        It may lag. Raises: TryAgain.
        """


@dataclass(frozen=True, slots=True)
class SweepPorts:
    """The ports of the sweep; `run_all` maps over a page, concurrently or not."""

    index: DueIndex
    drafts: Drafts
    moves: MovePorts
    run_all: Callable[[Callable[[Due], Settled], Sequence[Due]], Iterable[Settled]]
    report: Callable[[Exception], None]


def sweep(ports: SweepPorts, now: int, has_time: Callable[[], bool]) -> Counter[Settled]:
    """Settle what is due at a time (Unix seconds), page by page, while there is time left.

    The shards take turns, so that a long backlog in one of them delays no other. Each run begins at
    the next shard. A run tries each entry once and goes on behind it: one that fails is reported
    and stays due, and hides no other. A page that cannot be read ends its shard for this run, and
    no other.
    Raises: TryAgain if no page at all could be read.
    """

    @each_apart(Settled.FAILED, ports.report)
    def settle_one(due: Due) -> Settled:
        return settle(due, ports, now)

    tally: Counter[Settled] = Counter()
    shards = deque[tuple[int, Due | None]]((n, None) for n in range(ports.index.shards))
    shards.rotate(-(now // RUN_SECONDS))
    while shards and has_time():
        shard, after = shards.popleft()
        try:
            page = ports.index.due(shard, now, after)
        except TryAgain:
            tally[Settled.PAGE_UNREAD] += 1
            continue
        tally += Counter(ports.run_all(settle_one, page))
        if page:
            shards.append((shard, page[-1]))
    tally[Settled.SHARD_UNREACHED] = len(shards)
    if +tally == {Settled.PAGE_UNREAD: ports.index.shards}:
        raise TryAgain  # the run counts as failed and raises an alarm
    return +tally


def settle(due: Due, ports: SweepPorts, now: int) -> Settled:
    """Settle one entry. Raises: TryAgain."""
    match due.kind:
        case DueKind.ORDER:
            return _settle_order(due.number, ports, now)
        case DueKind.DRAFT:
            return until_committed(lambda: _settle_draft(due.number, ports, now), ports.moves)


def _settle_order(order_no: str, ports: SweepPorts, now: int) -> Settled:
    outcome = Settled.LEFT

    def step(order: Order) -> OrderChange | None:
        nonlocal outcome
        outcome = Settled.LEFT
        what = DEADLINE_MOVES[order.status]
        if what is None:
            return None
        change = move(order, what, By(Actor.CLOCK), now)
        outcome = Settled.LEFT if change is None else _outcome(what, change.after)
        return change

    try:
        step_order(order_no, step, ports.moves)
    except (OrderNotFound, StateConflict):
        return Settled.LEFT
    return outcome


def _outcome(what: DeadlineMove, after: Order) -> Settled:
    match what:
        case Move.EXPIRE:
            return Settled.ORDER_EXPIRED
        case Move.DISPUTE:
            return Settled.ORDER_DISPUTED
        case Move.LAPSE:
            is_disputed = after.status is OrderStatus.DISPUTED
            return Settled.ORDER_DISPUTED if is_disputed else Settled.ASSIGNMENT_LAPSED


def _settle_draft(pending_no: str, ports: SweepPorts, now: int) -> Settled:
    draft = ports.drafts.draft(pending_no)
    if draft is None or draft.status is not DraftStatus.HELD:
        return Settled.LEFT
    if draft.status_at(now) is DraftStatus.EXPIRED:
        after = steps.expired(draft, now)
        return _written(
            lambda: ports.drafts.end(draft, after, ports.moves.chance), Settled.DRAFT_EXPIRED
        )
    if draft.attempt_time is not None and not draft.is_verifying_at(now):
        after = steps.give_attempt_back(draft, now)
        token = ports.moves.chance.token()
        return _written(
            lambda: ports.drafts.change(draft, after, token), Settled.ATTEMPT_GIVEN_BACK
        )
    return Settled.LEFT


def _written(write: Callable[[], None], outcome: Settled) -> Settled:
    try:
        write()
    except ChangedMeanwhile:
        return Settled.LEFT
    return outcome
