"""DynamoDB's limits of expressions that the emulator's engine does not enforce.

tests/support/limits.py has all limits; the tests compare both with DynamoDB Local.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

OPERATORS_MAX, LISTED_MAX = 300, 100
_TOKEN = re.compile(r"[#:]?\w+|<>|[<>]=|\S")
_LISTED = re.compile(r"\bin\s*\(([^)]*)\)", re.IGNORECASE)
_CLAUSE = re.compile(r"(?<![#:\w])(set|remove|add|delete)\s", re.IGNORECASE)
_COMPARED = ("=", "<>", "<", "<=", ">", ">=")
_WORDS = ("and", "or", "not", "in")
# The types of the values beside an operator or in a function.
_TYPES = {
    **dict.fromkeys("+-", frozenset({"N"})),
    **dict.fromkeys(("<", "<=", ">", ">=", "between"), frozenset({"N", "S", "B"})),
    "begins_with": frozenset({"S", "B"}),
    "attribute_type": frozenset({"S"}),
    "list_append": frozenset({"L"}),
}


def problem_of(asked: Mapping[str, Any]) -> str | None:
    """Return why DynamoDB refuses an expression of a request, or None."""
    for part in _parts(asked):
        values = part.get("ExpressionAttributeValues", {})
        types = tuple((name, *value) for name, value in values.items())
        names = tuple(part.get("ExpressionAttributeNames", {}).items())
        for kind, text in part.items():
            problem = _problem(kind, text, types, names) if kind.endswith("Expression") else None
            if problem is not None:
                return f"Invalid {kind}: {problem}"
    return None


def _parts(asked: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield asked
    for action in asked.get("TransactItems", ()):
        yield from action.values()


@lru_cache(2000)
def _problem(
    kind: str, text: str, types: Sequence[tuple[str, str]], names: Sequence[tuple[str, str]]
) -> str | None:
    tokens = [token.lower() if token[0] not in "#:" else token for token in _TOKEN.findall(text)]
    if _operators(tokens, is_update=kind == "UpdateExpression") > OPERATORS_MAX:
        return "The expression contains too many operators"
    if any(listed.count(",") >= LISTED_MAX for listed in _LISTED.findall(text)):
        return "The IN operator is provided with too many operands"
    if not _fits(tokens, dict(types)):
        return "Incorrect operand type for operator or function"
    return _repeated(text, dict(names)) if kind == "UpdateExpression" else None


def _operators(tokens: Sequence[str], *, is_update: bool) -> int:
    counted = ("+", "-") if is_update else (*_COMPARED, *_WORDS)
    functions = sum(
        name[0].isalpha() and name not in _WORDS and then == "(" for name, then in pairwise(tokens)
    )
    return functions + sum(token in counted for token in tokens)


def _fits(tokens: Sequence[str], types: Mapping[str, str]) -> bool:
    """Return whether each value has a type that its operator takes, and a range has one type."""
    for place, token in enumerate(tokens):
        if token not in _TYPES:
            continue
        if token == "between":
            operands = tokens[place + 1 : place + 4]
        elif "_" in token:
            operands = tokens[place : tokens.index(")", place)]
        else:
            operands = tokens[place - 1 : place + 2]
        of = {types[each] for each in operands if each in types}
        if not of <= _TYPES[token] or (token == "between" and len(of) > 1):
            return False
    return True


def _repeated(text: str, names: Mapping[str, str]) -> str | None:
    """Return what an update has twice: a clause, or an attribute."""
    _, *found = _CLAUSE.split(text)
    clauses = [word.upper() for word in found[::2]]
    if len(set(clauses)) < len(clauses):
        return "A section can only be used once in an update expression"
    flat = [re.sub(r"\([^)]*\)", "", actions) for actions in found[1::2]]
    paths = [re.split(r"[=:]", action)[0].strip() for each in flat for action in each.split(",")]
    whole = {re.sub(r"#\w+", lambda name: names.get(name[0], ""), path) for path in paths}
    if len(whole) < len(paths):
        return "Two document paths overlap with each other"
    return None
