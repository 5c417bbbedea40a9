"""`python -m local.child COMMAND …`: runs the command and ends it when the parent ends.

A parent that receives SIGKILL cannot end its children.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Request SIGTERM at the parent's death (Linux only), then exec the command."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606


if __name__ == "__main__":
    main()
