"""Callbacks in trouble: what did not reach its merchant so far, and sending it again."""

from collections.abc import Sequence

from starlette.responses import Response

from orderdesk.domain.callbacks.delivery import Delivery, Trouble
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.operators import UnknownId
from orderdesk.services.operator.callbacks import newest_troubled, redeliver
from orderdesk_cli.console.questions import WHY_IF_ANY, Question, ask
from orderdesk_cli.console.sheets import Cell, Fact, Section, Table, facts
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text

SHOWN = 200
_COLUMNS = ("callback", "order", "merchant", "state", "last answer", "changed", "next", "again")


def troubled(visit: Visit) -> Response:
    """Show the callbacks in trouble, the last changed first."""
    found = newest_troubled(visit.office.callbacks, tuple(Trouble), SHOWN)
    note = f"The newest {SHOWN} are shown." if len(found) == SHOWN else ""
    section = Section(heading="In trouble", note=note, tables=[callback_table(visit, found)])
    return visit.page("sheet.html", section="callbacks", title="Callbacks", sections=[section])


def callback_table(visit: Visit, deliveries: Sequence[Delivery]) -> Table:
    """Draw deliveries, a row each; each leads to sending it again."""
    rows = [
        [
            each.event.type.value,
            Cell(each.event.number, visit.to(f"orders/{each.event.number}")),
            Cell(each.event.merchant_id, visit.to(f"merchants/{each.event.merchant_id}")),
            Cell(each.state.value, chip=each.state.value),
            _last_answer(each),
            time_text(each.updated_ms // MS),
            "" if each.next_ms is None else time_text(each.next_ms // MS),
            Cell("send again", visit.to(f"callbacks/{each.event.webhook_id}/redeliver")),
        ]
        for each in deliveries
    ]
    return Table("Callbacks in trouble", _COLUMNS, rows, "No callback is in trouble.")


def asked_to_redeliver(visit: Visit) -> Response:
    """Ask before a callback is sent again."""
    found = visit.office.callbacks.delivery(visit.parts["webhook_id"])
    if found is None:
        raise UnknownId("callback", visit.parts["webhook_id"])
    question = Question(
        title="Send this callback again?",
        text="It is sent with the same webhook-id, and with its whole schedule.",
        button="Send again",
        back=visit.to("callbacks"),
        facts=_facts(visit, found),
        fields=[WHY_IF_ANY],
    )
    return ask(visit, "callbacks", question)


def redelivered(visit: Visit) -> Response:
    """Start a callback's schedule again."""
    office, webhook_id = visit.office, visit.parts["webhook_id"]
    sent = redeliver(
        office.callbacks, office.callback_queue, office.operator, webhook_id, visit.reason
    )
    return visit.go(f"orders/{sent.event.number}")


def _facts(visit: Visit, delivery: Delivery) -> list[Fact]:
    event = delivery.event
    return facts(
        callback=event.webhook_id,
        type=event.type.value,
        order=Cell(event.number, visit.to(f"orders/{event.number}")),
        merchant=event.merchant_id,
        to=delivery.url,
        state=Cell(delivery.state.value, chip=delivery.state.value),
        last_answer=_last_answer(delivery),
        attempts=str(len(delivery.attempts)),
    )


def _last_answer(delivery: Delivery) -> str:
    if not delivery.attempts:
        return ""
    last = delivery.attempts[-1]
    return " ".join(part for part in (str(last.status or ""), last.failure or "") if part)
