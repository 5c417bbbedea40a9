"""The function that draws receipts, called and waited for."""

import json
from functools import cached_property
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, UNANSWERED, error_code, is_server_error
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.services.orders.receipts import Rendering

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

# Longer than the function may run, shorter than the pages may.
READ_SECONDS = 24
_THROTTLED = "TooManyRequestsException"


class LambdaRenderer:
    """Sends each call once: what could not be drawn would only cost the same again."""

    def __init__(self, session: Session, function: str) -> None:
        self._session = session
        self._function = function

    def render(self, upload: str) -> Rendering:
        payload = json.dumps({"upload": upload})
        try:
            reply = self._client.invoke(FunctionName=self._function, Payload=payload)
            text = reply["Payload"].read()
        except UNANSWERED:
            raise TryAgain from None
        except ClientError as error:
            if error_code(error) == _THROTTLED or is_server_error(error):
                raise TryAgain from error
            raise
        if "FunctionError" in reply:
            raise TryAgain
        answer = json.loads(text)
        if "problem" in answer:
            raise UnfitReceipt(ReceiptProblem(answer["problem"]))
        return Rendering(**answer)

    @cached_property
    def _client(self) -> "LambdaClient":
        """Make the client with the first upload; most containers never see one."""
        config = CLIENT_CONFIG.merge(Config(read_timeout=READ_SECONDS))
        return cast("LambdaClient", self._session.create_client("lambda", config=config))
