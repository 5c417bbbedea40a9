"""The texts of the portal's settings page."""

from orderdesk.web.pages.texts import Text, Texts


class PortalSettingsTexts(Texts):
    """What payers see, callbacks and source addresses."""

    payers = Text(en="What payers see", zh="付款人可见信息")
    payers_advice = Text(
        en="The payment pages begin with your name, and show whom a payer can ask.",
        zh="付款页面顶部显示商户名称，并提供客服联系方式。",
    )
    fields = Text(
        en={
            "display_name": "Display name",
            "support": "Support contact",
            "require_receipt": "Receipt of the payment",
            "callback_url": "Default callback address",
            "allowed_cidrs": "Source addresses",
            "logo": "Logo",
        },
        zh={
            "display_name": "显示名称",
            "support": "客服联系方式",
            "require_receipt": "付款凭证",
            "callback_url": "默认回调地址",
            "allowed_cidrs": "来源 IP",
            "logo": "商户标志",
        },
    )
    support_hint = Text(
        en="E-mail addresses and phone numbers in it become links, for example: "
        "help@shop.example, +86 755 1234 5678.",
        zh="其中的邮箱和电话会自动成为链接，例如：help@shop.example，0755-12345678。",
    )
    shown_as = Text(en="Payers see:", zh="付款人看到：")
    receipt_hint = Text(
        en="Required: a payer adds a screenshot before “I have paid”. It applies to new orders.",
        zh="设为必须后，付款人须先上传凭证才能点击“我已付款”。仅对新订单生效。",
    )
    receipt = Text(en={True: "Required", False: "Optional"}, zh={True: "必须", False: "可选"})
    logo_advice = Text(
        en="The payment pages show it beside the display name. Without one they show the name’s "
        "first letter.",
        zh="付款页面在显示名称旁展示商户标志；未设置时展示名称的首字。",
    )
    logo_file = Text(en="Picture of the logo", zh="标志图片")
    logo_rules = Text(
        en="PNG or JPEG, up to 512 KB. A square picture fits best; what is transparent becomes "
        "white.",
        zh="支持 PNG 或 JPEG，最大 512 KB。建议使用正方形图片，透明部分显示为白色。",
    )
    logo_send = Text(en="Save logo", zh="保存标志")
    logo_remove = Text(en="Remove logo", zh="移除标志")
    logo_unfit = Text(
        en="Choose a PNG or JPEG picture of at most 512 KB. The logo was not changed.",
        zh="请选择不超过 512 KB 的 PNG 或 JPEG 图片。标志未更改。",
    )
    logo_tried_often = Text(
        en="10 files were tried today, which is the maximum. The logo was not changed.",
        zh="今天已尝试 10 个文件，已达上限。标志未更改。",
    )
    callbacks = Text(en="Callbacks", zh="回调")
    callback_hint = Text(
        en="Callbacks go here if an order has no callback_url of its own. Empty: they are only "
        "recorded.",
        zh="订单未指定 callback_url 时，回调发送到此地址；留空则仅记录，不发送。",
    )
    networks = Text(en="Source addresses of API calls", zh="API 调用来源 IP")
    networks_hint = Text(
        en="One address or network a line, at most 50, for example 203.0.113.7 or 203.0.113.0/24. "
        "Calls from other addresses are refused. Without any, every address may call. "
        "A change works within some minutes.",
        zh="每行一个 IP 或网段，最多 50 个，例如 203.0.113.7 或 203.0.113.0/24。"
        "其他来源的调用将被拒绝；留空则不限制。更改将在几分钟内生效。",
    )
    any_network = Text(en="Every address may call.", zh="不限制来源。")
    nothing = Text(en="not set", zh="未设置")
    save = Text(en="Save", zh="保存")
    save_fresh = Text(en="Save with passkey", zh="验证通行密钥并保存")
    saved = Text(en="The settings were saved.", zh="设置已保存。")
    problems = Text(
        en={
            "display_name": (
                "Use at most 64 visible characters, and not the name of another merchant. "
                "Nothing was saved."
            ),
            "support": "Use at most 255 visible characters. Nothing was saved.",
            "callback_url": (
                "Enter an http or https address of a public host, at most 255 characters. Its port "
                "is 80, 443 or 1024 to 65535. It has no user name, password or fragment. Nothing "
                "was saved."
            ),
            "allow_cidr": (
                "Enter at most 50 addresses or networks. A network begins with its first address: "
                "203.0.113.0/24, not 203.0.113.7/24. Nothing was saved."
            ),
        },
        zh={
            "display_name": "最多 64 个可见字符，且不得与其他商户同名。设置未保存。",
            "support": "最多 255 个可见字符。设置未保存。",
            "callback_url": (
                "请填写公网的 http 或 https 地址，最多 255 个字符，端口为 80、443 或 1024 至 "
                "65535，不含用户名、密码和片段（#）。设置未保存。"
            ),
            "allow_cidr": (
                "最多 50 个 IP 或网段。网段须以其首个地址书写：203.0.113.0/24，"
                "而不是 203.0.113.7/24。设置未保存。"
            ),
        },
    )
