"""The texts of a dispute that its payer and its trader need in every language."""

from dataclasses import dataclass

from orderdesk.domain.orders.notes import TextProblem
from orderdesk.domain.pricing import ByType


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemTexts:
    """What is wrong with a text that was sent."""

    missing: str
    too_long: str
    controls: str
    too_many: str

    def of(self, problem: TextProblem) -> str:
        """Give a problem's text."""
        match problem:
            case TextProblem.MISSING:
                return self.missing
            case TextProblem.TOO_LONG:
                return self.too_long
            case TextProblem.CONTROLS:
                return self.controls


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeTexts:
    """All texts of a dispute in one language.

    `payer` names the payer to its trader, `trader` the trader to its payer; `you` is the reader.
    `read_by_trader` says who reads what a payer writes, `read_by` what a trader writes, by side.
    """

    title: str
    you: str
    payer: str
    trader: str
    merchant: str
    operator: str
    clock: str
    disputed: str
    completed: str
    cancelled: str
    question_to_you: str
    question_to_both: str
    question_to_payer: str
    question_to_trader: str
    picture: str
    document: str
    page: str
    sent_by: str
    reason: str
    optional_reason: str
    answer: str
    add: str
    read_by_trader: str
    read_by: ByType[str]
    send: str
    file: str
    send_file: str
    full: str
    problems: ProblemTexts
