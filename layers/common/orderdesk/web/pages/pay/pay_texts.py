"""The texts of the pay page.

Written by `make texts` from pay_texts.toml; do not edit.
"""

from orderdesk.domain.orders.order import ByStatus
from orderdesk.web.pages.shared_texts import PageTexts
from orderdesk.web.pages.texts import Notice, QuestionTexts, Text


class PayTexts(PageTexts):
    """The texts of the pay page; `statuses` are those that a payer can see.

    `report_step` is the last step of paying. The steps before it depend on the method.
    """

    stopped = Text(
        en=Notice(
            headline="Do not pay",
            advice="The payee’s account can no longer receive money. Please do not transfer anything for this order. If you have already paid, submit the receipt below; otherwise go back to the merchant and order again.",
        ),
        zh=Notice(
            headline="请勿付款",
            advice="该收款账户已停止收款，请勿再为此订单转账。如您已经付款，请在下方提交转账凭证；如尚未付款，请返回商户重新下单。",
        ),
    )
    stopped_proof = Text(
        en=Notice(
            headline="I have already paid",
            advice="Add a screenshot of the finished transfer. Our support then checks whether the money has arrived.",
        ),
        zh=Notice(headline="我已付款", advice="请上传转账成功的截图，客服将核实是否到账。"),
    )
    completed_by_staff = Text(
        en=Notice(
            headline="Payment complete",
            advice="Support decided that the payment arrived. You can close this page and go back to the merchant.",
        ),
        zh=Notice(
            headline="付款已完成",
            advice="争议已结束：客服判定款项已到账。您可以关闭本页，返回商户页面。",
        ),
    )
    cancelled_by_merchant = Text(
        en=Notice(
            headline="Order cancelled",
            advice="The merchant has cancelled it. Please do not transfer money for it. If you have already paid, contact the merchant and quote the order number.",
        ),
        zh=Notice(
            headline="订单已取消",
            advice="商户已取消此订单，请勿再为此订单转账。如您已付款，请联系商户并提供订单号。",
        ),
    )
    cancelled_by_payer = Text(
        en=Notice(
            headline="Order cancelled",
            advice="You have cancelled it. Please do not transfer money for it. If you have already paid, contact the merchant and quote the order number.",
        ),
        zh=Notice(
            headline="订单已取消",
            advice="您已取消此订单，请勿再为此订单转账。如您已付款，请联系商户并提供订单号。",
        ),
    )
    cancelled_by_staff = Text(
        en=Notice(
            headline="Order cancelled",
            advice="Support has cancelled it. Please do not transfer money for it. If you have already paid, contact the merchant and quote the order number.",
        ),
        zh=Notice(
            headline="订单已取消",
            advice="客服已取消此订单，请勿再为此订单转账。如您已付款，请联系商户并提供订单号。",
        ),
    )
    rejected_by_staff = Text(
        en=Notice(
            headline="Order cancelled",
            advice="Support decided that the payment did not arrive. If it has left your account, contact the merchant and quote the order number.",
        ),
        zh=Notice(
            headline="订单已取消",
            advice="争议已结束：客服判定款项未到账。如款项已从您的账户转出，请联系商户并提供订单号。",
        ),
    )
    report_step = Text(
        en="Then report the payment on this page; the payee confirms that it has arrived.",
        zh="随后在本页提交付款；收款人确认到账后，本页将显示结果。",
    )
    amount_due = Text(en="Amount to transfer", zh="转账金额")
    exact_amount = Text(
        en="Pay exactly this amount, including the cents.", zh="金额须精确到分，请勿多付或少付。"
    )
    own_account = Text(
        en="Pay from your own account, in the name of {name}.", zh="请使用本人（{name}）账户付款。"
    )
    pay_by = Text(en="Pay by ", zh="付款截止：")
    transfer_to = Text(en="Transfer to", zh="收款信息")
    next_title = Text(en="What happens next", zh="接下来")
    payment_code = Text(en="Payment code of the payee", zh="收款人的收款码")
    remark = Text(en="Remark of the transfer", zh="转账备注")
    remark_hint = Text(
        en="Enter this number, so that the payee can find your transfer.",
        zh="请在转账备注中填写此数字，方便收款人核对。",
    )
    open_app = Text(en="Open Alipay", zh="打开支付宝")
    handoff = Text(
        en=Notice(
            headline="Continue on your phone",
            advice="Scan this code to open this page on your phone.",
        ),
        zh=Notice(headline="用手机继续", advice="用手机扫描此码，即可在手机上打开本页。"),
    )
    returning = Text(en="Back to the merchant in {seconds} s", zh="{seconds} 秒后自动返回商户")
    stay = Text(en="Stay on this page", zh="留在本页")
    save_code = Text(en="Save the picture", zh="保存图片")
    code_hint = Text(
        en="On a phone you can also press and hold the code.", zh="手机上也可长按收款码保存。"
    )
    not_live = Text(
        en="This page does not update automatically in your browser.",
        zh="您的浏览器无法自动更新本页。",
    )
    check_now = Text(en="Check again now", zh="立即查看最新状态")
    report = Text(
        en=Notice(
            headline="Have you transferred the money?",
            advice="Report it only once the transfer has gone through. You cannot cancel after that.",
        ),
        zh=Notice(headline="您已完成转账？", advice="请在转账成功后再提交，提交后订单不可取消。"),
    )
    reporting = Text(
        en=QuestionTexts(
            link="I have paid",
            notice=Notice(
                headline="Have you transferred {amount} to {payee}?",
                advice="Report it only once the transfer has gone through. You cannot cancel the order after that.",
            ),
            keep="Not yet",
            go="Yes, I have paid",
        ),
        zh=QuestionTexts(
            link="我已付款",
            notice=Notice(
                headline="已转账 {amount} 至 {payee}？",
                advice="请在转账成功后再提交，提交后订单不可取消。",
            ),
            keep="尚未转账",
            go="确认已付款",
        ),
    )
    send_and_report = Text(en="Submit receipt and confirm payment", zh="提交凭证并确认付款")
    proof = Text(
        en=Notice(
            headline="Or report it with a receipt",
            advice="A screenshot of the finished transfer helps the payee find your money sooner.",
        ),
        zh=Notice(
            headline="或上传转账凭证", advice="上传转账成功的截图，有助于收款人更快核实到账。"
        ),
    )
    needed_proof = Text(
        en=Notice(
            headline="Report it with a receipt",
            advice="This merchant needs a screenshot of the finished transfer. You cannot cancel after that.",
        ),
        zh=Notice(
            headline="请上传转账凭证",
            advice="该商户要求提供转账凭证：请在转账成功后上传截图，提交后订单不可取消。",
        ),
    )
    receipt_missing = Text(
        en=Notice(
            headline="A receipt is needed",
            advice="Nothing was changed. To report the payment, add a screenshot of the finished transfer below.",
        ),
        zh=Notice(
            headline="需要转账凭证", advice="操作未生效。请在下方上传转账成功的截图以提交付款。"
        ),
    )
    more_proof = Text(
        en=Notice(
            headline="Receipts",
            advice="A screenshot of the finished transfer helps the payee find your money sooner.",
        ),
        zh=Notice(headline="转账凭证", advice="上传转账成功的截图，有助于收款人更快核实到账。"),
    )
    late = Text(
        en=Notice(
            headline="Time has run out",
            advice="Please do not transfer money for this order any more. If you have already paid, submit the receipt below by {time} (Beijing time).",
        ),
        zh=Notice(
            headline="订单已超时",
            advice="请勿再为此订单转账。如您已经付款，请在 {time}（北京时间）前在下方提交凭证。",
        ),
    )
    late_kept = Text(
        en=Notice(
            headline="Time has run out",
            advice="Your receipt has been received. The payee and our support can see it and will check whether the money has arrived. Please do not pay again.",
        ),
        zh=Notice(
            headline="订单已超时",
            advice="您的凭证已收到，收款人和客服将据此核实是否到账。请勿重复付款。",
        ),
    )
    late_proof = Text(
        en=Notice(
            headline="Have you paid anyway?",
            advice="Add a screenshot of the finished transfer. Our support then checks whether the money has arrived.",
        ),
        zh=Notice(headline="如您已经付款", advice="请上传转账成功的截图，客服将核实是否到账。"),
    )
    send_late = Text(en="I have paid: submit the receipt", zh="我已付款，提交凭证")
    sent_proof = Text(
        en=Notice(headline="Receipts", advice=""), zh=Notice(headline="转账凭证", advice="")
    )
    sent_picture = Text(en="Receipt {number}", zh="凭证 {number}")
    sent_document = Text(en="Receipt {number} (PDF)", zh="凭证 {number}（PDF）")
    sent_page = Text(en="Page {page}", zh="第 {page} 页")
    asked = Text(
        en=Notice(
            headline="Our support has a question for you",
            advice="Please answer by {time} (Beijing time).",
        ),
        zh=Notice(headline="客服向您提问，等待您的回复", advice="请在 {time}（北京时间）前回复。"),
    )
    received = Text(en="{count} of {most} received", zh="已收到 {count}/{most} 份")
    cancelling = Text(
        en=QuestionTexts(
            link="Cancel this order",
            notice=Notice(
                headline="Cancel this order?",
                advice="Cancel only if you have not transferred any money. A cancelled order cannot be reopened.",
            ),
            keep="Keep the order",
            go="Cancel the order",
        ),
        zh=QuestionTexts(
            link="取消订单",
            notice=Notice(
                headline="确认取消订单？", advice="请仅在尚未转账时取消。订单取消后无法恢复。"
            ),
            keep="暂不取消",
            go="确认取消",
        ),
    )
    disputable_from = Text(
        en="If it is not confirmed by {time} (Beijing time), you can open a dispute here.",
        zh="如到 {time}（北京时间）仍未确认，您可在此发起争议。",
    )
    unconfirmed = Text(
        en=Notice(
            headline="Not confirmed yet",
            advice="The payee has not confirmed that the money has arrived. Please do not pay again. If it has left your account, open a dispute, and our support will look into it.",
        ),
        zh=Notice(
            headline="付款尚未确认",
            advice="收款人尚未确认到账，请勿重复付款。如款项已从您的账户转出，您可以发起争议，由客服处理。",
        ),
    )
    disputing = Text(
        en=QuestionTexts(
            link="Open a dispute",
            notice=Notice(
                headline="Open a dispute?",
                advice="Do so only if the money has left your account. Our support will look into it; keep the receipt of your transfer.",
            ),
            keep="Keep waiting",
            go="Open a dispute",
        ),
        zh=QuestionTexts(
            link="发起争议",
            notice=Notice(
                headline="确认发起争议？",
                advice="请仅在款项已从您的账户转出时发起。客服将介入处理，请保留转账凭证。",
            ),
            keep="继续等待",
            go="发起争议",
        ),
    )
    statuses = Text[ByStatus[Notice | None]](
        en=ByStatus(
            pending=Notice(
                headline="Waiting for your transfer",
                advice="Transfer the exact amount to the payee shown here before the time runs out.",
            ),
            paid=Notice(
                headline="Payment reported",
                advice="The payee is checking that the money has arrived. There is nothing more for you to do; please do not pay again.",
            ),
            matching=None,
            assigned=None,
            completed=Notice(
                headline="Payment complete",
                advice="The payee has received your transfer. You can close this page and go back to the merchant.",
            ),
            cancelled=Notice(
                headline="Order cancelled",
                advice="Please do not transfer money for this order. If you have already paid, contact the merchant and quote the order number.",
            ),
            expired=Notice(
                headline="Time has run out",
                advice="Please do not transfer money for this order any more. If you have already paid, contact the merchant and quote the order number.",
            ),
            disputed=Notice(
                headline="Payment disputed",
                advice="Our support is looking into it. Please do not pay again, and keep the receipt of your transfer; this page will show the outcome.",
            ),
        ),
        zh=ByStatus(
            pending=Notice(
                headline="等待您转账", advice="请在有效时间内，按准确金额转账给本页的收款人。"
            ),
            paid=Notice(
                headline="付款已提交",
                advice="收款人正在核实到账情况。您无需再进行操作，请勿重复付款。",
            ),
            matching=None,
            assigned=None,
            completed=Notice(
                headline="付款已完成", advice="收款人已确认到账。您可以关闭本页，返回商户页面。"
            ),
            cancelled=Notice(
                headline="订单已取消",
                advice="请勿再为此订单转账。如您已付款，请联系商户并提供订单号。",
            ),
            expired=Notice(
                headline="订单已超时",
                advice="请勿再为此订单转账。如您已付款，请联系商户并提供订单号。",
            ),
            disputed=Notice(
                headline="付款争议处理中",
                advice="客服正在处理。请勿重复付款，并保留转账凭证；结果将显示在本页。",
            ),
        ),
    )
    since = Text[ByStatus[str]](
        en=ByStatus(
            pending="Created",
            paid="Reported",
            matching="",
            assigned="",
            completed="Completed",
            cancelled="Cancelled",
            expired="Time ran out",
            disputed="Dispute opened",
        ),
        zh=ByStatus(
            pending="创建时间",
            paid="提交时间",
            matching="",
            assigned="",
            completed="完成时间",
            cancelled="取消时间",
            expired="超时时间",
            disputed="发起争议时间",
        ),
    )
