"""Settings of the pages with receipts."""

from pydantic import Field

from orderdesk.settings.base import Settings


class ReceiptSettings(Settings):
    """What a page with receipts needs."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)
    public_base_url: str = ""
    aws_endpoint_url: str = ""
    aws_endpoint_url_s3: str = ""

    @property
    def emulated(self) -> bool:
        """Tell whether S3 is an emulator's, at an address of its own."""
        return bool(self.aws_endpoint_url or self.aws_endpoint_url_s3)


class PayPageSettings(ReceiptSettings):
    """What the pay page needs."""


class TraderDeskSettings(ReceiptSettings):
    """What the trader desk needs beside that."""

    ledger_table: str = Field(min_length=1)
