"""A trader's day: orders arrive, and the trader handles them in the order that the desk shows."""

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.stack_seed import StackSeed, assign
from tests.support.trader import ORDER, TraderVisit

SEE_OTHER = 303
_NUMBER = re.compile(r'<p class="code">([BS][0-9]{24})</p>')
_FIRST_FEN, _STEP_FEN = 100_00, 7_31


class Kind(Enum):
    """The course of an order."""

    BUY_PAID = auto()
    BUY_UNREPORTED = auto()
    BUY_EXPIRED = auto()
    BUY_NOT_RECEIVED = auto()
    BUY_CANCELLED = auto()
    SELL_PAID = auto()
    SELL_DECLINED = auto()

    @property
    def is_buy(self) -> bool:
        return self.name.startswith("BUY")


HALF_A_DAY = Counter(
    {
        Kind.BUY_PAID: 9,
        Kind.BUY_UNREPORTED: 2,
        Kind.BUY_EXPIRED: 3,
        Kind.BUY_NOT_RECEIVED: 2,
        Kind.BUY_CANCELLED: 1,
        Kind.SELL_PAID: 6,
        Kind.SELL_DECLINED: 2,
    }
)
COMPLETED = {Kind.BUY_PAID, Kind.BUY_UNREPORTED, Kind.SELL_PAID}
STATUS = {
    Kind.BUY_PAID: "completed",
    Kind.BUY_UNREPORTED: "completed",
    Kind.BUY_EXPIRED: "expired",
    Kind.BUY_NOT_RECEIVED: "disputed",
    Kind.BUY_CANCELLED: "cancelled",
    Kind.SELL_PAID: "completed",
    Kind.SELL_DECLINED: "cancelled",
}


@dataclass
class Day:
    """The only trader in the rotation, its merchant, and the orders so far."""

    seed: StackSeed
    desk: TraderVisit
    client: MerchantClient
    kinds: dict[str, Kind] = field(default_factory=dict)
    worked: list[str] = field(default_factory=list)

    def arrive(self, kinds: Counter[Kind]) -> list[str]:
        """Create orders of each kind in turn; return their numbers."""
        left, arrived = Counter(kinds), list[str]()
        while left:
            for kind in Kind:
                if left[kind]:
                    left[kind] -= 1
                    arrived.append(self._order(kind))
            left = +left
        return arrived

    def _order(self, kind: Kind) -> str:
        fen = _FIRST_FEN + _STEP_FEN * len(self.kinds)
        cny = f"{fen // 100}.{fen % 100:02d}"
        made = self.client.create((buy if kind.is_buy else sell)(cny_amount=cny))
        assert made.code == 1, made
        number = str(made.data["order_no"])
        self.kinds[number] = kind
        if not kind.is_buy:
            assign(self.seed, number)
        elif kind in {Kind.BUY_PAID, Kind.BUY_NOT_RECEIVED}:
            paid = Payer.of_link(self.seed, made.data["pay_url"]).post("/paid")
            assert paid["statusCode"] == SEE_OTHER
        elif kind is Kind.BUY_CANCELLED:
            assert self.client.cancel(made).code == 1
        return number

    def work(self) -> None:
        """Handle the orders that wait for the trader, always the first that the desk shows."""
        while mine := [number for number in self.shown() if self._waits(number)]:
            self._answer(mine[0])

    def look_into_the_account(self) -> None:
        """Confirm the buys that were paid but not reported."""
        for number in self.shown():
            if self.kinds[number] is Kind.BUY_UNREPORTED:
                assert self.desk.move(number, "confirm") == SEE_OTHER

    def shown(self) -> list[str]:
        """Return the open orders in the desk's order: those that wait for the trader come first."""
        page = self.desk.get("/trader/orders", lang="en")
        assert page["statusCode"] == 200
        numbers = _NUMBER.findall(page["body"])
        waits = [self._waits(number) for number in numbers]
        assert waits == sorted(waits, reverse=True), numbers
        return numbers

    def _waits(self, number: str) -> bool:
        kind = self.kinds[number]
        waiting = {Kind.BUY_PAID, Kind.BUY_NOT_RECEIVED, Kind.SELL_PAID, Kind.SELL_DECLINED}
        return kind in waiting and number not in self.worked

    def _answer(self, number: str) -> None:
        match self.kinds[number]:
            case Kind.BUY_PAID:
                assert self.desk.move(number, "confirm") == SEE_OTHER
            case Kind.BUY_NOT_RECEIVED:
                assert self.desk.get(f"{ORDER}/report", number)["statusCode"] == 200
                assert self.desk.move(number, "report") == SEE_OTHER
            case Kind.SELL_PAID:
                assert self.desk.move(number, "confirm") == 422, "not without a proof"
                assert self.desk.upload(number, png())["statusCode"] == SEE_OTHER
                assert self.desk.move(number, "confirm") == SEE_OTHER
            case Kind.SELL_DECLINED:
                assert self.desk.move(number, "decline") == SEE_OTHER
                cancelled = self.client.post("/merchant/cancelOrder", {"order_no": number})
                assert cancelled.code == 1
            case kind:
                raise AssertionError(kind)
        self.worked.append(number)

    def let_expire(self) -> None:
        """Expire the unpaid buys: move their deadlines to the past, and run the sweep."""
        orders = self.seed.tables.orders
        for number, kind in self.kinds.items():
            if kind is Kind.BUY_EXPIRED:
                order = self.seed.get(orders, {"pk": number}) or {}
                if order["status"] == "pending":
                    self.seed.put(orders, {**order, "due_time": 1, "expire_time": 1})
        name = self.seed.stack.outputs["ExpireDraftsFunctionName"]
        self.seed.stack.client("lambda").invoke(FunctionName=name)

    def stored(self) -> dict[str, Any]:
        orders = self.seed.tables.orders
        return {number: self.seed.get(orders, {"pk": number}) for number in self.kinds}
