"""The texts of the identity page.

Written by `make texts` from identity_texts.toml; do not edit.
"""

from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.web.pages.shared_texts import PageTexts
from orderdesk.web.pages.texts import FieldTexts, Notice, Text


class IdentityTexts(PageTexts):
    """The texts of the identity page; `notices` by state.

    `privacy` and `consent` name the provider; `consent` also names the button.
    """

    amount = Text(en="Amount to pay", zh="付款金额")
    works_until = Text(en="This link works until ", zh="链接有效期至：")
    form_title = Text(en="Your details", zh="您的信息")
    problems_title = Text(
        en="Please check your entries. Your attempt has not been used.",
        zh="请检查以下内容，本次提交不计入次数。",
    )
    submit = Text(en="Confirm and continue", zh="验证并继续")
    submit_again = Text(en="Send again", zh="再次提交")
    sending = Text(en="Checking…", zh="正在核验…")
    try_again = Text(en="Try again", zh="重试")
    go_to_payment = Text(en="Go to the payment page", zh="前往付款页面")
    watching = Text(en="This page continues automatically.", zh="完成后本页将自动继续。")
    not_watching = Text(
        en="This page does not update automatically in your browser.",
        zh="您的浏览器无法自动更新本页。",
    )
    check_now = Text(en="Check again now", zh="立即查看")
    submitted = Text(en="Submitted", zh="提交时间")
    confirmed = Text(en="Confirmed", zh="验证完成时间")
    privacy_title = Text(en="How your details are used", zh="信息如何使用")
    privacy = Text(
        en=(
            "Name, ID card number and mobile number are sent to {provider}, which checks whether they belong to the same person.",
            "Only the result and masked values are kept, such as 138****8000. While your order is open, the payee also sees your whole name, to recognise your transfer. The merchant does not receive what you enter here.",
            "You can send your details once. Typing errors that this page finds do not count.",
        ),
        zh=(
            "姓名、身份证号与手机号将提交给{provider}，核对是否属于同一人。",
            "我们只保存核验结果和脱敏信息（如 138****8000）。订单进行期间，收款人可看到您的姓名，用于核对转账，订单结束后即脱敏。商户不会收到您在此填写的内容。",
            "信息只能提交一次；本页提示的填写错误不计入次数。",
        ),
    )
    consent = Text(
        en="By pressing “{button}” you agree that {provider} checks your name, ID card number and mobile number as described here.",
        zh="点击“{button}”，即表示您同意由{provider}按上述方式核验您的姓名、身份证号与手机号。",
    )
    no_provider = Text(en="an identity verification service", zh="身份核验服务机构")
    sandbox = Text(
        en="the sandbox provider (for tests, no real check)",
        zh="沙箱服务（仅供测试，不作真实核验）",
    )
    tencent = Text(en="Tencent Cloud", zh="腾讯云")
    notices = Text[dict[IdentityState, Notice]](
        en={
            IdentityState.FORM: Notice(
                headline="Confirm your identity",
                advice="The merchant requires this before you pay. Then the payment page opens automatically.",
            ),
            IdentityState.VERIFYING: Notice(
                headline="Checking your details",
                advice="This usually takes a few seconds. Please do not send them again.",
            ),
            IdentityState.VERIFIED: Notice(
                headline="Your identity is confirmed",
                advice="Nobody can receive this amount at the moment. Please try again in a few minutes; there is nothing to enter again.",
            ),
            IdentityState.UNAVAILABLE: Notice(
                headline="The check is not available right now",
                advice="Your details could not be checked, and your attempt was not used. Please wait a moment and send them again.",
            ),
            IdentityState.LOCKED: Notice(
                headline="Verification failed",
                advice="The details could not be confirmed, so this link is closed. Please ask the merchant for a new order.",
            ),
            IdentityState.EXPIRED: Notice(
                headline="This link has expired",
                advice="It was not used in time. Please ask the merchant for a new order.",
            ),
            IdentityState.COMPLETED: Notice(
                headline="Your order is ready",
                advice="Your identity is confirmed. Everything about the payment is on its own page.",
            ),
        },
        zh={
            IdentityState.FORM: Notice(
                headline="请验证您的身份",
                advice="商户要求在付款前验证身份，通过后将自动进入付款页面。",
            ),
            IdentityState.VERIFYING: Notice(
                headline="正在核验您的信息", advice="通常只需几秒钟，请勿重复提交。"
            ),
            IdentityState.VERIFIED: Notice(
                headline="身份验证已通过",
                advice="目前暂时没有可接收此金额的收款方。请几分钟后再试，无需重新填写信息。",
            ),
            IdentityState.UNAVAILABLE: Notice(
                headline="暂时无法验证",
                advice="您的信息未能完成核验，本次提交不计入次数。请稍等片刻后再次提交。",
            ),
            IdentityState.LOCKED: Notice(
                headline="身份验证未通过",
                advice="您的信息未能通过核验，此链接已关闭。请联系商户重新下单。",
            ),
            IdentityState.EXPIRED: Notice(
                headline="链接已过期", advice="此链接未在有效时间内使用。请联系商户重新下单。"
            ),
            IdentityState.COMPLETED: Notice(
                headline="订单已生成", advice="您的身份验证已通过，请前往付款页面完成付款。"
            ),
        },
    )
    fields = Text[dict[str, FieldTexts]](
        en={
            "customer_name": FieldTexts(
                label="Full name",
                hint="As on your ID card",
                problems={
                    "missing": "Enter your full name.",
                    "malformed": "Enter the name as on your ID card: 2 to 50 letters or characters, no digits.",
                },
            ),
            "id_card": FieldTexts(
                label="ID card number",
                hint="18 characters; the last one may be an X",
                problems={
                    "missing": "Enter your ID card number.",
                    "malformed": "An ID card number has 17 digits and then a digit or an X.",
                    "bad_birth_date": "Digits 7 to 14 are not a date of birth. Please check them.",
                    "bad_check_digit": "A digit is wrong or two are swapped. Please compare the number with your card.",
                },
            ),
            "mobile": FieldTexts(
                label="Mobile number",
                hint="11 digits, registered in your own name",
                problems={
                    "missing": "Enter your mobile number.",
                    "malformed": "Enter a mainland China mobile number: 11 digits that begin with 13 to 19.",
                },
            ),
        },
        zh={
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
    )
