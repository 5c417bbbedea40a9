"""The console's own words; the names of values are in the sheets' words.

Written by `make texts` from console_texts.toml; do not edit.
"""

from orderdesk_cli.language import Text, Texts


class Words(Texts):
    """The words of the frame in one language."""

    language_name = Text(en="English", zh="中文")
    title = Text(en="orderdesk console", zh="orderdesk 控制台")
    find = Text(en="Find", zh="查找")
    find_hint = Text(
        en="Number, its ending, remark, amount or name", zh="单号或尾号、备注、金额、名称"
    )
    search = Text(
        en="Find an order by number, remark, amount, merchant or trader",
        zh="按单号、备注、金额、商户或交易员查找订单",
    )
    waiting = Text(en="Waiting for you", zh="待您处理")
    skip = Text(en="Skip to the content", zh="跳到主要内容")
    sections = Text(en="Sections", zh="栏目")
    you_are = Text(en="You are", zh="当前操作人")
    zone = Text(en="Times are Beijing time (+08:00).", zh="时间均为北京时间（+08:00）。")
    copy = Text(en="Copy", zh="复制")
    copied = Text(en="Copied", zh="已复制")
    show = Text(en="Show", zh="查询")
    clear = Text(en="Clear", zh="清除")
    filters = Text(en="Filters", zh="筛选")
    any_value = Text(en="any", zh="不限")
    no_choice = Text(en="as usual", zh="默认")
    older = Text(en="Older", zh="更早")
    newest = Text(en="Newest", zh="最新")
    back = Text(en="Back", zh="返回")
    decision = Text(en="Decision and its effect", zh="判定与资金变动")
    pages = Text(en="Pages", zh="分页")
    done = Text(en="Done.", zh="已完成。")
    not_now = Text(en="Its present state does not allow this.", zh="当前状态不允许此操作。")
    open_orders = Text(en="open orders", zh="进行中订单")
    progress = Text(en="Reading", zh="正在读取")
    numbers = Text(en="Numbers", zh="数据")
    trail = Text(en="What was done", zh="操作记录")
    go_on = Text(en="Go on", zh="继续")
    waits = Text(
        en="It waits for a second person. Nothing else has happened yet.",
        zh="等待另一位操作员审批，目前尚未执行。",
    )
    shown_once = Text(
        en="Secrets are shown only once. Copy them now.", zh="密钥只显示一次，请立即复制。"
    )
    nothing_found = Text(en="Nothing was found.", zh="没有找到。")
    nothing_yet = Text(
        en="None among those looked at so far. Older ones may match.",
        zh="已查看的部分没有匹配项，更早的可能有。",
    )
    no_page = Text(en="There is no such page", zh="页面不存在")
    evidence = Text(en="Evidence", zh="凭证")
    save_file = Text(en="Save the file as it came", zh="下载原始文件")
    bad_form = Text(en="This is not filled in correctly", zh="填写有误")
    required = Text(en="must not be empty", zh="不能为空")
    not_there = Text(en="There is no such thing", zh="对象不存在")
    refused = Text(en="This cannot be done", zh="无法执行")
    not_allowed = Text(en="You may not do this", zh="您没有此权限")
    no_answer = Text(en="The API did not answer", zh="接口没有响应")
    check_hint = Text(
        en="The check proves every transfer and balance. With many orders it takes long.",
        zh="核对会逐笔验证所有转账和余额，订单较多时需要一些时间。",
    )
    check_now = Text(en="Check now", zh="开始核对")


