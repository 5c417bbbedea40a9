"""The texts that all pages share.

Written by `make texts` from shared_texts.toml; do not edit.
"""

from orderdesk.domain.payment_methods import ByMethod
from orderdesk.domain.receipts.files import ReceiptProblem
from orderdesk.web.pages.texts import Group, Notice, Text, Texts


class UploadTexts(Texts):
    """The texts of choosing and sending a file; `unfit` states what is wrong with it."""

    file = Text(en="Receipt file", zh="凭证文件")
    file_rules = Text(
        en="PNG, JPEG, WebP or PDF, up to 10 MB", zh="支持 PNG、JPEG、WebP 或 PDF，最大 10 MB"
    )
    choose = Text(en="Choose a file", zh="选择文件")
    choose_other = Text(en="File chosen · choose another", zh="已选择文件 · 重新选择")
    choose_first = Text(en="Please choose a file first.", zh="请先选择文件。")
    preview = Text(en="The chosen picture", zh="所选图片")
    send = Text(en="Send receipt", zh="提交凭证")
    sending = Text(en="Sending …", zh="正在上传…")
    sent = Text(
        en=Notice(
            headline="Your file has been sent",
            advice="It is being checked, which takes a few seconds. If this page stays, press Continue.",
        ),
        zh=Notice(
            headline="文件已发送", advice="正在检查，需要几秒钟。如页面没有变化，请点击“继续”。"
        ),
    )
    waiting = Text(
        en=Notice(
            headline="Your file has arrived",
            advice="Many files are being checked at the moment. Keep this page open: it tries again by itself. You need not send the file again.",
        ),
        zh=Notice(
            headline="文件已收到",
            advice="当前需要检查的文件较多。请保持本页打开，页面会自动重试，无需重新上传。",
        ),
    )
    continue_ = Text(en="Continue", zh="继续")
    unfit_title = Text(en="The receipt was not accepted", zh="凭证未被接受")
    unfit = Text[dict[ReceiptProblem, str]](
        en={
            ReceiptProblem.MISSING: "The file did not arrive. Please choose it again.",
            ReceiptProblem.EMPTY: "The file is empty. Please choose another one.",
            ReceiptProblem.TOO_LARGE: "The file is larger than 10 MB. Please send a smaller one.",
            ReceiptProblem.WRONG_TYPE: "The file is not a PNG, JPEG or WebP picture or a PDF. Please take a screenshot of the transfer and send that.",
            ReceiptProblem.DAMAGED: "The file is damaged or incomplete. Please take a new screenshot and send that.",
            ReceiptProblem.TOO_COMPLEX: "The file cannot be shown as a picture. Please take a screenshot of the transfer and send that.",
            ReceiptProblem.TOO_MANY: "There are already 5 receipts, which is the maximum.",
            ReceiptProblem.TRIED_OFTEN: "10 files were tried, which is the maximum. Please contact support.",
            ReceiptProblem.NO_CODE: "The picture has no payment code of WeChat or Alipay. Choose one that shows the whole code.",
            ReceiptProblem.SEVERAL_CODES: "The picture shows different codes. Choose one with a single code.",
            ReceiptProblem.BLANK: "The picture is empty: nothing can be read in it. Please take a screenshot of the transfer and send that.",
        },
        zh={
            ReceiptProblem.MISSING: "文件未上传成功，请重新选择。",
            ReceiptProblem.EMPTY: "文件为空，请选择其他文件。",
            ReceiptProblem.TOO_LARGE: "文件超过 10 MB，请上传较小的文件。",
            ReceiptProblem.WRONG_TYPE: "文件不是 PNG、JPEG、WebP 图片或 PDF，请截取转账成功页面后上传。",
            ReceiptProblem.DAMAGED: "文件已损坏或不完整，请重新截图后上传。",
            ReceiptProblem.TOO_COMPLEX: "文件无法显示为图片，请截取转账成功页面后上传。",
            ReceiptProblem.TOO_MANY: "已收到 5 份凭证，已达上限。",
            ReceiptProblem.TRIED_OFTEN: "已尝试 10 个文件，已达上限，请联系客服。",
            ReceiptProblem.NO_CODE: "图片中没有识别到微信或支付宝的收款码，请选择清晰完整的收款码图片。",
            ReceiptProblem.SEVERAL_CODES: "图片中有多个不同的二维码，请选择只有一个收款码的图片。",
            ReceiptProblem.BLANK: "图片是空白的，看不到任何内容。请截取转账成功页面后上传。",
        },
    )


