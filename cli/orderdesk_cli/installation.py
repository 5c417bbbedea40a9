"""A deployed stack and its account, read from AWS with an administrator's rights.

`doctor`, `preflight` and repairs use it; everything else is a command of the operators' API.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from functools import cache, cached_property, partial
from typing import Any
from urllib.parse import unquote

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk_cli.api import Api
from orderdesk_cli.stacks import LocalSession, SignedTransport, Stack, session_from_environment

_CONFIG = Config(connect_timeout=3, read_timeout=10, retries={"total_max_attempts": 3})
_ABSENT = {"ResourceNotFoundException", "NotFoundException", "ValidationError"}
_ALIAS = "live"  # what the template lets events call
_CAPS = ("MaxReadRequestUnits", "MaxWriteRequestUnits")
_LASTING = ("Merchants", "Traders", "Orders", "Ledger", "Audit", "Callbacks")


class Installation:
    """A stack and its account; nothing is read or opened before it is used.

    Its methods raise botocore's errors.
    """

    def __init__(
        self, session: Session, find: Callable[[], Stack], open_api: Callable[[], Api]
    ) -> None:
        self._session = session
        self._find_stack = find
        self._open_api = open_api
        self._client: Callable[[str], Any] = cache(partial(session.create_client, config=_CONFIG))

    @cached_property
    def stack(self) -> Stack:
        """The stack. Raises: StackUnavailable, botocore's errors."""
        return self._find_stack()

    @cached_property
    def api(self) -> Api:
        """The stack's operators' API."""
        return self._open_api()

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return int(time.time())

    @property
    def is_emulated(self) -> bool:
        """Whether the stack is on this machine's emulator."""
        named = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT_URL_S3")
        return isinstance(self._session, LocalSession) or bool(named)

    @property
    def region(self) -> str:
        """The region that the credentials are used in."""
        return str(self._client("sts").meta.region_name)

    def account(self) -> str:
        """Return the number of the account."""
        return str(self._client("sts").get_caller_identity()["Account"])

    def throttle(self) -> tuple[float, int]:
        """Return the account's rate limit (requests a second) and burst limit at API Gateway."""
        limits = self._client("apigateway").get_account()["throttleSettings"]
        return limits["rateLimit"], limits["burstLimit"]

    def log_role(self) -> str:
        """Return the ARN of the role that API Gateway logs with; empty if there is none."""
        return str(self._client("apigateway").get_account().get("cloudwatchRoleArn") or "")

    def containers_max(self) -> int:
        """Return the account's limit of concurrent Lambda containers."""
        limits = self._client("lambda").get_account_settings()["AccountLimit"]
        return int(limits["ConcurrentExecutions"])

    def containers_free(self, function: str) -> int:
        """Return how many containers are reserved for this function or for none."""
        limits = self._client("lambda").get_account_settings()["AccountLimit"]
        own = self._found("lambda", "get_function_concurrency", FunctionName=function) or {}
        reserved = own.get("ReservedConcurrentExecutions", 0)
        return int(limits["UnreservedConcurrentExecutions"] + reserved)

    def roles(self) -> tuple[int, int]:
        """Return the number of IAM roles in the account, and its limit."""
        summary = self._client("iam").get_account_summary()["SummaryMap"]
        return summary.get("Roles", 0), summary.get("RolesQuota", 1000)

    def has_secret(self, arn: str) -> bool:
        """Return whether a secret exists and stays."""
        described = self._found("secretsmanager", "describe_secret", SecretId=arn)
        return described is not None and "DeletedDate" not in described

    def certificate(self, arn: str) -> tuple[str, set[str], int | None]:
        """Return a certificate's status, its names, and the days until its end, if it has one."""
        described = self._found("acm", "describe_certificate", CertificateArn=arn)
        if described is None:
            return "missing", set(), None
        found = described["Certificate"]
        ends = found.get("NotAfter")
        days = (ends - datetime.now(UTC)).days if ends else None
        names = {found["DomainName"], *found.get("SubjectAlternativeNames", [])}
        return found["Status"], names, days

    def _found(self, service: str, operation: str, **named: str) -> Any:
        """Ask for one thing; None if there is none."""
        try:
            return getattr(self._client(service), operation)(**named)
        except ClientError as error:
            if error.response["Error"]["Code"] in _ABSENT:
                return None
            raise

    def _pages(self, service: str, operation: str, key: str, **named: str) -> Iterator[Any]:
        """Yield the things that the pages of an answer have at a key."""
        for page in self._client(service).get_paginator(operation).paginate(**named):
            yield from page[key]

    def messages(self, output: str) -> int:
        """Count about how many messages lie in the queue of an output."""
        counted = "ApproximateNumberOfMessages"
        answer = self._client("sqs").get_queue_attributes(
            QueueUrl=self.stack.output(output), AttributeNames=[counted]
        )
        return int(answer["Attributes"][counted])

    def listeners(self) -> int:
        """Count the confirmed listeners of the alarms' topic."""
        topic = self.stack.parameters.get("AlarmTopicArn") or self._resources["AlarmTopic"]
        found = self._pages("sns", "list_subscriptions_by_topic", "Subscriptions", TopicArn=topic)
        return sum(each["SubscriptionArn"].startswith("arn:") for each in found)

    def alarming(self) -> list[str]:
        """Name the stack's alarms that are in alarm, by their logical ids."""
        own = {name: logical for logical, name in self._resources.items()}
        found = self._pages("cloudwatch", "describe_alarms", "MetricAlarms", StateValue="ALARM")
        return sorted(own[each["AlarmName"]] for each in found if each["AlarmName"] in own)

    def busiest_minute(self) -> int:
        """Return the calls of createOrder in the busiest minute of the last day."""
        now = datetime.now(UTC)
        answer = self._client("cloudwatch").get_metric_statistics(
            Namespace="AWS/Lambda",
            MetricName="Invocations",
            Dimensions=[
                {"Name": "FunctionName", "Value": self.stack.output("CreateOrderFunctionName")}
            ],
            StartTime=now - timedelta(days=1),
            EndTime=now,
            Period=60,
            Statistics=["Sum"],
        )
        return max((int(point["Sum"]) for point in answer["Datapoints"]), default=0)

    def schedules(self) -> dict[str, bool]:
        """Return whether each of the stack's schedules is enabled, by its function's name."""
        prefix = f"{self.stack.name}-"
        found = self._pages("scheduler", "list_schedules", "Schedules", NamePrefix=prefix)
        return {each["Name"]: each["State"] == "ENABLED" for each in found}

    def mappings(self) -> dict[str, str]:
        """Return the state of each event source mapping, by its function's name."""
        found = {}
        for function in ("RelayEvents", "SendCallback", "SendPush"):
            name = self.stack.output(f"{function}FunctionName")
            called = f"{name}:{_ALIAS}"
            mappings = self._pages(
                "lambda", "list_event_source_mappings", "EventSourceMappings", FunctionName=called
            )
            found[name] = next((each["State"] for each in mappings), "missing")
        return found

    def tables(self) -> Iterator[tuple[str, bool, bool, Sequence[str]]]:
        """Return each table that must last: name, restorable to a point in time, protected, caps.

        The caps are those whose parameter is 0: CloudFormation leaves a cap that was set before.
        """
        unset = [cap for cap in _CAPS if self.stack.parameters.get(cap, "0") == "0"]
        client = self._client("dynamodb")
        for each in _LASTING:
            name = self.stack.output(f"{each}TableName")
            backups = client.describe_continuous_backups(TableName=name)
            recovery = backups["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
            described = client.describe_table(TableName=name)["Table"]
            yield (
                name,
                recovery["PointInTimeRecoveryStatus"] == "ENABLED",
                described.get("DeletionProtectionEnabled", False),
                [cap for cap in unset if described.get("OnDemandThroughput", {}).get(cap, -1) > 0],
            )

    def functions_roles(self) -> Iterator[tuple[str, set[str], set[str], list[str]]]:
        """Yield each function's role: name, template's actions, own actions, attached policies.

        Conditions and resources are not compared.
        """
        client = self._client("iam")
        answer = self._client("cloudformation").get_template(
            StackName=self.stack.name, TemplateStage="Processed"
        )
        for logical_id, resource in document_of(answer["TemplateBody"])["Resources"].items():
            name = self._resources.get(logical_id)  # None: its condition does not hold
            is_role = resource["Type"] == "AWS::IAM::Role" and "Policies" in resource["Properties"]
            if name is None or not is_role:
                continue
            declared = {
                action
                for policy in resource["Properties"]["Policies"]
                for action in actions_of(policy["PolicyDocument"])
            }
            present: set[str] = set()
            for policy in client.list_role_policies(RoleName=name)["PolicyNames"]:
                document = client.get_role_policy(RoleName=name, PolicyName=policy)
                present |= actions_of(document_of(document["PolicyDocument"]))
            attached = client.list_attached_role_policies(RoleName=name)["AttachedPolicies"]
            yield name, declared, present, [each["PolicyArn"] for each in attached]

    def roles_named(self, patterns: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the account's roles whose names match a pattern: name, trust policy."""
        for role in self._pages("iam", "list_roles", "Roles"):
            if any(fnmatchcase(role["RoleName"], pattern) for pattern in patterns):
                yield role["RoleName"], document_of(role["AssumeRolePolicyDocument"])

    @cached_property
    def _resources(self) -> dict[str, str]:
        """The stack's physical names by their logical ids."""
        name, kept = self.stack.name, "StackResourceSummaries"
        found = self._pages("cloudformation", "list_stack_resources", kept, StackName=name)
        return {each["LogicalResourceId"]: each.get("PhysicalResourceId", "") for each in found}


def document_of(text: Any) -> Mapping[str, Any]:
    """Parse a JSON document that AWS returns as text, quoted text or parsed."""
    if isinstance(text, str):
        text = json.loads(text if text.lstrip().startswith("{") else unquote(text))
    return dict(text)


def actions_of(document: Mapping[str, Any]) -> set[str]:
    """Name what a policy allows, whatever its conditions; both branches of an Fn::If."""
    found: set[str] = set()
    for written in _listed(document["Statement"]):
        for statement in written.get("Fn::If", [written]):
            if isinstance(statement, Mapping) and statement.get("Effect") == "Allow":
                for action in _listed(statement["Action"]):
                    branches = action["Fn::If"][1:] if isinstance(action, Mapping) else [action]
                    found |= {each for branch in branches for each in _listed(branch)}
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def open_installation(stack_name: str, open_api: Callable[[], Api]) -> Installation:
    """Open the stack of a name, with the AWS configuration of the environment."""
    session = session_from_environment()
    return Installation(session, lambda: SignedTransport(session, stack_name).stack, open_api)
