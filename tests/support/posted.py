"""Transfers posted to a seed's ledger, with their balances, as operators fund."""

import secrets
import time

from orderdesk.adapters.dynamodb.ledger import credit_write, posting_writes
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.domain.ledger.accounts import Account, AccountKind, funding
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.modes import Mode
from tests.support.seed import Seed


def post_funding(
    seed: Seed, merchant: Merchant, micro: int, mode: Mode = Mode.LIVE, *, at_us: int | None = None
) -> None:
    """Fund a merchant: both balances and both postings."""
    transfer = funding(
        Account(AccountKind.MERCHANT, merchant.merchant_id, mode),
        micro,
        transfer_id=secrets.token_hex(8),
        at_us=time.time_ns() // 1000 if at_us is None else at_us,
        memo="test",
    )
    balances = [credit_write(seed.tables.ledger, posting) for posting in transfer.postings]
    writes = [*balances, *posting_writes(seed.tables.ledger, transfer)]
    transact(seed.client, writes, secrets.token_hex(16))
