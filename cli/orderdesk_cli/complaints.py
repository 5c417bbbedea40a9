"""What goes wrong, as lines for the operator and an exit code (contract section 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orderdesk_cli.answering import Declined
from orderdesk_cli.api import Api, NoAnswer, NotAllowed, Refused, StackUnavailable

REFUSED = 1
USAGE = 2
WAITS = 3

_ROLES = "viewers read, support also moves orders, finance also moves money"
_UNDECIDED = "see `orderdesk audit` for whether it was done before you repeat it"


@dataclass(frozen=True, slots=True)
class Complaint:
    """What to print on stderr, and with which exit code to end."""

    lines: Sequence[str]
    exit_code: int = REFUSED


def complaint_about(error: Exception, api: Api | None, *, writes: bool) -> Complaint | None:
    """Return what an error means to the operator; None for a bug, whose traceback is shown."""
    match error:
        case Refused(is_usage=True):
            problems = [f"{field}: {problem}" for field, problem in error.fields]
            return Complaint(problems or [error.detail], USAGE)
        case Refused() | Declined() | StackUnavailable():
            return Complaint([str(error)])
        case NotAllowed():
            return Complaint([_not_allowed(error, api)])
        case NoAnswer():
            return Complaint([f"no answer: {error}" + (f"; {_UNDECIDED}" if writes else "")])
        case OSError(filename=str(name), strerror=str(why)):
            return Complaint([f"{name}: {why}"])
    return _of_aws(error)


def _not_allowed(error: NotAllowed, api: Api | None) -> str:
    """Name the command that is not allowed, and the role that has it if the API returns it."""
    if not error.is_missing_right:
        return f"AWS refused {error.command}: {error.message}"
    if "explicit deny" in error.message:
        return f"AWS refused {error.command} from here: {error.message}"
    if error.alone:
        return f"you may not call {error.command} alone: only an administrator of AWS may"
    try:
        roles = api.call("rights.list").get("roles") if api else None
    except Exception:  # noqa: BLE001 it is only said if it can be found
        roles = None
    role = roles.get(error.command) if isinstance(roles, Mapping) else None
    which = f"the role {role} has it" if role else _ROLES
    return f"you may not call {error.command} ({which})"


def _of_aws(error: Exception) -> Complaint | None:
    if not type(error).__module__.startswith("botocore."):
        return None
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 loaded already where it matters

    if isinstance(error, ClientError):
        said = error.response.get("Error", {})
        code, message = said.get("Code", ""), said.get("Message", "")
        text = f"AWS refused {error.operation_name}: {code} {message}"
        return Complaint([" ".join(text.split())])
    return Complaint([f"AWS: {error}"]) if isinstance(error, BotoCoreError) else None
