"""The sample events of events/, and the demo merchants that sign them in tests."""

from typing import Any

from events.samples import FOLDER, NAMES, sample
from events.sign import filled, fresh, given
from orderdesk.domain.modes import Mode
from tests.support.merchant_client import MerchantClient
from tests.support.seed import ALL_METHODS, Seed

SAMPLES = {name: FOLDER / f"{name}.json" for name in NAMES}
PLENTY_MICRO = 10**12


def signed(
    name: str,
    demo: dict[str, Any],
    now: int,
    *,
    nonce: str,
    number: str | None = None,
    pay_url: str | None = None,
) -> dict[str, Any]:
    return filled(sample(name), demo, given(number, pay_url) | fresh(now, nonce))


def demo_of(seed: Seed) -> dict[str, Any]:
    """Add the data that the samples need; return it in the form of the local stack's demo data."""
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
