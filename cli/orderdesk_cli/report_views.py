"""A trading day's report for people, programs and spreadsheets."""

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from orderdesk.domain.csv_cells import csv_lines
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.day_report import AccountDay, DayReport
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.services.operator.report import ReadReport
from orderdesk_cli.output import Answer, Json, listing, stacked

# Whose volume is reported, and the accounts that only have balances.
OWNERS = (AccountKind.MERCHANT, AccountKind.TRADER)
OTHERS = (AccountKind.DEPOSIT, AccountKind.FEE, AccountKind.FUNDING)
VOLUME = ("orders", "cny", "usdt", "fees", "deposits")
MONEY = ("fundings", "withdrawals", "opening", "closing")
CSV_COLUMNS = ("mode", "kind", "id", *VOLUME, *MONEY)


def reported(read: ReadReport, *, as_csv: bool) -> Answer:
    """Answer `report`."""
    day = read.report.day
    data: dict[str, Json] = {
        "date": day.date.isoformat(),
        "start_time": day.start,
        "end_time": day.end,
        "closes": not read.differences,
        "differences": [_difference(account) for account in read.differences],
        "moving": [_difference(account) for account in read.moving],
        **{mode.value: _mode_data(read.report, mode) for mode in Mode},
    }
    moving = ", ".join(account.account_key for account in read.moving)
    return Answer(
        data,
        stacked(*_tables(read.report)),
        f"in use while they were read, so closing may be off: {moving}" if moving else "",
        [complaint(account) for account in read.differences],
        plain=csv_lines([CSV_COLUMNS, *_csv_rows(read.report)]) if as_csv else None,
    )


def _mode_data(report: DayReport, mode: Mode) -> dict[str, Json]:
    """Write a mode's day for programs: merchants and traders, and every other account."""
    owners: dict[str, Json] = {
        f"{kind.value}s": [
            {
                f"{kind.value}_id": account.owner,
                **_volume(report, account),
                **_money(report, account),
            }
            for account in report.accounts(kind, mode)
        ]
        for kind in OWNERS
    }
    others: list[Json] = [
        {"account": account.key, **_money(report, account)}
        for kind in OTHERS
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
    """Write an account's money; a withdrawal counts as a positive amount of its owner."""
    day = report.account(account)
    return {
        "fundings": format_usdt(day.funded),
        "withdrawals": format_usdt(-day.withdrawn),
        "opening": format_usdt(day.opening),
        "closing": format_usdt(day.closing),
    }


def rows_of(report: DayReport, mode: Mode, kind: AccountKind) -> Iterator[Mapping[str, str]]:
    """Write the accounts of a kind, a row each; only merchants and traders have a volume."""
    for account in report.accounts(kind, mode):
        volume = _volume(report, account) if kind in OWNERS else dict.fromkeys(VOLUME, "")
        told = {"id": account.owner, **volume, **_money(report, account)}
        yield {name: str(value) for name, value in told.items()}


def _csv_rows(report: DayReport) -> Iterator[list[str]]:
    for mode in Mode:
        for kind in (*OWNERS, *OTHERS):
            for row in rows_of(report, mode, kind):
                yield [mode.value, kind.value, *row.values()]


def _tables(report: DayReport) -> Iterator[RenderableType]:
    for mode in Mode:
        for kind in OWNERS:
            rows = list(rows_of(report, mode, kind))
            yield Text(f"{kind.value.capitalize()}s, {mode.value}", style="bold cyan")
            columns = ["id", *VOLUME, *MONEY]
            yield listing(columns, [list(row.values()) for row in rows], "Nothing.")
            yield Text()
        others = [
            [kind.value, row["id"], *(row[name] for name in MONEY)]
            for kind in OTHERS
            for row in rows_of(report, mode, kind)
        ]
        yield Text(f"Other accounts, {mode.value}", style="bold cyan")
        yield listing(["account", "id", *MONEY], others, "Nothing.")
        yield Text()


def _difference(account: AccountDay) -> dict[str, str]:
    return {
        "account": account.account_key,
        "opening": format_usdt(account.opening),
        "postings": format_usdt(account.posted),
        "closing": format_usdt(account.closing),
        "difference": format_usdt(account.difference),
    }


def complaint(account: AccountDay) -> str:
    """Say that an account does not close."""
    return (
        f"difference: {account.account_key}: opening {format_usdt(account.opening)} and postings "
        f"{format_usdt(account.posted)} do not make closing {format_usdt(account.closing)} "
        f"(difference {format_usdt(account.difference)})"
    )
