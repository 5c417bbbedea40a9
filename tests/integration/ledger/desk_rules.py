"""The money machine's blocks and limits of a day: set, met, ended and killed (section 3, 2106)."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.blocks import BlockKind, Subject
from orderdesk.domain.orders.day_limits import LIMITS
from orderdesk.domain.orders.errors import (
    InsufficientBalance,
    MerchantOrderNoExists,
    NoTraderAvailable,
    OpenLimitReached,
    RefusedByDesk,
)
from orderdesk.domain.pricing import OrderType
from tests.integration.ledger.reversal_rules import ReversalRules
from tests.support.faults import Killed, killed_at
from tests.support.money_world import CUSTOMER
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


class DeskRules(ReversalRules):
    """Rules for what the desk refuses: a payee or a customer, or more of it in one day."""

    @rule(limits=st.sampled_from(SOME_LIMITS), number=st.integers(-1, REQUESTS))
    def limit_day(self, limits: dict[str, int], number: int) -> None:
        """Set or end the limits of a day, and perhaps die; then do it again."""
        with suppress(Killed), killed_at(self.money.seed, number, "after-call"):
            self.money.limit_day(**limits)
        self.money.limit_day(**limits)

    @rule(subject=st.sampled_from([OTHER, OF_CUSTOMER, None]), number=st.integers(-1, REQUESTS))
    def block(self, subject: Subject | None, number: int) -> None:
        """Block a payee or a customer, or end all blocks, and perhaps die; then do it again."""
        for dies_at in (number, -1):
            with suppress(Killed), killed_at(self.money.seed, dies_at, "after-call"):
                if subject is None:
                    self.money.unblock()
                else:
                    self.money.block(subject)

    @rule(
        subject=st.sampled_from([OTHER, OF_CUSTOMER]),
        fen=st.sampled_from([1_01, 333_33, 1000_00, 9_876_54]),
        mode=st.sampled_from(Mode),
        number=st.integers(-1, REQUESTS),
        when=st.sampled_from(["before-call", "after-call"]),
    )
    def create_and_die(
        self, subject: Subject, fen: int, mode: Mode, number: int, when: str
    ) -> None:
        """Create an order of a payee or customer, and perhaps die; then create it again."""
        kind, asked = ASKED[subject]
        is_refused = self.money.refuses(subject, fen, mode)
        own = f"desk-{len(self.numbers)}-{self.money.now}-{fen}"

        def create() -> None:
            self.numbers.append(self.money.create(kind, fen, mode, number=own, **asked))

        try:
            with suppress(Killed), killed_at(self.money.seed, number, when):
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
