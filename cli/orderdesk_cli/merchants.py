"""`orderdesk merchant …`."""

import click

from orderdesk_cli.commands import COUNT, lists, reads, writes
from orderdesk_cli.options import MERCHANT_ID, REASON, argument, cny, option, switch, usdt
from orderdesk_cli.sheets.parties import LIMITS, MERCHANT, MERCHANTS, SECRETS

_BPS = click.IntRange(0, 10_000)

TERMS = (
    switch("identity", "--identity/--no-identity", "Customers must prove their identity."),
    option("callback_url", "URL", 'Default callback target; "" for none.'),
    option("service_bps", "N", "Service fee, 1/10000.", _BPS),
    option("service_fixed", "USDT", "Fixed service fee.", usdt),
    option("deposit_bps", "N", "Deposit, 1/10000.", _BPS),
    option("spread_bps", "N", "Spread on the base rate, 1/10000.", click.IntRange(0, 9_999)),
    option("min_cny", "CNY", "Smallest order; 0.01 by default.", cny),
    option("max_cny", "CNY", "Largest order; 1000000.00 by default.", cny),
    option("max_open_buys", "N", "Most buys open at once, a mode; 100 by default.", COUNT),
    option("max_open_cny", "CNY", "Most CNY in open buys, a mode; 1000000.00 by default.", cny),
    switch(
        "require_receipt",
        "--require-receipt/--no-require-receipt",
        "Payers report a payment by a receipt only.",
    ),
    option("allow_cidr", "CIDR", 'Network that may call, repeatable; "" for any.', multiple=True),
    option("events", "TYPES", "Callbacks it wants: all, none, or order.paid,… (commas)."),
    option("max_rps", "N", "Calls a second; 50 by default.", COUNT),
    option("balance_shards", "N", "Items that each account is split over; 1 by default.", COUNT),
    option("display_name", "TEXT", 'Its name on the pages; "" for none.'),
    option("support", "TEXT", 'Whom payers ask, on the pages; "" for nobody.'),
)
"""The options of `merchant add` and `merchant set`."""

_CHANGES = {
    "suspend": (
        MERCHANT,
        "Refuse a merchant's calls from now on; its open orders run their course.",
    ),
    "resume": (MERCHANT, "Answer a suspended merchant's calls again."),
    "rotate-secret": (
        SECRETS,
        """Create a new api_secret for a merchant; the previous one stays valid.

        A second person approves it; then you read the secret with `proposal reveal`.
        """,
    ),
    "rotate-callback-secret": (
        SECRETS,
        "Give a merchant a new callback secret, shown this one time; both sign for now.",
    ),
}

COMMANDS = {
    "merchant": [
        writes(
            "merchant.add",
            SECRETS,
            "Add a merchant; its secrets are shown this one time.",
            *(argument("name", "NAME", "For people."), *TERMS, REASON),
        ),
        lists("merchant.list", MERCHANTS, "List all merchants, the newest last."),
        reads(
            "merchant.show",
            MERCHANT,
            "Show a merchant's agreement and balances; never its secrets.",
            MERCHANT_ID,
        ),
        reads(
            "merchant.limits",
            LIMITS,
            "Show how much of a merchant's limits its open buys take.",
            MERCHANT_ID,
        ),
        *(
            writes(f"merchant.{name}", sheet, text, MERCHANT_ID, REASON)
            for name, (sheet, text) in _CHANGES.items()
        ),
        writes(
            "merchant.set",
            MERCHANT,
            "Change a merchant's agreement for orders to come; the rest stays as it is.",
            *(MERCHANT_ID, *TERMS, REASON),
        ),
    ]
}
