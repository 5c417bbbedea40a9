"""The money machine's blocks and limits of a day: set, met, ended and killed (section 3, 2106)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from orderdesk.domain.orders.blocks import LIMITS, BlockKind, Subject
from orderdesk.domain.orders.order_errors import (
    InsufficientBalance,
    MerchantOrderNoExists,
    NoTraderAvailable,
    OpenLimitReached,
    RefusedByDesk,
)
from orderdesk.domain.pricing import Mode, OrderType
from tests.integration.ledger.reversal_rules import ReversalRules
from tests.support.faults import Killed, killed_at
from tests.support.money_world import CUSTOMER, MoneyWorld
from tests.support.seed import BANK_METHOD

NONE = dict.fromkeys(LIMITS, 0)
SOME_LIMITS = [
    NONE,
    NONE,
    NONE | {"payee_daily_count": 3, "id_card_daily_count": 1},
    NONE | {"payee_daily_cny": 20_000_00, "id_card_daily_cny": 1_333_33},
    NONE | {"payee_daily_count": 2, "payee_daily_cny": 9_876_54, "id_card_daily_cny": 1000_00},
]
PAYEE: Subject = (BlockKind.CARD, BANK_METHOD.card_number or "")
OTHER: Subject = (BlockKind.CARD, "6200000000000009876")
OF_CUSTOMER: Subject = (BlockKind.ID_CARD, CUSTOMER["id_card"])
ASKED: dict[Subject, tuple[OrderType, dict[str, Any]]] = {
    OTHER: (OrderType.SELL, {"payment_method": replace(BANK_METHOD, card_number=OTHER[1])}),
    OF_CUSTOMER: (OrderType.BUY, CUSTOMER),
}
# Read the list or the limits, commit; a customer's number is read first.
REQUESTS = 4


orders = st.lists(
    st.tuples(
        st.sampled_from([OTHER, OF_CUSTOMER]),
        st.sampled_from([1_01, 333_33, 1000_00, 9_876_54]),
        st.sampled_from([Mode.LIVE, Mode.LIVE, Mode.TEST]),
    ),
    min_size=2,
    max_size=6,
)
kills = st.tuples(st.integers(-1, REQUESTS), st.sampled_from(["before-call", "after-call"]))


class DeskRules(ReversalRules):
    """Rules for what the desk refuses: a payee or a customer, or more of it in one day."""

    def __init__(self, begin: Callable[[], MoneyWorld]) -> None:
        super().__init__(begin)
        self.asked = 0

    @rule(limits=st.sampled_from(SOME_LIMITS), kill=kills, orders=orders, data=st.data())
    def limit_day(
        self,
        limits: dict[str, int],
        kill: tuple[int, str],
        orders: list[tuple[Subject, int, Mode]],
        data: st.DataObject,
    ) -> None:
        """Set or end the limits of a day, and perhaps die; then do it again, and meet them."""
        with suppress(Killed), killed_at(self.money.seed, *kill):
            self.money.limit_day(**limits)
        self.money.limit_day(**limits)
        for subject, fen, mode in orders:
            self._create_and_die(subject, fen, mode, data.draw(kills))

    @rule(subject=st.sampled_from([OTHER, OF_CUSTOMER, None]), kill=kills, orders=orders)
    def block(
        self,
        subject: Subject | None,
        kill: tuple[int, str],
        orders: list[tuple[Subject, int, Mode]],
    ) -> None:
        """Block a payee or a customer, or end all blocks, and perhaps die; then do it again."""
        for number, when in (kill, (-1, "")):
            with suppress(Killed), killed_at(self.money.seed, number, when):
                if subject is None:
                    self.money.unblock()
                else:
                    self.money.block(subject)
        self._create_and_die(*orders[0], kill)

    def _create_and_die(
        self, subject: Subject, fen: int, mode: Mode, kill: tuple[int, str]
    ) -> None:
        """Create an order of a payee or customer, and perhaps die; then create it again."""
        kind, asked = ASKED[subject]
        is_refused = self.money.refuses(subject, fen, mode)
        own = f"desk-{self.asked}"
        self.asked += 1

        def create() -> None:
            self.numbers.append(self.money.create(kind, fen, mode, number=own, **asked))

        try:
            with suppress(Killed), killed_at(self.money.seed, *kill):
                create()
            create()
        except MerchantOrderNoExists as exists:
            assert not is_refused
            if exists.order_no not in self.numbers:
                self.numbers.append(str(exists.order_no))
        except RefusedByDesk:
            assert is_refused
        except (InsufficientBalance, NoTraderAvailable, OpenLimitReached):
            pass
        else:
            assert not is_refused
