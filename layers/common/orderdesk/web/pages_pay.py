"""The pay page: what it shows of an order at a time, in a language (contract section 8)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from orderdesk.domain.orders import MAX_RECEIPTS, Order, OrderStatus
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.receipt_files import MAX_BYTES
from orderdesk.services.receipts import UploadForm
from orderdesk.web.http import Request
from orderdesk.web.messages import MESSAGES, Language, Messages, Notice
from orderdesk.web.pages import Page
from orderdesk.web.pages_headers import image_origin
from orderdesk.web.pages_links import address_of
from orderdesk.web.pages_values import Amount, Moment, amount_of, clock, moment_of
from orderdesk.web.payment_codes import PaymentCode, payment_code

_CARD_GROUP = 4

# Where the status may still change while somebody looks at the page.
_OPEN = frozenset({OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED})
# Where a payer still has something to prove.
_PROVING = frozenset({OrderStatus.PENDING, OrderStatus.PAID})
# Where somebody has paid, or may have: the page still says to whom, with the card masked.
_PAID_TO = frozenset({OrderStatus.PAID, OrderStatus.COMPLETED, OrderStatus.DISPUTED})


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
    code: PaymentCode | None = field(repr=False)
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Where the page's parts are, as seen from the route that shows it; each holds the token."""

    page: str = field(repr=False)
    status: str = field(repr=False)
    paid: str = field(repr=False)
    cancel: str = field(repr=False)

    @classmethod
    def of(cls, request: Request) -> "Links":
        """Give the links of a request's page, in the language asked for."""
        parts = ("", "/status", "/paid", "/cancel")
        return cls(*(address_of(request, part) for part in parts))


@dataclass(frozen=True, slots=True)
class Proof:
    """The order's receipts: how many there are, and the form for one more where it takes one."""

    count: int
    received: str
    upload: UploadForm | None = field(repr=False)
    max_bytes: int = MAX_BYTES


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
    links: Links
    proof: Proof | None
    alert: Notice | None


def pay_page(
    order: Order,
    now: int,
    language: Language,
    links: Links,
    *,
    upload: UploadForm | None = None,
    alert: Notice | None = None,
) -> Page:
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
        amount=amount_of(order.quote.cny_fen),
        updated=moment_of(_since(order, status), texts),
        now=now,
        is_open=status in _OPEN,
        receiver=_receiver(method, texts) if status in _PAID_TO else None,
        due=due,
        links=links,
        proof=_proof(order, upload, texts) if status in _PROVING else None,
        alert=alert,
    )
    return Page(
        "pay.html",
        {"view": view},
        image_origin=due.code.image_origin if due is not None and due.code else None,
        upload_origin=image_origin(upload.url) if upload else None,
    )


def pay_status(order: Order, now: int) -> dict[str, object]:
    """Tell the page's script where the order stands (contract section 8)."""
    return {"status": order.status_at(now).value, "expire_time": order.expire_time}


def _due(order: Order, method: PaymentMethod, now: int, texts: Messages) -> Due:
    assert order.expire_time is not None, "a pending order runs out"
    left = order.expire_time - now
    wallet = method.method_type is not MethodType.BANK
    return Due(
        pay_by=moment_of(order.expire_time, texts),
        expire_time=order.expire_time,
        seconds_left=left,
        clock=clock(left),
        window_seconds=max(order.expire_time - order.createtime, left),
        method=texts.methods[method.method_type],
        details=tuple(detail for detail in _details(method, texts) if detail.shown),
        code=payment_code(method.qr_code) if wallet else None,
        steps=texts.steps[method.method_type],
    )


def _proof(order: Order, upload: UploadForm | None, texts: Messages) -> Proof:
    count = len(order.receipts)
    return Proof(count, texts.pay.received.format(count=count, most=MAX_RECEIPTS), upload)


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


def grouped_card(number: str) -> str:
    """Write a card number in groups of four, as it is embossed."""
    starts = range(0, len(number), _CARD_GROUP)
    return " ".join(number[start : start + _CARD_GROUP] for start in starts)
