"""The desk's page that compares a statement's file with the open buys; imported with its first use.

The file is read in memory. It is neither stored nor logged, and nothing confirms itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.statement_file import (
    FILE_BYTES_MAX,
    StatementProblem,
    UnfitStatement,
    read_statement,
)
from orderdesk.domain.orders.statement_match import Doubt, Match, StatementRow, match_rows
from orderdesk.services.traders.desk import TOP, DeskOrders, open_orders
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.frame import DeskScene, desk_page
from orderdesk.web.pages.desk.order import is_confirmable
from orderdesk.web.pages.desk.summary import Summary, summary_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.scene import BadForm
from orderdesk.web.pages.texts import Text, Texts
from orderdesk.web.pages.values import Amount, Moment, amount_of, moment_of

FILE_FIELD = "file"
_ORDERS_MAX = 400
_SHOWN_MAX = 200
_FRAME_BYTES = 4 * 1024  # of the multipart body around the file
_BOUNDARY = re.compile(r'multipart/form-data;.*boundary="?([0-9A-Za-z\'()+_,./:=? -]{1,70})"?')
_FILE = re.compile(rb'content-disposition:[^\r\n]*[; ]name="file"', re.IGNORECASE)


class StatementTexts(Texts):
    """The texts of the page."""

    title = Text(en="Compare a statement", zh="核对流水")
    advice = Text(
        en="Choose today’s CSV file of your bank, Alipay or WeChat. Rows that fit an open order "
        "are shown beside it. The file is only read: it is not kept, and nothing is confirmed "
        "without you.",
        zh="选择银行、支付宝或微信导出的当日 CSV 流水，系统会将入账与未结束的订单逐笔比对。"
        "文件仅供读取，不会保存；每笔订单都由您亲自确认。",
    )
    file = Text(en="CSV file, up to 2 MB", zh="CSV 文件，最大 2 MB")
    go = Text(en="Compare", zh="开始核对")
    again = Text(en="Compare another file", zh="核对其他文件")
    counts = Text(
        en="{rows} rows of money that arrived; {sure} fit an order, {doubtful} are doubtful.",
        zh="共读取 {rows} 笔入账：{sure} 笔与订单相符，{doubtful} 笔存疑。",
    )
    none = Text(en="No row fits an open order.", zh="没有与未结束订单相符的入账。")
    sure = Text(en="Fits", zh="相符")
    doubtful = Text(en="Doubtful", zh="存疑")
    row = Text(en="In the file", zh="流水")
    no_payer = Text(en="no payer", zh="无付款人")
    no_remark = Text(en="no remark", zh="无备注")
    doubts = Text(
        en={
            Doubt.PAYER: "Another payer than the verified one",
            Doubt.REMARK: "The remark has another number",
            Doubt.UNPROVED: "Neither payer nor remark proves it",
            Doubt.EARLY: "Paid before the order was created",
            Doubt.SEVERAL: "Several rows or orders fit",
        },
        zh={
            Doubt.PAYER: "付款人与实名不符",
            Doubt.REMARK: "备注中的数字不符",
            Doubt.UNPROVED: "付款人和备注均无法核对",
            Doubt.EARLY: "付款时间早于订单创建时间",
            Doubt.SEVERAL: "有多笔入账或多个订单相符",
        },
    )
    at_once = Text(
        en="A confirmation pays the USDT out at once, which cannot be undone.",
        zh="确认后 USDT 立即支付，无法撤销。",
    )
    check = Text(en="Check the order", zh="查看并核对")
    done = Text(en="Confirmed", zh="已确认")
    problems = Text(
        en={
            StatementProblem.MISSING: "Please choose a file first.",
            StatementProblem.TOO_LARGE: "The file is too large: at most 2 MB, 20,000 rows and 64 "
            "columns. Export one day only.",
            StatementProblem.UNREADABLE: "The file cannot be read. Export it as CSV again.",
            StatementProblem.NO_HEAD: "The file has no row with the names of its columns, such as "
            "amount and payer.",
        },
        zh={
            StatementProblem.MISSING: "请先选择文件。",
            StatementProblem.TOO_LARGE: "文件过大：最大 2 MB、20,000 行、64 列。请只导出当日流水。",
            StatementProblem.UNREADABLE: "无法读取文件，请重新导出 CSV 格式。",
            StatementProblem.NO_HEAD: "未找到表头（如“金额”“对方户名”），请使用原始导出文件。",
        },
    )


@dataclass(frozen=True, slots=True)
class MatchView:
    """An order beside the row that may be its payment; `confirm` is set if one tap may confirm."""

    order: Summary
    amount: Amount
    at: Moment | None
    payer: str = field(repr=False)
    remark: str = field(repr=False)
    is_payer: bool | None
    is_remark: bool | None
    doubts: tuple[str, ...]
    confirm: str | None
    button: str


@dataclass(frozen=True, slots=True)
class StatementView:
    """The form, and after a file its result; `problem` says why a file was refused."""

    t: StatementTexts
    action: str
    field: str
    problem: str | None
    counts: str | None
    matches: tuple[MatchView, ...]
    now: int


def statement_page(scene: DeskScene) -> Page:
    """Return the form."""
    return _page(scene)


def compare_statement(index: DeskOrders, scene: DeskScene) -> Page:
    """Read the sent file, and return its rows beside the open buys. Raises: BadForm, TryAgain."""
    t = StatementTexts(scene.language)
    try:
        rows = read_statement(_file_of(scene.request))
    except UnfitStatement as refusal:
        return _page(scene, problem=t.problems[refusal.problem])
    orders = open_orders(index, scene.trader, TOP, limit=_ORDERS_MAX).orders
    waiting = [order for order in orders if is_confirmable(order, scene)]
    return _page(scene, found=(rows, match_rows(waiting, rows)))


def _file_of(request: Request) -> bytes:
    """Return the file of a multipart form. Raises: BadForm; UnfitStatement if it is too large."""
    kind = _BOUNDARY.fullmatch(request.headers.get("content-type", ""))
    if kind is None:
        raise BadForm
    if len(request.body) > FILE_BYTES_MAX + _FRAME_BYTES:
        raise UnfitStatement(StatementProblem.TOO_LARGE)
    mark = b"\r\n--" + kind[1].encode()
    for part in (b"\r\n" + request.body).split(mark)[1:]:
        head, _, content = part.partition(b"\r\n\r\n")
        if _FILE.search(head):
            return content
    raise BadForm


def _page(
    scene: DeskScene,
    *,
    problem: str | None = None,
    found: tuple[Sequence[StatementRow], Sequence[Match]] | None = None,
) -> Page:
    t, (rows, matches) = StatementTexts(scene.language), found or ((), ())
    sure = sum(match.is_sure for match in matches)
    doubtful = len({match.row.line for match in matches if not match.is_sure})
    counts = t.counts.format(rows=len(rows), sure=sure, doubtful=doubtful)
    view = StatementView(
        t=t,
        action=scene.links.to("statement"),
        field=FILE_FIELD,
        problem=problem,
        counts=None if found is None else counts,
        matches=tuple(_match(match, scene, t) for match in matches[:_SHOWN_MAX]),
        now=scene.now,
    )
    status = HTTPStatus.OK if problem is None else HTTPStatus.UNPROCESSABLE_CONTENT
    here = scene.links.here("statement")
    return desk_page("desk/statement.html", view, here, section="orders", status=status)


def _match(match: Match, scene: DeskScene, t: StatementTexts) -> MatchView:
    row, order = match.row, match.order
    # Without the remark, the row may pay an equal order; the order's page shows those.
    is_offered = match.is_sure and match.remark is True and _is_unhurried(order)
    return MatchView(
        order=summary_of(order, scene, is_named=True),
        amount=amount_of(row.cny_fen),
        at=None if row.time is None else moment_of(row.time, scene.texts.shared),
        payer=row.payer or t.no_payer,
        remark=row.remark or t.no_remark,
        is_payer=match.payer,
        is_remark=match.remark,
        doubts=tuple(t.doubts[doubt] for doubt in match.doubts),
        confirm=scene.links.to(f"orders/{order.order_no}/confirm") if is_offered else None,
        button=scene.texts.order.confirm[order.order_type].link,
    )


def _is_unhurried(order: Order) -> bool:
    """Return whether one tap may confirm an order; a dispute's page has to be read first."""
    return order.status in {OrderStatus.PENDING, OrderStatus.PAID}
