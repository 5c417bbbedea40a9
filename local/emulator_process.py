"""The emulator's process: ministack with the additions of `local/`.

`python -m local.emulator_process` starts it; GATEWAY_PORT is its port.
"""

import sys
from typing import Any

from ministack import app  # type: ignore[import-untyped]
from ministack.core import iam_evaluator  # type: ignore[import-untyped]

from local import condition_keys, workers

USED = "used right"
"""The beginning of a log line: a role's name, a statement, its action and its resource follow."""
_first_match = iam_evaluator._first_match  # noqa: SLF001 no other way
_used: set[str] = set()


def main() -> None:
    """Serve until a signal ends the process."""
    condition_keys.install()
    workers.install()
    iam_evaluator._first_match = first_match  # noqa: SLF001 no other way
    app.main()


def first_match(context: Any, statements: Any, effect: str) -> Any:
    """Return the first statement that is about a request; log each used right of a role once."""
    found = _first_match(context, statements, effect)
    is_of_role = ":assumed-role/" in context.principal_arn
    for resource in found.resources if found and is_of_role else ():
        if iam_evaluator.fnmatch_iam_cs(context.resource_arn, resource):
            role = context.principal_arn.split("/")[1]
            right = f"{USED} {role} {found.sid} {context.action} {resource}"
            if right not in _used:
                _used.add(right)
                # One write, because other threads write to the same log.
                sys.stdout.write(f"{right}\n")
                sys.stdout.flush()
    return found


if __name__ == "__main__":
    main()
