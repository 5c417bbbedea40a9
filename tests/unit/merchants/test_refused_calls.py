"""Which refused calls a container records."""

from dataclasses import dataclass, field

import pytest

from orderdesk.domain.merchants.merchant import BadSignature, Merchant
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.refused_calls import (
    KEPT_MOST,
    SECONDS_EACH,
    RefusalLog,
    RefusedCall,
    network_of,
)
from tests.support.seed import a_merchant

NOW = 1_800_000_000
PATH = "/merchant/balance"


@dataclass
class Recorded:
    """Knows some merchants, and keeps what is recorded."""

    merchants: tuple[Merchant, ...]
    calls: list[tuple[str, RefusedCall]] = field(default_factory=list)

    def find(self, merchant_id: str) -> Merchant | None:
        return next((m for m in self.merchants if m.merchant_id == merchant_id), None)

    def add(self, merchant_id: str, call: RefusedCall) -> None:
        self.calls.append((merchant_id, call))


def log_of(*merchants: Merchant) -> tuple[RefusalLog, Recorded]:
    recorded = Recorded(merchants)
    return RefusalLog(recorded, recorded), recorded


def test_a_refused_call_of_a_known_key_is_recorded() -> None:
    merchant = a_merchant("m1")
    log, recorded = log_of(merchant)
    log.note(merchant.api_key, PATH, BadSignature(), "203.0.113.77", NOW)
    call = RefusedCall(NOW, Mode.LIVE, PATH, "bad_signature", "203.0.113.0/24")
    assert recorded.calls == [("m1", call)]


@pytest.mark.parametrize(
    "key", [None, 7, "", "mk_live_m1", "mk_live_m1_another", "mk_live_m2_xxxxxxxxxxxxxxxxxxxxxxxx"]
)
def test_a_call_of_an_unknown_key_is_nobodys(key: object) -> None:
    log, recorded = log_of(a_merchant("m1"))
    log.note(key, PATH, BadSignature(), "203.0.113.77", NOW)
    assert recorded.calls == []


def test_a_flood_is_recorded_in_part() -> None:
    merchant, other = a_merchant("m1"), a_merchant("m2")
    log, recorded = log_of(merchant, other)
    for second in range(10 * SECONDS_EACH):
        for _ in range(20):
            log.note(merchant.api_key, PATH, BadSignature(), "::1", NOW + second)
    assert len(recorded.calls) == KEPT_MOST + 10 - 1
    log.note(other.api_key, PATH, BadSignature(), "::1", NOW)
    assert recorded.calls[-1][0] == "m2"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("", ""),
        ("unknown", ""),
    ],
)
def test_an_address_is_kept_as_its_network(address: str, network: str) -> None:
    assert network_of(address) == network
