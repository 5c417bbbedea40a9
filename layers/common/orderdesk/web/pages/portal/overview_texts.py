"""The texts of the portal's overview."""

from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.web.pages.texts import Text, Texts


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
    limits = Text(
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
        en=(
            "An order counts on the day of its creation, Beijing time. Today was counted at "
            "{time}, and is counted again every 15 minutes; an earlier day several times a day."
        ),
        zh=(
            "订单按创建日期（北京时间）统计。今日数据统计于 {time}，每 15 分钟更新；"
            "此前各日的数据每天更新数次。"
        ),
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
