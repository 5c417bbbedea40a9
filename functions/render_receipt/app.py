"""Decode an uploaded file; the pages invoke it synchronously (contract section 8)."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.callback_http.sender import CallbackSender
from orderdesk.adapters.callback_http.wire import Limits
from orderdesk.adapters.drawing import DrawingProcess
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.drawings import DrawingStore
from orderdesk.adapters.receipts import Bucket, s3_client
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.receipts.files import UnfitReceipt
from orderdesk.services.orders.render_receipt import (
    Answer,
    ClaimPorts,
    DrawingBusy,
    RenderPorts,
    fetch_code,
    read_code,
    render_receipt,
)
from orderdesk.settings.receipts import BucketSettings

_LOGGED = ("content_type", "pages")
# A trader waits for the picture. Real ones have a few hundred kilobytes.
_FETCH = Limits(
    whole_seconds=5,
    lookup_seconds=2,
    connect_seconds=2,
    kept_bytes=2 * 1024 * 1024,
    received_bytes=2 * 1024 * 1024 + 64 * 1024,
    idle_wires=0,
)


class RenderSettings(BucketSettings):
    """Settings of the function that decodes uploads."""

    guards_table: str = Field(min_length=1)
    drawing_concurrency: int = Field(ge=1)
    allow_local_targets: bool


logger = Logger(use_rfc3339=True)
settings = RenderSettings.read(os.environ)
session = Session()
client = s3_client(session, emulated=settings.emulated)
ports = RenderPorts(
    Bucket(lambda: client, settings.uploads_bucket).read,
    Bucket(lambda: client, settings.receipts_bucket).keep_all,
    DrawingProcess(Path(__file__).with_name("draw.py")),
    CallbackSender(allow_loopback=settings.allow_local_targets, limits=_FETCH).fetch,
    ClaimPorts(
        DrawingStore(dynamodb_client(session), settings.guards_table),
        settings.drawing_concurrency,
        SystemChance(),
        lambda: now_us() // 1000,
        pause_ms,
    ),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Draw an `upload`, or read the payment code of an uploaded `code` or of a `code_url`.

    Return the rendering or the code's `text`, a `problem`, or `busy`: then the caller asks again.
    """
    try:
        answer = _answer(event)
    except UnfitReceipt as unfit:
        logger.info("refused", extra={"problem": unfit.problem.value})
        return {"problem": unfit.problem.value}
    except DrawingBusy:
        logger.info("busy")
        return {"busy": True}
    logger.info("decoded", extra={name: answer[name] for name in _LOGGED if name in answer})
    return dict(answer)


def _answer(event: Mapping[str, Any]) -> Answer:
    # The portal's event has no rate, because few files come from there.
    max_rps = event.get("max_rps", 0)
    if "code_url" in event:
        return fetch_code(event["order_no"], event["owner"], max_rps, event["code_url"], ports)
    if "code" in event:
        return read_code(event["code"], event["trader_id"], ports)
    return render_receipt(event["upload"], event["merchant_id"], max_rps, ports)
