"""Access: only the one browser that opened the printed address, from this console's own pages.

Other programs of this machine and every web page that the operator's browser shows can send
requests to 127.0.0.1. So each request must name this address as its Host (DNS rebinding), lie under
a random path, and carry the session's cookie. A POST must come from this console's own pages.
Browsers send a cookie to every port of a host; the random path keeps it from other servers here.
"""

import hmac
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
COOKIE = "orderdesk_console"
_READS = frozenset({"GET", "HEAD"})
# Of every answer; a page has a policy of its own instead.
_ALWAYS = (
    (b"cache-control", b"no-store"),
    (
        b"content-security-policy",
        b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"no-referrer"),
    (b"vary", b"Accept-Language, Cookie"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def is_same(text: str, expected: str) -> bool:
    """Compare two texts in constant time; nothing is the same as an empty one."""
    return expected != "" and hmac.compare_digest(text.encode(), expected.encode())


class Entrance:
    """Middleware that refuses requests before anything of the console runs.

    `host` is the only accepted Host, `root` the random path of all pages.
    """

    def __init__(self, app: ASGIApp, host: str, root: str, token: str, session: str) -> None:
        self._app = app
        self._host, self._root = host, root
        self._unused_token, self._session = token, session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; nothing but HTTP is answered."""
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = {name.lower() for name, _ in message["headers"]}
                added = [each for each in _ALWAYS if each[0] not in named]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        request = Request(scope)
        answer = self._answered_here(request)
        await (self._app if answer is None else answer)(scope, receive, send_safely)

    def _answered_here(self, request: Request) -> Response | None:
        """Answer a refused request and the one-time address; return None to let a request in."""
        path = request.url.path
        if request.headers.get("host") != self._host:
            return _refused(HTTPStatus.MISDIRECTED_REQUEST, "Not the address of this console.")
        opening = f"{self._root}/open/"
        if request.method == "GET" and path.startswith(opening):
            return self._opened(path.removeprefix(opening))
        cookie = request.cookies.get(COOKIE, "")
        if not path.startswith(f"{self._root}/") or not is_same(cookie, self._session):
            return _refused(
                HTTPStatus.UNAUTHORIZED,
                "Open the console by the address that `orderdesk console` printed.",
            )
        site = request.headers.get("sec-fetch-site", "same-origin")
        is_own = (request.headers.get("origin"), site) == (f"http://{self._host}", "same-origin")
        if request.method not in _READS and not is_own:
            return _refused(HTTPStatus.FORBIDDEN, "This did not come from a page of this console.")
        return None

    def _opened(self, token: str) -> Response:
        if not is_same(token, self._unused_token):
            return _refused(
                HTTPStatus.FORBIDDEN,
                "This address was used before, or is wrong. It opens the console once: end "
                "`orderdesk console` and start it again for a new one.",
            )
        self._unused_token = ""
        answer = RedirectResponse(f"{self._root}/", HTTPStatus.SEE_OTHER)
        answer.set_cookie(COOKIE, self._session, path=self._root, httponly=True, samesite="strict")
        return answer


def _refused(status: HTTPStatus, text: str) -> Response:
    return PlainTextResponse(f"{text}\n", status)
