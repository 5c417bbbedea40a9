"""`report.day`: a trading day of every merchant and trader. `audit.*`: the audit trail."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.accounts import Account, AccountKind, TransferKind
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.day_report import DayReport, day_of
from orderdesk.domain.ledger.seals import SealedAccount
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.day_figures import CLASSES_SECONDS, DayFigures
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.audit import AuditSearch, list_entries
from orderdesk.services.operator.books import report_of_day
from orderdesk.web.merchant.parameters import problem
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command
from orderdesk.web.operator.parameters import CommandParameters, told
from orderdesk.web.operator.parties import PlaceAfter, cursor_of

# Whose volume is reported, and the accounts that only have balances.
_OWNERS = (AccountKind.MERCHANT, AccountKind.TRADER)
_MEDIAN, _MOST = 50, 90  # percent
_OTHERS = (AccountKind.DEPOSIT, AccountKind.FEE, AccountKind.FUNDING)


def _date(value: JsonValue) -> date:
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:  # ISO 8601 has other ways to write a date
        raise problem("must be a date such as 2026-01-31")
    return day


Day = Annotated[date, BeforeValidator(_date)]


class ReportParameters(CommandParameters):
    """Parameters of `report.day`; `date` is a day in UTC+8."""

    date: Day = told("A trading day (UTC+8).")


@command("report.day", Role.VIEWER)
def report_day(ports: OperatorPorts, asked: ReportParameters) -> Json:
    """Return a day's report."""
    report = report_of_day(ports.books, ports.operator.pause_ms, day_of(asked.date))
    figures = {mode.value: figures_data(each) for mode, each in report.figures.items()}
    return {**report_data(report), "figures": figures, "next": None}


def figures_data(figures: DayFigures) -> Row:
    """Return the figures of the orders that were created on a day; lists are by hour or class."""
    return {
        **row_of(figures, "orders completed_percent"),
        "completed_cny": format_cny(sum(figures.completed_fen)),
        "ever_disputed": sum(figures.disputed),
        "median_confirm_seconds": figures.confirmed_within(_MEDIAN),
        "most_confirm_seconds": figures.confirmed_within(_MOST),
        "statuses": {status.value: count for status, count in figures.statuses.items()},
        "created_by_hour": figures.created,
        "completed_cny_by_hour": [format_cny(fen) for fen in figures.completed_fen],
        "disputed_by_hour": figures.disputed,
        "confirm_class_seconds": list(CLASSES_SECONDS),
        "confirmed_by_class": figures.confirm_classes(),
    }


def report_data(report: DayReport) -> Row:
    """Return a day's report as JSON data; a withdrawal counts as a positive amount."""
    day, differences = report.day, report.differences()
    return {
        "date": day.date.isoformat(),
        "start_time": day.start,
        "end_time": day.end,
        "closes": not differences,
        "differences": [_difference(key, report.accounts[key], by) for key, by in differences],
        **{mode.value: _mode_data(report, mode) for mode in Mode},
    }


def _mode_data(report: DayReport, mode: Mode) -> Row:
    """Return a mode's day: merchants and traders, and every other account."""
    owners: dict[str, object] = {
        f"{kind.value}s": [
            {f"{kind.value}_id": owner, **_volume(one), **_money(one)}
            | (reversed_parts(report.accounts, owner, mode) if kind is AccountKind.MERCHANT else {})
            for owner, one in report.active(kind, mode)
        ]
        for kind in _OWNERS
    }
    others = [
        {
            "account": Account(kind, owner, mode).key,
            "merchant_id": owner or None,
            **_settled(kind, one),
            **_money(one),
        }
        for kind in _OTHERS
        for owner, one in report.active(kind, mode)
    ]
    return {**owners, "accounts": others}


def _settled(kind: AccountKind, one: SealedAccount) -> dict[str, str]:
    """Return what the day's completed orders paid to a merchant's fee or deposit account."""
    settled, nothing = _posted(one, TransferKind.SETTLEMENT), format_usdt(0)
    return {
        "fees": settled if kind is AccountKind.FEE else nothing,
        "spread": _posted(one, TransferKind.SPREAD),
        "deposits": settled if kind is AccountKind.DEPOSIT else nothing,
    }


