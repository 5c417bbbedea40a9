"""The texts of the merchants' portal.

Written by `make texts` from portal_texts.toml; do not edit.
"""

from orderdesk.domain.accounts import TransferKind
from orderdesk.domain.callbacks.delivery import DeliveryState, Failure
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalProblem
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.orders.order import ByStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.shared_texts import PageTexts
from orderdesk.web.pages.texts import Group, Notice, QuestionTexts, Text, Texts


class BalanceTexts(Texts):
    """Balance, withdrawals, addresses and statement."""

    available = Text(en="Available", zh="可用余额")
    held = Text(en="Held", zh="冻结金额")
    held_advice = Text(en="For open sells and withdrawals.", zh="用于进行中的卖单和待处理的提现。")
    deposit = Text(en="Deposit", zh="保证金")
    times = Text(en="Times are Beijing time.", zh="时间均为北京时间。")
    withdrawals = Text(en="Withdrawals", zh="提现")
    no_withdrawals = Text(en="No withdrawals yet.", zh="暂无提现记录。")
    requested_by = Text(en="Requested by {name}", zh="申请人：{name}")
    transaction = Text(en="Transaction", zh="交易哈希")
    reason = Text(en="Reason: {reason}", zh="原因：{reason}")
    cancel = Text(en="Cancel", zh="取消申请")
    withdraw = Text(en="Request a withdrawal", zh="申请提现")
    withdraw_advice = Text(
        en="The amount is held from now on. Two people of the operator check the request before anything is sent. Your browser asks for your passkey.",
        zh="提交后，提现金额即被冻结，经平台两名运营人员审核后转出。提交时需验证通行密钥。",
    )
    no_address = Text(
        en="Add an address first. It can be used 24 hours later.",
        zh="请先添加提现地址，地址添加 24 小时后方可使用。",
    )
    address = Text(en="Address", zh="提现地址")
    amount = Text(en="Amount in USDT", zh="提现金额（USDT）")
    memo = Text(en="Memo (optional)", zh="备注（选填）")
    send = Text(en="Request with passkey", zh="验证通行密钥并提交")
    addresses = Text(en="Addresses", zh="提现地址")
    addresses_advice = Text(
        en="A new address rests for 24 hours before its first use. If you do not know an address here, remove it, and warn your admin.",
        zh="新地址添加 24 小时后方可使用。如发现陌生地址，请立即移除并通知管理员。",
    )
    no_addresses = Text(en="No addresses yet.", zh="暂无提现地址。")
    usable_from = Text(en="Usable from {time}", zh="{time} 起可用")
    added_by = Text(en="Added by {name}", zh="添加人：{name}")
    remove = Text(en="Remove", zh="移除")
    add = Text(en="Add an address", zh="添加地址")
    network = Text(en="Network", zh="网络")
    label = Text(en="Label", zh="名称")
    label_hint = Text(
        en="So that your team knows it, such as “exchange”.", zh="便于团队识别，例如“交易所”。"
    )
    add_button = Text(en="Add with passkey", zh="验证通行密钥并添加")
    statement = Text(en="Statement", zh="账单明细")
    nothing_posted = Text(en="Nothing has been posted yet.", zh="暂无记录。")
    nothing_found = Text(
        en="Nothing among the entries that were read.", zh="本次读取的记录中没有符合条件的。"
    )
    kind = Text(en="Kind", zh="类型")
    days_hint = Text(
        en="Without days: the last 31 days; of an order, all entries.",
        zh="不填日期时为最近 31 天；按订单号查询时为该订单的全部记录。",
    )
    later = Text(en="Later entries", zh="更晚的记录")
    csv_rest = Text(
        en="This file ends before {last}. The later entries are at {address}",
        zh="本文件截止到 {last} 之前，更晚的记录请打开 {address}",
    )
    balance_after = Text(en="Balance {amount}", zh="余额 {amount}")
    order = Text(en="Order", zh="订单号")
    newest = Text(en="Newest", zh="最新")
    older = Text(en="Older", zh="更早")
    older_in_csv = Text(
        en="Older entries are in the CSV file.", zh="更早的记录请下载 CSV 文件查看。"
    )
    csv = Text(en="Download as CSV", zh="下载 CSV")
    since = Text(en="From", zh="开始日期")
    until = Text(en="To", zh="结束日期")
    csv_head = Text(
        en=("Time (UTC+8)", "Account", "Kind", "USDT", "Balance", "Order", "Memo"),
        zh=("时间（UTC+8）", "账户", "类型", "USDT", "余额", "订单号", "备注"),
    )
    statuses = Text[dict[RequestStatus, str]](
        en={
            RequestStatus.REQUESTED: "Requested",
            RequestStatus.APPROVED: "Approved",
            RequestStatus.SENT: "Sent",
            RequestStatus.REJECTED: "Rejected",
            RequestStatus.CANCELLED: "Cancelled",
        },
        zh={
            RequestStatus.REQUESTED: "待处理",
            RequestStatus.APPROVED: "已批准",
            RequestStatus.SENT: "已转出",
            RequestStatus.REJECTED: "已驳回",
            RequestStatus.CANCELLED: "已取消",
        },
    )
    kinds = Text[dict[TransferKind, str]](
        en={
            TransferKind.FUNDING: "Funding",
            TransferKind.SETTLEMENT: "Order settled",
            TransferKind.SPREAD: "Spread",
            TransferKind.WITHDRAWAL: "Withdrawal",
            TransferKind.RELEASE: "Deposit released",
            TransferKind.REVERSAL: "Order reversed",
        },
        zh={
            TransferKind.FUNDING: "充值",
            TransferKind.SETTLEMENT: "订单结算",
            TransferKind.SPREAD: "点差",
            TransferKind.WITHDRAWAL: "提现",
            TransferKind.RELEASE: "保证金释放",
            TransferKind.REVERSAL: "订单冲正",
        },
    )
    done = Text[dict[str, str]](
        en={
            "requested": "The withdrawal was requested. Its amount is held.",
            "cancelled": "The withdrawal was cancelled. Its amount is available again.",
            "added": "The address was added. It can be used in 24 hours.",
            "removed": "The address was removed.",
        },
        zh={
            "requested": "提现申请已提交，金额已冻结。",
            "cancelled": "提现申请已取消，金额已解冻。",
            "added": "地址已添加，24 小时后可用。",
            "removed": "地址已移除。",
        },
    )
    problems = Text[dict[WithdrawalProblem, Notice]](
        en={
            WithdrawalProblem.BAD_ADDRESS: Notice(
                headline="This is not an address of this network",
                advice="Compare it letter by letter with where you copied it. Nothing was added.",
            ),
            WithdrawalProblem.BAD_LABEL: Notice(
                headline="The label does not fit",
                advice="Use 1 to 64 characters. Nothing was added.",
            ),
            WithdrawalProblem.ADDRESS_KNOWN: Notice(
                headline="This address is already here", advice="Nothing was added."
            ),
            WithdrawalProblem.BOOK_FULL: Notice(
                headline="There are 20 addresses", advice="Remove one that you no longer use."
            ),
            WithdrawalProblem.UNKNOWN_ADDRESS: Notice(
                headline="This address is not in the list", advice="Somebody may have removed it."
            ),
            WithdrawalProblem.ADDRESS_RESTS: Notice(
                headline="This address is too new",
                advice="It can be used 24 hours after it was added.",
            ),
            WithdrawalProblem.BAD_AMOUNT: Notice(
                headline="The amount does not fit",
                advice="Enter more than 0 USDT, with at most 6 decimals, such as 1250.50 or 1,250.50.",
            ),
            WithdrawalProblem.BAD_MEMO: Notice(
                headline="The memo does not fit", advice="Use at most 128 characters, on one line."
            ),
            WithdrawalProblem.BALANCE_TOO_LOW: Notice(
                headline="The available balance is too low", advice="Nothing was requested."
            ),
            WithdrawalProblem.TOO_MANY_OPEN: Notice(
                headline="20 withdrawals are waiting", advice="Wait until some of them are decided."
            ),
            WithdrawalProblem.STALE_FORM: Notice(
                headline="This form was used or is too old",
                advice="Look at the list of withdrawals before you fill it in again.",
            ),
            WithdrawalProblem.UNKNOWN_REQUEST: Notice(
                headline="There is no such withdrawal", advice="Nothing has been changed."
            ),
            WithdrawalProblem.TAKEN_UP: Notice(
                headline="This withdrawal can no longer be cancelled",
                advice="The operator is already checking it, or it was decided.",
            ),
        },
        zh={
            WithdrawalProblem.BAD_ADDRESS: Notice(
                headline="地址格式与所选网络不符",
                advice="请与原地址逐字核对后重新填写。地址未添加。",
            ),
            WithdrawalProblem.BAD_LABEL: Notice(
                headline="名称不符合要求", advice="请填写 1 至 64 个字符。"
            ),
            WithdrawalProblem.ADDRESS_KNOWN: Notice(
                headline="该地址已存在", advice="无需重复添加。"
            ),
            WithdrawalProblem.BOOK_FULL: Notice(
                headline="最多添加 20 个地址", advice="请先移除不再使用的地址。"
            ),
            WithdrawalProblem.UNKNOWN_ADDRESS: Notice(
                headline="该地址不在列表中", advice="可能已被其他成员移除。"
            ),
            WithdrawalProblem.ADDRESS_RESTS: Notice(
                headline="该地址暂不可用", advice="地址添加 24 小时后方可使用。"
            ),
            WithdrawalProblem.BAD_AMOUNT: Notice(
                headline="金额不符合要求",
                advice="请填写大于 0 的金额，最多 6 位小数，例如 1250.50 或 1,250.50。",
            ),
            WithdrawalProblem.BAD_MEMO: Notice(
                headline="备注不符合要求", advice="最多 128 个字符，不能换行。"
            ),
            WithdrawalProblem.BALANCE_TOO_LOW: Notice(
                headline="可用余额不足", advice="申请未提交。"
            ),
            WithdrawalProblem.TOO_MANY_OPEN: Notice(
                headline="待处理的提现已达 20 笔", advice="请等待其中部分处理完成后再提交。"
            ),
            WithdrawalProblem.STALE_FORM: Notice(
                headline="该表单已提交过或已过期", advice="重新填写前，请先查看提现列表。"
            ),
            WithdrawalProblem.UNKNOWN_REQUEST: Notice(
                headline="提现申请不存在", advice="未做任何更改。"
            ),
            WithdrawalProblem.TAKEN_UP: Notice(
                headline="该提现申请已无法取消", advice="平台正在审核，或已处理完成。"
            ),
        },
    )


