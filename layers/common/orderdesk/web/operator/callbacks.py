"""`callback.*`: deliveries of callbacks, their attempts, and redelivery (contract section 7)."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Annotated

from orderdesk.domain.authority import Power
from orderdesk.domain.callbacks.delivery import Delivery, Trouble
from orderdesk.domain.operators import UnknownId
from orderdesk.services.operator.callbacks import GIVEN_UP, redeliver, troubled_after
from orderdesk.services.operator.orders import find_order, number_of
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.parameters import CommandParameters, WriteParameters, told
from orderdesk.web.operator.parties import PlaceAfter, cursor_of, with_names

DEFAULT_LIMIT = 50
READS_MAX = 500
"""Deliveries read for one page of a merchant's."""

WebhookId = Annotated[wire.Id, told("As listed.")]
PAUSED_SHOWN = 100
"""Paused endpoints beside a page."""


class DeadParameters(CommandParameters):
    merchant_id: wire.Id | None = told("Only this merchant's; id or name.", None)
    limit: wire.Limit = DEFAULT_LIMIT
    after: PlaceAfter | None = None


class DeliveriesParameters(DeadParameters):
    """Parameters of `callback.list`; `order_no` also takes a pending_no or order_id."""

    order_no: wire.Id | None = told("order_no, pending_no or order_id.", None)


class CallbackParameters(CommandParameters):
    """A callback by its webhook_id."""

    webhook_id: WebhookId


class RedeliverCallbackParameters(WriteParameters):
    webhook_id: WebhookId
    reason: wire.Reason = ""


@command("callback.list", Role.VIEWER)
def list_deliveries(ports: OperatorPorts, asked: DeliveriesParameters) -> Json:
    """Return all deliveries of an order or draft; without a number those in trouble.

    In trouble is a callback that has failed so far, or is gone (410), dead or undeliverable. The
    last changed comes first. `paused` are the paused endpoints, beside the first page.
    """
    if asked.order_no is None:
        return _troubled(ports, tuple(Trouble), asked)
    number = number_of(find_order(ports.orders, asked.order_no))
    return {"items": with_names(ports.reads, of_number(ports, number)), "next": None}


@command("callback.dead", Role.VIEWER)
def list_dead(ports: OperatorPorts, asked: DeadParameters) -> Json:
    """Return the deliveries that are no longer tried: dead and undeliverable, newest first.

    `paused` are the paused endpoints, beside the first page.
    """
    return _troubled(ports, GIVEN_UP, asked)


@command("callback.show", Role.VIEWER)
def show_delivery(ports: OperatorPorts, asked: CallbackParameters) -> Json:
    """Show a callback with every attempt."""
    found = ports.deliveries.delivery(asked.webhook_id)
    if found is None:
        raise UnknownId("callback", asked.webhook_id)
    (data,) = with_names(ports.reads, [delivery_data(found)])
    return data


@command("callback.redeliver", Role.SUPPORT, powers(Power.CONTACT, "webhook_id"))
def send_again(ports: OperatorPorts, asked: RedeliverCallbackParameters) -> Json:
    """Send a callback again, with the same webhook-id and its whole schedule."""
    delivery = redeliver(
        ports.deliveries, ports.send_callback, ports.operator, asked.webhook_id, asked.reason
    )
    (data,) = with_names(ports.reads, [delivery_data(delivery)])
    return data


def of_number(ports: OperatorPorts, number: str) -> list[Row]:
    """Return an order's or draft's deliveries, in the order of its moves."""
    return [delivery_data(delivery) for delivery in ports.deliveries.of_number(number)]


_ATTEMPT = "time=at_ms status latency_ms=latency_ms failure answer"


def delivery_data(delivery: Delivery) -> Row:
    """Return a delivery with its attempts; times in Unix seconds."""
    return {
        **row_of(delivery, "webhook_id=key event.type event.merchant_id event.number?"),
        **row_of(delivery, "event.sequence state url? event_time=event.timestamp"),
        **row_of(delivery, "updated_time=updated_ms next_time=next_ms redeliveries=round"),
        "attempts": [row_of(attempt, _ATTEMPT) for attempt in delivery.attempts],
    }


def _troubled(ports: OperatorPorts, kinds: Collection[Trouble], asked: DeadParameters) -> Json:
    read = islice(troubled_after(ports.deliveries, kinds, asked.after), READS_MAX)
    page, last = _page(read, asked.merchant_id, asked.limit)
    after = None if last is None else cursor_of((last.updated_ms, last.key))
    rows = [delivery_data(delivery) for delivery in page]
    listed: Json = {"items": with_names(ports.reads, rows), "next": after}
    return listed if asked.after else {**listed, **_paused(ports, asked.merchant_id)}


def _paused(ports: OperatorPorts, merchant_id: str | None) -> Json:
    """Return the first paused endpoints as `paused`; a warning says that there are more."""
    found = (
        each for each in ports.deliveries.paused() if merchant_id in {None, each.id.merchant_id}
    )
    names = "id.merchant_id id.mode id.origin since_ms probe_time=probe_ms"
    rows = [row_of(each, names) for each in islice(found, PAUSED_SHOWN + 1)]
    shown: Json = {"paused": with_names(ports.reads, rows[:PAUSED_SHOWN])}
    return {**shown, "warnings": ["more_paused"]} if len(rows) > PAUSED_SHOWN else shown


def _page(
    read: Iterator[Delivery], merchant_id: str | None, limit: int
) -> tuple[list[Delivery], Delivery | None]:
    """Return a page, and the last delivery read; None if nothing is left."""
    found: list[Delivery] = []
    for number, delivery in enumerate(read, 1):
        if merchant_id in {None, delivery.event.merchant_id}:
            found.append(delivery)
        if len(found) == limit or number == READS_MAX:
            return found, delivery
    return found, None
