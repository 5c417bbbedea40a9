"""Developers: keys, further callback addresses, refused calls, and the API explorer.

A secret is shown once. The explorer is a form that builds a call, signs it with the test key, and
sends it.
"""

import json
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import islice
from types import MappingProxyType

from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.errors import shortened
from orderdesk.domain.merchants.merchant import ADDRESSES_MAX, Merchant, Scope
from orderdesk.domain.merchants.request_rate import USE_KEPT_DAYS
from orderdesk.domain.merchants.signing import JsonValue, signable_problems
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.own_settings import (
    AddressPorts,
    AddressProblem,
    ExplorerPorts,
    KeyPorts,
    NoTestKey,
    SignedBody,
    event_types,
)
from orderdesk.services.merchants.refused_calls import KeyActivity
from orderdesk.web.body import parse_object
from orderdesk.web.codes import CODES, FIELDS_MAX, InvalidBody
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.portal.gate import (
    KEYS,
    PORTAL,
    PageNotFound,
    PortalGate,
    PortalScene,
    Routes,
)
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import chosen, read_form
from orderdesk.web.pages.values import indented

DEVELOPERS = f"{PORTAL}/developers"
CALLBACK_SECRET = f"{DEVELOPERS}/callback-secret/rotate"
ENDPOINTS = f"{PORTAL}/endpoints"
EXPLORER = f"{DEVELOPERS}/explorer"
SHOWN_FIRST = 10
_SEND = "send"


@dataclass(frozen=True, slots=True)
class DevelopersPage:
    ports: KeyPorts
    activity: Callable[[str, int], KeyActivity]

    def routes(self) -> Routes:
        rotate = f"{DEVELOPERS}/keys/{{mode}}/rotate"
        return (
            Route("GET", DEVELOPERS, self.show),
            Route("POST", rotate, self.rotate, KEYS, fresh=True),
            Route("POST", f"{DEVELOPERS}/keys", self.make, KEYS, fresh=True),
            Route("POST", f"{DEVELOPERS}/keys/remove", self.remove, KEYS, fresh=True),
            Route("POST", CALLBACK_SECRET, self.rotate_callback, KEYS, fresh=True),
        )

    def show(
        self, scene: PortalScene, new: Mapping[str, str] | None = None, *, is_full: bool = False
    ) -> Page:
        """Show the keys, without their secrets."""
        merchant = self.ports.portal.teams.known_merchant(scene.who.merchant_id)
        activity = self.activity(scene.who.merchant_id, scene.now)
        refused = [(call, CODES[call.reason]) for call in activity.refused]
        view = {  # of a key all but its encrypted secrets, and no merchant, which has them
            "main_keys": [
                (mode, api_key, activity.used_at.get(mode))
                for mode, api_key in (
                    (Mode.LIVE, merchant.api_key),
                    (Mode.TEST, merchant.test_api_key),
                )
            ],
            "kept_days": USE_KEPT_DAYS,
            "more_keys": [
                (key.api_key, key.mode, key.scope, key.created_at) for key in merchant.more_keys
            ],
            "networks": merchant.terms.allowed_cidrs,
            "newest": refused[:SHOWN_FIRST],
            "older": refused[SHOWN_FIRST:],
            "may_rotate": scene.may(KEYS),
            "new": new or {},  # a new secret and its key by name, once
            "is_full": is_full,
        }
        return Page(
            "portal/developers.html",
            view,
            scene.links.here("developers"),
            section="developers",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_full else HTTPStatus.OK,
        )

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of a key, and show it."""
        name = scene.request.path_parameters["mode"]
        if name not in {mode.value for mode in Mode}:
            raise PageNotFound
        new = self.ports.rotate(scene.who, Mode(name), scene.now)
        return self.show(scene, {"api_key": new.api_key, "api_secret": new.api_secret})

    def make(self, scene: PortalScene) -> Page:
        """Create a further key with a scope, and show its secret."""
        form = read_form(scene.request, ("mode", "scope"))
        mode, scope = chosen(form, "mode", Mode), chosen(form, "scope", Scope)
        new = self.ports.make(scene.who, mode, scope, scene.now)
        if new is None:
            return self.show(scene, is_full=True)
        return self.show(scene, {"api_key": new.api_key, "api_secret": new.api_secret})

    def remove(self, scene: PortalScene) -> SeeOther:
        form = read_form(scene.request, ("api_key",))
        self.ports.remove(scene.who, form["api_key"])
        return SeeOther(scene.links.to("developers"))

    def rotate_callback(self, scene: PortalScene) -> Page:
        """Create a callback secret, and show it."""
        secret = self.ports.rotate_callback(scene.who)
        return self.show(scene, {"callback_secret": secret})


@dataclass(frozen=True, slots=True)
class EndpointsPage:
    ports: AddressPorts

    def routes(self) -> Routes:
        return (
            Route("GET", ENDPOINTS, self.show),
            Route("POST", ENDPOINTS, self.add, KEYS, fresh=True),
            Route("POST", f"{ENDPOINTS}/remove", self.remove, KEYS, fresh=True),
            Route("POST", f"{ENDPOINTS}/rotate", self.rotate, KEYS, fresh=True),
        )

    def show(
        self,
        scene: PortalScene,
        *,
        problem: AddressProblem | None = None,
        typed: str = "",
        new: Mapping[str, str] | None = None,
    ) -> Page:
        """Show the addresses, without their secrets."""
        merchant = self.ports.keys.portal.teams.known_merchant(scene.who.merchant_id)
        view = {
            "endpoints": [  # without their encrypted secrets
                (each.endpoint_id, each.url, each.events) for each in merchant.addresses
            ],
            "default": merchant.terms.callback_url,
            "types": event_types(),
            "has_room": len(merchant.addresses) < ADDRESSES_MAX,
            "may_change": scene.may(KEYS),
            "problem": problem,
            "typed": typed,
            "new": new or {},  # a new secret by name, once
        }
        return Page(
            "portal/endpoints.html",
            view,
            scene.links.here("endpoints"),
            section="developers",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        )

    def add(self, scene: PortalScene) -> Page:
        """Add an address, and show its secret."""
        form = read_form(scene.request, ("url", "events"))
        url, asked = form["url"].strip(), form["events"].replace(",", " ").split()
        events = tuple(dict.fromkeys(asked)) if asked and asked != ["all"] else None
        new = self.ports.add(scene.who, url, events, scene.now)
        if isinstance(new, AddressProblem):
            return self.show(scene, problem=new, typed=form["url"])
        shown = {"endpoint_id": new.address.endpoint_id, "callback_secret": new.secret}
        return self.show(scene, new=shown)

    def remove(self, scene: PortalScene) -> SeeOther:
        form = read_form(scene.request, ("endpoint_id",))
        self.ports.remove(scene.who, form["endpoint_id"])
        return SeeOther(scene.links.to("endpoints"))

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of an address, and show it."""
        form = read_form(scene.request, ("endpoint_id",))
        secret = self.ports.rotate(scene.who, form["endpoint_id"])
        if secret is None:
            raise PageNotFound
        return self.show(scene, new={"endpoint_id": form["endpoint_id"], "callback_secret": secret})


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
        merchant = self.gate.ports.teams.known_merchant(scene.who.merchant_id)
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
