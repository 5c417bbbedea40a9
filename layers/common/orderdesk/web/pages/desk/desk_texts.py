"""The texts of the trader desk.

Written by `make texts` from desk_texts.toml; do not edit.
"""

from orderdesk.domain.accounts import TransferKind
from orderdesk.domain.orders.order import ByStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import ByType
from orderdesk.domain.traders.trader import LimitField
from orderdesk.web.pages.shared_texts import PageTexts
from orderdesk.web.pages.texts import Group, Notice, QuestionTexts, Text, Texts


class LoginTexts(Texts):
    """The texts of logging in and out."""

    notice = Text(
        en=Notice(headline="Trader desk", advice="Log in with the access code from your operator."),
        zh=Notice(headline="交易员工作台", advice="请使用运营人员提供的访问码登录。"),
    )
    lost = Text(
        en=Notice(
            headline="Your login has ended",
            advice="Nothing was changed. Log in again, and repeat what you wanted to do.",
        ),
        zh=Notice(headline="登录已失效", advice="刚才的操作未生效。请重新登录后再操作。"),
    )
    lost_order = Text(
        en=Notice(
            headline="Your login has ended",
            advice="Nothing was changed, and the order was not confirmed. Log in again: you come back to the order.",
        ),
        zh=Notice(
            headline="登录已失效", advice="刚才的操作未生效，订单未确认。重新登录后将返回该订单。"
        ),
    )
    leads_back = Text(en="You come back to this order", zh="登录后返回此订单")
    access_code = Text(en="Access code", zh="访问码")
    access_code_hint = Text(
        en="Seven groups of four characters. Capitals and hyphens do not matter.",
        zh="共七组，每组四个字符；不区分大小写，连字符可省略。",
    )
    show_code = Text(en="Show what I type", zh="显示输入内容")
    wrong_code = Text(
        en="This access code is not known. Check it, or ask your operator for a new one.",
        zh="访问码不正确。请核对后重试，或向运营人员申请新的访问码。",
    )
    log_in = Text(en="Log in", zh="登录")
    log_out = Text(en="Log out", zh="退出登录")
    safety = Text(
        en="Never give your access code to anybody. Support will not ask you for it.",
        zh="请勿将访问码告知任何人，客服不会向您索要。",
    )


class DutyTexts(Texts):
    """The texts of duty: on, off, suspended."""

    on = Text(
        en=Notice(headline="On duty", advice="New orders may be assigned to you at any time."),
        zh=Notice(headline="接单中", advice="新订单可能随时分配给您。"),
    )
    no_account = Text(
        en=Notice(
            headline="On duty, without an account",
            advice="You get no orders: add an account in Settings.",
        ),
        zh=Notice(
            headline="接单中，但无可用账户", advice="暂时不会分配订单，请在“设置”中添加或启用账户。"
        ),
    )
    no_usdt = Text(
        en=Notice(
            headline="On duty, without USDT",
            advice="You get sells only: a buy needs available USDT.",
        ),
        zh=Notice(
            headline="接单中，但可用 USDT 为 0", advice="暂时只会分配卖单，买单需要可用 USDT。"
        ),
    )
    off = Text(
        en=Notice(
            headline="Off duty",
            advice="You get no new orders. You still have to handle your open orders.",
        ),
        zh=Notice(headline="已停止接单", advice="不会再分配新订单，未完成的订单仍需处理。"),
    )
    suspended = Text(
        en=Notice(
            headline="Suspended",
            advice="You get no new orders, and operators settle the open ones. Please contact your operator.",
        ),
        zh=Notice(
            headline="账号已停用",
            advice="不会再分配新订单，现有订单由运营人员处理。请联系运营人员。",
        ),
    )
    go_on = Text(en="Go on duty", zh="开始接单")
    go_off = Text(en="Go off duty", zh="停止接单")
    taken = Text(en="Today, open or completed: {count}", zh="今日有效订单 {count} 笔")
    refused = Text(
        en=Notice(
            headline="You were not put on duty",
            advice="You are suspended. Please contact your operator.",
        ),
        zh=Notice(headline="未能开始接单", advice="您的账号已停用，请联系运营人员。"),
    )


