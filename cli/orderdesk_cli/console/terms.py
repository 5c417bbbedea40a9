"""A merchant's limits, for orders to come; the other terms are changed by `merchant set`."""

from starlette.responses import Response

from orderdesk.domain.merchants.terms import TermsChange
from orderdesk.domain.money import format_cny
from orderdesk.services.operator.merchants import set_terms
from orderdesk_cli.console.merchants import about, merchant_of
from orderdesk_cli.console.questions import WHY_IF_ANY, ask_about
from orderdesk_cli.console.sheets import NO, YES, Field
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.values import cap, cny


def asked_for(visit: Visit) -> Response:
    """Ask for a merchant's limits."""
    merchant = merchant_of(visit)
    terms = merchant.terms
    receipt = YES if terms.require_receipt else NO
    fields = [
        _needed("min_cny", "Smallest order, CNY", format_cny(terms.min_cny_fen)),
        _needed("max_cny", "Largest order, CNY", format_cny(terms.max_cny_fen)),
        _needed("max_open_buys", "Open buys at a time", str(terms.max_open_buys)),
        _needed("max_open_cny", "CNY in open buys", format_cny(terms.max_open_cny_fen)),
        _needed("max_rps", "Calls a second", str(terms.max_rps)),
        Field("require_receipt", "Needs a receipt to be paid", receipt, (YES, NO), required=True),
        WHY_IF_ANY,
    ]
    text = "They hold for orders to come. Open buys and CNY count for live and for test orders."
    subject = about(merchant)
    return ask_about(visit, subject, "Which limits?", text, "Set the limits", fields=fields)


def changed(visit: Visit) -> Response:
    """Set a merchant's limits."""
    form, office, merchant_id = visit.form, visit.office, visit.parts["merchant_id"]
    change = TermsChange(
        min_cny_fen=cny(form.get("min_cny", "")),
        max_cny_fen=cny(form.get("max_cny", "")),
        max_open_buys=cap(form.get("max_open_buys", "")),
        max_open_cny_fen=cny(form.get("max_open_cny", "")),
        max_rps=cap(form.get("max_rps", "")),
        require_receipt=form.get("require_receipt") == YES,
    )
    set_terms(
        *(office.merchants, office.operator, merchant_id, change),
        allow_loopback=office.stack.allows_loopback,
        reason=visit.reason,
    )
    return visit.go(f"merchants/{merchant_id}")


def _needed(name: str, label: str, value: str) -> Field:
    return Field(name, label, value, required=True)
