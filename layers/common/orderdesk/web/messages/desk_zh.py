"""The texts of the trader desk in Chinese."""

from orderdesk.domain.ledger import TransferKind
from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.web.messages.desk_order_zh import DESK_ORDER_ZH
from orderdesk.web.messages.desk_texts import DeskTexts, DoorTexts, DutyTexts, ListTexts
from orderdesk.web.messages.notices import Notice

_BUY, _SELL = OrderType.BUY, OrderType.SELL

_DOOR = DoorTexts(
    notice=Notice("交易员工作台", "请使用运营人员提供的访问码登录。"),
    access_code="访问码",
    access_code_hint="共七组，每组四个字符；不区分大小写，连字符可省略。",
    show_code="显示输入内容",
    wrong_code="访问码不正确。请核对后重试，或向运营人员申请新的访问码。",
    log_in="登录",
    log_out="退出登录",
    safety="请勿将访问码告知任何人，工作人员不会向您索要。",
    back_from_upload=Notice("文件已发送", "请稍候，正在返回订单。"),
    continue_="继续",
)

_DUTY = DutyTexts(
    on=Notice("接单中", "新订单可能随时分配给您。"),
    off=Notice("已停止接单", "不会再分配新订单，未完成的订单仍需处理。"),
    suspended=Notice("账号已停用", "不会再分配新订单。请处理完现有订单，并联系运营人员。"),
    go_on="开始接单",
    go_off="停止接单",
    refused=Notice("未能开始接单", "您的账号已停用，请联系运营人员。"),
)

_LISTS = ListTexts(
    orders="订单",
    none_open=Notice("暂无待处理订单", "分配给您的订单将显示在这里，最紧急的排在最前。"),
    history="历史",
    history_advice="已结束的订单，最新的在最前。",
    none_over=Notice("暂无记录", "订单结束后将显示在这里。"),
    balance="余额",
    available="可用余额",
    held="订单冻结",
    held_advice="冻结的 USDT 将在订单结束时支付或退回。",
    postings="账户明细",
    none_posted=Notice("暂无记录", "余额的每次变动都将显示在这里。"),
    kinds={TransferKind.FUNDING: "资金调整", TransferKind.SETTLEMENT: "订单结算"},
    order="订单",
    times="时间均为北京时间。",
    older="更早的记录",
    newest="返回最新记录",
    not_live="您的浏览器无法自动更新本页。",
    reload="重新加载",
    changed="您的订单有变化。",
    show_changes="重新加载本页",
)

DESK_ZH = DeskTexts(
    sides={_BUY: "买单 · 您收款", _SELL: "卖单 · 您付款"},
    statuses={
        OrderStatus.PENDING: "待客户付款",
        OrderStatus.PAID: "客户已付款",
        OrderStatus.MATCHING: "等待分配",
        OrderStatus.ASSIGNED: "待您付款",
        OrderStatus.COMPLETED: "已完成",
        OrderStatus.CANCELLED: "已取消",
        OrderStatus.EXPIRED: "已超时",
        OrderStatus.DISPUTED: "核查中",
    },
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
    door=_DOOR,
    duty=_DUTY,
    lists=_LISTS,
    order=DESK_ORDER_ZH,
)
