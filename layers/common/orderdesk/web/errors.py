"""Why a request cannot be read (contract sections 1 and 3)."""

from orderdesk.domain.errors import FieldProblem, Refusal


class InvalidBody(Refusal):
    """The body is no JSON object, or repeats a name (contract section 3, 1001)."""

    reason = "invalid_body"


class BodyTooLarge(InvalidBody):
    """The body is longer than 64 KiB (contract section 1)."""


class WrongContentType(InvalidBody):
    """The content type is not `application/json` (contract section 1)."""


class InvalidParameters(Refusal):
    """Missing or malformed parameters; lists all of them at once (contract section 3, 1002)."""

    reason = "invalid_parameter"

    def __init__(self, problems: list[FieldProblem]) -> None:
        super().__init__(", ".join(p.field for p in problems))
        self.problems = problems

    def data(self) -> dict[str, object]:
        return {"fields": [{"field": p.field, "problem": p.problem} for p in self.problems]}
