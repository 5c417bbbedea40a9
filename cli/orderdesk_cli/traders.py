"""`orderdesk trader …`."""

import click

from orderdesk_cli.commands import COUNT, lists, reads, writes
from orderdesk_cli.options import REASON, TRADER_ID, argument, cny, count, option, switch
from orderdesk_cli.sheets.traders import CODE, TRADER, TRADERS

METHODS = ("bank", "wechat", "alipay")
_METHOD = argument("method_type", "|".join(METHODS), "Of receiving.", click.Choice(METHODS))
_ONCE = "Never two open buys of one amount on one method."


def _range(*, required: bool) -> tuple[click.Option, click.Option]:
    return (
        option("min_cny", "CNY", "Smallest order.", cny, flag="--min", required=required),
        option("max_cny", "CNY", "Largest order.", cny, flag="--max", required=required),
    )


def _cny_or_none(text: str) -> str:
    return cny(text) if text else text


def _count_or_none(text: str) -> str:
    return count(text) if text else text


def _code_text(text: str) -> str:
    """Return a payment code's text: the given one, or that of the picture in a file."""
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


_DUTIES = {
    "online": "Put a trader into the rotation; also lifts a suspension.",
    "offline": "Take a trader out of the rotation; its open orders run their course.",
    "suspend": "Let a trader make no move until it is online again; its sells are given back."
    "\n\nSafe to repeat: it returns the sells that an interrupted run left.",
}

COMMANDS = {
    "trader": [
        writes(
            "trader.add",
            CODE,
            "Add a trader, offline; the access code is shown this one time.",
            argument("name", "NAME", "For people."),
            *_range(required=True),
            switch("is_test", "--test", "Takes test orders only."),
            option("max_open", "N", "Open orders at a time; no cap if absent.", COUNT),
            option("daily_cny", "CNY", "A day (UTC+8); no cap if absent.", cny),
            switch("unique_amounts", "--unique-amounts", _ONCE),
            REASON,
        ),
        writes(
            "trader.set",
            TRADER,
            "Change a trader's limits for orders to come; what is not named stays as it is.",
            TRADER_ID,
            *_range(required=False),
            option("max_open", "N", 'Open orders; "" for no cap.', _count_or_none),
            option("daily_cny", "CNY", 'A day; "" for no cap.', _cny_or_none),
            switch("unique_amounts", "--unique-amounts/--no-unique-amounts", _ONCE),
            REASON,
        ),
        writes(
            "trader.add-method",
            TRADER,
            "Give a trader a receiving method; it replaces the one of the same type.\n\n"
            "bank needs --real-name, --bank, --sub-bank and --card-number; wechat and alipay need "
            "--real-name, --account and --qr-code.",
            *(TRADER_ID, _METHOD),
            *(option(name, "TEXT", "") for name in ("real_name", "bank", "sub_bank")),
            *(option(name, "TEXT", "") for name in ("card_number", "account")),
            option("qr_code", "TEXT|FILE", "The code's own text, or a picture of it.", _code_text),
            REASON,
        ),
        writes(
            "trader.remove-method",
            TRADER,
            "Remove a trader's receiving method; its open orders keep theirs.",
            *(TRADER_ID, _METHOD, REASON),
        ),
        *(
            writes(
                "trader.reset-code",
                CODE,
                "Give a trader a new access code, shown this one time; the earlier one ends.",
                *(TRADER_ID, REASON),
                name=name,
            )
            for name in ("reset-code", "new-code")
        ),
        lists("trader.list", TRADERS, "List all traders, the newest last."),
        reads(
            "trader.show",
            TRADER,
            "Show a trader: limits, balance, open orders, methods (masked).",
            TRADER_ID,
        ),
        *(
            writes(f"trader.{duty}", TRADER, text, TRADER_ID, REASON)
            for duty, text in _DUTIES.items()
        ),
    ]
}
