"""What goes wrong, as one line for the operator and an exit code (contract section 9)."""

from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError

from orderdesk.adapters.sending import error_code
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.operators import OperatorRefusal, UnacceptableTerms
from orderdesk_cli.aws_rights import is_denied, missing_right
from orderdesk_cli.confirmation import Declined, UnattendedBulk
from orderdesk_cli.stacks import StackUnavailable

REFUSED = 1
USAGE = 2

# After `TryAgain` a write that was not answered may have been done.
UNDECIDED = (
    "the tables do not answer or are too busy; see `orderdesk audit` for whether it was done "
    "before you repeat it"
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What to tell, and with which exit code."""

    message: str
    exit_code: int


def complaint_about(error: Exception) -> Complaint | None:
    """Say what an error means to the operator; None for a bug, whose traceback is shown."""
    match error:
        case UnacceptableTerms():
            return Complaint(_one_line(str(error)), USAGE)
        case OperatorRefusal() | StackUnavailable() | Declined() | UnattendedBulk():
            return Complaint(_one_line(str(error)), REFUSED)
        case TryAgain():
            return Complaint(UNDECIDED, REFUSED)
        case ClientError():
            told = missing_right(error) if is_denied(error) else _refused(error)
            return Complaint(_one_line(told), REFUSED)
        case BotoCoreError():
            return Complaint(_one_line(f"AWS: {error}"), REFUSED)
        case _:
            return None


def _refused(error: ClientError) -> str:
    said = error.response.get("Error", {}).get("Message", "")
    return f"AWS refused {error.operation_name}: {error_code(error)} {said}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
