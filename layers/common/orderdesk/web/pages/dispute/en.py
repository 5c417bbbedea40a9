"""The texts of a dispute in English."""

from orderdesk.domain.pricing import ByType
from orderdesk.web.pages.dispute.texts import DisputeTexts, ProblemTexts

_CARE = "Up to 500 characters. Never write a password or a code."

EN = DisputeTexts(
    title="The review, step by step",
    you="You",
    payer="Customer",
    trader="Payee",
    merchant="Merchant",
    operator="Support",
    clock="Automatic",
    disputed="Review asked for",
    completed="Review over: payment complete",
    cancelled="Review over: order cancelled",
    question_to_you="Question to you",
    question_to_both="Question to both sides",
    question_to_payer="Question to the customer",
    question_to_trader="Question to the payee",
    picture="Picture {number}",
    document="PDF {number}",
    page="Page {page}",
    sent_by="{what}, sent by: {who}",
    reason="What have you checked, and what did you find?",
    optional_reason="What happened? (optional)",
    answer="Your answer",
    add="Add something",
    read_by_trader=f"The payee and our support read this and see your pictures. {_CARE}",
    read_by=ByType(
        buy=f"The customer and our support read this and see your pictures. {_CARE}",
        sell=f"Our support reads this and sees your pictures. {_CARE}",
    ),
    send="Send",
    file="Picture or PDF",
    send_file="Send the picture",
    full="You have written all that can be kept here. Support may ask you more.",
    problems=ProblemTexts(
        missing="Please write a few words.",
        too_long="Please write at most 500 characters.",
        controls="The text has characters that cannot be shown. Please type it anew.",
        too_many="You have sent all that can be kept. Support has it.",
    ),
)