class Names(Texts):
    """The names of pages by their paths, of what waits there, and of actions with what they do.

    An action is named by its command, with its own name behind a colon if it has one.
    """

    sections = Text[dict[str, str]](
        en={
            "orders": "Orders",
            "disputes": "Disputes",
            "claims": "Claims",
            "sells": "Sells waiting",
            "proposals": "Proposals",
            "withdrawals": "Withdrawals",
            "merchants": "Merchants",
            "merchants/{merchant_id}/statement": "Statement",
            "merchants/{merchant_id}/use": "Use of its limits",
            "traders": "Traders",
            "traders/{trader_id}/stopped": "Orders of stopped accounts",
            "blocks": "Block list",
            "rates": "Rates",
            "callbacks": "Callbacks",
            "report": "Report",
            "balances": "Balances",
            "ledger": "Ledger",
            "audit": "Audit",
        },
        zh={
            "orders": "订单",
            "disputes": "争议",
            "claims": "凭证裁定",
            "sells": "待分配卖单",
            "proposals": "提案",
            "withdrawals": "提现",
            "merchants": "商户",
            "merchants/{merchant_id}/statement": "账户明细",
            "merchants/{merchant_id}/use": "额度使用情况",
            "traders": "交易员",
            "traders/{trader_id}/stopped": "停用账户的订单",
            "blocks": "黑名单",
            "rates": "汇率",
            "callbacks": "回调",
            "report": "日报",
            "balances": "余额",
            "ledger": "账本",
            "audit": "审计",
        },
    )
    titles = Text[dict[str, str]](
        en={
            "claims": "Late proofs of ended sells",
            "sells": "Sells waiting for a trader",
            "proposals/{proposal_no}": "Proposal",
            "rates": "Base rates",
            "callbacks": "Callbacks that were given up",
            "callbacks/{webhook_id}": "Callback",
            "report": "Report of a trading day",
            "ledger": "Ledger check",
            "audit": "What operators and traders did",
        },
        zh={
            "claims": "已结束卖单的逾期凭证",
            "sells": "待分配卖单",
            "proposals/{proposal_no}": "提案",
            "rates": "基准汇率",
            "callbacks": "已放弃的回调",
            "callbacks/{webhook_id}": "回调",
            "report": "交易日报表",
            "ledger": "账本核对",
            "audit": "操作记录",
        },
    )
    waiting = Text[dict[str, str]](
        en={
            "disputes": "Disputes",
            "disputes.overdue": "An answer is overdue: decide",
            "disputes.answered": "New answers to read",
            "disputes.new": "Nobody has taken it up",
            "disputes.others": "Payer or trader is next",
            "claims": "Claims",
            "claims.late": "Late proofs to decide",
            "proposals": "Proposals",
            "proposals.own": "Yours: another person decides",
            "proposals.others": "For you to decide",
            "withdrawals": "Withdrawals",
            "withdrawals.requested": "Requests to take up",
            "withdrawals.blocked_by_finding": "Stopped by a finding of the books",
            "withdrawals.approved": "Approved, wait for a seal",
            "withdrawals.open": "Wait for a decision",
            "callbacks": "Callbacks",
            "callbacks.paused": "Paused endpoints",
            "callbacks.others": "Callbacks that were given up",
            "ledger": "Books",
            "ledger.findings": "Findings of the newest seal",
        },
        zh={
            "disputes": "争议",
            "disputes.overdue": "答复已逾期，请判定",
            "disputes.answered": "有新回复待阅",
            "disputes.new": "尚无人跟进",
            "disputes.others": "等待付款人或交易员答复",
            "claims": "凭证裁定",
            "claims.late": "待裁定的逾期凭证",
            "proposals": "提案",
            "proposals.own": "您提出的，由他人审批",
            "proposals.others": "待您审批",
            "withdrawals": "提现",
            "withdrawals.requested": "待受理的申请",
            "withdrawals.blocked_by_finding": "因账目问题暂停",
            "withdrawals.approved": "已批准，等待封账",
            "withdrawals.open": "待审批",
            "callbacks": "回调",
            "callbacks.paused": "已暂停投递的回调地址",
            "callbacks.others": "已放弃的回调",
            "ledger": "账本",
            "ledger.findings": "最近一次封账发现的问题",
        },
    )
    actions = Text[dict[str, str]](
        en={
            "order.ask": "Ask a question",
            "order.assign": "Assign",
            "order.unassign": "Take it back",
            "order.cancel": "Cancel",
            "order.dispute": "Dispute",
            "order.resolve:complete": "It arrived: pay out the USDT",
            "order.resolve:resolve-cancelled": "It did not arrive: return the USDT",
            "order.reverse": "Reverse",
            "order.claim:claim-paid": "The former trader has paid",
            "order.claim:claim-rejected": "The former trader has not paid",
            "proposal.approve": "Approve",
            "proposal.reject": "Reject",
            "proposal.reveal": "Read its secret",
            "withdraw.merchant:take-up": "Take up a request",
            "withdraw.sent": "Record a transaction",
            "merchant.add": "Add a merchant",
            "merchant.set:limits": "Change terms",
            "fund.merchant:fund": "Fund",
            "withdraw.merchant:withdraw": "Withdraw",
            "deposit.release:release-deposit": "Release deposit",
            "fees.withdraw:withdraw-fees": "Withdraw fees",
            "merchant.revoke-secret": "Revoke a secret",
            "merchant.invite": "Invite to the portal",
            "merchant.suspend": "Suspend",
            "merchant.resume": "Resume",
            "trader.add": "Add a trader",
            "trader.online": "Put online",
            "trader.offline": "Take offline",
            "trader.set:limits": "Change limits",
            "trader.add-method": "Set a receiving method",
            "trader.remove-method": "Remove a receiving method",
            "trader.stop-account": "Stop an account",
            "trader.resume-account": "Resume an account",
            "fund.trader:fund": "Fund",
            "withdraw.trader:withdraw": "Withdraw",
            "trader.reset-code": "New access code",
            "trader.suspend": "Suspend",
            "order.resolve:return": "They did not arrive: return the USDT",
            "order.resolve:pay-out": "They arrived: pay out the USDT",
            "order.dispute:dispute": "Dispute",
            "block.add": "Block",
            "block.remove": "Remove a block",
            "desk.set": "Limits of a day",
            "rate.set": "Set a rate",
            "callback.redeliver": "Send it again",
        },
        zh={
            "order.ask": "提问",
            "order.assign": "分配",
            "order.unassign": "收回",
            "order.cancel": "取消",
            "order.dispute": "发起争议",
            "order.resolve:complete": "判定已到账，放行 USDT",
            "order.resolve:resolve-cancelled": "判定未到账，退回 USDT",
            "order.reverse": "冲正",
            "order.claim:claim-paid": "裁定原交易员已付款",
            "order.claim:claim-rejected": "裁定原交易员未付款",
            "proposal.approve": "批准",
            "proposal.reject": "驳回",
            "proposal.reveal": "读取密钥",
            "withdraw.merchant:take-up": "受理提现申请",
            "withdraw.sent": "登记转账",
            "merchant.add": "新增商户",
            "merchant.set:limits": "修改条款",
            "fund.merchant:fund": "充值",
            "withdraw.merchant:withdraw": "提现",
            "deposit.release:release-deposit": "释放保证金",
            "fees.withdraw:withdraw-fees": "提取手续费",
            "merchant.revoke-secret": "停用密钥",
            "merchant.invite": "邀请使用商户后台",
            "merchant.suspend": "停用",
            "merchant.resume": "恢复",
            "trader.add": "新增交易员",
            "trader.online": "上线",
            "trader.offline": "下线",
            "trader.set:limits": "修改限额",
            "trader.add-method": "设置收款方式",
            "trader.remove-method": "移除收款方式",
            "trader.stop-account": "停用收款账户",
            "trader.resume-account": "恢复收款账户",
            "fund.trader:fund": "充值",
            "withdraw.trader:withdraw": "提现",
            "trader.reset-code": "更换登录码",
            "trader.suspend": "停用",
            "order.resolve:return": "判定未到账，退回 USDT",
            "order.resolve:pay-out": "判定已到账，放行 USDT",
            "order.dispute:dispute": "发起争议",
            "block.add": "加入黑名单",
            "block.remove": "移出黑名单",
            "desk.set": "每日限额",
            "rate.set": "设置汇率",
            "callback.redeliver": "重新发送",
        },
    )
    effects = Text[dict[str, str]](
        en={
            "order.ask": "Payer and trader both read the question on their page of the order.",
            "order.assign": "The trader pays the customer and confirms with a proof.",
            "order.unassign": "It goes back to matching, without this trader. Make sure that it has not paid.",
            "order.cancel": "The merchant gets back the USDT that is held for it.",
            "order.dispute": "Only operators, and a buy's trader, can move it then. A late payment is held again.",
            "order.resolve:complete": "The money was paid. What the order holds is paid out. This cannot be undone.",
            "order.resolve:resolve-cancelled": "No money was paid. What the order holds goes back. This cannot be undone.",
            "order.reverse": "USDT goes back to where it came from, whole or a part. Two people decide.",
            "order.claim:claim-paid": "Compare the proofs. Its trader gets the order's USDT from who has it. Two people decide.",
            "order.claim:claim-rejected": "Compare the proofs. Nothing moves. Two people decide.",
            "proposal.approve": "It is executed at once. This cannot be undone.",
            "proposal.reject": "What it holds is released.",
            "proposal.reveal": "Proposer and approver can each read a half, until it is used, for 24 h at most.",
            "withdraw.merchant:take-up": "It becomes a proposal, which another operator decides.",
            "withdraw.sent": "The merchant sees it. It cannot be changed.",
            "merchant.revoke-secret": "It stops at once. The merchant's people make a new one in the portal.",
            "merchant.invite": "The link works once, within 24 hours. Two people invite, and each has a half.",
            "merchant.suspend": "Its calls are refused. Its orders continue.",
            "trader.add": "It is offline. It needs a receiving method before it can take orders.",
            "trader.add-method": "It replaces the one of its type. A card needs all but account and payment code.",
            "trader.remove-method": "Its open orders keep theirs.",
            "trader.stop-account": "At once: no order gets it, and pages of its pending orders say not to pay.",
            "trader.resume-account": "A second person approves it.",
            "trader.reset-code": "The old code and its sessions end.",
            "trader.suspend": "It can make no move. Its assigned sells return to matching.",
            "order.resolve:return": "What the chosen orders hold goes back. If one needs a second person, all wait for it.",
            "order.resolve:pay-out": "What the chosen orders hold is paid out. If one needs a second person, all wait for it.",
            "order.dispute:dispute": "Then operators decide the chosen orders.",
            "block.add": "Orders of this card, account, person or payee are refused, without saying why.",
            "block.remove": "A second person approves it.",
            "desk.set": "Of a customer's buys and a payee account's sells, over all merchants.",
            "rate.set": "A change of more than 5 % waits for a second person.",
        },
        zh={
            "order.ask": "付款人和交易员都会在订单页面看到这个问题。",
            "order.assign": "交易员向客户付款，并上传凭证确认。",
            "order.unassign": "订单回到匹配中，以后不再分配给该交易员。请确认该交易员尚未付款。",
            "order.cancel": "冻结的 USDT 退还商户。",
            "order.dispute": "之后只有运营（买单还有交易员）可以处理。逾期付款会重新冻结交易员的 USDT。",
            "order.resolve:complete": "款项已支付。订单冻结的 USDT 将被划转，无法撤销。",
            "order.resolve:resolve-cancelled": "款项未支付。订单冻结的 USDT 将被退回，无法撤销。",
            "order.reverse": "USDT 按比例原路退回，可部分冲正，需双人审批。",
            "order.claim:claim-paid": "请对照各方凭证。订单的 USDT 将从现持有方划给该交易员，需双人审批。",
            "order.claim:claim-rejected": "请对照各方凭证。资金不变，需双人审批。",
            "proposal.approve": "批准后立即执行，无法撤销。",
            "proposal.reject": "冻结的金额将被释放。",
            "proposal.reveal": "提案人和审批人可各读取一半，使用前有效，最长 24 小时。",
            "withdraw.merchant:take-up": "受理后成为提案，由另一位操作员审批。",
            "withdraw.sent": "商户可见，登记后无法更改。",
            "merchant.revoke-secret": "立即失效，由商户人员在商户后台生成新密钥。",
            "merchant.invite": "链接 24 小时内有效，只能使用一次。须双人审批，两人各持一半。",
            "merchant.suspend": "其接口调用将被拒绝，已有订单不受影响。",
            "trader.add": "新增后为离线状态，需先添加收款方式才能接单。",
            "trader.add-method": "将替换同类型的收款方式。银行卡不需要填写账号和收款码，其他方式不需要填写银行信息。",
            "trader.remove-method": "进行中的订单不受影响。",
            "trader.stop-account": "立即生效：不再匹配新订单，并提示未付款的客户不要付款。",
            "trader.resume-account": "需另一位操作员审批。",
            "trader.reset-code": "旧登录码和已登录的会话将失效。",
            "trader.suspend": "不能再操作，已分配的卖单回到匹配中。",
            "order.resolve:return": "所选订单冻结的 USDT 将被退回；其中任一订单需双人审批时，整批等待审批。",
            "order.resolve:pay-out": "所选订单冻结的 USDT 将被划转；其中任一订单需双人审批时，整批等待审批。",
            "order.dispute:dispute": "所选订单之后由运营处理。",
            "block.add": "涉及该卡号、账号、客户或收款人的订单将被拒绝，且不说明原因。",
            "block.remove": "需另一位操作员审批。",
            "desk.set": "按客户买单、收款账户卖单统计，所有商户合并计算。",
            "rate.set": "变动超过 5% 需另一位操作员审批。",
        },
    )
