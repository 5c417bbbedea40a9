"""Every command of the CLI, its preparation on the deployed stack, and the least role it needs.

Each role has the rights of the one before it: viewer, support, finance (contract section 10).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from tempfile import mkdtemp

from botocore.session import Session

from local.stack import Stack
from orderdesk_cli.stacks import LocalSession, find_stack
from orderdesk_cli.wiring import Office, open_local_office
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import buy, sell
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.seed import BANK_METHOD
from tests.support.stack_seed import StackSeed

PLENTY_MICRO = 10**15
WHY = ("--reason", "the bank says so")
MEMO = ("--memo", "float")
METHOD = ("--real-name", "甲", "--bank", "银行", "--sub-bank", "支行", "--card-number", "62000001")
TODAY = "1d"


class Role(IntEnum):
    """A role of operators; a higher one has the rights of the lower ones."""

    VIEWER = 1
    SUPPORT = 2
    FINANCE = 3


class Scene:
    """Prepares what a command needs, with every right."""

    def __init__(self, seed: StackSeed) -> None:
        self.seed = seed
        self.root = Terminal(open_local_office(seed.stack.endpoint_url, "orderdesk"))

    def merchant(self) -> str:
        """Add a merchant with both kinds of secrets."""
        return str(self.root.json("merchant", "add", "商户")["merchant_id"])

    def split(self) -> str:
        added = self.root.json("merchant", "add", "商户", "--balance-shards", "4")
        return str(added["merchant_id"])

    def suspended(self) -> str:
        merchant_id = self.merchant()
        self.root.json("merchant", "suspend", merchant_id)
        return merchant_id

    def funded(self) -> str:
        merchant_id = self.merchant()
        self.root.json("fund", "merchant", merchant_id, "1000", *MEMO)
        return merchant_id

    def trader(self, *, online: bool = False) -> str:
        return self.seed.add_trader(online=online).trader_id

    def sell(self) -> str:
        merchant, client = self.seed.add_merchant()
        self.seed.fund(merchant, PLENTY_MICRO)
        return str(client.create(sell()).data["order_no"])

    def assigned(self) -> str:
        number = self.sell()
        self.root.json("order", "assign", number, self.trader())
        return number

    def disputed(self) -> str:
        number = self.assigned()
        self.root.json("order", "dispute", number, *WHY)
        return number

    def cancelled_buy(self) -> str:
        self.seed.only_trader()
        _, client = self.seed.add_merchant()
        created = client.create(buy())
        client.cancel(created)
        return str(created.data["order_no"])

    def disputed_buy(self) -> str:
        """Create a buy that was paid late and is in dispute."""
        number = self.cancelled_buy()
        self.root.json("order", "dispute", number, *WHY)
        return number

    def paid(self) -> str:
        """Create a buy whose payer has sent a receipt."""
        self.seed.only_trader(methods=(BANK_METHOD,))
        _, client = self.seed.add_merchant()
        created = client.create(buy()).data
        Payer.of_link(self.seed, created["pay_url"]).upload(png())
        return str(created["order_no"])

    def withdrawal(self) -> str:
        words = ("withdraw", "merchant", self.funded(), "7", *MEMO)
        return str(self.root.json(*words)["withdrawal_no"])

    def dead_callback(self) -> str:
        merchant, _ = self.seed.add_merchant()
        return keep_delivery(self.seed, merchant).event.webhook_id

    def folder(self) -> Path:
        return Path(mkdtemp())


@dataclass(frozen=True, slots=True)
class Command:
    """A command's least role, and its arguments.

    `may_complain`: exit code 1 may also report what the shared stack holds.
    """

    least: Role
    rest: Callable[[Scene], tuple[str, ...]] = lambda _: ()
    may_complain: bool = False


VIEWER, SUPPORT, FINANCE = Role.VIEWER, Role.SUPPORT, Role.FINANCE
COMMANDS: dict[str, Command] = {
    "merchant add": Command(FINANCE, lambda _: ("商户",)),
    "merchant list": Command(VIEWER),
    "merchant show": Command(VIEWER, lambda s: (s.split(),)),
    "merchant suspend": Command(FINANCE, lambda s: (s.merchant(),)),
    "merchant resume": Command(FINANCE, lambda s: (s.suspended(),)),
    "merchant rotate-secret": Command(FINANCE, lambda s: (s.merchant(),)),
    "merchant rotate-callback-secret": Command(FINANCE, lambda s: (s.merchant(),)),
    "merchant set": Command(FINANCE, lambda s: (s.merchant(), "--balance-shards", "4")),
    "fund merchant": Command(FINANCE, lambda s: (s.merchant(), "5", *MEMO)),
    "fund trader": Command(FINANCE, lambda s: (s.trader(), "5", *MEMO)),
    "withdraw merchant": Command(FINANCE, lambda s: (s.funded(), "5", *MEMO)),
    "withdraw trader": Command(FINANCE, lambda s: (s.trader(), "5", *MEMO)),
    "withdraw approve": Command(FINANCE, lambda s: (s.withdrawal(),)),
    "withdraw reject": Command(FINANCE, lambda s: (s.withdrawal(), *WHY)),
    "withdraw list": Command(VIEWER),
    "trader add": Command(FINANCE, lambda _: ("甲", "--min", "1", "--max", "5000")),
    "trader set": Command(FINANCE, lambda s: (s.trader(), "--max", "5000")),
    "trader add-method": Command(FINANCE, lambda s: (s.trader(), "bank", *METHOD)),
    "trader new-code": Command(FINANCE, lambda s: (s.trader(),)),
    "trader list": Command(VIEWER),
    "trader show": Command(VIEWER, lambda s: (s.trader(),)),
    "trader online": Command(SUPPORT, lambda s: (s.trader(),)),
    "trader offline": Command(SUPPORT, lambda s: (s.trader(online=True),)),
    "trader suspend": Command(SUPPORT, lambda s: (s.trader(),)),
    "rate set": Command(FINANCE, lambda _: ("buy", "7.2360")),
    "rate show": Command(VIEWER),
    "order show": Command(VIEWER, lambda s: (s.cancelled_buy(),)),
    "order list": Command(VIEWER, lambda _: ("--since", TODAY)),
    "order find": Command(VIEWER, lambda s: (s.sell(),)),
    "order evidence": Command(VIEWER, lambda s: (s.paid(), "--save", str(s.folder()))),
    "order assign": Command(SUPPORT, lambda s: (s.sell(), s.trader())),
    "order unassign": Command(SUPPORT, lambda s: (s.assigned(), *WHY)),
    "order cancel": Command(SUPPORT, lambda s: (s.sell(), *WHY)),
    "order dispute": Command(SUPPORT, lambda s: (s.cancelled_buy(), *WHY)),
    "order ask": Command(SUPPORT, lambda s: (s.disputed_buy(), "--text", "Which bank?")),
    "order resolve": Command(SUPPORT, lambda s: (s.disputed_buy(), "completed", *WHY)),
    "callback list": Command(VIEWER),
    "callback redeliver": Command(SUPPORT, lambda s: (s.dead_callback(),)),
    "callback dead": Command(VIEWER),
    "ledger check": Command(VIEWER, may_complain=True),
    "ledger compare": Command(VIEWER, lambda s: (s.seed.tables.ledger,), may_complain=True),
    "ledger balances": Command(VIEWER),
    "report": Command(VIEWER, lambda _: ("2026-01-31",), may_complain=True),
    # It reports as a risk what it has no right to read.
    "doctor": Command(VIEWER, may_complain=True),
    "preflight": Command(VIEWER, may_complain=True),
    "audit": Command(VIEWER, lambda _: ("--since", TODAY)),
}


def office_of(stack: Stack, access_key_id: str, secret_access_key: str) -> Office:
    session: Session = LocalSession(stack.endpoint_url)
    session.set_credentials(access_key_id, secret_access_key)
    return Office(session, lambda: find_stack(session, "orderdesk"))
