"""The texts of the portal's callbacks page."""

from orderdesk.domain.callbacks.delivery import Failure
from orderdesk.web.pages.texts import Text, Texts


class EndpointTexts(Texts):
    """Further callback addresses."""

    headline = Text(en="Callback endpoints", zh="回调接收端")
    advice = Text(
        en=(
            "Up to 5 addresses beside the default one. Each gets every callback of its types, "
            "under the same webhook-id and signed with its own secret. An order’s own callback_url "
            "stays its only target."
        ),
        zh=(
            "除默认地址外最多 5 个。每个接收端都会收到其订阅类型的全部回调，webhook-id 相同，"
            "并用各自的密钥签名。订单自带 callback_url 时仍只发往该地址。"
        ),
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
    problems = Text(
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
        en=(
            "These addresses kept failing. Callbacks wait until a probe is answered with 2xx. "
            "After 72 hours they are given up. Resume sends the probe now."
        ),
        zh=(
            "这些地址连续投递失败，回调已暂停发送，待探测返回 2xx 后恢复；"
            "暂停满 72 小时的回调将被放弃。"
            "点击“立即恢复”会马上发起一次探测。"
        ),
    )
    since = Text(en="Paused since", zh="暂停时间")
    probe = Text(en="next probe", zh="下次探测")
    resume = Text(en="Resume", zh="立即恢复")
    test = Text(en="Send a test event", zh="发送测试事件")
    test_advice = Text(
        en=(
            "A signed endpoint.test is sent once. Its result is in the list below a few seconds "
            "later. At most 10 a minute."
        ),
        zh=(
            "系统会发送一次已签名的 endpoint.test 事件，几秒后可在下方列表查看结果。"
            "每分钟最多 10 次。"
        ),
    )
    url = Text(en="Address", zh="接收地址")
    url_hint = Text(en="Leave it empty for the default address.", zh="留空则发送到默认地址。")
    mode = Text(en="Mode", zh="模式")
    modes = Text(en={"live": "Live", "test": "Test"}, zh={"live": "正式", "test": "测试"})
    send = Text(en="Send", zh="发送")
    no_address = Text(
        en="There is no default address. Enter an address.", zh="尚未设置默认地址，请填写接收地址。"
    )
    bad_address = Text(
        en=(
            "Nothing can be sent to this address. Use a public http or https address of at most "
            "255 characters, with port 80, 443 or from 1024 on."
        ),
        zh=(
            "无法向该地址发送。请填写公网 http 或 https 地址（最多 255 个字符），"
            "端口为 80、443 或 1024 以上。"
        ),
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
    failures = Text(
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
    done = Text(
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
