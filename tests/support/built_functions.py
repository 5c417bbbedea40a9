"""The functions that SAM builds, and the environment in which one is imported without Lambda."""

from tests.support.template import template
from tests.support.world import ENVIRONMENT

FUNCTIONS = tuple(
    name
    for name, each in template()["Resources"].items()
    if each["Type"] == "AWS::Serverless::Function"
)
_SETTINGS = ENVIRONMENT | {
    "LAMBDA_TASK_ROOT": "/var/task",  # Powertools' Tracer is off without it
    "AWS_REGION": "us-east-1",
    "LOG_LEVEL": "INFO",
    "POWERTOOLS_SERVICE_NAME": "bench",
    "CACHE_SECONDS": "300",
    "SECRETS_KEY_ARN": "arn:aws:kms:us-east-1:000000000000:key/bench",
    "IDENTITY_PROVIDER": "none",
    "IDENTITY_KEY_ARN": "arn:aws:kms:us-east-1:000000000000:key/identity",
}


def settings_of(function: str) -> dict[str, str]:
    return {**_SETTINGS, "AWS_LAMBDA_FUNCTION_NAME": function}
