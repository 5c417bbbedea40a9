"""Every address of the console, declared by commands, sheets and actions."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from http import HTTPStatus
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from orderdesk_cli import ledger, money, parties  # noqa: F401 they declare what the forms ask for
from orderdesk_cli.api import Refused
from orderdesk_cli.beijing import BEIJING
from orderdesk_cli.console.charts import charts_of
from orderdesk_cli.console.forms import Action
from orderdesk_cli.console.pages import Page
from orderdesk_cli.console.site import Answerer, Site, Visit, endpoint, not_found, switch_language
from orderdesk_cli.console.waiting import WAITING, waiting
from orderdesk_cli.orders import links_of
from orderdesk_cli.sheets.ledger import CHECKED, DIFFERENCES, REPORT
from orderdesk_cli.sheets.operators import ENTRIES
from orderdesk_cli.sheets.orders import (
    CLAIMS,
    DISPUTES,
    DRAFT,
    ORDER,
    ORDERS,
    PAUSED,
    STOPPED,
    TROUBLED,
)
from orderdesk_cli.sheets.parties import MERCHANTS, TRADERS
from orderdesk_cli.sheets.sheet import Sheet, objects, without

BODY_MAX_BYTES = 64 * 1024
_MARK = (Path(__file__).parent / "templates" / "mark.svg").read_text()


MOVES = (
    Action(
        *("order.ask", "Ask a question", "提问"),
        "Payer and trader both read the question on their page of the order.",
        "付款人和交易员都会在订单页面看到这个问题。",
    ),
    Action(
        *("order.assign", "Assign", "分配"),
        "The trader pays the customer and confirms with a proof.",
        "交易员向客户付款，并上传凭证确认。",
    ),
    Action(
        *("order.unassign", "Take it back", "收回"),
        "It goes back to matching, without this trader. Make sure that it has not paid.",
        "订单回到匹配中，以后不再分配给该交易员。请确认该交易员尚未付款。",
        "wrong",
    ),
    Action(
        *("order.cancel", "Cancel", "取消"),
        "The merchant gets back the USDT that is held for it.",
        "冻结的 USDT 退还商户。",
        "wrong",
    ),
    Action(
        *("order.dispute", "Dispute", "发起争议"),
        "Only operators, and a buy's trader, can move it then. A late payment is held again.",
        "之后只有运营（买单还有交易员）可以处理。逾期付款会重新冻结交易员的 USDT。",
        "wrong",
        asks="reason",
    ),
    Action(
        *("order.resolve", "It arrived: pay out the USDT", "判定已到账，放行 USDT"),
        "The money was paid. What the order holds is paid out. This cannot be undone.",
        "款项已支付。订单冻结的 USDT 将被划转，无法撤销。",
        name="complete",
        fixed={"outcome": "completed"},
        asks="amount reason",
    ),
    Action(
        *("order.resolve", "It did not arrive: return the USDT", "判定未到账，退回 USDT"),
        "No money was paid. What the order holds goes back. This cannot be undone.",
        "款项未支付。订单冻结的 USDT 将被退回，无法撤销。",
        "wrong",
        name="resolve-cancelled",
        fixed={"outcome": "cancelled"},
        asks="reason",
    ),
    Action(
        *("order.reverse", "Reverse", "冲正"),
        "USDT goes back to where it came from, whole or a part. Two people decide.",
        "USDT 按比例原路退回，可部分冲正，需双人审批。",
        "wrong",
    ),
    Action(
        *("order.claim", "The former trader has paid", "裁定原交易员已付款"),
        "Compare the proofs. Its trader gets the order's USDT from who has it. Two people decide.",
        "请对照各方凭证。订单的 USDT 将从现持有方划给该交易员，需双人审批。",
        "wrong",
        name="claim-paid",
        fixed={"verdict": "paid"},
        asks="trader_id reason",
        has_pictures=True,
    ),
    Action(
        *("order.claim", "The former trader has not paid", "裁定原交易员未付款"),
        "Compare the proofs. Nothing moves. Two people decide.",
        "请对照各方凭证。资金不变，需双人审批。",
        name="claim-rejected",
        fixed={"verdict": "rejected"},
        asks="trader_id reason",
        has_pictures=True,
    ),
)
DECISIONS = (
    Action(
        *("proposal.approve", "Approve", "批准"),
        "It is executed at once. This cannot be undone.",
        "批准后立即执行，无法撤销。",
        *("", "open begun"),
        proposer=False,
        seen="digest",
    ),
    Action(
        *("proposal.reject", "Reject", "驳回"),
        "What it holds is released.",
        "冻结的金额将被释放。",
        *("wrong", "open"),
    ),
    Action(
        *("proposal.reveal", "Read its secret", "读取密钥"),
        "Proposer and approver can each read a half, until it is used, for 24 h at most.",
        "提案人和审批人可各读取一半，使用前有效，最长 24 小时。",
        states="executed",
        is_shown=True,
    ),
)
OF_MERCHANTS = (Action("merchant.add", "Add a merchant", "新增商户", is_shown=True),)
OF_MERCHANT = (
    Action("merchant.set", "Change terms", "修改条款", name="limits", fills=True),
    Action("fund.merchant", "Fund", "充值", name="fund"),
    Action("withdraw.merchant", "Withdraw", "提现", name="withdraw"),
    Action("deposit.release", "Release deposit", "释放保证金", name="release-deposit"),
    Action("fees.withdraw", "Withdraw fees", "提取手续费", name="withdraw-fees"),
    Action(
        *("merchant.revoke-secret", "Revoke a secret", "停用密钥"),
        "It stops at once. The merchant's people make a new one in the portal.",
        "立即失效，由商户人员在商户后台生成新密钥。",
        "wrong",
    ),
    Action(
        *("merchant.invite", "Invite to the portal", "邀请使用商户后台"),
        "The link works once, within 24 hours. Two people invite, and each has a half.",
        "链接 24 小时内有效，只能使用一次。须双人审批，两人各持一半。",
        is_shown=True,
    ),
    Action(
        *("merchant.suspend", "Suspend", "停用"),
        "Its calls are refused. Its orders continue.",
        "其接口调用将被拒绝，已有订单不受影响。",
        *("wrong", "active"),
    ),
    Action("merchant.resume", "Resume", "恢复", states="suspended"),
)
OF_TRADERS = (
    Action(
        *("trader.add", "Add a trader", "新增交易员"),
        "It is offline. It needs a receiving method before it can take orders.",
        "新增后为离线状态，需先添加收款方式才能接单。",
        is_shown=True,
    ),
)
OF_TRADER = (
    Action("trader.online", "Put online", "上线", states="offline suspended"),
    Action("trader.offline", "Take offline", "下线", states="online"),
    Action("trader.set", "Change limits", "修改限额", name="limits", fills=True),
    Action(
        *("trader.add-method", "Set a receiving method", "设置收款方式"),
        "It replaces the one of its type. A card needs all but account and payment code.",
        "将替换同类型的收款方式。银行卡不需要填写账号和收款码，其他方式不需要填写银行信息。",
    ),
    Action(
        *("trader.remove-method", "Remove a receiving method", "移除收款方式"),
        "Its open orders keep theirs.",
        "进行中的订单不受影响。",
        "wrong",
    ),
    Action(
        *("trader.stop-account", "Stop an account", "停用收款账户"),
        "At once: no order gets it, and pages of its pending orders say not to pay.",
        "立即生效：不再匹配新订单，并提示未付款的客户不要付款。",
        "wrong",
    ),
    Action(
        *("trader.resume-account", "Resume an account", "恢复收款账户"),
        "A second person approves it.",
        "需另一位操作员审批。",
    ),
    Action("fund.trader", "Fund", "充值", name="fund"),
    Action("withdraw.trader", "Withdraw", "提现", name="withdraw"),
    Action(
        *("trader.reset-code", "New access code", "更换登录码"),
        "The old code and its sessions end.",
        "旧登录码和已登录的会话将失效。",
        is_shown=True,
    ),
    Action(
        *("trader.suspend", "Suspend", "停用"),
        "It can make no move. Its assigned sells return to matching.",
        "不能再操作，已分配的卖单回到匹配中。",
        *("wrong", "online offline"),
    ),
)
OF_BLOCKS = (
    Action(
        *("block.add", "Block", "加入黑名单"),
        "Orders of this card, account, person or payee are refused, without saying why.",
        "涉及该卡号、账号、客户或收款人的订单将被拒绝，且不说明原因。",
        "wrong",
    ),
    Action(
        *("block.remove", "Remove a block", "移出黑名单"),
        "A second person approves it.",
        "需另一位操作员审批。",
    ),
    Action(
        *("desk.set", "Limits of a day", "每日限额"),
        "Of a customer's buys and a payee account's sells, over all merchants.",
        "按客户买单、收款账户卖单统计，所有商户合并计算。",
    ),
)
OF_RATES = (
    Action(
        *("rate.set", "Set a rate", "设置汇率"),
        "A change of more than 5 % waits for a second person.",
        "变动超过 5% 需另一位操作员审批。",
        fixed={"yes": True},
    ),
)
OF_CALLBACK = (Action("callback.redeliver", "Send it again", "重新发送"),)
OF_WITHDRAWALS = (
    Action(
        *("withdraw.merchant", "Take up a request", "受理提现申请"),
        "It becomes a proposal, which another operator decides.",
        "受理后成为提案，由另一位操作员审批。",
        name="take-up",
        asks="request_no!",
    ),
    Action(
        *("withdraw.sent", "Record a transaction", "登记转账"),
        "The merchant sees it. It cannot be changed.",
        "商户可见，登记后无法更改。",
    ),
)


OF_STOPPED = (
    Action(
        *("order.resolve", "They did not arrive: return the USDT", "判定未到账，退回 USDT"),
        "What the chosen orders hold goes back. If one needs a second person, all wait for it.",
        "所选订单冻结的 USDT 将被退回；其中任一订单需双人审批时，整批等待审批。",
        "wrong",
        name="return",
        fixed={"outcome": "cancelled"},
        asks="order_nos! reason",
        of_orders="disputed",
    ),
    Action(
        *("order.resolve", "They arrived: pay out the USDT", "判定已到账，放行 USDT"),
        "What the chosen orders hold is paid out. If one needs a second person, all wait for it.",
        "所选订单冻结的 USDT 将被划转；其中任一订单需双人审批时，整批等待审批。",
        name="pay-out",
        fixed={"outcome": "completed"},
        asks="order_nos! reason",
        of_orders="disputed",
    ),
    Action(
        *("order.dispute", "Dispute", "发起争议"),
        "Then operators decide the chosen orders.",
        "所选订单之后由运营处理。",
        "wrong",
        asks="order_nos! reason",
        of_orders="paid assigned",
    ),
)

_STOPPED = Page(
    *(
        "traders/{trader_id}/stopped",
        "order.list",
        ("Orders of stopped accounts", "停用账户的订单"),
    ),
    own_sheet=STOPPED,
    asks="trader_id",
    fixed={"stopped": True},
    actions=OF_STOPPED,
)
_BELOW_MERCHANT = (
    Page("merchants/{merchant_id}/statement", "ledger.statement", ("Statement", "账户明细")),
    Page("merchants/{merchant_id}/use", "merchant.limits", ("Use of its limits", "额度使用情况")),
)
_REPORT = Page(
    *("report", "report.day", ("Report", "日报"), ("Report of a trading day", "交易日报表")),
    Sheet([REPORT.parts[0], DIFFERENCES, *REPORT.parts[1:]]),
    asks="date",
    in_parts=True,
)
_CHECK = Page(
    *("ledger", "ledger.check", ("Ledger", "账本"), ("Ledger check", "账本核对"), CHECKED),
    in_parts=True,
)
PAGES = (
    Page("orders", "order.list", ("Orders", "订单")),
    Page(
        *("disputes", "order.list", ("Disputes", "争议")),
        own_sheet=DISPUTES,
        asks="mode merchant_id trader_id",
        fixed={"status": "disputed"},
    ),
    Page(
        *("claims", "order.list", ("Claims", "凭证裁定")),
        title=("Late proofs of ended sells", "已结束卖单的逾期凭证"),
        own_sheet=CLAIMS,
        asks="mode",
        fixed={"claims": True},
    ),
    Page(
        *("sells", "order.list", ("Sells waiting", "待分配卖单")),
        title=("Sells waiting for a trader", "待分配卖单"),
        asks="mode merchant_id",
        fixed={"status": "matching", "order_type": "sell"},
    ),
    Page("orders/{order_no}", "order.show", own_sheet=ORDER, actions=MOVES),
    Page("drafts/{pending_no}", "draft.show", own_sheet=DRAFT),
    Page("proposals", "proposal.list", ("Proposals", "提案")),
    Page(
        *("proposals/{proposal_no}", "proposal.show"),
        title=("Proposal", "提案"),
        actions=DECISIONS,
    ),
    Page("withdrawals", "withdraw.list", ("Withdrawals", "提现"), actions=OF_WITHDRAWALS),
    Page(
        *("merchants", "merchant.list", ("Merchants", "商户")),
        own_sheet=without(MERCHANTS, "name"),
        actions=OF_MERCHANTS,
    ),
    Page(
        *("merchants/{merchant_id}", "merchant.show"),
        actions=OF_MERCHANT,
        below=_BELOW_MERCHANT,
    ),
    *_BELOW_MERCHANT,
    Page(
        *("traders", "trader.list", ("Traders", "交易员")),
        own_sheet=without(TRADERS, "name"),
        actions=OF_TRADERS,
    ),
    Page("traders/{trader_id}", "trader.show", actions=OF_TRADER, below=(_STOPPED,)),
    _STOPPED,
    Page("blocks", "block.list", ("Block list", "黑名单"), actions=OF_BLOCKS),
    Page(*("rates", "rate.list", ("Rates", "汇率"), ("Base rates", "基准汇率")), actions=OF_RATES),
    Page(
        *("callbacks", "callback.dead", ("Callbacks", "回调")),
        ("Callbacks that were given up", "已放弃的回调"),
        TROUBLED,
        asks="merchant_id",
        beside=("paused", PAUSED),
        lists=True,
    ),
    Page(
        *("callbacks/{webhook_id}", "callback.show"),
        title=("Callback", "回调"),
        actions=OF_CALLBACK,
    ),
    _REPORT,
    Page("balances", "ledger.balances", ("Balances", "余额")),
    _CHECK,
    Page(
        *("audit", "audit.list", ("Audit", "审计")),
        ("What operators and traders did", "操作记录"),
        without(ENTRIES, "arn"),
        asks="since operator subject",
        preset={"since": "7d"},
        fixed={"newest_first": True},
    ),
)
SECTIONS = [
    (WAITING, "order.list", ("Waiting", "待办")),
    *((page.path, page.command, page.label) for page in PAGES if "/" not in page.path),
]
"""The navigation: each section's path, the command that it needs, and its name."""


