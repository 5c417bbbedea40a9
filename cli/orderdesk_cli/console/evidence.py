"""What payers and traders sent for an order: pictures side by side, and the files as they came."""

from collections.abc import Iterator, Sequence

from starlette.responses import Response

from orderdesk.domain.operators import OperatorRefusal, UnknownId
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order
from orderdesk.domain.receipts.places import PICTURE_TYPE
from orderdesk.services.operator.evidence import Evidence, EvidenceFile, evidence_of
from orderdesk.services.operator.orders import find_order
from orderdesk_cli.console.sheets import Picture
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.orders.refusals import draft_text
from orderdesk_cli.output import time_text


def notes_of(visit: Visit, order: Order) -> Sequence[Note]:
    """Give what was said and sent in an order's dispute."""
    return visit.office.orders.notes(order.order_no) if order.notes else ()


def pictures_of(visit: Visit, order: Order, notes: Sequence[Note]) -> Iterator[Picture]:
    """Give a picture for each page of each file, oldest first."""
    for nth, each in enumerate(evidence_of(order, notes), 1):
        place = f"orders/{order.order_no}/evidence/{nth}"
        for page in range(1, len(each.pictures) + 1):
            of = f", page {page}" if len(each.pictures) > 1 else ""
            yield Picture(
                f"{each.kind.replace('-', ' ')} {nth}{of}, {time_text(each.receipt.time)}",
                visit.to(f"{place}/pages/{page}"),
                visit.to(f"{place}/original"),
            )


def picture(visit: Visit) -> Response:
    """Send a picture that was drawn from a file."""
    files = _evidence(visit).pictures
    page = int(visit.parts["page"])
    if not 1 <= page <= len(files):
        raise UnknownId("page", visit.parts["page"])
    return Response(_content(visit, files[page - 1]), media_type=PICTURE_TYPE)


def original(visit: Visit) -> Response:
    """Send a file as it came, to be saved: it is whatever its sender chose."""
    file = _evidence(visit).original
    named = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(_content(visit, file), headers=named, media_type="application/octet-stream")


def order_of_visit(visit: Visit) -> Order:
    """Find the order of the path. Raises: UnknownId, OperatorRefusal for a draft."""
    one = find_order(visit.office.orders, visit.parts["number"])
    if isinstance(one, Draft):
        raise OperatorRefusal(draft_text(one, visit.now))
    return one


def _evidence(visit: Visit) -> Evidence:
    order = order_of_visit(visit)
    sent = list(evidence_of(order, notes_of(visit, order)))
    nth = int(visit.parts["nth"])
    if not 1 <= nth <= len(sent):
        raise UnknownId("evidence", visit.parts["nth"])
    return sent[nth - 1]


def _content(visit: Visit, file: EvidenceFile) -> bytes:
    content = file.content(visit.office.evidence)
    if content is None:
        raise UnknownId("file", file.name)
    return content
