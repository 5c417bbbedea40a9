"""The texts of the desk's page of an order in Chinese."""

from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.transitions import Actor, Move
from orderdesk.web.messages.desk_order_texts import OrderTexts
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_texts import QuestionTexts

_BUY, _SELL = OrderType.BUY, OrderType.SELL

DESK_ORDER_ZH = OrderTexts(
    todo={
        (_BUY, OrderStatus.PENDING): Notice(
            "等待客户转账", "暂时无需操作。如款项已经到账，您可以直接确认。"
        ),
        (_BUY, OrderStatus.PAID): Notice(
            "请核实是否到账",
            "客户表示已转账。请以账户实际入账为准，不要仅凭凭证；金额完全一致时再确认。",
        ),
        (_BUY, OrderStatus.COMPLETED): Notice("已确认收款", "您已确认款项到账。"),
        (_BUY, OrderStatus.CANCELLED): Notice(
            "订单已取消", "您的 USDT 已退回。如仍收到款项，请联系运营人员。"
        ),
        (_BUY, OrderStatus.EXPIRED): Notice(
            "订单已超时", "您的 USDT 将退回。如仍收到款项，请联系运营人员。"
        ),
        (_BUY, OrderStatus.DISPUTED): Notice(
            "核查中", "工作人员正在核查，期间您的 USDT 保持冻结。"
        ),
        (_SELL, OrderStatus.ASSIGNED): Notice(
            "请向客户付款", "按准确金额转账至下方账户，上传付款凭证，然后确认。"
        ),
        (_SELL, OrderStatus.COMPLETED): Notice("已确认付款", "USDT 已记入您的账户。"),
        (_SELL, OrderStatus.CANCELLED): Notice(
            "订单已取消", "请勿付款。如已付款，请联系运营人员。"
        ),
        (_SELL, OrderStatus.DISPUTED): Notice("核查中", "工作人员正在核查，请勿再付款。"),
    },
    lapsed=Notice(
        "处理时间已过",
        "订单随时可能转给其他交易员，请勿再付款。如您已经付款，请立即上传凭证并确认。",
    ),
    receive="您应收",
    pay="您应付",
    usdt_out="您支付",
    usdt_in="您获得",
    rate="汇率",
    own_account="您的账户",
    arrives_at="收款账户",
    payer="付款人",
    payer_unknown="未核验",
    pay_to="付款至",
    open_code="打开收款码",
    code_text="收款码",
    proofs={_BUY: "客户的转账凭证", _SELL: "您的付款凭证"},
    none_proved="客户尚未上传凭证。",
    proof=Notice(
        "付款凭证", "请上传转账成功的截图，须显示金额、时间和收款人。凭证提交成功后即可确认。"
    ),
    more_proof=Notice("补充凭证", "最多可上传 5 份。"),
    proof_first="请先上传付款凭证，之后可在此确认。",
    proof_missing=Notice("未做任何更改", "请先上传付款凭证，再确认付款。"),
    picture="凭证 {number}，图片",
    document="凭证 {number}，PDF",
    history="进度",
    steps={
        OrderStatus.PENDING: "订单创建",
        OrderStatus.PAID: "客户提交付款",
        OrderStatus.MATCHING: "订单创建",
        OrderStatus.ASSIGNED: "分配给您",
        OrderStatus.COMPLETED: "完成",
        OrderStatus.CANCELLED: "取消",
        OrderStatus.EXPIRED: "超时",
        OrderStatus.DISPUTED: "申请核查",
    },
    by={
        Actor.PAYER: "客户",
        Actor.MERCHANT: "商户",
        Actor.TRADER: "您",
        Actor.OPERATOR: "工作人员",
        Actor.CLOCK: "系统自动",
    },
    actions="您的处理",
    deadlines={
        OrderStatus.PENDING: "客户剩余时间",
        OrderStatus.PAID: "请在此时间内处理",
        OrderStatus.ASSIGNED: "付款剩余时间",
    },
    overdue="已逾时",
    overtaken=Notice("未做任何更改", "订单状态此前已变化，以下为当前状态。"),
    questions={
        (_BUY, Move.CONFIRM): QuestionTexts(
            link="确认收款",
            notice=Notice(
                "款项已到账？",
                "请仅在账户已收到准确金额时确认。确认后 USDT 将立即支付，无法撤销。",
            ),
            keep="尚未到账",
            go="确认已到账",
        ),
        (_BUY, Move.DISPUTE): QuestionTexts(
            link="未收到款项",
            notice=Notice(
                "报告未收到款项？",
                "请先再次核对账户。工作人员将进行核查，期间您的 USDT 保持冻结。",
            ),
            keep="继续等待",
            go="报告未收到",
        ),
        (_SELL, Move.CONFIRM): QuestionTexts(
            link="确认付款",
            notice=Notice("已向客户付款？", "请仅在准确金额转账成功后确认。"),
            keep="尚未付款",
            go="确认已付款",
        ),
        (_SELL, Move.DECLINE): QuestionTexts(
            link="退回订单",
            notice=Notice("退回此订单？", "请仅在尚未付款时退回，订单将转给其他交易员。"),
            keep="保留订单",
            go="确认退回",
        ),
    },
)
