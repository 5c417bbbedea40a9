"""The call of the identity provider, for merchants whose agreement asks for it."""

import os
from http import HTTPStatus

import requests

from models import CreateOrder

IDENTITY_URL = os.environ["IDENTITY_URL"]
TIMEOUT_SECONDS = (1, 5)

session = requests.Session()


def is_verified(request: CreateOrder) -> bool:
    """Return whether name, id card and mobile belong together; False if the provider is down."""
    factors = {"name": request.customer_name, "id_card": request.id_card, "mobile": request.mobile}
    if None in factors.values():
        return False
    try:
        answer = session.post(IDENTITY_URL, json=factors, timeout=TIMEOUT_SECONDS)
        return answer.status_code == HTTPStatus.OK and answer.json()["result"] == "match"
    except requests.RequestException:
        return False
