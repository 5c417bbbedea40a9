"""The API explorer: a form that builds a call, signs it with the test key, and sends it."""

import json
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType

from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.errors import shortened
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.signing import JsonValue, signable_problems
from orderdesk.services.merchants.own_settings import ExplorerPorts, NoTestKey, SignedBody
from orderdesk.web.body import parse_object
from orderdesk.web.codes import FIELDS_MAX, InvalidBody
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.portal.gate import (
    KEYS,
    PORTAL,
    PageNotFound,
    PortalGate,
    PortalScene,
    Routes,
)
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import read_form
from orderdesk.web.pages.values import indented

EXPLORER = f"{PORTAL}/developers/explorer"
_SEND = "send"


@dataclass(frozen=True, slots=True)
class Example:
    """A call that the explorer offers; `{now}` in its body becomes the time, for a new number."""

    path: str
    body: str


def _example(path: str, **parameters: object) -> Example:
    return Example(path, json.dumps(parameters, ensure_ascii=False, indent=2))


_NUMBER = "explorer-{now}"
_BANK = {
    "method_type": "bank",
    "real_name": "张三",
    "bank": "中国银行",
    "sub_bank": "深圳分行",
    "card_number": "6222021234567890",
}
_ORDER = {"merchant_order_no": "explorer-1"}

EXAMPLES: Mapping[str, Example] = MappingProxyType(
    {
        "createOrder-buy": _example(
            "/test/createOrder", order_type=1, cny_amount="1000.00", merchant_order_no=_NUMBER
        ),
        "createOrder-sell": _example(
            "/test/createOrder",
            order_type=2,
            cny_amount="1000.00",
            merchant_order_no=_NUMBER,
            payment_method=_BANK,
        ),
        "advanceOrder": _example("/test/advanceOrder", **_ORDER, to="paid"),
        "queryOrder": _example("/merchant/queryOrder", **_ORDER),
        "listOrders": _example("/merchant/listOrders", limit=10),
        "cancelOrder": _example("/merchant/cancelOrder", **_ORDER),
        "disputeOrder": _example("/merchant/disputeOrder", **_ORDER),
        "balance": _example("/merchant/balance"),
        "statement": _example("/merchant/statement", limit=10),
        "listCallbacks": _example("/merchant/listCallbacks", limit=10),
        "listEvents": _example("/merchant/listEvents", limit=10),
        "listWithdrawals": _example("/merchant/listWithdrawals", limit=10),
        "quote": _example("/merchant/quote", order_type=1, cny_amount="1000.00"),
        "agreement": _example("/merchant/agreement"),
        "redeliverCallback": _example(
            "/merchant/redeliverCallback", webhook_id="msg_5f0c1d7e9a3b4c2d8e6f7a1b0c9d8e7f"
        ),
        "testCallback": _example(
            "/merchant/testCallback", callback_url="https://shop.example.com/callbacks"
        ),
    }
)
"""The calls that a test key can make, by the name of their example."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a form led to.

    `problem` is what is wrong with the body. `command` sends the signed call from a shell; there is
    none after the call was sent, because its nonce is used.
    """

    problem: str = ""
    signed: SignedBody | None = None
    command: str = field(default="", repr=False)
    answer: Mapping[str, object] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ExplorerPage:
    gate: PortalGate
    ports: ExplorerPorts

    def routes(self) -> Routes:
        return (Route("GET", EXPLORER, self.show), Route("POST", EXPLORER, self.call, KEYS))

    def show(self, scene: PortalScene) -> Page:
        """Show the form with the example that `?call=` names."""
        name = scene.request.query.get("call") or next(iter(EXAMPLES))
        example = _example_of(name)
        typed = example.body.replace("{now}", str(scene.now))
        return self._page(scene, name, typed, scene.who.merchant, Result())

    def call(self, scene: PortalScene) -> Page:
        """Sign the call, and send it unless the developer only wants to see the signature."""
        form = read_form(scene.request, ("call", "body", "act"))
        name, typed = form["call"], form["body"]
        path = _example_of(name).path
        merchant = self.gate.ports.teams.merchant(scene.who.merchant_id)
        result = self._result(scene, merchant, path, typed, sends=form["act"] == _SEND)
        return self._page(scene, name, typed, merchant, result)

    def _result(
        self, scene: PortalScene, merchant: Merchant, path: str, typed: str, *, sends: bool
    ) -> Result:
        texts = scene.texts.developers
        try:
            params = parse_object(typed.encode())
        except InvalidBody:
            return Result(texts.not_json)
        if problem := _problem_of(params):
            return Result(problem)
        try:
            signed = self.ports.sign(merchant, path, params, scene.now)
        except NoTestKey:
            return Result()
        url = self.gate.pages_url(scene.request) + path
        if not sends:
            return Result(signed=signed, command=_command(url, signed.body))
        headers = {"Content-Type": "application/json", "Accept-Language": scene.language.tag}
        attempt = self.ports.sender().send(url, headers, signed.body)
        return Result(signed=signed, answer=_answer_of(attempt, texts.no_answer))

    def _page(
        self, scene: PortalScene, name: str, typed: str, merchant: Merchant, result: Result
    ) -> Page:
        view = {
            "examples": EXAMPLES,
            "name": name,
            "typed": typed,
            "may_call": scene.may(KEYS),
            "has_key": merchant.test_api_key != "",
            "is_limited": merchant.terms.allowed_cidrs != (),
            "result": result,
        }
        here = scene.links.here("developers/explorer", call=name)
        return Page("portal/explorer.html", view, here, section="developers")


def _example_of(name: str) -> Example:
    """Return an example. Raises: PageNotFound."""
    if name not in EXAMPLES:
        raise PageNotFound
    return EXAMPLES[name]


def _problem_of(params: Mapping[str, JsonValue]) -> str:
    """Return why a body cannot be signed; "" if it can."""
    problems = islice(signable_problems(params), FIELDS_MAX)
    return "; ".join(f"{shortened(each.field)}: {each.problem}" for each in problems)


def _command(url: str, body: str) -> str:
    return shlex.join(
        ["curl", "-X", "POST", url, "-H", "Content-Type: application/json", "--data-binary", body]
    )


def _answer_of(attempt: Attempt, no_answer: str) -> Mapping[str, object]:
    """Return the status, and the body as indented JSON if it is JSON.

    Without a complete answer it is `no_answer` and what was read.
    """
    text = attempt.answer.decode(errors="replace")
    with suppress(ValueError):
        text = indented(text)
    if attempt.failure is not None:
        text = f"{no_answer} ({attempt.failure.value})\n{text}".rstrip()
    return {"status": attempt.status, "text": text}
