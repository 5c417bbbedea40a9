"""The texts of the portal's pages for developers."""

from orderdesk.web.pages.texts import Text, Texts


class DeveloperTexts(Texts):
    """Keys, addresses, refused calls and the API explorer."""

    keys = Text(en="Keys", zh="密钥")
    keys_advice = Text(
        en=(
            "A new secret works at once. The newest one of today stays valid until the next "
            "change, so you can change over without a refused call. Live sells that are signed "
            "with a young secret wait for some hours."
        ),
        zh=(
            "新密钥立即生效，当前最新的旧密钥在下次更换前仍有效，切换期间不会中断。"
            "使用新密钥签名的正式卖单将暂缓数小时匹配。"
        ),
    )
    live_key = Text(en="Live key", zh="正式密钥")
    test_key = Text(en="Test key", zh="测试密钥")
    callback_secret = Text(en="Callback secret", zh="回调密钥")
    callback_secret_advice = Text(
        en="It signs the callbacks that you get. Until the next change both of the last two sign.",
        zh="用于对发送给您的回调签名，在下次更换前最近两个密钥同时签名。",
    )
    no_key = Text(en="none yet", zh="尚未创建")
    rotate = Text(en="Make a new secret", zh="生成新密钥")
    new_secret = Text(en="New secret", zh="新密钥")
    new_secret_advice = Text(
        en="It is shown this one time. Copy it now.", zh="密钥只显示这一次，请立即复制保存。"
    )
    more_keys = Text(en="Further keys", zh="更多密钥")
    more_keys_advice = Text(
        en=(
            "Give each program a key that can do what it needs and no more: at most 5 keys each "
            "for live and test. They share one request rate. A removed key is refused within "
            "seconds."
        ),
        zh=(
            "为每个程序创建一个仅有所需权限的密钥：正式与测试各最多 5 个，共用同一请求频率。"
            "删除后数秒内即被拒绝。"
        ),
    )
    scopes = Text(
        en={
            "full": "everything",
            "buy": "create and cancel buys, query",
            "read": "only query",
        },
        zh={"full": "全部权限", "buy": "创建与取消买单、查询", "read": "仅查询"},
    )
    key_mode = Text(en="Live or test", zh="正式或测试")
    key_scope = Text(en="It can", zh="权限")
    make_key = Text(en="Make a key", zh="创建密钥")
    remove_key = Text(en="Remove", zh="删除")
    keys_full = Text(
        en="There are 5 keys already. Remove one first.", zh="已有 5 个密钥，请先删除一个。"
    )
    last_used = Text(en="Last used on {date}", zh="最近使用：{date}")
    never_used = Text(en="Not used in the last {days} days", zh="最近 {days} 天未使用")
    networks = Text(en="Addresses that may call", zh="允许调用的 IP")
    any_network = Text(en="Any address may call.", zh="任何 IP 均可调用。")
    networks_settings = Text(en="Change them in the settings", zh="前往设置修改")
    refused = Text(en="Refused calls", zh="被拒绝的调用")
    refused_advice = Text(
        en=(
            "The last 100 of the last 30 days, newest first, without their parameters. During a "
            "flood only some are listed. Calls with an unknown api_key, unreadable bodies and 5001 "
            "are not."
        ),
        zh=(
            "显示最近 30 天内的最后 100 次，最新的在前，不含请求参数。大量调用被拒绝时仅记录部分。"
            "api_key 无法识别、请求体无法解析及返回 5001 的调用不作记录。"
        ),
    )
    rules = Text(
        en={
            "card": "a blocked card",
            "account": "a blocked account",
            "id-card": "a blocked id card",
            "mobile": "a blocked mobile number",
            "payee": "a blocked payee",
            "day": "the desk’s limit of a day",
        },
        zh={
            "card": "银行卡已被限制",
            "account": "收款账号已被限制",
            "id-card": "身份证号已被限制",
            "mobile": "手机号已被限制",
            "payee": "收款人已被限制",
            "day": "已达平台当日限额",
        },
    )
    nothing_refused = Text(en="None in the last 30 days.", zh="最近 30 天没有。")
    more_refused = Text(en="Show {count} older", zh="显示更早的 {count} 条")
    from_network = Text(en="from {network}", zh="来自 {network}")
    explorer = Text(en="API explorer", zh="接口调试")
    explorer_advice = Text(
        en=(
            "Build a call, see how it is signed, and send it with your test key. It reaches test "
            "orders and test money only. Nothing of it is stored here."
        ),
        zh="填写请求，查看签名过程，并使用测试密钥发送。仅涉及测试订单和测试资金，此处不保存任何内容。",
    )
    limited_advice = Text(
        en=(
            "Your merchant lists the addresses that may call. The explorer sends from the "
            "service’s own address, so the answer is 1105. Sign only, and run the command on one "
            "of your servers."
        ),
        zh=(
            "贵商户已限制可调用的 IP。本页从平台的地址发送，会返回 1105。"
            "请选择“仅签名”，并在您的服务器上运行命令。"
        ),
    )
    open_explorer = Text(en="Open the API explorer", zh="打开接口调试")
    operation = Text(en="Operation", zh="接口")
    examples = Text(
        en={
            "createOrder-buy": "a buy",
            "createOrder-sell": "a sell",
            "advanceOrder": "move a test order on",
            "queryOrder": "one order",
            "listOrders": "the newest orders",
            "cancelOrder": "cancel an order",
            "disputeOrder": "dispute a buy",
            "balance": "test balances",
            "statement": "test postings",
            "listCallbacks": "the newest callbacks",
            "listEvents": "the newest events",
            "listWithdrawals": "the newest withdrawals",
            "quote": "the amounts of a buy",
            "agreement": "your terms",
            "redeliverCallback": "send a callback again",
            "testCallback": "send a test event",
        },
        zh={
            "createOrder-buy": "买单",
            "createOrder-sell": "卖单",
            "advanceOrder": "推进测试订单",
            "queryOrder": "查询订单",
            "listOrders": "最新订单",
            "cancelOrder": "取消订单",
            "disputeOrder": "发起争议",
            "balance": "测试余额",
            "statement": "测试账单",
            "listCallbacks": "最新回调",
            "listEvents": "最新事件",
            "listWithdrawals": "最新提现",
            "quote": "买单询价",
            "agreement": "约定条款",
            "redeliverCallback": "重新投递回调",
            "testCallback": "发送测试事件",
        },
    )
    show_example = Text(en="Show the example", zh="显示示例")
    body = Text(en="Body as JSON", zh="请求体（JSON）")
    body_hint = Text(
        en=(
            "api_key, timestamp, nonce and signature are added. A timestamp or nonce of yours is "
            "kept."
        ),
        zh=(
            "api_key、timestamp、nonce 和 signature 会自动添加；"
            "自行填写的 timestamp 或 nonce 将保留。"
        ),
    )
    send = Text(en="Sign and send", zh="签名并发送")
    only_sign = Text(en="Sign only", zh="仅签名")
    needs_key = Text(
        en="There is no test key yet. Make its secret on the developers’ page.",
        zh="尚未创建测试密钥，请先在开发页面生成。",
    )
    not_json = Text(
        en="This is not a JSON object, or it has a name twice.",
        zh="不是有效的 JSON 对象，或存在重复的参数名。",
    )
    answer = Text(en="Answer", zh="响应")
    no_answer = Text(
        en="There was no complete answer. The call may have been carried out.",
        zh="未收到完整响应，请求可能已被执行。",
    )
    string_to_sign = Text(en="String to sign", zh="待签名字符串")
    signed_body = Text(en="Signed body", zh="已签名的请求体")
    command = Text(en="Command", zh="命令")
    command_advice = Text(
        en="It sends this call once, within five minutes.", zh="五分钟内有效，只能发送一次。"
    )
    to_developers = Text(en="Back to the developers’ page", zh="返回开发页面")