class SharedTexts(Texts):
    """The texts that several pages share."""

    language_name = Text(en="English", zh="中文")
    skip = Text(en="Skip to the content", zh="跳到主要内容")
    safety = Text(
        en="orderdesk never asks for a password or a verification code.",
        zh="orderdesk 绝不会向您索要密码或验证码。",
    )
    test_order = Text(
        en="Test order. Do not transfer real money.", zh="测试订单，请勿进行真实转账。"
    )
    reload = Text(en="Reload this page", zh="重新加载")
    quote_number = Text(
        en="If it keeps happening, quote this number:", zh="如问题持续出现，请提供此编号："
    )
    time_left = Text(en="Time left", zh="剩余时间")
    provided_by = Text(en="Payment by orderdesk", zh="由 orderdesk 提供收款")
    merchant_order_no = Text(en="Merchant’s order number", zh="商户订单号")
    offline = Text(
        en="You are offline. The page continues when you are connected again.",
        zh="网络已断开，恢复连接后本页会继续更新。",
    )
    online = Text(en="You are connected again.", zh="网络已恢复。")
    time_zone = Text(en=" (Beijing time)", zh="（北京时间）")
    payee = Text(en="Payee", zh="收款人")
    payee_of_card = Text(en="{name} (card ending in {end})", zh="{name}（尾号 {end}）")
    payee_of_wallet = Text(en="{name} ({wallet})", zh="{name}（{wallet}）")
    bank = Text(en="Bank", zh="银行")
    branch = Text(en="Branch", zh="支行")
    card_number = Text(en="Card number", zh="卡号")
    account = Text(en="Account", zh="账号")
    order_no = Text(en="Order number", zh="订单号")
    receiver = Text(en="Paid to", zh="收款方")
    merchant = Text(en="Merchant", zh="商户")
    support = Text(en="Merchant’s support", zh="商户客服")
    reference = Text(en="Reference number", zh="参考编号")
    back_to_merchant = Text(en="Back to the merchant", zh="返回商户")
    copy = Text(en="Copy", zh="复制")
    copied = Text(en="Copied", zh="已复制")
    date = Text(
        en="{t.day} {t:%b} {t.year}, {t:%H:%M}", zh="{t.year}年{t.month}月{t.day}日 {t:%H:%M}"
    )
    overtaken = Text(
        en=Notice(
            headline="Nothing was changed",
            advice="The order’s status had already changed. This page shows the current status.",
        ),
        zh=Notice(headline="操作未生效", advice="订单状态已更新，以下为当前状态。"),
    )
    upload = Group(UploadTexts)
    problems = Text[dict[str, Notice]](
        en={
            "order_not_found": Notice(
                headline="This link does not open an order",
                advice="It may be incomplete. Open it again from where you got it, or ask the merchant for a new one.",
            ),
            "try_again": Notice(
                headline="Very busy right now",
                advice="Your order is not affected. Please reload this page in a moment.",
            ),
            "too_many_requests": Notice(
                headline="Too many attempts",
                advice="Please wait a few minutes and reload this page.",
            ),
            "not_same_origin": Notice(
                headline="This did not come from our page",
                advice="Nothing has been changed. Open the link again from where you got it, and continue there.",
            ),
            "bad_form": Notice(
                headline="What your browser sent could not be read",
                advice="Nothing has been changed. Please reload this page and try again.",
            ),
            "internal_error": Notice(
                headline="Something went wrong on our side",
                advice="Your order is not affected. Please reload this page in a moment.",
            ),
        },
        zh={
            "order_not_found": Notice(
                headline="此链接无法打开订单",
                advice="链接可能不完整。请从原处重新打开，或向商户索取新的链接。",
            ),
            "try_again": Notice(
                headline="系统繁忙", advice="您的订单不受影响，请稍后重新加载本页。"
            ),
            "too_many_requests": Notice(
                headline="操作过于频繁", advice="请稍等几分钟后重新加载本页。"
            ),
            "not_same_origin": Notice(
                headline="此次提交并非来自本页",
                advice="操作未生效。请从原处重新打开链接，并在打开的页面中继续。",
            ),
            "bad_form": Notice(
                headline="提交的内容无法识别", advice="操作未生效。请重新加载本页后再试。"
            ),
            "internal_error": Notice(
                headline="系统出现问题", advice="您的订单不受影响，请稍后重新加载本页。"
            ),
        },
    )
    methods = Text[ByMethod[str]](
        en=ByMethod(bank="Bank card", wechat="WeChat Pay", alipay="Alipay"),
        zh=ByMethod(bank="银行卡", wechat="微信支付", alipay="支付宝"),
    )
    how_to_pay = Text[ByMethod[tuple[str, ...]]](
        en=ByMethod(
            bank=(
                "In your bank’s app, transfer exactly this amount to this card number.",
                "Before you confirm, check that the payee’s name is the one shown here.",
            ),
            wechat=(
                "Scan the payment code in WeChat and enter exactly this amount. To pay on the same phone, save the code as a picture and open it from WeChat’s scanner.",
                "Before you confirm, check that the payee’s name fits the one shown here.",
            ),
            alipay=(
                "Scan the payment code in Alipay and enter exactly this amount. To pay on the same phone, save the code as a picture and open it from Alipay’s scanner.",
                "Before you confirm, check that the payee’s name fits the one shown here.",
            ),
        ),
        zh=ByMethod(
            bank=(
                "在银行应用中向此卡号转账，金额须与本页完全一致。",
                "确认前，请核对收款人姓名与本页一致。",
            ),
            wechat=(
                "用微信扫描收款码，并输入完全一致的金额。如用本机付款，请先保存收款码图片，再从微信扫一扫的相册中选取。",
                "确认前，请核对收款人姓名与本页相符。",
            ),
            alipay=(
                "用支付宝扫描收款码，并输入完全一致的金额。如用本机付款，请先保存收款码图片，再从支付宝扫一扫的相册中选取。",
                "确认前，请核对收款人姓名与本页相符。",
            ),
        ),
    )


class PageTexts(Texts):
    """Base of one page's texts, which include the shared ones."""

    shared = Group(SharedTexts)
