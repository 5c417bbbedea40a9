"""Settings of receipts: their buckets, and the pages that accept them."""

from pydantic import Field

from orderdesk.settings import S3Settings


class BucketSettings(S3Settings):
    """The buckets of uploads and of receipts."""

    uploads_bucket: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)


class ReceiptSettings(BucketSettings):
    """Settings of a page with receipts."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    render_receipt_function: str = Field(min_length=1)
    public_base_url: str = ""


class PayPageSettings(ReceiptSettings):
    """Further settings of the pay page: the merchants' names and contacts."""

    merchants_table: str = Field(min_length=1)
    cache_seconds: int = Field(ge=0)
    ledger_table: str = Field(min_length=1)
