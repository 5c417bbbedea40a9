"""Every address of the console, declared by commands, sheets and actions."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from http import HTTPStatus
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from orderdesk_cli import ledger, money, parties  # noqa: F401 they declare what the forms ask for
from orderdesk_cli.api import Refused
from orderdesk_cli.console.forms import Action
from orderdesk_cli.console.pages import Page
from orderdesk_cli.console.site import Answerer, Site, Visit, endpoint, not_found, switch_language
from orderdesk_cli.console.waiting import WAITING, waiting
from orderdesk_cli.orders import links_of
from orderdesk_cli.plain_text import BEIJING
from orderdesk_cli.sheets import orders as sheets
from orderdesk_cli.sheets.ledger import CHECKED, DIFFERENCES, REPORT
from orderdesk_cli.sheets.operators import ENTRIES
from orderdesk_cli.sheets.parties import MERCHANTS, TRADERS
from orderdesk_cli.sheets.sheet import Sheet, objects, without

BODY_MAX_BYTES = 64 * 1024
_MARK = (Path(__file__).parent / "templates" / "mark.svg").read_text()

_CANCELLED, _COMPLETED = {"outcome": "cancelled"}, {"outcome": "completed"}
_claim = partial(Action, "order.claim", asks="trader_id reason", has_pictures=True)
_of_many = partial(Action, asks="order_nos! reason")
MOVES = (
    Action("order.ask"),
    Action("order.assign"),
    Action("order.unassign", "wrong"),
    Action("order.cancel", "wrong"),
    Action("order.dispute", "wrong", asks="reason"),
    Action("order.resolve", name="complete", fixed=_COMPLETED, asks="amount reason"),
    Action("order.resolve", "wrong", name="resolve-cancelled", fixed=_CANCELLED, asks="reason"),
    Action("order.reverse", "wrong"),
    _claim("wrong", name="claim-paid", fixed={"verdict": "paid"}),
    _claim(name="claim-rejected", fixed={"verdict": "rejected"}),
)
OF_STOPPED = (
    _of_many("order.resolve", "wrong", name="return", fixed=_CANCELLED, of_orders="disputed"),
    _of_many("order.resolve", name="pay-out", fixed=_COMPLETED, of_orders="disputed"),
    _of_many("order.dispute", "wrong", name="dispute", of_orders="paid assigned"),
)
DECISIONS = (
    Action("proposal.approve", "", states="open begun", proposer=False, seen="digest"),
    Action("proposal.reject", "wrong", states="open"),
    Action("proposal.reveal", states="executed", is_shown=True),
)
OF_MERCHANT = (
    Action("merchant.set", name="limits", fills=True),
    Action("fund.merchant", name="fund"),
    Action("withdraw.merchant", name="withdraw"),
    Action("deposit.release", name="release-deposit"),
    Action("fees.withdraw", name="withdraw-fees"),
    Action("merchant.revoke-secret", "wrong"),
    Action("merchant.invite", is_shown=True),
    Action("merchant.suspend", "wrong", states="active"),
    Action("merchant.resume", states="suspended"),
)
OF_TRADER = (
    Action("trader.online", states="offline suspended"),
    Action("trader.offline", states="online"),
    Action("trader.set", name="limits", fills=True),
    Action("trader.add-method"),
    Action("trader.remove-method", "wrong"),
    Action("trader.stop-account", "wrong"),
    Action("trader.resume-account"),
    Action("fund.trader", name="fund"),
    Action("withdraw.trader", name="withdraw"),
    Action("trader.reset-code", is_shown=True),
    Action("trader.suspend", "wrong", states="online offline"),
)
OF_BLOCKS = (Action("block.add", "wrong"), Action("block.remove"), Action("desk.set"))
OF_WITHDRAWALS = (
    Action("withdraw.merchant", name="take-up", asks="request_no!"),
    Action("withdraw.sent"),
)

_STOPPED = Page(
    "traders/{trader_id}/stopped",
    "order.list",
    sheets.STOPPED,
    asks="trader_id",
    fixed={"stopped": True},
    actions=OF_STOPPED,
)
_BELOW_MERCHANT = (
    Page("merchants/{merchant_id}/statement", "ledger.statement"),
    Page("merchants/{merchant_id}/use", "merchant.limits"),
)
_REPORT = Page(
    "report",
    "report.day",
    Sheet([REPORT.parts[0], DIFFERENCES, *REPORT.parts[1:]]),
    asks="date",
    in_parts=True,
)
_CHECK = Page("ledger", "ledger.check", CHECKED, in_parts=True)
_WAITING_SELLS = {"status": "matching", "order_type": "sell"}
_OF_DISPUTES, _DISPUTED = "mode merchant_id trader_id", {"status": "disputed"}
PAGES = (
    Page("orders", "order.list"),
    Page("disputes", "order.list", sheets.DISPUTES, asks=_OF_DISPUTES, fixed=_DISPUTED),
    Page("claims", "order.list", sheets.CLAIMS, asks="mode", fixed={"claims": True}),
    Page("sells", "order.list", asks="mode merchant_id", fixed=_WAITING_SELLS),
    Page("orders/{order_no}", "order.show", sheets.ORDER, actions=MOVES),
    Page("drafts/{pending_no}", "draft.show", sheets.DRAFT),
    Page("proposals", "proposal.list"),
    Page("proposals/{proposal_no}", "proposal.show", actions=DECISIONS),
    Page("withdrawals", "withdraw.list", actions=OF_WITHDRAWALS),
    Page(
        "merchants",
        "merchant.list",
        without(MERCHANTS, "name"),
        actions=(Action("merchant.add", is_shown=True),),
    ),
    Page("merchants/{merchant_id}", "merchant.show", actions=OF_MERCHANT, below=_BELOW_MERCHANT),
    *_BELOW_MERCHANT,
    Page(
        "traders",
        "trader.list",
        without(TRADERS, "name"),
        actions=(Action("trader.add", is_shown=True),),
    ),
    Page("traders/{trader_id}", "trader.show", actions=OF_TRADER, below=(_STOPPED,)),
    _STOPPED,
    Page("blocks", "block.list", actions=OF_BLOCKS),
    Page("rates", "rate.list", actions=(Action("rate.set", fixed={"yes": True}),)),
    Page("callbacks", "callback.dead", asks="merchant_id", beside=("paused", sheets.PAUSED)),
    Page("callbacks/{webhook_id}", "callback.show", actions=(Action("callback.redeliver"),)),
    _REPORT,
    Page("balances", "ledger.balances"),
    _CHECK,
    Page(
        "audit",
        "audit.list",
        without(ENTRIES, "arn"),
        asks="since operator subject",
        preset={"since": "7d"},
        fixed={"newest_first": True},
    ),
)
SECTIONS = [
    (WAITING, "order.list", ("Waiting", "待办")),
    *((page.path, page.command, page.label) for page in PAGES if "/" not in page.path),
]
"""The navigation: each section's path, the command that it needs, and its name."""


