"""Lists of disputed orders in the money world: proposed by one person, approved by another."""

from collections.abc import Sequence

from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.proposals import Proposal
from orderdesk.services.operator import proposals as steps
from orderdesk.services.operator.actions import Operator, ProposalNeeded
from orderdesk.services.operator.moves import cause_of, make
from orderdesk.services.operator.order_lists import OrderList, move_list
from orderdesk.services.operator.ports import CommandPorts
from orderdesk.services.operator.proposals import SentCommand
from orderdesk.web.operator.refusals import moving
from tests.support.money_world import REASON, MoneyWorld, Step

_SENT = SentCommand("order.resolve", "{}")


def unspoken(money: MoneyWorld, count: int) -> list[str]:
    """Create disputed buys with neither a receipt nor the trader's word; return their numbers."""
    numbers = [money.create(OrderType.BUY, 1000_00 + nth) for nth in range(count)]
    for number in numbers:
        money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
        money.do(Step(number, Actor.OPERATOR, Move.DISPUTE))
    return numbers


def _list_of(money: MoneyWorld, numbers: Sequence[str]) -> OrderList:
    cause = cause_of(Move.RESOLVE_COMPLETED, REASON)

    def move(number: str, ports: CommandPorts) -> Order:
        with moving(money.store, number, money.now):
            return make(number, cause, ports)

    return OrderList(numbers, cause, move)


def propose_list(money: MoneyWorld, numbers: Sequence[str], who: str) -> str:
    """Propose to complete orders as a person; return the proposal_no."""
    operator = money.acting(who)
    ports = money.command_ports.acting(operator)
    try:
        move_list(_list_of(money, numbers), ports)
    except ProposalNeeded as needed:
        return steps.propose(ports, _SENT, needed).proposal_no
    raise AssertionError("one person did it")


def approve_list(money: MoneyWorld, proposal_no: str, numbers: Sequence[str], who: str) -> Proposal:
    """Approve a list as a person. Raises what the use case raises."""

    def run(operator: Operator, _: SentCommand) -> object:
        return move_list(_list_of(money, numbers), money.command_ports.acting(operator))

    digest = money.proposal(proposal_no).digest
    ports = money.command_ports.acting(money.acting(who))
    return steps.approve(ports, proposal_no, digest, run)
