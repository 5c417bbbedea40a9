"""The texts of the desk's login, its lists and its calls in Chinese."""

from orderdesk.web.pages.desk.texts import CallTexts, DutyTexts, ListTexts, LoginTexts, SearchTexts
from orderdesk.web.pages.texts import Notice

LOGIN_ZH = LoginTexts(
    notice=Notice("交易员工作台", "请使用运营人员提供的访问码登录。"),
    access_code="访问码",
    access_code_hint="共七组，每组四个字符；不区分大小写，连字符可省略。",
    show_code="显示输入内容",
    wrong_code="访问码不正确。请核对后重试，或向运营人员申请新的访问码。",
    log_in="登录",
    log_out="退出登录",
    safety="请勿将访问码告知任何人，工作人员不会向您索要。",
)

DUTY_ZH = DutyTexts(
    on=Notice("接单中", "新订单可能随时分配给您。"),
    off=Notice("已停止接单", "不会再分配新订单，未完成的订单仍需处理。"),
    suspended=Notice("账号已停用", "不会再分配新订单，现有订单由运营人员处理。请联系运营人员。"),
    go_on="开始接单",
    go_off="停止接单",
    refused=Notice("未能开始接单", "您的账号已停用，请联系运营人员。"),
)

LISTS_ZH = ListTexts(
    orders="订单",
    none_open=Notice("暂无待处理订单", "分配给您的订单将显示在这里，最紧急的排在最前。"),
    crowd="共有 {total} 个未结束的订单，最紧急的排在最前，本页显示 {shown} 个。",
    further="更多订单",
    most_urgent="返回最紧急的订单",
    amount="金额",
    account="账户",
    state="状态",
    todo="待办",
    all="全部",
    filter="按状态查看",
    none_filtered="没有处于此状态的订单。",
    sorted_by="排序：",
    alike="另有未结束的订单金额与账户相同，请核对付款人和备注。",
    history="历史",
    history_advice="已结束的订单，最新的在最前。",
    none_over=Notice("暂无记录", "订单结束后将显示在这里。"),
    balance="余额",
    available="可用余额",
    held="冻结金额",
    held_advice="冻结的 USDT 将在订单或提现结束时支付或退回。",
    postings="账户明细",
    none_posted=Notice("暂无记录", "余额的每次变动都将显示在这里。"),
    funding="资金调整",
    settlement="订单结算",
    withdrawal="提现",
    order="订单",
    times="时间均为北京时间。",
    older="更早的记录",
    newest="返回最新记录",
    not_live="您的浏览器无法自动更新本页。",
    reload="重新加载",
    changed="您的订单有变化。",
    show_changes="重新加载本页",
)

SEARCH_ZH = SearchTexts(
    number="订单编号或末尾数字",
    number_rule="请输入完整的订单编号，或至少末尾三位数字（如转账备注）。",
    amount="金额（人民币）",
    amount_rule="请输入金额，例如 1000.37。",
    day="日期",
    day_rule="请输入日期，例如 2026-06-01。",
    until="截止日期",
    until_rule="截止日期不得早于起始日期，且不超过 31 天。",
    search="查询",
    clear="显示全部",
    none_found=Notice("未找到订单", "仅查询已结束的订单；输入完整的订单编号可查询任何订单。"),
    cut="每次最多查询 {most} 个订单，此处的订单和合计可能不完整。点击“更早的记录”可继续查询。",
    totals="按日合计",
    totals_advice="已完成的订单，按创建日期统计。",
    received="收款（买单）",
    paid="付款（卖单）",
    unpaid="未完成",
    csv="下载 CSV（最多 2,000 个订单）",
    side="类型",
    created="创建时间",
    changed="结束时间",
)

CALLS_ZH = CallTexts(
    headline="提醒",
    advice="只要工作台处于打开状态（包括在后台标签页中），有订单分配给您或客户表示已付款时，"
    "将在 20 秒内提醒您。以下开关仅对此浏览器有效。",
    sound="声音",
    notification="通知",
    silent="浏览器已将本页静音，点击页面任意位置即可恢复声音。",
    closed="工作台关闭后也通知",
    closed_advice="通知由浏览器厂商的推送服务转发，不含订单、金额或任何人的信息。退出登录后停止。",
    unreached="未能开启。您的浏览器可能无法连接推送服务，请重试。",
    refused="浏览器不允许本网站发送通知，可在浏览器设置中更改。",
    waiting="有订单待处理",
    pushed="请打开工作台查看。",
    open="未结束的订单：{count}",
)
