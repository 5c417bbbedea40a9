"""The sample events of events/, and the demo merchants that sign them in tests."""

from typing import Any

from events.samples import FOLDER, NAMES
from orderdesk.domain.pricing import Mode
from tests.support.seed import ALL_METHODS, Seed

SAMPLES = {name: FOLDER / f"{name}.json" for name in NAMES}
PLENTY_MICRO = 10**12


def demo_of(seed: Seed) -> dict[str, Any]:
    """Add the data that the samples need; return it in the form of the local stack's demo data."""
    seed.only_trader(methods=ALL_METHODS)
    seed.add_trader(methods=ALL_METHODS, mode=Mode.TEST)
    demo = {}
    for name, identity_required in (("merchant", False), ("merchant_identity", True)):
        merchant, client = seed.add_merchant(identity_required=identity_required)
        seed.fund(merchant, PLENTY_MICRO)
        keys = {"api_key": client.api_key, "api_secret": client.api_secret}
        demo[name] = keys | {"merchant_id": merchant.merchant_id}
    return demo
