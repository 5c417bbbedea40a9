"""Merchants and traders: terms, limits, balances, open orders, and new credentials."""

from orderdesk_cli.sheets.orders import ORDER_COLUMNS
from orderdesk_cli.sheets.words import items, sheet, table

_NAMED = "name"

MERCHANTS = items(
    "merchant_id name status max_cny:largest? service_bps:list? deposit_bps:list? "
    "spread_bps:list? identity:list? created_at?",
    "no_merchants",
)
MERCHANT = sheet(
    "name merchant_id:own status api_key test_api_key identity service_bps "
    "service_fixed deposit_bps spread_bps min_cny max_cny max_open_buys max_open_cny "
    "max_open_sells max_open_sell_cny slot_share other_sums require_receipt "
    "allowed_cidrs callback_url events max_rps max_callback_rps balance_shards "
    "display_name support created_at",
    table("mode:usdt available held deposit", at="balances", heading="balances"),
    table("mode ended unpaid unpaid_percent", at="recent_buys", heading="newest_buys"),
    title=_NAMED,
)
LIMITS = sheet(
    table(
        "mode open_buys max_open_buys:list open_cny max_open_cny:list slot_share",
        at="limits",
        heading="buys",
    ),
    table(
        "mode open_sells max_open_sells:list open_sell_cny max_open_sell_cny:list",
        at="limits",
        heading="sells",
    ),
    title=_NAMED,
)
SECRETS = sheet(
    "name merchant_id:secret api_key api_secret test_api_key test_api_secret callback_secret",
    title="secrets_are_shown_this_one",
)

INVITATION = sheet(
    "member role merchant_id:secret invite_url expires_at", title="the_link_is_shown_this"
)

TRADERS = items(
    "trader_id name duty available open_orders:list mode? held? min_cny:list? max_cny:list? "
    "created_at?",
    "no_traders",
)
TRADER = sheet(
    "name trader_id:own duty mode min_cny max_cny open_orders max_open cny_today "
    "daily_cny unique_amounts own_limits methods_changed_at available:trader "
    "held:trader last_accepted_at created_at given_back left stopped",
    table(
        "method_type account_no bank real_name card_number account:number is_on daily_cny "
        "stopped_at",
        "no_receiving_method",
        at="methods",
        heading="receiving_methods",
    ),
    table(ORDER_COLUMNS, "none_is_open", at="orders", heading="open_orders"),
    title="name_is_duty",
)
CODE = sheet("name trader_id:secret access_code", title="the_access_code_is_shown")

_BLOCK = "block_no kind value:masked reason by:list time until:block"
BLOCK = sheet(_BLOCK)
BLOCKS = items(_BLOCK, "nothing_is_blocked")
"""The block list; values are masked."""
DESK = sheet("id_card_daily_cny id_card_daily_count payee_daily_cny payee_daily_count")
"""The limits of a trading day."""
