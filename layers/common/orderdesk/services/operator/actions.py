"""An operator's action: retried until it is committed, with an audit entry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from orderdesk.domain.audit import AuditEntry, new_audit_id
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.plain_text import text_problems
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, change_until_committed, until_committed


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator who acts, with the clock and the randomness of the action."""

    who: str
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return self.now_us() // US_PER_SECOND

    def entry(
        self, action: str, target: str, reason: str, details: Mapping[str, str]
    ) -> AuditEntry:
        """Create the audit entry of an action at this time; `reason` is the operator's text.

        Raises: UnacceptableTerms for an invalid reason.
        """
        problems = text_problems("reason", reason)
        if problems:
            raise UnacceptableTerms(problems)
        return AuditEntry(
            audit_id=new_audit_id(self.chance.below),
            at_us=self.now_us(),
            who=self.who,
            action=action,
            target=target,
            reason=reason,
            details=details,
        )

    def commit[T](self, attempt: Callable[[], T]) -> T:
        """Retry an action until it is committed or refused. Raises: TryAgain."""
        return until_committed(attempt, self.chance, self.pause_ms)

    def change[T: (Merchant, Trader)](
        self, read: Callable[[], T], changed: Callable[[T], T], write: Callable[[T, T], None]
    ) -> T:
        """Change a merchant or trader; `write` writes its audit entry, too. Raises: TryAgain."""
        return change_until_committed(read, changed, write, self.chance, self.pause_ms)