def found(visit: Visit) -> Response:
    """Redirect to the order that a text means, or list what was found."""
    text = visit.query.get("text", "")
    if not text:
        return visit.go("orders")
    try:
        answer = visit.call("order.find", text=text, after=visit.query.get("after"))
    except Refused as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        answer = {}
    items, more = objects(answer.get("items")), answer.get("next")
    if len(items) == 1 and not more:
        number, draft = items[0].get("order_no"), items[0].get("pending_no")
        return visit.go(f"orders/{number}" if number else f"drafts/{draft}")
    values = {
        "section": "orders",
        "title": f"{visit.words.find}: {text}",
        "found": text,
        "leads": [] if items else [visit.words.nothing_yet if more else visit.words.nothing_found],
        "drawn": visit.drawn(ORDERS, items) if items else "",
        "older": visit.to("find", text=text, after=str(more)) if more else "",
    }
    return visit.page("sheet.html", values)


def report_of_day(visit: Visit) -> Response:
    """Show the report of a trading day, today's if none is named."""
    today = {"date": datetime.now(BEIJING).date().isoformat()}
    return _REPORT.show(replace(visit, query={**today, **visit.query}), charts_of)


def checked(visit: Visit) -> Response:
    """Offer the ledger check, or show how far it is."""
    if visit.query.keys() & {"run", "after"}:
        return _CHECK.show(visit)
    visit.require(_CHECK.command)
    run = {"link": visit.to("ledger", run="1"), "text": visit.words.check_now, "look": ""}
    values = {
        "section": "ledger",
        "title": visit.text(_CHECK.title),
        "leads": [visit.words.check_hint],
        "actions": [run],
    }
    return visit.page("sheet.html", values)


