"""The table of codes: each reason's code, HTTP status and messages (contract section 3).

The refusals of requests that cannot be read are here too (contract sections 1 and 3).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from orderdesk.domain.errors import FieldProblem, Refusal, shortened

# Contract section 1: the size of a refusal does not depend on the request.
FIELDS_MAX = 20


class InvalidBody(Refusal, reason="invalid_body"):
    """The body is not a JSON object, or repeats a name (contract section 3, 1001)."""


class BodyTooLarge(InvalidBody):
    """The body is longer than 64 KiB (contract section 1)."""


class WrongContentType(InvalidBody):
    """The content type is not `application/json` (contract section 1)."""


class InvalidParameters(Refusal, reason="invalid_parameter"):
    """Missing or malformed parameters, all at once but bounded (contract sections 1 and 3, 1002).

    `data` has at most 20 of them, each field's name with at most 128 characters. With more problems
    it has `more`.
    """

    def __init__(self, problems: Iterable[FieldProblem]) -> None:
        self.problems = list(dict.fromkeys(problems))
        shown = [
            {"field": shortened(entry.field), "problem": entry.problem}
            for entry in self.problems[:FIELDS_MAX]
        ]
        super().__init__(fields=shown, more=len(self.problems) > FIELDS_MAX or None)


SUCCESS_CODE = 1
INTERNAL_ERROR = "internal_error"
UNKNOWN_ROUTE = "unknown_route"


@dataclass(frozen=True, slots=True)
class Code:
    """The code, HTTP status and messages of a reason."""

    code: int
    status: int
    en: str
    zh: str

    def message(self, *, chinese: bool) -> str:
        """Return the message in the caller's language."""
        return self.zh if chinese else self.en


SUCCESS = Code(SUCCESS_CODE, 200, "success", "成功")

CODES: Mapping[str, Code] = MappingProxyType(
    {
        "invalid_body": Code(
            1001, 400, "the body is not a valid JSON object", "请求体不是有效的 JSON 对象"
        ),
        "invalid_parameter": Code(
            1002, 400, "a parameter is missing or malformed", "参数缺失或格式错误"
        ),
        "amount_out_of_range": Code(
            1003, 400, "the amount is out of the allowed range", "金额超出允许范围"
        ),
        "unknown_api_key": Code(1101, 401, "unknown api_key", "api_key 不存在或已停用"),
        "bad_signature": Code(1102, 401, "the signature does not match", "签名错误"),
        "timestamp_out_of_window": Code(
            1103, 401, "the timestamp is more than 300 s from the server's", "时间戳超出允许范围"
        ),
        "nonce_reused": Code(1104, 401, "the nonce was used before", "nonce 已被使用"),
        "ip_not_allowed": Code(1105, 403, "the caller's address is not allowed", "IP 不在白名单"),
        "merchant_suspended": Code(1106, 403, "the merchant is suspended", "商户已被停用"),
        "not_allowed_by_key": Code(
            1107, 403, "the key's scope does not allow this", "该密钥的权限不允许此操作"
        ),
        "too_many_requests": Code(1201, 429, "too many requests", "请求过于频繁"),
        "merchant_order_no_exists": Code(
            2001, 409, "the merchant order number already exists", "商户订单号已存在"
        ),
        "order_not_found": Code(2002, 404, "no such order", "订单不存在"),
        "state_conflict": Code(
            2003, 409, "the order's status does not allow this", "订单状态不允许此操作"
        ),
        "no_trader_available": Code(
            2101, 409, "no trader is available for this order", "暂无可匹配的交易员"
        ),
        "open_limit_reached": Code(
            2104, 409, "the merchant's open buys have reached its limit", "商户未完成的买单已达上限"
        ),
        "open_sell_limit_reached": Code(
            2105,
            409,
            "the merchant's open sells have reached its limit",
            "商户未完成的卖单已达上限",
        ),
        "refused_by_desk": Code(2106, 409, "the order is refused by the desk", "平台拒绝了该订单"),
        "insufficient_balance": Code(
            2102, 409, "the merchant's USDT balance is insufficient", "商户 USDT 余额不足"
        ),
        "rate_unavailable": Code(2103, 503, "no current rate is available", "暂无可用汇率"),
        "identity_verification_failed": Code(
            2201, 422, "identity verification failed", "身份验证未通过"
        ),
        "identity_provider_unavailable": Code(
            2202, 503, "identity verification is unavailable, try again", "身份验证服务暂不可用"
        ),
        UNKNOWN_ROUTE: Code(4000, 404, "unknown route", "接口不存在"),
        INTERNAL_ERROR: Code(
            5000, 500, "internal error; quote the request id", "系统内部错误，请提供请求编号"
        ),
        "try_again": Code(
            5001, 503, "busy; try again with the same merchant_order_no", "系统繁忙，请稍后重试"
        ),
    }
)

# Same reason and code, but another HTTP status and text (contract section 3, 1001).
_OF_KIND: Mapping[type[Refusal], Code] = MappingProxyType(
    {
        BodyTooLarge: Code(1001, 413, "the body is larger than 64 KiB", "请求体超过 64 KiB"),
        WrongContentType: Code(
            1001,
            415,
            "the content type must be application/json",
            "Content-Type 必须为 application/json",
        ),
    }
)


def code_of(refusal: Refusal) -> Code:
    """Return the code of a refusal."""
    return _OF_KIND.get(type(refusal), CODES[refusal.reason])
