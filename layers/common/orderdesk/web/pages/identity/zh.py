"""The identity page's texts in Chinese."""

from orderdesk.web.pages.identity.texts import ByState, FieldTexts, IdentityTexts, ProviderNames
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.zh import ZH as SHARED

_NEW_ORDER = "请联系商户重新下单。"

ZH = IdentityTexts(
    shared=SHARED,
    notices=ByState(
        form=Notice("请验证您的身份", "商户要求在付款前验证身份，通过后将自动进入付款页面。"),
        verifying=Notice("正在核验您的信息", "通常只需几秒钟，请勿重复提交。"),
        verified=Notice(
            "身份验证已通过", "目前暂时没有可接收此金额的收款方。请几分钟后再试，无需重新填写信息。"
        ),
        unavailable=Notice(
            "暂时无法验证", "您的信息未能完成核验，本次提交不计入次数。请稍等片刻后再次提交。"
        ),
        locked=Notice("身份验证未通过", f"您的信息未能通过核验，此链接已关闭。{_NEW_ORDER}"),
        expired=Notice("链接已过期", f"此链接未在有效时间内使用。{_NEW_ORDER}"),
        completed=Notice("订单已生成", "您的身份验证已通过，请前往付款页面完成付款。"),
    ),
    fields={
        "customer_name": FieldTexts(
            label="姓名",
            hint="与身份证上的姓名一致",
            problems={
                "missing": "请填写姓名。",
                "malformed": "请填写与身份证一致的姓名：2 至 50 个字，不含数字。",
            },
        ),
        "id_card": FieldTexts(
            label="身份证号",
            hint="18 位，最后一位可能是 X",
            problems={
                "missing": "请填写身份证号。",
                "malformed": "身份证号应为 17 位数字加一位数字或 X。",
                "bad_birth_date": "第 7 至 14 位不是有效的出生日期，请核对。",
                "bad_check_digit": "号码有误或数字顺序颠倒，请与身份证核对。",
            },
        ),
        "mobile": FieldTexts(
            label="手机号",
            hint="11 位，须为本人实名登记的号码",
            problems={
                "missing": "请填写手机号。",
                "malformed": "请填写以 13 至 19 开头的 11 位中国大陆手机号。",
            },
        ),
    },
    amount="付款金额",
    works_until="链接有效期至：",
    form_title="您的信息",
    problems_title="请检查以下内容，本次提交不计入次数。",
    submit="验证并继续",
    submit_again="再次提交",
    sending="正在核验…",
    try_again="重试",
    go_to_payment="前往付款页面",
    watching="完成后本页将自动继续。",
    not_watching="您的浏览器无法自动更新本页。",
    check_now="立即查看",
    privacy_title="信息如何使用",
    privacy=(
        "姓名、身份证号与手机号将提交给{provider}，核对是否属于同一人。",
        "我们只保存核验结果和脱敏信息（如 138****8000）。商户不会收到您在此填写的内容。",
        "信息只能提交一次；本页提示的填写错误不计入次数。",
    ),
    consent="点击“{button}”，即表示您同意由{provider}按上述方式核验您的姓名、身份证号与手机号。",
    providers=ProviderNames(
        none="身份核验服务机构",
        sandbox="沙箱服务（仅供测试，不作真实核验）",
        tencent="腾讯云",
    ),
)
