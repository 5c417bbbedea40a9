"""MoneyWorld and DraftWorld with faults in this process.

The requests of use cases are faulted; an actor repeats a use case that raises TryAgain. The
tests' own reads have no faults.
"""

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any

from orderdesk.domain.errors import Refusal, TryAgain
from orderdesk.domain.orders.order_errors import MerchantOrderNoExists
from orderdesk.domain.pricing import Mode, OrderType
from tests.faults.proxy import Faults
from tests.support.draft_world import DraftWorld
from tests.support.money_world import MoneyWorld
from tests.support.seed import Seed

# The test fails after this many TryAgain in a row.
TRIES_MAX = 100


class Persistence:
    """Calls use cases with faults, again after each TryAgain, which it counts."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self.retries = 0

    def __call__[T](self, ask: Callable[[], T]) -> T:
        """Return the result. Raises what `ask` raises, except TryAgain."""
        with self._faults.faults():
            for _ in range(TRIES_MAX):
                try:
                    return ask()
                except TryAgain:
                    self.retries += 1
        raise AssertionError(f"no result after {TRIES_MAX} tries")


def persisting(*names: str) -> Callable[[type[Any]], Any]:
    """Wrap methods of a world's class, inherited ones too: each call goes through `_persist`."""

    def wrap(world: type[Any]) -> Any:
        for name in names:
            setattr(world, name, _persisting(getattr(world, name)))
        return world

    return wrap


def _persisting(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def persist(self: Any, *arguments: Any, **named: Any) -> Any:
        return self._persist(lambda: method(self, *arguments, **named))

    return persist


@persisting("do", "prove", "split", "suspend", "put_online", "sweep", "assign_waiting")
@persisting("limit_day", "block", "unblock")
class FaultedMoney(MoneyWorld):
    """Faults each use case that moves orders or money.

    What fails in the sweep or the assigner stays due; it is not an unexpected error.
    """

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
        **asked: Any,
    ) -> str:
        """Create an order, retrying with the same merchant_order_no; a refusal leaves no order."""
        number = number or f"n{next(self._numbers)}"
        create = super().create
        owner = self.merchants[merchant].merchant_id
        try:
            return self._persist(lambda: create(kind, fen, mode, merchant, number, **asked))
        except MerchantOrderNoExists as exists:
            return str(exists.order_no)
        except Refusal:
            assert self.create_ports.book.reservation(owner, number) is None
            raise


@persisting("hold", "submit", "sweep")
class FaultedDrafts(DraftWorld):
    """Faults the use cases of merchants and customers, and the sweep."""

    def __init__(self, seed: Seed, persist: Persistence) -> None:
        self._persist = persist
        super().__init__(seed)
