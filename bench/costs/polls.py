"""What the pay page's schedule of polls costs, and how soon it shows the trader's confirmation.

Times of confirmation are log-normal: most come soon, some much later. Percentiles stand for
them, so that the same schedule has the same figures in every run.
"""

import math
from collections.abc import Iterable, Iterator
from statistics import NormalDist, fmean, median
from typing import NamedTuple

from orderdesk.web.pages.pay.page import Paces, wait_seconds

_PERCENTILES = 999


class Polls(NamedTuple):
    """The mean number of polls until the page knows, and the median delay of it in seconds."""

    mean_count: float
    median_delay: float


def confirmations(median_seconds: float, spread: float) -> Iterator[float]:
    """Yield the times of confirmation in seconds after the payment; `spread` is of their log."""
    for number in range(_PERCENTILES):
        share = (number + 0.5) / _PERCENTILES
        yield median_seconds * math.exp(spread * NormalDist().inv_cdf(share))


def polls_until(paces: Paces, times: Iterable[float]) -> Polls:
    """Poll by a schedule until changes at these ages of the status are seen."""
    counts, delays = [], []
    for time in times:
        count, at = 0, 0
        while not count or at < time:
            at += wait_seconds(paces, at)
            count += 1
        counts.append(count)
        delays.append(at - time)
    return Polls(fmean(counts), median(delays))


def polls_within(paces: Paces, open_seconds: float) -> int:
    """Count the polls of a page that is open for so long, and sees no change."""
    count, at = 0, wait_seconds(paces, 0)
    while at <= open_seconds:
        count += 1
        at += wait_seconds(paces, at)
    return count
