"""Pages of the audit trail, put together, are the whole list (contract section 11)."""

from collections.abc import Iterable, Iterator
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.audit import AuditEntry, month_of
from orderdesk.domain.ids import EPOCH_MS
from orderdesk.services.operator import audit
from orderdesk.services.operator.audit import AuditSearch, list_entries

FIRST_US = EPOCH_MS * 1_000
MONTH_US = 31 * 86_400 * 1_000_000
NOW_US = FIRST_US + 3 * MONTH_US
WHO = ("arn:aws:iam::1:user/ann", "bob", "trader:t1")


class Kept:
    """A trail in memory."""

    def __init__(self, entries: Iterable[AuditEntry]) -> None:
        self.sorted = sorted(entries, key=lambda entry: (entry.at_us, entry.audit_id))

    def entries(
        self,
        months: Iterable[str],
        since_us: int,
        until_us: int | None = None,
        *,
        newest_first: bool = False,
    ) -> Iterator[AuditEntry]:
        last = NOW_US if until_us is None else until_us
        for month in months:
            found = [
                entry
                for entry in self.sorted
                if month_of(entry.at_us) == month and since_us <= entry.at_us <= last
            ]
            yield from reversed(found) if newest_first else found


TIMES = st.integers(0, 20).map(lambda n: FIRST_US + n * MONTH_US // 9)  # many at one microsecond


@given(
    st.lists(st.tuples(TIMES, st.sampled_from(WHO), st.sampled_from(["m1", "t1"])), max_size=25),
    st.none() | TIMES,
    st.none() | TIMES,
    st.sampled_from([None, "ann", "BOB", "t1", "nobody"]),
    st.sampled_from([None, "m1"]),
    st.booleans(),
    st.integers(1, 5),
)
def test_pages_put_together_are_the_whole_list(  # noqa: PLR0917 drawn by hypothesis
    rows: list[tuple[int, str, str]],
    since_us: int | None,
    until_us: int | None,
    operator: str | None,
    subject: str | None,
    newest_first: bool,  # noqa: FBT001
    limit: int,
) -> None:
    entries = [
        AuditEntry(f"{number:010x}", at_us, who, "test", target)
        for number, (at_us, who, target) in enumerate(rows)
    ]
    trail = Kept(entries)
    wanted = AuditSearch(since_us, until_us, operator, subject, newest_first)
    expected = [
        entry
        for entry in trail.sorted
        if (since_us or 0) <= entry.at_us <= min(NOW_US, until_us or NOW_US)
        and (operator is None or entry.who.lower().endswith(operator.lower()))
        and (subject is None or entry.target == subject)
    ]
    found: list[AuditEntry] = []
    place = None
    with patch.object(audit, "READ_MAX", 30):
        for _ in range(100):
            page = list_entries(trail, NOW_US, wanted, limit, place)
            assert len(page.items) <= limit
            found += page.items
            place = page.following
            if place is None:
                break
    assert place is None
    assert found == (expected[::-1] if newest_first else expected)
