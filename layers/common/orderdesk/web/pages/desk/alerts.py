"""What the desk tells a trader whose move was refused."""

from dataclasses import dataclass

from orderdesk.domain.orders.errors import ProofMissing, StateConflict, TooManyReceipts
from orderdesk.domain.orders.notes import TooManyNotes
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.dispute.words import full_alert
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.uploads import unfit_alert

type InVain = (
    StateConflict | ProofMissing | TooManyReceipts | TooManyNotes | TraderSuspended | UnfitReceipt
)

IN_VAIN = (
    *(StateConflict, ProofMissing, TooManyReceipts, TooManyNotes),
    *(TraderSuspended, UnfitReceipt),
)
"""Refusals that an order's page shows as an alert above the order."""

_FORBIDDEN, _CONFLICT, _UNPROCESSABLE = 403, 409, 422


@dataclass(frozen=True, slots=True)
class Alert:
    """Why a move was refused, and the page's HTTP status."""

    notice: Notice
    status: int


def alert_for(refusal: InVain, language: Language) -> Alert:
    """Give the alert of a refusal."""
    texts = TEXTS[language].order
    match refusal:
        case StateConflict():
            return Alert(texts.overtaken, _CONFLICT)
        case ProofMissing():
            return Alert(texts.proof_missing, _UNPROCESSABLE)
        case TooManyReceipts():
            return Alert(unfit_alert(ReceiptProblem.TOO_MANY, language), _UNPROCESSABLE)
        case TooManyNotes():
            return Alert(full_alert(language), _UNPROCESSABLE)
        case TraderSuspended():
            return Alert(texts.suspended_move, _FORBIDDEN)
        case UnfitReceipt():
            return Alert(unfit_alert(refusal.problem, language), _UNPROCESSABLE)
