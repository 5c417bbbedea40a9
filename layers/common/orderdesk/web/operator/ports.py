"""The ports of all operators' commands; `wiring/operators.py` joins them to their adapters."""

from collections.abc import Collection
from typing import Protocol

from orderdesk.domain.operators import Caller
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.audit import Trail
from orderdesk.services.operator.ledger import CheckPorts, LedgerScan
from orderdesk.services.operator.ports import MerchantRegister, RateBoard
from orderdesk.services.operator.report import DayScan


class Rights(Protocol):
    """IAM's decisions about the caller's identity."""

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        """Return those of the commands that the caller may call. Raises: TryAgain."""


class OperatorPorts(Protocol):
    """What commands work with; each port is created on first use."""

    @property
    def caller(self) -> Caller:
        """The person who calls."""

    @property
    def operator(self) -> Operator:
        """The caller, with the clock and the randomness of the action."""

    @property
    def rights(self) -> Rights:
        """What IAM allows the caller."""

    @property
    def merchants(self) -> MerchantRegister:
        """Merchants."""

    @property
    def audit(self) -> Trail:
        """The audit trail."""

    @property
    def rates(self) -> RateBoard:
        """The base rates."""

    @property
    def ledger_scan(self) -> LedgerScan:
        """The scan of the ledger's tables."""

    @property
    def ledger_check(self) -> CheckPorts:
        """What the ledger check works with."""

    @property
    def day_scan(self) -> DayScan:
        """The scan of all items that a day's report reads."""
