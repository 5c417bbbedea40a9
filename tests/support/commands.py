"""Operators' commands as they are sent, and a run of them below the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orderdesk.domain.accounts import Account
from orderdesk.domain.merchants.signing import json_text
from orderdesk.domain.money import format_usdt
from orderdesk.domain.orders.order import Order
from orderdesk.services.operator import moves
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.proposals import SentCommand
from orderdesk.web.body import parse_object
from orderdesk.web.operator.declare import OperatorPorts
from orderdesk.web.operator.endpoint import COMMANDS, perform
from orderdesk.web.operator.parameters import WriteParameters

POWERS = {n: c.powers for n, c in COMMANDS.items() if issubclass(c.parameters, WriteParameters)}


@dataclass(frozen=True)
class Ask:
    """A command and its parameters."""

    name: str
    sent: Mapping[str, Any]

    def but(self, **changed: Any) -> "Ask":
        """Return the command with other parameters."""
        return Ask(self.name, {**self.sent, **changed})

    def run(self, ports: Any, operator: Operator) -> Any:
        """Execute the command for an operator; return its data, or the proposal that it became.

        `ports` are those that the command uses.
        """
        data = self._data(ports.acting(operator))
        proposal = data.get("proposal")
        assert proposal is None or isinstance(proposal, Mapping)
        return data if proposal is None else ports.proposals.proposal(proposal["proposal_no"])

    def _data(self, ports: OperatorPorts) -> Mapping[str, object]:
        parsed = COMMANDS[self.name].parameters.model_validate(
            parse_object(json_text({**self.sent}).encode())
        )
        return perform(ports, SentCommand(self.name, json_text({**self.sent})), parsed)


def ask(name: str, /, **sent: Any) -> Ask:
    """Return a command with the parameters that are not None."""
    return Ask(name, {each: value for each, value in sent.items() if value is not None})


def resolve(
    number: str, to: moves.Resolution, ports: Any, reason: str, sum_fen: int | None = None
) -> Order:
    """End a dispute, as `order.resolve` does."""
    return moves.make(number, moves.cause_of(moves.resolution(to), reason, sum_fen), ports)


def command_on(verb: str, account: Account) -> str:
    """Return the command that funds an account, or takes from it."""
    kind = account.kind.value
    return {"deposit": "deposit.release", "fee": "fees.withdraw"}.get(kind, f"{verb}.{kind}")


def moving(verb: str, account: Account, micro: int, memo: str = "because") -> Ask:
    """Return the command that funds an account, or takes from it."""
    kind, is_test = account.kind.value, account.mode.is_test
    own_id = {f"{kind if kind == 'trader' else 'merchant'}_id": account.owner}
    command = command_on(verb, account)
    return ask(command, **own_id, amount=format_usdt(micro), memo=memo, is_test=is_test)
