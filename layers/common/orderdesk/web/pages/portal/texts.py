"""The texts of the portal."""

from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.order import ByStatus, OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.portal.balance_texts import BalanceTexts
from orderdesk.web.pages.portal.callback_texts import CallbackTexts, EndpointTexts
from orderdesk.web.pages.portal.developers_texts import DeveloperTexts
from orderdesk.web.pages.portal.overview_texts import OverviewTexts
from orderdesk.web.pages.portal.settings_texts import PortalSettingsTexts
from orderdesk.web.pages.texts import Group, Notice, PageTexts, QuestionTexts, Text, Texts


class SignInTexts(Texts):
    """The texts of the login, the invitation and the logout."""

    login = Text(
        en=Notice("Merchant portal", "Sign in with the passkey that you made on this device."),
        zh=Notice("商户后台", "请使用您已注册的通行密钥登录。"),
    )
    sign_in = Text(en="Sign in", zh="登录")
    log_in = Text(en="Sign in with a passkey", zh="使用通行密钥登录")
    log_out = Text(en="Sign out", zh="退出登录")
    ask_to_log_out = Text(
        en=Notice("Sign out?", "You need your passkey to sign in again."),
        zh=Notice("确定退出登录？", "再次登录需要使用通行密钥。"),
    )
    stay = Text(en="Stay signed in", zh="保持登录")
    refused = Text(
        en="This passkey was not accepted. Try again, or ask your admin for a new invitation.",
        zh="通行密钥未通过验证。请重试，或向您的管理员索取新的邀请。",
    )
    lost = Text(
        en=Notice(
            "Lost your device?",
            "Please ask an admin of your team: an admin can remove you and invite you again, and "
            "your old sessions end. If you are the only admin, ask your contact at the operator "
            "for a new invitation.",
        ),
        zh=Notice(
            "设备遗失？",
            "请联系团队中的管理员：管理员可移除您并重新邀请，原有会话随即失效。"
            "如您是唯一的管理员，请联系平台对接人，申请新的邀请。",
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
        en=(
            "Make a passkey for this portal. It stays on your device or in your password manager, "
            "and you sign in with it: there is no password. This link works once."
        ),
        zh=(
            "请为本后台创建通行密钥。密钥保存在您的设备或密码管理器中，以后凭它登录，无需密码。"
            "此链接只能使用一次。"
        ),
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
        en="Enter a name of at most 64 visible characters.",
        zh="请输入姓名，最多 64 个可见字符。",
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
    actions = Text(
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
        en="A trader had paid your customer before the order was cancelled. Support compared the "
        "proofs, and this amount was deducted from your balance.",
        zh="订单取消前，交易员已向您的客户付款。客服核对凭证后，已从您的余额扣除该金额。",
    )
    cancelling = Text(
        en=ByType(
            buy=QuestionTexts(
                link="Cancel this order",
                notice=Notice(
                    "Cancel this order?",
                    "Your customer can then no longer pay it. Cancel only if no money has been "
                    "transferred. A cancelled order cannot be reopened.",
                ),
                keep="Keep the order",
                go="Cancel the order",
            ),
            sell=QuestionTexts(
                link="Cancel this order",
                notice=Notice(
                    "Cancel this order?",
                    "The held USDT is returned to your balance. A cancelled order cannot be "
                    "reopened.",
                ),
                keep="Keep the order",
                go="Cancel the order",
            ),
        ),
        zh=ByType(
            buy=QuestionTexts(
                link="取消订单",
                notice=Notice(
                    "确认取消订单？",
                    "取消后客户无法再付款，请仅在尚未转账时取消。订单取消后无法恢复。",
                ),
                keep="暂不取消",
                go="确认取消",
            ),
            sell=QuestionTexts(
                link="取消订单",
                notice=Notice("确认取消订单？", "冻结的 USDT 将退回您的余额。订单取消后无法恢复。"),
                keep="暂不取消",
                go="确认取消",
            ),
        ),
    )
    disputing = Text(
        en=QuestionTexts(
            link="Open a dispute",
            notice=Notice(
                "Open a dispute?",
                "Do so only if your customer has paid. Our support will look into it, and you "
                "can add texts and pictures.",
            ),
            keep="Keep waiting",
            go="Open a dispute",
        ),
        zh=QuestionTexts(
            link="发起争议",
            notice=Notice(
                "确认发起争议？",
                "请仅在客户已付款时发起。客服将介入处理，您可以补充说明和图片。",
            ),
            keep="继续等待",
            go="发起争议",
        ),
    )
    timeline = Text(en="Progress", zh="进度")
    actors = Text(
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
    receipts = Text(
        en=ByType(buy="Receipts of the payment", sell="Proofs of the payment"),
        zh=ByType(buy="付款凭证", sell="转账凭证"),
    )
    pay_link = Text(en="Pay link", zh="付款链接")
    pay_link_advice = Text(
        en="For your customer only: with this link anybody can pay or cancel the order.",
        zh="请仅发送给您的客户：持有此链接者可付款或取消订单。",
    )
    callbacks = Text(en="Callbacks", zh="回调")
    no_callbacks = Text(en="No callback yet.", zh="暂无回调。")
    back = Text(en="Back to the orders", zh="返回订单列表")


class PortalTexts(PageTexts):
    """The texts of all pages of the portal."""

    portal = Text(en="Merchant portal", zh="商户后台")
    navigation = Text(en="Portal", zh="后台导航")
    sections = Text(
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
    roles = Text(
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
    problems = Text(
        en={
            "page_not_found": Notice(
                "There is no such page", "The address may be incomplete, or not yours to see."
            ),
            "order_not_found": Notice(
                "There is no such order", "It may be incomplete, or not your merchant’s."
            ),
            "member_not_found": Notice(
                "There is no such member", "Somebody may have changed the team meanwhile."
            ),
            "invitation_not_found": Notice(
                "This invitation does not work",
                "It works once, within 24 hours. If you used it, sign in. Otherwise ask for a new "
                "one.",
            ),
            "invitation_rests": Notice(
                "This invitation is not open yet",
                "It opens 48 hours after it was made, and works once within 24 hours from then.",
            ),
            "role_not_allowed": Notice(
                "Your role may not do this", "Nothing has been changed. Ask an admin of your team."
            ),
            "passkey_refused": Notice(
                "The passkey was not accepted",
                "Nothing has been changed. Go back and confirm again with your passkey.",
            ),
            "merchant_suspended": Notice(
                "This merchant is suspended", "Nothing has been changed. Please contact support."
            ),
            "last_admin": Notice(
                "A team needs an admin", "Make somebody else an admin first. Nothing has changed."
            ),
            "last_passkey": Notice(
                "This is the only passkey", "Register another one first. Nothing has changed."
            ),
            "team_full": Notice(
                "There is no room", "A team has at most 50 members, a member at most 5 passkeys."
            ),
            "try_again": Notice(
                "Very busy right now", "Please try again in a moment: sending twice does no harm."
            ),
            "too_many_requests": Notice(
                "Too many attempts", "Please wait a few minutes and try again."
            ),
            "not_same_origin": Notice(
                "This did not come from our page",
                "Nothing has been changed. Open the portal again and continue there.",
            ),
            "bad_form": Notice(
                "What your browser sent could not be read",
                "Nothing has been changed. Please open the portal again and try again.",
            ),
            "internal_error": Notice(
                "Something went wrong on our side",
                "Before you repeat anything, check whether it was done.",
            ),
        },
        zh={
            "page_not_found": Notice("页面不存在", "链接可能不完整，或您无权查看。"),
            "order_not_found": Notice("订单不存在", "订单号可能不完整，或不属于您的商户。"),
            "member_not_found": Notice("成员不存在", "团队信息可能已被其他人更改。"),
            "invitation_not_found": Notice(
                "邀请无效",
                "邀请链接 24 小时内有效，且只能使用一次。如已使用，请直接登录；"
                "否则请向邀请人索取新的链接。",
            ),
            "invitation_rests": Notice(
                "邀请尚未生效", "邀请自创建起 48 小时后生效，此后 24 小时内有效，只能使用一次。"
            ),
            "role_not_allowed": Notice(
                "您的角色无权执行此操作", "未做任何更改，请联系团队管理员。"
            ),
            "passkey_refused": Notice(
                "通行密钥未通过验证", "未做任何更改。请返回上一页，重新使用通行密钥确认。"
            ),
            "merchant_suspended": Notice("商户已停用", "未做任何更改，请联系客服。"),
            "last_admin": Notice(
                "团队至少需要一名管理员", "请先将其他成员设为管理员。未做任何更改。"
            ),
            "last_passkey": Notice("这是唯一的通行密钥", "请先注册另一个通行密钥。未做任何更改。"),
            "team_full": Notice("已达上限", "每个团队最多 50 名成员，每名成员最多 5 个通行密钥。"),
            "try_again": Notice("系统繁忙", "请稍后重试，重复提交不会造成影响。"),
            "too_many_requests": Notice("操作过于频繁", "请稍等几分钟后再试。"),
            "not_same_origin": Notice(
                "此次提交并非来自本页", "未做任何更改。请重新打开商户后台，并在其中继续。"
            ),
            "bad_form": Notice("提交的内容无法识别", "未做任何更改。请重新打开商户后台后再试。"),
            "internal_error": Notice("系统出现问题", "重复操作之前，请先确认操作是否已完成。"),
        },
    )
    sign_in = Group(SignInTexts)
    balance = Group(BalanceTexts)
    team = Group(TeamTexts)
    overview = Group(OverviewTexts)
    orders = Group(PortalOrderTexts)
    callbacks = Group(CallbackTexts)
    developers = Group(DeveloperTexts)
    endpoints = Group(EndpointTexts)
    settings = Group(PortalSettingsTexts)
    all_statuses = tuple(OrderStatus)
    statuses = Text(
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
    states = Text(
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