def found(visit: Visit) -> Response:
    """Redirect to the order that a text means, or list what was found."""
    text = visit.query.get("text", "")
    if not text:
        return visit.go("orders")
    try:
        answer = visit.call("order.find", text=text, after=visit.query.get("after"))
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        answer = {}
    items, more = objects(answer.get("items")), answer.get("next")
    if len(items) == 1 and not more:
        number, draft = items[0].get("order_no"), items[0].get("pending_no")
        return visit.go(f"orders/{number}" if number else f"drafts/{draft}")
    values = {
        "section": "orders",
        "title": f"{visit.words.find}: {text}",
        "found": text,
        "leads": [] if items else [visit.words.nothing_yet if more else visit.words.nothing_found],
        "drawn": visit.drawn(sheets.ORDERS, items) if items else "",
        "older": visit.to("find", text=text, after=str(more)) if more else "",
    }
    return visit.page("sheet.html", values)


def report_of_day(visit: Visit) -> Response:
    """Show the report of a trading day, today's if none is named."""
    today = {"date": datetime.now(BEIJING).date().isoformat()}
    return _REPORT.show(replace(visit, query={**today, **visit.query}))


def checked(visit: Visit) -> Response:
    """Offer the ledger check, or show how far it is."""
    if visit.query.keys() & {"run", "after"}:
        return _CHECK.show(visit)
    visit.require(_CHECK.command)
    run = {"link": visit.to("ledger", run="1"), "text": visit.words.check_now, "look": ""}
    values = {
        "section": "ledger",
        "title": visit.text(_CHECK.title),
        "leads": [visit.words.check_hint],
        "actions": [run],
    }
    return visit.page("sheet.html", values)


def evidence(visit: Visit) -> Response:
    """Send a picture that was drawn from a file, or the file as it came, to be saved."""
    answer = visit.call("order.evidence", order_no=visit.parts["order_no"])
    sent = dict(enumerate(objects(answer.get("evidence"))))
    each, page = sent.get(int(visit.parts["nth"])), visit.parts.get("page")
    links = dict(enumerate(links_of(each) if each else ()))
    name, link = links.get(0 if page is None else int(page) + 1, ("", ""))
    content = visit.site.api.file(link) if link else None
    if content is None:
        return not_found(visit)
    if page is None:
        headers = {"Content-Disposition": f'attachment; filename="{quote(name)}"'}
        return Response(content, HTTPStatus.OK, headers, "application/octet-stream")
    return Response(content, media_type=guess_type(name)[0] or "application/octet-stream")


VIEWS: dict[str, Answerer] = {
    "": lambda visit: visit.go(WAITING),
    WAITING: waiting,
    "mark.svg": lambda _: Response(_MARK, media_type="image/svg+xml"),
    "language": switch_language,
    "find": found,
    "report": report_of_day,
    "ledger": checked,
    "orders/{order_no}/evidence/{nth:int}/pages/{page:int}": evidence,
    "orders/{order_no}/evidence/{nth:int}/original": evidence,
}


def application(site: Site) -> Starlette:
    """Create the application; it answers all requests that the entrance lets in."""
    answers: list[tuple[str, str, Answerer]] = [("GET", path, view) for path, view in VIEWS.items()]
    for page in PAGES:
        answers += [] if page.path in VIEWS else [("GET", page.path, page.show)]
        for action in page.actions:
            path = f"{page.path}/{action.path}"
            answers.append(("GET", path, partial(page.ask, action)))
            answers.append(("POST", path, partial(page.run, action)))

    async def nothing_here(request: Request, _: Exception) -> Response:
        return await endpoint(site, not_found)(request)

    routes = [
        Route(f"/{path}", endpoint(site, answer), methods=[method])
        for method, path, answer in answers
    ]
    return Starlette(
        routes=[Mount(site.root, routes=routes)],
        exception_handlers={404: nothing_here},
        max_body_size=BODY_MAX_BYTES,
    )
