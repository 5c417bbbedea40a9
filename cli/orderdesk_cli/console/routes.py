"""Every address of the console, declared by commands, sheets and actions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from botocore.awsrequest import AWSRequest
from botocore.httpsession import URLLib3Session
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from orderdesk_cli.api import Refused
from orderdesk_cli.console import forms
from orderdesk_cli.console.forms import SINCE, UNTIL, WHY, WHY_IF_ANY, YES_NO, Action, Input
from orderdesk_cli.console.pages import Page
from orderdesk_cli.console.site import Answerer, Site, Visit, endpoint, not_found, switch_language
from orderdesk_cli.sheets.audit import ENTRIES
from orderdesk_cli.sheets.callbacks import DELIVERY, TROUBLED
from orderdesk_cli.sheets.ledger import CHECKED
from orderdesk_cli.sheets.merchants import MERCHANT, MERCHANTS, SECRETS
from orderdesk_cli.sheets.orders import DRAFT, ORDER, ORDERS
from orderdesk_cli.sheets.proposals import PROPOSAL, PROPOSALS, REVEALED
from orderdesk_cli.sheets.rates import RATES
from orderdesk_cli.sheets.report import REPORT
from orderdesk_cli.sheets.sheet import Json, Label, objects
from orderdesk_cli.sheets.traders import CODE, TRADER, TRADERS
from orderdesk_cli.sheets.words import CHINESE

BODY_MAX_BYTES = 64 * 1024
_MARK = (Path(__file__).parent / "templates" / "mark.svg").read_text()


def choices(*names: str) -> Sequence[tuple[str, Label]]:
    """Return words as choices with their labels."""
    return [(name, (name, CHINESE[name])) for name in names]


_MERCHANT = Input("merchant_id", ("Merchant (id or name)", "商户（编号或名称）"))
_TRADER = Input("trader_id", ("Trader (id or name)", "交易员（编号或名称）"))
_MODE = Input("mode", ("Mode", "模式"), choices("live", "test"))
_STATUS = Input(
    "status",
    ("Status", "状态"),
    choices(
        *("pending", "paid", "matching", "assigned", "disputed"),
        *("completed", "cancelled", "expired"),
    ),
)
_AMOUNT = Input("amount", ("USDT", "USDT"), required=True)
_MEMO = Input("memo", ("Memo", "备注"), required=True)
_ON_DUTY, _SUSPENDED = frozenset({"online", "offline"}), frozenset({"suspended"})

MOVES = (
    Action(
        "ask",
        "order.ask",
        ("Ask a question", "提问"),
        (
            "Payer and trader both read the question on their page of the order.",
            "付款人和交易员都会在订单页面看到这个问题。",
        ),
        [
            Input("text", ("Question", "问题"), required=True),
            Input(
                "to",
                ("Who is asked to answer", "请谁回答"),
                (
                    ("payer", ("payer", "付款人")),
                    ("trader", ("trader", "交易员")),
                    ("both", ("both", "双方")),
                ),
                required=True,
            ),
        ],
    ),
    Action(
        "assign",
        "order.assign",
        ("Assign", "分配"),
        (
            "The trader pays the customer and confirms with a proof.",
            "交易员向客户付款，并上传凭证确认。",
        ),
        [WHY_IF_ANY],
    ),
    Action(
        "unassign",
        "order.unassign",
        ("Take it back", "收回"),
        (
            "It goes back to matching, and this trader is passed over from now on. Make sure that "
            "the trader has not paid.",
            "订单回到匹配中，以后不再分配给该交易员。请确认该交易员尚未付款。",
        ),
        [WHY],
        look="wrong",
    ),
    Action(
        "cancel",
        "order.cancel",
        ("Cancel", "取消"),
        ("The merchant gets back the USDT that is held for it.", "冻结的 USDT 退还商户。"),
        [WHY],
        look="wrong",
    ),
    Action(
        "dispute",
        "order.dispute",
        ("Dispute", "发起争议"),
        (
            "Only operators, and the trader of a buy, can move it then. For a late payment the "
            "trader's USDT is held again.",
            "之后只有运营（买单还有交易员）可以处理。逾期付款会重新冻结交易员的 USDT。",
        ),
        [WHY],
        look="wrong",
    ),
    Action(
        "complete",
        "order.resolve",
        ("Resolve: completed", "判定：已完成"),
        (
            "The money was paid. What the order holds is paid out. This cannot be undone.",
            "款项已支付。订单冻结的 USDT 将被划转，无法撤销。",
        ),
        [WHY],
        {"outcome": "completed"},
    ),
    Action(
        "resolve-cancelled",
        "order.resolve",
        ("Resolve: cancelled", "判定：已取消"),
        (
            "No money was paid. What the order holds goes back. This cannot be undone.",
            "款项未支付。订单冻结的 USDT 将被退回，无法撤销。",
        ),
        [WHY],
        {"outcome": "cancelled"},
        look="wrong",
    ),
)

_LIMITS_OF_MERCHANT = tuple(
    Input(name, label)
    for name, label in (
        ("service_bps", ("Fee, 1/100 %", "手续费（万分之一）")),
        ("service_fixed", ("Fixed fee, USDT", "固定手续费 USDT")),
        ("deposit_bps", ("Deposit, 1/100 %", "保证金（万分之一）")),
        ("spread_bps", ("Spread, 1/100 %", "点差（万分之一）")),
        ("min_cny", ("Smallest order, CNY", "最小金额")),
        ("max_cny", ("Largest order, CNY", "最大金额")),
        ("max_open_cny", ("Open buys, CNY", "未完成买单总额")),
    )
)
_COUNTS_OF_MERCHANT = tuple(
    Input(name, label, read=forms.whole)
    for name, label in (
        ("max_open_buys", ("Open buys", "未完成买单数")),
        ("max_rps", ("Requests a second", "每秒请求数")),
    )
)
_BPS = {"service_bps", "deposit_bps", "spread_bps"}
MERCHANT_TERMS = (
    *(
        replace(each, read=forms.whole) if each.name in _BPS else each
        for each in _LIMITS_OF_MERCHANT
    ),
    *_COUNTS_OF_MERCHANT,
    Input("require_receipt", ("Receipt required", "必须上传凭证"), YES_NO, read=forms.flag),
)
TRADER_TERMS = (
    Input("min_cny", ("Smallest order, CNY", "最小金额")),
    Input("max_cny", ("Largest order, CNY", "最大金额")),
    Input("max_open", ("Open orders at most", "最多进行中订单")),
    Input("daily_cny", ("CNY a day at most", "每日上限")),
    Input("unique_amounts", ("Unique amounts", "金额唯一"), YES_NO, read=forms.flag),
)


def _money(owner: str) -> Iterator[Action]:
    """Yield the actions that move a merchant's or trader's USDT; each waits for a second person."""
    test = Input("is_test", ("Test money", "测试资金"), YES_NO, read=forms.flag)
    inputs = [_AMOUNT, _MEMO, test]
    yield Action("fund", f"fund.{owner}", ("Fund", "充值"), inputs=inputs)
    yield Action("withdraw", f"withdraw.{owner}", ("Withdraw", "提现"), inputs=inputs)


PAGES = (
    Page(
        "orders",
        "orders",
        "order.list",
        ORDERS,
        ("Orders", "订单"),
        [
            *(_STATUS, Input("order_type", ("Type", "方向"), choices("buy", "sell")), _MODE),
            *(_MERCHANT, _TRADER, SINCE, UNTIL),
            *(Input("min_cny", ("CNY from", "金额从")), Input("max_cny", ("CNY to", "金额到"))),
        ],
        lists=True,
    ),
    Page(
        "disputes",
        "disputes",
        "order.list",
        ORDERS,
        ("Disputes", "争议"),
        [_MODE, _MERCHANT, _TRADER],
        {"status": "disputed"},
        lists=True,
    ),
    Page(
        "sells",
        "sells",
        "order.list",
        ORDERS,
        ("Sells waiting for a trader", "待分配卖单"),
        [_MODE, _MERCHANT],
        {"status": "matching", "order_type": "sell"},
        lists=True,
    ),
    Page("orders/{order_no}", "orders", "order.show", ORDER, actions=MOVES),
    Page("drafts/{pending_no}", "orders", "draft.show", DRAFT),
    Page(
        "proposals",
        "proposals",
        "proposal.list",
        PROPOSALS,
        ("Proposals", "提案"),
        [Input("status", ("Status", "状态"), choices("open", "executed", "rejected", "expired"))],
        lists=True,
    ),
    Page(
        "proposals/{proposal_no}",
        "proposals",
        "proposal.show",
        PROPOSAL,
        ("Proposal", "提案"),
        actions=(
            Action(
                "approve",
                "proposal.approve",
                ("Approve", "批准"),
                ("It is executed at once. This cannot be undone.", "批准后立即执行，无法撤销。"),
                states=frozenset({"open"}),
                look="",
            ),
            Action(
                "reject",
                "proposal.reject",
                ("Reject", "驳回"),
                ("What it holds is released.", "冻结的金额将被释放。"),
                [WHY],
                states=frozenset({"open"}),
                look="wrong",
            ),
            Action(
                "reveal",
                "proposal.reveal",
                ("Read its secret", "读取密钥"),
                ("Only its proposer can read it, for an hour.", "仅提案人可在一小时内读取。"),
                states=frozenset({"executed"}),
                answer=REVEALED,
            ),
        ),
    ),
    Page("merchants", "merchants", "merchant.list", MERCHANTS, ("Merchants", "商户"), lists=True),
    Page(
        "merchants/{merchant_id}",
        "merchants",
        "merchant.show",
        MERCHANT,
        actions=(
            Action(
                "limits",
                "merchant.set",
                ("Change terms", "修改条款"),
                inputs=[*MERCHANT_TERMS, WHY_IF_ANY],
                present="terms",
            ),
            *_money("merchant"),
            Action(
                "rotate-secret",
                "merchant.rotate-secret",
                ("New API secret", "更换 API 密钥"),
                (
                    "The previous secret stays valid until the next change.",
                    "旧密钥在下次更换前仍有效。",
                ),
                [WHY],
                answer=SECRETS,
            ),
            Action(
                "rotate-callback-secret",
                "merchant.rotate-callback-secret",
                ("New callback secret", "更换回调密钥"),
                inputs=[WHY],
                answer=SECRETS,
            ),
            Action(
                "suspend",
                "merchant.suspend",
                ("Suspend", "停用"),
                (
                    "Its calls are refused. Its orders continue.",
                    "其接口调用将被拒绝，已有订单不受影响。",
                ),
                [WHY_IF_ANY],
                states=frozenset({"active"}),
                look="wrong",
            ),
            Action(
                "resume",
                "merchant.resume",
                ("Resume", "恢复"),
                inputs=[WHY_IF_ANY],
                states=_SUSPENDED,
            ),
        ),
    ),
    Page("traders", "traders", "trader.list", TRADERS, ("Traders", "交易员"), lists=True),
    Page(
        "traders/{trader_id}",
        "traders",
        "trader.show",
        TRADER,
        actions=(
            Action(
                "online",
                "trader.online",
                ("Put online", "上线"),
                inputs=[WHY_IF_ANY],
                states=frozenset({"offline", "suspended"}),
            ),
            Action(
                "offline",
                "trader.offline",
                ("Take offline", "下线"),
                inputs=[WHY_IF_ANY],
                states=frozenset({"online"}),
            ),
            Action(
                "limits",
                "trader.set",
                ("Change limits", "修改限额"),
                inputs=[*TRADER_TERMS, WHY_IF_ANY],
                present="limits",
            ),
            *_money("trader"),
            Action(
                "reset-code",
                "trader.reset-code",
                ("New access code", "更换登录码"),
                ("The old code and its sessions end.", "旧登录码和已登录的会话将失效。"),
                [WHY_IF_ANY],
                answer=CODE,
            ),
            Action(
                "suspend",
                "trader.suspend",
                ("Suspend", "停用"),
                (
                    "It can make no move. Its assigned sells return to matching.",
                    "不能再操作，已分配的卖单回到匹配中。",
                ),
                [WHY_IF_ANY],
                states=_ON_DUTY,
                look="wrong",
            ),
        ),
    ),
    Page(
        "rates",
        "rates",
        "rate.list",
        RATES,
        ("Base rates", "基准汇率"),
        actions=(
            Action(
                "set",
                "rate.set",
                ("Set a rate", "设置汇率"),
                (
                    "A change of more than 5 % waits for a second person.",
                    "变动超过 5% 需另一位操作员审批。",
                ),
                [
                    Input("order_type", ("Side", "方向"), choices("buy", "sell"), required=True),
                    Input("rate", ("CNY per USDT", "汇率"), required=True),
                    WHY_IF_ANY,
                ],
                {"yes": True},
            ),
        ),
    ),
    Page(
        "callbacks",
        "callbacks",
        "callback.dead",
        TROUBLED,
        ("Callbacks that were given up", "已放弃的回调"),
        [_MERCHANT],
        lists=True,
    ),
    Page(
        "callbacks/{webhook_id}",
        "callbacks",
        "callback.show",
        DELIVERY,
        ("Callback", "回调"),
        actions=(
            Action(
                "redeliver",
                "callback.redeliver",
                ("Send it again", "重新发送"),
                inputs=[WHY_IF_ANY],
            ),
        ),
    ),
    Page(
        "audit",
        "audit",
        "audit.list",
        ENTRIES,
        ("What operators and traders did", "操作记录"),
        [
            replace(SINCE, value="7d"),
            Input("operator", ("Operator", "操作人")),
            Input("subject", ("About (id)", "对象（编号）")),
        ],
        lists=True,
    ),
)


def home(visit: Visit) -> Response:
    """Redirect to the orders."""
    return visit.go("orders")


def found(visit: Visit) -> Response:
    """Redirect to the order that a text means, or list what was found."""
    text = visit.query.get("text", "")
    if not text:
        return visit.go("orders")
    answer = visit.site.api.call("order.find", text=text)
    items = objects(answer.get("items"))
    if len(items) == 1:
        one = items[0]
        number, draft = one.get("order_no"), one.get("pending_no")
        return visit.go(f"orders/{number}" if number else f"drafts/{draft}")
    return visit.page(
        "sheet.html",
        section="orders",
        title=f"{visit.words.find}: {text}",
        lead="" if items else visit.words.nothing_found,
        drawn=visit.drawn(ORDERS, items) if items else "",
    )


def reported(visit: Visit) -> Response:
    """Show the report of a trading day, read in parts."""
    date = visit.query.get("date", "")
    asked = Input("date", ("Trading day (UTC+8)", "交易日（UTC+8）"), kind="date", required=True)
    data: Mapping[str, Json] = {}
    if date:
        for data in visit.site.api.pages("report.day", date=date):
            pass
    return visit.page(
        "sheet.html",
        section="report",
        title=visit.text(("Report of a trading day", "交易日报表")),
        filters=[forms.shown(asked, date, visit)],
        is_filtered=True,
        here=visit.to("report"),
        drawn=visit.drawn(REPORT, data) if data else "",
    )


def checked(visit: Visit) -> Response:
    """Offer the ledger check, or show its result, read in parts."""
    data: dict[str, Json] = {}
    if "run" in visit.query:
        findings: list[Json] = []
        for part in visit.site.api.pages("ledger.check"):
            findings += objects(part.get("findings"))
            data = {**part, "findings": findings}
    return visit.page(
        "sheet.html",
        section="ledger",
        title=visit.text(("Ledger check", "账本核对")),
        lead=visit.words.check_hint,
        drawn=visit.drawn(CHECKED, data) if data else "",
        actions=[{"link": visit.to("ledger", run="1"), "text": visit.words.check_now, "look": ""}],
    )


def evidence(visit: Visit) -> Response:
    """Send a picture that was drawn from a file, or the file as it came, to be saved."""
    answer = visit.site.api.call("order.evidence", order_no=visit.parts["order_no"])
    sent = objects(answer.get("evidence"))
    nth, page = int(visit.parts["nth"]), visit.parts.get("page")
    if nth >= len(sent):
        raise _no_file(visit)
    each = sent[nth]
    if page is None:
        name = f'attachment; filename="{each["file_name"]}"'
        headers = {"Content-Disposition": name}
        return Response(_read(each["original"]), 200, headers, "application/octet-stream")
    pictures = each.get("pictures")
    if not isinstance(pictures, Sequence) or int(page) >= len(pictures):
        raise _no_file(visit)
    return Response(_read(pictures[int(page)]), media_type="image/webp")


def _no_file(visit: Visit) -> Refused:
    return Refused(404, 2002, "not_found", visit.words.not_there)


def _read(link: Json) -> bytes:
    """Read a file by its short-lived link."""
    request = AWSRequest("GET", str(link)).prepare()
    answer = URLLib3Session().send(request)
    if answer.status_code != 200:  # noqa: PLR2004 HTTP
        raise Refused(answer.status_code, 0, "file", f"HTTP {answer.status_code}")
    return bytes(answer.content)


def mark(visit: Visit) -> Response:
    """Send the icon of the browser's tab."""
    return Response(_MARK, media_type="image/svg+xml")


VIEWS: dict[str, Answerer] = {
    "": home,
    "mark.svg": mark,
    "language": switch_language,
    "find": found,
    "report": reported,
    "ledger": checked,
    "orders/{order_no}/evidence/{nth:int}/pages/{page:int}": evidence,
    "orders/{order_no}/evidence/{nth:int}/original": evidence,
}


def _asked(page: Page, action: Action, visit: Visit) -> Response:
    return forms.ask(visit, page, action, page.answer(visit))


def application(site: Site) -> Starlette:
    """Create the application; it answers all requests that the entrance lets in."""
    answers: list[tuple[str, str, Answerer]] = [("GET", path, view) for path, view in VIEWS.items()]
    for page in PAGES:
        answers.append(("GET", page.path, page.show))
        for action in page.actions:
            path = f"{page.path}/{action.path}"
            answers.append(("GET", path, partial(_asked, page, action)))
            answers.append(("POST", path, lambda visit, p=page, a=action: forms.run(visit, p, a)))

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
