"""A rendered page of the desk."""

from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.orders.order import Order
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.alerts import Alert
from orderdesk.web.pages.desk.frame import DESK_PROBLEMS, DeskLinks
from orderdesk.web.pages.desk.order import order_page
from orderdesk.web.pages.page import Page, answer_page, language_of
from orderdesk.web.pages.texts import Language
from tests.support.events import proxy_event
from tests.support.seen_page import Seen

ORDER = "/trader/orders/{order_no}"
UPLOAD = UploadForm("https://receipts.example.com/", {"key": "receipts/uploads/S1/a1"})
logger = Logger(service="seen_desk", level="CRITICAL")

type Render = Callable[[Request, Language, DeskLinks], Page]


def see(
    route: str,
    render: Render,
    language: Language = Language.EN,
    status: int = 200,
    **names: str,
) -> Seen:
    """Render a page of a route."""
    event: dict[str, Any] = proxy_event("GET", route, path_parameters=names)
    event["queryStringParameters"] = {"lang": language.value}

    def shown(request: Request, _: int) -> Page:
        return render(request, language_of(request), DeskLinks.of(request))

    answer = answer_page(event, logger, shown, DESK_PROBLEMS)
    assert answer["statusCode"] == status
    return Seen(answer["body"], answer["headers"]["Content-Security-Policy"])


def see_order(
    order: Order,
    now: int,
    language: Language = Language.EN,
    upload: UploadForm | None = None,
    alert: Alert | None = None,
) -> Seen:
    """Render an order's page."""
    pictures = [f"https://bucket.example.com/{n}?X-Amz-Signature=s" for n, _ in _numbered(order)]

    def render(_: Request, language: Language, links: DeskLinks) -> Page:
        return order_page(order, pictures, now, language, links, upload=upload, alert=alert)

    status = alert.status if alert else 200
    return see(ORDER, render, language, status, order_no=order.order_no)


def _numbered(order: Order) -> enumerate[Any]:
    return enumerate(order.receipts, start=1)
