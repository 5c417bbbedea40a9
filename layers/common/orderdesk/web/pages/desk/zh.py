"""The texts of the desk in Chinese; those of its lists are beside it."""

from orderdesk.domain.orders.order import ByStatus
from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.desk.texts import DeskTexts, OrderTexts
from orderdesk.web.pages.desk.zh_lists import CALLS_ZH, DUTY_ZH, LISTS_ZH, LOGIN_ZH, SEARCH_ZH
from orderdesk.web.pages.desk.zh_settings import SETTINGS_ZH
from orderdesk.web.pages.texts import Notice, QuestionTexts
from orderdesk.web.pages.zh import ZH as SHARED

_ORDER = OrderTexts(
    todo=ByType(
        buy=ByStatus(
            pending=Notice("等待客户转账", "暂时无需操作。如款项已经到账，您可以直接确认。"),
            paid=Notice(
                "请核实是否到账",
                "客户表示已转账。请以账户实际入账为准，不要仅凭凭证；金额完全一致时再确认。",
            ),
            completed=Notice("已确认收款", "您已确认款项到账。"),
            cancelled=Notice("订单已取消", "您的 USDT 已退回。如仍收到款项，请联系运营人员。"),
            expired=Notice("订单已超时", "您的 USDT 将退回。如仍收到款项，请联系运营人员。"),
            disputed=Notice("核查中", "工作人员正在核查，期间您的 USDT 保持冻结。"),
            matching=None,
            assigned=None,
        ),
        sell=ByStatus(
            assigned=Notice("请向客户付款", "按准确金额转账至下方账户，上传付款凭证，然后确认。"),
            completed=Notice("已确认付款", "USDT 已记入您的账户。"),
            cancelled=Notice("订单已取消", "请勿付款。如已付款，请联系运营人员。"),
            disputed=Notice("核查中", "工作人员正在核查，请勿再付款。"),
            pending=None,
            paid=None,
            matching=None,
            expired=None,
        ),
    ),
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
    reference="转账备注",
    pay_to="付款至",
    open_code="打开收款码",
    code_site="将打开 {site}。该网站由客户提供，并非本平台网站，请勿在其中输入访问码。",
    code_text="收款码",
    proofs=ByType(buy="客户的转账凭证", sell="您的付款凭证"),
    none_proved="客户尚未上传凭证。",
    proof=Notice(
        "付款凭证", "请上传转账成功的截图，须显示金额、时间和收款人。凭证提交成功后即可确认。"
    ),
    more_proof=Notice("补充凭证", "最多可上传 5 份。"),
    proof_first="请先上传付款凭证，之后可在此确认。",
    proof_missing=Notice("未做任何更改", "请先上传付款凭证，再确认付款。"),
    picture="凭证 {number}，图片",
    document="凭证 {number}，PDF",
    page="第 {page} 页",
    history="进度",
    steps=ByStatus(
        pending="订单创建",
        paid="客户提交付款",
        matching="订单创建",
        assigned="分配给您",
        completed="完成",
        cancelled="取消",
        expired="超时",
        disputed="申请核查",
    ),
    by_payer="客户",
    by_merchant="商户",
    by_trader="您",
    by_operator="工作人员",
    by_clock="系统自动",
    actions="您的处理",
    deadlines=ByStatus(
        pending="客户剩余时间",
        paid="请在此时间内处理",
        assigned="付款剩余时间",
        matching=None,
        completed=None,
        cancelled=None,
        expired=None,
        disputed=None,
    ),
    overdue="已逾时",
    suspended=Notice("账号已停用", "请勿处理此订单，也请勿付款，由运营人员处理。请联系运营人员。"),
    suspended_move=Notice("未做任何更改", "您的账号已停用。"),
    overtaken=Notice("未做任何更改", "订单状态此前已变化，以下为当前状态。"),
    confirm=ByType(
        buy=QuestionTexts(
            link="确认收款",
            notice=Notice(
                "款项已到账？",
                "请仅在账户已收到准确金额时确认。确认后 USDT 将立即支付，无法撤销。",
            ),
            keep="尚未到账",
            go="确认已到账",
        ),
        sell=QuestionTexts(
            link="确认付款",
            notice=Notice("已向客户付款？", "请仅在准确金额转账成功后确认。"),
            keep="尚未付款",
            go="确认已付款",
        ),
    ),
    report=QuestionTexts(
        link="未收到款项",
        notice=Notice(
            "报告未收到款项？",
            "请先再次核对账户。工作人员将进行核查，期间您的 USDT 保持冻结。",
        ),
        keep="继续等待",
        go="报告未收到",
    ),
    decline=QuestionTexts(
        link="退回订单",
        notice=Notice("退回此订单？", "请仅在尚未付款时退回，订单将转给其他交易员。"),
        keep="保留订单",
        go="确认退回",
    ),
)


ZH = DeskTexts(
    shared=SHARED,
    sides=ByType(buy="买单 · 您收款", sell="卖单 · 您付款"),
    statuses=ByStatus(
        pending="待客户付款",
        paid="客户已付款",
        matching="等待分配",
        assigned="待您付款",
        completed="已完成",
        cancelled="已取消",
        expired="已超时",
        disputed="核查中",
    ),
    test="测试",
    problems={
        "order_not_found": Notice(
            "您的工作台中没有此订单", "订单可能已转给其他交易员，或链接不完整。"
        ),
        "try_again": Notice("系统繁忙", "请稍后重试，重复提交不会造成影响。"),
        "too_many_requests": Notice("操作过于频繁", "请稍等几分钟后再试。"),
        "not_same_origin": Notice(
            "此次提交并非来自本页", "未做任何更改。请重新打开工作台，并在其中继续。"
        ),
        "bad_form": Notice("提交的内容无法识别", "未做任何更改。请重新打开工作台后再试。"),
        "internal_error": Notice("系统出现问题", "重复操作之前，请先查看订单的当前状态。"),
    },
    back_to_orders="返回订单",
    navigation="工作台",
    login=LOGIN_ZH,
    duty=DUTY_ZH,
    lists=LISTS_ZH,
    search=SEARCH_ZH,
    calls=CALLS_ZH,
    settings=SETTINGS_ZH,
    order=_ORDER,
)
