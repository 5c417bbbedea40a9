"""Traders: their duty, limits and balances; an operator changes their duty."""

from starlette.responses import Response

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader, trading_day
from orderdesk.services.operator.duty import Duty, set_duty, suspend
from orderdesk.services.operator.traders import known_trader
from orderdesk_cli.console.questions import WHY_IF_ANY, About, ask_about
from orderdesk_cli.console.sheets import Action, Cell, Fact, Section, Table, facts, number
from orderdesk_cli.console.summary import order_table
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.masking import method_line
from orderdesk_cli.output import time_text
from orderdesk_cli.traders.views import own_line

_COLUMNS = (
    "trader",
    "name",
    "duty",
    "mode",
    "CNY an order",
    "methods",
    "available",
    "held",
    "open",
)


def listed(visit: Visit) -> Response:
    """Show all traders: those online first, then by their names."""
    traders = sorted(
        visit.office.traders.traders(), key=lambda t: (not t.online, t.name, t.trader_id)
    )
    rows = [
        [
            Cell(t.trader_id, visit.to(f"traders/{t.trader_id}")),
            t.name,
            _duty_cell(t),
            Cell("test", chip="test") if t.mode.is_test else t.mode.value,
            number(f"{format_cny(t.smallest_fen)} to {format_cny(t.largest_fen)}"),
            " ".join(method.method_type.value for method in t.methods),
            number(format_usdt(t.available_micro)),
            number(format_usdt(t.held_micro)),
            number(_of(t.open_orders, t.most_open)),
        ]
        for t in traders
    ]
    online = sum(t.online for t in traders)
    table = Table("Traders", _COLUMNS, rows, "No traders.")
    section = Section(heading=f"Online: {online} of {len(traders)}", tables=[table])
    return visit.page("sheet.html", section="traders", title="Traders", sections=[section])


def shown(visit: Visit) -> Response:
    """Show a trader, and the orders that are open at its desk."""
    trader, now = trader_of(visit), visit.now
    methods = [method_line(method) for method in trader.methods]
    columns = ["method", "bank", "payee", "account"]
    open_now = sorted(visit.office.desk_orders.open_orders(trader.trader_id), key=lambda o: o.since)
    sections = [
        Section(heading="Trader", facts=_facts(trader, now), actions=_actions(visit, trader)),
        Section(
            heading="Receiving methods",
            tables=[
                Table("Receiving methods", columns, methods, "No receiving method: no order fits.")
            ],
        ),
        Section(heading="Open orders", tables=[order_table(visit, open_now, now, "None is open.")]),
    ]
    title = f"{trader.name} ({trader.trader_id})"
    return visit.page("sheet.html", section="traders", title=title, sections=sections)


def asked_for_duty(visit: Visit) -> Response:
    """Ask before a trader is put into or out of the rotation."""
    subject = about(trader_of(visit), visit.now)
    title, text, button, look = _words(_duty(visit))
    return ask_about(visit, subject, title, text, button, fields=[WHY_IF_ANY], look=look)


def put_on_duty(visit: Visit) -> Response:
    """Put a trader into or out of the rotation, as the commands do."""
    trader_id, duty, office = visit.parts["trader_id"], _duty(visit), visit.office
    match duty:
        case Duty.ONLINE | Duty.OFFLINE:
            set_duty(office.traders, office.operator, trader_id, duty, visit.reason)
        case Duty.SUSPENDED:
            suspend(
                *(trader_id, office.desk_orders, office.order_ports),
                *(office.operator.pause_ms, visit.reason),
            )
    return visit.go(f"traders/{trader_id}")


def about(trader: Trader, now: int) -> About:
    """Tell whom a question about a trader is about."""
    return About(f"traders/{trader.trader_id}", _facts(trader, now))


def trader_of(visit: Visit) -> Trader:
    """Find the trader of the path. Raises: UnknownId."""
    return known_trader(visit.office.traders, visit.parts["trader_id"])


def _duty(visit: Visit) -> Duty:
    try:
        return Duty(visit.parts["duty"])
    except ValueError:
        raise UnknownId("duty", visit.parts["duty"]) from None


def _words(duty: Duty) -> tuple[str, str, str, str]:
    """Give a duty's question, what it means, its button and the button's look."""
    match duty:
        case Duty.ONLINE:
            text = "It gets orders again. This also lifts a suspension."
            return "Put this trader online?", text, "Put online", ""
        case Duty.OFFLINE:
            text = "It gets no new order; its open orders go on."
            return "Take this trader offline?", text, "Take offline", "wrong"
        case Duty.SUSPENDED:
            text = (
                "It can make no move until an operator puts it online. Its assigned sells go back "
                "to matching; its other open orders are yours."
            )
            return "Suspend this trader?", text, "Suspend", "wrong"


def _actions(visit: Visit, trader: Trader) -> list[Action]:
    def duty(of: Duty, text: str, look: str = "soft") -> Action:
        return Action(text, visit.to(f"traders/{trader.trader_id}/duty/{of.value}"), look)

    on = [] if trader.online else [duty(Duty.ONLINE, "Put online")]
    off = [duty(Duty.OFFLINE, "Take offline")] if trader.online else []
    out = [] if trader.suspended else [duty(Duty.SUSPENDED, "Suspend", "wrong")]
    limits = Action("Change the limits", visit.to(f"traders/{trader.trader_id}/limits"))
    return [*on, *off, limits, *out]


def _facts(trader: Trader, now: int) -> list[Fact]:
    last_us, daily = trader.last_accepted_us, trader.daily_cap_fen
    changed_at = trader.methods_changed_at
    used = format_cny(trader.used_on(trading_day(now)))
    smallest, largest = format_cny(trader.min_cny_fen), format_cny(trader.max_cny_fen)
    return facts(
        duty=_duty_cell(trader),
        mode=trader.mode.value,
        name=trader.name,
        CNY_an_order=number(f"{smallest} to {largest}"),
        open_orders=number(_of(trader.open_orders, trader.max_open)),
        unique_amounts="yes" if trader.unique_amounts else "no",
        its_own_limits=own_line(trader),
        accounts_changed=time_text(changed_at) if changed_at else "",
        CNY_today=number(used if daily is None else f"{used} of {format_cny(daily)}"),
        available_USDT=number(format_usdt(trader.available_micro)),
        held_USDT=number(format_usdt(trader.held_micro)),
        last_accepted=time_text(last_us // US_PER_SECOND) if last_us else "",
        added=time_text(trader.created_at),
    )


def _duty_cell(trader: Trader) -> Cell:
    if trader.suspended:
        return Cell("suspended", chip="suspended")
    name = "online" if trader.online else "offline"
    return Cell(name, chip=name)


def _of(count: int, most: int | None) -> str:
    return str(count) if most is None else f"{count} of {most}"
