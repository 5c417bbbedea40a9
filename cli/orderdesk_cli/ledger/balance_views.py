"""The balances of all accounts, as operators see them."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check import KindTotal, Totals
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk_cli.output import Answer, Json, listing, stacked

type Known = Mapping[Account, Balance]


def owned(balances: Mapping[str, Balance], totals: Totals) -> Answer:
    """Answer `ledger balances`."""
    known = {account: owns for key, owns in balances.items() if (account := account_of(key))}
    strangers = [key for key in balances if account_of(key) is None]
    data: dict[str, Json] = {}
    shown: list[RenderableType] = []
    for mode in Mode:
        merchants, traders = _merchants(known, mode), _traders(known, mode)
        data[mode.value] = {
            "merchants": merchants,
            "traders": traders,
            "totals": totals_data(totals, mode),
        }
        shown += _section(f"Merchants, {mode.value}", merchants, "No merchant owns anything.")
        shown += _section(f"Traders, {mode.value}", traders, "No traders.")
        shown += _section(f"All accounts, {mode.value}", _totals_rows(totals, mode), "No accounts.")
    warning = f"balances of no known account: {', '.join(strangers)}" if strangers else ""
    return Answer(data, stacked(*shown), warning)


def totals_data(totals: Totals, mode: Mode) -> dict[str, Json]:
    """Write for programs what all accounts of each kind own together."""
    each = {kind: totals.owned.get((kind, mode), KindTotal()) for kind in AccountKind}
    return {
        kind.value: {
            "accounts": total.accounts,
            "available": format_usdt(total.available_micro),
            "held": format_usdt(total.held_micro),
        }
        for kind, total in each.items()
    }


def _merchants(known: Known, mode: Mode) -> list[dict[str, str]]:
    """Write each merchant's accounts in one row: its own, its deposit, and the fees it paid."""
    owners = {a.owner for a in known if _is_merchants(a.kind) and a.mode is mode}
    rows = []
    for owner in sorted(owners):
        own, deposit, fee = (
            known.get(Account(kind, owner, mode), Balance())
            for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
        )
        rows.append(
            {
                "merchant_id": owner,
                "available": format_usdt(own.available_micro),
                "held": format_usdt(own.held_micro),
                "deposit": format_usdt(deposit.available_micro),
                "fee": format_usdt(fee.available_micro),
            }
        )
    return rows


def _is_merchants(kind: AccountKind) -> bool:
    """Tell whether an account of a kind belongs to a merchant."""
    match kind:
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE:
            return True
        case AccountKind.TRADER | AccountKind.FUNDING:
            return False


def _traders(known: Known, mode: Mode) -> list[dict[str, str]]:
    return [
        {
            "trader_id": account.owner,
            "available": format_usdt(owns.available_micro),
            "held": format_usdt(owns.held_micro),
        }
        for account, owns in known.items()
        if account.kind is AccountKind.TRADER and account.mode is mode
    ]


def _totals_rows(totals: Totals, mode: Mode) -> list[dict[str, str]]:
    """Write the totals and their sum, which is zero where the books balance."""
    rows = [
        _total_row(kind.value, total)
        for kind in AccountKind
        if (total := totals.owned.get((kind, mode)))
    ]
    every = [total for (_, its_mode), total in totals.owned.items() if its_mode is mode]
    whole = KindTotal(
        sum(total.accounts for total in every),
        sum(total.available_micro for total in every),
        sum(total.held_micro for total in every),
    )
    return [*rows, _total_row("whole", whole)] if rows else []


def _total_row(name: str, total: KindTotal) -> dict[str, str]:
    return {
        "kind": name,
        "accounts": str(total.accounts),
        "available": format_usdt(total.available_micro),
        "held": format_usdt(total.held_micro),
        "together": format_usdt(total.available_micro + total.held_micro),
    }


def _section(
    title: str, rows: Sequence[Mapping[str, str]], empty: str
) -> tuple[RenderableType, ...]:
    columns = list(rows[0]) if rows else []
    table = listing(columns, [list(row.values()) for row in rows], empty)
    return Text(title, style="bold cyan"), table, Text()
