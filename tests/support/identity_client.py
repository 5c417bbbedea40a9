"""A customer's browser on the deployed stack's identity page, as far as HTTP goes."""

from urllib.parse import urlsplit

import httpx

from tests.support.identities import identity


def submit_identity(
    identity_url: str, mobile: str = "13800000001", **changes: str
) -> httpx.Response:
    """Submit the identity page's form; redirects are not followed."""
    parts = urlsplit(identity_url)
    headers = {"origin": f"{parts.scheme}://{parts.netloc}", "sec-fetch-site": "same-origin"}
    return httpx.post(
        identity_url, data={**identity(mobile), **changes}, headers=headers, timeout=None
    )
