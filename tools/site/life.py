"""The life of an order as an SVG picture and a table, from the transition table.

The build fails if a status or an arrow of the transition table has no position here.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Literal

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Move, Transition
from orderdesk.domain.pricing import OrderType

type Kind = Literal["buy", "sell"]
type Arrow = tuple[OrderStatus, OrderStatus]

WIDTH, HEIGHT, BOX_WIDTH, BOX_HEIGHT = 416, 420, 104, 36
_S = OrderStatus

# The centre of each box.
PLACES: Mapping[Kind, Mapping[OrderStatus, tuple[int, int]]] = {
    "buy": {
        _S.PENDING: (200, 60),
        _S.PAID: (200, 170),
        _S.DISPUTED: (200, 280),
        _S.COMPLETED: (62, 380),
        _S.CANCELLED: (338, 380),
        _S.EXPIRED: (338, 170),
    },
    "sell": {
        _S.MATCHING: (200, 60),
        _S.ASSIGNED: (200, 170),
        _S.DISPUTED: (200, 280),
        _S.COMPLETED: (62, 380),
        _S.CANCELLED: (338, 380),
    },
}
# Each arrow: its path, and the centre of its number.
ARROWS: Mapping[Kind, Mapping[Arrow, tuple[str, int, int]]] = {
    "buy": {
        (_S.PENDING, _S.PAID): ("M200 78V150", 200, 114),
        (_S.PENDING, _S.CANCELLED): ("M252 60H403V380H392", 403, 110),
        (_S.PENDING, _S.EXPIRED): ("M235 78L310 150", 272, 114),
        (_S.PENDING, _S.DISPUTED): ("M170 78Q112 170 168 260", 130, 150),
        (_S.PENDING, _S.COMPLETED): ("M148 60H40V360", 40, 200),
        (_S.PAID, _S.COMPLETED): ("M148 180Q90 200 72 360", 96, 240),
        (_S.PAID, _S.DISPUTED): ("M200 188V260", 200, 224),
        (_S.EXPIRED, _S.DISPUTED): ("M330 188Q310 250 254 272", 308, 236),
        (_S.CANCELLED, _S.DISPUTED): ("M345 362Q330 300 254 286", 320, 312),
        (_S.DISPUTED, _S.COMPLETED): ("M170 298L98 360", 134, 329),
        (_S.DISPUTED, _S.CANCELLED): ("M226 298L290 360", 250, 332),
    },
    "sell": {
        (_S.MATCHING, _S.ASSIGNED): ("M180 78V150", 180, 114),
        (_S.ASSIGNED, _S.MATCHING): ("M224 152V80", 224, 116),
        (_S.MATCHING, _S.CANCELLED): ("M252 60H350V360", 350, 200),
        (_S.MATCHING, _S.DISPUTED): ("M240 78Q290 170 236 260", 272, 150),
        (_S.ASSIGNED, _S.COMPLETED): ("M148 176Q70 190 62 360", 86, 230),
        (_S.ASSIGNED, _S.DISPUTED): ("M200 188V260", 200, 224),
        (_S.DISPUTED, _S.COMPLETED): ("M170 298L98 360", 134, 329),
        (_S.DISPUTED, _S.CANCELLED): ("M230 298L302 360", 266, 329),
    },
}

_ACTORS: Mapping[str, Mapping[Actor, str]] = {
    "en": {actor: actor.value for actor in Actor},
    "zh": {
        Actor.PAYER: "付款人",
        Actor.MERCHANT: "商户",
        Actor.TRADER: "交易员",
        Actor.OPERATOR: "运营人员",
        Actor.CLOCK: "系统",
    },
}
_MOVES: Mapping[Move, str] = {
    Move.PAY: "表示已付款",
    Move.CONFIRM: "确认",
    Move.CANCEL: "取消",
    Move.EXPIRE: "过期",
    Move.DISPUTE: "提出争议",
    Move.PAY_LATE: "过期后提交凭证",
    Move.REPORT_SUM: "上报不同金额",
    Move.AGREE: "同意上报金额",
    Move.PROVE_LATE: "提交迟到凭证",
    Move.ASSIGN: "分配",
    Move.DECLINE: "退回",
    Move.LAPSE: "超时收回",
    Move.UNASSIGN: "撤回分配",
    Move.RESOLVE_COMPLETED: "裁决为完成",
    Move.RESOLVE_CANCELLED: "裁决为取消",
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "en": ("Life of a {} order", "after {} min", "after {} h", "No.", "From", "To", "Move", "By"),
    "zh": ("{}的状态变化", "{} 分钟后", "{} 小时后", "序号", "从", "到", "动作", "操作方"),
}
_TITLES: Mapping[str, Mapping[Kind, str]] = {
    "en": {"buy": "buy", "sell": "sell"},
    "zh": {"buy": "买单", "sell": "卖单"},
}
_ENDS = {_S.COMPLETED, _S.CANCELLED, _S.EXPIRED}
_TYPES: Mapping[Kind, OrderType] = {"buy": OrderType.BUY, "sell": OrderType.SELL}


def moves(kind: Kind) -> dict[Arrow, list[Transition]]:
    """Return the transitions of each arrow, in the order of the numbers."""

    def arrows() -> Iterator[tuple[Arrow, Transition]]:
        for row in TRANSITIONS:
            if row.order_type is _TYPES[kind]:
                for source in sorted(row.sources, key=list(OrderStatus).index):
                    yield (source, row.target), row

    ordered = sorted(arrows(), key=lambda each: list(ARROWS[kind]).index(each[0]))
    return {arrow: [row for _, row in rows] for arrow, rows in groupby(ordered, lambda e: e[0])}


def picture(kind: Kind, language: str) -> str:
    """Return the picture as SVG, and the table of its moves in Markdown."""
    title = _WORDS[language][0].format(_TITLES[language][kind])
    boxes = [_box(status, *place) for status, place in PLACES[kind].items()]
    arrows = [_arrow(kind, arrow, number) for number, arrow in enumerate(moves(kind), 1)]
    svg = (
        f'<svg class="life" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">'
        f'<defs><marker id="tip-{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        '<circle class="dot" cx="200" cy="12" r="6"/>'
        f'<path d="M200 18V40" marker-end="url(#tip-{kind})"/>'
        f"{''.join(arrows)}{''.join(boxes)}</svg>"
    )
    return f"{svg}\n\n{_table(kind, language)}"


def _box(status: OrderStatus, x: int, y: int) -> str:
    end = ' class="end"' if status in _ENDS else ""
    left, top = x - BOX_WIDTH // 2, y - BOX_HEIGHT // 2
    return (
        f'<g{end}><rect x="{left}" y="{top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        f'<text x="{x}" y="{y}">{status}</text></g>'
    )


def _arrow(kind: Kind, arrow: Arrow, number: int) -> str:
    path, x, y = ARROWS[kind][arrow]
    return (
        f'<path d="{path}" marker-end="url(#tip-{kind})"/><g class="number">'
        f'<circle cx="{x}" cy="{y}" r="10"/><text x="{x}" y="{y}">{number}</text></g>'
    )


def _table(kind: Kind, language: str) -> str:
    *_, number, source, target, move, by = _WORDS[language]
    lines = [f"| {number} | {source} | {target} | {move} | {by} |", "|---|---|---|---|---|"]
    for place, ((start, end), rows) in enumerate(moves(kind).items(), 1):
        for row in rows:
            move_text = row.move.value if language == "en" else _MOVES[row.move]
            lines.append(f"| {place} | `{start}` | `{end}` | {move_text} | {_by(row, language)} |")
    return "\n".join(lines)


def _by(row: Transition, language: str) -> str:
    _, minutes, hours, *_ = _WORDS[language]

    def named(actor: Actor, seconds: int) -> str:
        name = _ACTORS[language][actor]
        if seconds >= 3600 * 2:
            return f"{name} ({hours.format(seconds // 3600)})"
        return f"{name} ({minutes.format(seconds // 60)})" if seconds else name

    return ", ".join(named(actor, seconds) for actor, seconds in row.actors.items())
