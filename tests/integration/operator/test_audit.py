"""Reading the audit trail."""

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.domain.audit import AuditEntry
from tests.support.offices import office_on
from tests.support.world import World


def test_the_trail_is_read_over_months_from_a_time_on(world: World) -> None:
    office = office_on(world)
    december, january = 1_767_225_599, 1_767_225_600  # the last and the first second
    for seconds in (january, december, january + 1):
        entry = AuditEntry(f"id{seconds}", seconds * 1_000_000, "who", "test", str(seconds))
        transact(world.client, audit_writes(world.tables, entry), f"token-{seconds}")
    months = ["2025-12", "2026-01"]
    read = [int(e.target) for e in office.audit.entries(months, december * 1_000_000)]
    assert read == [december, january, january + 1]
    later = [int(e.target) for e in office.audit.entries(months, january * 1_000_000)]
    assert later == [january, january + 1]
