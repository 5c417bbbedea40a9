"""Authentication of a request: the contract's sequence of checks.

The checks are: body, common parameters, key, address, signature, timestamp, rate, nonce,
parameters. The first failure is returned. A use case that consumes the nonce in its own transaction
does that check itself.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.authenticate import AuthenticatePorts, authenticate
from orderdesk.services.ports import Nonce, NonceGuard
from orderdesk.web.codes import InvalidParameters
from orderdesk.web.http import Request
from orderdesk.web.merchant.parameters import read_common


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated merchant, and the nonce of its call, which is not consumed yet.

    `key` is the mode of the call's api_key. `secret_rotated_at` is when a rotation made the secret
    of the call (Unix seconds), or 0.
    """

    merchant: Merchant
    key: Mode
    nonce: Nonce = field(repr=False)
    secret_rotated_at: int


def identify(
    request: Request,
    params: Mapping[str, JsonValue],
    problems: Sequence[FieldProblem],
    ports: AuthenticatePorts,
    now_us: int,
) -> Caller:
    """Authenticate a call; `problems` are those of its other parameters, `now_us` in Unix us.

    If common parameters are missing, all problems are returned together.
    Raises: InvalidParameters, and what `authenticate` raises.
    """
    common = read_common(request, params)
    if common.call is None:
        raise InvalidParameters([*common.problems, *problems])
    call = common.call
    merchant, key, secret_rotated_at = authenticate(call, ports, now_us)
    now = now_us // US_PER_SECOND
    nonce = Nonce(call.api_key, call.nonce, now, holder=secrets.token_hex(16))
    return Caller(merchant, key, nonce, secret_rotated_at)


def require(problems: Sequence[FieldProblem], caller: Caller, guard: NonceGuard) -> None:
    """Consume the nonce and refuse any problems. Raises: NonceReused, InvalidParameters."""
    if problems:
        guard.consume(caller.nonce)
        raise InvalidParameters(list(problems))
