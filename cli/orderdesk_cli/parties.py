"""`orderdesk merchant …` and `orderdesk trader …`."""

from orderdesk_cli.commands import lists, reads, writes
from orderdesk_cli.options import parameters
from orderdesk_cli.sheets import parties as sheets

_TERMS = (
    "identity callback_url service_bps service_fixed deposit_bps spread_bps min_cny max_cny "
    "max_open_buys max_open_cny max_open_sells max_open_sell_cny slot_share require_receipt "
    "allow_cidr events max_rps max_callback_rps balance_shards display_name support"
)
TERMS = parameters(_TERMS)
"""The options of `merchant add` and `merchant set`."""

_MERCHANT = [
    writes(
        *("merchant.add", sheets.SECRETS, f"name {_TERMS} reason"),
        "Add a merchant; its secrets are shown this one time.",
    ),
    lists("merchant.list", sheets.MERCHANTS, "", "List all merchants, the newest last."),
    reads(
        *("merchant.show", sheets.MERCHANT, "merchant_id"),
        "Show a merchant's agreement and balances; never its secrets.",
    ),
    reads(
        *("merchant.limits", sheets.LIMITS, "merchant_id"),
        "Show how much of a merchant's limits its open orders take.",
    ),
    writes(
        *("merchant.suspend", sheets.MERCHANT, "merchant_id reason"),
        "Refuse a merchant's calls from now on; its open orders run their course.",
    ),
    writes(
        *("merchant.resume", sheets.MERCHANT, "merchant_id reason"),
        "Answer a suspended merchant's calls again.",
    ),
    writes(
        *("merchant.rotate-secret", sheets.SECRETS, "merchant_id reason is_test:key"),
        "Create a new api_secret for a merchant; the previous one stays valid.\n\n"
        "A second person approves it; then you read the secret with `proposal reveal`. The secret "
        "of the test key needs nobody else, and is shown this one time.",
    ),
    writes(
        *("merchant.rotate-callback-secret", sheets.SECRETS, "merchant_id reason"),
        "Give a merchant a new callback secret, shown this one time; both sign for now.",
    ),
    writes(
        *("merchant.invite", sheets.INVITATION, "merchant_id name:member role! reason"),
        "Invite a person to a merchant's portal, by a link that works once within 24 hours.\n\n"
        "A second person approves an admin or finance; then you read the link with `proposal "
        "reveal`.",
    ),
    writes(
        *("merchant.set", sheets.MERCHANT, f"merchant_id {_TERMS} reason"),
        "Change a merchant's agreement for orders to come; the rest stays as it is.",
    ),
]
_TRADER = [
    writes(
        *("trader.add", sheets.CODE),
        "name min_cny:trader! max_cny:trader! is_test:add max_open:add daily_cny:add "
        "unique_amounts:add reason",
        "Add a trader, offline; the access code is shown this one time.",
    ),
    writes(
        *("trader.set", sheets.TRADER),
        "trader_id min_cny:trader max_cny:trader max_open daily_cny unique_amounts reason",
        "Change a trader's limits for orders to come; what is not named stays as it is.",
    ),
    writes(
        *("trader.add-method", sheets.TRADER),
        "trader_id method_type real_name bank sub_bank card_number account:number qr_code "
        "account_no reason",
        "Give a trader a receiving method; it replaces the one of the same type and number.\n\n"
        "bank needs --real-name, --bank, --sub-bank and --card-number; wechat and alipay need "
        "--real-name, --account and --qr-code.",
    ),
    writes(
        *("trader.remove-method", sheets.TRADER, "trader_id method_type account_no reason"),
        "Remove a trader's receiving method; its open orders keep theirs.",
    ),
    *(
        writes(
            *("trader.reset-code", sheets.CODE, "trader_id reason"),
            "Give a trader a new access code, shown this one time; the earlier one ends.",
            name=name,
        )
        for name in ("reset-code", "new-code")
    ),
    lists("trader.list", sheets.TRADERS, "", "List all traders, the newest last."),
    reads(
        *("trader.show", sheets.TRADER, "trader_id"),
        "Show a trader: limits, balance, open orders, methods (masked).",
    ),
    writes(
        *("trader.online", sheets.TRADER, "trader_id reason"),
        "Put a trader into the rotation; also lifts a suspension.",
    ),
    writes(
        *("trader.offline", sheets.TRADER, "trader_id reason"),
        "Take a trader out of the rotation; its open orders run their course.",
    ),
    writes(
        *("trader.suspend", sheets.TRADER, "trader_id reason"),
        "Let a trader make no move until it is online again; its sells are given back.\n\n"
        "Safe to repeat: it returns the sells that an interrupted run left.",
    ),
]
COMMANDS = {"merchant": _MERCHANT, "trader": _TRADER}
