"""The console's words in each language, and the Chinese of refusals."""

from collections.abc import Mapping

from orderdesk_cli.console.console_texts import Words
from orderdesk_cli.language import Language

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

WORDS = {language: Words(language) for language in Language}
