"""The arguments and options of all commands, checked before anything is sent.

Those of the API are made from its schemas, `commands.json`, which the service writes of itself
(`make openapi`): what is required is an argument, or an option if it is a text for the audit trail
or one of `_NAMED`; its type, bounds and help are those of the schema.
"""

import json
import re
import time
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from orderdesk_cli.plain_text import BEIJING, is_control

DEFAULT_STACK = "orderdesk"
US_PER_SECOND = 1_000_000
CNY_DECIMALS, USDT_DECIMALS, RATE_DECIMALS = 2, 6, 4
SIDES, MODES = ("buy", "sell"), ("live", "test")
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


def _or_none(read: Any) -> Callable[[str], Any]:
    """Return a reader that also reads an empty text, which removes a value."""
    kind = click.types.convert_type(read)
    return lambda text: kind(text) if text else text


def _argument(name: str, metavar: str, text: str, kind: Any = str, **more: Any) -> click.Parameter:
    return click.Argument([name], type=kind, metavar=metavar, help=text, **more)


def _option(
    name: str, metavar: str, text: str, kind: Any = str, *, flag: str = "", **more: Any
) -> click.Parameter:
    """Return an option; the flag is the parameter's name if absent."""
    flags = [flag or _flag_of(name), name]
    return click.Option(flags, type=kind, metavar=metavar, help=text, **more)


def _switch(name: str, flag: str, text: str) -> click.Parameter:
    """Return an option without a value; `--a/--no-a` is None if neither was given."""
    flags = [*flag.split(","), name]
    default = None if "/" in flag else False
    return click.Option(flags, is_flag=True, default=default, help=text)


def _flag_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"


_OWN = {
    each.name: each
    for each in (
        _switch("as_json", "--json", "Print one JSON document."),
        _option("stack", "NAME", f"The deployed stack; {DEFAULT_STACK} if absent."),
        _switch("as_csv", "--csv", "Print CSV."),
        _option("limit", "N", "At most so many; all if absent.", click.IntRange(min=1)),
        _switch("is_agreed", "--yes,-y", "Do it without asking."),
        _switch("alone", "--alone", "Without a second person; needs an administrator's rights."),
        _argument("order_no", "[NO]", "order_no, pending_no or order_id.", required=False),
        _argument("number", "NO", "order_no, pending_no or order_id."),
        _option("digest", "SHA256", "Of what `proposal show` returned; without it you are asked."),
        _option("status", "disputed", "With --merchant: its disputes.", click.Choice(["disputed"])),
        _switch("stopped", "--stopped", "With --trader: open orders of its stopped accounts."),
        _option("save", "DIR", "Save the files here instead.", Path),
        _argument(
            "words",
            "[NO] completed|cancelled",
            "Which order, and how it ends.",
            nargs=-1,
            required=True,
            callback=_endings,
        ),
        _argument(
            "what", "DAY|FILE", "A trading day (UTC+8), or seals' files.", nargs=-1, required=True
        ),
        _option("key", "FILE", "The public key, as --save saves it; without it the stack's.", Path),
        _option("port", "N", "A free one if absent.", click.IntRange(1024, 65_535)),
        _option(
            "config_env", "NAME", "The environment of samconfig.toml to deploy.", default="default"
        ),
        _option("template", "FILE", "The template.", Path, default="template.yaml"),
        _option("samconfig", "FILE", "SAM's settings.", Path, default="samconfig.toml"),
    )
}
"""What the API does not ask for, by its name."""
_OWN["most"] = _option("limit", "N", "At most so many.", click.IntRange(min=1), default=50)

_UNASKED = frozenset({"idempotency_key", "limit", "after", "newest_first"})
_LAST = ("memo", "reason")
_NAMED = frozenset({"role", "usdt", "min_cny", "max_cny", "digest"})
_FLAGS = {
    "is_test": "--test",
    "merchant_id": "--merchant",
    "trader_id": "--trader",
    "order_type": "--type",
    "open_only": "--open",
    "min_cny:trader": "--min",
    "max_cny:trader": "--max",
    "yes": "--yes,-y",
}
"""The flags that are not named as their parameter; behind a colon is the group."""

