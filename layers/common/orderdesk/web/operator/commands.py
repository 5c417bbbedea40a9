"""The table of commands: each command's role, parameters and handler.

Nothing else decides who may call what: the managed policies of the template are compared with this
table (`tests/infra/test_operator_policies.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any

from orderdesk.services.operator.actions import Operator, ProposalNeeded
from orderdesk.services.operator.proposals import SentCommand, propose
from orderdesk.web.body import parse_object
from orderdesk.web.operator import (
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
from orderdesk.web.operator.paging import PageParameters
from orderdesk.web.operator.parameters import CommandParameters, NoParameters
from orderdesk.web.operator.ports import OperatorPorts
from orderdesk.web.operator.powers import described


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


def _approve(ports: OperatorPorts, asked: proposals.ApprovalParameters) -> Mapping[str, object]:
    return proposals.approve(ports, asked, partial(run_stored, ports))


def _list_rights(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Return the caller's person, the commands that it may call, and each one's role and schema."""
    allowed = sorted(ports.rights.allowed(COMMANDS.keys()))
    return {
        "person": ports.operator.who,
        "items": allowed,
        "roles": {name: command.role.value for name, command in COMMANDS.items()},
        "schemas": {name: schema_of(name) for name in COMMANDS},
        "next": None,
    }


def schema_of(name: str) -> Mapping[str, object]:
    """Return the JSON schema of a command's parameters, with the power of each."""
    schema = COMMANDS[name].parameters.model_json_schema()
    fields = {field: described(name, field, each) for field, each in schema["properties"].items()}
    return {**schema, "properties": fields}


