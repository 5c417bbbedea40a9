"""The texts of the pay page in Chinese."""

from orderdesk.domain.orders.order import ByStatus
from orderdesk.web.pages.pay.texts import PayTexts
from orderdesk.web.pages.texts import Notice, QuestionTexts
from orderdesk.web.pages.zh import ZH as SHARED

_CONTACT = "如您已付款，请联系商户并提供订单号。"

ZH = PayTexts(
    shared=SHARED,
    statuses=ByStatus(
        pending=Notice("等待您转账", "请在有效时间内，按准确金额转账给本页的收款人。"),
        paid=Notice("付款已提交", "收款人正在核实到账情况。您无需再进行操作，请勿重复付款。"),
        completed=Notice("付款已完成", "收款人已确认到账。您可以关闭本页，返回商户页面。"),
        cancelled=Notice("订单已取消", f"请勿再为此订单转账。{_CONTACT}"),
        expired=Notice("订单已超时", f"请勿再为此订单转账。{_CONTACT}"),
        disputed=Notice(
            "付款核查中", "工作人员正在核查。请勿重复付款，并保留转账凭证；结果将显示在本页。"
        ),
        matching=None,
        assigned=None,
    ),
    report_step="随后在本页提交付款；收款人确认到账后，本页将显示结果。",
    amount_due="转账金额",
    exact_amount="金额须精确到分，请勿多付或少付。",
    pay_by="付款截止：",
    transfer_to="收款信息",
    next_title="接下来",
    payment_code="收款人的收款码",
    remark="转账备注",
    remark_hint="请在转账备注中填写此数字，方便收款人核对。",
    save_code="保存图片",
    code_hint="手机上也可长按收款码保存。",
    code_site="将打开 {site} 上的图片。手机上也可长按收款码保存。",
    not_live="您的浏览器无法自动更新本页。",
    check_now="立即查看最新状态",
    report=Notice("您已完成转账？", "请在转账成功后再提交，提交后订单不可取消。"),
    i_have_paid="我已付款",
    proof=Notice("或上传转账凭证", "上传转账成功的截图，有助于收款人更快核实到账。"),
    needed_proof=Notice(
        "请上传转账凭证", "该商户要求提供转账凭证：请在转账成功后上传截图，提交后订单不可取消。"
    ),
    receipt_missing=Notice(
        "需要转账凭证",
        "未做任何更改。该商户要求提供转账凭证：请在下方上传转账成功的截图以提交付款。",
    ),
    more_proof=Notice("转账凭证", "上传转账成功的截图，有助于收款人更快核实到账。"),
    sent_proof=Notice("转账凭证", ""),
    sent_picture="凭证 {number}",
    sent_document="凭证 {number}（PDF）",
    sent_page="第 {page} 页",
    received="已收到 {count}/{most} 份",
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
