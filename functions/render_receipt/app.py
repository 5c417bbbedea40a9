"""Draw an uploaded receipt; the pages invoke it synchronously (contract section 8)."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.drawing import DrawingProcess
from orderdesk.adapters.receipts import Bucket, s3_client
from orderdesk.domain.receipts.files import UnfitReceipt
from orderdesk.services.orders.render_receipt import RenderPorts, render_receipt
from orderdesk.settings.receipts import BucketSettings

logger = Logger(use_rfc3339=True)
settings = BucketSettings.read(os.environ)
client = s3_client(Session(), emulated=settings.emulated)
ports = RenderPorts(
    Bucket(client, settings.uploads_bucket),
    Bucket(client, settings.receipts_bucket),
    DrawingProcess(Path(__file__).with_name("draw.py")),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Draw the upload of `{"upload": key}`; return the rendering, or `problem`."""
    try:
        rendering = render_receipt(event["upload"], ports)
    except UnfitReceipt as unfit:
        logger.info("refused", extra={"problem": unfit.problem.value})
        return {"problem": unfit.problem.value}
    logger.info("rendered", extra={"type": rendering.content_type, "pages": rendering.pages})
    return asdict(rendering)
