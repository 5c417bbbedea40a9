"""The texts of a dispute in Chinese."""

from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.dispute.texts import DisputeTexts, ProblemTexts

_CARE = "最多 500 字，请勿填写密码或验证码。"

ZH = DisputeTexts(
    title="核查记录",
    you="您",
    payer="客户",
    trader="收款人",
    merchant="商户",
    operator="客服",
    clock="系统",
    disputed="已申请核查",
    completed="核查结束：付款已完成",
    cancelled="核查结束：订单已取消",
    question_to_you="向您提问",
    question_to_both="向双方提问",
    question_to_payer="向客户提问",
    question_to_trader="向收款人提问",
    picture="图片 {number}",
    document="PDF {number}",
    page="第 {page} 页",
    sent_by="{what}，发送方：{who}",
    reason="您核对了哪些信息，结果如何？",
    optional_reason="请说明情况（选填）",
    answer="您的回复",
    add="补充说明",
    read_by_trader=f"收款人和客服可以看到您填写的内容和图片。{_CARE}",
    read_by=ByType(
        buy=f"客户和客服可以看到您填写的内容和图片。{_CARE}",
        sell=f"客服可以看到您填写的内容和图片。{_CARE}",
    ),
    send="发送",
    file="图片或 PDF",
    send_file="发送图片",
    full="您填写的内容已达上限。如有需要，客服会再次向您提问。",
    problems=ProblemTexts(
        missing="请填写说明。",
        too_long="最多 500 字，请缩短后再发送。",
        controls="内容中有无法显示的字符，请重新输入。",
        too_many="您发送的内容已达上限，客服已收到。",
    ),
)
