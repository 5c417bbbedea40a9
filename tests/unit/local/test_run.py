"""Two stacks in one work folder would delete each other's files."""

from pathlib import Path

import pytest

from local.progress import LocalError
from local.run import _alone_in


def test_a_second_stack_in_a_folder_is_refused_while_the_first_runs(tmp_path: Path) -> None:
    with _alone_in(tmp_path), pytest.raises(LocalError, match="a stack of this clone is running"):
        _alone_in(tmp_path).__enter__()
    with _alone_in(tmp_path):
        pass