class ListTexts(Texts):
    """The texts of the open orders, the history and the balance."""

    orders = Text(en="Orders", zh="订单")
    none_open = Text(
        en=Notice(
            headline="No open orders",
            advice="Orders assigned to you appear here, the most urgent first.",
        ),
        zh=Notice(
            headline="暂无待处理订单", advice="分配给您的订单将显示在这里，最紧急的排在最前。"
        ),
    )
    crowd = Text(
        en="{total} open orders, the most urgent first. This page shows {shown}.",
        zh="共有 {total} 个未结束的订单，最紧急的排在最前，本页显示 {shown} 个。",
    )
    further = Text(en="Further open orders", zh="更多订单")
    most_urgent = Text(en="Back to the most urgent", zh="返回最紧急的订单")
    amount = Text(en="Amount", zh="金额")
    account = Text(en="Account", zh="账户")
    state = Text(en="State", zh="状态")
    todo = Text(en="To do", zh="待办")
    all = Text(en="All", zh="全部")
    filter = Text(en="Show by state", zh="按状态查看")
    asked = Text(en="Answer wanted", zh="客服提问 · 待回复")
    disputed = Text(en="Answer wanted", zh="待您回复")
    find = Text(
        en="Amount, remark, payer, or end of the order number", zh="金额、备注、付款人或订单号末尾"
    )
    compare = Text(en="Compare a statement", zh="导入流水核对")
    statement = Text(en="Statement", zh="流水核对")
    open_it = Text(en="Open", zh="处理")
    act = Text(en="Action", zh="操作")
    keys_on = Text(en="Keyboard shortcuts", zh="键盘快捷键")
    keys = Text(
        en="j and k for the next and previous order, Enter to open it, / to search.",
        zh="j / k 选择下一笔 / 上一笔订单，回车打开，/ 查找。",
    )
    found = Text(en="Open orders that match “{text}”", zh="与“{text}”匹配的未结束订单")
    none_found = Text(en="No open order matches.", zh="没有匹配的未结束订单。")
    find_past = Text(en="Search the history", zh="在历史中查询")
    none_filtered = Text(en="No open order is in this state.", zh="没有处于此状态的订单。")
    sorted_by = Text(en="Sort by", zh="排序：")
    alike = Text(en="Same amount ×{count}", zh="同额 ×{count}")
    alike_advice = Text(
        en="open orders on this account: compare payer and remark",
        zh="同一账户有同额的未结束订单，请核对付款人和备注",
    )
    history = Text(en="History", zh="历史")
    returned = Text(
        en=Notice(
            headline="Returned",
            advice="These sells were taken back from you in the last 24 h, or have your late proof. If you have paid one, open it and hand in the proof.",
        ),
        zh=Notice(
            headline="已退回",
            advice="以下卖单在 24 小时内从您处收回，或已有您补交的凭证。如您已付款，请打开订单提交凭证。",
        ),
    )
    history_advice = Text(
        en="Orders that are over, the newest first.", zh="已结束的订单，最新的在最前。"
    )
    none_over = Text(
        en=Notice(headline="Nothing here yet", advice="Orders move here once they are over."),
        zh=Notice(headline="暂无记录", advice="订单结束后将显示在这里。"),
    )
    balance = Text(en="Balance", zh="余额")
    available = Text(en="Available", zh="可用余额")
    held = Text(en="Held", zh="冻结金额")
    held_advice = Text(
        en="Held USDT is paid out or returned when its order or withdrawal ends.",
        zh="冻结的 USDT 将在订单或提现结束时支付或退回。",
    )
    postings = Text(en="Statement", zh="账户明细")
    time = Text(en="Time", zh="时间")
    kind = Text(en="Type", zh="类型")
    none_posted = Text(
        en=Notice(headline="Nothing here yet", advice="Every change of your balance appears here."),
        zh=Notice(headline="暂无记录", advice="余额的每次变动都将显示在这里。"),
    )
    order = Text(en="Order", zh="订单")
    times = Text(en="Times are Beijing time.", zh="时间均为北京时间。")
    older = Text(en="Older", zh="更早的记录")
    newest = Text(en="Back to the newest", zh="返回最新记录")
    not_live = Text(
        en="This page does not update automatically in your browser.",
        zh="您的浏览器无法自动更新本页。",
    )
    reload = Text(en="Reload", zh="重新加载")
    changed = Text(en="Your orders have changed.", zh="您的订单有变化。")
    show_changes = Text(en="Reload this page", zh="重新加载本页")
    kinds = Text[dict[TransferKind, str]](
        en={
            TransferKind.FUNDING: "Funding",
            TransferKind.SETTLEMENT: "Order settled",
            TransferKind.SPREAD: "Order settled",
            TransferKind.WITHDRAWAL: "Withdrawal",
            TransferKind.RELEASE: "Withdrawal",
            TransferKind.REVERSAL: "Order reversed",
        },
        zh={
            TransferKind.FUNDING: "充值",
            TransferKind.SETTLEMENT: "订单结算",
            TransferKind.SPREAD: "订单结算",
            TransferKind.WITHDRAWAL: "提现",
            TransferKind.RELEASE: "提现",
            TransferKind.REVERSAL: "订单冲正",
        },
    )
    returned_states = Text[dict[str, str]](
        en={
            "open": "no proof yet",
            "kept": "proof received",
            "paid": "claim paid",
            "rejected": "claim rejected",
        },
        zh={
            "open": "未提交凭证",
            "kept": "凭证已收到",
            "paid": "申诉成立，已入账",
            "rejected": "申诉不成立",
        },
    )


