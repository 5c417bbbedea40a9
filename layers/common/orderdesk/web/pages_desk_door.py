"""Before the desk: its log-in, and the step back from an upload's other site."""

from urllib.parse import urlencode

from orderdesk.web.http import Request
from orderdesk.web.messages import MESSAGES
from orderdesk.web.pages import Page, language_of
from orderdesk.web.pages_desk_frame import desk_page
from orderdesk.web.pages_desk_links import DeskLinks

CODE_FIELD = "access_code"

_UNAUTHORIZED = 401


def login_page(request: Request, *, is_wrong: bool = False) -> Page:
    """Ask for the access code; the one that was wrong is not shown back."""
    links = DeskLinks.of(request)
    problem = MESSAGES[language_of(request)].desk.door.wrong_code if is_wrong else None
    return desk_page(
        "desk_login.html",
        {"field": CODE_FIELD, "problem": problem},
        links,
        links.here("login"),
        status=_UNAUTHORIZED if is_wrong else 200,
    )


def back_page(request: Request) -> Page:
    """Go on to the same address by ourselves.

    A browser that comes from the bucket brings no SameSite=Strict cookie, some even after
    redirects of a request that began here. What this page leads to begins here.
    """
    links, key = DeskLinks.of(request), request.query["key"]
    again = f"?{urlencode({'key': key, 'again': '1'})}{links.language.replace('?', '&')}"
    return desk_page("desk_back.html", {"address": again}, links, f"?{urlencode({'key': key})}")
