"""What the desk's script and service worker ask of pushes (contract section 8)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from orderdesk.domain.pushes.devices import ENDPOINT_LENGTH_MAX, device_key, push_origin
from orderdesk.services.pushes.devices import switch_off, switch_on
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.gate import Gate, session_token
from orderdesk.web.pages.forms import BadForm, read_form
from orderdesk.web.pages.page import Worker

_FIELD = "endpoint"


def worker_script(_: Request, __: int) -> Worker:
    """Give the service worker's script, which is the same for everybody."""
    return Worker("desk/worker.js", TEXTS)


@dataclass(frozen=True, slots=True)
class PushRoutes:
    """The routes of a logged-in trader's script; `public_key` may raise TryAgain."""

    gate: Gate
    public_key: Callable[[], str]
    allow_loopback: bool

    def show_key(self, request: Request, now: int) -> Mapping[str, object]:
        """Give the key that a browser subscribes with."""
        self.gate.admitted(request, now)
        return {"key": self.public_key()}

    def switch_on(self, request: Request, now: int) -> Mapping[str, object]:
        """Parse, keep the browser's endpoint for this session. Raises: BadForm."""
        trader, token = self.gate.admitted(request, now), session_token(request) or ""
        endpoint = _endpoint_of(request)
        if push_origin(endpoint, allow_loopback=self.allow_loopback) is None:
            raise BadForm
        switch_on(endpoint, token, trader, self.gate.devices, now)
        return {}

    def switch_off(self, request: Request, now: int) -> Mapping[str, object]:
        """Parse, forget the browser's endpoint. Raises: BadForm."""
        trader = self.gate.admitted(request, now)
        switch_off(device_key(_endpoint_of(request)), trader.trader_id, self.gate.devices)
        return {}


def _endpoint_of(request: Request) -> str:
    endpoint = read_form(request, (_FIELD,))[_FIELD]
    if not 0 < len(endpoint) <= ENDPOINT_LENGTH_MAX:
        raise BadForm
    return endpoint
