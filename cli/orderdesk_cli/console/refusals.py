"""What goes wrong, as a page: its HTTP status and its words. A missing right is named."""

from dataclasses import dataclass
from http import HTTPStatus

import typer
from botocore.exceptions import BotoCoreError, ClientError

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.orders.errors import StateConflict
from orderdesk_cli.aws_rights import is_denied
from orderdesk_cli.refusals import complaint_about


@dataclass(frozen=True, slots=True)
class Problem:
    """A page that says why something cannot be done."""

    status: HTTPStatus
    title: str
    text: str


NO_SUCH_PAGE = Problem(
    HTTPStatus.NOT_FOUND, "There is no such page", "Choose a section above, or find a number."
)


def problem_of(error: Exception) -> Problem | None:
    """Say what an error means to the operator; None for a bug."""
    complaint = complaint_about(error)
    match error:
        case typer.BadParameter():
            text = error.message
            return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "Not filled in right", text)
        case StateConflict():
            text = f"It is {error.status} now. Look at it again before you decide."
            return Problem(HTTPStatus.CONFLICT, "It has moved meanwhile", text)
        case _ if complaint is None:
            return None
        case _ if is_denied(error):
            title = "You do not have the right to do this"
            return Problem(HTTPStatus.FORBIDDEN, title, complaint.message)
        case _:
            status, title = _status_of(error)
            return Problem(status, title, complaint.message)


def _status_of(error: Exception) -> tuple[HTTPStatus, str]:
    match error:
        case UnacceptableTerms():
            return HTTPStatus.UNPROCESSABLE_ENTITY, "Not filled in right"
        case UnknownId():
            return HTTPStatus.NOT_FOUND, "There is no such thing"
        case TryAgain():
            return HTTPStatus.SERVICE_UNAVAILABLE, "AWS does not answer"
        case ClientError() | BotoCoreError():
            return HTTPStatus.BAD_GATEWAY, "AWS refused"
        case _:
            return HTTPStatus.CONFLICT, "This cannot be done"
