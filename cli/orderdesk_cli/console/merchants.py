"""Merchants: agreement, limits, balances, and the callbacks that do not reach them."""

from starlette.responses import Response

from orderdesk.domain.callbacks.delivery import Trouble
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus
from orderdesk.domain.merchants.terms import describe_terms
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.services.operator.callbacks import newest_troubled
from orderdesk.services.operator.merchants import (
    known_merchant,
    resume_merchant,
    suspend_merchant,
)
from orderdesk_cli.console.callbacks import SHOWN, callback_table
from orderdesk_cli.console.questions import WHY_IF_ANY, About, ask_about
from orderdesk_cli.console.sheets import (
    Action,
    Cell,
    Fact,
    Section,
    Table,
    cell,
    facts,
    number,
)
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text

_COLUMNS = ("merchant", "name", "status", "identity", "CNY an order", "service bps", "open buys")


def listed(visit: Visit) -> Response:
    """Show all merchants by their names."""
    merchants = sorted(visit.office.merchants.merchants(), key=lambda m: (m.name, m.merchant_id))
    rows = [
        [
            Cell(m.merchant_id, visit.to(f"merchants/{m.merchant_id}")),
            m.name,
            _status_cell(m),
            "yes" if m.terms.identity_required else "no",
            number(f"{format_cny(m.terms.min_cny_fen)} to {format_cny(m.terms.max_cny_fen)}"),
            number(str(m.terms.fees.service_bps)),
            number(f"at most {m.terms.max_open_buys}"),
        ]
        for m in merchants
    ]
    table = Table("Merchants", _COLUMNS, rows, "No merchants.")
    section = Section(heading=f"Merchants: {len(merchants)}", tables=[table])
    return visit.page("sheet.html", section="merchants", title="Merchants", sections=[section])


def shown(visit: Visit) -> Response:
    """Show a merchant; never a secret."""
    merchant, office = merchant_of(visit), visit.office
    troubled = newest_troubled(office.callbacks, tuple(Trouble), SHOWN)
    failing = [each for each in troubled if each.event.merchant_id == merchant.merchant_id]
    sections = [
        Section(heading="Agreement", facts=_facts(merchant), actions=_actions(visit, merchant)),
        Section(heading="Balances", tables=[_balances(visit, merchant.merchant_id)]),
        Section(
            heading="Callbacks in trouble",
            note=f"Among the newest {SHOWN} of all merchants.",
            tables=[callback_table(visit, failing)],
        ),
    ]
    title = f"{merchant.name} ({merchant.merchant_id})"
    return visit.page("sheet.html", section="merchants", title=title, sections=sections)


def asked_to_suspend(visit: Visit) -> Response:
    """Ask before a merchant's calls are refused."""
    text = "Its calls are refused from now on. Open orders go on."
    title, fields = "Suspend this merchant?", [WHY_IF_ANY]
    subject = about(merchant_of(visit))
    return ask_about(visit, subject, title, text, "Suspend", fields=fields, look="wrong")


def asked_to_resume(visit: Visit) -> Response:
    """Ask before a suspended merchant's calls are answered again."""
    title, text = "Resume this merchant?", "Its calls are answered again."
    subject = about(merchant_of(visit))
    return ask_about(visit, subject, title, text, "Resume", fields=[WHY_IF_ANY])


def suspended(visit: Visit) -> Response:
    """Refuse a merchant's calls."""
    office, merchant_id = visit.office, visit.parts["merchant_id"]
    suspend_merchant(office.merchants, office.operator, merchant_id, visit.reason)
    return visit.go(f"merchants/{merchant_id}")


def resumed(visit: Visit) -> Response:
    """Answer a merchant's calls again."""
    office, merchant_id = visit.office, visit.parts["merchant_id"]
    resume_merchant(office.merchants, office.operator, merchant_id, visit.reason)
    return visit.go(f"merchants/{merchant_id}")


def about(merchant: Merchant) -> About:
    """Tell whom a question about a merchant is about."""
    who = merchant.merchant_id
    known = facts(merchant=who, name=merchant.name, status=_status_cell(merchant))
    return About(f"merchants/{who}", known)


def merchant_of(visit: Visit) -> Merchant:
    """Find the merchant of the path. Raises: UnknownId."""
    return known_merchant(visit.office.merchants, visit.parts["merchant_id"])


def _facts(merchant: Merchant) -> list[Fact]:
    terms = describe_terms(merchant.terms)
    return [
        *facts(status=_status_cell(merchant), name=merchant.name),
        *(Fact(name, cell(value)) for name, value in terms.items() if value),
        *facts(added=time_text(merchant.created_at)),
    ]


def _actions(visit: Visit, merchant: Merchant) -> list[Action]:
    place = f"merchants/{merchant.merchant_id}"
    orders = Action("Its orders", visit.to("orders", merchant=merchant.merchant_id))
    limits = Action("Change the limits", visit.to(f"{place}/limits"))
    match merchant.status:
        case MerchantStatus.ACTIVE:
            return [orders, limits, Action("Suspend", visit.to(f"{place}/suspend"), "wrong")]
        case MerchantStatus.SUSPENDED:
            return [orders, limits, Action("Resume", visit.to(f"{place}/resume"))]


def _balances(visit: Visit, merchant_id: str) -> Table:
    rows = []
    for mode in Mode:
        own, deposit = (
            visit.office.balances.balance(Account(kind, merchant_id, mode))
            for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT)
        )
        amounts = (own.available_micro, own.held_micro, deposit.available_micro)
        rows.append([mode.value, *(number(format_usdt(micro)) for micro in amounts)])
    return Table("Balances in USDT", ["mode", "available", "held", "deposit"], rows, "")


def _status_cell(merchant: Merchant) -> Cell:
    return Cell(merchant.status.value, chip=merchant.status.value)
