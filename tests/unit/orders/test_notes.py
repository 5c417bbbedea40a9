"""A dispute's notes: texts without controls, each once, and a limited number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.desk_lists import DeskList, desk_due, desk_list
from orderdesk.domain.orders.notes import (
    PICTURES_MAX,
    QUESTIONS_MAX,
    TEXT_LENGTH_MAX,
    TEXTS_MAX,
    AskedSide,
    Note,
    TextProblem,
    UnfitText,
    answer_due,
    can_be_asked,
    is_kept,
    note_text,
    open_question,
    since_parties_spoke,
    takes_picture,
    takes_text,
    with_note_counted,
)
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.plain_text import is_control
from orderdesk.domain.pricing import OrderType
from tests.support.order_walks import Step, moves
from tests.support.orders import desk_order

PAYER, TRADER, OPERATOR = Actor.PAYER, Actor.TRADER, Actor.OPERATOR


def said(by: Actor, text: str = "…", asked: AskedSide | None = None) -> Note:
    return Note(by, 1, text, asked)


def sent(by: Actor) -> Note:
    return Note(by, 1, picture=Receipt("rendered/B1/dispute/payer/1/a", "image/png", 1, 1))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", TextProblem.MISSING),
        (" \r\n ", TextProblem.MISSING),
        ("钱" * (TEXT_LENGTH_MAX + 1), TextProblem.TOO_LONG),
        ("a\x1b[2J", TextProblem.CONTROLS),
        ("a\x00", TextProblem.CONTROLS),
        ("abc\u202edef", TextProblem.CONTROLS),
        ("a\u200bb", TextProblem.CONTROLS),
    ],
)
def test_a_text_that_cannot_be_shown_is_not_kept(text: str, problem: TextProblem) -> None:
    with pytest.raises(UnfitText) as refused:
        note_text(text)
    assert refused.value.problem is problem


def test_lines_stay_and_blanks_around_go() -> None:
    assert note_text("  one\r\n\r\ntwo 三 \n") == "one\n\ntwo 三"


@given(st.text())
def test_what_is_kept_is_short_and_plain(text: str) -> None:
    try:
        kept = note_text(text)
    except UnfitText:
        return
    assert 0 < len(kept) <= TEXT_LENGTH_MAX
    assert not any(is_control(letter) for letter in kept.replace("\n", ""))
    assert note_text(kept) == kept


def test_the_same_form_is_kept_once_and_a_newer_one_again() -> None:
    notes = [said(TRADER, "no"), said(OPERATOR, "sure?", AskedSide.TRADER)]
    assert is_kept(said(TRADER, "no"), notes, seen=0)
    assert not is_kept(said(TRADER, "no"), notes, seen=1), "its page showed the first one"
    assert not is_kept(said(PAYER, "no"), notes)
    assert not is_kept(said(TRADER, "yes"), notes)


def test_a_question_is_asked_again_once_somebody_has_spoken() -> None:
    question = said(OPERATOR, "which bank?", AskedSide.BOTH)
    notes = [said(TRADER), question]
    assert is_kept(question, notes, since_parties_spoke(notes))
    notes.append(said(PAYER))
    assert not is_kept(question, notes, since_parties_spoke(notes))
    assert since_parties_spoke([]) == 0


@pytest.mark.parametrize("by", [PAYER, TRADER])
def test_a_question_always_leaves_room_for_its_answer(by: Actor) -> None:
    notes = [said(by) for _ in range(TEXTS_MAX)]
    assert not takes_text(notes, by)
    other = AskedSide.TRADER if by is PAYER else AskedSide.PAYER
    assert not takes_text([*notes, said(OPERATOR, asked=other)], by)
    notes.append(said(OPERATOR, asked=AskedSide.BOTH))
    assert takes_text(notes, by)
    notes.append(said(by))
    assert not takes_text(notes, by)


def test_questions_and_pictures_are_bounded_by_their_author() -> None:
    questions = [said(OPERATOR, asked=AskedSide.BOTH) for _ in range(QUESTIONS_MAX)]
    assert takes_text(questions[1:], OPERATOR)
    assert not takes_text(questions, OPERATOR)
    pictures = [sent(PAYER) for _ in range(PICTURES_MAX)]
    assert takes_text(pictures, PAYER)
    assert takes_picture(pictures[1:], PAYER)
    assert not takes_picture(pictures, PAYER)
    assert takes_picture(pictures, TRADER)


def test_a_question_is_open_until_its_answer() -> None:
    question = said(OPERATOR, asked=AskedSide.PAYER)
    assert open_question([said(PAYER), question, said(TRADER)], PAYER) == question
    assert open_question([question, said(PAYER)], PAYER) is None
    assert open_question([question], TRADER) is None


NOTES = st.builds(
    Note, st.sampled_from([PAYER, TRADER, OPERATOR]), st.integers(1, 99), st.just("…")
)
QUESTIONS = st.builds(
    Note, st.just(OPERATOR), st.integers(1, 99), st.just("?"), st.sampled_from(AskedSide)
)


@given(st.lists(NOTES | QUESTIONS, max_size=12))
def test_the_order_knows_which_questions_are_open(notes: list[Note]) -> None:
    order = desk_order(OrderType.BUY, OrderStatus.DISPUTED, 0)
    for note in notes:
        order = with_note_counted(order, note)
    state = order.dispute
    for by, asked_at in ((PAYER, state.payer_asked_at), (TRADER, state.trader_asked_at)):
        question = open_question(notes, by)
        assert asked_at == (None if question is None else question.time)
    assert order.dispute.notes == len(notes)


@pytest.mark.parametrize(
    "step", [step for step in moves() if " disputed" in step.name], ids=lambda step: step.name
)
def test_the_desk_wants_the_traders_answer_until_it_is_due(step: Step) -> None:
    order = step.after
    assert isinstance(order, Order)
    if order.status is not OrderStatus.DISPUTED:
        return
    due = answer_due(order, (), TRADER)
    assert desk_due(order) == due
    assert (due is None) == (order.timeline[-1].by == TRADER)
    assert desk_list(order) is (DeskList.STAFF if due is None else DeskList.TRADER)
    answer = Note(TRADER, order.since + 60, "…")
    answered = with_note_counted(order, answer)
    assert desk_due(answered) == answer_due(answered, (answer,), TRADER) is None
    assert desk_list(answered) is DeskList.STAFF


def test_the_customer_of_a_sell_is_not_asked() -> None:
    buy, sell = (desk_order(side, OrderStatus.DISPUTED, 0) for side in OrderType)
    assert all(can_be_asked(buy, to) for to in AskedSide)
    assert [to for to in AskedSide if can_be_asked(sell, to)] == [AskedSide.TRADER]
