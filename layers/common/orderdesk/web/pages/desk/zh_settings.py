"""The texts of a trader's own settings in Chinese."""

from orderdesk.domain.traders.own_limits import ByLimit
from orderdesk.web.pages.desk.texts import SettingsTexts
from orderdesk.web.pages.texts import Notice

SETTINGS_ZH = SettingsTexts(
    settings="设置",
    methods="收款账户",
    methods_advice="客户向以下账户付款。更改仅对新订单生效，未结束的订单仍使用原账户。",
    none="未设置，不会分配以此方式付款的订单。",
    add="添加",
    change="更改",
    remove="移除",
    set_title="收款账户：{method}",
    set_advice="仅对新订单生效，未结束的订单仍使用原账户。",
    remove_title="移除此账户？（{method}）",
    remove_advice="新订单不再使用此账户，未结束的订单仍使用至结束。",
    now="当前账户",
    real_name="户名",
    qr_code="收款码图片网址",
    text_rule="请填写此项，最多 255 个字符。",
    card_rule="请输入银行卡号（4 至 32 位数字）。",
    code_rule="请输入以 https:// 或 http:// 开头的网址。",
    code_why="为防止他人趁页面打开时更改账户，需再次输入您的访问码。",
    code_wrong="访问码不正确，未做任何更改。",
    save="保存",
    keep="返回",
    limits="接单限额",
    limits_advice="仅对新订单生效，须在运营人员设定的范围内。留空则使用运营人员设定的限额。",
    limits_of=ByLimit(
        min_cny="单笔最小金额（人民币）",
        max_cny="单笔最大金额（人民币）",
        max_open="同时未结束的订单数",
        daily_cny="每日金额（人民币）",
    ),
    within="运营人员设定：{least} 至 {most}。",
    at_most="运营人员设定：最多 {most}。",
    no_cap="运营人员未设上限。",
    limit_rule="请输入数字，且不得超出运营人员设定的范围，也不得与您的其他限额冲突。",
    none_fits=Notice(
        "没有符合限额的订单",
        "您的限额与运营人员设定的范围没有交集。请修改您的限额，或联系运营人员。",
    ),
    saved=Notice("已保存", "对新订单生效。"),
    changed=Notice(
        "未保存",
        "您的设置此前已在其他标签页、其他设备或由运营人员更改。以下为当前设置，请重新核对。",
    ),
    stale="您的设置已在别处更改。",
    account_changed=Notice(
        "收款账户已更改",
        "更改时间：{time}，在本工作台进行。如非本人操作，请立即联系运营人员更换访问码。",
    ),
)
