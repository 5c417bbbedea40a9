"""The portal on the deployed stack: one invitation several times at once."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

from orderdesk.domain.merchants.team import MemberRole
from tests.infra.portal_probes import visit_of
from tests.support.portal import Authenticator, PortalVisit, invite
from tests.support.stack_seed import StackSeed

AT_ONCE = 4


def test_one_of_several_posts_with_an_invitation_wins(stack_seed: StackSeed) -> None:
    first = visit_of(stack_seed)
    token = invite(stack_seed, first.merchant, MemberRole.ADMIN)
    own = first.authenticator.origin
    visits = [replace(first, authenticator=Authenticator(origin=own)) for _ in range(AT_ONCE)]
    asked = [json.loads(visit.post(f"invite/{token}/challenge")["body"]) for visit in visits]
    made = [
        visit.authenticator.register(options) for visit, options in zip(visits, asked, strict=True)
    ]
    together = Barrier(AT_ONCE)

    def accept(visit: PortalVisit, credential: str) -> int:
        together.wait()
        return int(visit.post(f"invite/{token}", credential=credential)["statusCode"])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        statuses = sorted(pool.map(accept, visits, made))
    assert statuses == [303] + [404] * (AT_ONCE - 1)
    assert len(first.team.members) == 1
    assert sum(visit.is_in() for visit in visits) == 1
