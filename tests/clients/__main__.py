"""`make clients`: the tests of the five clients against the running stack."""

import subprocess
import sys

import pytest

from local.places import REPOSITORY, WORK
from local.progress import LocalError, say
from local.running import running_stack

TESTS = REPOSITORY / "tests" / "clients"
TOOLCHAINS = REPOSITORY / "tools" / "client_toolchains.sh"


def main() -> int:
    """Install what is missing and run the tests; print one line and return 1 if no stack runs."""
    try:
        running_stack(WORK)
    except LocalError as error:
        say(f"error: {error}")
        return 1
    if subprocess.call([str(TOOLCHAINS)]) != 0:
        return 1
    return pytest.main(["--running", "--quiet", "--tb=short", str(TESTS), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
