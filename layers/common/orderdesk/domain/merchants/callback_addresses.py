"""A merchant's callback addresses beside the default one (contract sections 7 and 12)."""

from dataclasses import dataclass, field

ADDRESSES_MAX = 5
"""How many addresses a merchant has at most beside the default one."""


@dataclass(frozen=True, slots=True)
class CallbackAddress:
    """An address that gets every callback of its types, signed with its own secret.

    `events` are the types that it takes; None means all. `sealed` are its encrypted secrets,
    `created_at` is in Unix seconds.
    """

    endpoint_id: str
    url: str = field(repr=False)
    events: tuple[str, ...] | None
    sealed: bytes = field(repr=False)
    created_at: int = 0

    def wants(self, event_type: str) -> bool:
        """Return whether the address takes callbacks of a type."""
        return self.events is None or event_type in self.events
