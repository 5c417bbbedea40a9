"""The console's own words; the names of facts and columns are in the sheets."""

from dataclasses import dataclass

from orderdesk_cli.sheets.layout import Language
from orderdesk_cli.sheets.sheet import Label

SECTIONS: tuple[tuple[str, str, Label], ...] = (
    ("orders", "order.list", ("Orders", "订单")),
    ("disputes", "order.list", ("Disputes", "争议")),
    ("sells", "order.list", ("Sells waiting", "待分配卖单")),
    ("proposals", "proposal.list", ("Proposals", "提案")),
    ("merchants", "merchant.list", ("Merchants", "商户")),
    ("traders", "trader.list", ("Traders", "交易员")),
    ("rates", "rate.list", ("Rates", "汇率")),
    ("callbacks", "callback.dead", ("Callbacks", "回调")),
    ("report", "report.day", ("Report", "日报")),
    ("ledger", "ledger.check", ("Ledger", "账本")),
    ("audit", "audit.list", ("Audit", "审计")),
)
"""The navigation: each section's path, the command that it needs, and its name."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of the frame in one language."""

    language: str
    title: str
    find: str
    find_hint: str
    search: str
    sections: str
    you_are: str
    zone: str
    copy: str
    copied: str
    show: str
    clear: str
    filters: str
    any_value: str
    older: str
    newest: str
    back: str
    do_it: str
    pages: str
    waits: str
    done: str
    not_now: str
    open_orders: str
    progress: str
    numbers: str
    trail: str
    go_on: str
    shown_once: str
    nothing_found: str
    nothing_yet: str
    no_page: str
    evidence: str
    save_file: str
    bad_form: str
    required: str
    not_there: str
    refused: str
    not_allowed: str
    no_answer: str
    check_hint: str
    check_now: str


WORDS = {
    Language.EN: Words(
        language="English",
        title="orderdesk console",
        find="Find",
        find_hint="Number, its ending, remark, amount or name",
        search="Find an order by number, remark, amount, merchant or trader",
        sections="Sections",
        you_are="You are",
        zone="Times are Beijing time (+08:00).",
        copy="Copy",
        copied="Copied",
        show="Show",
        clear="Clear",
        filters="Filters",
        any_value="any",
        older="Older",
        newest="Newest",
        back="Back",
        do_it="Do it",
        pages="Pages",
        done="Done.",
        not_now="Its present state does not allow this.",
        open_orders="open orders",
        progress="Reading",
        numbers="Numbers",
        trail="What was done",
        go_on="Go on",
        waits="It waits for a second person. Nothing else has happened yet.",
        shown_once="Secrets are shown only once. Copy them now.",
        nothing_found="Nothing was found.",
        nothing_yet="None among those looked at so far. Older ones may match.",
        no_page="There is no such page",
        evidence="Evidence",
        save_file="Save the file as it came",
        bad_form="This is not filled in correctly",
        required="must not be empty",
        not_there="There is no such thing",
        refused="This cannot be done",
        not_allowed="You may not do this",
        no_answer="The API did not answer",
        check_hint="The check proves every transfer and balance. With many orders it takes long.",
        check_now="Check now",
    ),
    Language.ZH: Words(
        language="中文",
        title="orderdesk 控制台",
        find="查找",
        find_hint="单号或尾号、备注、金额、名称",
        search="按单号、备注、金额、商户或交易员查找订单",
        sections="栏目",
        you_are="当前操作人",
        zone="时间均为北京时间（+08:00）。",
        copy="复制",
        copied="已复制",
        show="查询",
        clear="清除",
        filters="筛选",
        any_value="不限",
        older="更早",
        newest="最新",
        back="返回",
        do_it="确认执行",
        pages="分页",
        done="已完成。",
        not_now="当前状态不允许此操作。",
        open_orders="进行中订单",
        progress="正在读取",
        numbers="数据",
        trail="操作记录",
        go_on="继续",
        waits="等待另一位操作员审批，目前尚未执行。",
        shown_once="密钥只显示一次，请立即复制。",
        nothing_found="没有找到。",
        nothing_yet="已查看的部分没有匹配项，更早的可能有。",
        no_page="页面不存在",
        evidence="凭证",
        save_file="下载原始文件",
        bad_form="填写有误",
        required="不能为空",
        not_there="对象不存在",
        refused="无法执行",
        not_allowed="您没有此权限",
        no_answer="接口没有响应",
        check_hint="核对会逐笔验证所有转账和余额，订单较多时需要一些时间。",
        check_now="开始核对",
    ),
}
