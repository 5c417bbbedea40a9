"""Settings of receipts: of the pages that take them, and of the function that draws them."""

from pydantic import Field

from orderdesk.settings import Settings
from orderdesk.settings.merchants import MerchantSettings


class UploadSettings(Settings):
    """Where uploads arrive."""

    uploads_bucket: str = Field(min_length=1)
    aws_endpoint_url: str = ""
    aws_endpoint_url_s3: str = ""

    @property
    def emulated(self) -> bool:
        """Tell whether S3 is an emulator's, at an address of its own."""
        return bool(self.aws_endpoint_url or self.aws_endpoint_url_s3)


class BucketSettings(UploadSettings):
    """Where uploads arrive and where receipts are kept."""

    receipts_bucket: str = Field(min_length=1)


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
    audit_table: str = Field(min_length=1)
    push_key_arn: str = Field(min_length=1)
    allow_local_targets: bool


class AdvanceSettings(MerchantSettings, UploadSettings):
    """What advancing a test order needs: every move, and where a proof is uploaded and drawn."""

    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    render_receipt_function: str = Field(min_length=1)
