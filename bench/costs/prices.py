"""List prices of us-east-1 in US dollars, June 2026, without free tiers and volume discounts.

AWS's own price list could not be reached when this was written. Each price names the page on which
it was found, or says that nobody looked it up. Check the prices before you rely on them.
"""

from decimal import Decimal
from typing import NamedTuple


class Price(NamedTuple):
    """US dollars for `per` units, and where the price was found."""

    usd: str
    per: int
    unit: str
    source: str

    def of(self, quantity: Decimal) -> Decimal:
        """Give what a quantity costs, in US dollars."""
        return quantity * Decimal(self.usd) / self.per


_MILLION = 1_000_000
_DYNAMODB = "airbyte.com, DynamoDB pricing, 2025-07: after the cut of November 2024"
_LAMBDA = "cloudchipr.com, AWS Lambda pricing, 2025"
_API = "awsforengineers.com, API Gateway pricing, 2025-05"
_CLOUDWATCH = "factualminds.com, CloudWatch pricing, 2026-06"
_FROM_MEMORY = "from memory of the public price list; not looked up"
PRICES = {
    "API Gateway, REST": Price("3.50", _MILLION, "requests", _API),
    "API Gateway, HTTP": Price("1.00", _MILLION, "requests", _API),
    "Lambda, requests": Price("0.20", _MILLION, "requests", _LAMBDA),
    "Lambda, compute (arm64)": Price("0.0000133334", 1, "GB-seconds", _LAMBDA),
    "DynamoDB, writes": Price("0.625", _MILLION, "write units", _DYNAMODB),
    "DynamoDB, reads": Price("0.125", _MILLION, "read units", _DYNAMODB),
    "SQS": Price("0.50", _MILLION, "requests", "cloudburn.io, 2026-03; fair queues: +$0.10"),
    "Scheduler": Price("1.00", _MILLION, "invocations", "cloudburn.io, EventBridge, 2026-03"),
    "KMS": Price("0.03", 10_000, "requests", "cloudburn.io, KMS pricing, 2026-03"),
    "S3, PUT and POST": Price("0.005", 1_000, "requests", _FROM_MEMORY),
    "S3, GET": Price("0.0004", 1_000, "requests", _FROM_MEMORY),
    "Data out": Price("0.09", 1, "GB", _API),
    "Logs, ingested": Price("0.50", 1, "GB", _CLOUDWATCH),
    "X-Ray": Price("5.00", _MILLION, "traces", "aws.amazon.com/xray/pricing"),
    "CloudWatch, metrics": Price("0.30", 1, "metrics", "signoz.io, CloudWatch pricing, 2026-02"),
    "CloudWatch, alarms": Price("0.10", 1, "alarms", _FROM_MEMORY),
    "CloudWatch, dashboards": Price("3.00", 1, "dashboards", _CLOUDWATCH),
    "KMS, keys": Price("1.00", 1, "keys", "aws.amazon.com/kms/pricing"),
}
