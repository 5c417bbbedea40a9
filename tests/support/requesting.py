"""A merchant's person of finance: the address book and withdrawal requests of a merchant."""

from collections.abc import Callable
from dataclasses import dataclass, field

from orderdesk.adapters.dynamodb.withdrawals import MerchantWithdrawals
from orderdesk.adapters.system import SystemChance, now_us
from orderdesk.domain.audit import Requester
from orderdesk.domain.merchants.withdrawals import (
    REST_SECONDS,
    AddressBook,
    Network,
    WithdrawalRequest,
)
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants import withdrawals
from orderdesk.services.merchants.withdrawals import Asked, WithdrawalPorts
from orderdesk.services.ports import Chance
from tests.support.seed import Seed

TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
ETHER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@dataclass
class Person:
    """Requests withdrawals to an address that has rested; `passed` seconds are added to the time.

    The book has the address from the first request on.
    """

    seed: Seed
    merchant_id: str
    clock_us: Callable[[], int] = now_us
    chance: Chance = field(default_factory=SystemChance)
    name: str = "mei"
    passed: int = 0
    ports: WithdrawalPorts = field(init=False)
    by: Requester = field(init=False)

    def __post_init__(self) -> None:
        self.by = Requester(self.merchant_id, self.name, "198.51.100.7", "r1")
        store = MerchantWithdrawals(self.seed.client, self.seed.tables)
        self.ports = WithdrawalPorts(
            store, self.seed.kms.seal_digest, self.chance, self._now_us, lambda _: None
        )

    def _now_us(self) -> int:
        return self.clock_us() + self.passed * US_PER_SECOND

    def add_address(
        self, text: str = TRON, network: Network = Network.TRC20, label: str = "cold"
    ) -> AddressBook:
        return withdrawals.add_address(self.ports, self.by, network, text, label)

    def remove_address(self) -> AddressBook:
        return withdrawals.remove_address(self.ports, self.by, Network.TRC20, TRON)

    def with_rested_address(self) -> "Person":
        """Add an address a day ago."""
        self.passed -= REST_SECONDS
        self.add_address()
        self.passed += REST_SECONDS
        return self

    def asks(self, micro: int, *, number: str = "", memo: str = "rent") -> Asked:
        drawn = number or withdrawals.draw_request_no(self.ports)
        return Asked(drawn, Network.TRC20, TRON, micro, memo)

    def request(self, micro: int, *, number: str = "", memo: str = "rent") -> WithdrawalRequest:
        asked = self.asks(micro, number=number, memo=memo)
        return withdrawals.request_withdrawal(self.ports, self.by, asked)

    def cancel(self, request_no: str) -> WithdrawalRequest:
        return withdrawals.cancel_request(self.ports, self.by, request_no)

    def stored(self, request_no: str) -> WithdrawalRequest:
        found = self.ports.book.request(self.merchant_id, request_no)
        assert found is not None
        return found
