"""The texts of comparing a bank statement with the open orders.

Written by `make texts` from comparison_texts.toml; do not edit.
"""

from orderdesk.domain.orders.statement_cells import Unread
from orderdesk.domain.orders.statement_file import StatementProblem
from orderdesk.domain.orders.statement_match import Doubt, Nearness
from orderdesk.web.pages.texts import Text, Texts


class StatementTexts(Texts):
    """The texts of the page."""

    title = Text(en="Compare a statement", zh="核对流水")
    advice = Text(
        en="Choose today’s file of your bank, Alipay or WeChat (CSV or .xlsx). Rows that fit an open order are shown beside it. The file is only read: it is not kept, and nothing is confirmed without you.",
        zh="选择银行、支付宝或微信导出的当日流水（CSV 或 .xlsx），系统会将入账与未结束的订单逐笔比对。文件仅供读取，不会保存；每笔订单都由您亲自确认。",
    )
    file = Text(en="CSV or .xlsx file, up to 2 MB", zh="CSV 或 .xlsx 文件，最大 2 MB")
    go = Text(en="Compare", zh="开始核对")
    again = Text(en="Compare another file", zh="核对其他文件")
    counts = Text(
        en="{count} rows: {sure} fit an order, {doubtful} are doubtful, {wrong} have another sum than their order, {unmatched} belong to no order, {unread} could not be read, {others} are no money that arrived.",
        zh="共 {count} 行：{sure} 笔与订单相符，{doubtful} 笔存疑，{wrong} 笔金额不符，{unmatched} 笔无对应订单，{unread} 行无法识别，{others} 行不是入账。",
    )
    part = Text(
        en="Only your first {limit} open orders were compared.",
        zh="仅与前 {limit} 个未结束的订单比对。",
    )
    unread = Text(
        en="Not read ({count}): check these rows yourself.",
        zh="无法识别（{count} 行）：未参与比对，请自行核对。",
    )
    unmatched = Text(en="Fit no open order ({count})", zh="与订单不相符（{count} 笔）")
    shown = Text(en="The first {count} are shown.", zh="仅显示前 {count} 项。")
    short = Text(en="¥{amount} too little", zh="少 ¥{amount}")
    over = Text(en="¥{amount} too much", zh="多 ¥{amount}")
    line = Text(en="Line {line}: {why}", zh="第 {line} 行：{why}")
    today = Text(en="Completed today", zh="今日已完成")
    margin = Text(en="Margin", zh="价差收益")
    margin_advice = Text(
        en="Of the USDT that you sold and bought today, at the average prices.",
        zh="今日既卖出又买入的 USDT 按均价计算的差额。",
    )
    none = Text(en="No row fits an open order.", zh="没有与未结束订单相符的入账。")
    sure = Text(en="Fits", zh="相符")
    doubtful = Text(en="Doubtful", zh="存疑")
    row = Text(en="In the file", zh="流水")
    payer = Text(en="Payer: {text}", zh="付款人：{text}")
    remark = Text(en="Remark: {text}", zh="备注：{text}")
    nothing = Text(en="not stated", zh="未注明")
    at_once = Text(
        en="A confirmation pays the USDT out at once, which cannot be undone.",
        zh="确认后 USDT 立即支付，无法撤销。",
    )
    all = Text(en="Confirm all {count} that fit", zh="确认全部 {count} 笔相符的订单")
    all_title = Text(en="Have these {count} payments arrived?", zh="以下 {count} 笔款项均已到账？")
    all_keep = Text(en="Not yet", zh="暂不确认")
    check = Text(en="Check the order", zh="查看并核对")
    done = Text(en="Confirmed", zh="已确认")
    nearest = Text[dict[Nearness, str]](
        en={
            Nearness.SEVERAL: "Too many rows have the amount of this order:",
            Nearness.REMARK: "The remark names this order, the amount differs:",
            Nearness.PAYER: "The payer of this order, another amount:",
            Nearness.AMOUNT: "Nearly the amount of this order:",
        },
        zh={
            Nearness.SEVERAL: "该订单金额的入账过多，未逐笔比对：",
            Nearness.REMARK: "备注与此订单一致，金额不符：",
            Nearness.PAYER: "付款人与此订单一致，金额不符：",
            Nearness.AMOUNT: "与此订单金额接近：",
        },
    )
    not_read = Text[dict[Unread, str]](
        en={
            Unread.CELLS: "it has more or fewer cells than the head",
            Unread.LETTERS: "it has a character that cannot be read",
            Unread.SIDE: "it does not say whether the money arrived",
            Unread.CURRENCY: "its currency is not CNY",
            Unread.AMOUNT: "its amount is not understood",
            Unread.REVERSED: "it takes money back that had arrived",
        },
        zh={
            Unread.CELLS: "列数与表头不一致",
            Unread.LETTERS: "含无法识别的字符",
            Unread.SIDE: "无法判断是否为入账",
            Unread.CURRENCY: "币种不是人民币",
            Unread.AMOUNT: "无法识别金额",
            Unread.REVERSED: "冲销了一笔已入账的款项",
        },
    )
    doubts = Text[dict[Doubt, str]](
        en={
            Doubt.PAYER: "Another payer than the verified one",
            Doubt.REMARK: "The remark has another number",
            Doubt.UNPROVED: "Neither payer nor remark proves it",
            Doubt.STATE: "The file does not say that the money arrived for good",
            Doubt.TIME: "The time cannot be read",
            Doubt.EARLY: "Paid before the order was created",
            Doubt.SEVERAL: "Several rows or orders fit",
        },
        zh={
            Doubt.PAYER: "付款人与实名不符",
            Doubt.REMARK: "备注中的数字不符",
            Doubt.UNPROVED: "付款人和备注均无法核对",
            Doubt.STATE: "流水未表明款项已到账",
            Doubt.TIME: "无法识别付款时间",
            Doubt.EARLY: "付款时间早于订单创建时间",
            Doubt.SEVERAL: "有多笔入账或多个订单相符",
        },
    )
    problems = Text[dict[StatementProblem, str]](
        en={
            StatementProblem.MISSING: "Please choose a file first.",
            StatementProblem.TOO_LARGE: "The file is too large: at most 2 MB and 20,000 lines, in .xlsx 100,000 cells. Export one day only.",
            StatementProblem.UNREADABLE: "The file cannot be read. Unpack an archive first, or export the statement as CSV or .xlsx again.",
            StatementProblem.NO_HEAD: "The file has no row with the names of its columns, such as amount and payer.",
        },
        zh={
            StatementProblem.MISSING: "请先选择文件。",
            StatementProblem.TOO_LARGE: "文件过大：最大 2 MB、20,000 行（.xlsx 为 100,000 个单元格）。请只导出当日流水。",
            StatementProblem.UNREADABLE: "无法读取文件。压缩包请先解压，或重新导出为 CSV 或 .xlsx 格式。",
            StatementProblem.NO_HEAD: "未找到表头（如“金额”“对方户名”），请使用原始导出文件。",
        },
    )
