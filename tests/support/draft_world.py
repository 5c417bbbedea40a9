"""The use cases of drafts over a seed's tables, with a clock and a provider that tests set."""

from collections.abc import Callable
from typing import Any

from orderdesk.adapters.system import SystemChance
from orderdesk.domain.identity import Identity, Verification, VerificationOutcome
from orderdesk.domain.orders.order import GivenValues
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.orders.complete_draft import (
    CompleteDraftPorts,
    IdentityForm,
    Submission,
    submit_identity,
)
from orderdesk.services.orders.create import DraftHeld
from orderdesk.services.orders.sweep import Settled, sweep
from orderdesk.services.ports import Chance
from tests.support.identities import identity
from tests.support.money_world import OrderWorld, uncapped
from tests.support.seed import Seed

FORM = IdentityForm(**identity())


class ScriptedVerifier:
    """Returns `outcome`; `meanwhile` runs once, during the next verification."""

    def __init__(self) -> None:
        self.outcome = VerificationOutcome.PASSED
        self.meanwhile: Callable[[], None] = lambda: None
        self.asked = 0

    def verify(self, identity: Identity) -> Verification:  # noqa: ARG002 the port
        self.asked += 1
        outcome, meanwhile = self.outcome, self.meanwhile
        self.meanwhile = lambda: None
        meanwhile()
        return Verification(outcome, "scripted", f"reference-{self.asked}")


class DraftWorld(OrderWorld):
    """A merchant whose customers are verified, and the use cases of its drafts."""

    def __init__(self, world: Seed, chance: Chance | None = None) -> None:
        self.world = world
        self.verifier = ScriptedVerifier()
        super().__init__(world, self.verifier, chance or SystemChance(), cache_seconds=0)
        self.merchant, _ = world.add_merchant(identity_required=True)
        matching = self.create_ports.matching
        self.ports = CompleteDraftPorts(self.drafts, uncapped(self.verifier), matching)

    def hold(self, number: str | None = None) -> DraftHeld:
        """Create a buy without identity data. Raises what createOrder raises."""
        address = "https://m.example.com/cb"
        request = OrderRequest(
            OrderType.BUY, Mode.LIVE, 1000_00, merchant_order_no=number, given=GivenValues(address)
        )
        held = self.ask(request, self.merchant, verifying=True)
        assert isinstance(held, DraftHeld)
        return held

    def submit(
        self, pending_no: str, form: IdentityForm = FORM, now: int | None = None
    ) -> Submission:
        """Submit the identity page's form, at another time than the world's if `now` is set."""
        draft = self.drafts.draft(pending_no)
        assert draft is not None
        return submit_identity(draft, form, self.ports, (now or self.now) * 10**6)

    def sweep(self) -> dict[str, int]:
        """Run the sweep; return its counts by outcome."""
        tally = sweep(self.sweep_ports, self.now, lambda: True)
        assert not self.reported
        return {outcome.value: n for outcome, n in tally.items() if outcome is not Settled.LEFT}

    def number_owner(self, number: str) -> Any:
        """Return the reservation of a merchant_order_no, or None."""
        return self.book.reservation(self.merchant.merchant_id, number)
