"""The console's own words; the names of values are in the sheets' words."""

from collections.abc import Mapping

from orderdesk_cli.sheets.layout import Language

REFUSALS: Mapping[int, str] = {
    1001: "请求体不是有效的 JSON 对象",
    1002: "参数缺失或格式错误",
    2002: "对象不存在",
    2003: "当前状态不允许此操作",
    2101: "暂无可匹配的交易员",
    2102: "USDT 余额不足",
    2103: "暂无可用汇率",
    2104: "商户未完成的买单已达上限",
    2301: "需要另一位操作员处理",
    2302: "该幂等键已用于其他参数",
    2303: "该 AWS 身份不对应任何人员",
    4000: "接口不存在",
    5000: "系统内部错误，请提供请求编号",
    5001: "系统繁忙，请稍后重试",
}
"""The Chinese of the API's codes (contract sections 3 and 11); the details are English."""


class _Word:
    """A text in both languages; `Words` has it in its own."""

    def __init__(self, english: str, chinese: str) -> None:
        self._label = (english, chinese)

    def __get__(self, words: "Words", _: type) -> str:
        return self._label[words.language]


class Words:
    """The words of the frame in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    language_name = _Word("English", "中文")
    title = _Word("orderdesk console", "orderdesk 控制台")
    find = _Word("Find", "查找")
    find_hint = _Word("Number, its ending, remark, amount or name", "单号或尾号、备注、金额、名称")
    search = _Word(
        "Find an order by number, remark, amount, merchant or trader",
        "按单号、备注、金额、商户或交易员查找订单",
    )
    waiting = _Word("Waiting for you", "待您处理")
    skip = _Word("Skip to the content", "跳到主要内容")
    sections = _Word("Sections", "栏目")
    you_are = _Word("You are", "当前操作人")
    zone = _Word("Times are Beijing time (+08:00).", "时间均为北京时间（+08:00）。")
    copy = _Word("Copy", "复制")
    copied = _Word("Copied", "已复制")
    show = _Word("Show", "查询")
    clear = _Word("Clear", "清除")
    filters = _Word("Filters", "筛选")
    any_value = _Word("any", "不限")
    no_choice = _Word("as usual", "默认")
    older = _Word("Older", "更早")
    newest = _Word("Newest", "最新")
    back = _Word("Back", "返回")
    decision = _Word("Decision and its effect", "判定与资金变动")
    pages = _Word("Pages", "分页")
    done = _Word("Done.", "已完成。")
    not_now = _Word("Its present state does not allow this.", "当前状态不允许此操作。")
    open_orders = _Word("open orders", "进行中订单")
    progress = _Word("Reading", "正在读取")
    numbers = _Word("Numbers", "数据")
    trail = _Word("What was done", "操作记录")
    go_on = _Word("Go on", "继续")
    waits = _Word(
        "It waits for a second person. Nothing else has happened yet.",
        "等待另一位操作员审批，目前尚未执行。",
    )
    shown_once = _Word(
        "Secrets are shown only once. Copy them now.", "密钥只显示一次，请立即复制。"
    )
    nothing_found = _Word("Nothing was found.", "没有找到。")
    nothing_yet = _Word(
        "None among those looked at so far. Older ones may match.",
        "已查看的部分没有匹配项，更早的可能有。",
    )
    no_page = _Word("There is no such page", "页面不存在")
    evidence = _Word("Evidence", "凭证")
    save_file = _Word("Save the file as it came", "下载原始文件")
    bad_form = _Word("This is not filled in correctly", "填写有误")
    required = _Word("must not be empty", "不能为空")
    not_there = _Word("There is no such thing", "对象不存在")
    refused = _Word("This cannot be done", "无法执行")
    not_allowed = _Word("You may not do this", "您没有此权限")
    no_answer = _Word("The API did not answer", "接口没有响应")
    check_hint = _Word(
        "The check proves every transfer and balance. With many orders it takes long.",
        "核对会逐笔验证所有转账和余额，订单较多时需要一些时间。",
    )
    check_now = _Word("Check now", "开始核对")


WORDS = {language: Words(language) for language in Language}
