"""Tencent Cloud's faceid, action PhoneVerification 2018-03-01: name, id card and mobile together.

Import this module only if the provider is configured: it imports Tencent's SDK.
"""

import logging
import queue
import re
import threading
from dataclasses import dataclass
from typing import Final

from tencentcloud.common.abstract_client import LOGGER_NAME as SDK_LOGGER_NAME
from tencentcloud.common.credential import Credential
from tencentcloud.common.exception.tencent_cloud_sdk_exception import TencentCloudSDKException
from tencentcloud.common.profile.client_profile import ClientProfile
from tencentcloud.common.profile.http_profile import HttpProfile
from tencentcloud.faceid.v20180301.faceid_client import FaceidClient
from tencentcloud.faceid.v20180301.models import PhoneVerificationRequest

from orderdesk.domain.identity import Identity, Verification, VerificationOutcome

PROVIDER: Final = "tencent"

_PASSED: Final = VerificationOutcome.PASSED
_FAILED: Final = VerificationOutcome.FAILED
_UNAVAILABLE: Final = VerificationOutcome.UNAVAILABLE

# Response.Result, from the SDK's PhoneVerificationResponse. FAILED if a retry with the same three
# factors must fail again; UNAVAILABLE if the factors were not compared.
_RESULTS: Final = {
    # charged: the carrier compared the three factors
    "0": _PASSED,  # 三要素信息一致: they belong together
    "-4": _FAILED,  # 三要素信息不一致: they do not
    # free of charge: refused before the comparison, because of the factors themselves
    "-6": _FAILED,  # 手机号码不合法: not a mobile number
    "-7": _FAILED,  # 身份证号码有误: not an id card number
    "-8": _FAILED,  # 姓名校验不通过: not a name
    "-9": _FAILED,  # 没有记录: the carriers know no such subscriber
    "-13": _FAILED,  # 该号段不支持验证: this number range cannot be verified, also not later
    # free of charge: no result about the factors
    "-11": _UNAVAILABLE,  # 验证中心服务繁忙: the centre is busy
    "-12": _UNAVAILABLE,  # 认证次数超过当日限制: asked too often today
}

# Response.Error.Code, from the SDK's errorcodes. Only these concern the person. Every other code
# (signature, quota, arrears, parameters, internal) is a problem of ours or of the provider.
_ERRORS: Final = {
    "FailedOperation.IdFormatError": _FAILED,  # 输入的身份证号有误
    "FailedOperation.NameFormatError": _FAILED,  # 输入的姓名有误
    "FailedOperation.IdNameMisMatch": _FAILED,  # 姓名和身份证号不一致
    "FailedOperation.IdNoExistSystem": _FAILED,  # 库中无此号
}

# The parts of a response that may be logged or stored. Free text may not: it could quote the
# identity.
_CODE: Final = re.compile(r"-?[0-9]{1,4}|[A-Za-z]{1,40}(\.[A-Za-z]{1,60})?")
_REQUEST_ID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

_log: Final = logging.getLogger(__name__)


# At DEBUG the SDK logs every request's body, with the whole identity. A filter is used, because
# logging configurations often change levels and handlers.
logging.getLogger(SDK_LOGGER_NAME).addFilter(lambda _: False)


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of one call: the outcome, its code, the provider's request id."""

    outcome: VerificationOutcome
    code: str
    request_id: str


class TencentVerifier:
    """Call PhoneVerification (short form, VerifyMode 0) once for each verification, no retries."""

    def __init__(
        self,
        secret_id: str,
        secret_key: str,
        region: str,
        timeout_seconds: float,
        *,
        endpoint: str | None = None,
        scheme: str = "https",
    ) -> None:
        """`timeout_seconds` limits a whole verification.

        `endpoint`: a host, with a port if needed; the SDK's own by default. Plain http requires an
        endpoint, so that identities are never sent unencrypted over the internet by mistake.
        Raises: ValueError for http without an endpoint, and for malformed credentials.
        """
        if scheme != "https" and endpoint is None:
            raise ValueError("plain http is for a local test server: pass its endpoint")
        try:
            self._credential = Credential(secret_id, secret_key)
        except TencentCloudSDKException:
            raise ValueError("Tencent Cloud SecretId or SecretKey: empty, or with spaces") from None
        self._region = region
        self._timeout_seconds = timeout_seconds
        self._endpoint = endpoint
        self._scheme = scheme

    def verify(self, identity: Identity) -> Verification:
        """Call the provider; return UNAVAILABLE for any error or time-out.

        The SDK's timeout applies to each connect and read, so slow single bytes or a slow resolver
        can exceed it. The call therefore runs in another thread, for which this one stops waiting.
        """
        answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        threading.Thread(
            target=lambda: answers.put(self._ask(identity)), name="tencent-verify", daemon=True
        ).start()
        try:
            answer = answers.get(timeout=self._timeout_seconds)
        except queue.Empty:
            answer = _Answer(_UNAVAILABLE, "timeout", "")
        if answer.outcome is _UNAVAILABLE:
            _log.warning(
                "identity provider %s unavailable: %s, request id %s",
                PROVIDER,
                answer.code,
                answer.request_id or "none",
            )
        return Verification(answer.outcome, PROVIDER, answer.request_id)

    def _ask(self, identity: Identity) -> _Answer:
        """Send the request; hide exceptions, because their texts may quote personal data."""
        request = PhoneVerificationRequest()
        request.Name = identity.customer_name
        request.IdCard = identity.id_card
        request.Phone = identity.mobile
        # A kept connection is often closed after Lambda freezes the container.
        request.headers = {"Connection": "close"}
        try:
            response = self._client().PhoneVerification(request)
            code, request_id = str(response.Result), str(response.RequestId)
            outcome = _RESULTS.get(code, _UNAVAILABLE)
        except TencentCloudSDKException as error:
            code, request_id = str(error.get_code()), str(error.get_request_id())
            outcome = _ERRORS.get(code, _UNAVAILABLE)
        except Exception as error:  # noqa: BLE001 (the port never raises; the SDK has no contract)
            code, request_id, outcome = type(error).__name__, "", _UNAVAILABLE
        return _Answer(
            outcome, _shown(code, _CODE) or "undocumented", _shown(request_id, _REQUEST_ID)
        )

    def _client(self) -> FaceidClient:
        """Create a client for each call: it is cheap, and an abandoned call affects no other."""
        http = HttpProfile(
            protocol=self._scheme, endpoint=self._endpoint, reqTimeout=self._timeout_seconds
        )
        profile = ClientProfile(signMethod="TC3-HMAC-SHA256", httpProfile=http)
        return FaceidClient(self._credential, self._region, profile)


def _shown(text: str, shape: re.Pattern[str]) -> str:
    """Return an external text if it has the expected format, otherwise ""."""
    return text if shape.fullmatch(text) else ""
