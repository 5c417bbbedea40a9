"""The texts of the trader desk in English."""

from orderdesk.domain.ledger import TransferKind
from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.web.messages.desk_order_en import DESK_ORDER_EN
from orderdesk.web.messages.desk_texts import DeskTexts, DoorTexts, DutyTexts, ListTexts
from orderdesk.web.messages.notices import Notice

_BUY, _SELL = OrderType.BUY, OrderType.SELL

_DOOR = DoorTexts(
    notice=Notice("Trader desk", "Log in with the access code you were given."),
    access_code="Access code",
    access_code_hint="Seven groups of four characters. Capitals and hyphens do not matter.",
    show_code="Show what I type",
    wrong_code="This access code is not known. Check it, or ask your operator for a new one.",
    log_in="Log in",
    log_out="Log out",
    safety="Never give your access code to anybody. Staff will not ask you for it.",
    back_from_upload=Notice("Your file has been sent", "One moment: you are being taken back."),
    continue_="Continue",
)

_DUTY = DutyTexts(
    on=Notice("On duty", "New orders may come to you."),
    off=Notice("Off duty", "No new orders come to you. Open orders still need an answer."),
    suspended=Notice(
        "Suspended",
        "No new orders come to you. Please finish the open ones, and ask your operator.",
    ),
    go_on="Go on duty",
    go_off="Go off duty",
    refused=Notice("You were not put on duty", "You are suspended. Please ask your operator."),
)

_LISTS = ListTexts(
    orders="Orders",
    none_open=Notice("No open orders", "What comes to you shows here, the most urgent first."),
    history="History",
    history_advice="Orders that are over, the newest first.",
    none_over=Notice("Nothing here yet", "Orders move here once they are over."),
    balance="Balance",
    available="Available",
    held="Held for open orders",
    held_advice="Held USDT is paid out or given back when its order ends.",
    postings="Statement",
    none_posted=Notice("Nothing here yet", "Every change of your balance will show here."),
    kinds={TransferKind.FUNDING: "Funding", TransferKind.SETTLEMENT: "Order settled"},
    order="Order",
    times="Times are Beijing time.",
    older="Older",
    newest="Back to the newest",
    not_live="This page does not update by itself in your browser.",
    reload="Reload",
    changed="Your orders have changed.",
    show_changes="Reload this page",
)

DESK_EN = DeskTexts(
    sides={_BUY: "Buy · you receive", _SELL: "Sell · you pay"},
    statuses={
        OrderStatus.PENDING: "Not paid yet",
        OrderStatus.PAID: "Reported as paid",
        OrderStatus.MATCHING: "Waiting for a trader",
        OrderStatus.ASSIGNED: "To be paid",
        OrderStatus.COMPLETED: "Completed",
        OrderStatus.CANCELLED: "Cancelled",
        OrderStatus.EXPIRED: "Expired",
        OrderStatus.DISPUTED: "Under review",
    },
    test="Test",
    problems={
        "order_not_found": Notice(
            "There is no such order at your desk",
            "It may have gone to another trader, or the address is incomplete.",
        ),
        "try_again": Notice(
            "Very busy right now", "Please try again in a moment: asking twice does no harm."
        ),
        "too_many_requests": Notice(
            "Too many attempts", "Please wait a few minutes and try again."
        ),
        "not_same_origin": Notice(
            "This did not come from our page",
            "Nothing has been changed. Open the desk anew and continue there.",
        ),
        "bad_form": Notice(
            "What your browser sent could not be read",
            "Nothing has been changed. Please open the desk anew and try again.",
        ),
        "internal_error": Notice(
            "Something went wrong on our side",
            "Before you repeat anything, look at the order: it shows how it stands now.",
        ),
    },
    back_to_orders="Back to the orders",
    navigation="Desk",
    door=_DOOR,
    duty=_DUTY,
    lists=_LISTS,
    order=DESK_ORDER_EN,
)
