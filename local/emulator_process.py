"""The emulator's process: ministack, with what `local/` adds to it.

`python -m local.emulator_process` starts it on the port that the environment names.
"""

from ministack import app  # type: ignore[import-untyped]

from local import condition_keys, workers


def main() -> None:
    """Serve until the process is ended."""
    condition_keys.install()
    workers.install()
    app.main()


if __name__ == "__main__":
    main()
