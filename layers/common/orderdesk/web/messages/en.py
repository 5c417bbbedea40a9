"""The pages' texts in English."""

from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.web.messages.desk_en import DESK_EN
from orderdesk.web.messages.identity_en import IDENTITY_EN
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_en import PAY_EN
from orderdesk.web.messages.texts import Messages

_CONTACT = "If you have already paid, contact the merchant and quote the order number."

EN = Messages(
    language_name="English",
    safety="orderdesk never asks for a password or a verification code.",
    test_order="Test order. Do not transfer real money.",
    reload="Reload this page",
    quote_number="If it keeps happening, quote this number:",
    problems={
        "order_not_found": Notice(
            "This link does not open an order",
            "It may be incomplete. Open it again from where you got it, or ask the merchant for "
            "a new one.",
        ),
        "try_again": Notice(
            "Very busy right now",
            "Your order is not affected. Please reload this page in a moment.",
        ),
        "too_many_requests": Notice(
            "Too many attempts", "Please wait a few minutes and reload this page."
        ),
        "not_same_origin": Notice(
            "This did not come from our page",
            "Nothing has been changed. Open the link again from where you got it, and continue "
            "there.",
        ),
        "bad_form": Notice(
            "What your browser sent could not be read",
            "Nothing has been changed. Please reload this page and try again.",
        ),
        "internal_error": Notice(
            "Something went wrong on our side",
            "Your order is not affected. Please reload this page in a moment.",
        ),
    },
    statuses={
        OrderStatus.PENDING: Notice(
            "Waiting for your transfer",
            "Transfer the exact amount to the payee shown here before the time runs out.",
        ),
        OrderStatus.PAID: Notice(
            "Payment reported",
            "The payee is checking that the money has arrived. There is nothing to do for you; "
            "please do not pay again.",
        ),
        OrderStatus.COMPLETED: Notice(
            "Payment complete",
            "The payee has received your transfer. You can close this page and go back to the "
            "merchant.",
        ),
        OrderStatus.CANCELLED: Notice(
            "Order cancelled", f"Please do not transfer money for this order. {_CONTACT}"
        ),
        OrderStatus.EXPIRED: Notice(
            "Time has run out",
            f"Please do not transfer money for this order any more. {_CONTACT}",
        ),
        OrderStatus.DISPUTED: Notice(
            "Payment under review",
            "A member of staff is looking into it. Please do not pay again, and keep the receipt "
            "of your transfer; this page will show the outcome.",
        ),
    },
    methods={
        MethodType.BANK: "Bank card",
        MethodType.WECHAT: "WeChat Pay",
        MethodType.ALIPAY: "Alipay",
    },
    steps={
        MethodType.BANK: (
            "In your bank’s app, transfer exactly this amount to this card number.",
            "Before you confirm, check that the payee’s name is the one shown here.",
            "Then report the payment on this page; the payee confirms that it has arrived.",
        ),
        MethodType.WECHAT: (
            (
                "Scan the payment code in WeChat and enter exactly this amount. To pay on the same "
                "phone, save the code as a picture and open it from WeChat’s scanner."
            ),
            "Before you confirm, check that the payee’s name fits the one shown here.",
            "Then report the payment on this page; the payee confirms that it has arrived.",
        ),
        MethodType.ALIPAY: (
            (
                "Scan the payment code in Alipay and enter exactly this amount. To pay on the same "
                "phone, save the code as a picture and open it from Alipay’s scanner."
            ),
            "Before you confirm, check that the payee’s name fits the one shown here.",
            "Then report the payment on this page; the payee confirms that it has arrived.",
        ),
    },
    amount_due="Amount to transfer",
    exact_amount="Exactly this amount, to the last fen.",
    time_left="Time left",
    pay_by="Pay by ",
    updated="Updated",
    time_zone=" (Beijing time)",
    transfer_to="Transfer to",
    next_title="What happens next",
    payee="Payee",
    bank="Bank",
    branch="Branch",
    card_number="Card number",
    account="Account",
    order_no="Order number",
    receiver="Paid to",
    payment_code="Payment code of the payee",
    copy="Copy",
    copied="Copied",
    not_live="This page does not update by itself in your browser.",
    check_now="Check again now",
    date="{t.day} {t:%b} {t.year}, {t:%H:%M}",
    identity=IDENTITY_EN,
    pay=PAY_EN,
    desk=DESK_EN,
)
