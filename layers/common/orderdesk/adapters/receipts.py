"""Receipts: signed forms and links, stored files, and the function that draws uploads."""

import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from botocore.config import Config
from botocore.exceptions import ClientError, ResponseStreamingError
from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, UNANSWERED, call, error_code, is_server_error
from orderdesk.adapters.system import pause_ms
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.services.orders.receipts import Rendering, Upload, UploadForm
from orderdesk.services.retrying import PauseMs

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client

    from orderdesk.services.orders.render_receipt import KeptFile
    from orderdesk.services.ports import FindsMerchants

FORM_SECONDS = 3600
PICTURE_SECONDS = 300
# All uploads are stored with this type: no browser executes it, and one form without JavaScript
# accepts all types.
UPLOADED_TYPE = "application/octet-stream"

# S3 refuses an object to be locked without a checksum (PutObject).
_CHECKSUM: Final = "CRC32"
# Without the right to list, S3 returns 403 for a missing key.
_MISSING = frozenset({"NoSuchKey", "404", "AccessDenied", "403"})
_KEPT_ALREADY: Final = "PreconditionFailed"


def s3_client(session: Session, *, emulated: bool) -> "S3Client":
    """Create the client; an emulator has no host name for each bucket, so paths name buckets."""
    config = Config(
        signature_version="s3v4",
        s3={
            "addressing_style": "path" if emulated else "virtual",
            "us_east_1_regional_endpoint": "regional",
        },
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return cast("S3Client", session.create_client("s3", config=CLIENT_CONFIG.merge(config)))


def lazy_s3(session: Session, *, emulated: bool) -> "Callable[[], S3Client]":
    """Return how to get a client that is created once, on first use: most containers need none."""
    return cache(lambda: s3_client(session, emulated=emulated))


class Bucket:
    """Read and store whole files, and sign forms and links to them, which sends no request."""

    def __init__(self, client: "Callable[[], S3Client]", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def upload_form(self, key: str, max_bytes: int, return_url: str) -> UploadForm:
        """Sign a form for exactly this key, type and return URL; it is valid for an hour."""
        fixed = {"Content-Type": UPLOADED_TYPE, "success_action_redirect": return_url}
        signed = self._client().generate_presigned_post(
            self._bucket,
            key,
            Fields=dict(fixed),
            Conditions=[
                *({name: value} for name, value in fixed.items()),
                ["content-length-range", 1, max_bytes],
            ],
            ExpiresIn=FORM_SECONDS,
        )
        return UploadForm(signed["url"], signed["fields"])

    def url(self, key: str, seconds: int = PICTURE_SECONDS, **answer: str) -> str:
        """Return a signed link to a file, valid for some seconds, with headers of its answer."""
        where = {"Bucket": self._bucket, "Key": key, **answer}
        return self._client().generate_presigned_url("get_object", Params=where, ExpiresIn=seconds)

    def keep_and_link(self, key: str, picture: bytes) -> str:
        """Store a PNG and return a signed link; an existing one stays. Raises: TryAgain."""
        self.keep(key, picture, "image/png")
        return self.url(key)

    def read(self, key: str, max_bytes: int) -> Upload | None:
        try:
            return call(lambda: self._first_bytes(key, max_bytes + 1))
        except ClientError as error:
            if error_code(error) in _MISSING:
                return None
            raise

    def _first_bytes(self, key: str, count: int) -> Upload:
        """Return a file's first bytes; botocore checks the length only at the end of the file."""
        answer = self._client().get_object(Bucket=self._bucket, Key=key)
        content = answer["Body"].read(count)
        if len(content) < min(count, answer["ContentLength"]):
            raise ResponseStreamingError(error="the file is incomplete")
        return Upload(answer["ETag"], answer["ContentLength"], content)

    def keep_all(self, files: "Sequence[KeptFile]") -> None:
        # Imported when it is needed, because the pages' functions import this module too.
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        with ThreadPoolExecutor(len(files)) as pool:
            for _ in pool.map(lambda f: self.keep(f.key, f.content, f.content_type), files):
                pass  # raises the error of a file

    def keep(self, key: str, content: bytes, content_type: str, **lock: Any) -> bool:
        """Store a file; return False if its key has one, which stays. Raises: TryAgain."""
        try:
            call(
                lambda: self._client().put_object(
                    Bucket=self._bucket,
                    Key=key,
                    Body=content,
                    ContentType=content_type,
                    IfNoneMatch="*",
                    ChecksumAlgorithm=_CHECKSUM,
                    **lock,
                )
            )
        except ClientError as error:
            if error_code(error) != _KEPT_ALREADY:
                raise
            return False
        return True


# Longer than the timeout of the drawing function; with the pauses shorter than that of the pages.
READ_SECONDS = 24
PAUSES_MS = (250, 500, 750, 1000, 1500)
_THROTTLED = "TooManyRequestsException"


class LambdaRenderer:
    """Call the drawing function without retries: a retry would cost the same again.

    While the function is busy (with the file, the merchant's others, or everybody's), ask again
    after each pause. `merchants` has the rates that places for decoding follow from; without it a
    merchant has the fewest places.
    """

    def __init__(
        self,
        session: Session,
        function: str,
        merchants: "FindsMerchants | None" = None,
        pause_ms: PauseMs = pause_ms,
    ) -> None:
        self._session = session
        self._function = function
        self._merchants = merchants
        self._pause_ms = pause_ms

    def render(self, upload: str, merchant_id: str) -> Rendering:
        asked = {"upload": upload, "merchant_id": merchant_id}
        return Rendering(**self._answer({**asked, **self._rate(merchant_id)}, PAUSES_MS))

    def read_code(self, upload: str, trader_id: str) -> str:
        return str(self._answer({"code": upload, "trader_id": trader_id}, PAUSES_MS)["text"])

    def fetch_code(self, order_no: str, owner: str, url: str) -> str:
        # A page is shown without the code rather than late.
        asked = {"code_url": url, "order_no": order_no, "owner": owner}
        return str(self._answer({**asked, **self._rate(owner)}, ())["text"])

    def _rate(self, merchant_id: str) -> Mapping[str, int]:
        """Return the merchant's rate of calls, if it is known. Raises: TryAgain."""
        merchant = self._merchants and self._merchants.find(merchant_id)
        return {"max_rps": merchant.terms.max_rps} if merchant else {}

    def _answer(self, asked: Mapping[str, str | int], pauses_ms: Sequence[int]) -> dict[str, Any]:
        """Return the function's answer. Raises: UnfitReceipt, TryAgain."""
        for pause in (*pauses_ms, None):
            answer = self._invoke(json.dumps(asked))
            if "problem" in answer:
                raise UnfitReceipt(ReceiptProblem(answer["problem"]))
            if "busy" not in answer:
                return answer
            if pause is not None:
                self._pause_ms(pause)
        raise TryAgain

    def _invoke(self, payload: str) -> dict[str, Any]:
        try:
            reply = self._client.invoke(FunctionName=self._function, Payload=payload)
            text = reply["Payload"].read()
        except UNANSWERED:
            raise TryAgain from None
        except ClientError as error:
            if error_code(error) == _THROTTLED:
                return {"busy": True}
            if is_server_error(error):
                raise TryAgain from error
            raise
        if "FunctionError" in reply:
            raise TryAgain
        return cast("dict[str, Any]", json.loads(text))

    @cached_property
    def _client(self) -> "LambdaClient":
        """Create the client on first use; most containers never receive an upload."""
        config = CLIENT_CONFIG.merge(Config(read_timeout=READ_SECONDS))
        return cast("LambdaClient", self._session.create_client("lambda", config=config))
