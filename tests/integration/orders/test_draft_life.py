"""A draft from held to its end (contract sections 4, 6 and 8)."""

import pytest

from orderdesk.domain.identity import VerificationOutcome
from orderdesk.domain.merchants.merchant import MerchantStatus
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.order_errors import MerchantOrderNoExists, StateConflict
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.services.orders.move import move_order
from tests.support.draft_world import FORM, DraftWorld
from tests.support.faults import Killed
from tests.support.money_world import PAY_WINDOW
from tests.support.world import World


@pytest.fixture
def drafts(world: World) -> DraftWorld:
    """Return drafts with one trader in the rotation."""
    world.add_trader()
    return DraftWorld(world)


def status(drafts: DraftWorld, pending_no: str) -> DraftStatus:
    draft = drafts.drafts.draft(pending_no)
    assert draft is not None
    return draft.status


def test_a_pass_makes_the_order_with_what_the_merchant_gave(drafts: DraftWorld) -> None:
    held = drafts.hold("N-1").draft
    done = drafts.submit(held.pending_no)
    assert done.state is IdentityState.COMPLETED
    assert done.order_no is not None
    order = drafts.moves.moves.order(done.order_no)
    assert order is not None
    assert order.merchant_order_no == "N-1"
    assert order.given.callback_url == "https://m.example.com/cb"
    assert (order.status, order.pending_no) == (OrderStatus.PENDING, held.pending_no)
    assert order.identity is not None
    assert order.identity.reference == "reference-1"
    assert order.identity.open_name == FORM.customer_name
    ended = drafts.drafts.draft(held.pending_no)
    assert ended is not None
    assert ended.identity == order.identity.masked
    owner = drafts.number_owner("N-1")
    assert (owner.order_no, owner.pending_no, owner.expire_time) == (done.order_no, None, None)
    with pytest.raises(MerchantOrderNoExists):
        drafts.hold("N-1")


def test_the_sweep_gives_the_attempt_of_a_dead_process_back(drafts: DraftWorld) -> None:
    held = drafts.hold().draft

    def die() -> None:
        raise Killed

    drafts.verifier.meanwhile = die
    with pytest.raises(Killed):
        drafts.submit(held.pending_no)
    assert drafts.submit(held.pending_no).state is IdentityState.VERIFYING
    assert drafts.sweep() == {}
    drafts.now += 60
    assert drafts.sweep() == {"attempts_given_back": 1}
    assert drafts.submit(held.pending_no).state is IdentityState.COMPLETED


def test_an_answer_that_comes_after_the_sweep_changes_nothing(drafts: DraftWorld) -> None:
    held = drafts.hold().draft

    def too_slow() -> None:
        drafts.now += 61
        drafts.sweep()

    drafts.verifier.meanwhile = too_slow
    drafts.verifier.outcome = VerificationOutcome.FAILED
    assert drafts.submit(held.pending_no).state is IdentityState.FORM
    assert status(drafts, held.pending_no) is DraftStatus.HELD


def test_a_suspended_merchants_draft_waits(drafts: DraftWorld) -> None:
    held = drafts.hold().draft
    drafts.world.change_merchant(drafts.merchant, status=MerchantStatus.SUSPENDED)
    assert drafts.submit(held.pending_no).state is IdentityState.UNAVAILABLE
    assert drafts.verifier.asked == 0


def test_the_move_that_ends_an_order_removes_the_payers_name(drafts: DraftWorld) -> None:
    done = drafts.submit(drafts.hold().draft.pending_no)
    assert done.order_no is not None
    move_order(done.order_no, Move.PAY, By(Actor.PAYER), drafts.moves, drafts.now)
    [paid] = drafts.world.items(drafts.world.tables.orders, "order")
    assert FORM.customer_name in str(paid["identity"])
    by = By(Actor.TRADER, str(paid["trader_id"]))
    move_order(done.order_no, Move.CONFIRM, by, drafts.moves, drafts.now)
    assert FORM.customer_name not in str(drafts.world.items(drafts.world.tables.orders))


def test_an_unpaid_order_expires_and_releases_its_trader(drafts: DraftWorld) -> None:
    trader = drafts.world.only_trader(max_open=1, daily_cap_fen=1000_00)
    done = drafts.submit(drafts.hold().draft.pending_no)
    assert done.order_no is not None
    drafts.now += PAY_WINDOW - 1
    assert drafts.sweep() == {}
    drafts.now += 1
    with pytest.raises(StateConflict, match="expired"):
        move_order(done.order_no, Move.PAY, By(Actor.PAYER), drafts.moves, drafts.now)
    with pytest.raises(StateConflict, match="expired"):
        move_order(done.order_no, Move.CANCEL, By(Actor.PAYER), drafts.moves, drafts.now)
    assert drafts.sweep() == {"orders_expired": 1}
    assert drafts.sweep() == {}
    after = drafts.world.trader(trader.trader_id)
    now, was = after.counts, trader.counts
    assert (now.available_micro, now.held_micro) == (was.available_micro, 0)
    assert (now.open_orders, now.daily_used_fen) == (0, 0)
    order = drafts.moves.moves.order(done.order_no)
    assert order is not None
    assert (order.status, order.sequence) == (OrderStatus.EXPIRED, 2)
    assert [entry.status for entry in order.timeline] == [OrderStatus.PENDING, OrderStatus.EXPIRED]