class SearchTexts(Texts):
    """The texts of the history's search: its fields, its totals, its file."""

    number = Text(en="Order number or its end", zh="订单号或末尾数字")
    number_rule = Text(
        en="A whole order number, or at least its last three digits, such as a remark.",
        zh="请输入完整的订单号，或至少末尾三位数字（如转账备注）。",
    )
    amount = Text(en="Amount in CNY", zh="金额（人民币）")
    amount_rule = Text(en="An amount such as 1000.37.", zh="请输入金额，例如 1000.37。")
    day = Text(en="Day", zh="日期")
    day_rule = Text(en="Choose a day.", zh="请选择日期。")
    until = Text(en="Last day", zh="截止日期")
    until_rule = Text(
        en="The last day must not be before the first one, and within 31 days of it.",
        zh="截止日期不得早于起始日期，且不超过 31 天。",
    )
    search = Text(en="Search", zh="查询")
    clear = Text(en="Show all", zh="显示全部")
    none_found = Text(
        en=Notice(
            headline="Nothing found",
            advice="Only orders that are over are searched, unless you enter a whole order number.",
        ),
        zh=Notice(
            headline="未找到订单", advice="仅查询已结束的订单；输入完整的订单号可查询任何订单。"
        ),
    )
    find_open = Text(en="Search the open orders", zh="查询未结束的订单")
    cut = Text(
        en="Only {most} orders are read at once, so orders and totals may be missing here. “Older” continues from there.",
        zh="每次最多查询 {most} 个订单，此处的订单和合计可能不完整。点击“更早的记录”可继续查询。",
    )
    totals = Text(en="Totals by day", zh="按日合计")
    totals_advice = Text(
        en="Completed orders, by the day on which they were created.",
        zh="已完成的订单，按创建日期统计。",
    )
    received = Text(en="Received (buys)", zh="收款（买单）")
    paid = Text(en="Paid (sells)", zh="付款（卖单）")
    unpaid = Text(en="Not completed", zh="未完成")
    csv = Text(en="Save as CSV (at most 2,000 orders)", zh="下载 CSV（最多 2,000 个订单）")
    side = Text(en="Side", zh="类型")
    created = Text(en="Created", zh="创建时间")
    changed = Text(en="Ended", zh="结束时间")


class CallTexts(Texts):
    """The texts of the alerts: the switches, and the alert itself."""

    headline = Text(en="Alerts", zh="提醒")
    advice = Text(
        en="While this desk is open, even in a background tab, it alerts you within 20 seconds when an order is assigned to you or reported as paid, and when your answer is wanted. These switches apply to this browser only.",
        zh="只要工作台处于打开状态（包括在后台标签页中），有订单分配给您、客户表示已付款或需要您回复时，将在 20 秒内提醒您。以下开关仅对此浏览器有效。",
    )
    sound = Text(en="Sound", zh="声音")
    notification = Text(en="Notification", zh="通知")
    silent = Text(
        en="Your browser keeps this page silent until you click anywhere on it.",
        zh="浏览器已将本页静音，点击页面任意位置即可恢复声音。",
    )
    closed = Text(en="Also when the desk is closed", zh="工作台关闭后也通知")
    closed_advice = Text(
        en="These notifications use your browser vendor’s push service. They contain no order, amount or name. They end when you log out.",
        zh="通知由浏览器厂商的推送服务转发，不含订单、金额或任何人的信息。退出登录后停止。",
    )
    unreached = Text(
        en="This did not work. Your browser may not be able to reach its push service. Try again.",
        zh="未能开启。您的浏览器可能无法连接推送服务，请重试。",
    )
    refused = Text(
        en="Your browser does not allow notifications from this site. You can change its settings.",
        zh="浏览器不允许本网站发送通知，可在浏览器设置中更改。",
    )
    waiting = Text(en="An order is waiting", zh="有订单待处理")
    pushed = Text(en="Open the desk to see it.", zh="请打开工作台查看。")
    open = Text(en="Open orders: {count}", zh="未结束的订单：{count}")


