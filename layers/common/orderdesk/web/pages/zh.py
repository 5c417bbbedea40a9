"""The shared texts in Chinese."""

from orderdesk.domain.payment_methods import ByMethod
from orderdesk.domain.receipts.files import ByProblem
from orderdesk.web.pages.texts import Notice, SharedTexts, UploadTexts

ZH = SharedTexts(
    language_name="中文",
    safety="orderdesk 绝不会向您索要密码或验证码。",
    test_order="测试订单，请勿进行真实转账。",
    reload="重新加载",
    quote_number="如问题持续出现，请提供此编号：",
    problems={
        "order_not_found": Notice(
            "此链接无法打开订单", "链接可能不完整。请从原处重新打开，或向商户索取新的链接。"
        ),
        "try_again": Notice("系统繁忙", "您的订单不受影响，请稍后重新加载本页。"),
        "too_many_requests": Notice("操作过于频繁", "请稍等几分钟后重新加载本页。"),
        "not_same_origin": Notice(
            "此次提交并非来自本页", "未做任何更改。请从原处重新打开链接，并在打开的页面中继续。"
        ),
        "bad_form": Notice("提交的内容无法识别", "未做任何更改。请重新加载本页后再试。"),
        "internal_error": Notice("系统出现问题", "您的订单不受影响，请稍后重新加载本页。"),
    },
    methods=ByMethod(
        bank="银行卡",
        wechat="微信支付",
        alipay="支付宝",
    ),
    how_to_pay=ByMethod(
        bank=(
            "在银行应用中向此卡号转账，金额须与本页完全一致。",
            "确认前，请核对收款人姓名与本页一致。",
        ),
        wechat=(
            (
                "用微信扫描收款码，并输入完全一致的金额。如用本机付款，请先保存收款码图片，"
                "再从微信扫一扫的相册中选取。"
            ),
            "确认前，请核对收款人姓名与本页相符。",
        ),
        alipay=(
            (
                "用支付宝扫描收款码，并输入完全一致的金额。如用本机付款，请先保存收款码图片，"
                "再从支付宝扫一扫的相册中选取。"
            ),
            "确认前，请核对收款人姓名与本页相符。",
        ),
    ),
    time_left="剩余时间",
    updated="更新时间",
    time_zone="（北京时间）",
    payee="收款人",
    bank="银行",
    branch="支行",
    card_number="卡号",
    account="账号",
    order_no="订单号",
    receiver="收款方",
    merchant="商户",
    support="商户客服",
    reference="参考编号",
    back_to_merchant="返回商户",
    copy="复制",
    copied="已复制",
    date="{t.year}年{t.month}月{t.day}日 {t:%H:%M}",
    upload=UploadTexts(
        file="凭证文件",
        file_rules="支持 PNG、JPEG、WebP 或 PDF，最大 10 MB",
        choose="选择文件",
        choose_other="已选择文件 · 重新选择",
        choose_first="请先选择文件。",
        preview="所选图片",
        send="提交凭证",
        sending="正在上传…",
        sent=Notice("文件已发送", "正在检查，需要几秒钟。如页面没有变化，请点击“继续”。"),
        continue_="继续",
        unfit_title="凭证未被接受",
        unfit=ByProblem(
            missing="文件未上传成功，请重新选择。",
            empty="文件为空，请选择其他文件。",
            too_large="文件超过 10 MB，请上传较小的文件。",
            wrong_type=("文件不是 PNG、JPEG、WebP 图片或 PDF，请截取转账成功页面后上传。"),
            damaged="文件已损坏或不完整，请重新截图后上传。",
            too_complex="文件无法显示为图片，请截取转账成功页面后上传。",
            too_many="已收到 5 份凭证，已达上限。",
        ),
    ),
)
