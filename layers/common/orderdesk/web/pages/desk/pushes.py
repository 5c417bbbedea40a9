"""The routes by which a desk's script switches pushes to its browser (contract section 8)."""

from collections.abc import Callable
from dataclasses import dataclass

from orderdesk.domain.pushes.devices import ENDPOINT_LENGTH_MAX, device_key, push_origin
from orderdesk.services.pushes.devices import DevicePorts, forget_session, switch_off, switch_on
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.gate import COOKIE, DeskScene
from orderdesk.web.pages.frame import Data
from orderdesk.web.pages.scene import BadForm, read_form

_ENDPOINT = "endpoint"


@dataclass(frozen=True, slots=True)
class PushRoutes:
    """The routes by which a page's script switches pushes; `public_key` may raise TryAgain."""

    devices: DevicePorts
    public_key: Callable[[], str]
    allow_loopback: bool

    def show_key(self, _: DeskScene) -> Data:
        """Return the key that a browser subscribes with."""
        return {"key": self.public_key()}

    def switch_on(self, scene: DeskScene) -> Data:
        """Store the browser's endpoint for this session. Raises: BadForm."""
        token, endpoint = COOKIE.read(scene.request), _endpoint_of(scene.request)
        if push_origin(endpoint, allow_loopback=self.allow_loopback) is None:
            raise BadForm
        switch_on(endpoint, token, scene.trader, self.devices, scene.now)
        return {}

    def switch_off(self, scene: DeskScene) -> Data:
        """Delete the browser's endpoint. Raises: BadForm."""
        key = device_key(_endpoint_of(scene.request))
        switch_off(key, scene.trader.trader_id, self.devices)
        return {}

    def forget(self, token: str, trader_id: str) -> None:
        """Delete the endpoints of a session that ends."""
        forget_session(token, trader_id, self.devices)


def _endpoint_of(request: Request) -> str:
    endpoint = read_form(request, (_ENDPOINT,))[_ENDPOINT]
    if not 0 < len(endpoint) <= ENDPOINT_LENGTH_MAX:
        raise BadForm
    return endpoint
