"""Settings of the pages with receipts."""

from pydantic import Field

from orderdesk.settings.base import Settings


class ReceiptSettings(Settings):
    """Settings of a page with receipts."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)
    public_base_url: str = ""
    aws_endpoint_url: str = ""
    aws_endpoint_url_s3: str = ""

    @property
    def emulated(self) -> bool:
        """Tell whether S3 is an emulator, which has an address of its own."""
        return bool(self.aws_endpoint_url or self.aws_endpoint_url_s3)


class PayPageSettings(ReceiptSettings):
    """Settings of the pay page."""


class TraderDeskSettings(ReceiptSettings):
    """Further settings of the desk."""

    ledger_table: str = Field(min_length=1)
