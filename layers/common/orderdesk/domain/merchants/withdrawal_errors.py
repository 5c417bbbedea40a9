"""Why a merchant's withdrawal request, or a change of its address book, is refused."""

from enum import StrEnum

from orderdesk.domain.errors import CommitLost, Refusal


class WithdrawalProblem(StrEnum):
    """What is wrong; the portal has a text for each."""

    BAD_ADDRESS = "bad_address"
    BAD_LABEL = "bad_label"
    ADDRESS_KNOWN = "address_known"
    BOOK_FULL = "book_full"
    UNKNOWN_ADDRESS = "unknown_address"
    ADDRESS_RESTS = "address_rests"
    BAD_AMOUNT = "bad_amount"
    BAD_MEMO = "bad_memo"
    BALANCE_TOO_LOW = "balance_too_low"
    TOO_MANY_OPEN = "too_many_open"
    STALE_FORM = "stale_form"
    UNKNOWN_REQUEST = "unknown_request"
    TAKEN_UP = "taken_up"


class WithdrawalRefused(Refusal):
    """The request or change is not possible; nothing was changed."""

    reason = "withdrawal_refused"

    def __init__(self, problem: WithdrawalProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class RequestNoTaken(CommitLost):
    """A request with this number exists."""