VIEWER, SUPPORT, FINANCE = Role.VIEWER, Role.SUPPORT, Role.FINANCE
COMMANDS: Mapping[str, Command[Any]] = MappingProxyType(
    {
        "audit.list": Command(VIEWER, reports.AuditParameters, reports.list_trail),
        "deposit.release": Command(FINANCE, funds.MerchantMoney, funds.release_deposit),
        "fees.withdraw": Command(FINANCE, funds.MerchantMoney, funds.withdraw_fees),
        "fund.merchant": Command(FINANCE, funds.MerchantMoney, funds.fund_merchant),
        "fund.trader": Command(FINANCE, funds.TraderMoney, funds.fund_trader),
        "ledger.balances": Command(VIEWER, NoParameters, ledger.balances),
        "ledger.check": Command(VIEWER, books.CheckParameters, books.check),
        "ledger.compare": Command(VIEWER, ledger.CompareParameters, ledger.compare),
        "ledger.acknowledge": Command(FINANCE, books.AcknowledgeParameters, books.accept),
        "ledger.seals": Command(VIEWER, books.SealsParameters, books.list_seals),
        "ledger.statement": Command(VIEWER, ledger.LedgerStatementParameters, ledger.list_postings),
        "proposal.approve": Command(SUPPORT, proposals.ApprovalParameters, _approve),
        "proposal.list": Command(VIEWER, proposals.ProposalsParameters, proposals.list_all),
        "proposal.reject": Command(SUPPORT, proposals.RejectionParameters, proposals.reject),
        "proposal.reveal": Command(SUPPORT, proposals.DecisionParameters, proposals.reveal),
        "proposal.show": Command(VIEWER, proposals.ProposalParameters, proposals.show),
        "block.add": Command(SUPPORT, blocks.AddBlockParameters, blocks.add),
        "block.list": Command(VIEWER, PageParameters, blocks.list_all),
        "block.remove": Command(FINANCE, blocks.RemoveBlockParameters, blocks.remove),
        "callback.dead": Command(VIEWER, callbacks.DeadParameters, callbacks.list_dead),
        "callback.list": Command(VIEWER, callbacks.DeliveriesParameters, callbacks.list_deliveries),
        "callback.redeliver": Command(
            SUPPORT, callbacks.RedeliverCallbackParameters, callbacks.send_again
        ),
        "callback.show": Command(VIEWER, callbacks.CallbackParameters, callbacks.show_delivery),
        "desk.set": Command(FINANCE, blocks.DeskParameters, blocks.set_desk),
        "draft.show": Command(VIEWER, orders.DraftParameters, orders.show_draft),
        "merchant.add": Command(FINANCE, merchants.AddMerchantParameters, merchants.add_merchant),
        "merchant.invite": Command(FINANCE, merchants.InviteParameters, merchants.invite),
        "merchant.limits": Command(VIEWER, merchants.MerchantParameters, merchants.show_limits),
        "merchant.list": Command(VIEWER, PageParameters, merchants.list_merchants),
        "merchant.resume": Command(
            FINANCE, merchants.ChangeMerchantParameters, merchants.resume_merchant
        ),
        "merchant.revoke-secret": Command(
            FINANCE, merchants.RevokeParameters, merchants.revoke_secret
        ),
        "merchant.set": Command(FINANCE, merchants.SetMerchantParameters, merchants.set_terms),
        "merchant.show": Command(VIEWER, merchants.MerchantParameters, merchants.show_merchant),
        "merchant.suspend": Command(
            FINANCE, merchants.ChangeMerchantParameters, merchants.suspend_merchant
        ),
        "order.ask": Command(SUPPORT, moves.AskParameters, moves.ask),
        "order.assign": Command(SUPPORT, moves.AssignParameters, moves.assign),
        "order.cancel": Command(SUPPORT, moves.MoveParameters, moves.cancel),
        "order.claim": Command(FINANCE, moves.ClaimParameters, moves.claim),
        "order.dispute": Command(SUPPORT, moves.ListedParameters, moves.dispute),
        "order.evidence": Command(VIEWER, orders.OneOrderParameters, orders.show_evidence),
        "order.find": Command(VIEWER, orders.FindParameters, orders.find_orders),
        "order.history": Command(VIEWER, orders.HistoryParameters, orders.show_history),
        "order.list": Command(VIEWER, orders.OrdersParameters, orders.list_orders),
        "order.resolve": Command(SUPPORT, moves.ResolveParameters, moves.resolve),
        "order.reverse": Command(FINANCE, moves.ReverseParameters, moves.reverse),
        "order.show": Command(VIEWER, orders.OneOrderParameters, orders.show_order),
        "order.unassign": Command(SUPPORT, moves.MoveParameters, moves.unassign),
        "rate.list": Command(VIEWER, NoParameters, funds.list_rates),
        "rate.set": Command(FINANCE, funds.RateParameters, funds.change_rate),
        "report.day": Command(VIEWER, reports.ReportParameters, reports.report_day),
        "rights.list": Command(VIEWER, NoParameters, _list_rights),
        "withdraw.list": Command(
            VIEWER, proposals.WithdrawalsParameters, proposals.list_withdrawals
        ),
        "withdraw.merchant": Command(FINANCE, funds.MerchantWithdrawal, funds.withdraw_merchant),
        "withdraw.sent": Command(FINANCE, funds.SentParameters, funds.record_sent),
        "withdraw.trader": Command(FINANCE, funds.TraderMoney, funds.withdraw_trader),
        "trader.add": Command(FINANCE, traders.AddTraderParameters, traders.add_trader),
        "trader.add-method": Command(FINANCE, traders.TraderMethodParameters, traders.add_method),
        "trader.list": Command(VIEWER, PageParameters, traders.list_traders),
        "trader.offline": Command(SUPPORT, traders.ChangeTraderParameters, traders.put_offline),
        "trader.online": Command(SUPPORT, traders.ChangeTraderParameters, traders.put_online),
        "trader.reset-code": Command(FINANCE, traders.ChangeTraderParameters, traders.reset_code),
        "trader.remove-method": Command(FINANCE, traders.RemoveParameters, traders.remove_method),
        "trader.resume-account": Command(
            FINANCE, traders.ResumeAccountParameters, traders.resume_account
        ),
        "trader.set": Command(FINANCE, traders.SetTraderParameters, traders.set_terms),
        "trader.show": Command(VIEWER, traders.TraderParameters, traders.show_trader),
        "trader.stop-account": Command(
            SUPPORT, traders.StopAccountParameters, traders.stop_account
        ),
        "trader.suspend": Command(SUPPORT, traders.ChangeTraderParameters, traders.suspend_trader),
    }
)
