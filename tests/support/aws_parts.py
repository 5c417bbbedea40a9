"""What botocore and moto make again for every client and key, made once for a whole run.

None of it differs between tests. Without this, most of a test on moto is reading the same JSON
models and generating RSA keys that nothing uses.
"""

from functools import cache

import botocore.session
from botocore.loaders import create_loader
from moto.kms import models as kms
from moto.kms.utils import generate_private_key


def share() -> None:
    """Let all sessions have one loader of service models, all KMS keys of a kind one RSA key."""
    botocore.session.create_loader = cache(create_loader)
    kms.generate_private_key = cache(generate_private_key)  # type: ignore[attr-defined]
