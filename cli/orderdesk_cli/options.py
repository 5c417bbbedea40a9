"""The arguments and options of all commands, checked before anything is sent."""

import re
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from orderdesk_cli.beijing import BEIJING
from orderdesk_cli.plain_text import is_control
from orderdesk_cli.sheets.words import STATUSES

DEFAULT_STACK = "orderdesk"
US_PER_SECOND = 1_000_000
CNY_DECIMALS, USDT_DECIMALS, RATE_DECIMALS = 2, 6, 4
SIDES, MODES = ("buy", "sell"), ("live", "test")
BLOCK_KINDS = ("card", "account", "id-card", "mobile", "payee")
ROLES = ("admin", "finance", "developer", "viewer")
_TEXT_LENGTH_MAX = 255
_AMOUNT = re.compile(
    r"(?P<whole>[0-9]{1,15}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4})(?P<part>\.[0-9]+)?\Z"
)
_FULL_WIDTH = {0xFF01 + nth: chr(0x21 + nth) for nth in range(94)} | {0xFFE5: "¥"}
_SPAN = re.compile(r"(?P<count>[0-9]{1,6})(?P<unit>[smhdw])\Z")
_SPAN_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def amount(decimals: int, sign: str = "") -> Callable[[str], str]:
    """Return a parser of typed amounts with at most so many decimals; it returns the API's form.

    A comma is only read where it groups three digits. The service's pages read the same forms
    (`domain/money.py`); both have one table of tests.
    """

    def parse(text: str) -> str:
        found = _AMOUNT.match(text.translate(_FULL_WIDTH).strip().removeprefix(sign).lstrip())
        if found is None:
            raise click.BadParameter(f"{text!r} is no amount such as 1234.50 or 1,234.50")
        part = found["part"] or ""
        if len(part) - 1 > decimals:
            raise click.BadParameter(f"{text!r} has more than {decimals} decimals")
        return found["whole"].replace(",", "") + part

    return parse


cny = amount(CNY_DECIMALS, "¥")
usdt, rate = amount(USDT_DECIMALS), amount(RATE_DECIMALS)


def usdt_or_all(text: str) -> str:
    """Read USDT, or `all`. Raises: click.BadParameter."""
    return text if text == "all" else usdt(text)


def count(text: str) -> str:
    """Read a whole number from 1 on; the text stays as it is. Raises: click.BadParameter."""
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise click.BadParameter(f"{text!r} is no whole number from 1 on")
    return text


