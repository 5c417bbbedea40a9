"""A new enum member is named by the type checker, and in few files.

"Change cost to keep" counts these files. The tests read how the code handles members; they do not
depend on what the code around it looks like.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

from orderdesk.domain.orders.order import ByStatus, OrderStatus
from orderdesk.domain.payment_methods import ByMethod, MethodType
from orderdesk.domain.pricing import ByType, OrderType
from tests.support.programs import ended
from tests.support.template import ROOT

FOLDERS = ("layers/common/orderdesk", "functions", "local")
TREES = {
    path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8"))
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
}
TABLES: dict[type, type[Enum]] = {ByStatus: OrderStatus, ByMethod: MethodType, ByType: OrderType}
FILES_MAX = {ByStatus: 10, ByMethod: 6}
INCOMPLETE = """
from orderdesk.domain.orders.order import ByStatus, OrderStatus

def handle(status: OrderStatus) -> None:
    match status:
        case OrderStatus.PENDING:
            print(ByStatus(paid=1))
"""


def matches(tree: ast.AST) -> Iterator[tuple[ast.Match, list[str]]]:
    """Yield each match statement whose cases are members of an enum, with their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match):
            parts = [part for case in node.cases for part in ast.walk(case.pattern)]
            values = [part.value for part in parts if isinstance(part, ast.MatchValue)]
            if members := [ast.unparse(v) for v in values if isinstance(v, ast.Attribute)]:
                yield node, members


def test_a_match_over_members_has_no_catch_all() -> None:
    """With a catch-all, the type checker accepts a missing member."""
    lasts = [(path, node.cases[-1]) for path, tree in TREES.items() for node, _ in matches(tree)]
    assert lasts
    for path, last in lasts:
        if isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None:
            assert ast.unparse(last.body[0]).startswith("assert_never("), (
                f"{path}:{last.body[0].lineno}"
            )


@pytest.mark.parametrize(("table", "members"), TABLES.items(), ids=lambda each: each.__name__)
def test_a_table_requires_a_value_for_each_member(table: type, members: type[Enum]) -> None:
    parameters = inspect.signature(table).parameters
    assert list(parameters) == [member.name.lower() for member in members]
    assert {each.default for each in parameters.values()} == {inspect.Parameter.empty}


def test_the_type_checker_names_what_is_missing(tmp_path: Path) -> None:
    """In a match that returns nothing, too: the error code exhaustive-match is switched on."""
    (tmp_path / "functions" / "new").mkdir(parents=True)
    (tmp_path / "functions" / "new" / "app.py").write_text(INCOMPLETE)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    path = {"MYPYPATH": str(ROOT / "layers" / "common")}
    done = ended(*command, "--cache-dir", "/dev/null", "functions", cwd=tmp_path, env=path)
    assert "[exhaustive-match]" in done.stdout, done.stdout + done.stderr
    assert 'Missing named argument "pending"' in done.stdout


@pytest.mark.parametrize(("table", "most"), FILES_MAX.items())
def test_a_new_member_changes_few_files(table: type, most: int) -> None:
    """Count the files that build the table, or match over at least half of the members."""
    members = {f"{TABLES[table].__name__}.{each.name}" for each in TABLES[table]}

    def is_changed(tree: ast.AST) -> bool:
        is_built = any(
            isinstance(node, ast.Call) and ast.unparse(node.func) == table.__name__
            for node in ast.walk(tree)
        )
        return is_built or any(
            len(members.intersection(named)) >= len(members) / 2 for _, named in matches(tree)
        )

    changed = [str(path) for path, tree in TREES.items() if is_changed(tree)]
    assert 1 < len(changed) <= most, changed
