"""The ledger: its check, all balances, a merchant's statement, and the report of a trading day."""

from collections.abc import Iterator

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Label, Part
from orderdesk_cli.sheets.words import CHINESE, MODES, SAYS, STATUSES, fields, items, sheet, table

_FINDINGS = table(
    "kind:finding key order_no? proposal_no? account? finding_id? text:finding",
    at="findings",
    heading="findings",
)
CHECKED = sheet(
    "balanced seal.time accounts postings:count orders:open withdrawals:open", _FINDINGS
)
COMPARED = sheet("postings:count", _FINDINGS)
SEALS = items("time date accounts postings:count orders:open findings hash", "no_seals_yet")
VERIFIED = sheet("verified seals first last hash")
ACCEPTED = sheet("finding_id kind:finding key text:finding")
STATEMENT = items("time kind account:word amount balance order_no?", "no_postings")


def _of_mode(name: str | Label, mode: Label) -> Label:
    """Return a heading with the mode: `Traders, live`."""
    label = SAYS[name] if isinstance(name, str) else name
    return f"{label[0]}, {mode[0]}", f"{label[1]}（{mode[1]}）"


_DAY = "day.fees day.spread day.deposits? day.reversals? day.fee_reversals? day.deposit_reversals?"
_BALANCE = "available held"


def _balances() -> Iterator[Part]:
    for mode, label in MODES:
        at, own = f"{mode}.merchants", _of_mode("merchants", label)
        yield table(f"merchant_id {_BALANCE} deposit? fee?", "no_merchant_owns_anything", at, own)
        day = _of_mode("merchants_of_the_day", label)
        yield table(f"merchant_id {_DAY}", at=at, heading=day)
        traders = _of_mode("traders", label)
        yield table(f"trader_id {_BALANCE}", "no_traders", f"{mode}.traders", traders)
        every, at = _of_mode("all_accounts", label), f"{mode}.totals"
        yield table(f"kind accounts {_BALANCE} together?", "no_accounts", at, every, key="kind")


BALANCES = sheet("seal.time seal.date", *_balances())

_VOLUME = "orders cny usdt fees? deposits? spread?"
_MONEY = "fundings? withdrawals? releases? reversals? opening closing"


def _tables() -> Iterator[Part]:
    for mode, label in MODES:
        for owner in ("merchant", "trader"):
            at, (english, chinese) = f"{mode}.{owner}s", SAYS[f"{owner}s"]
            yield table(f"{owner}_id {_VOLUME}", "nothing", at, _of_mode(f"{owner}s", label))
            moved = _of_mode((f"{english}' USDT", f"{chinese} USDT"), label)
            yield table(f"{owner}_id {_MONEY}", at=at, heading=moved)
        settled, at = _of_mode("paid_to_them_by_orders", label), f"{mode}.accounts"
        yield table("account:id fees spread deposits", at=at, heading=settled)
        others = _of_mode("other_accounts_usdt", label)
        yield table(f"account:id {_MONEY}", "nothing", at, others)


def _figures() -> Iterator[Part]:
    figures = fields(
        "orders completed_cny completed_percent median_confirm_seconds most_confirm_seconds "
        "ever_disputed"
    )
    statuses = [Field(f"statuses.{name}", (name, CHINESE[name]), Kind.NUMBER) for name in STATUSES]
    for mode, label in MODES:
        yield Facts(
            [*figures, *statuses], f"figures.{mode}", _of_mode("orders_created_on_the_day", label)
        )


CHARTS = {
    "completed_cny_by_hour": SAYS["completed_volume_by_hour_cny"],
    "created_by_hour": SAYS["orders_created_by_hour"],
    "disputed_by_hour": SAYS["disputed_by_hour_of_creation"],
    "confirmed_by_class": SAYS["orders_by_time_to_confirm"],
}
"""The figures that pages draw as bars."""

REPORT = sheet("date closes", *_figures(), *_tables())
"""A trading day by merchant and trader (contract section 9)."""

DIFFERENCES = table(
    "account:id opening postings closing difference",
    at="differences",
    heading="accounts_that_do_not_close",
)
"""What is wrong with a day; the command line says it on stderr."""

ROWS = items(f"mode kind id {_VOLUME} {_MONEY}", "nothing")
"""The same as one table, for spreadsheets: a row for each account."""
