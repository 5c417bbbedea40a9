"""The texts of a dispute, on the pay page and at the desk."""

from orderdesk.domain.orders.notes import TextProblem
from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.texts import Text, Texts

_CARE_EN = "Up to 500 characters. Never write a password or a code."
_CARE_ZH = "最多 500 字，请勿填写密码或验证码。"


class DisputeTexts(Texts):
    """The texts of a dispute that the pay page and the desk share.

    `payer` names the payer to its trader, `trader` the trader to its payer; `you` is the reader.
    `read_by_trader` states who reads what a payer writes, `read_by` what a trader writes, by side.
    """

    title = Text(en="The review, step by step", zh="核查记录")
    late_title = Text(en="Receipts sent after the time", zh="超时后上传的凭证")
    you = Text(en="You", zh="您")
    payer = Text(en="Customer", zh="客户")
    trader = Text(en="Payee", zh="收款人")
    merchant = Text(en="Merchant", zh="商户")
    operator = Text(en="Support", zh="客服")
    clock = Text(en="Automatic", zh="系统")
    disputed = Text(en="Review requested", zh="已申请核查")
    completed = Text(en="Review over: payment complete", zh="核查结束：付款已完成")
    cancelled = Text(en="Review over: order cancelled", zh="核查结束：订单已取消")
    question_to_you = Text(en="Question to you", zh="向您提问")
    question_to_both = Text(en="Question to both sides", zh="向双方提问")
    question_to_payer = Text(en="Question to the customer", zh="向客户提问")
    question_to_trader = Text(en="Question to the payee", zh="向收款人提问")
    picture = Text(en="Picture {number}", zh="图片 {number}")
    document = Text(en="PDF {number}", zh="PDF {number}")
    page = Text(en="Page {page}", zh="第 {page} 页")
    sent_by = Text(en="{what}, sent by: {who}", zh="{what}，发送方：{who}")
    reason = Text(
        en="What have you checked, and what did you find?", zh="您核对了哪些信息，结果如何？"
    )
    optional_reason = Text(en="What happened? (optional)", zh="请说明情况（选填）")
    answer = Text(en="Your answer", zh="您的回复")
    add = Text(en="Add something", zh="补充说明")
    read_by_trader = Text(
        en=f"The payee and our support read this and see your pictures. {_CARE_EN}",
        zh=f"收款人和客服可以看到您填写的内容和图片。{_CARE_ZH}",
    )
    read_by = Text(
        en=ByType(
            buy=f"The customer and our support read this and see your pictures. {_CARE_EN}",
            sell=f"Our support reads this and sees your pictures. {_CARE_EN}",
        ),
        zh=ByType(
            buy=f"客户和客服可以看到您填写的内容和图片。{_CARE_ZH}",
            sell=f"客服可以看到您填写的内容和图片。{_CARE_ZH}",
        ),
    )
    send = Text(en="Send", zh="发送")
    file = Text(en="Picture or PDF", zh="图片或 PDF")
    send_file = Text(en="Send the picture", zh="发送图片")
    full = Text(
        en="You have reached the limit. Support may ask you more questions.",
        zh="您填写的内容已达上限。如有需要，客服会再次向您提问。",
    )
    missing = Text(en="Please write a few words.", zh="请填写说明。")
    too_long = Text(en="Please write at most 500 characters.", zh="最多 500 字，请缩短后再发送。")
    controls = Text(
        en="The text has characters that cannot be shown. Please type it again.",
        zh="内容中有无法显示的字符，请重新输入。",
    )
    too_many = Text(
        en="You have reached the limit. Support has received what you sent.",
        zh="您发送的内容已达上限，客服已收到。",
    )

    def problem(self, problem: TextProblem) -> str:
        """Return what is wrong with a text that was sent."""
        match problem:
            case TextProblem.MISSING:
                return self.missing
            case TextProblem.TOO_LONG:
                return self.too_long
            case TextProblem.CONTROLS:
                return self.controls
