"""The texts of the portal's balance page."""

from orderdesk.domain.ledger.accounts import TransferKind
from orderdesk.domain.merchants.withdrawal_errors import WithdrawalProblem
from orderdesk.domain.merchants.withdrawals import RequestStatus
from orderdesk.web.pages.texts import Notice, Text, Texts


class BalanceTexts(Texts):
    """Balance, withdrawals, addresses and statement."""

    available = Text(en="Available", zh="可用余额")
    held = Text(en="Held", zh="冻结金额")
    held_advice = Text(en="For open sells and withdrawals.", zh="用于进行中的卖单和待处理的提现。")
    deposit = Text(en="Deposit", zh="保证金")
    times = Text(en="Times are Beijing time.", zh="时间均为北京时间。")
    withdrawals = Text(en="Withdrawals", zh="提现")
    no_withdrawals = Text(en="No withdrawals yet.", zh="暂无提现记录。")
    statuses = Text(
        en={
            RequestStatus.REQUESTED: "Requested",
            RequestStatus.APPROVED: "Approved",
            RequestStatus.SENT: "Sent",
            RequestStatus.REJECTED: "Rejected",
            RequestStatus.CANCELLED: "Cancelled",
        },
        zh={
            RequestStatus.REQUESTED: "待处理",
            RequestStatus.APPROVED: "已批准",
            RequestStatus.SENT: "已转出",
            RequestStatus.REJECTED: "已驳回",
            RequestStatus.CANCELLED: "已取消",
        },
    )
    requested_by = Text(en="Requested by {name}", zh="申请人：{name}")
    transaction = Text(en="Transaction", zh="交易哈希")
    reason = Text(en="Reason: {reason}", zh="原因：{reason}")
    cancel = Text(en="Cancel", zh="取消申请")
    withdraw = Text(en="Request a withdrawal", zh="申请提现")
    withdraw_advice = Text(
        en=(
            "The amount is held from now on. Two people of the operator check the request before "
            "anything is sent. Your browser asks for your passkey."
        ),
        zh="提交后，提现金额即被冻结，经平台两名运营人员审核后转出。提交时需验证通行密钥。",
    )
    no_address = Text(
        en="Add an address first. It can be used 24 hours later.",
        zh="请先添加提现地址，地址添加 24 小时后方可使用。",
    )
    address = Text(en="Address", zh="提现地址")
    amount = Text(en="Amount in USDT", zh="提现金额（USDT）")
    memo = Text(en="Memo (optional)", zh="备注（选填）")
    send = Text(en="Request with passkey", zh="验证通行密钥并提交")
    addresses = Text(en="Addresses", zh="提现地址")
    addresses_advice = Text(
        en=(
            "A new address rests for 24 hours before its first use. If you do not know an address "
            "here, remove it, and warn your admin."
        ),
        zh="新地址添加 24 小时后方可使用。如发现陌生地址，请立即移除并通知管理员。",
    )
    no_addresses = Text(en="No addresses yet.", zh="暂无提现地址。")
    usable_from = Text(en="Usable from {time}", zh="{time} 起可用")
    added_by = Text(en="Added by {name}", zh="添加人：{name}")
    remove = Text(en="Remove", zh="移除")
    add = Text(en="Add an address", zh="添加地址")
    network = Text(en="Network", zh="网络")
    label = Text(en="Label", zh="名称")
    label_hint = Text(
        en="So that your team knows it, such as “exchange”.", zh="便于团队识别，例如“交易所”。"
    )
    add_button = Text(en="Add with passkey", zh="验证通行密钥并添加")
    statement = Text(en="Statement", zh="账单明细")
    nothing_posted = Text(en="Nothing has been posted yet.", zh="暂无记录。")
    kinds = Text(
        en={
            TransferKind.FUNDING: "Funding",
            TransferKind.SETTLEMENT: "Order settled",
            TransferKind.SPREAD: "Spread",
            TransferKind.WITHDRAWAL: "Withdrawal",
            TransferKind.RELEASE: "Deposit released",
            TransferKind.REVERSAL: "Order reversed",
        },
        zh={
            TransferKind.FUNDING: "充值",
            TransferKind.SETTLEMENT: "订单结算",
            TransferKind.SPREAD: "点差",
            TransferKind.WITHDRAWAL: "提现",
            TransferKind.RELEASE: "保证金释放",
            TransferKind.REVERSAL: "订单冲正",
        },
    )
    balance_after = Text(en="Balance {amount}", zh="余额 {amount}")
    order = Text(en="Order", zh="订单号")
    newest = Text(en="Newest", zh="最新")
    older = Text(en="Older", zh="更早")
    older_in_csv = Text(
        en="Older entries are in the CSV file.", zh="更早的记录请下载 CSV 文件查看。"
    )
    csv = Text(en="Download as CSV", zh="下载 CSV")
    since = Text(en="From", zh="开始日期")
    until = Text(en="To", zh="结束日期")
    csv_head = Text(
        en=("Time (UTC+8)", "Account", "Kind", "USDT", "Balance", "Order", "Memo"),
        zh=("时间（UTC+8）", "账户", "类型", "USDT", "余额", "订单号", "备注"),
    )
    done = Text(
        en={
            "requested": "The withdrawal was requested. Its amount is held.",
            "cancelled": "The withdrawal was cancelled. Its amount is available again.",
            "added": "The address was added. It can be used in 24 hours.",
            "removed": "The address was removed.",
        },
        zh={
            "requested": "提现申请已提交，金额已冻结。",
            "cancelled": "提现申请已取消，金额已解冻。",
            "added": "地址已添加，24 小时后可用。",
            "removed": "地址已移除。",
        },
    )
    problems = Text(
        en={
            WithdrawalProblem.BAD_ADDRESS: Notice(
                "This is not an address of this network",
                "Compare it letter by letter with where you copied it. Nothing was added.",
            ),
            WithdrawalProblem.BAD_LABEL: Notice(
                "The label does not fit", "Use 1 to 64 characters. Nothing was added."
            ),
            WithdrawalProblem.ADDRESS_KNOWN: Notice(
                "This address is already here", "Nothing was added."
            ),
            WithdrawalProblem.BOOK_FULL: Notice(
                "There are 20 addresses", "Remove one that you no longer use."
            ),
            WithdrawalProblem.UNKNOWN_ADDRESS: Notice(
                "This address is not in the list", "Somebody may have removed it."
            ),
            WithdrawalProblem.ADDRESS_RESTS: Notice(
                "This address is too new", "It can be used 24 hours after it was added."
            ),
            WithdrawalProblem.BAD_AMOUNT: Notice(
                "The amount does not fit",
                "Enter more than 0 USDT, with at most 6 decimals, such as 1250.50 or 1,250.50.",
            ),
            WithdrawalProblem.BAD_MEMO: Notice(
                "The memo does not fit", "Use at most 128 characters, on one line."
            ),
            WithdrawalProblem.BALANCE_TOO_LOW: Notice(
                "The available balance is too low", "Nothing was requested."
            ),
            WithdrawalProblem.TOO_MANY_OPEN: Notice(
                "20 withdrawals are waiting", "Wait until some of them are decided."
            ),
            WithdrawalProblem.STALE_FORM: Notice(
                "This form was used or is too old",
                "Look at the list of withdrawals before you fill it in again.",
            ),
            WithdrawalProblem.UNKNOWN_REQUEST: Notice(
                "There is no such withdrawal", "Nothing has been changed."
            ),
            WithdrawalProblem.TAKEN_UP: Notice(
                "This withdrawal can no longer be cancelled",
                "The operator is already checking it, or it was decided.",
            ),
        },
        zh={
            WithdrawalProblem.BAD_ADDRESS: Notice(
                "地址格式与所选网络不符", "请与原地址逐字核对后重新填写。地址未添加。"
            ),
            WithdrawalProblem.BAD_LABEL: Notice("名称不符合要求", "请填写 1 至 64 个字符。"),
            WithdrawalProblem.ADDRESS_KNOWN: Notice("该地址已存在", "无需重复添加。"),
            WithdrawalProblem.BOOK_FULL: Notice("最多添加 20 个地址", "请先移除不再使用的地址。"),
            WithdrawalProblem.UNKNOWN_ADDRESS: Notice("该地址不在列表中", "可能已被其他成员移除。"),
            WithdrawalProblem.ADDRESS_RESTS: Notice(
                "该地址暂不可用", "地址添加 24 小时后方可使用。"
            ),
            WithdrawalProblem.BAD_AMOUNT: Notice(
                "金额不符合要求", "请填写大于 0 的金额，最多 6 位小数，例如 1250.50 或 1,250.50。"
            ),
            WithdrawalProblem.BAD_MEMO: Notice("备注不符合要求", "最多 128 个字符，不能换行。"),
            WithdrawalProblem.BALANCE_TOO_LOW: Notice("可用余额不足", "申请未提交。"),
            WithdrawalProblem.TOO_MANY_OPEN: Notice(
                "待处理的提现已达 20 笔", "请等待其中部分处理完成后再提交。"
            ),
            WithdrawalProblem.STALE_FORM: Notice(
                "该表单已提交过或已过期", "重新填写前，请先查看提现列表。"
            ),
            WithdrawalProblem.UNKNOWN_REQUEST: Notice("提现申请不存在", "未做任何更改。"),
            WithdrawalProblem.TAKEN_UP: Notice(
                "该提现申请已无法取消", "平台正在审核，或已处理完成。"
            ),
        },
    )
