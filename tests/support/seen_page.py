"""A rendered pay page: its words, copy buttons and images."""

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, cast

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.frame import Page, answer_page
from orderdesk.web.pages.order_routes import Attachments
from orderdesk.web.pages.pay.page import PayScene, pay_page
from orderdesk.web.pages.pay.routes import SITE, PayerScene, PayRoutes
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.values import MerchantView
from tests.support.events import proxy_event
from tests.support.orders import own_text_of_code

ROUTE = "/pay/{order_no}/{token}"
ROUTES = PayRoutes(*[cast("Any", None)] * 5)  # questions need no ports
logger = Logger(service="seen_page", level="CRITICAL")


class Seen(HTMLParser):
    """A page's words, copy buttons, images and content security policy."""

    def __init__(self, html: str, policy: str) -> None:
        super().__init__()
        self.html = html
        self.policy = policy
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.copied: list[str] = []
        self.images: list[str] = []
        self._texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "data-copy":
                self.copied.append(value or "")
            if name == "src":
                self.images.append(value or "")

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] not in (["script"], ["style"]):
            self._texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self._texts).split())


SHOP = MerchantView("Shop & Sons", "help@shop.example", "https://shop.example/back?a=1&b=2")
UPLOAD = UploadForm("https://receipts.example.com/", {"key": "receipts/uploads/B1/a1"})


def preview_of(receipt: Receipt) -> str:
    return f"https://pictures.example.com/{receipt.key}/preview.jpg"


def show_at(
    now: int,
    order: Order,
    language: Language = Language.EN,
    upload: UploadForm | None = UPLOAD,
    alert: Notice | None = None,
    *,
    merchant: MerchantView = SHOP,
) -> Seen:
    names = {"order_no": order.order_no, "token": "token"}
    event = proxy_event("GET", ROUTE, path_parameters=names)
    event["queryStringParameters"] = {"lang": language.value}

    def route(scene: PayScene) -> Page:
        then = replace(scene, now=now)
        previews = [preview_of(receipt) for receipt in order.receipts]
        questions = ROUTES.questions(order, PayerScene(*then.parts, order))
        code = own_text_of_code(order)
        return pay_page(
            order,
            then,
            Attachments(previews, upload, code=code, questions=questions),
            merchant=merchant,
            address=f"https://pay.example/pay/{order.order_no}/token",
            alert=alert,
        )

    answer = answer_page(event, logger, route, SITE)
    assert answer["statusCode"] == 200
    return Seen(answer["body"], answer["headers"]["Content-Security-Policy"])
