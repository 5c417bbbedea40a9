"""The texts of a dispute, for the payer and the merchant's team.

Written by `make texts` from dispute_texts.toml; do not edit.
"""

from orderdesk.domain.orders.notes import AskedSide, TextProblem
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.texts import Text, Texts


class DisputeTexts(Texts):
    """The texts of a dispute that the pay page, the desk and the portal share.

    `names` are those of the sides to each other; `you` is the reader.
    `read_by_trader` states who reads what a payer writes, `read_by` what a trader writes, and
    `read_by_others` what a merchant writes, by side.
    """

    title = Text(en="The dispute, step by step", zh="争议记录")
    late_title = Text(en="Receipts sent after the time", zh="超时后上传的凭证")
    you = Text(en="You", zh="您")
    disputed = Text(en="Dispute opened", zh="已发起争议")
    sum_title = Text(en="A different amount arrived", zh="到账金额不同")
    sum_reported = Text(
        en="The payee reports that {arrived} arrived instead of {asked}.",
        zh="收款人表示实际到账 {arrived}，应付 {asked}。",
    )
    sum_reported_by_you = Text(
        en="You reported that {arrived} arrived instead of {asked}.",
        zh="您上报实际到账 {arrived}，应收 {asked}。",
    )
    sum_next = Text(en="Our support decides how the order ends.", zh="客服将处理此订单。")
    sum_completed = Text(en="The order was completed with {amount}.", zh="订单已按 {amount} 完成。")
    sum_agree = Text(en="Yes, I transferred {arrived}", zh="是，我转账了 {arrived}")
    sum_object = Text(en="No, I object", zh="不是，我不同意")
    confirmed = Text(
        en="Dispute over: the payee confirmed the payment", zh="争议已结束：收款人已确认到账"
    )
    agreed = Text(
        en="Dispute over: agreed to the amount that arrived", zh="争议已结束：同意实际到账金额"
    )
    payer_paid = Text(
        en="The order is complete, and the merchant has been notified.",
        zh="订单已完成，系统已通知商户。",
    )
    payer_not_paid = Text(
        en="The order is cancelled. If the money has left your account, contact the merchant and quote the order number.",
        zh="订单已取消。如款项已从您的账户转出，请联系商户并提供订单号。",
    )
    tasks = Text(en="What to do next", zh="下一步")
    nothing_to_do = Text(
        en="Nothing for now. You can add details below.", zh="暂无需操作，可在下方补充说明。"
    )
    explain_as_payer = Text(
        en="Describe your payment and send its receipt by {time} (Beijing time).",
        zh="请在 {time}（北京时间）前说明付款情况，并上传转账凭证。",
    )
    explain_as_trader = Text(
        en="Check your account and describe what you found by {time} (Beijing time).",
        zh="请在 {time}（北京时间）前核对账户，并说明核对结果。",
    )
    answer_by = Text(
        en="Answer our support’s question by {time} (Beijing time).",
        zh="请在 {time}（北京时间）前回复客服的提问。",
    )
    answer_late = Text(
        en="Your answer was due by {time} (Beijing time). Support can decide without it; please answer now.",
        zh="回复期限（{time}，北京时间）已过，客服可直接判定，请尽快回复。",
    )
    other_by = Text(
        en="Is to answer by {time} (Beijing time).", zh="须在 {time}（北京时间）前回复。"
    )
    no_answer_due = Text(en="No answer is due.", zh="暂无需回复。")
    support_decides = Text(
        en="Decides after both sides have answered, or once the time to answer is over.",
        zh="将在双方回复后作出判定；逾期未回复的，可直接判定。",
    )
    question_to_you = Text(en="Question to you", zh="向您提问")
    picture = Text(en="Picture {number}", zh="图片 {number}")
    document = Text(en="PDF {number}", zh="PDF {number}")
    page = Text(en="Page {page}", zh="第 {page} 页")
    sent_by = Text(en="{what}, sent by: {who}", zh="{what}，发送方：{who}")
    grounds = Text(en="What is wrong?", zh="争议原因")
    optional_grounds = Text(en="What is wrong? (optional)", zh="争议原因（选填）")
    reason = Text(
        en="What have you checked, and what did you find?", zh="您核对了哪些信息，结果如何？"
    )
    optional_reason = Text(en="What happened? (optional)", zh="请说明情况（选填）")
    answer = Text(en="Your answer", zh="您的回复")
    add = Text(en="Add something", zh="补充说明")
    read_by_trader = Text(
        en="The payee, the merchant and our support read this and see your pictures. Up to 500 characters. Never write a password or a code.",
        zh="收款人、商户和客服可以看到您填写的内容和图片。最多 500 字，请勿填写密码或验证码。",
    )
    send = Text(en="Send", zh="发送")
    file = Text(en="Picture or PDF", zh="图片或 PDF")
    send_file = Text(en="Send the picture", zh="发送图片")
    full = Text(
        en="You have reached the limit. Support may ask you more questions.",
        zh="您填写的内容已达上限。如有需要，客服会再次向您提问。",
    )
    too_many = Text(
        en="You have reached the limit. Support has received what you sent.",
        zh="您发送的内容已达上限，客服已收到。",
    )
    names = Text[dict[Actor, str]](
        en={
            Actor.PAYER: "Customer",
            Actor.TRADER: "Payee",
            Actor.MERCHANT: "Merchant",
            Actor.OPERATOR: "Support",
            Actor.CLOCK: "Automatic",
        },
        zh={
            Actor.PAYER: "客户",
            Actor.TRADER: "收款人",
            Actor.MERCHANT: "商户",
            Actor.OPERATOR: "客服",
            Actor.CLOCK: "系统",
        },
    )
    questions = Text[dict[AskedSide, str]](
        en={
            AskedSide.PAYER: "Question to the customer",
            AskedSide.TRADER: "Question to the payee",
            AskedSide.BOTH: "Question to both sides",
        },
        zh={
            AskedSide.PAYER: "向客户提问",
            AskedSide.TRADER: "向收款人提问",
            AskedSide.BOTH: "向双方提问",
        },
    )
    arrived = Text[ByType[str]](
        en=ByType(
            buy="Dispute over: support decided that the payment arrived",
            sell="Dispute over: support decided that the customer was paid",
        ),
        zh=ByType(buy="争议已结束：客服判定款项已到账", sell="争议已结束：客服判定客户已收到款项"),
    )
    sum_answers_of_payer = Text[dict[str, str]](
        en={
            "silent": "Is that the amount that you transferred? No answer counts as an objection.",
            "agreed": "You agreed.",
            "objected": "You objected.",
        },
        zh={
            "silent": "这是您实际转账的金额吗？未答复视为不同意。",
            "agreed": "您已同意。",
            "objected": "您已表示不同意。",
        },
    )
    sum_answers = Text[dict[str, str]](
        en={
            "silent": "The customer has not answered; that counts as an objection.",
            "agreed": "The customer agreed.",
            "objected": "The customer objected.",
        },
        zh={
            "silent": "客户尚未答复，视为不同意。",
            "agreed": "客户已同意。",
            "objected": "客户不同意。",
        },
    )
    missing_money = Text[ByType[str]](
        en=ByType(
            buy="Dispute over: support decided that the payment did not arrive",
            sell="Dispute over: support decided that the customer was not paid",
        ),
        zh=ByType(buy="争议已结束：客服判定款项未到账", sell="争议已结束：客服判定客户未收到款项"),
    )
    trader_paid = Text[ByType[str]](
        en=ByType(
            buy="The USDT has been paid to the merchant.",
            sell="The USDT has been added to your balance.",
        ),
        zh=ByType(buy="USDT 已划付给商户。", sell="USDT 已计入您的余额。"),
    )
    trader_not_paid = Text[ByType[str]](
        en=ByType(
            buy="Your USDT is available again.", sell="The USDT has been returned to the merchant."
        ),
        zh=ByType(buy="您的 USDT 已解除冻结。", sell="USDT 已退回商户。"),
    )
    merchant_paid = Text[ByType[str]](
        en=ByType(
            buy="The USDT has been added to your balance.",
            sell="The USDT has been paid to the trader.",
        ),
        zh=ByType(buy="USDT 已计入您的余额。", sell="USDT 已划付给交易员。"),
    )
    merchant_not_paid = Text[ByType[str]](
        en=ByType(
            buy="The order is cancelled. Your balance is unchanged.",
            sell="The USDT has been returned to your balance.",
        ),
        zh=ByType(buy="订单已取消，您的余额不变。", sell="USDT 已退回您的余额。"),
    )
    grounds_of_payer = Text[dict[str, str]](
        en={
            "unconfirmed": "I have paid, but it is not confirmed",
            "amount": "I transferred another amount",
            "account": "I transferred to another account",
            "other": "Something else",
        },
        zh={
            "unconfirmed": "已付款，但收款人未确认",
            "amount": "转账金额与订单不符",
            "account": "转账到了其他账户",
            "other": "其他",
        },
    )
    grounds_of_trader = Text[dict[str, str]](
        en={
            "missing": "No money has arrived",
            "amount": "Another amount has arrived",
            "payer": "The payer’s name is another one",
            "other": "Something else",
        },
        zh={
            "missing": "未收到款项",
            "amount": "到账金额与订单不符",
            "payer": "付款人姓名不符",
            "other": "其他",
        },
    )
    read_by = Text[ByType[str]](
        en=ByType(
            buy="The customer, the merchant and our support read this and see your pictures. Up to 500 characters. Never write a password or a code.",
            sell="The merchant and our support read this and see your pictures. Up to 500 characters. Never write a password or a code.",
        ),
        zh=ByType(
            buy="客户、商户和客服可以看到您填写的内容和图片。最多 500 字，请勿填写密码或验证码。",
            sell="商户和客服可以看到您填写的内容和图片。最多 500 字，请勿填写密码或验证码。",
        ),
    )
    read_by_others = Text[ByType[str]](
        en=ByType(
            buy="The customer, the payee and our support read this and see your pictures. Up to 500 characters. Never write a password or a code.",
            sell="The trader and our support read this and see your pictures. Up to 500 characters. Never write a password or a code.",
        ),
        zh=ByType(
            buy="客户、收款人和客服可以看到您填写的内容和图片。最多 500 字，请勿填写密码或验证码。",
            sell="交易员和客服可以看到您填写的内容和图片。最多 500 字，请勿填写密码或验证码。",
        ),
    )
    problems = Text[dict[TextProblem, str]](
        en={
            TextProblem.MISSING: "Please write a few words.",
            TextProblem.TOO_LONG: "Please write at most 500 characters.",
            TextProblem.CONTROLS: "The text has characters that cannot be shown. Please type it again.",
        },
        zh={
            TextProblem.MISSING: "请填写说明。",
            TextProblem.TOO_LONG: "最多 500 字，请缩短后再发送。",
            TextProblem.CONTROLS: "内容中有无法显示的字符，请重新输入。",
        },
    )
