"""Compare the test account's statement with its balance; exit 1 if they differ."""

import os
from decimal import Decimal

from orderdesk_client import Orderdesk

names = ("ORDERDESK_BASE_URL", "ORDERDESK_API_KEY", "ORDERDESK_API_SECRET")
client = Orderdesk(*(os.environ[name] for name in names))
last, cursor = Decimal(0), None
while True:
    page = client.statement(is_test=1, limit=100, cursor=cursor)
    for posting in page["postings"]:
        if posting["account"] == "available":
            last = Decimal(posting["balance"])
    if (cursor := page["cursor"]) is None:
        break
balance = client.balance()["test"]
total = Decimal(balance["available"]) + Decimal(balance["held"])  # a hold has no posting
print("statement", last, "balance", total)
raise SystemExit(last != total)
