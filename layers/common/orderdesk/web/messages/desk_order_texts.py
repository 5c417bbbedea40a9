"""Which texts the desk's page of an order has, in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from orderdesk.domain.orders import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.transitions import Actor, Move
from orderdesk.web.messages.notices import Notice
from orderdesk.web.messages.pay_texts import QuestionTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTexts:
    """One order: `todo` says what to do, by its side and status."""

    todo: Mapping[tuple[OrderType, OrderStatus], Notice]
    lapsed: Notice
    receive: str
    pay: str
    usdt_out: str
    usdt_in: str
    rate: str
    own_account: str
    arrives_at: str
    payer: str
    payer_unknown: str
    pay_to: str
    open_code: str
    code_text: str
    proofs: Mapping[OrderType, str]
    none_proved: str
    proof: Notice
    more_proof: Notice
    proof_first: str
    proof_missing: Notice
    picture: str
    document: str
    history: str
    steps: Mapping[OrderStatus, str]
    by: Mapping[Actor, str]
    actions: str
    deadlines: Mapping[OrderStatus, str]
    overdue: str
    overtaken: Notice
    questions: Mapping[tuple[OrderType, Move], QuestionTexts]
