"""Stored receipts and proofs for operators."""

from typing import TYPE_CHECKING

from orderdesk.adapters.receipts import PICTURE_SECONDS, Bucket

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

LINK_SECONDS = PICTURE_SECONDS


class KeptEvidence(Bucket):
    """The bucket of receipts. Signing sends no request."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        super().__init__(client, bucket)
        self._signer, self._name = client, bucket

    def link(self, key: str, name: str) -> str:
        """Sign a download link; a browser must not render an upload, which may be any file."""
        return self._signer.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._name,
                "Key": key,
                "ResponseContentType": "application/octet-stream",
                "ResponseContentDisposition": f'attachment; filename="{name}"',
            },
            ExpiresIn=LINK_SECONDS,
        )
