"""/pay/{order_no}/{token}: the payer's page of a buy order, and the payer's moves."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.domain.orders.order import SumAnswer
from orderdesk.settings.receipts import PayPageSettings
from orderdesk.web.pages.order_routes import OrderPorts
from orderdesk.web.pages.pay.routes import PAGE, PayRoutes, pay_gate
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.templates import load_templates
from orderdesk.wiring.ports import move_ports, receipt_buckets, receipt_ports, shown_merchants

logger = Logger(use_rfc3339=True)
settings = PayPageSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
moves = move_ports(dynamodb, settings.tables)
uploads, pictures = receipt_buckets(session, settings)
merchants = shown_merchants(dynamodb, settings)
orders = OrderStore(dynamodb, settings.orders_table)
attempts = AttemptCounter(dynamodb, settings.guards_table)
gate = pay_gate(orders, attempts, settings.public_base_url)
order = PayRoutes(
    OrderPorts(
        orders,
        moves,
        receipt_ports(session, settings, moves, merchants),
        uploads,
        pictures,
        settings.public_base_url,
        logger,
    ),
    gate,
    merchants,
    DeskTraders(dynamodb, settings.tables),
    uploads,
)
load_templates("pay", "dispute")
cold_start.over()

ROUTES = gate.table(
    *order.order_routes(
        Route("GET", f"{PAGE}/status", order.show_status, is_data=True),
        Route("GET", f"{PAGE}/code.png", order.show_code),
        Route("GET", f"{PAGE}/receipt", order.come_back),
        Route("POST", f"{PAGE}/agree", partial(order.answer_sum, SumAnswer.AGREED)),
        Route("POST", f"{PAGE}/object", partial(order.answer_sum, SumAnswer.OBJECTED)),
    )
)


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle an API Gateway event."""
    return gate.serve(event, logger)
