"""Merchants and traders: terms, limits, balances, open orders, and new credentials."""

from orderdesk_cli.sheets.orders import ORDER_COLUMNS
from orderdesk_cli.sheets.sheet import Sheet
from orderdesk_cli.sheets.words import facts, items, table

_NAMED = ("{name}", "{name}")

MERCHANTS = items(
    "merchant_id name status max_cny:largest? service_bps:list? deposit_bps:list? "
    "spread_bps:list? identity:list? created_at?",
    ("No merchants.", "没有商户。"),
)
MERCHANT = Sheet(
    [
        facts(
            "name merchant_id:own status api_key test_api_key identity service_bps "
            "service_fixed deposit_bps spread_bps min_cny max_cny max_open_buys max_open_cny "
            "max_open_sells max_open_sell_cny slot_share other_sums require_receipt "
            "allowed_cidrs callback_url events max_rps max_callback_rps balance_shards "
            "display_name support created_at"
        ),
        table(
            "mode:usdt available held deposit",
            at="balances",
            heading=("Balances", "余额"),
            key="mode",
        ),
        table(
            "mode ended unpaid unpaid_percent",
            at="recent_buys",
            heading=("Newest 100 buys of 24 hours", "24 小时内最近 100 笔买单"),
            key="mode",
        ),
    ],
    _NAMED,
)
LIMITS = Sheet(
    [
        table(
            "mode open_buys max_open_buys:list open_cny max_open_cny:list slot_share",
            at="limits",
            heading=("Buys", "买单"),
            key="mode",
        ),
        table(
            "mode open_sells max_open_sells:list open_sell_cny max_open_sell_cny:list",
            at="limits",
            heading=("Sells", "卖单"),
            key="mode",
        ),
    ],
    _NAMED,
)
SECRETS = Sheet(
    [
        facts(
            "name merchant_id:secret api_key api_secret test_api_key test_api_secret "
            "callback_secret"
        )
    ],
    ("Secrets are shown this one time; keep them now.", "密钥只显示这一次，请立即妥善保存。"),
)

INVITATION = Sheet(
    [facts("member role merchant_id:secret invite_url expires_at")],
    (
        "The link is shown this one time, and works once; send it to this person only.",
        "链接只显示这一次，且只能使用一次，请仅发送给本人。",
    ),
)

TRADERS = items(
    "trader_id name duty available open_orders:list mode? held? min_cny:list? max_cny:list? "
    "created_at?",
    ("No traders.", "没有交易员。"),
)
TRADER = Sheet(
    [
        facts(
            "name trader_id:own duty mode min_cny max_cny open_orders max_open cny_today "
            "daily_cny unique_amounts own_limits methods_changed_at available:trader "
            "held:trader last_accepted_at created_at given_back left stopped"
        ),
        table(
            "method_type account_no bank real_name card_number account:number is_on daily_cny "
            "stopped_at",
            ("No receiving method.", "没有收款方式。"),
            at="methods",
            heading=("Receiving methods", "收款方式"),
        ),
        table(
            ORDER_COLUMNS,
            ("None is open.", "没有进行中的订单。"),
            at="orders",
            heading=("Open orders", "进行中订单"),
        ),
    ],
    ("{name} is {duty}", "{name}（{duty}）"),
)
CODE = Sheet(
    [facts("name trader_id:secret access_code")],
    (
        "The access code is shown this one time; keep it now. An earlier code works no longer.",
        "登录码只显示这一次，请立即妥善保存。原登录码已失效。",
    ),
)

_BLOCK = "block_no kind value:masked reason by:list time until:block"
BLOCK = Sheet([facts(_BLOCK)])
BLOCKS = items(_BLOCK, ("Nothing is blocked.", "没有黑名单记录。"))
"""The block list; values are masked."""
DESK = Sheet([facts("id_card_daily_cny id_card_daily_count payee_daily_cny payee_daily_count")])
"""The limits of a trading day."""
