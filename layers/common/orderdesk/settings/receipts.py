"""Settings of receipts: of the pages that take them, and of the function that draws them."""

from pydantic import Field

from orderdesk.settings.base import Settings


class BucketSettings(Settings):
    """Where uploads arrive and where receipts are kept."""

    uploads_bucket: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)
    aws_endpoint_url: str = ""
    aws_endpoint_url_s3: str = ""

    @property
    def emulated(self) -> bool:
        """Tell whether S3 is an emulator's, at an address of its own."""
        return bool(self.aws_endpoint_url or self.aws_endpoint_url_s3)


class ReceiptSettings(BucketSettings):
    """What a page with receipts needs."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    render_receipt_function: str = Field(min_length=1)
    public_base_url: str = ""


class PayPageSettings(ReceiptSettings):
    """What the pay page needs beside that: the merchants' names and contacts."""

    merchants_table: str = Field(min_length=1)
    cache_seconds: int = Field(ge=0)


class TraderDeskSettings(ReceiptSettings):
    """What the trader desk needs beside that."""

    ledger_table: str = Field(min_length=1)
