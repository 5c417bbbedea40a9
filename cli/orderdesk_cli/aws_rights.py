"""What AWS does not allow: which right is missing, and which role has it (contract section 10)."""

import re

from botocore.exceptions import ClientError

from orderdesk.adapters.sending import error_code

_CODES = frozenset({"AccessDenied", "AccessDeniedException"})
_SAID = re.compile(
    r"User: (?P<who>\S+) is not authorized to perform: (?P<right>\S+)"
    r"(?: on resource: (?P<resource>\S+))?"
)
_ROLES = "viewers read, support also moves orders, finance also moves money"


def is_denied(error: Exception) -> bool:
    """Tell whether IAM does not allow a request."""
    return isinstance(error, ClientError) and error_code(error) in _CODES


def missing_right(error: ClientError) -> str:
    """Name the user and the right that it lacks, as far as AWS says."""
    message = error.response.get("Error", {}).get("Message", "")
    said = _SAID.search(message)
    if said is None:
        return f"AWS does not allow {error.operation_name}: {message} ({_ROLES})"
    where = f" on {said['resource']}" if said["resource"] else ""
    return f"{said['who']} lacks the right {said['right']}{where} ({_ROLES})"
