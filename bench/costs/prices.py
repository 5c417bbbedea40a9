"""List prices of us-east-1 in US dollars, without free tiers and volume discounts.

There was no way to AWS's own price list when this was written: each price names the page it was
found on, or says that it was not looked up. Check before you rely on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

PRICES_AS_OF = "June 2026"
"""The newest of the pages; the older ones say the same where they overlap."""

_FROM_MEMORY = "from memory of the public price list; not looked up"


@dataclass(frozen=True, slots=True)
class Price:
    """What `per` of a unit cost, and where that was found."""

    usd: Decimal
    per: int
    unit: str
    source: str

    def of(self, quantity: Decimal) -> Decimal:
        """Give what a quantity costs, in US dollars."""
        return quantity * self.usd / self.per


def _million(usd: str, unit: str, source: str) -> Price:
    return Price(Decimal(usd), 1_000_000, unit, source)


def _one(usd: str, unit: str, source: str) -> Price:
    return Price(Decimal(usd), 1, unit, source)


_DYNAMODB = "airbyte.com, DynamoDB pricing, 2025-07: after the cut of November 2024"
_LAMBDA = "cloudchipr.com, AWS Lambda pricing, 2025"
_API = "awsforengineers.com, API Gateway pricing, 2025-05"
_SQS = "cloudburn.io, SQS pricing, 2026-03; fair queues: +$0.10"
_CLOUDWATCH = "factualminds.com, CloudWatch pricing, 2026-06"

PRICES: Mapping[str, Price] = MappingProxyType(
    {
        "API Gateway, REST": _million("3.50", "requests", _API),
        "API Gateway, HTTP": _million("1.00", "requests", _API),
        "Lambda, requests": _million("0.20", "requests", _LAMBDA),
        "Lambda, compute (arm64)": _one("0.0000133334", "GB-seconds", _LAMBDA),
        "DynamoDB, writes": _million("0.625", "write units", _DYNAMODB),
        "DynamoDB, reads": _million("0.125", "read units", _DYNAMODB),
        "SQS": _million("0.50", "requests", _SQS),
        "Scheduler": _million("1.00", "invocations", "cloudburn.io, EventBridge pricing, 2026-03"),
        "KMS": Price(Decimal("0.03"), 10_000, "requests", "cloudburn.io, KMS pricing, 2026-03"),
        "S3, PUT and POST": Price(Decimal("0.005"), 1000, "requests", _FROM_MEMORY),
        "S3, GET": Price(Decimal("0.0004"), 1000, "requests", _FROM_MEMORY),
        "Data out": _one("0.09", "GB", _API),
        "Logs, ingested": _one("0.50", "GB", _CLOUDWATCH),
        "X-Ray": _million("5.00", "traces", "aws.amazon.com/xray/pricing"),
        "DynamoDB, stored": _one("0.25", "GB-months", "aws.amazon.com/dynamodb/pricing"),
        "DynamoDB, point-in-time recovery": _one("0.20", "GB-months", _FROM_MEMORY),
        "S3, stored": _one("0.023", "GB-months", "go-cloud.io, S3 pricing, 2026"),
        "S3 Glacier Instant Retrieval, stored": _one("0.004", "GB-months", _FROM_MEMORY),
        "S3 Glacier Instant Retrieval, moved": Price(
            Decimal("0.02"), 1000, "objects", _FROM_MEMORY
        ),
        "Logs, stored": _one("0.03", "GB-months", _FROM_MEMORY),
        "CloudWatch, metrics": _one("0.30", "metrics", "signoz.io, CloudWatch pricing, 2026-02"),
        "CloudWatch, alarms": _one("0.10", "alarms", _FROM_MEMORY),
        "CloudWatch, dashboards": _one("3.00", "dashboards", _CLOUDWATCH),
        "KMS, keys": _one("1.00", "keys", "aws.amazon.com/kms/pricing"),
    }
)
