"""`orderdesk order evidence`: what payers and traders sent, as links or as files."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.operators import OperatorRefusal
from orderdesk.domain.orders.drafts import Draft
from orderdesk.services.operator.evidence import Evidence, EvidenceFile, evidence_of
from orderdesk.services.operator.orders import find_order
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.orders.refusals import draft_text
from orderdesk_cli.output import Answer, Json, listing, time_text

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL


group = new_group()


@command(group, "evidence")
def evidence(
    office: "Office",
    number: Annotated[
        str, typer.Argument(metavar="NO", help="order_no or order_id.", show_default=False)
    ],
    save: Annotated[
        Path | None,
        typer.Option(metavar="DIR", file_okay=False, help="Save the files here instead."),
    ] = None,
) -> Answer:
    """Give what payer and trader sent: the files as they came, and the pictures drawn from them.

    Links are good for five minutes. Open an original with care: it is whatever its sender chose.
    """
    order = find_order(office.orders, number)
    if isinstance(order, Draft):
        raise OperatorRefusal(draft_text(order, office.now()))
    sent = list(evidence_of(order, office.orders.notes(order.order_no) if order.notes else ()))
    if save is None:
        places = {f.key: office.evidence.link(f.key, f.name) for each in sent for f in _files(each)}
        return _told(order.order_no, sent, places, [])
    places, gone = _saved(office, [f for each in sent for f in _files(each)], save)
    return _told(order.order_no, sent, places, gone)


def _saved(
    office: "Office", files: list[EvidenceFile], folder: Path
) -> tuple[dict[str, str], list[str]]:
    """Save files, readable by the operator alone; say which are gone. Overwrites nothing."""
    places, gone = {}, []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file in files:
            path = folder / file.name
            content = file.content(office.evidence)
            if content is None:
                gone.append(f"{file.name}: no longer kept")
                continue
            with os.fdopen(os.open(path, _NEW_FILE, 0o600), "wb") as opened:
                opened.write(content)
            places[file.key] = str(path)
    except OSError as error:
        raise OperatorRefusal(f"cannot save {error.filename}: {error.strerror}") from None
    return places, gone


def _files(each: Evidence) -> tuple[EvidenceFile, ...]:
    return (each.original, *each.pictures)


def _told(
    order_no: str, sent: list[Evidence], places: dict[str, str], complaints: list[str]
) -> Answer:
    data: list[Json] = [
        {
            "kind": each.kind,
            "time": each.receipt.time,
            "content_type": each.receipt.content_type,
            "size_bytes": each.receipt.size_bytes,
            "original": places.get(each.original.key),
            "pictures": [places.get(picture.key) for picture in each.pictures],
        }
        for each in sent
    ]
    rows = [
        [
            each.original.name,
            time_text(each.receipt.time),
            each.receipt.content_type,
            str(each.receipt.size_bytes),
        ]
        for each in sent
    ]
    drawn = listing(["file", "sent", "type", "bytes"], rows, "Nothing was sent.")
    lines = [places[file.key] for each in sent for file in _files(each) if file.key in places]
    return Answer({"order_no": order_no, "evidence": data}, drawn, "", complaints, lines)
