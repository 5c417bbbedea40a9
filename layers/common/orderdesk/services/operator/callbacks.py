"""Operators look up deliveries of callbacks and send callbacks again (contract section 9)."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, groupby
from typing import Protocol

from orderdesk.domain.audit import AuditEntry, differences
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.callbacks.delivery import Delivery, Trouble
from orderdesk.domain.callbacks.endpoints import Endpoint
from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.domain.callbacks.steps import redelivered
from orderdesk.domain.operators import known
from orderdesk.domain.proposals import Plan
from orderdesk.domain.times import US_PER_MS
from orderdesk.services.operator.actions import Operator

GIVEN_UP = (Trouble.DEAD, Trouble.UNDELIVERABLE)
"""Troubles of deliveries that are not retried, although the merchant did not answer 410."""


class DeliveryRegister(Protocol):
    """Reads and changes the records of deliveries for operators."""

    def delivery(self, webhook_id: str) -> Delivery | None:
        """Return a delivery's present state, or None. Raises: TryAgain."""

    def of_number(self, number: str) -> Sequence[Delivery]:
        """Return an order's or draft's deliveries in the order of its moves. Raises: TryAgain."""

    def troubled(
        self, kinds: Collection[Trouble], until_ms: int | None = None
    ) -> Iterator[Delivery]:
        """Yield the deliveries with these troubles, the last changed first. Raises: TryAgain.

        With `until_ms` only those that were last changed at this time (Unix ms) or earlier.
        """

    def paused(self) -> Iterator[Endpoint]:
        """Yield the paused endpoints of all merchants, the next probed first. Raises: TryAgain."""

    def change(self, delivery: Delivery, entry: AuditEntry) -> None:
        """Write a delivery's next state and its audit entry, in one transaction.

        Raises: ChangedMeanwhile, Contended, Throttled, TryAgain.
        """


def troubled_after(
    register: DeliveryRegister, kinds: Collection[Trouble], place: tuple[int, str] | None
) -> Iterator[Delivery]:
    """Yield deliveries in trouble, the last changed first; of one time, by webhook_id.

    They begin after a place, which is such a time (Unix ms) and webhook_id. Raises: TryAgain.
    """
    found = register.troubled(kinds, None if place is None else place[0])
    times = groupby(found, key=lambda delivery: delivery.updated_ms)
    ordered = chain.from_iterable(
        sorted(group, key=lambda delivery: delivery.key) for _, group in times
    )
    if place is None:
        return ordered
    return (each for each in ordered if (-each.updated_ms, each.key) > (-place[0], place[1]))


def redeliver(
    register: DeliveryRegister,
    send: Callable[[CallbackReference], None],
    operator: Operator,
    webhook_id: str,
    reason: str = "",
) -> Delivery:
    """Start a callback's whole schedule again with the same webhook-id, whatever its state is.

    The record is written first, so that the receiver of the message finds it. If the process dies
    in between, or if this raises, the sweep sends the message.
    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """

    def attempt() -> Delivery:
        before = known(register.delivery(webhook_id), "callback", webhook_id)
        after = redelivered(before, operator.now_us() // US_PER_MS)
        details = {
            "number": before.event.number,
            **differences({"state": before.state.value}, {"state": after.state.value}),
        }
        plan = Plan(webhook_id, f"Send {webhook_id} again", details, reason=reason)
        entry = operator.permit(plan, Effect(Power.CONTACT)).entry("callback.redeliver", details)
        register.change(after, entry)
        return after

    delivery = operator.commit(attempt)
    send(delivery.reference)
    return delivery
