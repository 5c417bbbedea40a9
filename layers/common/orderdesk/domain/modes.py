"""Live and test: two modes whose money and orders never mix (contract section 6)."""

from enum import StrEnum


class Mode(StrEnum):
    """Which traders, accounts and orders a call may use."""

    LIVE = "live"
    TEST = "test"

    @classmethod
    def of(cls, is_test: int) -> "Mode":
        """Convert the wire's `is_test` (0 or 1) to a mode."""
        return cls.TEST if is_test else cls.LIVE

    @property
    def is_test(self) -> int:
        """The wire's `is_test`."""
        return int(self is Mode.TEST)

    def reaches(self, other: "Mode") -> bool:
        """Return whether a key of this mode reaches another mode (contract section 2).

        A live key reaches both modes, a test key test only.
        """
        return self is Mode.LIVE or other is Mode.TEST
