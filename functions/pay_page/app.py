"""/pay/{order_no}/{token}: the payer's page of a buy order, and the payer's moves."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.adapters.receipts import DrawnPictures
from orderdesk.domain.orders.order import SumAnswer
from orderdesk.domain.orders.transitions import Move
from orderdesk.settings.receipts import PayPageSettings
from orderdesk.web.pages.frame import Shown, answer_data, answer_page
from orderdesk.web.pages.order_routes import OrderPorts
from orderdesk.web.pages.pay.page import PayScene
from orderdesk.web.pages.pay.routes import PAGE, SITE, PayRoutes
from orderdesk.web.pages.templates import load_templates
from orderdesk.wiring.ports import move_ports, receipt_ports, shown_merchants, signed_addresses

logger = Logger(use_rfc3339=True)
settings = PayPageSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
moves = move_ports(dynamodb, settings.tables)
uploads, pictures = signed_addresses(session, settings)
merchants = shown_merchants(dynamodb, settings)
order = PayRoutes(
    OrderPorts(
        OrderStore(dynamodb, settings.orders_table),
        moves,
        receipt_ports(session, settings, moves, merchants),
        uploads,
        pictures,
        settings.public_base_url,
        logger,
    ),
    merchants,
    AttemptCounter(dynamodb, settings.guards_table),
    DeskTraders(dynamodb, settings.tables),
    DrawnPictures(session, settings.uploads_bucket, emulated=settings.emulated),
)
load_templates("pay", "dispute")
cold_start.over()

ROUTES: Mapping[tuple[str, str], Callable[[PayScene], Shown]] = {
    ("GET", ""): order.show,
    ("GET", "/paid"): partial(order.ask, Move.PAY),
    ("GET", "/cancel"): partial(order.ask, Move.CANCEL),
    ("GET", "/dispute"): partial(order.ask, Move.DISPUTE),
    ("GET", "/code.png"): order.show_code,
    ("GET", "/receipt"): order.come_back,
    ("GET", "/receipts/{number}"): order.show_receipt,
    ("GET", "/notes/{number}"): order.show_note,
    ("POST", "/paid"): partial(order.make, Move.PAY),
    ("POST", "/cancel"): partial(order.make, Move.CANCEL),
    ("POST", "/receipt"): order.take_upload,
    ("POST", "/dispute"): order.dispute,
    ("POST", "/say"): order.say,
    ("POST", "/agree"): partial(order.answer_sum, SumAnswer.AGREED),
    ("POST", "/object"): partial(order.answer_sum, SumAnswer.OBJECTED),
}


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle an API Gateway event."""
    route = event["httpMethod"], event["resource"].removeprefix(PAGE)
    if route == ("GET", "/status"):
        return answer_data(event, logger, order.show_status, SITE)
    return answer_page(event, logger, ROUTES[route], SITE)
