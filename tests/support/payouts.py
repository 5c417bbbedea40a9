"""Payouts that wait for a seal, paid as if the books were sealed right now without a finding."""

from collections import Counter
from collections.abc import Callable, Sequence

from orderdesk.adapters.dynamodb.operator.funds import PayoutStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.ledger.sealing import Sealed
from orderdesk.domain.ledger.seals import Seal, SealName, SealSummary
from orderdesk.services.operator.payouts import Paid, PayoutPorts, pay_approved
from tests.support.seed import Seed


class ProvedBooks:
    """A seal that is newer than everything, and has no finding."""

    def newest(self) -> SealName | None:
        return SealName(1 << 40, "proved")

    def newest_first(self, before: int | None = None, limit: int = 1) -> Sequence[SealSummary]:
        raise NotImplementedError

    def load(self, name: SealName) -> Seal:
        return Seal(0, name.end, None)

    def put(self, sealed: Sealed) -> SealName:
        raise NotImplementedError


def payout_ports(seed: Seed, now_us: Callable[[], int]) -> PayoutPorts:
    def fail(error: Exception) -> None:
        raise error

    store = PayoutStore(seed.client, seed.tables)
    return PayoutPorts(store, ProvedBooks(), seed.kms, SystemChance(), now_us, lambda _: None, fail)


def pay_out(seed: Seed, now_us: Callable[[], int]) -> Counter[Paid]:
    """Pay what waits."""
    return pay_approved(payout_ports(seed, now_us), lambda: True)
