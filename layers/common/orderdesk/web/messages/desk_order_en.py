"""The texts of the desk's page of an order in English."""

from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.transitions import Actor, Move
from orderdesk.web.messages.desk_order_texts import OrderTexts
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_texts import QuestionTexts

_BUY, _SELL = OrderType.BUY, OrderType.SELL

DESK_ORDER_EN = OrderTexts(
    todo={
        (_BUY, OrderStatus.PENDING): Notice(
            "Waiting for the customer’s transfer",
            "Nothing to do yet. If the money has arrived already, you can confirm it.",
        ),
        (_BUY, OrderStatus.PAID): Notice(
            "Check whether the money has arrived",
            "The customer says it was transferred. Look into your account, not at the receipt "
            "alone, and confirm only the exact amount.",
        ),
        (_BUY, OrderStatus.COMPLETED): Notice(
            "Receipt confirmed", "You confirmed that the money has arrived."
        ),
        (_BUY, OrderStatus.CANCELLED): Notice(
            "Order cancelled", "Your USDT has been given back. Tell your operator if money arrives."
        ),
        (_BUY, OrderStatus.EXPIRED): Notice(
            "Time has run out", "Your USDT is given back. Tell your operator if money arrives."
        ),
        (_BUY, OrderStatus.DISPUTED): Notice(
            "Under review", "A member of staff is looking into it. Your USDT stays held."
        ),
        (_SELL, OrderStatus.ASSIGNED): Notice(
            "Pay the customer",
            "Transfer the exact amount to the account below, send proof of it, then confirm.",
        ),
        (_SELL, OrderStatus.COMPLETED): Notice(
            "Payment confirmed", "The USDT has been credited to you."
        ),
        (_SELL, OrderStatus.CANCELLED): Notice(
            "Order cancelled", "Do not pay. Tell your operator if you already have."
        ),
        (_SELL, OrderStatus.DISPUTED): Notice(
            "Under review", "A member of staff is looking into it. Do not pay any more."
        ),
    },
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
    pay_to="Pay to",
    open_code="Open the payment code",
    code_text="Payment code",
    proofs={_BUY: "Customer’s receipts", _SELL: "Your proof of payment"},
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
    history="Progress",
    steps={
        OrderStatus.PENDING: "Created",
        OrderStatus.PAID: "Payment reported",
        OrderStatus.MATCHING: "Created",
        OrderStatus.ASSIGNED: "Assigned to you",
        OrderStatus.COMPLETED: "Completed",
        OrderStatus.CANCELLED: "Cancelled",
        OrderStatus.EXPIRED: "Expired",
        OrderStatus.DISPUTED: "Review asked for",
    },
    by={
        Actor.PAYER: "by the customer",
        Actor.MERCHANT: "by the merchant",
        Actor.TRADER: "by you",
        Actor.OPERATOR: "by staff",
        Actor.CLOCK: "automatically",
    },
    actions="Your answer",
    deadlines={
        OrderStatus.PENDING: "Customer’s time",
        OrderStatus.PAID: "Answer within",
        OrderStatus.ASSIGNED: "Pay within",
    },
    overdue="Overdue",
    overtaken=Notice(
        "Nothing was changed", "The order had moved on already. This is how it stands now."
    ),
    questions={
        (_BUY, Move.CONFIRM): QuestionTexts(
            link="Confirm receipt",
            notice=Notice(
                "Has the money arrived?",
                "Confirm only if the exact amount is in your account. The USDT is paid out at "
                "once, which cannot be undone.",
            ),
            keep="Not yet",
            go="Yes, it has arrived",
        ),
        (_BUY, Move.DISPUTE): QuestionTexts(
            link="Nothing received",
            notice=Notice(
                "Report that nothing has arrived?",
                "Look into your account once more. A member of staff will look into it, and your "
                "USDT stays held until then.",
            ),
            keep="Keep waiting",
            go="Report it",
        ),
        (_SELL, Move.CONFIRM): QuestionTexts(
            link="Confirm payment",
            notice=Notice(
                "Have you paid the customer?",
                "Confirm only if the transfer of the exact amount has gone through.",
            ),
            keep="Not yet",
            go="Yes, I have paid",
        ),
        (_SELL, Move.DECLINE): QuestionTexts(
            link="Give this order back",
            notice=Notice(
                "Give this order back?",
                "Do so only if you have not paid. Another trader will be asked instead.",
            ),
            keep="Keep the order",
            go="Give it back",
        ),
    },
)
