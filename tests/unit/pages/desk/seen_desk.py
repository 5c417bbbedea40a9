"""A rendered page of the desk."""

from collections.abc import Callable
from typing import Any, cast

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.desk.gate import SITE, DeskScene, GuestScene
from orderdesk.web.pages.desk.order import order_page
from orderdesk.web.pages.desk.routes import DeskOrderRoutes
from orderdesk.web.pages.frame import Page, answer_page
from orderdesk.web.pages.order_routes import Attachments
from orderdesk.web.pages.texts import Language, Notice
from tests.support.events import proxy_event
from tests.support.orders import TRADER, own_text_of_code
from tests.support.seen_page import Seen

ORDER = "/trader/orders/{order_no}"
ROUTES = DeskOrderRoutes(*[cast("Any", None)] * 4)  # questions need no ports
UPLOAD = UploadForm("https://receipts.example.com/", {"key": "receipts/uploads/S1/a1"})
logger = Logger(service="seen_desk", level="CRITICAL")

NOW = 1_763_700_000
type Render = Callable[[DeskScene], Page]


def see(
    route: str,
    render: Render,
    language: Language = Language.EN,
    status: int = 200,
    *,
    now: int = NOW,
    trader: Trader = TRADER,
    **names: str,
) -> Seen:
    event: dict[str, Any] = proxy_event("GET", route, path_parameters=names)
    event["queryStringParameters"] = {"lang": language.value}

    def shown(guest: GuestScene) -> Page:
        return render(scene_of(guest, now, trader))

    answer = answer_page(event, logger, shown, SITE)
    assert answer["statusCode"] == status
    return Seen(answer["body"], answer["headers"]["Content-Security-Policy"])


def scene_of(guest: GuestScene, now: int = NOW, trader: Trader = TRADER) -> DeskScene:
    """Return a guest's scene as that of a trader who is logged in."""
    return DeskScene(guest.request, now, guest.language, guest.links, guest.texts, trader)


def see_order(
    order: Order,
    now: int,
    language: Language = Language.EN,
    upload: UploadForm | None = None,
    alert: Notice | None = None,
    *,
    code: str | None = None,
) -> Seen:
    """Render an order's page; each receipt has an address of its own. `code` was read for it."""
    count, drawn = len(order.receipts), code or own_text_of_code(order)
    pictures = [f"https://bucket.example.com/{n + 1}?X-Amz-Signature=s" for n in range(count)]

    def render(scene: DeskScene) -> Page:
        questions = ROUTES.questions(order, scene)
        attachments = Attachments(pictures, upload, code=drawn, questions=questions)
        return order_page(order, scene, attachments, alert=alert)

    return see(ORDER, render, language, now=now, order_no=order.order_no)
