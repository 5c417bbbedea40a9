"""Post the callbacks of standard input to the receiver; print statuses and what was handled."""

import json
import sys

import shop
from fastapi.testclient import TestClient

import receiver

client = TestClient(receiver.app)
statuses = [
    client.post("/callbacks", content=body.encode(), headers=headers).status_code
    for headers, body in json.load(sys.stdin)
]
print(json.dumps([statuses, shop.HANDLED]))
