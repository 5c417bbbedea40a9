"""The emulator's process: ministack with the additions of `local/`.

`python -m local.emulator_process` starts it; GATEWAY_PORT is its port.
"""

from ministack import app  # type: ignore[import-untyped]

from local import condition_keys, workers


def main() -> None:
    """Serve until a signal ends the process."""
    condition_keys.install()
    workers.install()
    app.main()


if __name__ == "__main__":
    main()
