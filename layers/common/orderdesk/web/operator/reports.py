"""`report.day`: a trading day of every merchant and trader. `audit.*`: the audit trail."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.day_report import AccountDay, DayReport, day_of
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.orders.day_figures import CLASSES_SECONDS, DayFigures
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.audit import AuditPlace, AuditSearch, list_entries
from orderdesk.services.operator.report import (
    ReadReport,
    UnfinishedReport,
    orders_of_day,
    report_part,
)
from orderdesk.web.merchant.parameters import problem
from orderdesk.web.operator.ledger import PART_SECONDS
from orderdesk.web.operator.parameters import (
    PAGE_MAX,
    After,
    AfterPart,
    CommandParameters,
    Flag,
    FreeText,
    Limit,
    Seconds,
)
from orderdesk.web.operator.ports import OperatorPorts

# Whose volume is reported, and the accounts that only have balances.
_OWNERS = (AccountKind.MERCHANT, AccountKind.TRADER)
_MEDIAN, _MOST = 50, 90  # percent
_OTHERS = (AccountKind.DEPOSIT, AccountKind.FEE, AccountKind.FUNDING)


def _date(value: JsonValue) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise problem("must be a date such as 2026-01-31") from None


class ReportParameters(CommandParameters):
    """Parameters of `report.day`; `date` is a day in UTC+8."""

    date: Annotated[date, BeforeValidator(_date)]
    after: AfterPart | None = None


def report_day(ports: OperatorPorts, asked: ReportParameters) -> Mapping[str, object]:
    """Read on in a day's report for some seconds, or begin it; the last part has the report.

    Raises: DayNotBegun, UnknownId.
    """
    now_us = ports.operator.now_us
    until_us = now_us() + PART_SECONDS * US_PER_SECOND
    day = day_of(asked.date)
    read = report_part(ports.day_report, day, asked.after, lambda: now_us() < until_us)
    if isinstance(read, UnfinishedReport):
        return {"progress": {"text": f"Reading, pass {read.passes}"}, "next": read.run_id}
    figures = {mode: DayFigures(day.start) for mode in Mode}
    for order in orders_of_day(ports.order_listing, day):
        figures[order.mode].add(order, now_us() // US_PER_SECOND)
    shown = {mode.value: figures_data(each) for mode, each in figures.items()}
    return {**report_data(read), "figures": shown, "next": None}


def figures_data(figures: DayFigures) -> dict[str, object]:
    """Return the figures of the orders that were created on a day; lists are by hour or class."""
    return {
        "orders": figures.orders,
        "completed_percent": figures.completed_percent,
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


def report_data(read: ReadReport) -> dict[str, object]:
    """Return a day's report as JSON data; a withdrawal counts as a positive amount."""
    day = read.report.day
    return {
        "date": day.date.isoformat(),
        "start_time": day.start,
        "end_time": day.end,
        "closes": not read.differences,
        "differences": [_difference(account) for account in read.differences],
        "moving": [_difference(account) for account in read.moving],
        **{mode.value: _mode_data(read.report, mode) for mode in Mode},
    }


def _mode_data(report: DayReport, mode: Mode) -> dict[str, object]:
    """Return a mode's day: merchants and traders, and every other account."""
    owners: dict[str, object] = {
        f"{kind.value}s": [
            {
                f"{kind.value}_id": account.owner,
                **_volume(report, account),
                **_money(report, account),
            }
            for account in report.accounts(kind, mode)
        ]
        for kind in _OWNERS
    }
    others = [
        {"account": account.key, **_money(report, account)}
        for kind in _OTHERS
        for account in report.accounts(kind, mode)
    ]
    return {**owners, "accounts": others}


def _volume(report: DayReport, account: Account) -> dict[str, int | str]:
    volume = report.volume(account)
    return {
        "orders": volume.orders,
        "cny": format_cny(volume.cny_fen),
        "usdt": format_usdt(volume.usdt_micro),
        "fees": format_usdt(volume.service_micro),
        "deposits": format_usdt(volume.deposit_micro),
    }


def _money(report: DayReport, account: Account) -> dict[str, str]:
    day = report.account(account)
    return {
        "fundings": format_usdt(day.funded),
        "withdrawals": format_usdt(-day.withdrawn),
        "opening": format_usdt(day.opening),
        "closing": format_usdt(day.closing),
    }


def _difference(account: AccountDay) -> dict[str, str]:
    return {
        "account": account.account_key,
        "opening": format_usdt(account.opening),
        "postings": format_usdt(account.posted),
        "closing": format_usdt(account.closing),
        "difference": format_usdt(account.difference),
    }


class AuditParameters(CommandParameters):
    """Parameters of `audit.list`; entries are listed oldest first, unless `newest_first`."""

    since: Seconds | None = None
    until: Seconds | None = None
    operator: FreeText | None = None
    subject: FreeText | None = None
    newest_first: Flag = False
    limit: Limit = PAGE_MAX
    after: After | None = None


def list_trail(ports: OperatorPorts, asked: AuditParameters) -> Mapping[str, object]:
    """Return a page of what operators did, and traders to their own settings."""
    wanted = AuditSearch(
        since_us=None if asked.since is None else asked.since * US_PER_SECOND,
        until_us=None if asked.until is None else (asked.until + 1) * US_PER_SECOND - 1,
        operator=asked.operator,
        subject=asked.subject,
        newest_first=asked.newest_first,
    )
    after = None if asked.after is None else _place_of(asked.after)
    page = list_entries(ports.audit, ports.operator.now_us(), wanted, asked.limit, after)
    place = page.following
    return {
        "items": [entry_data(entry) for entry in page.items],
        "next": None if place is None else f"{place.at_us}-{place.audit_id}",
    }


def entry_data(entry: AuditEntry) -> dict[str, object]:
    """Return an audit entry as JSON data; `arn` is null in entries of earlier releases."""
    return {
        "audit_id": entry.audit_id,
        "time": entry.at_us // US_PER_SECOND,
        "who": entry.who,
        "arn": entry.arn or None,
        "source_ip": entry.source_ip or None,
        "request_id": entry.request_id or None,
        "alone": entry.alone,
        "proposal_no": entry.proposal_no or None,
        "action": entry.action,
        "target": entry.target,
        "reason": entry.reason,
        "details": dict(entry.details),
    }


def _place_of(after: str) -> AuditPlace:
    at_us, found, audit_id = after.partition("-")
    if not (found and at_us.isascii() and at_us.isdigit()):
        raise UnacceptableTerms([FieldProblem("after", "is no place in this list")])
    return AuditPlace(int(at_us), audit_id)
