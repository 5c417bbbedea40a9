"""A deployed stack on an emulator, for `make run` and the tests."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import boto3

from local import emulator as emulators
from local import gateway, live, sam
from local.emulator import REGION, Emulator
from local.progress import step
from local.sources import Sources

STAGE = "v1"
QUEUE_WORKERS = 8


@dataclass(frozen=True)
class Stack:
    """A deployed stack and its addresses."""

    port: int
    work: Path
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def endpoint_url(self) -> str:
        """The address for AWS clients."""
        return f"http://localhost:{self.port}"

    @property
    def base_url(self) -> str:
        """The address for merchants and payers."""
        return base_url(self.port)

    @property
    def emulator_log(self) -> Path:
        """The emulator's log."""
        return self.work / emulators.LOG

    def client(self, service: str) -> Any:
        """Return a client of an emulated service, as the account's root user."""
        return _client(service, self.endpoint_url)

    def describe(self) -> dict[str, Any]:
        """Return the stack's part of `.local/stack.json`."""
        return {
            "base_url": self.base_url,
            "endpoint_url": self.endpoint_url,
            "region": REGION,
            "stack": sam.STACK_NAME,
            "outputs": self.outputs,
        }

    def function_variables(self, endpoint_url: str) -> dict[str, dict[str, str]]:
        """Return each function's variables in the format of `sam local invoke --env-vars`."""
        functions = self.client("lambda")
        return {
            output.removesuffix("Name"): {
                **functions.get_function_configuration(FunctionName=name)["Environment"][
                    "Variables"
                ],
                "AWS_ENDPOINT_URL": endpoint_url,
            }
            for output, name in self.outputs.items()
            if output.endswith("FunctionName")
        }

    def function_logs(self, function: str) -> list[str]:
        """Return all log messages of a function, oldest first."""
        pages = self.client("logs").get_paginator("filter_log_events")
        group = f"/aws/lambda/{function}"
        return [
            event["message"]
            for page in pages.paginate(logGroupName=group)
            for event in page["events"]
        ]


@cache
def _client(service: str, endpoint_url: str) -> Any:
    session = boto3.Session("test", "test", region_name=REGION)
    return session.client(service, endpoint_url=endpoint_url)  # type: ignore[call-overload]


def base_url(port: int) -> str:
    """Return the API's address; it is known before the deploy, because a tag sets the API's id."""
    return f"http://localhost:{port}/_aws/execute-api/orderdesk/{STAGE}"


@contextmanager
def start(
    port: int, work: Path, parameters: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[Stack, Emulator]]:
    """Start an emulator and deploy the template; end the emulator after the block.

    `parameters` of the template are added to the local ones.
    """
    work.mkdir(parents=True, exist_ok=True)
    with step("emulator"):
        emulator = emulators.start(port, work)
    try:
        with step("sam build"):
            built = sam.build(work / "sam-build.log")
        yield deploy(port, work, built, parameters), emulator
    finally:
        emulator.stop()


def deploy(
    port: int, work: Path, built: Sources, parameters: Mapping[str, str] = MappingProxyType({})
) -> Stack:
    """Deploy the built template with the local parameters and `parameters`; read the outputs."""
    stack = Stack(port, work)
    whole = {**local_parameters(port), **parameters}
    s3 = stack.client("s3")
    with step("sam deploy"):
        s3.create_bucket(Bucket=sam.BUCKET)
        live.forget(s3)
        sam.deploy(stack.endpoint_url, whole, work / "sam-deploy.log")
    formation = stack.client("cloudformation")
    described = formation.describe_stacks(StackName=sam.STACK_NAME)["Stacks"][0]
    stack.outputs.update({o["OutputKey"]: o["OutputValue"] for o in described["Outputs"]})
    processed = formation.get_template(StackName=sam.STACK_NAME, TemplateStage="Processed")
    body = processed["TemplateBody"]
    gateway.put_gateway_responses(
        stack.client("apigateway"),
        stack.outputs["RestApiId"],
        STAGE,
        json.loads(body) if isinstance(body, str) else body,
    )
    _limit_workers(stack)
    live.write(s3, live.deployed_from(built, whole))
    return stack


def _limit_workers(stack: Stack) -> None:
    """Limit the concurrent batches of a queue, because each is a process of the emulator."""
    functions = stack.client("lambda")
    for mapping in functions.list_event_source_mappings()["EventSourceMappings"]:
        if ":sqs:" in mapping["EventSourceArn"]:
            functions.update_event_source_mapping(
                UUID=mapping["UUID"], ScalingConfig={"MaximumConcurrency": QUEUE_WORKERS}
            )


def local_parameters(port: int) -> dict[str, str]:
    """Return the template's parameters for a stack on this machine."""
    return {
        "Architecture": sam.host_architecture(),
        "PublicBaseUrl": base_url(port),
        "CacheSeconds": "0",
        "AllowLocalTargets": "true",
        "SealSeconds": "10",
        "CallbackLanes": "3",
        "IdentityProvider": "sandbox",
        "RateMaxAgeSeconds": "2592000",
    }
