"""How a command is declared: once, at the function that runs it (contract section 11).

    @command("trader.stop-account", Role.SUPPORT, powers(Power.STOP, "trader_id account"))
    def stop_account(ports: OperatorPorts, asked: StopAccountParameters) -> Json:
        "Stop an account, and mark its pending and paid buys; safe to repeat."

From that come parsing, who may call it, `rights.list`, proposals, and what the command line and the
console ask for (`make openapi` writes their `commands.json`). The docstring is the command's help.
The power of each field is named; of a command that only reads, none.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from orderdesk.domain.authority import Power
from orderdesk.web.operator.parameters import CommandParameters
from orderdesk.web.operator.parties import Json
from orderdesk.web.operator.ports import OperatorPorts

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

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of the parameters, with the power of each, and the help.

        It is without null, which counts as not sent.
        """
        whole = self.parameters.model_json_schema()
        fields = {
            name: _plain(each, whole.get("$defs", {}))
            | ({"x-power": self.powers[name].value} if name in self.powers else {})
            for name, each in whole["properties"].items()
        }
        help_texts = inspect.cleandoc(self.run.__doc__ or "").split("\n\n")
        told = [each.replace("\n", " ") for each in help_texts if not each.startswith("Raises:")]
        return {
            "type": "object",
            "description": "\n\n".join(told),
            "properties": fields,
            "required": whole.get("required", []),
            "additionalProperties": False,
        }


def _plain(schema: Mapping[str, Any], defined: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without titles, null and references."""
    own = {name: value for name, value in schema.items() if name not in {"anyOf", "$ref", "title"}}
    if own.get("default", "") is None:
        del own["default"]
    if "$ref" in schema:
        return {**_plain(defined[schema["$ref"].rpartition("/")[2]], defined), **own}
    parts = [_plain(part, defined) for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    one = parts[0] if len(parts) == 1 else {"anyOf": parts} if parts else {}
    return {**one, **own}


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
