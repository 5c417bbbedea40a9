"""How a command is declared: once, at the function that runs it (contract section 11).

    @command("trader.stop-account", Role.SUPPORT, powers(Power.STOP, "trader_id account"))
    def stop_account(ports: OperatorPorts, asked: StopAccountParameters) -> Json:
        "Stop an account, and mark its pending and paid buys; safe to repeat."

From that come parsing, who may call it, `rights.list`, proposals, and what the command line and the
console ask for (`tools/commands.py` writes their `commands.json`). The first paragraph of the
docstring is the command's help. The power of each field is named; of a command that only reads,
none.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from orderdesk.domain.authority import Power
from orderdesk.web.operator.parameters import CommandParameters, WriteParameters
from orderdesk.web.operator.parties import Json
from orderdesk.web.operator.ports import OperatorPorts

EXPLAINS = frozenset({"idempotency_key", "reason", "memo"})
"""The fields that every write may have, and that change nothing."""

NO_POWERS: Mapping[str, Power] = MappingProxyType({})


class Role(StrEnum):
    """The least role that may call a command; support has viewer's rights, finance has both's."""

    VIEWER = "viewer"
    SUPPORT = "support"
    FINANCE = "finance"


@dataclass(frozen=True, slots=True)
class Command[P: CommandParameters]:
    """A command: its least role, the model of its parameters, its powers, and its function.

    The function returns the envelope's `data`.
    """

    role: Role
    parameters: type[P]
    powers: Mapping[str, Power]
    run: Callable[[OperatorPorts, P], Json]

    @property
    def writes(self) -> bool:
        """Whether it changes something."""
        return issubclass(self.parameters, WriteParameters)

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of the parameters, with the power of each, and the help."""
        schema = self.parameters.model_json_schema()
        fields = {
            name: {**each, **({"x-power": self.powers[name].value} if name in self.powers else {})}
            for name, each in schema["properties"].items()
        }
        text = inspect.cleandoc(self.run.__doc__ or "").partition("\n\n")[0]
        return {**schema, "description": text.replace("\n", " "), "properties": fields}


DECLARED: dict[str, Command[Any]] = {}
"""The commands of the modules that are imported; `commands` imports all."""


def command[P: CommandParameters](
    name: str, role: Role, fields: Mapping[str, Power] = NO_POWERS
) -> Callable[[Callable[[OperatorPorts, P], Json]], Callable[[OperatorPorts, P], Json]]:
    """Declare a function as a command; its second parameter has the model of what is sent."""

    def declared(run: Callable[[OperatorPorts, P], Json]) -> Callable[[OperatorPorts, P], Json]:
        assert name not in DECLARED, name
        _, parameters, *_ = run.__annotations__.values()
        DECLARED[name] = Command(role, parameters, fields, run)
        return run

    return declared


def powers(power: Power, fields: str) -> dict[str, Power]:
    """Return the same power for fields that are named with spaces between."""
    return dict.fromkeys(fields.split(), power)
