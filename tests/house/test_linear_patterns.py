"""Every regular expression takes time in proportion to its text, however hostile the text is.

A caller can send 2 MB, so one pattern that takes quadratic time occupies a function for minutes.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations, groupby
from time import process_time
from typing import Any, cast

import pytest

from tests.house.test_layout import PACKAGE, module_of, sources
from tests.support.template import ROOT

FUNCTIONS = ROOT / "functions"
# The standard library's own parser of patterns.
_parser, ops = cast(Any, re)._parser, cast(Any, re)._constants
METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
LENGTH, LONGER = 1_000, 4
LONGEST = LENGTH * LONGER**2
# A text that takes so many times as long as a plain scan is tried again, LONGER times as long. The
# time of a linear pattern then grows by LONGER, that of a quadratic one by its square. So it does
# in the next step; that of a linear pattern, which needs new memory in the first, does not.
SUSPECT, GROWTH_MAX = 20, 2.5 * LONGER
ROUNDS = 3
TRIALS = 5
"""On a busy machine one measurement may be three times too long, so the least counts."""
PIECES_MAX = 4
PLAIN = re.compile(r"[^\x01]*\x01")


@dataclass(frozen=True, slots=True)
class Use:
    """A pattern, and a method that the package calls it with."""

    where: str
    pattern: re.Pattern[Any]
    method: str


def uses() -> Iterator[Use]:
    """Yield every pattern of the package with each method that it is used with."""
    for root in (PACKAGE, FUNCTIONS):
        for path in sources(root):
            tree = ast.parse(path.read_text("utf-8"))
            where = path.relative_to(ROOT).as_posix()
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and _is_of_re(node.func):
                    pattern = _compiled(node, path)
                    for method in _methods(node, tree):
                        yield Use(f"{where}:{node.lineno}", pattern, method)


def _is_of_re(func: ast.expr) -> bool:
    if not isinstance(func, ast.Attribute) or func.attr not in {"compile", *METHODS}:
        return False
    return isinstance(func.value, ast.Name) and func.value.id == "re"


def _compiled(call: ast.Call, path: Any) -> re.Pattern[Any]:
    """Return a call's pattern, evaluated with the names of its module."""
    assert PACKAGE in path.parents, "a function's module has no pattern of its own"
    names = vars(import_module(module_of(path)))
    is_compile = isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
    arguments = ", ".join(map(ast.unparse, call.args if is_compile else call.args[:1]))
    pattern: re.Pattern[Any] = eval(f"re.compile({arguments})", {**names, "re": re})
    return pattern


def _methods(call: ast.Call, tree: ast.Module) -> tuple[str, ...]:
    """Return the methods of a pattern; all of them unless it is a constant of its module."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr in METHODS:
        return (call.func.attr,)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.value is call:
            return (node.attr,)
    names = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is call
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        and node.attr in METHODS
    }
    return tuple(sorted(used)) or ("search",)


def hostile(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield texts of the pattern's own pieces, which nearly match: begin, repeated part, end."""
    nodes = _flat(_parser.parse(pattern.pattern, pattern.flags))
    pieces: list[str] = []
    for is_literal, group in groupby(nodes, key=lambda node: node[0] is ops.LITERAL):
        samples = [_sample(node) for node in group]
        pieces += ["".join(samples)] if is_literal else filter(None, samples)
    for start, end in combinations(range(len(pieces) + 1), 2):
        if end - start > PIECES_MAX:
            continue
        pumped = "".join(pieces[start:end])
        for before in {"", "".join(pieces[:start])}:
            for after in ("", "\n!", "\x01"):
                yield before, pumped, after


def _flat(tree: Any) -> Iterator[Any]:
    """Yield the nodes of a parsed pattern, those of groups and branches too."""
    for op, value in tree:
        match op:
            case ops.SUBPATTERN:
                yield from _flat(value[-1])
            case ops.BRANCH:
                for branch in value[1]:
                    yield from _flat(branch)
            case ops.MAX_REPEAT | ops.MIN_REPEAT | ops.POSSESSIVE_REPEAT:
                yield from _flat(value[2])
            case ops.ASSERT | ops.ASSERT_NOT:
                yield from _flat(value[1])
            case ops.ATOMIC_GROUP:
                yield from _flat(value)
            case _:
                yield op, value


