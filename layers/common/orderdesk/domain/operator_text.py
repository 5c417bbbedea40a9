"""Names, memos and reasons that operators write: free text, but one line of it."""

import unicodedata

from orderdesk.domain.errors import FieldProblem

NAME_LENGTH_MAX = 64
REMARK_LENGTH_MAX = 255


def name_problems(field: str, text: str) -> list[FieldProblem]:
    """List what is wrong with a name: 1 to 64 characters of visible text."""
    return required_text_problems(field, text, NAME_LENGTH_MAX)


def required_text_problems(
    field: str, text: str, length_max: int = REMARK_LENGTH_MAX
) -> list[FieldProblem]:
    """List what is wrong with a text that must be there; lengths count characters."""
    if not text.strip():
        return [FieldProblem(field, "must not be empty")]
    return text_problems(field, text, length_max)


def text_problems(field: str, text: str, length_max: int = REMARK_LENGTH_MAX) -> list[FieldProblem]:
    """List what is wrong with a text that may be empty; lengths count characters."""
    problems = []
    if len(text) > length_max:
        problems.append(FieldProblem(field, f"at most {length_max} characters"))
    # Unicode's classes C: control, format, surrogate (bytes that were no UTF-8), unassigned.
    if any(unicodedata.category(character)[0] == "C" for character in text):
        problems.append(FieldProblem(field, "must not hold control characters"))
    return problems