def since(text: str) -> int:
    """Read a time as the first whole Unix second not before it. Raises: click.BadParameter."""
    return -(-moment_us(text, time.time_ns() // 1000) // US_PER_SECOND)


def until(text: str) -> int:
    """Read a time as the last whole Unix second not after it. Raises: click.BadParameter."""
    return moment_us(text, time.time_ns() // 1000) // US_PER_SECOND


def moment_us(text: str, now_us: int) -> int:
    """Read a time as Unix microseconds: Unix seconds, ISO 8601, or a span back such as 24h.

    A time without a zone is Beijing time. Raises: click.BadParameter.
    """
    span = _SPAN.match(text)
    if span is not None:
        return now_us - int(span["count"]) * _SPAN_SECONDS[span["unit"]] * US_PER_SECOND
    try:
        if text.isascii() and text.isdigit():
            moment = datetime.fromtimestamp(int(text), BEIJING)
        else:
            moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        raise click.BadParameter(
            f"{text!r} is no ISO date or time, no Unix seconds and no span such as 24h or 7d"
        ) from None
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=BEIJING)
    since_epoch = zoned - datetime.fromtimestamp(0, BEIJING)
    whole = since_epoch.days * 86_400 + since_epoch.seconds
    return whole * US_PER_SECOND + since_epoch.microseconds


def remark(text: str) -> str:
    """Read a text that the audit trail keeps: one line, not empty. Raises: click.BadParameter."""
    if not text.strip():
        raise click.BadParameter("must not be empty")
    if len(text) > _TEXT_LENGTH_MAX:
        raise click.BadParameter(f"at most {_TEXT_LENGTH_MAX} characters")
    if any(is_control(letter) for letter in text):
        raise click.BadParameter("must not hold control characters")
    return text


def is_date(text: str) -> bool:
    """Return whether a text is an ISO date."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def trading_date(text: str) -> str:
    """Read an ISO date. Raises: click.BadParameter."""
    if is_date(text):
        return date.fromisoformat(text).isoformat()
    raise click.BadParameter(f"{text!r} is no date such as 2026-01-31")


def code_text(text: str) -> str:
    """Return a payment code's text: the given one, or that of the picture in a file.

    Raises: click.BadParameter.
    """
    if not text or "://" in text:
        return text
    # Large libraries, which few commands need.
    import zxingcpp  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    try:
        with Image.open(text, formats=("PNG", "JPEG", "WEBP")) as picture:
            found = {code.text for code in zxingcpp.read_barcodes(picture.convert("L"))}
    except (OSError, Image.DecompressionBombError):
        raise click.BadParameter(f"{text} is neither a code's text nor a picture") from None
    if len(found) != 1:
        raise click.BadParameter(f"{text} shows {len(found) or 'no'} payment codes, not one")
    return found.pop()


def _endings(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Check how a dispute is to end. Raises: click.BadParameter."""
    if words[-1] not in {"completed", "cancelled"}:
        raise click.BadParameter(f"{words[-1]!r} is neither completed nor cancelled")
    return words


def _or_none(parse: Callable[[str], str]) -> Callable[[str], str]:
    """Return a parser that also takes an empty text, which removes a value."""
    return lambda text: parse(text) if text else text


type _Named = tuple[str, click.Parameter]


def _argument(name: str, metavar: str, text: str, kind: Any = str, **more: Any) -> _Named:
    path = name.partition(":")[0]
    return name, click.Argument([path], type=kind, metavar=metavar, help=text, **more)


def _option(
    name: str, metavar: str, text: str, kind: Any = str, *, flag: str = "", **more: Any
) -> _Named:
    """Return an option; the flag is the parameter's name if absent."""
    path, is_required = name.rstrip("!").partition(":")[0], name.endswith("!")
    flags = [flag or f"--{path.replace('_', '-')}", path]
    return name, click.Option(
        flags, type=kind, metavar=metavar, help=text, required=is_required, **more
    )


def _choice(name: str, values: tuple[str, ...], text: str, **more: Any) -> _Named:
    return _option(name, "|".join(values), text, click.Choice(values), **more)


def _switch(name: str, flag: str, text: str) -> _Named:
    """Return an option without a value; `--a/--no-a` is None if neither was given."""
    flags = [*flag.split(","), name.partition(":")[0]]
    default = None if "/" in flag else False
    return name, click.Option(flags, is_flag=True, default=default, help=text)


_WHEN = "ISO date or time (Beijing time), or a span back from now: 24h, 7d."
_KEPT = "Why; kept in the audit trail."
_TWICE = "Never two open buys of one amount on one method."
_COUNT = click.IntRange(min=1)
_BPS, _PERCENT = click.IntRange(0, 10_000), click.IntRange(1, 100)
_METHODS = ("bank", "wechat", "alipay")

_ROWS = (
    _switch("as_json", "--json", "Print one JSON document."),
    _option("stack", "NAME", f"The deployed stack; {DEFAULT_STACK} if absent."),
    _switch("as_csv", "--csv", "Print CSV."),
    _option("limit", "N", "At most so many; all if absent.", _COUNT),
    _switch("is_agreed", "--yes,-y", "Do it without asking."),
    _switch("alone", "--alone", "Without a second person; needs an administrator's rights."),
    # what a command is about
    _argument("merchant_id", "ID", "Merchant id or name."),
    _argument("trader_id", "ID", "Trader id or name."),
    _argument("order_no", "NO", "order_no or order_id."),
    _argument("order_no:any", "[NO]", "order_no, pending_no or order_id.", required=False),
    _argument("number", "NO", "order_no, pending_no or order_id."),
    _argument("pending_no", "NO", "pending_no."),
    _argument("proposal_no", "NO", "proposal_no."),
    _option("digest", "SHA256", "Of what `proposal show` returned; without it you are asked."),
    _argument("request_no", "NO", "request_no, as listed."),
    _argument("withdrawal_no", "NO", "proposal_no or request_no."),
    _argument("txid", "TXID", "The transaction on its network."),
    _argument("webhook_id", "WEBHOOK_ID", "As listed."),
    _argument("name", "NAME", "For people."),
    _argument("name:member", "NAME", "The person's."),
    _option("admin", "NAME", "Its first admin; the merchant's name if absent."),
    _choice("role!", ROLES, "What the person may do."),
    _argument("text:find", "TEXT", "A number or its ending, an amount, a remark, a party's name."),
    _option("merchant_id:of", "ID", "Only this merchant's; id or name.", flag="--merchant"),
    _option("trader_id:of", "ID", "Only this trader's; id or name.", flag="--trader"),
    _option("since", "T", f"Then or later. {_WHEN}", since),
    _option("until", "T", "Then or earlier.", until),
    _option("reason", "TEXT", _KEPT),
    _option("reason!", "TEXT", _KEPT, remark),
    _choice("mode", MODES, "Only live, or only test orders."),
    # orders and callbacks
    _choice("status", STATUSES, "Only in this status."),
    _choice("status:disputed", ("disputed",), "With --merchant: which of its orders."),
    _choice("order_type:of", SIDES, "Only this side.", flag="--type"),
    _option("min_cny:of", "CNY", "Of this amount or more.", cny),
    _option("max_cny:of", "CNY", "Of this amount or less.", cny),
    _option("text:question!", "TEXT", "The question; both sides read it.", remark),
    _choice("to:ask", ("payer", "trader", "both"), "Who is asked to answer.", default="both"),
    _option("save", "DIR", "Save the files here instead.", Path),
    _argument(
        *("words", "[NO] completed|cancelled", "Which order, and how it ends."),
        nargs=-1,
        required=True,
        callback=_endings,
    ),
    _switch("stopped", "--stopped", "With --trader: open orders of its stopped accounts."),
    _switch("claims", "--claims", "Ended sells with a late proof that nobody has decided."),
    _argument(
        *("verdict", "paid|rejected", "Whether the former trader has paid."),
        click.Choice(("paid", "rejected")),
    ),
    _option("order_nos!", "NO", "Which orders, repeatable; 50 at most.", multiple=True),
    _option("amount:arrived", "CNY", "The different sum that arrived; only with completed.", cny),
    _option("most", "N", "At most so many.", _COUNT, flag="--limit", default=50),
    # blocks
    _argument("kind:block", "KIND", "What is blocked.", click.Choice(BLOCK_KINDS)),
    _argument("value", "VALUE", "The card, account, id card, mobile or payee's name.", str),
    _argument("block_no", "NO", "The block.", str),
    _option("until:block", "T", "Until when; without it for good.", until),
    _option("id_card_daily_cny", "CNY", "Of an id card's buys; empty removes it.", _or_none(cny)),
    _option("id_card_daily_count", "N", "Buys of an id card; empty removes it.", _or_none(count)),
    _option(
        "payee_daily_cny", "CNY", "Of a payee account's sells; empty removes it.", _or_none(cny)
    ),
    _option(
        "payee_daily_count", "N", "Sells of a payee account; empty removes it.", _or_none(count)
    ),
    # money
    _argument("amount:usdt", "AMOUNT", "USDT.", usdt),
    _option("usdt:reversed!", "X|all", "Of its usdt_amount, or all that is left.", usdt_or_all),
    _option("memo!", "TEXT", "Why; kept in ledger and audit trail.", remark),
    _switch("is_test:merchant", "--test", "Its test account."),
    _switch("is_test:key", "--test", "That of its test key."),
    _switch("callback", "--callback", "Its callback secret: callbacks get one nobody has seen."),
    _switch("is_test:trader", "--test", "Only if it is a test trader."),
    _switch("open_only", "--open", "Only those that nobody has decided."),
    _argument("order_type", "buy|sell", "The merchant's side.", click.Choice(SIDES)),
    _argument("rate:base", "RATE", "CNY per USDT.", rate),
    _switch("yes", "--yes,-y", "Also if it changes by more than 5 %."),
    _choice("mode:one", MODES, "Which money.", default="live"),
    _argument(*("restored", "TABLE", "A copy of the Ledger table; its name ends in -restored-….")),
    _argument(
        "what", "DAY|FILE", "A trading day (UTC+8), or seals' files.", nargs=-1, required=True
    ),
    _option(
        "key", "FILE", "The public key, as --save saves it; without it the stack's is used.", Path
    ),
    _argument("finding_id", "FINDING", "As `ledger check` names it."),
    _argument("date", "DATE", "A trading day (UTC+8).", trading_date),
    _option("operator", "O", "Only this operator's or trader's; of an ARN the last part."),
    _option("subject", "ID", "Only about this merchant, trader, order, callback …"),
    # terms of merchants
    _switch("identity", "--identity/--no-identity", "Customers must prove their identity."),
    _option("callback_url", "URL", 'Default callback target; "" for none.'),
    _option("service_bps", "N", "Fee, 1/10000.", _BPS),
    _option("service_fixed", "USDT", "Fixed service fee.", usdt),
    _option("deposit_bps", "N", "Deposit, 1/10000.", _BPS),
    _option("spread_bps", "N", "Spread on the base rate, 1/10000.", click.IntRange(0, 9_999)),
    _option("min_cny", "CNY", "Smallest order; 0.01 by default.", cny),
    _option("max_cny", "CNY", "Largest order; 1000000.00 by default.", cny),
    _option("max_open_buys", "N", "Most buys open at once, a mode; 100 by default.", _COUNT),
    _option("max_open_cny", "CNY", "Most CNY in open buys, a mode; 1000000.00 by default.", cny),
    _option("max_open_sells", "N", "Most sells open at once, a mode; 100 by default.", _COUNT),
    _option(
        *("max_open_sell_cny", "CNY"), "Most CNY in open sells, a mode; 1000000.00 by default.", cny
    ),
    _option("slot_share", "PERCENT", "Most of a trader's slots; 50 by default.", _PERCENT),
    _option("other_sums", "RULE", "Another sum may arrive: no, operator, or agreed:PERCENT."),
    _switch(
        *("require_receipt", "--require-receipt/--no-require-receipt"),
        "Payers report a payment by a receipt only.",
    ),
    _option("allow_cidr", "CIDR", 'Network that may call, repeatable; "" for any.', multiple=True),
    _option("events", "TYPES", "Callbacks it wants: all, none, or order.paid,… (commas)."),
    _option("max_rps", "N", "Calls a second; 50 by default.", _COUNT),
    _option("max_callback_rps", "N", "Callbacks a second at most; 200 by default.", _COUNT),
    _option("balance_shards", "N", "Items that each account is split over; 1 by default.", _COUNT),
    _option("display_name", "TEXT", 'Its name on the pages; "" for none.'),
    _option("support", "TEXT", 'Whom payers ask, on the pages; "" for nobody.'),
    # limits and methods of traders
    _option("min_cny:trader", "CNY", "Smallest order.", cny, flag="--min"),
    _option("min_cny:trader!", "CNY", "Smallest order.", cny, flag="--min"),
    _option("max_cny:trader", "CNY", "Largest order.", cny, flag="--max"),
    _option("max_cny:trader!", "CNY", "Largest order.", cny, flag="--max"),
    _switch("is_test:add", "--test", "Takes test orders only."),
    _option("max_open:add", "N", "Open orders at a time; no cap if absent.", _COUNT),
    _option("daily_cny:add", "CNY", "A day (UTC+8); no cap if absent.", cny),
    _switch("unique_amounts:add", "--unique-amounts", _TWICE),
    _option("max_open", "N", 'Open orders; "" for no cap.', _or_none(count)),
    _option("daily_cny", "CNY", 'A day; "" for no cap.', _or_none(cny)),
    _switch("unique_amounts", "--unique-amounts/--no-unique-amounts", _TWICE),
    _argument("method_type", "|".join(_METHODS), "Of receiving.", click.Choice(_METHODS)),
    *(_option(name, "TEXT", "") for name in ("real_name", "bank", "sub_bank")),
    *(_option(name, "TEXT", "") for name in ("card_number", "account:number")),
    _argument("account:key", "ACCOUNT", "Its type, with its number from 2 on: bank, wechat2."),
    _option("qr_code", "TEXT|FILE", "The code's own text, or a picture of it.", code_text),
    _option("account_no", "N", "Of several of its type: 1 (if absent) to 5.", count),
    # the stack
    _option("port", "N", "A free one if absent.", click.IntRange(1024, 65_535)),
    _option(
        "config_env", "NAME", "The environment of samconfig.toml to deploy.", default="default"
    ),
    _option("template", "FILE", "The template.", Path, default="template.yaml"),
    _option("samconfig", "FILE", "SAM's settings.", Path, default="samconfig.toml"),
)
_PARAMETERS = dict(_ROWS)
"""All parameters: of the API under their names there. What follows a colon is not part of the name.

An exclamation mark is a required option.
"""


def parameters(names: str) -> list[click.Parameter]:
    """Return parameters by their names, with spaces between."""
    return [_PARAMETERS[name] for name in names.split()]
