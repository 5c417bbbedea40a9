"""The handler of POST /merchant/createOrder, for buys."""

import json
import time
from decimal import Decimal
from functools import partial
from typing import Any

from aws_lambda_powertools import Logger, Metrics, Tracer
from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response, content_types
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.logging import correlation_paths
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from errors import OrderError, Problem
from models import Answer, CreateOrder
from orders import create_buy

logger = Logger()
tracer = Tracer()
metrics = Metrics()
api = APIGatewayRestResolver(
    enable_validation=True,
    json_body_deserializer=partial(json.loads, parse_float=Decimal),  # no amount becomes a float
)


@api.post("/merchant/createOrder")
@tracer.capture_method
def create_order(order: CreateOrder) -> Response[Answer]:
    """Create the order, emit the metric, and answer."""
    event = api.current_event
    made = create_buy(order, event.http_method, event.resource, event.decoded_body or "")
    metrics.add_metric(name="OrdersCreated", unit=MetricUnit.Count, value=1)
    logger.info("order created", extra={"result": made.result_status})
    return Response(
        status_code=200,
        content_type=content_types.APPLICATION_JSON,
        headers=headers(),
        body=Answer(data=made, time=int(time.time())),
    )


@api.exception_handler(OrderError)  # type: ignore[untyped-decorator]
def refused(error: OrderError) -> Response[str]:
    """Answer a refusal with its code."""
    logger.info("refused", extra={"code": error.code, "reason": error.reason})
    return refusal(error)


@api.exception_handler(RequestValidationError)  # type: ignore[untyped-decorator]
def malformed(error: RequestValidationError) -> Response[str]:
    """Answer a body that does not match the model; list every wrong field."""
    fields = [
        {"field": ".".join(map(str, problem["loc"][1:])), "problem": problem["type"]}
        for problem in error.errors()
    ]
    return refusal(OrderError(Problem.INVALID_PARAMETER, fields=fields))


@api.exception_handler(Exception)  # type: ignore[untyped-decorator]
def unexpected(error: Exception) -> Response[str]:
    """Answer an unexpected error without internal details."""
    logger.error("unexpected", exc_info=error)
    return refusal(OrderError(Problem.INTERNAL_ERROR))


def refusal(error: OrderError) -> Response[str]:
    """Return the envelope of a refusal."""
    envelope = {
        "code": error.code,
        "msg": error.message,
        "data": {"reason": error.reason, **error.data},
        "time": int(time.time()),
    }
    return Response(
        status_code=error.status,
        content_type=content_types.APPLICATION_JSON,
        headers=headers(),
        body=json.dumps(envelope),
    )


def headers() -> dict[str, str]:
    """Return the headers of every answer."""
    request_id = api.current_event.request_context.request_id
    return {"x-request-id": request_id, "Cache-Control": "no-store"}


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_REST)
@tracer.capture_lambda_handler
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one API Gateway event."""
    return api.resolve(event, context)