CATEGORIES = {
    ops.CATEGORY_DIGIT: "1",
    ops.CATEGORY_SPACE: " ",
    ops.CATEGORY_WORD: "w",
    ops.CATEGORY_NOT_DIGIT: "a",
    ops.CATEGORY_NOT_SPACE: "a",
    ops.CATEGORY_NOT_WORD: "!",
}
ESCAPES = {
    ops.CATEGORY_DIGIT: r"\d",
    ops.CATEGORY_SPACE: r"\s",
    ops.CATEGORY_WORD: r"\w",
    ops.CATEGORY_NOT_DIGIT: r"\D",
    ops.CATEGORY_NOT_SPACE: r"\S",
    ops.CATEGORY_NOT_WORD: r"\W",
}


def _sample(node: tuple[Any, Any]) -> str:
    """Return a text that a node matches."""
    op, value = node
    match op:
        case ops.LITERAL:
            return chr(value)
        case ops.NOT_LITERAL:
            return "a" if value != ord("a") else "b"
        case ops.ANY:
            return "a"
        case ops.IN:
            return _of_set(value)
        case ops.AT | ops.GROUPREF:
            return ""
    raise AssertionError(f"unknown {op}: add what it matches")


def _of_set(items: Sequence[Any]) -> str:
    if items[0][0] is ops.NEGATE:
        return next(each for each in "a1;~" if re.fullmatch(_set_text(items), each))
    op, value = items[0]
    match op:
        case ops.LITERAL:
            return chr(value)
        case ops.RANGE:
            return chr(value[0])
        case ops.CATEGORY:
            return CATEGORIES[value]
    raise AssertionError(f"unknown {op}: add what it matches")


def _set_text(items: Sequence[Any]) -> str:
    parts = []
    for op, value in items[1:]:
        match op:
            case ops.LITERAL:
                parts.append(re.escape(chr(value)))
            case ops.RANGE:
                parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
            case _:
                parts.append(ESCAPES[value])
    return f"[^{''.join(parts)}]"


def called(pattern: re.Pattern[Any], method: str, text: str) -> Callable[[], object]:
    """Return the call of a pattern's method that goes through the whole text."""
    sent: Any = text.encode() if isinstance(pattern.pattern, bytes) else text
    match method:
        case "sub" | "subn":
            return partial(getattr(pattern, method), b"" if isinstance(sent, bytes) else "", sent)
        case "finditer":
            return lambda: list(pattern.finditer(sent))
        case _:
            return partial(getattr(pattern, method), sent)


def seconds(call: Callable[[], object]) -> float:
    """Return the least CPU time of a few calls."""

    def once() -> float:
        begin = process_time()
        call()
        return process_time() - begin

    return min(once() for _ in range(ROUNDS))


def slow_text(pattern: re.Pattern[Any], method: str) -> tuple[str, str, str] | None:
    """Return the parts of a text whose time grows faster than its length; None if there is none."""
    plain = seconds(lambda: [PLAIN.match("a" * LENGTH) for _ in range(10)]) / 10
    for parts in dict.fromkeys(hostile(pattern)):
        before, pumped, after = parts

        def taken(length: int) -> float:
            text = before + pumped * (length // len(pumped)) + after  # noqa: B023
            return seconds(called(pattern, method, text))

        def grows(length: int) -> bool:
            return least(length * LONGER) > GROWTH_MAX * least(length)

        def least(length: int) -> float:
            return min(taken(length) for _ in range(TRIALS if length < LONGEST else 1))

        if taken(LENGTH) > SUSPECT * plain and grows(LENGTH) and grows(LENGTH * LONGER):
            return parts
    return None


USES = tuple(uses())


@pytest.mark.parametrize("use", USES, ids=lambda use: f"{use.where}-{use.method}")
def test_a_pattern_is_linear(use: Use) -> None:
    assert slow_text(use.pattern, use.method) is None


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"[\s:]|[(](元|人民币)[^)]*[)]", "sub"),
        (rb'content-disposition:[^\r\n]*[; ]name="file"', "search"),
        (r"[a-z]+@", "search"),
        (r"[0-9]+[0-9]+x", "match"),
        (r"(.*),(.*)x", "fullmatch"),
        (r"[(\[].*$|[\s]", "sub"),
    ],
)
def test_a_quadratic_pattern_is_found(pattern: str | bytes, method: str) -> None:
    assert slow_text(re.compile(pattern), method) is not None


def test_no_pattern_comes_from_elsewhere() -> None:
    """A pattern that is built from a text, or made by another name, would not be on the list."""
    for path in (*sources(PACKAGE), *sources(FUNCTIONS)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_from = isinstance(node, ast.ImportFrom) and node.module == "re"
            is_named = isinstance(node, ast.Import) and any(
                alias.name == "re" and alias.asname for alias in node.names
            )
            is_hidden = is_from or is_named
            assert not is_hidden, path.relative_to(ROOT)