class SettingsTexts(Texts):
    """The texts of a trader's settings: its receiving accounts and its limits."""

    settings = Text(en="Settings", zh="设置")
    methods = Text(en="Receiving accounts", zh="收款账户")
    methods_advice = Text(
        en="Customers pay to these accounts. Of several accounts, the one with the least of today is next. A change applies to new orders only; open orders keep their account.",
        zh="客户向以下账户付款。同类账户有多个时，优先使用当日收款最少的。更改仅对新订单生效，未结束的订单仍使用原账户。",
    )
    none = Text(
        en="None: you get no orders that are paid this way.",
        zh="未设置，不会分配以此方式付款的订单。",
    )
    add = Text(en="Add", zh="添加")
    add_another = Text(en="Add another", zh="再添加一个")
    is_off = Text(en="Off", zh="已停用")
    turn_on = Text(en="Turn on", zh="启用")
    turn_off = Text(en="Turn off", zh="停用")
    account_cap = Text(en="CNY a day", zh="每日限额（人民币）")
    account_no_cap = Text(en="No limit", zh="不限")
    received = Text(en="Today: ¥{received}", zh="今日 ¥{received}")
    received_of = Text(en="Today: ¥{received} of ¥{cap}", zh="今日 ¥{received}，限额 ¥{cap}")
    cap_rule = Text(
        en="Enter an amount such as 50000, or nothing for no limit.",
        zh="请输入金额（如 50000），不限则留空。",
    )
    change = Text(en="Change", zh="更改")
    remove = Text(en="Remove", zh="移除")
    set_title = Text(en="Receiving account: {method}", zh="收款账户：{method}")
    set_advice = Text(
        en="This applies to new orders only. Open orders keep their account.",
        zh="仅对新订单生效，未结束的订单仍使用原账户。",
    )
    stop = Text(en="Stop this account", zh="停用此账户")
    stop_advice = Text(
        en="Card frozen? Stopping takes effect at once: no order gets the account, and the pages of its open orders say not to pay. Only your operator can resume it.",
        zh="银行卡被冻结？停用后立即生效：不再匹配新订单，并提示未付款的客户不要付款。只有运营人员可以恢复。",
    )
    stopped = Text(en="Stopped since {time}", zh="{time} 起停用")
    stopped_advice = Text(
        en="No order gets this account. Ask your operator to resume it.",
        zh="此账户不再匹配订单。如需恢复，请联系运营人员。",
    )
    stop_again = Text(en="Notify customers again", zh="再次提示客户")
    stop_unseen = Text(
        en=Notice(
            headline="The account is stopped",
            advice="Some open orders are not listed yet. In a minute press “Notify customers again”, so that their pages say not to pay, too.",
        ),
        zh=Notice(
            headline="账户已停用",
            advice="部分进行中的订单尚未列出。请在一分钟后按“再次提示客户”，以便提示这些客户。",
        ),
    )
    remove_title = Text(en="Remove this account? {method}", zh="移除此账户？（{method}）")
    remove_advice = Text(
        en="New orders are not paid to it. Open orders keep it until they are over.",
        zh="新订单不再使用此账户，未结束的订单仍使用至结束。",
    )
    now = Text(en="Current account", zh="当前账户")
    real_name = Text(en="Account holder’s name", zh="户名")
    qr_code = Text(en="Text of the payment code", zh="收款码内容")
    code_hint = Text(
        en="Begins with wxp:// or https://qr.alipay.com/. A picture above fills it in.",
        zh="以 wxp:// 或 https://qr.alipay.com/ 开头，可由上方图片自动识别填入。",
    )
    code_picture = Text(en="Picture of the payment code", zh="收款码图片")
    code_unfit = Text(en="The picture was not accepted", zh="图片未被接受")
    read_code = Text(en="Read the code", zh="识别收款码")
    code_rules = Text(
        en="PNG, JPEG or WebP. Only the code is kept, not the picture.",
        zh="支持 PNG、JPEG、WebP，仅保留识别出的内容，不保存图片。",
    )
    text_rule = Text(
        en="Please fill this in, with at most 255 characters.", zh="请填写此项，最多 255 个字符。"
    )
    card_rule = Text(
        en="Please enter the card number: 4 to 32 digits.", zh="请输入银行卡号（4 至 32 位数字）。"
    )
    code_rule = Text(
        en="This is not the text of a WeChat or Alipay code. Please send its picture.",
        zh="这不是微信或支付宝的收款码内容，请上传收款码图片。",
    )
    code_why = Text(
        en="Enter your access code again, so that nobody else can change the account while this page is open.",
        zh="为防止他人趁页面打开时更改账户，需再次输入您的访问码。",
    )
    code_wrong = Text(
        en="This is not your access code. Nothing was changed.", zh="访问码不正确，操作未生效。"
    )
    save = Text(en="Save", zh="保存")
    keep = Text(en="Back", zh="返回")
    limits = Text(en="Limits", zh="接单限额")
    limits_advice = Text(
        en="For new orders only, within what your operator allows. Leave a field empty to use your operator’s limit.",
        zh="仅对新订单生效，须在运营人员设定的范围内。留空则使用运营人员设定的限额。",
    )
    within = Text(
        en="Your operator allows {least} to {most}.", zh="运营人员设定：{least} 至 {most}。"
    )
    at_most = Text(en="Your operator allows at most {most}.", zh="运营人员设定：最多 {most}。")
    no_cap = Text(en="Your operator sets no limit.", zh="运营人员未设上限。")
    limit_rule = Text(
        en="Enter a number within your operator’s limits that fits your other limits.",
        zh="请输入数字，且不得超出运营人员设定的范围，也不得与您的其他限额冲突。",
    )
    none_fits = Text(
        en=Notice(
            headline="No order fits your limits",
            advice="Your own limits and your operator’s do not overlap. Change yours, or contact your operator.",
        ),
        zh=Notice(
            headline="没有符合限额的订单",
            advice="您的限额与运营人员设定的范围没有交集。请修改您的限额，或联系运营人员。",
        ),
    )
    saved = Text(
        en=Notice(headline="Saved", advice="It applies to new orders."),
        zh=Notice(headline="已保存", advice="对新订单生效。"),
    )
    changed = Text(
        en=Notice(
            headline="Nothing was saved",
            advice="Your settings have been changed in another tab, on another device, or by your operator. This page shows the current settings; please check them.",
        ),
        zh=Notice(
            headline="未保存",
            advice="您的设置此前已在其他标签页、其他设备或由运营人员更改。以下为当前设置，请重新核对。",
        ),
    )
    stale = Text(en="Your settings were changed elsewhere.", zh="您的设置已在别处更改。")
    account_changed = Text(
        en=Notice(
            headline="A receiving account was changed",
            advice="At this desk, {time}. If that was not you, ask your operator for a new access code at once.",
        ),
        zh=Notice(
            headline="收款账户已更改",
            advice="更改时间：{time}，在本工作台进行。如非本人操作，请立即联系运营人员更换访问码。",
        ),
    )
    limits_of = Text[dict[LimitField, str]](
        en={
            LimitField.MIN_CNY: "Smallest order, CNY",
            LimitField.MAX_CNY: "Largest order, CNY",
            LimitField.MAX_OPEN: "Open orders at a time",
            LimitField.DAILY_CNY: "CNY a day",
        },
        zh={
            LimitField.MIN_CNY: "单笔最小金额（人民币）",
            LimitField.MAX_CNY: "单笔最大金额（人民币）",
            LimitField.MAX_OPEN: "同时未结束的订单数",
            LimitField.DAILY_CNY: "每日金额（人民币）",
        },
    )


