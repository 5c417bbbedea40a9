"""statement's parameters, and its cursor (contract section 4).

A cursor contains the balances up to its place, so that no page sums the history again. It is
authenticated, so that a merchant cannot change these balances.
"""

import base64
import hmac
import json
import re
from typing import Annotated, Literal

from pydantic import BeforeValidator

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import STATEMENT_CURSOR, link_token
from orderdesk.domain.ledger.accounts import TransferKind
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.statement import AccountPosition, Position, PostingFilter
from orderdesk.services.ports import DEFAULT_LIMIT, MAX_LIMIT
from orderdesk.web.codes import InvalidParameters
from orderdesk.web.merchant.parameters import (
    BAD_CURSOR,
    Parameters,
    StrictText,
    Text,
    UnixSeconds,
    problem,
    within,
)

_WITHDRAWALS_CURSOR = re.compile(r"w[0-9]{16}\Z")


def _cursor_us(value: JsonValue) -> int:
    if not isinstance(value, str) or _WITHDRAWALS_CURSOR.match(value) is None:
        raise problem(BAD_CURSOR)
    return int(value[1:])


class StatementParameters(Parameters, defer_build=True):
    """statement's parameters; every one is optional."""

    is_test: Annotated[int, within(0, 1)] | None = None
    start_time: UnixSeconds | None = None
    end_time: UnixSeconds | None = None
    order_no: Text | None = None
    kind: Literal["funding", "settlement", "withdrawal", "release", "reversal"] | None = None
    limit: Annotated[int, within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: StrictText | None = None

    @property
    def wanted(self) -> PostingFilter | None:
        """Which of the postings are listed; None for all."""
        if self.order_no is None and self.kind is None:
            return None
        kind = None if self.kind is None else TransferKind(self.kind)
        return PostingFilter(self.order_no or "", kind)


class ListWithdrawalsParameters(Parameters, defer_build=True):
    """listWithdrawals' parameters; `cursor` is the time of the last one that was listed."""

    is_test: Annotated[int, within(0, 1)] | None = None
    limit: Annotated[int, within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: Annotated[int, BeforeValidator(_cursor_us)] | None = None


def withdrawals_cursor(before_us: int | None) -> str | None:
    """Return the opaque cursor of a time; None after the last page."""
    return None if before_us is None else f"w{before_us:016d}"


def cursor_of(position: Position, mode: Mode, secret: bytes) -> str:
    """Return a position as a signed cursor; `secret` is the merchant's own."""
    reached = {name: [each.place, each.balance_micro] for name, each in position.reached.items()}
    text = json.dumps([mode.value, reached, sorted(position.listed)], separators=(",", ":"))
    sealed = base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()
    return f"{sealed}.{link_token(secret, STATEMENT_CURSOR, sealed)}"


def position_of(
    cursor: str, mode: Mode, secret: bytes, *, field: str = "cursor", mode_field: str = "is_test"
) -> Position:
    """Read a cursor of this merchant and mode, which came in the parameter `field`.

    Raises: InvalidParameters.
    """
    sealed, _, tag = cursor.partition(".")
    expected = link_token(secret, STATEMENT_CURSOR, sealed)
    if not hmac.compare_digest(tag.encode(), expected.encode()):
        raise InvalidParameters([FieldProblem(field, BAD_CURSOR)])
    of_mode, reached, listed = json.loads(base64.urlsafe_b64decode(sealed + "=="))
    if of_mode != mode.value:
        raise InvalidParameters([FieldProblem(field, f"must be of the same {mode_field}")])
    return Position(
        {name: AccountPosition(*each) for name, each in reached.items()}, frozenset(listed)
    )
