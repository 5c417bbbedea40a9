"""A trader's limits, for orders to come."""

from starlette.responses import Response

from orderdesk.domain.money import format_cny
from orderdesk.domain.traders.terms import TraderTermsChange
from orderdesk.services.operator.traders import set_trader_terms
from orderdesk_cli.console.questions import WHY_IF_ANY, ask_about
from orderdesk_cli.console.sheets import NO, YES, Field
from orderdesk_cli.console.traders import about, trader_of
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.values import NO_CAP, cap, cny, cny_cap


def asked_for(visit: Visit) -> Response:
    """Ask for a trader's limits; what is left empty is no cap."""
    trader = trader_of(visit)
    most = "" if trader.max_open is None else str(trader.max_open)
    daily = trader.daily_cap_fen
    fields = [
        Field("min_cny", "Smallest order, CNY", format_cny(trader.min_cny_fen), required=True),
        Field("max_cny", "Largest order, CNY", format_cny(trader.max_cny_fen), required=True),
        Field(
            "max_open",
            "Open orders at a time",
            most,
            hint="Empty: no cap.",
        ),
        Field(
            "daily_cny",
            "CNY a day (UTC+8)",
            "" if daily is None else format_cny(daily),
            hint="Empty: no cap.",
        ),
        Field(
            "unique_amounts",
            "Never two open buys of one amount on one method",
            YES if trader.unique_amounts else NO,
            (YES, NO),
            required=True,
        ),
        WHY_IF_ANY,
    ]
    text = (
        "They hold for orders to come; open orders go on as before. The trader may choose narrower "
        "ones at its desk."
    )
    subject = about(trader, visit.now)
    return ask_about(visit, subject, "Which limits?", text, "Set the limits", fields=fields)


def changed(visit: Visit) -> Response:
    """Set a trader's limits."""
    most, daily = cap(visit.form.get("max_open", "")), cny_cap(visit.form.get("daily_cny", ""))
    change = TraderTermsChange(
        min_cny_fen=cny(visit.form.get("min_cny", "")),
        max_cny_fen=cny(visit.form.get("max_cny", "")),
        max_open=None if most == NO_CAP else most,
        daily_cap_fen=None if daily == NO_CAP else daily,
    )
    if "unique_amounts" in visit.form:
        change["unique_amounts"] = visit.form["unique_amounts"] == YES
    office, trader_id = visit.office, visit.parts["trader_id"]
    set_trader_terms(office.traders, office.operator, trader_id, change, visit.reason)
    return visit.go(f"traders/{trader_id}")