class EndpointTexts(Texts):
    """Further callback addresses."""

    headline = Text(en="Callback endpoints", zh="回调接收端")
    advice = Text(
        en="Up to 5 addresses beside the default one. Each gets every callback of its types, under the same webhook-id and signed with its own secret. An order’s own callback_url stays its only target.",
        zh="除默认地址外最多 5 个。每个接收端都会收到其订阅类型的全部回调，webhook-id 相同，并用各自的密钥签名。订单自带 callback_url 时仍只发往该地址。",
    )
    default = Text(en="Default address", zh="默认回调地址")
    all_types = Text(en="all types", zh="全部类型")
    add = Text(en="Add an endpoint", zh="添加接收端")
    url = Text(en="Address", zh="接收地址")
    events = Text(en="Types of events", zh="事件类型")
    events_hint = Text(
        en="Leave it empty for all, or write some of these with commas:",
        zh="留空表示全部，或填写其中若干项（用英文逗号分隔）：",
    )
    remove = Text(en="Remove", zh="删除")
    problems = Text[dict[str, str]](
        en={
            "url": "Nothing can be sent to this address. Use a public http or https address.",
            "events": "There is no such type of event.",
            "full": "There are 5 endpoints already. Remove one first.",
        },
        zh={
            "url": "无法向该地址发送，请填写公网 http 或 https 地址。",
            "events": "没有这种事件类型。",
            "full": "已有 5 个接收端，请先删除一个。",
        },
    )


