"""The table of commands: each command's role, parameters and handler.

Nothing else decides who may call what: the managed policies of the template are compared with this
table (`tests/infra/test_operator_policies.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from orderdesk.web.operator import audit, funds, ledger, proposals, rates, reports
from orderdesk.web.operator.parameters import CommandParameters, NoParameters
from orderdesk.web.operator.ports import OperatorPorts


class Role(StrEnum):
    """The least role that may call a command; support has viewer's rights, finance has both's."""

    VIEWER = "viewer"
    SUPPORT = "support"
    FINANCE = "finance"


@dataclass(frozen=True, slots=True)
class Command[P: CommandParameters]:
    """A command: its least role, the model of its parameters, and its handler.

    The handler returns the envelope's `data`.
    """

    role: Role
    parameters: type[P]
    run: Callable[[OperatorPorts, P], Mapping[str, object]]


def _list_rights(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Return the caller's person and, sorted, the commands that it may call."""
    allowed = sorted(ports.rights.allowed(COMMANDS.keys()))
    return {"person": ports.caller.person, "items": allowed, "next": None}


VIEWER, SUPPORT, FINANCE = Role.VIEWER, Role.SUPPORT, Role.FINANCE
COMMANDS: Mapping[str, Command[Any]] = MappingProxyType(
    {
        "audit.list": Command(VIEWER, audit.AuditParameters, audit.list_trail),
        "fund.merchant": Command(FINANCE, funds.MerchantMoney, funds.fund_merchant),
        "fund.trader": Command(FINANCE, funds.TraderMoney, funds.fund_trader),
        "ledger.balances": Command(VIEWER, NoParameters, ledger.balances),
        "ledger.check": Command(VIEWER, ledger.CheckParameters, ledger.check),
        "proposal.approve": Command(FINANCE, proposals.DecisionParameters, proposals.approve),
        "proposal.list": Command(VIEWER, proposals.ProposalsParameters, proposals.list_all),
        "proposal.reject": Command(FINANCE, proposals.RejectionParameters, proposals.reject),
        "proposal.reveal": Command(FINANCE, proposals.DecisionParameters, proposals.reveal),
        "proposal.show": Command(VIEWER, proposals.ProposalParameters, proposals.show),
        "rate.list": Command(VIEWER, NoParameters, rates.list_rates),
        "rate.set": Command(FINANCE, rates.RateParameters, rates.change_rate),
        "report.day": Command(VIEWER, reports.ReportParameters, reports.report_day),
        "rights.list": Command(VIEWER, NoParameters, _list_rights),
        "withdraw.list": Command(VIEWER, proposals.ProposalsParameters, proposals.list_withdrawals),
        "withdraw.merchant": Command(FINANCE, funds.MerchantMoney, funds.withdraw_merchant),
        "withdraw.trader": Command(FINANCE, funds.TraderMoney, funds.withdraw_trader),
    }
)
