"""The facts about an account before the stack is in it, read from AWS."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk_cli.stacks import error_code

_CONFIG = Config(connect_timeout=3, read_timeout=10, retries={"total_max_attempts": 3})
_ABSENT = {"ResourceNotFoundException", "NotFoundException", "ValidationError"}


class Facts:
    """What an account and region have. Each raises botocore's errors."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._clients: dict[str, Any] = {}

    @property
    def region(self) -> str:
        """The region that the credentials are used in."""
        return str(self._client("sts").meta.region_name)

    def account(self) -> str:
        """Give the number of the account."""
        return str(self._client("sts").get_caller_identity()["Account"])

    def throttle(self) -> tuple[float, int]:
        """Give the requests a second, and at once, that API Gateway gives the account."""
        limits = self._client("apigateway").get_account()["throttleSettings"]
        return float(limits["rateLimit"]), int(limits["burstLimit"])

    def log_role(self) -> str:
        """Give the ARN of the role that API Gateway logs with; empty if there is none."""
        return str(self._client("apigateway").get_account().get("cloudwatchRoleArn") or "")

    def containers_max(self) -> int:
        """Give how many containers Lambda gives the account."""
        limits = self._client("lambda").get_account_settings()["AccountLimit"]
        return int(limits["ConcurrentExecutions"])

    def roles(self) -> tuple[int, int]:
        """Give how many IAM roles the account has, and may have."""
        summary = self._client("iam").get_account_summary()["SummaryMap"]
        return int(summary.get("Roles", 0)), int(summary.get("RolesQuota", 1000))

    def has_secret(self, arn: str) -> bool:
        """Tell whether a secret exists and stays."""
        described = self._found("secretsmanager", "describe_secret", SecretId=arn)
        return described is not None and "DeletedDate" not in described

    def certificate(self, arn: str) -> tuple[str, set[str], int | None]:
        """Give a certificate's status, its names, and the days until its end, if it has one."""
        described = self._found("acm", "describe_certificate", CertificateArn=arn)
        if described is None:
            return "missing", set(), None
        found = described["Certificate"]
        ends = found.get("NotAfter")
        days = (ends - datetime.now(UTC)).days if ends else None
        names = {found["DomainName"], *found.get("SubjectAlternativeNames", [])}
        return found["Status"], names, days

    def stack_status(self, name: str) -> str | None:
        """Give the status of a stack; None if there is none."""
        described = self._found("cloudformation", "describe_stacks", StackName=name)
        return str(described["Stacks"][0]["StackStatus"]) if described else None

    def taken_names(self, stack: str, domain: str) -> Iterator[str]:
        """Name what has a name that the stack would choose. Tables and buckets have none."""
        if self._found("lambda", "get_function", FunctionName=f"{stack}-create-order"):
            yield f"the function {stack}-create-order"
        prefix = f"/aws/lambda/{stack}-"
        groups = self._client("logs").describe_log_groups(logGroupNamePrefix=prefix)["logGroups"]
        for group in groups:
            yield f"the log group {group['logGroupName']}"
        alias = f"alias/{stack}-secrets"
        for page in self._client("kms").get_paginator("list_aliases").paginate():
            if any(each["AliasName"] == alias for each in page["Aliases"]):
                yield f"the key alias {alias}"
        dashboard = f"{stack}-{self.region}"
        boards = self._client("cloudwatch").list_dashboards(DashboardNamePrefix=dashboard)
        if any(each["DashboardName"] == dashboard for each in boards["DashboardEntries"]):
            yield f"the dashboard {dashboard}"
        if domain and self._found("apigateway", "get_domain_name", domainName=domain):
            yield f"the API's domain {domain}"

    def _found(self, service: str, operation: str, **named: str) -> Any:
        """Ask for one thing; None if there is none."""
        try:
            return getattr(self._client(service), operation)(**named)
        except ClientError as error:
            if error_code(error) in _ABSENT:
                return None
            raise

    def _client(self, service: str) -> Any:
        if service not in self._clients:
            self._clients[service] = self._session.create_client(service, config=_CONFIG)
        return self._clients[service]
