"""The words of answers in two languages: the names of values, the values themselves, warnings."""

from dataclasses import replace

from orderdesk_cli.language import Language
from orderdesk_cli.sheets.label_texts import Labels, Sheets, Warnings
from orderdesk_cli.sheets.sheet import Facts, Field, Kind, Label, Part, Sheet, Table

_VALUES = """
buy 买入 sell 卖出 live 正式 test 测试 both 双方
pending 待付款 paid 客户称已付款 matching 匹配中 assigned 已分配 draft 草稿 held 保留中
completed 已完成 cancelled 已取消 expired 已超时 disputed 争议中 locked 已锁定
active 正常 suspended 已停用 online 在线 offline 离线
open 待审批 executed 已执行 rejected 已驳回
requested 待处理 approved 已批准 blocked_by_finding 因账目问题暂停 begun 执行中 sent 已转出
merchant 商户 trader 交易员 operator 运营 payer 付款人 clock 系统
available 可用 deposit 保证金 fee 手续费 funding 外部资金 whole 合计
viewer 查看 support 客服 finance 财务 admin 管理员 developer 开发者
card 银行卡号 account 账号 id-card 身份证 mobile 手机号 payee 收款人
bank 银行卡 wechat 微信 alipay 支付宝 receipt 付款凭证 proof 打款凭证
state.pending 待投递 delivered 已送达 undeliverable 无法投递 gone 已失效 dead 已放弃 skipped 未订阅
failed 未送达
stays 不变 released 释放冻结 captured 结算 held_again 重新冻结 reversed 冲正
claimed 补付 late-proof 逾期打款凭证 agreed 已同意 objected 不同意
claim.open 待裁定 claim.paid 已付款 claim.rejected 未付款
"""
CHINESE = dict(zip(_VALUES.split()[::2], _VALUES.split()[1::2], strict=True))
"""The Chinese of values such as statuses; `NAME.VALUE` is that of one name's value only."""

_STATUSES = "pending paid matching assigned disputed completed cancelled expired"
STATUSES = tuple(_STATUSES.split())
"""The statuses of orders."""

MODES: tuple[tuple[str, Label], ...] = (("live", ("live", "正式")), ("test", ("test", "测试")))


_EN, _ZH = (Labels(language).by_kind for language in Language)
_FIELDS = {
    name: Field(name.partition(":")[0], (text, _ZH[kind][name]), kind)
    for kind in Kind
    for name, text in _EN[kind].items()
}
"""The values of answers; what follows a colon in a name distinguishes values of one name."""


def fields(names: str) -> list[Field]:
    """Return fields by their names, with spaces between; one with a question mark is wide."""
    return [replace(_FIELDS[name.rstrip("?")], wide=name.endswith("?")) for name in names.split()]


SAYS = Sheets.labels(lambda sheets: sheets.says) | {"": ("", "")}
"""Titles, headings, and what an empty table says."""


def facts(names: str, at: str = "", heading: str | Label = "") -> Facts:
    """Return the facts of these names, with a heading of the catalogue or a label."""
    return Facts(fields(names), at, _said(heading))


def table(
    names: str,
    empty: str = "",
    at: str = "",
    heading: str | Label = "",
    *,
    key: str = "mode",
    each: str = "",
) -> Table:
    """Return the table whose columns have these names."""
    return Table(fields(names), SAYS[empty], at, _said(heading), key, each)


def items(names: str, empty: str) -> Sheet:
    """Return the sheet of a list: one table of its items."""
    return sheet(table(names, empty))


def sheet(*parts: Part | str, title: str = "") -> Sheet:
    """Return a sheet, with a title of the catalogue; a part of names only is the answer's facts."""
    whole = [facts(part) if isinstance(part, str) else part for part in parts]
    return Sheet(whole, SAYS[title])


def _said(text: str | Label) -> Label:
    return SAYS[text] if isinstance(text, str) else text


def label_of(name: str, *closer: str) -> Label:
    """Return the label of a value: its own, that of its path, or else its name.

    `closer` are names that are tried before, such as those of a command or of its group.
    """
    known = [_FIELDS[each] for each in (*closer, name, name.partition(":")[0]) if each in _FIELDS]
    return known[0].label if known else (name, name)


WARNINGS = Warnings.labels(lambda warnings: warnings.meanings)
"""What the API's warnings mean."""
