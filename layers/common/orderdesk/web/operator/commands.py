"""All commands: who may call which, how one is run or proposed, and what the caller may call."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from orderdesk.domain.authority import Power
from orderdesk.services.operator.actions import Operator, ProposalNeeded
from orderdesk.services.operator.proposals import SentCommand, propose
from orderdesk.web.body import parse_object
from orderdesk.web.operator import (  # noqa: F401 they declare commands
    blocks,
    books,
    callbacks,
    funds,
    ledger,
    merchants,
    moves,
    orders,
    proposals,
    reports,
    traders,
)
from orderdesk.web.operator.declare import DECLARED, Command, Role, command, powers
from orderdesk.web.operator.parameters import CommandParameters, NoParameters
from orderdesk.web.operator.ports import OperatorPorts

COMMANDS: Mapping[str, Command[Any]] = MappingProxyType(DECLARED)


def perform(
    ports: OperatorPorts, asked: SentCommand, parameters: CommandParameters
) -> Mapping[str, object]:
    """Run a command, or propose it if it needs a second person; return the answer's data."""
    try:
        return COMMANDS[asked.command].run(ports, parameters)
    except ProposalNeeded as needed:
        proposal = propose(ports.proposals, ports.operator, asked, needed)
        return proposals.proposed(ports, proposal)


def run_stored(ports: OperatorPorts, operator: Operator, stored: SentCommand) -> None:
    """Run a proposal's command for the operator who decides."""
    command = COMMANDS[stored.command]
    sent = parse_object(stored.parameters.encode())
    command.run(ports.acting(operator), command.parameters.model_validate(sent))


@command("proposal.approve", Role.SUPPORT, powers(Power.CONTACT, "proposal_no digest"))
def _approve(ports: OperatorPorts, asked: proposals.ApprovalParameters) -> Mapping[str, object]:
    """Execute what another person proposed, after reading all of it; not by its proposer."""
    return proposals.approve(ports, asked, partial(run_stored, ports))


@command("rights.list", Role.VIEWER)
def _list_rights(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Show who you are to the operators' API, and which commands you may call."""
    allowed = sorted(ports.rights.allowed(COMMANDS.keys()))
    return {
        "person": ports.operator.who,
        "items": allowed,
        "roles": {name: command.role.value for name, command in COMMANDS.items()},
        "schemas": {name: command.schema() for name, command in COMMANDS.items()},
        "next": None,
    }
