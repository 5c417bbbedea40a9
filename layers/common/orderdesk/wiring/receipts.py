"""Wiring of receipts in S3: for the pages that take them."""

from typing import TYPE_CHECKING

from orderdesk.adapters.s3 import ReceiptBucket, s3_client

if TYPE_CHECKING:
    from botocore.session import Session

    from orderdesk.settings.receipts import ReceiptSettings


def receipt_bucket(session: "Session", settings: "ReceiptSettings") -> ReceiptBucket:
    """Make the private bucket's adapter."""
    return ReceiptBucket(s3_client(session, emulated=settings.emulated), settings.receipts_bucket)
