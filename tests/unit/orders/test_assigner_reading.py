"""The assigner if its index fails: sells that were read are offered, and the rest waits."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from orderdesk.adapters.system import SystemChance
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.turns import WaitingSell
from orderdesk.services.orders.assign_sells import AssignPorts, Offered, assign_waiting
from orderdesk.services.orders.move import MovePorts

SELLS = 3


class Index:
    """Sells that ended before they are read; the index of some modes fails before their last."""

    def __init__(self, *unread: Mode) -> None:
        self._unread = unread
        moves = MovePorts(cast("Any", self), SystemChance(), lambda _: None)
        self.ports = AssignPorts(
            waiting=self.waiting,
            orders=self.orders,
            rotation=cast("Any", self).line,
            moves=moves,
            window_seconds=60,
            run_all=map,
            report=self._report,
        )

    def waiting(self, mode: Mode, _until: int) -> Iterator[WaitingSell]:
        for number in range(SELLS):
            yield WaitingSell(f"{mode.value}-{number}", "m1")
        if mode in self._unread:
            raise TryAgain

    def orders(self, _order_nos: Sequence[str]) -> dict[str, Order]:
        return {}

    def line(self, _mode: Mode, _at_least: int) -> None:
        return None

    def _report(self, error: Exception) -> None:
        raise AssertionError("the store may be busy: that is no unexpected error") from error

    def run(self) -> Counter[Offered]:
        return assign_waiting(self.ports, lambda: 10**15, lambda: True, after_seconds=0)


@pytest.mark.parametrize("unread", [[Mode.LIVE], [Mode.TEST], [Mode.LIVE, Mode.TEST]])
def test_a_page_that_is_not_answered_stops_no_other_sell(unread: list[Mode]) -> None:
    tally = Index(*unread).run()
    assert tally == {Offered.LEFT: 2 * SELLS, Offered.PAGE_UNREAD: len(unread)}


def test_an_assigner_that_reads_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.SELLS", 0)
    with pytest.raises(TryAgain):
        Index(*Mode).run()