class OrderTexts(Texts):
    """The texts of one order.

    `todo` states what to do, by side and status; None if a trader never has such an order.
    `decided` replaces it for an order that an operator ended.
    """

    sum = Text(
        en=Notice(
            headline="A different amount arrived",
            advice="Enter what arrived on your account, at most twice the order’s amount. The order is then disputed; you can add a picture afterwards.",
        ),
        zh=Notice(
            headline="到账金额不同",
            advice="请填写您账户实际到账的金额，最多为订单金额的两倍。提交后订单进入争议，之后可以上传图片。",
        ),
    )
    returned = Text(
        en=Notice(
            headline="Returned: no longer yours",
            advice="It was taken back from you. Do not pay any more. If you have paid the customer, hand in the proof until {time} (Beijing time).",
        ),
        zh=Notice(
            headline="已退回：不再由您处理",
            advice="此订单已从您处收回，请勿再付款。如您已向客户付款，请在 {time}（北京时间）前提交凭证。",
        ),
    )
    late_proof = Text(
        en=Notice(
            headline="I have paid: hand in the proof",
            advice="Add a screenshot of the finished transfer to the customer. Support decides then.",
        ),
        zh=Notice(headline="我已付款：提交凭证", advice="请上传向客户转账成功的截图，由客服处理。"),
    )
    late_proof_kept = Text(
        en=Notice(
            headline="Your proof was received",
            advice="Another trader has the order, or it is over. Support sees your proof and decides.",
        ),
        zh=Notice(
            headline="凭证已收到", advice="此订单已由他人处理或已结束，客服会根据您的凭证处理。"
        ),
    )
    claim_paid = Text(
        en=Notice(
            headline="Your claim was paid",
            advice="Support compared the proofs: you paid the customer. {usdt} USDT were credited to your balance.",
        ),
        zh=Notice(
            headline="申诉成立，已入账",
            advice="客服核对双方凭证后确认您已向客户付款，{usdt} USDT 已计入您的余额。",
        ),
    )
    claim_rejected = Text(
        en=Notice(
            headline="Your claim was rejected",
            advice="Support compared the proofs and did not accept yours. Nothing was credited. Ask your operator if this is wrong.",
        ),
        zh=Notice(
            headline="申诉不成立",
            advice="客服核对凭证后未予认可，USDT 未入账。如有疑问，请联系您的运营人员。",
        ),
    )
    claim_taken = Text(
        en=Notice(
            headline="Another trader has paid this customer",
            advice="Support accepted another trader’s proof. The USDT of this order were taken back.",
        ),
        zh=Notice(
            headline="此客户已由其他交易员付款",
            advice="客服已认可其他交易员的凭证，此订单的 USDT 已收回。",
        ),
    )
    account_stopped = Text(
        en=Notice(
            headline="The account of this order is stopped",
            advice="Support decides it before others. If the money has arrived, you can still confirm it.",
        ),
        zh=Notice(
            headline="此订单的收款账户已停用",
            advice="客服将优先处理。如款项已到账，您仍可确认收款。",
        ),
    )
    maybe_paid = Text(
        en=Notice(
            headline="Do not pay before support answers",
            advice="A trader that had this order before says that it has paid the customer, and has handed in a proof. If you have paid already, store your proof now.",
        ),
        zh=Notice(
            headline="请先不要付款，等待客服确认",
            advice="此前接单的交易员表示已向客户付款，并提交了凭证。如您已付款，请立即上传凭证。",
        ),
    )
    sum_label = Text(en="Amount that arrived, CNY", zh="实际到账金额（元）")
    sum_send = Text(en="Report this amount", zh="上报此金额")
    sum_wrong = Text(
        en="Enter another amount than the order’s, such as 950.00, at most twice as much.",
        zh="请输入与订单不同的金额，如 950.00，最多为订单金额的两倍。",
    )
    sum_note = Text(en="A different amount arrived: ¥{amount}", zh="到账金额不同：¥{amount}")
    lapsed = Text(
        en=Notice(
            headline="Your time has run out",
            advice="The order may be taken from you at any moment. Do not start paying now. If you have paid already, send the proof and confirm at once.",
        ),
        zh=Notice(
            headline="处理时间已过",
            advice="订单随时可能被收回，请勿再付款。如您已经付款，请立即上传凭证并确认。",
        ),
    )
    receive = Text(en="You receive", zh="您应收")
    pay = Text(en="You pay", zh="您应付")
    usdt_out = Text(en="You give", zh="您支付")
    usdt_in = Text(en="You get", zh="您获得")
    rate = Text(en="Rate", zh="汇率")
    arrives_at = Text(en="Arrives at", zh="收款账户")
    payer = Text(en="Payer", zh="付款人")
    payer_unknown = Text(en="Name not verified", zh="姓名未核验")
    reference = Text(en="Transfer remark", zh="转账备注")
    code_of_customer = Text(en="Payment code of the customer", zh="客户的收款码")
    code_drawn = Text(
        en="Scan it with the wallet's app, and check the payee’s name before you pay.",
        zh="请用对应的钱包扫码，付款前核对收款人姓名。",
    )
    code_unread = Text(
        en="We could not read a WeChat or Alipay code in the customer’s picture. Pay to the account instead, and check the payee’s name before you pay.",
        zh="未能从客户的图片中识别出微信或支付宝收款码。请向账户付款，付款前核对收款人姓名。",
    )
    code_text = Text(en="Payment code", zh="收款码")
    next = Text(en="Next order that waits for you", zh="下一个待处理订单")
    declined = Text(en="Order given back", zh="订单已退回")
    next_below = Text(en="The next order is below: {amount}", zh="以下是下一笔订单：{amount}")
    none_waits = Text(en="No other order waits for you.", zh="没有其他等您处理的订单。")
    to_list = Text(en="Back to the list", zh="返回订单列表")
    twins = Text(
        en=Notice(
            headline="Other orders of this amount on this account: {count}",
            advice="Compare payer, time and remark of the transfer before you confirm.",
        ),
        zh=Notice(
            headline="另有 {count} 笔同额订单（同一账户）",
            advice="确认前，请核对付款人、转账时间和备注。",
        ),
    )
    this_one = Text(en="This order", zh="本订单")
    another = Text(en="Another", zh="另一笔")
    none_proved = Text(en="The customer has not sent one.", zh="客户尚未上传凭证。")
    proof = Text(
        en=Notice(
            headline="Proof of payment",
            advice="A screenshot of the finished transfer, with amount, time and payee. You can confirm once it has been received.",
        ),
        zh=Notice(
            headline="付款凭证",
            advice="请上传转账成功的截图，须显示金额、时间和收款人。凭证提交成功后即可确认。",
        ),
    )
    more_proof = Text(
        en=Notice(headline="More proof", advice="You can send up to 5 files."),
        zh=Notice(headline="补充凭证", advice="最多可上传 5 份。"),
    )
    proof_first = Text(
        en="Send proof of payment first: then you can confirm here.",
        zh="请先上传付款凭证，之后可在此确认。",
    )
    proof_missing = Text(
        en=Notice(
            headline="Nothing was changed", advice="Send proof of payment first, then confirm."
        ),
        zh=Notice(headline="操作未生效", advice="请先上传付款凭证，再确认付款。"),
    )
    picture = Text(en="Receipt {number}, picture", zh="凭证 {number}，图片")
    document = Text(en="Receipt {number}, PDF", zh="凭证 {number}，PDF")
    page = Text(en="Page {page}", zh="第 {page} 页")
    history = Text(en="Progress", zh="进度")
    actions = Text(en="Your answer", zh="您的处理")
    left = Text(en="{m} min {s} s left", zh="剩 {m} 分 {s} 秒")
    left_hours = Text(en="{h} h {m} min left", zh="剩 {h} 小时 {m} 分")
    overdue = Text(en="Overdue since {time}", zh="{time} 起已逾期")
    suspended = Text(
        en=Notice(
            headline="You are suspended",
            advice="Do not handle this order, and do not pay: operators settle it. Please contact your operator.",
        ),
        zh=Notice(
            headline="账号已停用",
            advice="请勿处理此订单，也请勿付款，由运营人员处理。请联系运营人员。",
        ),
    )
    suspended_move = Text(
        en=Notice(headline="Nothing was changed", advice="You are suspended."),
        zh=Notice(headline="操作未生效", advice="您的账号已停用。"),
    )
    report = Text(
        en=QuestionTexts(
            link="Nothing received",
            notice=Notice(
                headline="Report that nothing has arrived?",
                advice="Check your account once more. Our support will look into it, and your USDT stays held until then.",
            ),
            keep="Keep waiting",
            go="Report it",
        ),
        zh=QuestionTexts(
            link="未收到款项",
            notice=Notice(
                headline="报告未收到款项？",
                advice="请先再次核对账户。客服将介入处理，期间您的 USDT 保持冻结。",
            ),
            keep="继续等待",
            go="报告未收到",
        ),
    )
    decline = Text(
        en=QuestionTexts(
            link="Give this order back",
            notice=Notice(
                headline="Give this order back?",
                advice="Do so only if you have not paid. The order then goes to another trader.",
            ),
            keep="Keep the order",
            go="Give it back",
        ),
        zh=QuestionTexts(
            link="退回订单",
            notice=Notice(
                headline="退回此订单？", advice="请仅在尚未付款时退回，订单将转给其他交易员。"
            ),
            keep="保留订单",
            go="确认退回",
        ),
    )
    todo = Text[ByType[ByStatus[Notice | None]]](
        en=ByType(
            buy=ByStatus(
                pending=Notice(
                    headline="Waiting for the customer’s transfer",
                    advice="Nothing to do yet. If the money has arrived already, you can confirm it.",
                ),
                paid=Notice(
                    headline="Check whether the money has arrived",
                    advice="The customer says it was transferred. Check your account, not the receipt alone, and confirm only the exact amount.",
                ),
                matching=None,
                assigned=None,
                completed=Notice(
                    headline="Receipt confirmed", advice="You confirmed that the money has arrived."
                ),
                cancelled=Notice(
                    headline="Order cancelled",
                    advice="Your USDT has been returned. Contact your operator if money arrives.",
                ),
                expired=Notice(
                    headline="Time has run out",
                    advice="Your USDT will be returned. Contact your operator if money arrives.",
                ),
                disputed=Notice(
                    headline="Disputed",
                    advice="Our support is looking into it. Your USDT stays held. If the money has arrived after all, you can confirm it.",
                ),
            ),
            sell=ByStatus(
                pending=None,
                paid=None,
                matching=None,
                assigned=Notice(
                    headline="Pay the customer",
                    advice="Transfer the exact amount to the account below, send proof of it, then confirm.",
                ),
                completed=Notice(
                    headline="Payment confirmed", advice="The USDT has been credited to you."
                ),
                cancelled=Notice(
                    headline="Order cancelled",
                    advice="Do not pay. Contact your operator if you already have.",
                ),
                expired=None,
                disputed=Notice(
                    headline="Disputed",
                    advice="Our support is looking into it. Do not pay any more.",
                ),
            ),
        ),
        zh=ByType(
            buy=ByStatus(
                pending=Notice(
                    headline="等待客户转账", advice="暂时无需操作。如款项已经到账，您可以直接确认。"
                ),
                paid=Notice(
                    headline="请核实是否到账",
                    advice="客户表示已转账。请以账户实际入账为准，不要仅凭凭证；金额完全一致时再确认。",
                ),
                matching=None,
                assigned=None,
                completed=Notice(headline="已确认收款", advice="您已确认款项到账。"),
                cancelled=Notice(
                    headline="订单已取消", advice="您的 USDT 已退回。如仍收到款项，请联系运营人员。"
                ),
                expired=Notice(
                    headline="订单已超时", advice="您的 USDT 将退回。如仍收到款项，请联系运营人员。"
                ),
                disputed=Notice(
                    headline="争议中",
                    advice="客服正在处理，期间您的 USDT 保持冻结。如款项已到账，您可以直接确认收款。",
                ),
            ),
            sell=ByStatus(
                pending=None,
                paid=None,
                matching=None,
                assigned=Notice(
                    headline="请向客户付款",
                    advice="按准确金额转账至下方账户，上传付款凭证，然后确认。",
                ),
                completed=Notice(headline="已确认付款", advice="USDT 已记入您的账户。"),
                cancelled=Notice(
                    headline="订单已取消", advice="请勿付款。如已付款，请联系运营人员。"
                ),
                expired=None,
                disputed=Notice(headline="争议中", advice="客服正在处理，请勿再付款。"),
            ),
        ),
    )
    asked = Text[ByType[Notice]](
        en=ByType(
            buy=Notice(
                headline="Answer our support’s question",
                advice="The question is below. If the money has arrived after all, you can confirm it.",
            ),
            sell=Notice(
                headline="Answer our support’s question",
                advice="The question is below. Do not pay any more.",
            ),
        ),
        zh=ByType(
            buy=Notice(
                headline="请回复客服的提问", advice="提问见下方。如款项已到账，您可以直接确认收款。"
            ),
            sell=Notice(headline="请回复客服的提问", advice="提问见下方。请勿再付款。"),
        ),
    )
    disputed = Text[ByType[Notice]](
        en=ByType(
            buy=Notice(
                headline="Answer wanted",
                advice="What to answer, and by when, is below. If the money has arrived after all, you can confirm it.",
            ),
            sell=Notice(
                headline="Answer wanted",
                advice="What to answer, and by when, is below. Do not pay any more.",
            ),
        ),
        zh=ByType(
            buy=Notice(
                headline="待您回复",
                advice="回复要求和期限见下方。如款项已到账，您可以直接确认收款。",
            ),
            sell=Notice(headline="待您回复", advice="回复要求和期限见下方。请勿再付款。"),
        ),
    )
    decided = Text[ByType[ByStatus[Notice | None]]](
        en=ByType(
            buy=ByStatus(
                pending=None,
                paid=None,
                matching=None,
                assigned=None,
                completed=Notice(
                    headline="Completed by support",
                    advice="Our support has decided that the money has arrived. Your USDT has been paid out.",
                ),
                cancelled=Notice(
                    headline="Cancelled by support",
                    advice="Our support has decided to cancel the order. Your USDT has been returned.",
                ),
                expired=None,
                disputed=None,
            ),
            sell=ByStatus(
                pending=None,
                paid=None,
                matching=None,
                assigned=None,
                completed=Notice(
                    headline="Completed by support",
                    advice="Our support has decided that you have paid. The USDT has been credited to you.",
                ),
                cancelled=Notice(
                    headline="Cancelled by support",
                    advice="Our support has decided to cancel the order. Contact your operator if you have paid.",
                ),
                expired=None,
                disputed=None,
            ),
        ),
        zh=ByType(
            buy=ByStatus(
                pending=None,
                paid=None,
                matching=None,
                assigned=None,
                completed=Notice(
                    headline="客服已判定完成", advice="客服已判定款项到账，您的 USDT 已支付。"
                ),
                cancelled=Notice(
                    headline="客服已判定取消", advice="客服已判定取消此订单，您的 USDT 已退回。"
                ),
                expired=None,
                disputed=None,
            ),
            sell=ByStatus(
                pending=None,
                paid=None,
                matching=None,
                assigned=None,
                completed=Notice(
                    headline="客服已判定完成", advice="客服已判定您已付款，USDT 已记入您的账户。"
                ),
                cancelled=Notice(
                    headline="客服已判定取消",
                    advice="客服已判定取消此订单。如已付款，请联系运营人员。",
                ),
                expired=None,
                disputed=None,
            ),
        ),
    )
    proofs = Text[ByType[str]](
        en=ByType(buy="Customer’s receipts", sell="Your proof of payment"),
        zh=ByType(buy="客户的转账凭证", sell="您的付款凭证"),
    )
    steps = Text[ByStatus[str]](
        en=ByStatus(
            pending="Created",
            paid="Payment reported",
            matching="Created",
            assigned="Assigned to you",
            completed="Completed",
            cancelled="Cancelled",
            expired="Expired",
            disputed="Dispute opened",
        ),
        zh=ByStatus(
            pending="订单创建",
            paid="客户提交付款",
            matching="订单创建",
            assigned="分配给您",
            completed="完成",
            cancelled="取消",
            expired="超时",
            disputed="发起争议",
        ),
    )
    actors = Text[dict[Actor, str]](
        en={
            Actor.PAYER: "by the customer",
            Actor.TRADER: "by you",
            Actor.MERCHANT: "by the merchant",
            Actor.OPERATOR: "by support",
            Actor.CLOCK: "automatically",
        },
        zh={
            Actor.PAYER: "客户",
            Actor.TRADER: "您",
            Actor.MERCHANT: "商户",
            Actor.OPERATOR: "客服",
            Actor.CLOCK: "系统自动",
        },
    )
    accounts = Text[ByType[str]](
        en=ByType(buy="Your account", sell="Pay to"), zh=ByType(buy="您的账户", sell="付款至")
    )
    deadlines = Text[ByStatus[str | None]](
        en=ByStatus(
            pending="The order expires at {time}",
            paid="After {time} the customer can open a dispute",
            matching=None,
            assigned="After {time} the order may be taken from you",
            completed=None,
            cancelled=None,
            expired=None,
            disputed="After {time} support may decide without your answer",
        ),
        zh=ByStatus(
            pending="{time} 订单超时",
            paid="{time} 后客户可发起争议",
            matching=None,
            assigned="{time} 后订单可能被收回",
            completed=None,
            cancelled=None,
            expired=None,
            disputed="{time} 后客服可不待回复直接判定",
        ),
    )
    confirm = Text[ByType[QuestionTexts]](
        en=ByType(
            buy=QuestionTexts(
                link="Confirm receipt",
                notice=Notice(
                    headline="Has the money arrived?",
                    advice="Confirm only if the exact amount is in your account. The USDT is paid out at once, which cannot be undone.",
                ),
                keep="Not yet",
                go="Yes, it has arrived",
            ),
            sell=QuestionTexts(
                link="Confirm payment",
                notice=Notice(
                    headline="Have you paid the customer?",
                    advice="Confirm only if the transfer of the exact amount has gone through.",
                ),
                keep="Not yet",
                go="Yes, I have paid",
            ),
        ),
        zh=ByType(
            buy=QuestionTexts(
                link="确认收款",
                notice=Notice(
                    headline="款项已到账？",
                    advice="请仅在账户已收到准确金额时确认。确认后 USDT 将立即支付，无法撤销。",
                ),
                keep="尚未到账",
                go="确认已到账",
            ),
            sell=QuestionTexts(
                link="确认付款",
                notice=Notice(headline="已向客户付款？", advice="请仅在准确金额转账成功后确认。"),
                keep="尚未付款",
                go="确认已付款",
            ),
        ),
    )


