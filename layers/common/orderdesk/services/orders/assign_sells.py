"""The automatic assigner: assign waiting sells to the next traders (contract section 6).

A merchant's longest-waiting sell comes first; merchants take turns, and so do live and test. Sells
are assigned in waves (`assignment_run`).

Two runs may overlap: each assignment is one conditional transaction, and the later one fails. If
the process dies, committed sells stay assigned, and the next run finds the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.turns import WaitingSell, in_turns, merchants_in_turns
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.orders.assignment_run import AssignPorts, Offered, Run, WaitingSells

# The longest-waiting sells of each mode that take turns in a run. They need some 3 MB of memory.
READ_AHEAD = 15_000


def assign_waiting(
    ports: AssignPorts,
    now_us: Callable[[], int],
    has_time: Callable[[], bool],
    *,
    after_seconds: int,
) -> Counter[Offered]:
    """Assign every sell that has waited `after_seconds`, while there is time left.

    The wait allows merchant and operator to act first. One sell's failure does not stop the others.
    A page that cannot be read ends its mode for this run, and not the other one.
    Raises: TryAgain if no page at all could be read.
    """
    run = Run(ports, now_us, now_us() // US_PER_SECOND - after_seconds)
    tally = run.tally
    waiting = (sell.order_no for sell in _in_turns(ports.waiting, run.until, tally))
    again: list[str] = []
    alone: list[str] = []
    while has_time():
        if alone:
            run.assign_alone(alone.pop(0))
            continue
        wave = [*again, *islice(waiting, ports.wave - len(again))]
        if not wave:
            break
        again, alone = run.assign(wave)
    tally[Offered.UNREACHED] = len(alone) + len(again) + sum(1 for _ in waiting)
    if +tally == {Offered.PAGE_UNREAD: len(Mode)}:
        raise TryAgain  # the run counts as failed and raises an alarm
    return +tally


def _in_turns(waiting: WaitingSells, until: int, tally: Counter[Offered]) -> Iterator[WaitingSell]:
    """Read ahead, and yield one sell of each mode in turn, within a mode one of each merchant."""
    ahead = (_given(islice(waiting.waiting(mode, until), READ_AHEAD), tally) for mode in Mode)
    return in_turns([merchants_in_turns(sells) for sells in ahead])


def _given(sells: Iterator[WaitingSell], tally: Counter[Offered]) -> Iterator[WaitingSell]:
    """Yield a mode's sells up to a page that cannot be read; count that page."""
    try:
        yield from sells
    except TryAgain:
        tally[Offered.PAGE_UNREAD] += 1
