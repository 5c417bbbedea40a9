"""Compare the test account's statement with its balance; exit 1 if they differ."""

import os
from decimal import Decimal

from orderdesk_client import Orderdesk

names = ("ORDERDESK_BASE_URL", "ORDERDESK_API_KEY", "ORDERDESK_API_SECRET")
client = Orderdesk(*(os.environ[name] for name in names))
last = Decimal(0)
for posting in client.postings(is_test=1, limit=100):
    if posting["account"] == "available":
        last = Decimal(posting["balance"])
balance = client.balance()["test"]
total = Decimal(balance["available"]) + Decimal(balance["held"])  # a hold has no posting
print("statement", last, "balance", total)
raise SystemExit(last != total)