_READERS: Mapping[str, Callable[[str], Any]] = {
    "since": since,
    "until": until,
    "date": trading_date,
    "qr_code": code_text,
}
_NO_TEXT = {"const": ""}
_WRITTEN = Path(__file__).with_name("commands.json")


@cache
def of_api(what: str) -> Mapping[str, Any]:
    """Return the API's `schemas` by command, or the `chinese` of its codes."""
    found: Mapping[str, Any] = json.loads(_WRITTEN.read_text("utf-8"))[what]
    return found


def parameters(names: str) -> list[click.Parameter]:
    """Return parameters by their names, with spaces between; `COMMAND:NAME` is one of the API."""
    return [_asked(*name.split(":")) if ":" in name else _OWN[name] for name in names.split()]


def asked_by(command: str, names: str = "") -> list[click.Parameter]:
    """Return what a command of the API asks for, or only these names (`!`: required)."""
    fields = [*of_api("schemas")[command]["properties"]]
    wanted = names.split() or [name for name in fields if name not in _UNASKED]
    return sorted((_asked(command, name) for name in wanted), key=partial(_place, fields))


def _place(order: list[str], asked: click.Parameter) -> tuple[bool, bool, bool, int]:
    """Return a parameter's place: arguments first, ids before all, reasons behind all."""
    name = str(asked.name)
    is_id = name.endswith(("_id", "_no"))
    return isinstance(asked, click.Option), not is_id, name in _LAST, order.index(name)


def _asked(command: str, field: str) -> click.Parameter:
    """Return the argument or option of a field; one whose default is refused is required."""
    name, whole = field.rstrip("!"), of_api("schemas")[command]
    schema = whole["properties"][name]
    is_remark = _is_remark(schema)
    is_asked = name in whole["required"] or field.endswith("!") or is_remark
    kind, text = _reader(name, schema), schema.get("description", "")
    group = command.partition(".")[0]
    flag = _FLAGS.get(f"{name}:{group}") or _FLAGS.get(name) or _flag_of(name)
    if schema.get("type") == "boolean":
        both = "" if "default" in schema else f"/--no-{flag.removeprefix('--')}"
        return _switch(name, flag + both, text)
    metavar, is_list = _metavar(name, schema), schema.get("type") == "array"
    if is_asked and not (is_remark or is_list or name in _NAMED):
        return _argument(name, metavar, text, kind)
    more = {"multiple": True} if is_list else {}
    more |= {"default": schema["default"]} if "enum" in schema and "default" in schema else {}
    return _option(name, metavar, text, kind, flag=flag, required=is_asked, **more)


def _reader(name: str, schema: Mapping[str, Any]) -> Any:
    """Return what reads a field on the command line."""
    parts = [part for part in schema.get("anyOf", [schema]) if part != _NO_TEXT]
    [one] = parts
    read: Any = _READERS.get(name, str)
    if "enum" in one:
        read = click.Choice(one["enum"])
    elif one.get("type") == "integer" and name not in _READERS:
        read = click.IntRange(one.get("minimum"), one.get("maximum"))
    elif found := re.search(r"\.\[0-9\]\{1,(\d)\}", one.get("pattern", "")):
        read = {CNY_DECIMALS: cny, RATE_DECIMALS: rate, USDT_DECIMALS: usdt}[int(found[1])]
        if "|all)" in one["pattern"]:
            read = usdt_or_all
    elif _is_remark(schema):
        read = remark
    is_emptied = _NO_TEXT in schema.get("anyOf", ()) or schema.get("pattern", "").endswith("|)$")
    return _or_none(read) if is_emptied else read


def _is_remark(schema: Mapping[str, Any]) -> bool:
    """Return whether a field is a text that must not be empty; the API bounds its length later."""
    return "minLength" in schema and "maxLength" not in schema


def _metavar(name: str, schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(schema["enum"])
    if schema.get("type") == "integer" or "anyOf" in schema:
        return "T" if schema.get("format") == "unix-time" else "N"
    return name.rpartition("_")[2].upper()
