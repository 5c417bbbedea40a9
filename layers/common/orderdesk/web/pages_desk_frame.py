"""What every page of the desk has: its links, its place in the navigation, its problems."""

from orderdesk.services.trader_sessions import NotLoggedIn
from orderdesk.web.http import Request
from orderdesk.web.messages import MESSAGES
from orderdesk.web.pages import REFUSALS, Page, Problems, SeeOther, language_of, status_of
from orderdesk.web.pages_desk_links import DeskLinks

_NOWHERE = "order_not_found"


def desk_page(
    template: str,
    view: object,
    links: DeskLinks,
    here: str,
    *,
    section: str | None = None,
    image_origin: str | None = None,
    upload_origin: str | None = None,
    status: int = 200,
) -> Page:
    """Frame a page; `section` is its place in the navigation, None where there is none."""
    return Page(
        template,
        {"view": view, "links": links, "section": section},
        image_origin=image_origin,
        upload_origin=upload_origin,
        status=status,
        here=here,
    )


def _problem_page(request: Request, reason: str) -> Page | SeeOther:
    """Tell a trader of a problem; without a session every address leads to the log-in."""
    links = DeskLinks.of(request)
    if reason == NotLoggedIn.reason:
        return SeeOther(links.to("login"))
    view = {
        "problem": MESSAGES[language_of(request)].desk.problems[reason],
        "is_nowhere": reason == _NOWHERE,
        "can_reload": request.method == "GET" and reason != _NOWHERE,
    }
    here = "" if request.method == "GET" else links.here("orders")
    return desk_page("desk_problem.html", view, links, here, status=status_of(reason))


DESK_PROBLEMS = Problems((*REFUSALS, NotLoggedIn), _problem_page)
