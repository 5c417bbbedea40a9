"""Expire proposals, and remove secrets that nobody can read any more."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from orderdesk.domain.proposals import LIFE_SECONDS, Proposal, ProposalStatus, expired, first_number
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, each_apart, until_committed

# What a container that has read all proposals once reads again: the longest life, and an hour that
# it may have been busy. After a longer break AWS has started another container.
LOOK_BACK_SECONDS = LIFE_SECONDS + 3600
_FIRST = "P"  # below every proposal_no


class Ended(StrEnum):
    """The result for a due proposal; LEFT: it was decided meanwhile."""

    EXPIRED = "proposals_expired"
    FORGOTTEN = "secrets_forgotten"
    LEFT = "proposals_left"
    FAILED = "proposals_failed"


class ProposalExpiry(Protocol):
    """Ends proposals whose time is over."""

    def due(self, since: str, now: int) -> Iterator[str]:
        """Yield the numbers from `since` on to expire, or whose secret to remove; it may lag."""

    def proposal(self, proposal_no: str) -> Proposal | None:
        """Return a proposal's present state, or None."""

    def expire(self, expired: Proposal, token: str) -> None:
        """Expire an open one and release its hold. Raises: ChangedMeanwhile if it was decided."""

    def forget(self, proposal_no: str, now: int, token: str) -> None:
        """Remove a secret. Raises: ChangedMeanwhile if its time is not over."""


@dataclass(frozen=True, slots=True)
class ExpiryPorts:
    proposals: ProposalExpiry
    chance: Chance
    pause_ms: PauseMs
    report: Callable[[Exception], None]


class ProposalSweep:
    """The expiry of one container, which reads all proposals once, and then the latest."""

    def __init__(self, ports: ExpiryPorts) -> None:
        self._ports = ports
        self._since = _FIRST

    def run(self, now: int, has_time: Callable[[], bool]) -> Counter[Ended]:
        """End what is due at a time (Unix seconds), while there is time left; safe to repeat.

        One proposal's failure does not stop the others; it is reported, and the proposal stays due.
        Raises: TryAgain if the due proposals cannot be read.
        """
        ports = self._ports

        @each_apart(Ended.FAILED, ports.report)
        def end(proposal_no: str) -> Ended:
            return until_committed(lambda: _ended(ports, proposal_no, now), ports)

        tally: Counter[Ended] = Counter()
        for proposal_no in ports.proposals.due(self._since, now):
            if not has_time():
                return tally
            tally[end(proposal_no)] += 1
        self._since = first_number(now - LOOK_BACK_SECONDS)
        return tally


def _ended(ports: ExpiryPorts, proposal_no: str, now: int) -> Ended:
    proposal = ports.proposals.proposal(proposal_no)
    if proposal is None:
        return Ended.LEFT
    if proposal.status is ProposalStatus.OPEN and now >= proposal.expires_at:
        ports.proposals.expire(expired(proposal, now * US_PER_SECOND), ports.chance.token())
        return Ended.EXPIRED
    if proposal.sealed is not None and now >= proposal.reveal_until:
        ports.proposals.forget(proposal_no, now, ports.chance.token())
        return Ended.FORGOTTEN
    return Ended.LEFT
