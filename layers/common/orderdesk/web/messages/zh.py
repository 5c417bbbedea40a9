"""The pages' texts in Chinese."""

from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.web.messages.desk_zh import DESK_ZH
from orderdesk.web.messages.identity_zh import IDENTITY_ZH
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_zh import PAY_ZH
from orderdesk.web.messages.texts import Messages

_CONTACT = "如您已付款，请联系商户并提供订单号。"

ZH = Messages(
    language_name="中文",
    safety="orderdesk 绝不会向您索要密码或验证码。",
    test_order="测试订单，请勿进行真实转账。",
    reload="重新加载",
    quote_number="如问题持续出现，请提供此编号：",
    problems={
        "order_not_found": Notice(
            "此链接无法打开订单", "链接可能不完整。请从原处重新打开，或向商户索取新的链接。"
        ),
        "try_again": Notice("系统繁忙", "您的订单不受影响，请稍后重新加载本页。"),
        "too_many_requests": Notice("操作过于频繁", "请稍等几分钟后重新加载本页。"),
        "not_same_origin": Notice(
            "此次提交并非来自本页", "未做任何更改。请从原处重新打开链接，并在打开的页面中继续。"
        ),
        "bad_form": Notice("提交的内容无法识别", "未做任何更改。请重新加载本页后再试。"),
        "internal_error": Notice("系统出现问题", "您的订单不受影响，请稍后重新加载本页。"),
    },
    statuses={
        OrderStatus.PENDING: Notice("等待您转账", "请在有效时间内，按准确金额转账给本页的收款人。"),
        OrderStatus.PAID: Notice(
            "付款已提交", "收款人正在核实到账情况。您无需再进行操作，请勿重复付款。"
        ),
        OrderStatus.COMPLETED: Notice(
            "付款已完成", "收款人已确认到账。您可以关闭本页，返回商户页面。"
        ),
        OrderStatus.CANCELLED: Notice("订单已取消", f"请勿再为此订单转账。{_CONTACT}"),
        OrderStatus.EXPIRED: Notice("订单已超时", f"请勿再为此订单转账。{_CONTACT}"),
        OrderStatus.DISPUTED: Notice(
            "付款核查中", "工作人员正在核查。请勿重复付款，并保留转账凭证；结果将显示在本页。"
        ),
    },
    methods={
        MethodType.BANK: "银行卡",
        MethodType.WECHAT: "微信支付",
        MethodType.ALIPAY: "支付宝",
    },
    steps={
        MethodType.BANK: (
            "在银行应用中向此卡号转账，金额须与本页完全一致。",
            "确认前，请核对收款人姓名与本页一致。",
            "随后在本页提交付款；收款人确认到账后，本页将显示结果。",
        ),
        MethodType.WECHAT: (
            (
                "用微信扫描收款码，并输入完全一致的金额。如用本机付款，请先保存收款码图片，"
                "再从微信扫一扫的相册中选取。"
            ),
            "确认前，请核对收款人姓名与本页相符。",
            "随后在本页提交付款；收款人确认到账后，本页将显示结果。",
        ),
        MethodType.ALIPAY: (
            (
                "用支付宝扫描收款码，并输入完全一致的金额。如用本机付款，请先保存收款码图片，"
                "再从支付宝扫一扫的相册中选取。"
            ),
            "确认前，请核对收款人姓名与本页相符。",
            "随后在本页提交付款；收款人确认到账后，本页将显示结果。",
        ),
    },
    amount_due="转账金额",
    exact_amount="金额须精确到分，请勿多付或少付。",
    time_left="剩余时间",
    pay_by="付款截止：",
    updated="更新时间",
    time_zone="（北京时间）",
    transfer_to="收款信息",
    next_title="接下来",
    payee="收款人",
    bank="银行",
    branch="支行",
    card_number="卡号",
    account="账号",
    order_no="订单号",
    receiver="收款方",
    payment_code="收款人的收款码",
    copy="复制",
    copied="已复制",
    not_live="您的浏览器无法自动更新本页。",
    check_now="立即查看最新状态",
    date="{t.year}年{t.month}月{t.day}日 {t:%H:%M}",
    identity=IDENTITY_ZH,
    pay=PAY_ZH,
    desk=DESK_ZH,
)
