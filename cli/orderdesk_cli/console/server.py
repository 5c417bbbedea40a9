"""Serves the console: a socket on the loopback address, behind it Starlette by uvicorn."""

import os
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass, field

from uvicorn import Config, Server

from orderdesk_cli.api import Api, Refused
from orderdesk_cli.console.entrance import LOOPBACK, Entrance
from orderdesk_cli.console.routes import SECTIONS, application
from orderdesk_cli.console.site import PartyNames, Site
from orderdesk_cli.sheets.sheet import members

_PATH_BYTES, _TOKEN_BYTES = 16, 32
_SECONDS_TO_FINISH = 3


@dataclass(frozen=True, slots=True)
class Console:
    """A console that listens; `url` opens it once."""

    url: str = field(repr=False)
    _server: Server
    _listener: socket.socket

    def serve(self) -> None:
        """Answer requests until Ctrl-C."""
        with self._listener, suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._listener])


def opened(api: Api, port: int) -> Console:
    """Listen on a port of the loopback address, 0 for a free one.

    Raises: Refused, also if the port is taken or may not be used; whatever the first call raises.
    """
    rights = api.call("rights.list")
    try:
        listener = socket.create_server((LOOPBACK, port))
    except OSError as error:
        why = os.strerror(error.errno or 0)
        text = f"cannot listen on {LOOPBACK}:{port}: {why}"
        raise Refused(0, 0, "port_taken", text) from None
    host = f"{LOOPBACK}:{listener.getsockname()[1]}"
    root = f"/{secrets.token_urlsafe(_PATH_BYTES)}"
    token, session = (secrets.token_urlsafe(_TOKEN_BYTES) for _ in range(2))
    allowed = frozenset(map(str, members(rights["items"])))
    site = Site(api, root, str(rights["person"]), allowed, PartyNames(api), SECTIONS)
    entrance = Entrance(application(site), host, root, token, session)
    config = Config(
        entrance,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,  # its lines would have the one-time address
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
    )
    return Console(f"http://{host}{root}/open/{token}", Server(config), listener)
