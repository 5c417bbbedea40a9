"""The ledger: its check, all balances, a merchant's statement, and the report of a trading day."""

from collections.abc import Iterator

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Label, Part, Sheet
from orderdesk_cli.sheets.words import CHINESE, MODES, STATUSES, facts, fields, items, table

_FINDINGS = table(
    "kind:finding key order_no? proposal_no? account? finding_id? text:finding",
    at="findings",
    heading=("Findings", "问题"),
)
CHECKED = Sheet(
    [facts("balanced seal.time accounts postings:count orders:open withdrawals:open"), _FINDINGS]
)
COMPARED = Sheet([facts("postings:count"), _FINDINGS])
SEALS = items(
    "time date accounts postings:count orders:open findings hash", ("No seals yet.", "尚无封账。")
)
VERIFIED = Sheet([facts("verified seals first last hash")])
ACCEPTED = Sheet([facts("finding_id kind:finding key text:finding")])
STATEMENT = items("time kind account:word amount balance order_no?", ("No postings.", "没有分录。"))

_MERCHANTS, _TRADERS = ("Merchants", "商户"), ("Traders", "交易员")
_NOTHING = ("Nothing.", "无。")


def _of_mode(label: Label, mode: Label) -> Label:
    """Return a heading with the mode: `Traders, live`."""
    return f"{label[0]}, {mode[0]}", f"{label[1]}（{mode[1]}）"


_DAY = ("fees", "spread", "deposits", "reversals", "fee_reversals", "deposit_reversals")


def _balances() -> Iterator[Part]:
    for mode, label in MODES:
        yield table(
            "merchant_id available held deposit fee",
            ("No merchant owns anything.", "没有商户余额。"),
            *(f"{mode}.merchants", _of_mode(_MERCHANTS, label)),
        )
        yield table(
            f"merchant_id {' '.join(f'day.{name}' for name in _DAY)}",
            at=f"{mode}.merchants",
            heading=_of_mode(
                ("Merchants on the day of the newest seal", "商户当日至最近封账"), label
            ),
        )
        yield table(
            "trader_id available held",
            ("No traders.", "没有交易员。"),
            *(f"{mode}.traders", _of_mode(_TRADERS, label)),
        )
        yield table(
            "kind accounts available held together",
            ("No accounts.", "没有账户。"),
            *(f"{mode}.totals", _of_mode(("All accounts", "全部账户"), label)),
            key="kind",
        )


BALANCES = Sheet([facts("seal.time seal.date"), *_balances()])

_VOLUME = "orders cny usdt fees deposits spread"
_MONEY = "fundings withdrawals releases reversals opening closing"


def _tables() -> Iterator[Part]:
    for mode, label in MODES:
        for owner, named in (("merchant", _MERCHANTS), ("trader", _TRADERS)):
            at, money = f"{mode}.{owner}s", (f"{named[0]}' USDT", f"{named[1]} USDT")
            volume = f"{owner}_id {_VOLUME}"
            yield table(volume, _NOTHING, at, _of_mode(named, label))
            moved = f"{owner}_id {_MONEY}"
            yield table(moved, at=at, heading=_of_mode(money, label))
        accounts = ("Other accounts' USDT", "其他账户 USDT")
        settled, at = ("Paid to them by orders", "订单入账"), f"{mode}.accounts"
        yield table("account fees spread deposits", at=at, heading=_of_mode(settled, label))
        of_others = f"account {_MONEY}"
        yield table(of_others, _NOTHING, at, _of_mode(accounts, label))


def _figures() -> Iterator[Part]:
    created = ("Orders created on the day", "当日创建的订单")
    figures = fields(
        "orders completed_cny completed_percent median_confirm_seconds most_confirm_seconds "
        "ever_disputed"
    )
    statuses = [Field(f"statuses.{name}", name, CHINESE[name], Kind.NUMBER) for name in STATUSES]
    for mode, label in MODES:
        yield Facts([*figures, *statuses], f"figures.{mode}", _of_mode(created, label))


CHARTS: tuple[tuple[str, Label], ...] = (
    ("completed_cny_by_hour", ("Completed volume by hour, CNY", "每小时完成金额（元）")),
    ("created_by_hour", ("Orders created by hour", "每小时新订单")),
    ("disputed_by_hour", ("Disputed, by hour of creation", "争议订单（按创建小时）")),
    ("confirmed_by_class", ("Orders by time to confirm", "确认用时分布（单）")),
)
"""The figures that pages draw as bars."""

REPORT = Sheet([facts("date closes"), *_figures(), *_tables()])
"""A trading day by merchant and trader (contract section 9)."""

DIFFERENCES = table(
    "account opening postings closing difference",
    at="differences",
    heading=("Accounts that do not close", "不平的账户"),
)
"""What is wrong with a day; the command line says it on stderr."""

ROWS = items(f"mode kind id {_VOLUME} {_MONEY}", _NOTHING)
"""The same as one table, for spreadsheets: a row for each account."""
