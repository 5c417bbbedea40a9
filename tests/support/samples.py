"""The sample events of events/, and the demo merchants that sign them in tests."""

import json
from typing import Any

from events.sign import filled, fresh, given
from orderdesk.domain.modes import Mode
from tests.support.merchant_client import MerchantClient
from tests.support.seed import ALL_METHODS, Seed
from tests.support.template import ROOT

FOLDER = ROOT / "events"
SAMPLES = {f"{path.parent.name}/{path.stem}": path for path in sorted(FOLDER.glob("*/*.json"))}
PLENTY_MICRO = 10**12


def load(name: str) -> dict[str, Any]:
    """Read a sample unchanged."""
    sample = json.loads(SAMPLES[name].read_text("utf-8"))
    assert isinstance(sample, dict)
    return sample


def signed(
    name: str,
    demo: dict[str, Any],
    now: int,
    *,
    nonce: str,
    number: str | None = None,
    pay_url: str | None = None,
) -> dict[str, Any]:
    """Fill and sign a sample."""
    return filled(load(name), demo, given(number, pay_url) | fresh(now, nonce))


def demo_of(seed: Seed) -> dict[str, Any]:
    """Add what the samples need; return it in the form of the local stack's demo data."""
    seed.only_trader(methods=ALL_METHODS)
    seed.add_trader(methods=ALL_METHODS, mode=Mode.TEST)
    demo = {}
    for name, identity_required in (("merchant", False), ("merchant_identity", True)):
        merchant, client = seed.add_merchant(identity_required=identity_required)
        seed.fund(merchant, PLENTY_MICRO)
        demo[name] = _keys(client) | {"merchant_id": merchant.merchant_id}
    return demo


def _keys(client: MerchantClient) -> dict[str, str]:
    return {"api_key": client.api_key, "api_secret": client.api_secret}
