"""Merchants: their terms, balances, limits, and new secrets."""

from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Sheet, Table, sheet_of_items

_NAME = Field("name", "name", "名称")
_STATUS = Field("status", "status", "状态", Kind.WORD)
_MIN = Field("min_cny", "smallest order, CNY", "最小金额", Kind.NUMBER)
_MAX = Field("max_cny", "largest order, CNY", "最大金额", Kind.NUMBER)
_SERVICE = Field("service_bps", "service, bps", "服务费（万分比）", Kind.NUMBER)
_DEPOSIT = Field("deposit_bps", "deposit, bps", "保证金（万分比）", Kind.NUMBER)
_SPREAD = Field("spread_bps", "spread, bps", "点差（万分比）", Kind.NUMBER)
_IDENTITY = Field("identity", "identity required", "需实名")
_CREATED = Field("created_at", "added", "添加时间", Kind.TIME)

MERCHANTS = sheet_of_items(
    [
        Field("merchant_id", "merchant", "商户", Kind.MERCHANT),
        *(_NAME, _STATUS),
        Field("max_cny", "largest, CNY", "最大金额", Kind.NUMBER, wide=True),
        Field("service_bps", "service", "服务费", Kind.NUMBER, wide=True),
        Field("deposit_bps", "deposit", "保证金", Kind.NUMBER, wide=True),
        Field("spread_bps", "spread", "点差", Kind.NUMBER, wide=True),
        Field("identity", "identity", "实名", wide=True),
        Field("created_at", "added", "添加时间", Kind.TIME, wide=True),
    ],
    ("No merchants.", "没有商户。"),
)

MERCHANT = Sheet(
    [
        Facts(
            [
                *(_NAME, Field("merchant_id", "merchant", "商户", Kind.CODE), _STATUS),
                Field("api_key", "api_key", "api_key", Kind.CODE),
                Field("test_api_key", "test_api_key", "test_api_key", Kind.CODE),
                *(_IDENTITY, _SERVICE),
                Field("service_fixed", "service, fixed USDT", "固定服务费", Kind.NUMBER),
                *(_DEPOSIT, _SPREAD, _MIN, _MAX),
                Field("max_open_buys", "open buys at most", "未完成买单上限", Kind.NUMBER),
                Field(
                    "max_open_cny", "CNY in open buys at most", "未完成买单金额上限", Kind.NUMBER
                ),
                Field("max_open_sells", "open sells at most", "未完成卖单上限", Kind.NUMBER),
                Field(
                    "max_open_sell_cny",
                    "CNY in open sells at most",
                    "未完成卖单金额上限",
                    Kind.NUMBER,
                ),
                Field("slot_share", "% of a trader's slots", "占交易员名额上限（%）", Kind.NUMBER),
                Field("require_receipt", "receipt required", "需上传凭证"),
                Field("allowed_cidrs", "allowed networks", "允许的网段"),
                Field("callback_url", "callback_url", "回调地址"),
                Field("events", "events (all if absent)", "回调类型（空为全部）"),
                Field("max_rps", "calls a second at most", "每秒请求上限", Kind.NUMBER),
                Field("balance_shards", "balance shards", "余额分片", Kind.NUMBER),
                Field("display_name", "name on the pages", "页面显示名称"),
                Field("support", "contact on the pages", "客服联系方式"),
                _CREATED,
            ]
        ),
        Table(
            [
                Field("mode", "USDT", "USDT", Kind.WORD),
                Field("available", "available", "可用", Kind.NUMBER),
                Field("held", "held", "冻结", Kind.NUMBER),
                Field("deposit", "deposit", "保证金", Kind.NUMBER),
            ],
            at="balances",
            heading=("Balances", "余额"),
            key="mode",
        ),
        Table(
            [
                Field("mode", "mode", "模式", Kind.WORD),
                Field("ended", "ended", "已结束", Kind.NUMBER),
                Field("unpaid", "unpaid", "未付款", Kind.NUMBER),
                Field("unpaid_percent", "unpaid %", "未付款（%）", Kind.NUMBER),
            ],
            at="recent_buys",
            heading=("Newest 100 buys of 24 hours", "24 小时内最近 100 笔买单"),
            key="mode",
        ),
    ],
    ("{name}", "{name}"),
)

LIMITS = Sheet(
    [
        Table(
            [
                Field("mode", "mode", "模式", Kind.WORD),
                Field("open_buys", "open buys", "未完成买单", Kind.NUMBER),
                Field("max_open_buys", "at most", "上限", Kind.NUMBER),
                Field("open_cny", "CNY in open buys", "未完成买单金额", Kind.NUMBER),
                Field("max_open_cny", "at most", "上限", Kind.NUMBER),
                Field("open_sells", "open sells", "未完成卖单", Kind.NUMBER),
                Field("max_open_sells", "at most", "上限", Kind.NUMBER),
                Field("open_sell_cny", "CNY in open sells", "未完成卖单金额", Kind.NUMBER),
                Field("max_open_sell_cny", "at most", "上限", Kind.NUMBER),
                Field("slot_share", "% of a trader's slots", "占交易员名额上限（%）", Kind.NUMBER),
            ],
            at="limits",
            key="mode",
        )
    ],
    ("{name}", "{name}"),
)

SECRETS = Sheet(
    [
        Facts(
            [
                _NAME,
                Field("merchant_id", "merchant_id", "merchant_id", Kind.CODE),
                Field("api_key", "api_key", "api_key", Kind.CODE),
                Field("api_secret", "api_secret", "api_secret", Kind.CODE),
                Field("test_api_key", "test_api_key", "test_api_key", Kind.CODE),
                Field("test_api_secret", "test_api_secret", "test_api_secret", Kind.CODE),
                Field("callback_secret", "callback_secret", "callback_secret", Kind.CODE),
            ]
        )
    ],
    (
        "Secrets are shown this one time; keep them now.",
        "密钥只显示这一次，请立即妥善保存。",
    ),
)
