"""`orderdesk trader …`."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.traders.terms import TraderTerms, TraderTermsChange, check_trader_terms
from orderdesk.services.operator import traders as onboard_traders
from orderdesk.services.operator.duty import Duty, set_duty
from orderdesk.services.operator.duty import suspend as suspend_trader
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.output import Answer
from orderdesk_cli.traders import views
from orderdesk_cli.values import NO_CAP, Reason, TraderId, cap, cny, cny_cap

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()

Text = Annotated[str, typer.Option(metavar="TEXT")]


@command(group, "add")
def add(
    office: "Office",
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    *,
    smallest: Annotated[
        int, typer.Option("--min", parser=cny, metavar="CNY", help="Smallest order.")
    ],
    largest: Annotated[
        int, typer.Option("--max", parser=cny, metavar="CNY", help="Largest order.")
    ],
    test: Annotated[bool, typer.Option("--test", help="Takes test orders only.")] = False,
    max_open: Annotated[
        int | None, typer.Option(min=1, help="Open orders at a time; no cap if absent.")
    ] = None,
    daily_cny: Annotated[
        int | None, typer.Option(parser=cny, metavar="CNY", help="A day (UTC+8); no cap if absent.")
    ] = None,
    unique_amounts: Annotated[
        bool,
        typer.Option("--unique-amounts", help="Never two open buys of one amount on one method."),
    ] = False,
    reason: Reason = "",
) -> Answer:
    """Add a trader, offline; the access code is shown this one time."""
    terms = TraderTerms(smallest, largest, max_open, daily_cny, unique_amounts)
    check_trader_terms(terms)  # before anything is read from AWS
    new = onboard_traders.add_trader(
        office.traders,
        office.operator,
        name,
        Mode.TEST if test else Mode.LIVE,
        terms,
        shards=office.stack.rotation_shards,
        reason=reason,
    )
    return views.added(new)


@command(group, "set")
def set_terms(
    office: "Office",
    trader_id: TraderId,
    *,
    smallest: Annotated[
        int | None, typer.Option("--min", parser=cny, metavar="CNY", help="Smallest order.")
    ] = None,
    largest: Annotated[
        int | None, typer.Option("--max", parser=cny, metavar="CNY", help="Largest order.")
    ] = None,
    max_open: Annotated[
        int | None, typer.Option(parser=cap, metavar="N", help='Open orders; "" for no cap.')
    ] = None,
    daily_cny: Annotated[
        int | None, typer.Option(parser=cny_cap, metavar="CNY", help='A day; "" for no cap.')
    ] = None,
    unique_amounts: Annotated[
        bool | None,
        typer.Option(
            "--unique-amounts/--no-unique-amounts",
            help="Never two open buys of one amount on one method.",
        ),
    ] = None,
    reason: Reason = "",
) -> Answer:
    """Change a trader's limits for orders to come; what is not named stays as it is."""
    change: TraderTermsChange = {}
    if smallest is not None:
        change["min_cny_fen"] = smallest
    if largest is not None:
        change["max_cny_fen"] = largest
    if max_open is not None:
        change["max_open"] = None if max_open == NO_CAP else max_open
    if daily_cny is not None:
        change["daily_cap_fen"] = None if daily_cny == NO_CAP else daily_cny
    if unique_amounts is not None:
        change["unique_amounts"] = unique_amounts
    if not change:
        raise typer.BadParameter("name at least one limit to change")
    return views.changed(
        onboard_traders.set_trader_terms(office.traders, office.operator, trader_id, change, reason)
    )


@command(group, "add-method")
def add_method(
    office: "Office",
    trader_id: TraderId,
    method_type: Annotated[
        MethodType, typer.Argument(metavar="|".join(MethodType), show_default=False)
    ],
    *,
    real_name: Text = "",
    bank: Text = "",
    sub_bank: Text = "",
    card_number: Text = "",
    account: Text = "",
    qr_code: Annotated[str, typer.Option(metavar="URL")] = "",
    reason: Reason = "",
) -> Answer:
    """Give a trader a receiving method; it replaces the one of the same type.

    bank needs --real-name, --bank, --sub-bank and --card-number; wechat and alipay need
    --real-name, --account and --qr-code.
    """
    fields = {
        "method_type": method_type.value,
        "real_name": real_name,
        "bank": bank,
        "sub_bank": sub_bank,
        "card_number": card_number,
        "account": account,
        "qr_code": qr_code,
    }
    method = _read_method(fields)
    return views.changed(
        onboard_traders.add_method(office.traders, office.operator, trader_id, method, reason)
    )


@command(group, "new-code")
def new_code(office: "Office", trader_id: TraderId, reason: Reason = "") -> Answer:
    """Give a trader a new access code, shown this one time; the earlier one stops working."""
    return views.recoded(
        onboard_traders.new_access_code(office.traders, office.operator, trader_id, reason)
    )


@command(group, "list")
def list_all(office: "Office") -> Answer:
    """List all traders, the newest last."""
    return views.listed(sorted(office.traders.traders(), key=lambda t: (t.created_at, t.trader_id)))


@command(group, "show")
def show(office: "Office", trader_id: TraderId) -> Answer:
    """Show a trader: limits, balance, open orders, methods (masked)."""
    return views.shown(onboard_traders.known_trader(office.traders, trader_id))


@command(group, "online")
def online(office: "Office", trader_id: TraderId, reason: Reason = "") -> Answer:
    """Put a trader into the rotation; also lifts a suspension."""
    return _put_on(office, trader_id, Duty.ONLINE, reason)


@command(group, "offline")
def offline(office: "Office", trader_id: TraderId, reason: Reason = "") -> Answer:
    """Take a trader out of the rotation; its open orders run their course."""
    return _put_on(office, trader_id, Duty.OFFLINE, reason)


@command(group, "suspend")
def suspend(office: "Office", trader_id: TraderId, reason: Reason = "") -> Answer:
    """Let a trader make no move until an operator puts it online; its sells are given back.

    Safe to repeat: it gives back what an interrupted run left.
    """
    return views.suspended(
        suspend_trader(
            trader_id,
            office.desk_orders,
            office.order_ports,
            office.operator.pause_ms,
            reason,
        )
    )


def _put_on(office: "Office", trader_id: str, duty: Duty, reason: str) -> Answer:
    return views.changed(set_duty(office.traders, office.operator, trader_id, duty, reason))


def _read_method(fields: dict[str, str]) -> PaymentMethod:
    """Read a method; the options are its fields. Raises: UnacceptableTerms."""
    # Only this command needs pydantic.
    from orderdesk.web.merchant.payment_method import read_own_method  # noqa: PLC0415

    method, problems = read_own_method(fields)
    if method is None:
        raise UnacceptableTerms(
            [FieldProblem("--" + p.field.replace("_", "-"), p.problem) for p in problems]
        )
    return method
