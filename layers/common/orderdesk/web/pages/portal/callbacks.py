"""Callbacks: deliveries with their attempts, redelivery, tests, and paused endpoints."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId, origin_of
from orderdesk.domain.callbacks.events import PLACE
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.callbacks.endpoints import Endpoints, paused_endpoints
from orderdesk.services.callbacks.merchant import (
    DeliveryFilter,
    DeliveryIndex,
    RedeliverPorts,
    list_deliveries,
    redeliver,
    send_test,
)
from orderdesk.services.callbacks.sweep import ResumePorts, resume_endpoint
from orderdesk.web.pages.frame import Page, SeeOther, Shown
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

CALLBACKS = f"{PORTAL}/callbacks"
_PAGE_LENGTH = 20


@dataclass(frozen=True, slots=True)
class CallbacksPage:
    """The ports of its forms are created when one is sent; they write the team's entry."""

    gate: PortalGate
    index: DeliveryIndex
    endpoints: Endpoints
    redeliver_ports: Callable[[Callable[[Delivery], AuditEntry]], RedeliverPorts]
    resume_ports: Callable[[Callable[[Endpoint], AuditEntry]], ResumePorts]
    allow_loopback: bool

    def routes(self) -> Routes:
        return (
            Route("GET", CALLBACKS, self.show),
            Route("POST", f"{CALLBACKS}/{{webhook_id}}/redeliver", self.redeliver, KEYS),
            Route("POST", f"{CALLBACKS}/test", self.test, KEYS),
            Route("POST", f"{CALLBACKS}/resume", self.resume, KEYS),
        )

    def show(
        self, scene: PortalScene, typed: Mapping[str, str] | None = None, problem: str = ""
    ) -> Page:
        """Show the newest deliveries and the paused endpoints."""
        query, links, merchant_id = scene.request.query, scene.links, scene.who.merchant_id
        state, place = query.get("state", ""), scene.asked("before", PLACE)
        states = {DeliveryState(state)} if state in set(DeliveryState) else None
        kept = {"state": state} if states else {}
        found = list_deliveries(
            *(self.index, merchant_id, Mode.LIVE, None, place),
            limit=_PAGE_LENGTH,
            wanted=DeliveryFilter(states),
        )
        view = {
            "deliveries": found.items,
            "older": links.older("callbacks", found.following, **kept),
            "state": state if kept else "",
            "is_newest": place is None,
            "paused": paused_endpoints(self.endpoints, merchant_id, Mode.LIVE),
            "now": scene.now,
            "address": scene.who.merchant.terms.callback_url,
            "may_act": scene.may(KEYS),
            "said": scene.texts.callbacks.done.get(query.get("said", ""), ""),
            "typed": typed or {},
            "problem": problem,
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        here = links.here("callbacks", **kept)
        return Page("portal/callbacks.html", view, here, section="callbacks", status=status)

    def redeliver(self, scene: PortalScene) -> SeeOther:
        webhook_id = scene.request.path_parameters["webhook_id"]
        merchant_id, now_us = scene.who.merchant_id, scene.now * US_PER_SECOND

        def entry(delivery: Delivery) -> AuditEntry:
            number = delivery.event.number
            details = {"type": delivery.event.type.value} | ({"number": number} if number else {})
            return self.gate.ports.entry(scene.who.by, "callback.redeliver", webhook_id, **details)

        try:
            redeliver(webhook_id, merchant_id, Mode.LIVE, self.redeliver_ports(entry), now_us)
        except OrderNotFound:
            raise PageNotFound from None
        return _done(scene, "redelivered")

    def test(self, scene: PortalScene) -> Shown:
        """Send a test event to an address, by default the merchant's."""
        form = read_form(scene.request, ("url", "mode"))
        mode, url = chosen(form, "mode", Mode), form["url"].strip()
        merchant, problems = scene.who.merchant, scene.texts.callbacks
        if not (url or merchant.terms.callback_url):
            return self.show(scene, form, problems.no_address)
        if url and callback_url_problem(url, allow_loopback=self.allow_loopback):
            return self.show(scene, form, problems.bad_address)
        origin = origin_of(url or merchant.terms.callback_url) or ""

        def entry(delivery: Delivery) -> AuditEntry:
            details, number = {"origin": origin, "mode": mode.value}, delivery.event.webhook_id
            return self.gate.ports.entry(scene.who.by, "callback.test", number, **details)

        now_us = scene.now * US_PER_SECOND
        send_test(merchant, mode, url or None, self.redeliver_ports(entry), now_us)
        return _done(scene, "tested")

    def resume(self, scene: PortalScene) -> SeeOther:
        """Probe a paused endpoint at once; if it answers, what waits is sent."""
        form = read_form(scene.request, ("origin", "mode"))
        origin, mode = form["origin"], chosen(form, "mode", Mode)
        if origin_of(origin) != origin:
            raise PageNotFound
        endpoint_id = EndpointId(scene.who.merchant_id, mode, origin)

        def entry(_: Endpoint) -> AuditEntry:
            details = {"origin": origin, "mode": mode.value}
            return self.gate.ports.entry(scene.who.by, "callback.resume", origin, **details)

        try:
            resume_endpoint(endpoint_id, self.resume_ports(entry), scene.now * MS)
        except OrderNotFound:
            raise PageNotFound from None
        return _done(scene, "resumed")


def _done(scene: PortalScene, said: str) -> SeeOther:
    return SeeOther(scene.links.to("callbacks", said=said))
