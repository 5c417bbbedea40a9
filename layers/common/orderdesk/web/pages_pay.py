"""The pay page: what it shows of an order at a time, in a language (contract section 8)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

from orderdesk.domain.money import format_cny
from orderdesk.domain.orders import Order, OrderStatus
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.web.messages import MESSAGES, Language, Messages, Notice
from orderdesk.web.pages import Page
from orderdesk.web.pages_headers import image_origin

# Payers pay in China; its clock has no summer time, so no time zone data is needed.
_CHINA = timezone(timedelta(hours=8))
_CARD_GROUP = 4

# Where the status may still change while somebody looks at the page.
_OPEN = frozenset({OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED})
# Where somebody has paid, or may have: the page still says to whom, with the card masked.
_PAID_TO = frozenset({OrderStatus.PAID, OrderStatus.COMPLETED, OrderStatus.DISPUTED})


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in yuan: as it is shown, the fen apart, and as it is copied."""

    whole: str
    fen: str
    plain: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A time for machines and for people."""

    iso: str
    text: str


@dataclass(frozen=True, slots=True)
class Detail:
    """One receiving detail; `copied` is what its button puts on the clipboard."""

    name: str
    label: str
    shown: str = field(repr=False)
    copied: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Due:
    """What a pending order asks for: by when, to whom, and how."""

    pay_by: Moment
    expire_time: int
    seconds_left: int
    clock: str
    window_seconds: int
    method: str
    details: tuple[Detail, ...]
    code_url: str | None = field(repr=False)
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PayView:
    """The whole page; `due` only while the order is to be paid."""

    order_no: str
    is_test: bool
    status: str
    notice: Notice
    amount: Amount
    updated: Moment
    now: int
    is_open: bool
    receiver: str | None = field(repr=False)
    due: Due | None


def pay_page(order: Order, now: int, language: Language) -> Page:
    """Lay the page out as of a time (Unix seconds)."""
    method = order.payment_method
    assert method is not None, "a buy has its trader's method"
    texts, status = MESSAGES[language], order.status_at(now)
    due = _due(order, method, now, texts) if status is OrderStatus.PENDING else None
    view = PayView(
        order_no=order.order_no,
        is_test=bool(order.mode.is_test),
        status=status.value,
        notice=texts.statuses[status],
        amount=_amount(order.quote.cny_fen),
        updated=_moment(_since(order, status), texts),
        now=now,
        is_open=status in _OPEN,
        receiver=_receiver(method, texts) if status in _PAID_TO else None,
        due=due,
    )
    origin = image_origin(due.code_url) if due is not None and due.code_url else None
    return Page("pay.html", {"view": view}, origin)


def pay_status(order: Order, now: int) -> dict[str, object]:
    """Tell the page's script where the order stands (contract section 8)."""
    return {"status": order.status_at(now).value, "expire_time": order.expire_time}


def _due(order: Order, method: PaymentMethod, now: int, texts: Messages) -> Due:
    assert order.expire_time is not None, "a pending order runs out"
    left = order.expire_time - now
    has_code = method.method_type is not MethodType.BANK and image_origin(method.qr_code)
    return Due(
        pay_by=_moment(order.expire_time, texts),
        expire_time=order.expire_time,
        seconds_left=left,
        clock=clock(left),
        window_seconds=max(order.expire_time - order.createtime, left),
        method=texts.methods[method.method_type],
        details=tuple(detail for detail in _details(method, texts) if detail.shown),
        code_url=method.qr_code if has_code else None,
        steps=texts.steps[method.method_type],
    )


def _details(method: PaymentMethod, texts: Messages) -> Iterator[Detail]:
    if method.method_type is MethodType.BANK:
        card = method.card_number
        yield Detail("card_number", texts.card_number, grouped_card(card), card)
        yield Detail("payee", texts.payee, method.real_name, method.real_name)
        yield Detail("bank", texts.bank, method.bank, method.bank)
        yield Detail("branch", texts.branch, method.sub_bank, method.sub_bank)
    else:
        yield Detail("account", texts.account, method.account, method.account)
        yield Detail("payee", texts.payee, method.real_name, method.real_name)


def _receiver(method: PaymentMethod, texts: Messages) -> str:
    if method.method_type is MethodType.BANK:
        return f"{method.bank} •••• {method.card_number[-_CARD_GROUP:]}"
    return f"{texts.methods[method.method_type]} · {method.real_name}"


def _since(order: Order, status: OrderStatus) -> int:
    if status is OrderStatus.EXPIRED and order.expire_time is not None:
        return order.expire_time
    return order.timeline[-1].time


def _amount(fen: int) -> Amount:
    plain = format_cny(fen)
    whole, _, decimals = plain.partition(".")
    return Amount(f"{int(whole):,}", f".{decimals}", plain)


def _moment(seconds: int, texts: Messages) -> Moment:
    local = datetime.fromtimestamp(seconds, _CHINA)
    return Moment(f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", texts.date.format(t=local))


def grouped_card(number: str) -> str:
    """Write a card number in groups of four, as it is embossed."""
    starts = range(0, len(number), _CARD_GROUP)
    return " ".join(number[start : start + _CARD_GROUP] for start in starts)


def clock(seconds: int) -> str:
    """Write a duration as m:ss, or h:mm:ss from an hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes_left:02d}:{rest:02d}"
    return f"{minutes:02d}:{rest:02d}"
