"""The use cases of drafts over a seed's tables, with a clock and a provider that tests set."""

from collections.abc import Callable
from typing import Any

from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore, DueEntries
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.identity import Identity, Verification, VerificationOutcome
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.complete_draft import (
    CompleteDraftPorts,
    IdentityForm,
    Submission,
    submit_identity,
)
from orderdesk.services.orders.create import CreatePorts, DraftHeld, create_order
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.orders.sweep import Settled, SweepPorts, sweep
from orderdesk.services.ports import Nonce
from tests.support.identities import identity
from tests.support.money_world import START, matching_ports, uncapped
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


class DraftWorld:
    """A merchant whose customers are verified, and the use cases of its drafts."""

    def __init__(self, world: Seed) -> None:
        self.world = world
        self.now = START
        self.verifier = ScriptedVerifier()
        self.reported: list[Exception] = []
        self.merchant, _ = world.add_merchant(identity_required=True)
        world.set_rates(buy_e4=72360, sell_e4=71640, set_at=START)
        client, tables, chance = world.client, world.tables, SystemChance()
        book = NewOrderStore(client, tables, 1, chance)
        matching = matching_ports(world, book, chance, cache_seconds=0)
        self.create_ports = CreatePorts(book, uncapped(self.verifier), matching, 0)
        self.drafts = DraftStore(client, tables)
        self.ports = CompleteDraftPorts(self.drafts, uncapped(self.verifier), matching)
        self.moves = MovePorts(OrderMoveStore(client, tables), chance, lambda _: None)
        self.sweep_ports = SweepPorts(
            index=DueEntries(client, tables.orders),
            drafts=self.drafts,
            moves=self.moves,
            run_all=lambda settle, page: list(map(settle, page)),
            report=self.reported.append,
        )

    def hold(self, number: str | None = None) -> DraftHeld:
        """Create a buy without identity data. Raises what createOrder raises."""
        request = OrderRequest(
            OrderType.BUY,
            Mode.LIVE,
            1000_00,
            merchant_order_no=number,
            callback_url="https://m.example.com/cb",
        )
        token = self.create_ports.matching.chance.token()
        nonce = Nonce(self.merchant.api_key, token, self.now, token)
        held = create_order(
            request, self.merchant, nonce, self.create_ports, self.now * 10**6, verifying=True
        )
        assert isinstance(held, DraftHeld)
        return held

    def submit(self, pending_no: str, form: IdentityForm = FORM) -> Submission:
        """Submit the identity page's form."""
        draft = self.drafts.draft(pending_no)
        assert draft is not None
        attempt_id = self.create_ports.matching.chance.token()
        return submit_identity(draft, form, attempt_id, self.ports, self.now * 10**6)

    def sweep(self) -> dict[str, int]:
        """Run the sweep; return its counts by outcome."""
        tally = sweep(self.sweep_ports, self.now, lambda: True)
        assert not self.reported
        return {outcome.value: n for outcome, n in tally.items() if outcome is not Settled.LEFT}

    def number_owner(self, number: str) -> Any:
        """Return the reservation of a merchant_order_no, or None."""
        return self.create_ports.book.reservation(self.merchant.merchant_id, number)