class CallbackTexts(Texts):
    """Deliveries, their attempts, tests and paused endpoints."""

    address = Text(en="Default address", zh="默认回调地址")
    no_default = Text(
        en="There is none. Orders without an address of their own send no callbacks.",
        zh="尚未设置。未指定回调地址的订单不会发送回调。",
    )
    retried = Text(en="failed, tried again", zh="失败，重试中")
    to_settings = Text(en="Change it in the settings", zh="前往设置修改")
    paused = Text(en="Paused addresses", zh="已暂停的地址")
    paused_advice = Text(
        en="These addresses kept failing. Callbacks wait until a probe is answered with 2xx. After 72 hours they are given up. Resume sends the probe now.",
        zh="这些地址连续投递失败，回调已暂停发送，待探测返回 2xx 后恢复；暂停满 72 小时的回调将被放弃。点击“立即恢复”会马上发起一次探测。",
    )
    since = Text(en="Paused since", zh="暂停时间")
    probe = Text(en="next probe", zh="下次探测")
    resume = Text(en="Resume", zh="立即恢复")
    test = Text(en="Send a test event", zh="发送测试事件")
    test_advice = Text(
        en="A signed endpoint.test is sent once. Its result is in the list below a few seconds later. At most 10 a minute.",
        zh="系统会发送一次已签名的 endpoint.test 事件，几秒后可在下方列表查看结果。每分钟最多 10 次。",
    )
    url = Text(en="Address", zh="接收地址")
    url_hint = Text(en="Leave it empty for the default address.", zh="留空则发送到默认地址。")
    mode = Text(en="Mode", zh="模式")
    send = Text(en="Send", zh="发送")
    no_address = Text(
        en="There is no default address. Enter an address.", zh="尚未设置默认地址，请填写接收地址。"
    )
    bad_address = Text(
        en="Nothing can be sent to this address. Use a public http or https address of at most 255 characters, with port 80, 443 or from 1024 on.",
        zh="无法向该地址发送。请填写公网 http 或 https 地址（最多 255 个字符），端口为 80、443 或 1024 以上。",
    )
    deliveries = Text(en="Deliveries", zh="投递记录")
    state = Text(en="Status", zh="状态")
    any = Text(en="Any", zh="全部")
    show = Text(en="Show", zh="查询")
    none = Text(en="No delivery matches.", zh="没有符合条件的投递记录。")
    none_here = Text(
        en="None among the deliveries that were read. Older ones may match.",
        zh="本次读取的记录中没有符合条件的，更早的记录中可能有。",
    )
    newest = Text(en="Newest", zh="最新")
    older = Text(en="Older deliveries", zh="更早的记录")
    next = Text(en="next attempt", zh="下次投递")
    waits = Text(en="waits for a paused address", zh="等待已暂停的地址恢复")
    attempts = Text(en="Attempts", zh="投递次数")
    payload = Text(en="Payload", zh="回调内容")
    not_sent = Text(en="Not sent yet", zh="尚未投递")
    redeliver = Text(en="Send again", zh="重新投递")
    modes = Text[dict[str, str]](
        en={"live": "Live", "test": "Test"}, zh={"live": "正式", "test": "测试"}
    )
    failures = Text[dict[Failure, str]](
        en={
            Failure.REFUSED_TARGET: "address not allowed",
            Failure.DNS: "name not found",
            Failure.CONNECT: "no connection",
            Failure.TLS: "TLS failed",
            Failure.TIMEOUT: "no answer in time",
            Failure.RESET: "connection broken",
            Failure.PROTOCOL: "not HTTP",
            Failure.TOO_LONG: "answer too long",
        },
        zh={
            Failure.REFUSED_TARGET: "地址不允许",
            Failure.DNS: "域名解析失败",
            Failure.CONNECT: "连接失败",
            Failure.TLS: "TLS 握手失败",
            Failure.TIMEOUT: "响应超时",
            Failure.RESET: "连接中断",
            Failure.PROTOCOL: "不是有效的 HTTP 响应",
            Failure.TOO_LONG: "响应过长",
        },
    )
    done = Text[dict[str, str]](
        en={
            "redelivered": "The callback is being sent again.",
            "tested": "The test event is being sent. Reload in a few seconds to see the result.",
            "resumed": "The address is being probed. If it answers, waiting callbacks are sent.",
        },
        zh={
            "redelivered": "正在重新投递该回调。",
            "tested": "测试事件正在发送，请几秒后刷新查看结果。",
            "resumed": "正在探测该地址，如有正常响应，等待中的回调将陆续发送。",
        },
    )


