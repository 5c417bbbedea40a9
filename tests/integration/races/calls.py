"""Calls that meet: createOrder by a container of its own, and what its outcomes contain."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.operator.duty import Duty, set_duty
from tests.support.identities import identity
from tests.support.money_world import MoneyWorld
from tests.support.schedule import Outcomes, Stage
from tests.support.seed import BANK_METHOD

FEN = 1000_00

type Call = Callable[[], object]


def creation(
    money: MoneyWorld,
    kind: OrderType,
    *,
    number: str | None = None,
    nonce: str = "",
    fen: int = FEN,
    merchant: int = 0,
    verifying: bool = False,
    refund_of: str | None = None,
) -> Call:
    """Return a call of createOrder by a container that has seen no other order."""
    method = BANK_METHOD if kind is OrderType.SELL else None
    whole: dict[str, Any] = dict(identity()) if verifying else {}
    request = OrderRequest(
        *(kind, Mode.LIVE, fen),
        payment_method=method,
        merchant_order_no=number,
        refund_of=refund_of,
        **whole,
    )

    def call() -> str:
        money.contention.__init__()  # type: ignore[misc]
        created: Any = money.ask(
            request, money.merchant(merchant), nonce=nonce, verifying=verifying
        )
        return str(created.order.order_no)

    return call


def orders_of(money: MoneyWorld, outcomes: Outcomes) -> list[Order]:
    return [money.order(each) for each in outcomes.values() if isinstance(each, str)]


def refusals(outcomes: Outcomes) -> list[type[object]]:
    return [type(each) for each in outcomes.values() if not isinstance(each, str)]


def off_duty(money: MoneyWorld, number: int) -> None:
    trader_id = money.traders[number].trader_id
    set_duty(money.command_ports, trader_id, Duty.OFFLINE)


def meet(
    money: MoneyWorld,
    stage: Stage,
    calls: Mapping[str, Call],
    pairs: Iterable[tuple[str, str]],
    end_of: Callable[[Outcomes], str],
) -> None:
    """Check each pair: it ends as one after the other, with correct books."""
    for one, two in pairs:
        cases = {f"a-{one}": calls[one], f"b-{two}": calls[two]}
        stage.serial(partial(dict, cases), lambda _: money.check(), end_of)
