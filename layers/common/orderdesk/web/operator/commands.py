"""The table of commands: each command's role, parameters and handler.

Nothing else decides who may call what: the managed policies of the template are compared with this
table (`tests/infra/test_operator_policies.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from orderdesk.web.operator import audit, ledger, rates, reports
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
        "ledger.balances": Command(VIEWER, NoParameters, ledger.balances),
        "ledger.check": Command(VIEWER, ledger.CheckParameters, ledger.check),
        "rate.list": Command(VIEWER, NoParameters, rates.list_rates),
        "rate.set": Command(FINANCE, rates.RateParameters, rates.change_rate),
        "report.day": Command(VIEWER, reports.ReportParameters, reports.report_day),
        "rights.list": Command(VIEWER, NoParameters, _list_rights),
    }
)