class DeveloperTexts(Texts):
    """Keys, addresses, refused calls and the API explorer."""

    keys = Text(en="Keys", zh="密钥")
    keys_advice = Text(
        en="A new secret works at once. The newest one of today stays valid until the next change, so you can change over without a refused call. Live sells that are signed with a young secret wait for some hours.",
        zh="新密钥立即生效，当前最新的旧密钥在下次更换前仍有效，切换期间不会中断。使用新密钥签名的正式卖单将暂缓数小时匹配。",
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
        en="Give each program a key that can do what it needs and no more: at most 5 keys each for live and test. They share one request rate. A removed key is refused within seconds.",
        zh="为每个程序创建一个仅有所需权限的密钥：正式与测试各最多 5 个，共用同一请求频率。删除后数秒内即被拒绝。",
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
        en="The last 100 of the last 30 days, newest first, without their parameters. During a flood only some are listed. Calls with an unknown api_key, unreadable bodies and 5001 are not.",
        zh="显示最近 30 天内的最后 100 次，最新的在前，不含请求参数。大量调用被拒绝时仅记录部分。api_key 无法识别、请求体无法解析及返回 5001 的调用不作记录。",
    )
    nothing_refused = Text(en="None in the last 30 days.", zh="最近 30 天没有。")
    more_refused = Text(en="Show {count} older", zh="显示更早的 {count} 条")
    from_network = Text(en="from {network}", zh="来自 {network}")
    explorer = Text(en="API explorer", zh="接口调试")
    explorer_advice = Text(
        en="Build a call, see how it is signed, and send it with your test key. It reaches test orders and test money only. Nothing of it is stored here.",
        zh="填写请求，查看签名过程，并使用测试密钥发送。仅涉及测试订单和测试资金，此处不保存任何内容。",
    )
    limited_advice = Text(
        en="Your merchant lists the addresses that may call. The explorer sends from the service’s own address, so the answer is 1105. Sign only, and run the command on one of your servers.",
        zh="贵商户已限制可调用的 IP。本页从平台的地址发送，会返回 1105。请选择“仅签名”，并在您的服务器上运行命令。",
    )
    open_explorer = Text(en="Open the API explorer", zh="打开接口调试")
    operation = Text(en="Operation", zh="接口")
    show_example = Text(en="Show the example", zh="显示示例")
    body = Text(en="Body as JSON", zh="请求体（JSON）")
    body_hint = Text(
        en="api_key, timestamp, nonce and signature are added. A timestamp or nonce of yours is kept.",
        zh="api_key、timestamp、nonce 和 signature 会自动添加；自行填写的 timestamp 或 nonce 将保留。",
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
    scopes = Text[dict[str, str]](
        en={"full": "everything", "buy": "create and cancel buys, query", "read": "only query"},
        zh={"full": "全部权限", "buy": "创建与取消买单、查询", "read": "仅查询"},
    )
    rules = Text[dict[str, str]](
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
    examples = Text[dict[str, str]](
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


class OverviewTexts(Texts):
    """Balance, figures of the last days, and what needs attention."""

    live = Text(en="Live orders only.", zh="仅统计正式订单。")
    attention = Text(en="Needs attention", zh="待关注")
    fine = Text(
        en="No open dispute, no paused address, no limit near its end.",
        zh="没有进行中的争议、已暂停的回调地址或即将用尽的限额。",
    )
    disputes = Text(en="Open disputes: {count}", zh="进行中的争议：{count}")
    paused = Text(en="Callbacks are paused for", zh="回调已暂停：")
    near = Text(en="{name}: {used} of {most} in use", zh="{name}：已用 {used} / {most}")
    today = Text(en="Today", zh="今日")
    days = Text(en="Last 30 days", zh="最近 30 天")
    orders = Text(en="Orders", zh="订单数")
    cny = Text(en="Completed, CNY", zh="成交金额（CNY）")
    rate = Text(en="Completion rate", zh="完成率")
    median = Text(en="Median time to complete", zh="完成用时中位数")
    median_hint = Text(
        en="From the payment, or the assignment of a sell, to the completion.",
        zh="从付款（卖单从接单）到订单完成的时间。",
    )
    within = Text(en="≤ {minutes} min", zh="≤ {minutes} 分钟")
    over_an_hour = Text(en="> 1 h", zh="> 1 小时")
    fresh = Text(
        en="An order counts on the day of its creation, Beijing time. Today was counted at {time}, and is counted again every 15 minutes; an earlier day several times a day.",
        zh="订单按创建日期（北京时间）统计。今日数据统计于 {time}，每 15 分钟更新；此前各日的数据每天更新数次。",
    )
    not_yet = Text(
        en="Today’s orders are not counted yet. They are counted every 15 minutes.",
        zh="今日订单尚未统计，每 15 分钟统计一次。",
    )
    missing = Text(
        en="Days that are not counted yet, and not in the sums: {count}.",
        zh="有 {count} 天尚未统计，未计入合计。",
    )
    chart = Text(en="Completed CNY by day", zh="每日成交金额（CNY）")
    most = Text(en="From {first} to {last}", zh="{first} 至 {last}")
    table = Text(en="Figures by day", zh="每日数据")
    day = Text(en="Day", zh="日期")
    none = Text(en="–", zh="–")
    limits = Text[dict[OpenLimit, str]](
        en={
            OpenLimit.BUYS: "Open buys",
            OpenLimit.CNY: "CNY in open buys",
            OpenLimit.SELLS: "Open sells",
            OpenLimit.SELL_CNY: "CNY in open sells",
        },
        zh={
            OpenLimit.BUYS: "进行中的买单",
            OpenLimit.CNY: "进行中买单的金额（CNY）",
            OpenLimit.SELLS: "进行中的卖单",
            OpenLimit.SELL_CNY: "进行中卖单的金额（CNY）",
        },
    )


class PortalSettingsTexts(Texts):
    """What payers see, callbacks and source addresses."""

    payers = Text(en="What payers see", zh="付款人可见信息")
    payers_advice = Text(
        en="The payment pages begin with your name, and show whom a payer can ask.",
        zh="付款页面顶部显示商户名称，并提供客服联系方式。",
    )
    support_hint = Text(
        en="E-mail addresses and phone numbers in it become links, for example: help@shop.example, +86 755 1234 5678.",
        zh="其中的邮箱和电话会自动成为链接，例如：help@shop.example，0755-12345678。",
    )
    shown_as = Text(en="Payers see:", zh="付款人看到：")
    receipt_hint = Text(
        en="Required: a payer adds a screenshot before “I have paid”. It applies to new orders.",
        zh="设为必须后，付款人须先上传凭证才能点击“我已付款”。仅对新订单生效。",
    )
    logo_advice = Text(
        en="The payment pages show it beside the display name. Without one they show the name’s first letter.",
        zh="付款页面在显示名称旁展示商户标志；未设置时展示名称的首字。",
    )
    logo_file = Text(en="Picture of the logo", zh="标志图片")
    logo_rules = Text(
        en="PNG or JPEG, up to 512 KB. A square picture fits best; what is transparent becomes white.",
        zh="支持 PNG 或 JPEG，最大 512 KB。建议使用正方形图片，透明部分显示为白色。",
    )
    logo_send = Text(en="Save logo", zh="保存标志")
    logo_remove = Text(en="Remove logo", zh="移除标志")
    logo_unfit = Text(
        en="Choose a PNG or JPEG picture of at most 512 KB. The logo was not changed.",
        zh="请选择不超过 512 KB 的 PNG 或 JPEG 图片。标志未更改。",
    )
    logo_tried_often = Text(
        en="10 files were tried today, which is the maximum. The logo was not changed.",
        zh="今天已尝试 10 个文件，已达上限。标志未更改。",
    )
    callbacks = Text(en="Callbacks", zh="回调")
    callback_hint = Text(
        en="Callbacks go here if an order has no callback_url of its own. Empty: they are only recorded.",
        zh="订单未指定 callback_url 时，回调发送到此地址；留空则仅记录，不发送。",
    )
    networks = Text(en="Source addresses of API calls", zh="API 调用来源 IP")
    networks_hint = Text(
        en="One address or network a line, at most 50, for example 203.0.113.7 or 203.0.113.0/24. Calls from other addresses are refused. Without any, every address may call. A change works within some minutes.",
        zh="每行一个 IP 或网段，最多 50 个，例如 203.0.113.7 或 203.0.113.0/24。其他来源的调用将被拒绝；留空则不限制。更改将在几分钟内生效。",
    )
    any_network = Text(en="Every address may call.", zh="不限制来源。")
    nothing = Text(en="not set", zh="未设置")
    save = Text(en="Save", zh="保存")
    save_fresh = Text(en="Save with passkey", zh="验证通行密钥并保存")
    saved = Text(en="The settings were saved.", zh="设置已保存。")
    fields = Text[dict[str, str]](
        en={
            "display_name": "Display name",
            "support": "Support contact",
            "require_receipt": "Receipt of the payment",
            "callback_url": "Default callback address",
            "allowed_cidrs": "Source addresses",
            "logo": "Logo",
        },
        zh={
            "display_name": "显示名称",
            "support": "客服联系方式",
            "require_receipt": "付款凭证",
            "callback_url": "默认回调地址",
            "allowed_cidrs": "来源 IP",
            "logo": "商户标志",
        },
    )
    receipt = Text[dict[bool, str]](
        en={True: "Required", False: "Optional"}, zh={True: "必须", False: "可选"}
    )
    problems = Text[dict[str, str]](
        en={
            "display_name": "Use at most 64 visible characters, and not the name of another merchant. Nothing was saved.",
            "support": "Use at most 255 visible characters. Nothing was saved.",
            "callback_url": "Enter an http or https address of a public host, at most 255 characters. Its port is 80, 443 or 1024 to 65535. It has no user name, password or fragment. Nothing was saved.",
            "allow_cidr": "Enter at most 50 addresses or networks. A network begins with its first address: 203.0.113.0/24, not 203.0.113.7/24. Nothing was saved.",
        },
        zh={
            "display_name": "最多 64 个可见字符，且不得与其他商户同名。设置未保存。",
            "support": "最多 255 个可见字符。设置未保存。",
            "callback_url": "请填写公网的 http 或 https 地址，最多 255 个字符，端口为 80、443 或 1024 至 65535，不含用户名、密码和片段（#）。设置未保存。",
            "allow_cidr": "最多 50 个 IP 或网段。网段须以其首个地址书写：203.0.113.0/24，而不是 203.0.113.7/24。设置未保存。",
        },
    )


class SignInTexts(Texts):
    """The texts of the login, the invitation and the logout."""

    login = Text(
        en=Notice(
            headline="Merchant portal",
            advice="Sign in with the passkey that you made on this device.",
        ),
        zh=Notice(headline="商户后台", advice="请使用您已注册的通行密钥登录。"),
    )
    sign_in = Text(en="Sign in", zh="登录")
    log_in = Text(en="Sign in with a passkey", zh="使用通行密钥登录")
    log_out = Text(en="Sign out", zh="退出登录")
    ask_to_log_out = Text(
        en=Notice(headline="Sign out?", advice="You need your passkey to sign in again."),
        zh=Notice(headline="确定退出登录？", advice="再次登录需要使用通行密钥。"),
    )
    stay = Text(en="Stay signed in", zh="保持登录")
    lapsed = Text(
        en=Notice(
            headline="Your session has ended",
            advice="Nothing was changed. Sign in again, and repeat what you wanted to do.",
        ),
        zh=Notice(headline="登录已失效", advice="刚才的操作未生效。请重新登录后再操作。"),
    )
    refused = Text(
        en="This passkey was not accepted. Try again, or ask your admin for a new invitation.",
        zh="通行密钥未通过验证。请重试，或向您的管理员索取新的邀请。",
    )
    lost = Text(
        en=Notice(
            headline="Lost your device?",
            advice="Please ask an admin of your team: an admin can remove you and invite you again, and your old sessions end. If you are the only admin, ask your contact at the operator for a new invitation.",
        ),
        zh=Notice(
            headline="设备遗失？",
            advice="请联系团队中的管理员：管理员可移除您并重新邀请，原有会话随即失效。如您是唯一的管理员，请联系平台对接人，申请新的邀请。",
        ),
    )
    not_done = Text(en="No passkey was used. Please try again.", zh="未使用通行密钥，请重试。")
    no_passkeys = Text(
        en="This browser cannot use passkeys here. Use a current browser with a screen lock.",
        zh="此浏览器无法使用通行密钥，请使用新版浏览器，并确保设备已设置锁屏。",
    )
    needs_script = Text(
        en="Passkeys need JavaScript. Please allow it for this page.",
        zh="通行密钥需要 JavaScript，请为本页启用。",
    )
    invited = Text(en="Invitation", zh="邀请")
    invited_to = Text(en="Join {merchant}", zh="加入 {merchant}")
    invitation_advice = Text(
        en="Make a passkey for this portal. It stays on your device or in your password manager, and you sign in with it: there is no password. This link works once.",
        zh="请为本后台创建通行密钥。密钥保存在您的设备或密码管理器中，以后凭它登录，无需密码。此链接只能使用一次。",
    )
    code = Text(en="Code", zh="验证码")
    code_hint = Text(
        en="Another person at the desk has it: ask there for the code of your invitation.",
        zh="由平台的另一位人员保管，请向其索取您的邀请验证码。",
    )
    wrong_code = Text(
        en="This is not the code of this invitation. Please check it and try again.",
        zh="此邀请的验证码不正确，请核对后重试。",
    )
    make = Text(en="Make a passkey", zh="创建通行密钥")
    name = Text(en="Name", zh="姓名")
    role = Text(en="Role", zh="角色")
    safety = Text(
        en="Never pass this link on. Support will not ask you for it.",
        zh="请勿转发此链接，客服不会向您索要。",
    )


class TeamTexts(Texts):
    """The texts of the team's page."""

    members = Text(en="Members", zh="成员")
    you = Text(en="you", zh="您")
    since = Text(en="since", zh="始于")
    used = Text(en="last used", zh="最近使用")
    until = Text(en="until", zh="有效期至")
    role_of = Text(en="Role of {name}", zh="{name}的角色")
    change_role = Text(en="Change role", zh="更改角色")
    remove = Text(en="Remove", zh="移除")
    invite = Text(en="Invite somebody", zh="邀请成员")
    invite_advice = Text(
        en="You get a link that works once, within 24 hours. Send it to this person only.",
        zh="系统将生成邀请链接，24 小时内有效，只能使用一次。请仅发送给本人。",
    )
    wrong_name = Text(
        en="Enter a name of at most 64 visible characters.", zh="请输入姓名，最多 64 个可见字符。"
    )
    new_link = Text(en="Invitation link", zh="邀请链接")
    new_link_advice = Text(
        en="It is shown this one time. Copy it now.", zh="链接只显示这一次，请立即复制。"
    )
    invitations = Text(en="Open invitations", zh="待接受的邀请")
    invited_by = Text(en="by", zh="邀请人")
    operator = Text(en="orderdesk", zh="平台")
    withdraw = Text(en="Withdraw", zh="撤回")
    passkeys = Text(en="Your passkeys", zh="您的通行密钥")
    unknown_device = Text(en="Unknown device", zh="未知设备")
    revoke = Text(en="Revoke", zh="吊销")
    add_passkey = Text(en="Add a passkey", zh="添加通行密钥")
    add_passkey_advice = Text(
        en="A second passkey on another device lets you in if you lose the first.",
        zh="在另一台设备上添加通行密钥，可在遗失第一个时继续登录。",
    )
    back = Text(en="Back to the team", zh="返回团队")
    sessions = Text(en="Sessions", zh="登录会话")
    this_session = Text(en="this one", zh="当前会话")
    end = Text(en="End", zh="结束")
    trail = Text(en="What was done", zh="操作记录")
    older = Text(en="Older entries", zh="更早的记录")
    actions = Text[dict[str, str]](
        en={
            "member.join": "joined",
            "member.sign-in": "signed in",
            "member.invite": "invited",
            "member.withdraw": "withdrew an invitation",
            "member.role": "changed a role",
            "member.remove": "removed a member",
            "key.rotate": "made a new secret",
            "key.make": "made a key",
            "key.remove": "removed a key",
            "endpoint.add": "added a callback endpoint",
            "endpoint.remove": "removed a callback endpoint",
            "endpoint.rotate": "made a secret of a callback endpoint",
            "passkey.add": "added a passkey",
            "passkey.revoke": "revoked a passkey",
            "session.end": "ended a session",
            "withdrawal.request": "requested a withdrawal",
            "withdrawal.cancel": "cancelled a withdrawal",
            "address.add": "added an address",
            "address.remove": "removed an address",
            "settings.change": "changed settings",
            "order.cancel": "cancelled an order",
            "order.dispute": "disputed an order",
            "order.say": "added a text to a dispute",
            "order.picture": "added a picture to a dispute",
            "callback.redeliver": "sent a callback again",
            "callback.test": "sent a test event",
            "callback.resume": "resumed an address",
        },
        zh={
            "member.join": "加入团队",
            "member.sign-in": "登录",
            "member.invite": "邀请成员",
            "member.withdraw": "撤回邀请",
            "member.role": "更改角色",
            "member.remove": "移除成员",
            "key.rotate": "更换密钥",
            "key.make": "创建密钥",
            "key.remove": "删除密钥",
            "endpoint.add": "添加回调接收端",
            "endpoint.remove": "删除回调接收端",
            "endpoint.rotate": "更换接收端密钥",
            "passkey.add": "添加通行密钥",
            "passkey.revoke": "吊销通行密钥",
            "session.end": "结束会话",
            "withdrawal.request": "申请提现",
            "withdrawal.cancel": "取消提现申请",
            "address.add": "添加提现地址",
            "address.remove": "移除提现地址",
            "settings.change": "更改设置",
            "order.cancel": "取消订单",
            "order.dispute": "发起争议",
            "order.say": "在争议中留言",
            "order.picture": "在争议中上传图片",
            "callback.redeliver": "重新投递回调",
            "callback.test": "发送测试事件",
            "callback.resume": "恢复回调地址",
        },
    )


class PortalOrderTexts(Texts):
    """The texts of the orders' pages."""

    number = Text(en="Number or its ending, remark, or amount", zh="订单号或末尾、转账备注、金额")
    number_hint = Text(en="A-1001, 210123 or 1250.50", zh="如 A-1001、210123、1250.50")
    filters = Text(en="Filters", zh="筛选")
    status = Text(en="Status", zh="状态")
    type = Text(en="Type", zh="类型")
    mode = Text(en="Mode", zh="模式")
    any = Text(en="Any", zh="全部")
    buy = Text(en="Buy", zh="买入")
    sell = Text(en="Sell", zh="卖出")
    live = Text(en="Live", zh="正式")
    test = Text(en="Test", zh="测试")
    since = Text(en="From day", zh="起始日期")
    until = Text(en="To day", zh="截止日期")
    min = Text(en="From CNY", zh="最低金额")
    max = Text(en="To CNY", zh="最高金额")
    show = Text(en="Show", zh="查询")
    all = Text(en="All orders", zh="全部订单")
    csv = Text(en="Save as CSV", zh="导出 CSV")
    csv_rest = Text(
        en="This file goes back to {last}. The orders before are at {address}",
        zh="本文件截止到 {last}，更早的订单请打开 {address}",
    )
    unfit = Text(
        en="A field is not readable. An amount is such as 1250.50 or 1,250.50.",
        zh="查询条件有误。金额请填写如 1250.50 或 1,250.50。",
    )
    none = Text(en="No order matches.", zh="没有符合条件的订单。")
    none_here = Text(
        en="None among the orders that were read. Older ones may match.",
        zh="本次读取的订单中没有符合条件的，更早的订单中可能有。",
    )
    older = Text(en="Older orders", zh="更早的订单")
    order_no = Text(en="Number", zh="订单号")
    own_number = Text(en="Your number", zh="商户订单号")
    cny = Text(en="Amount", zh="金额")
    created = Text(en="Created", zh="创建时间")
    rate = Text(en="Rate, CNY per USDT", zh="汇率（CNY/USDT）")
    usdt = Text(en="Amount", zh="USDT 数量")
    fee = Text(en="Fee", zh="手续费")
    deposit = Text(en="Deposit", zh="保证金")
    actual = Text(en="You get or pay", zh="实收/实付")
    is_refund = Text(en="Refund", zh="退款单")
    is_refunded = Text(en="Has refunds", zh="有退款")
    is_reversed = Text(en="Reversed", zh="已冲正")
    is_reversed_in_part = Text(en="Partly reversed", zh="部分冲正")
    is_claimed = Text(en="Paid after cancelling", zh="取消后已付款")
    effects = Text(en="Refunds and reversals", zh="退款与冲正")
    refund_of = Text(en="Refunds", zh="退款对应的买单")
    refund = Text(en="Refunded by", zh="退款卖单")
    refundable = Text(en="Can still be refunded", zh="尚可退款")
    reversal = Text(en="Reversed", zh="冲正")
    reversed = Text(en="Reversed in all", zh="冲正合计")
    claimed = Text(en="Paid after the order was cancelled", zh="订单取消后已付款")
    claim_advice = Text(
        en="A trader had paid your customer before the order was cancelled. Support compared the proofs, and this amount was deducted from your balance.",
        zh="订单取消前，交易员已向您的客户付款。客服核对凭证后，已从您的余额扣除该金额。",
    )
    disputing = Text(
        en=QuestionTexts(
            link="Open a dispute",
            notice=Notice(
                headline="Open a dispute?",
                advice="Do so only if your customer has paid. Our support will look into it, and you can add texts and pictures.",
            ),
            keep="Keep waiting",
            go="Open a dispute",
        ),
        zh=QuestionTexts(
            link="发起争议",
            notice=Notice(
                headline="确认发起争议？",
                advice="请仅在客户已付款时发起。客服将介入处理，您可以补充说明和图片。",
            ),
            keep="继续等待",
            go="发起争议",
        ),
    )
    timeline = Text(en="Progress", zh="进度")
    pay_link = Text(en="Pay link", zh="付款链接")
    pay_link_advice = Text(
        en="For your customer only: with this link anybody can pay or cancel the order.",
        zh="请仅发送给您的客户：持有此链接者可付款或取消订单。",
    )
    callbacks = Text(en="Callbacks", zh="回调")
    no_callbacks = Text(en="No callback yet.", zh="暂无回调。")
    back = Text(en="Back to the orders", zh="返回订单列表")
    cancelling = Text[ByType[QuestionTexts]](
        en=ByType(
            buy=QuestionTexts(
                link="Cancel this order",
                notice=Notice(
                    headline="Cancel this order?",
                    advice="Your customer can then no longer pay it. Cancel only if no money has been transferred. A cancelled order cannot be reopened.",
                ),
                keep="Keep the order",
                go="Cancel the order",
            ),
            sell=QuestionTexts(
                link="Cancel this order",
                notice=Notice(
                    headline="Cancel this order?",
                    advice="The held USDT is returned to your balance. A cancelled order cannot be reopened.",
                ),
                keep="Keep the order",
                go="Cancel the order",
            ),
        ),
        zh=ByType(
            buy=QuestionTexts(
                link="取消订单",
                notice=Notice(
                    headline="确认取消订单？",
                    advice="取消后客户无法再付款，请仅在尚未转账时取消。订单取消后无法恢复。",
                ),
                keep="暂不取消",
                go="确认取消",
            ),
            sell=QuestionTexts(
                link="取消订单",
                notice=Notice(
                    headline="确认取消订单？",
                    advice="冻结的 USDT 将退回您的余额。订单取消后无法恢复。",
                ),
                keep="暂不取消",
                go="确认取消",
            ),
        ),
    )
    actors = Text[dict[Actor, str]](
        en={
            Actor.PAYER: "the customer",
            Actor.MERCHANT: "your side",
            Actor.TRADER: "the trader",
            Actor.OPERATOR: "support",
            Actor.CLOCK: "automatically",
        },
        zh={
            Actor.PAYER: "客户",
            Actor.MERCHANT: "商户",
            Actor.TRADER: "交易员",
            Actor.OPERATOR: "客服",
            Actor.CLOCK: "系统自动",
        },
    )
    receipts = Text[ByType[str]](
        en=ByType(buy="Receipts of the payment", sell="Proofs of the payment"),
        zh=ByType(buy="付款凭证", sell="转账凭证"),
    )


class PortalTexts(PageTexts):
    """The texts of all pages of the portal."""

    portal = Text(en="Merchant portal", zh="商户后台")
    navigation = Text(en="Portal", zh="后台导航")
    suspended = Text(
        en="This merchant is suspended. You can read everything, but change nothing.",
        zh="商户已停用：可以查看，但不能进行任何更改。",
    )
    recovery = Text(
        en="The operator has invited {name} as {role}, to recover the access to this merchant.",
        zh="平台已邀请{name}以{role}身份加入，用于恢复本商户的访问权限。",
    )
    recovery_opens = Text(en="The invitation opens", zh="邀请生效时间：")
    recovery_advice = Text(
        en="If your team did not ask for it, an admin can withdraw it now:",
        zh="如非贵团队申请，管理员可立即撤回：",
    )
    to_overview = Text(en="Back to the overview", zh="返回概览")
    sign_in = Group(SignInTexts)
    balance = Group(BalanceTexts)
    team = Group(TeamTexts)
    overview = Group(OverviewTexts)
    orders = Group(PortalOrderTexts)
    callbacks = Group(CallbackTexts)
    developers = Group(DeveloperTexts)
    endpoints = Group(EndpointTexts)
    settings = Group(PortalSettingsTexts)
    sections = Text[dict[str, str]](
        en={
            "overview": "Overview",
            "orders": "Orders",
            "callbacks": "Callbacks",
            "developers": "Developers",
            "balance": "Balance",
            "team": "Team",
            "settings": "Settings",
        },
        zh={
            "overview": "概览",
            "orders": "订单",
            "callbacks": "回调",
            "developers": "开发",
            "balance": "余额",
            "team": "团队",
            "settings": "设置",
        },
    )
    roles = Text[dict[MemberRole, str]](
        en={
            MemberRole.ADMIN: "Admin",
            MemberRole.FINANCE: "Finance",
            MemberRole.DEVELOPER: "Developer",
            MemberRole.VIEWER: "Viewer",
        },
        zh={
            MemberRole.ADMIN: "管理员",
            MemberRole.FINANCE: "财务",
            MemberRole.DEVELOPER: "开发者",
            MemberRole.VIEWER: "只读",
        },
    )
    problems = Text[dict[str, Notice]](
        en={
            "page_not_found": Notice(
                headline="There is no such page",
                advice="The address may be incomplete, or not yours to see.",
            ),
            "order_not_found": Notice(
                headline="There is no such order",
                advice="It may be incomplete, or not your merchant’s.",
            ),
            "member_not_found": Notice(
                headline="There is no such member",
                advice="Somebody may have changed the team meanwhile.",
            ),
            "invitation_not_found": Notice(
                headline="This invitation does not work",
                advice="It works once, within 24 hours. If you used it, sign in. Otherwise ask for a new one.",
            ),
            "invitation_rests": Notice(
                headline="This invitation is not open yet",
                advice="It opens 48 hours after it was made, and works once within 24 hours from then.",
            ),
            "role_not_allowed": Notice(
                headline="Your role may not do this",
                advice="Nothing has been changed. Ask an admin of your team.",
            ),
            "passkey_refused": Notice(
                headline="The passkey was not accepted",
                advice="Nothing has been changed. Go back and confirm again with your passkey.",
            ),
            "merchant_suspended": Notice(
                headline="This merchant is suspended",
                advice="Nothing has been changed. Please contact support.",
            ),
            "last_admin": Notice(
                headline="A team needs an admin",
                advice="Make somebody else an admin first. Nothing has changed.",
            ),
            "last_passkey": Notice(
                headline="This is the only passkey",
                advice="Register another one first. Nothing has changed.",
            ),
            "team_full": Notice(
                headline="There is no room",
                advice="A team has at most 50 members, a member at most 5 passkeys.",
            ),
            "try_again": Notice(
                headline="Very busy right now",
                advice="Please try again in a moment: sending twice does no harm.",
            ),
            "too_many_requests": Notice(
                headline="Too many attempts", advice="Please wait a few minutes and try again."
            ),
            "not_same_origin": Notice(
                headline="This did not come from our page",
                advice="Nothing has been changed. Open the portal again and continue there.",
            ),
            "bad_form": Notice(
                headline="What your browser sent could not be read",
                advice="Nothing has been changed. Please open the portal again and try again.",
            ),
            "internal_error": Notice(
                headline="Something went wrong on our side",
                advice="Before you repeat anything, check whether it was done.",
            ),
        },
        zh={
            "page_not_found": Notice(
                headline="页面不存在", advice="链接可能不完整，或您无权查看。"
            ),
            "order_not_found": Notice(
                headline="订单不存在", advice="订单号可能不完整，或不属于您的商户。"
            ),
            "member_not_found": Notice(
                headline="成员不存在", advice="团队信息可能已被其他人更改。"
            ),
            "invitation_not_found": Notice(
                headline="邀请无效",
                advice="邀请链接 24 小时内有效，且只能使用一次。如已使用，请直接登录；否则请向邀请人索取新的链接。",
            ),
            "invitation_rests": Notice(
                headline="邀请尚未生效",
                advice="邀请自创建起 48 小时后生效，此后 24 小时内有效，只能使用一次。",
            ),
            "role_not_allowed": Notice(
                headline="您的角色无权执行此操作", advice="未做任何更改，请联系团队管理员。"
            ),
            "passkey_refused": Notice(
                headline="通行密钥未通过验证",
                advice="未做任何更改。请返回上一页，重新使用通行密钥确认。",
            ),
            "merchant_suspended": Notice(
                headline="商户已停用", advice="未做任何更改，请联系客服。"
            ),
            "last_admin": Notice(
                headline="团队至少需要一名管理员", advice="请先将其他成员设为管理员。未做任何更改。"
            ),
            "last_passkey": Notice(
                headline="这是唯一的通行密钥", advice="请先注册另一个通行密钥。未做任何更改。"
            ),
            "team_full": Notice(
                headline="已达上限", advice="每个团队最多 50 名成员，每名成员最多 5 个通行密钥。"
            ),
            "try_again": Notice(headline="系统繁忙", advice="请稍后重试，重复提交不会造成影响。"),
            "too_many_requests": Notice(headline="操作过于频繁", advice="请稍等几分钟后再试。"),
            "not_same_origin": Notice(
                headline="此次提交并非来自本页",
                advice="未做任何更改。请重新打开商户后台，并在其中继续。",
            ),
            "bad_form": Notice(
                headline="提交的内容无法识别", advice="未做任何更改。请重新打开商户后台后再试。"
            ),
            "internal_error": Notice(
                headline="系统出现问题", advice="重复操作之前，请先确认操作是否已完成。"
            ),
        },
    )
    statuses = Text[ByStatus[str]](
        en=ByStatus(
            pending="Waiting for payment",
            paid="Reported as paid",
            matching="Waiting for a trader",
            assigned="Being paid out",
            completed="Completed",
            cancelled="Cancelled",
            expired="Expired",
            disputed="Disputed",
        ),
        zh=ByStatus(
            pending="待付款",
            paid="客户称已付款",
            matching="匹配中",
            assigned="付款中",
            completed="已完成",
            cancelled="已取消",
            expired="已超时",
            disputed="争议中",
        ),
    )
    states = Text[dict[DeliveryState, str]](
        en={
            DeliveryState.PENDING: "waiting",
            DeliveryState.DELIVERED: "delivered",
            DeliveryState.UNDELIVERABLE: "no address",
            DeliveryState.GONE: "address gone",
            DeliveryState.DEAD: "given up",
            DeliveryState.SKIPPED: "not wanted",
            DeliveryState.FAILED: "failed",
        },
        zh={
            DeliveryState.PENDING: "待投递",
            DeliveryState.DELIVERED: "已送达",
            DeliveryState.UNDELIVERABLE: "无回调地址",
            DeliveryState.GONE: "地址已失效",
            DeliveryState.DEAD: "已放弃",
            DeliveryState.SKIPPED: "未订阅",
            DeliveryState.FAILED: "未送达",
        },
    )
