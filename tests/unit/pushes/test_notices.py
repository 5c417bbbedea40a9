"""Which changes cause a push: those at which the desk's script alerts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.desk_lists import CALLING_LISTS, desk_list
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import AskedSide, Note, with_note_counted
from orderdesk.domain.orders.order import ANSWER_SECONDS, Order, OrderStatus, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.pushes.notices import Push, PushNotice, UnreadablePush, latest, notice_of
from tests.support.order_walks import NOW, Step, draft_steps, moved, moves, other_changes
from tests.support.orders import order_in

SINCE = 1_795_268_000
RECEIPTS = (Receipt("late", "image/png", 1, NOW),)
BUY, SELL = OrderType.BUY, OrderType.SELL


def order(side: OrderType, status: OrderStatus, expire_time: int | None = SINCE + 900) -> Order:
    return replace(order_in(side, status, since=SINCE), expire_time=expire_time)


def test_a_new_buy_a_payment_and_an_assignment_are_news() -> None:
    pending, paid = order(BUY, OrderStatus.PENDING), order(BUY, OrderStatus.PAID)
    assert notice_of(None, pending) == PushNotice("t1", SINCE + 900)
    assert notice_of(pending, paid) == PushNotice("t1", SINCE + 1800)
    matching, assigned = order(SELL, OrderStatus.MATCHING), order(SELL, OrderStatus.ASSIGNED)
    assert notice_of(None, matching) is None
    assert notice_of(matching, assigned) == PushNotice("t1", SINCE + 900)


def test_each_question_of_support_to_the_trader_is_news() -> None:
    disputed = order(BUY, OrderStatus.DISPUTED)
    asked = with_note_counted(disputed, Note(Actor.OPERATOR, SINCE + 60, "?", AskedSide.TRADER))
    assert notice_of(disputed, asked) == PushNotice("t1", SINCE + 60 + ANSWER_SECONDS)
    again = with_note_counted(asked, Note(Actor.OPERATOR, SINCE + 90, "??", AskedSide.BOTH))
    assert notice_of(asked, again) == PushNotice("t1", SINCE + 90 + ANSWER_SECONDS)
    answered = with_note_counted(again, Note(Actor.TRADER, SINCE + 99, "!"))
    assert notice_of(again, answered) is None
    to_payer = with_note_counted(disputed, Note(Actor.OPERATOR, SINCE + 60, "?", AskedSide.PAYER))
    assert notice_of(disputed, to_payer) is None


@pytest.mark.parametrize("by", [Actor.PAYER, Actor.MERCHANT, Actor.OPERATOR, Actor.CLOCK])
def test_a_dispute_that_the_trader_must_answer_is_news(by: Actor) -> None:
    paid = order(BUY, OrderStatus.PAID)
    disputed = moved(paid, Move.DISPUTE, by)
    assert notice_of(paid, disputed) == PushNotice("t1", disputed.since + ANSWER_SECONDS)
    answered = with_note_counted(disputed, Note(Actor.TRADER, disputed.since + 9, "!"))
    assert notice_of(disputed, answered) is None


def test_a_late_payment_is_news_and_a_traders_own_report_is_none() -> None:
    expired = replace(order(BUY, OrderStatus.EXPIRED), expire_time=NOW, receipts=RECEIPTS)
    assert notice_of(expired, moved(expired, Move.PAY_LATE, Actor.PAYER)) == PushNotice(
        "t1", NOW + ANSWER_SECONDS
    )
    paid = order(BUY, OrderStatus.PAID)
    assert notice_of(paid, moved(paid, Move.DISPUTE, Actor.TRADER)) is None


def test_another_trader_is_told_of_the_order_that_it_gets() -> None:
    mine = order(SELL, OrderStatus.ASSIGNED)
    assert notice_of(mine, replace(mine, trader_id="t2")) == PushNotice("t2", SINCE + 900)


@pytest.mark.parametrize(
    "step", [*moves(), *draft_steps(), *other_changes()], ids=lambda step: step.name
)
def test_what_ends_or_waits_for_staff_and_what_is_no_move_is_no_news(step: Step) -> None:
    after = step.after
    is_over = isinstance(after, Draft) or desk_list(after) not in CALLING_LISTS
    is_no_move = step.before is not None and step.before.sequence == after.sequence
    if is_over or is_no_move:
        assert notice_of(step.before, after) is None


def test_many_orders_of_a_trader_are_one_push() -> None:
    notices = [PushNotice("t1", 5), PushNotice("t2", 6), PushNotice("t1", 9), PushNotice("t1", 7)]
    assert latest(notices) == [PushNotice("t1", 9), PushNotice("t2", 6)]


@given(st.builds(Push, st.text(), st.text(), st.integers()))
def test_a_push_is_read_as_it_was_written(push: Push) -> None:
    assert Push.from_json(push.to_json()) == push


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"trader_id":"t","device":"d"}', "1e9"])
def test_what_is_no_push_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePush):
        Push.from_json(text)
