"""GET /pay/{order_no}/{token} and its /status: the payer's page of a buy order."""

import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.order_store import OrderStore
from orderdesk.domain.orders import Order
from orderdesk.services.open_pay_page import open_pay_page
from orderdesk.settings import PageSettings
from orderdesk.web.http import Request
from orderdesk.web.pages import Page, answer_data, answer_page, language_of
from orderdesk.web.pages_pay import pay_page, pay_status
from orderdesk.web.pages_templates import compile_templates

STATUS_ROUTE = "/pay/{order_no}/{token}/status"

logger = Logger()
settings = PageSettings.read(os.environ)
orders = OrderStore(dynamodb_client(Session()), settings.orders_table)
compile_templates()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    if event["resource"] == STATUS_ROUTE:
        return answer_data(event, logger, show_status)
    return answer_page(event, logger, show_page)


def show_page(request: Request, now: int) -> Page:
    """Parse, find, render."""
    return pay_page(find(request), now, language_of(request))


def show_status(request: Request, now: int) -> Mapping[str, object]:
    """Parse, find, tell."""
    return pay_status(find(request), now)


def find(request: Request) -> Order:
    """Find the order of the link. Raises: OrderNotFound, TryAgain."""
    link = request.path_parameters
    return open_pay_page(orders, link["order_no"], link["token"])