class DeskTexts(PageTexts):
    """The texts of the desk."""

    test = Text(en="Test", zh="测试")
    name = Text(en="Your name", zh="您的名称")
    back_to_orders = Text(en="Back to the orders", zh="返回订单")
    navigation = Text(en="Desk", zh="工作台")
    login = Group(LoginTexts)
    duty = Group(DutyTexts)
    lists = Group(ListTexts)
    search = Group(SearchTexts)
    calls = Group(CallTexts)
    settings = Group(SettingsTexts)
    order = Group(OrderTexts)
    sides = Text[ByType[str]](
        en=ByType(buy="Buy · you receive", sell="Sell · you pay"),
        zh=ByType(buy="买单 · 您收款", sell="卖单 · 您付款"),
    )
    statuses = Text[ByStatus[str]](
        en=ByStatus(
            pending="Not paid yet",
            paid="Reported as paid",
            matching="Waiting for a trader",
            assigned="To be paid",
            completed="Completed",
            cancelled="Cancelled",
            expired="Expired",
            disputed="Disputed",
        ),
        zh=ByStatus(
            pending="待客户付款",
            paid="客户称已付款",
            matching="匹配中",
            assigned="待您付款",
            completed="已完成",
            cancelled="已取消",
            expired="已超时",
            disputed="争议中",
        ),
    )
    problems = Text[dict[str, Notice]](
        en={
            "order_not_found": Notice(
                headline="There is no such order at your desk",
                advice="It may have gone to another trader, or the address is incomplete.",
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
                advice="Nothing has been changed. Open the desk again and continue there.",
            ),
            "bad_form": Notice(
                headline="What your browser sent could not be read",
                advice="Nothing has been changed. Please open the desk again and try again.",
            ),
            "internal_error": Notice(
                headline="Something went wrong on our side",
                advice="Before you repeat anything, check the order’s current status.",
            ),
        },
        zh={
            "order_not_found": Notice(
                headline="您的工作台中没有此订单", advice="订单可能已转给其他交易员，或链接不完整。"
            ),
            "try_again": Notice(headline="系统繁忙", advice="请稍后重试，重复提交不会造成影响。"),
            "too_many_requests": Notice(headline="操作过于频繁", advice="请稍等几分钟后再试。"),
            "not_same_origin": Notice(
                headline="此次提交并非来自本页",
                advice="操作未生效。请重新打开工作台，并在其中继续。",
            ),
            "bad_form": Notice(
                headline="提交的内容无法识别", advice="操作未生效。请重新打开工作台后再试。"
            ),
            "internal_error": Notice(
                headline="系统出现问题", advice="重复操作之前，请先查看订单的当前状态。"
            ),
        },
    )