def reversed_parts(
    accounts: Mapping[str, SealedAccount], merchant_id: str, mode: Mode
) -> dict[str, str]:
    """Return what a day's reversals took from a merchant's fee account and its deposit."""
    kinds = AccountKind.FEE, AccountKind.DEPOSIT
    owned = {kind: accounts.get(Account(kind, merchant_id, mode).key) for kind in kinds}
    return {
        f"{kind.value}_reversals": _posted(one or SealedAccount(), TransferKind.REVERSAL)
        for kind, one in owned.items()
    }


def merchant_day(
    accounts: Mapping[str, SealedAccount], merchant_id: str, mode: Mode
) -> dict[str, str]:
    """Return the fees, spread, deposits and reversals that a merchant's accounts have of a day."""
    own, fee, deposit = (
        accounts.get(Account(kind, merchant_id, mode).key, SealedAccount())
        for kind in (AccountKind.MERCHANT, AccountKind.FEE, AccountKind.DEPOSIT)
    )
    return {
        **_settled(AccountKind.FEE, fee),
        "deposits": _settled(AccountKind.DEPOSIT, deposit)["deposits"],
        "reversals": _posted(own, TransferKind.REVERSAL),
        **reversed_parts(accounts, merchant_id, mode),
    }


def _volume(one: SealedAccount) -> dict[str, int | str]:
    usdt = ("usdt", "fees", "deposits", "spread")
    return {
        "orders": one.volume.get("orders", 0),
        "cny": format_cny(one.volume.get("cny", 0)),
        **{name: format_usdt(one.volume.get(name, 0)) for name in usdt},
    }


def _money(one: SealedAccount) -> dict[str, str]:
    return {
        **{f"{kind.value}s": _posted(one, kind) for kind in _POSTED},
        "opening": format_usdt(one.opening),
        "closing": format_usdt(one.closing),
    }


_POSTED = (
    TransferKind.FUNDING,
    TransferKind.WITHDRAWAL,
    TransferKind.RELEASE,
    TransferKind.REVERSAL,
)


def _posted(one: SealedAccount, kind: TransferKind) -> str:
    micro = one.day.get(kind.value, 0)
    return format_usdt(-micro if kind is TransferKind.WITHDRAWAL else micro)


def _difference(key: str, one: SealedAccount, by: int) -> dict[str, str]:
    return {
        "account": key,
        "opening": format_usdt(one.opening),
        "postings": format_usdt(sum(one.day.values())),
        "closing": format_usdt(one.closing + by),
        "difference": format_usdt(by),
    }


class AuditParameters(CommandParameters):
    """Parameters of `audit.list`; entries are listed oldest first, unless `newest_first`."""

    since: wire.Since | None = None
    until: wire.Until | None = None
    operator: wire.FreeText | None = told(
        "Only this operator's or trader's; of an ARN the last part.", None
    )
    subject: wire.FreeText | None = told(
        "Only about this merchant, trader, order, callback …", None
    )
    newest_first: wire.Flag = False
    limit: wire.Limit = wire.PAGE_MAX
    after: PlaceAfter | None = None


@command("audit.list", Role.VIEWER)
def list_trail(ports: OperatorPorts, asked: AuditParameters) -> Json:
    """List what operators did, and traders to their own settings."""
    wanted = AuditSearch(
        since_us=None if asked.since is None else asked.since * US_PER_SECOND,
        until_us=None if asked.until is None else (asked.until + 1) * US_PER_SECOND - 1,
        operator=asked.operator,
        subject=asked.subject,
        newest_first=asked.newest_first,
    )
    page = list_entries(ports.audit, ports.operator.now_us(), wanted, asked.limit, asked.after)
    place = page.following
    return {
        "items": [entry_data(entry) for entry in page.items],
        "next": None if place is None else cursor_of(place),
    }


def entry_data(entry: AuditEntry) -> Row:
    """Return an audit entry as JSON data; `arn` is null for a desk or portal."""
    return row_of(
        entry,
        "audit_id time=at_us who arn? source_ip? request_id? alone proposal_no? action target "
        "reason details",
    )
