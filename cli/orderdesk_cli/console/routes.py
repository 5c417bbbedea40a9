"""Every address of the console."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from orderdesk_cli.console import (
    asking,
    callbacks,
    disputes,
    evidence,
    ledger,
    limits,
    merchants,
    moves,
    orders,
    report,
    sells,
    story,
    terms,
    traders,
    trail,
    withdrawals,
)
from orderdesk_cli.console.rendering import render
from orderdesk_cli.console.visits import Premises, View, Visit, endpoint, not_found

BODY_MAX_BYTES = 64 * 1024


def home(visit: Visit) -> Response:
    """Lead to the orders."""
    return visit.go("orders")


def mark(visit: Visit) -> Response:
    """Send the icon of the browser's tab."""
    return Response(render("mark.svg", {}), media_type="image/svg+xml")


PAGES: dict[str, View] = {
    "/": home,
    "/mark.svg": mark,
    "/orders": orders.listed,
    "/find": orders.found,
    "/orders/{number}": story.shown,
    "/orders/{number}/evidence/{nth:int}/pages/{page:int}": evidence.picture,
    "/orders/{number}/evidence/{nth:int}/original": evidence.original,
    "/orders/{number}/ask": asking.asked,
    "/orders/{number}/{move}": moves.asked,
    "/disputes": disputes.queued,
    "/sells": sells.waiting,
    "/withdrawals": withdrawals.listed,
    "/withdrawals/{number}/approve": withdrawals.asked_to_approve,
    "/withdrawals/{number}/reject": withdrawals.asked_to_reject,
    "/traders": traders.listed,
    "/traders/{trader_id}": traders.shown,
    "/traders/{trader_id}/duty/{duty}": traders.asked_for_duty,
    "/traders/{trader_id}/limits": limits.asked_for,
    "/merchants": merchants.listed,
    "/merchants/{merchant_id}": merchants.shown,
    "/merchants/{merchant_id}/limits": terms.asked_for,
    "/merchants/{merchant_id}/suspend": merchants.asked_to_suspend,
    "/merchants/{merchant_id}/resume": merchants.asked_to_resume,
    "/callbacks": callbacks.troubled,
    "/callbacks/{webhook_id}/redeliver": callbacks.asked_to_redeliver,
    "/report": report.shown,
    "/ledger": ledger.offered,
    "/audit": trail.shown,
}
"""What is shown, by its path."""

FORMS: dict[str, View] = {
    "/orders/{number}/ask": asking.sent,
    "/orders/{number}/{move}": moves.made,
    "/withdrawals/{number}/approve": withdrawals.approved,
    "/withdrawals/{number}/reject": withdrawals.rejected,
    "/traders/{trader_id}/duty/{duty}": traders.put_on_duty,
    "/traders/{trader_id}/limits": limits.changed,
    "/merchants/{merchant_id}/limits": terms.changed,
    "/merchants/{merchant_id}/suspend": merchants.suspended,
    "/merchants/{merchant_id}/resume": merchants.resumed,
    "/callbacks/{webhook_id}/redeliver": callbacks.redelivered,
}
"""What is done, by the path of its question."""


def application(premises: Premises) -> Starlette:
    """Make the application; it answers whoever the entrance lets in."""

    async def nothing_here(request: Request, _: Exception) -> Response:
        return await endpoint(premises, not_found)(request)

    routes = [
        Route(path, endpoint(premises, view), methods=[method])
        for method, views in (("GET", PAGES), ("POST", FORMS))
        for path, view in views.items()
    ]
    return Starlette(
        routes=[Mount(premises.root, routes=routes)],
        exception_handlers={404: nothing_here},
        max_body_size=BODY_MAX_BYTES,
    )
