"""The texts of the pay page's actions in Chinese."""

from orderdesk.domain.receipt_files import ReceiptProblem
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_texts import PayTexts, QuestionTexts

PAY_ZH = PayTexts(
    report=Notice("您已完成转账？", "请在转账成功后再提交，提交后订单不可取消。"),
    i_have_paid="我已付款",
    proof=Notice("或上传转账凭证", "上传转账成功的截图，有助于收款人更快核实到账。"),
    more_proof=Notice("转账凭证", "上传转账成功的截图，有助于收款人更快核实到账。"),
    file="凭证文件",
    file_rules="支持 PNG、JPEG、WebP 或 PDF，最大 10 MB",
    send="提交凭证",
    sending="正在上传…",
    received="已收到 {count}/{most} 份",
    unfit_title="凭证未被接受",
    unfit={
        ReceiptProblem.MISSING: "文件未上传成功，请重新选择。",
        ReceiptProblem.EMPTY: "文件为空，请选择其他文件。",
        ReceiptProblem.TOO_LARGE: "文件超过 10 MB，请上传较小的文件。",
        ReceiptProblem.WRONG_TYPE: (
            "文件不是 PNG、JPEG、WebP 图片或 PDF，请截取转账成功页面后上传。"
        ),
        ReceiptProblem.DAMAGED: "文件已损坏或不完整，请重新截图后上传。",
        ReceiptProblem.UNSAFE: "文件含有图片或普通文档以外的内容，请截取转账成功页面后上传。",
        ReceiptProblem.TOO_MANY: "已收到 5 份凭证，已达上限。",
    },
    overtaken=Notice("未做任何更改", "订单状态此前已变化，以下为当前状态。"),
    cancelling=QuestionTexts(
        link="取消订单",
        notice=Notice("确认取消订单？", "请仅在尚未转账时取消。订单取消后无法恢复。"),
        keep="暂不取消",
        go="确认取消",
    ),
    disputable_from="如到 {time}（北京时间）仍未确认，您可在此申请核查。",
    unconfirmed=Notice(
        "付款尚未确认",
        "收款人尚未确认到账，请勿重复付款。如款项已从您的账户转出，您可以申请核查，由工作人员处理。",
    ),
    disputing=QuestionTexts(
        link="申请核查",
        notice=Notice(
            "确认申请核查？",
            "请仅在款项已从您的账户转出时申请。工作人员将进行核查，请保留转账凭证。",
        ),
        keep="继续等待",
        go="申请核查",
    ),
)