def evidence(visit: Visit) -> Response:
    """Send a picture that was drawn from a file, or the file as it came, to be saved."""
    answer = visit.call("order.evidence", order_no=visit.parts["order_no"])
    sent = dict(enumerate(objects(answer.get("evidence"))))
    each, page = sent.get(int(visit.parts["nth"])), visit.parts.get("page")
    links = dict(enumerate(links_of(each) if each else ()))
    name, link = links.get(0 if page is None else int(page) + 1, ("", ""))
    content = visit.site.api.file(link) if link else None
    if content is None:
        return not_found(visit)
    if page is None:
        headers = {"Content-Disposition": f'attachment; filename="{quote(name)}"'}
        return Response(content, HTTPStatus.OK, headers, "application/octet-stream")
    return Response(content, media_type=guess_type(name)[0] or "application/octet-stream")


def mark(visit: Visit) -> Response:
    """Send the icon of the browser's tab."""
    return Response(_MARK, media_type="image/svg+xml")


VIEWS: dict[str, Answerer] = {
    "": lambda visit: visit.go(WAITING),
    WAITING: waiting,
    "mark.svg": mark,
    "language": switch_language,
    "find": found,
    "report": report_of_day,
    "ledger": checked,
    "orders/{order_no}/evidence/{nth:int}/pages/{page:int}": evidence,
    "orders/{order_no}/evidence/{nth:int}/original": evidence,
}


def application(site: Site) -> Starlette:
    """Create the application; it answers all requests that the entrance lets in."""
    answers: list[tuple[str, str, Answerer]] = [("GET", path, view) for path, view in VIEWS.items()]
    for page in PAGES:
        answers += [] if page.path in VIEWS else [("GET", page.path, page.show)]
        for action in page.actions:
            path = f"{page.path}/{action.path}"
            answers.append(("GET", path, partial(page.ask, action)))
            answers.append(("POST", path, partial(page.run, action)))

    async def nothing_here(request: Request, _: Exception) -> Response:
        return await endpoint(site, not_found)(request)

    routes = [
        Route(f"/{path}", endpoint(site, answer), methods=[method])
        for method, path, answer in answers
    ]
    return Starlette(
        routes=[Mount(site.root, routes=routes)],
        exception_handlers={404: nothing_here},
        max_body_size=BODY_MAX_BYTES,
    )
