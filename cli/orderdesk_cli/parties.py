"""`orderdesk merchant …` and `orderdesk trader …`."""

from orderdesk_cli.commands import lists, reads, writes
from orderdesk_cli.options import parameters
from orderdesk_cli.sheets import parties as sheets

_TERMS = (
    "identity callback_url service_bps service_fixed deposit_bps spread_bps min_cny max_cny "
    "max_open_buys max_open_cny max_open_sells max_open_sell_cny slot_share other_sums "
    "require_receipt allow_cidr events max_rps max_callback_rps balance_shards display_name support"
)
TERMS = parameters(_TERMS)
"""The options of `merchant add` and `merchant set`."""

_MERCHANT = [
    writes(
        *("merchant.add", sheets.SECRETS, f"name admin {_TERMS} reason"),
        "Add a merchant; the secret of its test key is shown this one time.\n\n"
        "A second person approves its first admin, who makes its live key in the portal.",
    ),
    lists("merchant.list", sheets.MERCHANTS, "", "List all merchants, the newest first."),
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
        *("merchant.revoke-secret", sheets.MERCHANT, "merchant_id reason is_test:key callback"),
        "Stop a merchant's live key; its people make a new one in the portal.",
    ),
    writes(
        *("merchant.invite", sheets.INVITATION, "merchant_id name:member role! reason"),
        "Invite a person to a merchant's portal, by a link that works once within 24 hours.\n\n"
        "A second person approves it; then each of you reads a half with `proposal reveal`.",
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
    lists("trader.list", sheets.TRADERS, "", "List all traders, the newest first."),
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
        *("trader.stop-account", sheets.TRADER, "trader_id account:key reason!"),
        "Stop an account, such as bank or wechat2, at once: no new order gets it.\n\n"
        "Pages of its pending orders say not to pay. Safe to repeat: it marks the orders "
        "that an interrupted run left.",
    ),
    writes(
        *("trader.resume-account", sheets.TRADER, "trader_id account:key reason"),
        "Let a stopped account get orders again; a second person approves it.",
    ),
    writes(
        *("trader.suspend", sheets.TRADER, "trader_id reason"),
        "Let a trader make no move until it is online again; its sells are given back.\n\n"
        "Safe to repeat: it returns the sells that an interrupted run left.",
    ),
]
_BLOCK = [
    writes(
        *("block.add", sheets.BLOCK, "kind:block value reason! until:block"),
        "Refuse orders of a card, account, id card, mobile or payee from now on.",
    ),
    lists("block.list", sheets.BLOCKS, "", "List the blocks, their values masked."),
    writes(
        *("block.remove", sheets.BLOCK, "block_no reason"),
        "Propose to remove a block, for another person to decide.",
    ),
]
_LIMITS = "id_card_daily_cny id_card_daily_count payee_daily_cny payee_daily_count"
_DESK = [
    writes(
        *("desk.set", sheets.DESK, f"{_LIMITS} reason"),
        "Set the limits of a trading day for a customer's buys and a payee account's sells.",
    ),
]
COMMANDS = {"merchant": _MERCHANT, "trader": _TRADER, "block": _BLOCK, "desk": _DESK}
