"""Refusals of requests that cannot be read (contract sections 1 and 3)."""

from collections.abc import Iterable

from orderdesk.domain.errors import FieldProblem, Refusal

# Contract section 1: the size of a refusal does not depend on the request.
FIELDS_MAX = 20
FIELD_LENGTH_MAX = 128


class InvalidBody(Refusal):
    """The body is not a JSON object, or repeats a name (contract section 3, 1001)."""

    reason = "invalid_body"


class BodyTooLarge(InvalidBody):
    """The body is longer than 64 KiB (contract section 1)."""


class WrongContentType(InvalidBody):
    """The content type is not `application/json` (contract section 1)."""


class InvalidParameters(Refusal):
    """Missing or malformed parameters, all at once but bounded (contract sections 1 and 3, 1002).

    `data` has at most 20 of them, each field's name with at most 128 characters. With more problems
    it has `more`.
    """

    reason = "invalid_parameter"

    def __init__(self, problems: Iterable[FieldProblem]) -> None:
        super().__init__()
        self.problems = list(dict.fromkeys(problems))

    def data(self) -> dict[str, object]:
        shown = [
            {"field": shortened(entry.field), "problem": entry.problem}
            for entry in self.problems[:FIELDS_MAX]
        ]
        more = {"more": True} if len(self.problems) > FIELDS_MAX else {}
        return {"fields": shown, **more}


def shortened(field: str) -> str:
    """Cut a field's name to 128 characters."""
    return field if len(field) <= FIELD_LENGTH_MAX else f"{field[: FIELD_LENGTH_MAX - 1]}…"
