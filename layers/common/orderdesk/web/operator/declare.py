"""How a command is declared, and the ports it works with (contract section 11).

It is declared once, at the function that runs it.

    @command("trader.stop-account", Role.SUPPORT, powers(Power.STOP, "trader_id account"))
    def stop_account(ports: OperatorPorts, asked: StopAccountParameters) -> Json:
        "Stop an account, and mark its pending and paid buys; safe to repeat."

From that come parsing, who may call it, `rights.list`, proposals, and what the command line and the
console ask for (`make openapi` writes their `commands.json`). The docstring is the command's help.
The power of each field is named; of a command that only reads, none.
`wiring/operators.py` joins the ports to their adapters.
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from orderdesk.domain.authority import Power
from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.pricing import Mode
from orderdesk.services.ledger.seal import SealPorts, SealStore
from orderdesk.services.merchants.statement import MerchantBalance, Postings
from orderdesk.services.operator.audit import Trail
from orderdesk.services.operator.callbacks import DeliveryRegister
from orderdesk.services.operator.ledger import LedgerScan, RestoredPostings
from orderdesk.services.operator.orders import EvidenceFiles
from orderdesk.services.operator.ports import CommandPorts, Records
from orderdesk.services.ports import Orders
from orderdesk.web.operator.parameters import CommandParameters

type Json = Mapping[str, object]
type Row = dict[str, object]


class Rights(Protocol):
    """IAM's decisions about the caller's identity."""

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        """Return those of the commands that the caller may call. Raises: TryAgain."""


class OrderReads(Orders, Protocol):
    """Reads orders, drafts, and the notes of disputes."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Return what was written or sent in an order's dispute, oldest first. Raises: TryAgain."""


class FiledSeals(SealStore, Protocol):
    """The files of seals."""

    def link(self, end: int) -> str:
        """Return a short-lived link to the file of the seal that ended then."""

    def public_key(self) -> bytes:
        """Return the key that verifies signatures (DER). Raises: TryAgain."""


class BatchReads(Records, Protocol):
    """Reads of several items at once. Each raises TryAgain."""

    def names(
        self, merchant_ids: Collection[str], trader_ids: Collection[str]
    ) -> Mapping[str, str]:
        """Return the names by id; unknown ids are left out."""

    def notes_of_orders(self, order_nos: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        """Return the notes of at most 100 orders, by order_no."""

    def accounts(
        self, merchant: Merchant, mode: Mode
    ) -> tuple[MerchantBalance, Mapping[OpenLimit, int]]:
        """Return a merchant's balances, and what its open orders use of its limits."""


class OperatorPorts(CommandPorts, Protocol):
    """What commands work with; each port is created on first use."""

    @property
    def rights(self) -> Rights:
        """What IAM allows the caller."""

    @property
    def orders(self) -> OrderReads: ...
    @property
    def evidence(self) -> EvidenceFiles: ...
    @property
    def deliveries(self) -> DeliveryRegister: ...
    def send_callback(self, reference: CallbackReference) -> None:
        """Send a callback's message to the queue. Raises: TryAgain."""

    @property
    def postings(self) -> Postings: ...
    @property
    def ledger_scan(self) -> LedgerScan: ...
    def restored_ledger(self, table: str) -> RestoredPostings:
        """Return a restored copy of the Ledger table. Raises: UnknownId."""

    @property
    def audit(self) -> Trail: ...
    @property
    def books(self) -> SealPorts: ...
    @property
    def seal_files(self) -> FiledSeals: ...
    @property
    def reads(self) -> BatchReads: ...


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
