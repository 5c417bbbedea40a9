"""The texts of the desk in English; those of its lists are beside it."""

from orderdesk.domain.orders.order import ByStatus
from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.desk.en_lists import CALLS_EN, DUTY_EN, LISTS_EN, LOGIN_EN, SEARCH_EN
from orderdesk.web.pages.desk.en_settings import SETTINGS_EN
from orderdesk.web.pages.desk.texts import DeskTexts, OrderTexts
from orderdesk.web.pages.en import EN as SHARED
from orderdesk.web.pages.texts import Notice, QuestionTexts

_ORDER = OrderTexts(
    todo=ByType(
        buy=ByStatus(
            pending=Notice(
                "Waiting for the customer’s transfer",
                "Nothing to do yet. If the money has arrived already, you can confirm it.",
            ),
            paid=Notice(
                "Check whether the money has arrived",
                "The customer says it was transferred. Look into your account, not at the receipt "
                "alone, and confirm only the exact amount.",
            ),
            completed=Notice("Receipt confirmed", "You confirmed that the money has arrived."),
            cancelled=Notice(
                "Order cancelled",
                "Your USDT has been given back. Tell your operator if money arrives.",
            ),
            expired=Notice(
                "Time has run out", "Your USDT is given back. Tell your operator if money arrives."
            ),
            disputed=Notice(
                "Under review", "A member of staff is looking into it. Your USDT stays held."
            ),
            matching=None,
            assigned=None,
        ),
        sell=ByStatus(
            assigned=Notice(
                "Pay the customer",
                "Transfer the exact amount to the account below, send proof of it, then confirm.",
            ),
            completed=Notice("Payment confirmed", "The USDT has been credited to you."),
            cancelled=Notice(
                "Order cancelled", "Do not pay. Tell your operator if you already have."
            ),
            disputed=Notice(
                "Under review", "A member of staff is looking into it. Do not pay any more."
            ),
            pending=None,
            paid=None,
            matching=None,
            expired=None,
        ),
    ),
    lapsed=Notice(
        "Your time to answer is over",
        "The order may go to another trader at any moment. Do not start paying now. If you have "
        "paid already, send the proof and confirm at once.",
    ),
    receive="You receive",
    pay="You pay",
    usdt_out="You give",
    usdt_in="You get",
    rate="Rate",
    own_account="Your account",
    arrives_at="Arrives at",
    payer="Payer",
    payer_unknown="Not verified",
    reference="Transfer remark",
    pay_to="Pay to",
    open_code="Open the payment code",
    code_site="Leads to {site}. This site is not ours: the customer chose it. Never enter your "
    "access code there.",
    code_text="Payment code",
    proofs=ByType(buy="Customer’s receipts", sell="Your proof of payment"),
    none_proved="The customer has not sent one.",
    proof=Notice(
        "Proof of payment",
        "A screenshot of the finished transfer, with amount, time and payee. You can confirm once "
        "it has been received.",
    ),
    more_proof=Notice("More proof", "You can send up to 5 files."),
    proof_first="Send proof of payment first: then you can confirm here.",
    proof_missing=Notice("Nothing was changed", "Send proof of payment first, then confirm."),
    picture="Receipt {number}, picture",
    document="Receipt {number}, PDF",
    page="Page {page}",
    history="Progress",
    steps=ByStatus(
        pending="Created",
        paid="Payment reported",
        matching="Created",
        assigned="Assigned to you",
        completed="Completed",
        cancelled="Cancelled",
        expired="Expired",
        disputed="Review asked for",
    ),
    by_payer="by the customer",
    by_merchant="by the merchant",
    by_trader="by you",
    by_operator="by staff",
    by_clock="automatically",
    actions="Your answer",
    deadlines=ByStatus(
        pending="Customer’s time",
        paid="Answer within",
        assigned="Pay within",
        matching=None,
        completed=None,
        cancelled=None,
        expired=None,
        disputed=None,
    ),
    overdue="Overdue",
    suspended=Notice(
        "You are suspended",
        "Do nothing for this order, and pay nobody: operators settle it. Please ask your operator.",
    ),
    suspended_move=Notice("Nothing was changed", "You are suspended."),
    overtaken=Notice(
        "Nothing was changed", "The order had moved on already. This is how it stands now."
    ),
    confirm=ByType(
        buy=QuestionTexts(
            link="Confirm receipt",
            notice=Notice(
                "Has the money arrived?",
                "Confirm only if the exact amount is in your account. The USDT is paid out at "
                "once, which cannot be undone.",
            ),
            keep="Not yet",
            go="Yes, it has arrived",
        ),
        sell=QuestionTexts(
            link="Confirm payment",
            notice=Notice(
                "Have you paid the customer?",
                "Confirm only if the transfer of the exact amount has gone through.",
            ),
            keep="Not yet",
            go="Yes, I have paid",
        ),
    ),
    report=QuestionTexts(
        link="Nothing received",
        notice=Notice(
            "Report that nothing has arrived?",
            "Look into your account once more. A member of staff will look into it, and your "
            "USDT stays held until then.",
        ),
        keep="Keep waiting",
        go="Report it",
    ),
    decline=QuestionTexts(
        link="Give this order back",
        notice=Notice(
            "Give this order back?",
            "Do so only if you have not paid. Another trader will be asked instead.",
        ),
        keep="Keep the order",
        go="Give it back",
    ),
)


EN = DeskTexts(
    shared=SHARED,
    sides=ByType(buy="Buy · you receive", sell="Sell · you pay"),
    statuses=ByStatus(
        pending="Not paid yet",
        paid="Reported as paid",
        matching="Waiting for a trader",
        assigned="To be paid",
        completed="Completed",
        cancelled="Cancelled",
        expired="Expired",
        disputed="Under review",
    ),
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
    login=LOGIN_EN,
    duty=DUTY_EN,
    lists=LISTS_EN,
    search=SEARCH_EN,
    calls=CALLS_EN,
    settings=SETTINGS_EN,
    order=_ORDER,
)
