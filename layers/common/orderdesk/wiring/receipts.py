"""Receipts: for the pages that take them."""

from typing import TYPE_CHECKING

from orderdesk.adapters.receipt_renderer import LambdaRenderer
from orderdesk.adapters.s3 import SignedPictures, SignedUploads, s3_client
from orderdesk.services.orders.receipts import ReceiptPorts

if TYPE_CHECKING:
    from botocore.session import Session

    from orderdesk.services.orders.move import MovePorts
    from orderdesk.settings.receipts import ReceiptSettings


def signed_addresses(
    session: "Session", settings: "ReceiptSettings"
) -> tuple[SignedUploads, SignedPictures]:
    """Make what signs upload forms and pictures' addresses."""
    client = s3_client(session, emulated=settings.emulated)
    return (
        SignedUploads(client, settings.uploads_bucket),
        SignedPictures(client, settings.receipts_bucket),
    )


def receipt_ports(
    session: "Session", settings: "ReceiptSettings", moves: "MovePorts"
) -> ReceiptPorts:
    """Make what keeping a receipt works with."""
    return ReceiptPorts(LambdaRenderer(session, settings.render_receipt_function), moves)
