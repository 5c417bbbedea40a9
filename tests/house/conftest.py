"""One copy of the tree, type-checked once, from which each exercise takes its own."""

from pathlib import Path

import pytest

from tests.support.copied_tree import Tree


@pytest.fixture(scope="session")
def checked_tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """Copy the tree; it has no errors, and the type checker's cache is warm."""
    tree = Tree.of_the_project(tmp_path_factory.mktemp("house"))
    assert tree.errors() == {}
    return tree


@pytest.fixture
def tree(checked_tree: Tree, tmp_path: Path) -> Tree:
    """Give an exercise its own copy."""
    return checked_tree.copied(tmp_path)
