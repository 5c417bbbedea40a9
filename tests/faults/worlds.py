"""The worlds of money and of drafts on an emulator whose answers are spoiled by chance.

What an actor does meets faults, and an actor who is told to try again does so. What a test looks
at in between is read without faults.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk.domain.errors import Refusal, TryAgain
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.errors import MerchantOrderNoExists
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.suspension import Suspension
from orderdesk.services.orders.assignment_run import Offered
from orderdesk.services.orders.complete_draft import IdentityForm, Submission
from orderdesk.services.orders.create import DraftHeld
from tests.faults.proxy import FaultProxy
from tests.support.draft_world import FORM, DraftWorld
from tests.support.merchant_client import Reply, Send
from tests.support.money_world import MoneyWorld, Step
from tests.support.seed import Seed
from tests.support.template import table_definition
from tests.support.world import NAMES, TABLES

# An actor who was told to try again this often in a row gives up, and the test fails.
TRIES_MAX = 100


class FreshTables(Seed):
    """Tables of its own on an emulator, empty, reached through the proxy."""

    def __init__(self, proxy: FaultProxy) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_ENDPOINT_URL", proxy.endpoint_url)
            patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
            patch.setenv("AWS_ACCESS_KEY_ID", "test")
            patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
            session = Session()
            kms: Any = session.create_client("kms")
            key = kms.create_key()["KeyMetadata"]["Arn"]
            kms.close()
            super().__init__(session, TABLES, key)
            self.kms.seal_callback("m", ())  # makes the client while the environment says where
        for name in NAMES:
            self._make_table(name)

    def _make_table(self, name: str) -> None:
        try:
            self.client.delete_table(TableName=name)
        except ClientError as error:
            assert error.response["Error"]["Code"] == "ResourceNotFoundException"  # noqa: PT017
        self.client.create_table(TableName=name, **table_definition(f"{name}Table"))

    def send(self, source_ip: str) -> Send:  # noqa: ARG002 - the base's signature
        """Post nothing: the use cases are called without a function."""

        def send(*_: object) -> Reply:
            raise NotImplementedError

        return send

    def close(self) -> None:
        """Close every connection."""
        self.client.close()
        self.kms.close()


class Persistence:
    """Asks among faults, again and again while told to; counts how often it was told."""

    def __init__(self, proxy: FaultProxy) -> None:
        self._proxy = proxy
        self.told_to_try_again = 0

    def __call__[T](self, ask: Callable[[], T]) -> T:
        """Give what comes in the end. Raises: what is asked raises, but for TryAgain."""
        with self._proxy.faults():
            for _ in range(TRIES_MAX):
                try:
                    return ask()
                except TryAgain:
                    self.told_to_try_again += 1
        raise AssertionError(f"told to try again {TRIES_MAX} times in a row")


class FaultedMoney(MoneyWorld):
    """Everybody who moves money meets faults."""

    def __init__(self, seed: Seed, persist: Persistence) -> None:
        self._persist = persist
        self._numbers = count(1)
        super().__init__(seed)

    def create(
        self,
        kind: OrderType,
        fen: int,
        mode: Mode = Mode.LIVE,
        merchant: int = 0,
        number: str | None = None,
    ) -> str:
        """Create an order once, as a merchant does: again with the same merchant_order_no.

        A refusal is final: there is no order then. Raises what createOrder raises.
        """
        number = number or f"n{next(self._numbers)}"
        create = super().create
        owner = self.merchants[merchant].merchant_id
        try:
            return self._persist(lambda: create(kind, fen, mode, merchant, number))
        except MerchantOrderNoExists as exists:
            return str(exists.order_no)
        except Refusal:
            assert self.create_ports.book.reservation(owner, number) is None
            raise

    def do(self, step: Step) -> Order:
        """Make a move as its actor would. Raises what the use case raises."""
        do = super().do
        return self._persist(lambda: do(step))

    def prove(self, order_no: str, trader_id: str | None, name: str = "proof") -> Order:
        """Let a trader keep a proof of payment."""
        prove = super().prove
        return self._persist(lambda: prove(order_no, trader_id, name))

    def split(self, number: int, shards: int, *, is_known: bool) -> None:
        """Split a merchant's balances."""
        split = super().split
        self._persist(lambda: split(number, shards, is_known=is_known))

    def suspend(self, number: int) -> Suspension:
        """Suspend one of the traders, as an operator does."""
        suspend = super().suspend
        return self._persist(lambda: suspend(number))

    def put_online(self, number: int) -> None:
        """Put one of the traders online, which lifts a suspension."""
        put_online = super().put_online
        self._persist(lambda: put_online(number))

    def sweep(self) -> dict[str, int]:
        """Run the sweep; what fails stays due for the next one, and is no unexpected error."""
        return self._persist(super().sweep)

    def assign_waiting(self, after_seconds: int = 0) -> dict[Offered, int]:
        """Run the assigner; what fails stays waiting, and is no unexpected error."""
        assign_waiting = super().assign_waiting
        return self._persist(lambda: assign_waiting(after_seconds))


class FaultedDrafts(DraftWorld):
    """Merchants, customers and the sweep of drafts meet faults."""

    def __init__(self, seed: Seed, persist: Persistence) -> None:
        self._persist = persist
        super().__init__(seed)

    def hold(self, number: str | None = None) -> DraftHeld:
        """Create a buy without identity data. Raises what createOrder raises."""
        hold = super().hold
        return self._persist(lambda: hold(number))

    def submit(self, pending_no: str, form: IdentityForm = FORM) -> Submission:
        """Submit the identity page's form."""
        submit = super().submit
        return self._persist(lambda: submit(pending_no, form))

    def sweep(self) -> dict[str, int]:
        """Run the sweep; what fails stays due for the next one, and is no unexpected error."""
        return self._persist(super().sweep)
