"""What only an AWS account refuses: names, lengths, rules of the translated template."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.infra.translated import translated
from tests.support.template import template
from tools.deploy.proof.deployment import LOCAL_ACCOUNT, broken_rules

# Properties with the physical name of a resource, which is unique in an account and region.
NAMES = re.compile(
    r"(Alias|Bucket|Dashboard|Function|Layer|LogGroup|Queue|Role|Rule|Stream|Table|Topic)?Name"
)
# Resources whose name is unique within their parent only.
PARTS = {"AWS::Lambda::Alias", "AWS::ApiGateway::Stage"}
STACK = "${AWS::StackName}"
DESCRIPTION_MAX = 256  # docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html


def names() -> Iterator[tuple[str, Any]]:
    """Yield the physical names that the template chooses, with the place of each."""
    resources = translated(gradual="true")["Resources"]
    for logical_id, resource in resources.items():
        if resource["Type"] in PARTS:
            continue
        for key, value in resource.get("Properties", {}).items():
            of_another = isinstance(value, dict) and value.get("Ref") in resources
            if NAMES.fullmatch(key) and not of_another:
                yield f"{logical_id}.{key}", value


def test_a_second_stack_has_other_names() -> None:
    others = [
        place
        for place, value in names()
        if STACK not in str(value) and value != {"Ref": "AWS::StackName"}
    ]
    assert others == []


SCHEDULES = (
    "ExpireDraftsFunctionEveryMinute",
    "AssignSellsFunctionEveryMinute",
    "SealBooksFunctionEveryMinutes",
    "SealBooksFunctionEveryDay",
    "PayOutFunctionEveryMinute",
)


def test_the_schedules_have_such_names() -> None:
    places = {place for place, _ in names()}
    assert {f"{name}.Name" for name in SCHEDULES} <= places


def longest(parameter: str) -> int:
    declared = template()["Parameters"][parameter]
    if values := declared.get("AllowedValues"):
        return max(len(str(value)) for value in values)
    if declared["Type"] == "Number":
        return len(str(declared["MaxValue"]))
    return int(declared["MaxLength"])


@pytest.mark.parametrize(
    "description",
    [
        each["Properties"]["VersionDescription"]
        for each in template()["Resources"].values()
        if "VersionDescription" in each.get("Properties", {})
    ],
)
def test_a_versions_description_fits(description: dict[str, Any]) -> None:
    written = description["Fn::Sub"]
    text = written if isinstance(written, str) else written[0]
    # The end of a secret's ARN: its name, a hyphen and six characters.
    longest_of = {"Secret": 49 + 7}
    length = len(re.sub(r"\$\{\w+\}", "", text)) + sum(
        longest_of.get(name) or longest(name) for name in re.findall(r"\$\{(\w+)\}", text)
    )
    assert length <= DESCRIPTION_MAX


ARN = "arn:aws:secretsmanager:ap-east-1:123456789012:secret:"


@pytest.mark.parametrize(
    ("arn", "is_accepted"),
    [
        ("", True),
        (f"{ARN}orderdesk/tencent-AbC123", True),
        (f"{ARN}orderdesk/tencent", False),
        (f"{ARN}tencent-key", False),
        (f"{ARN}{'n' * 49}-AbC123", True),
        (f"{ARN}{'n' * 50}-AbC123", False),
    ],
)
def test_only_the_whole_arn_of_a_secret_is_accepted(arn: str, *, is_accepted: bool) -> None:
    """A role's statement with a partial ARN allows nothing."""
    pattern = template()["Parameters"]["TencentSecretArn"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, arn)) is is_accepted


def broken(account: str = LOCAL_ACCOUNT, **parameters: str) -> list[str]:
    return list(broken_rules(template(), parameters, account))


def test_local_targets_are_refused_in_an_account() -> None:
    assert broken(AllowLocalTargets="true") == []
    assert broken("123456789012") == []
    (says,) = broken("123456789012", AllowLocalTargets="true")
    assert "local stack only" in says


def test_alarms_have_one_destination() -> None:
    topic = "arn:aws:sns:ap-east-1:123456789012:operators"
    assert broken(AlarmEmail="ops@example.com") == []
    assert broken(AlarmTopicArn=topic) == []
    (says,) = broken(AlarmEmail="ops@example.com", AlarmTopicArn=topic)
    assert "own topic" in says


def test_a_run_of_a_schedule_is_not_retried() -> None:
    for schedule in SCHEDULES:
        function = schedule.partition("Function")[0]
        made = translated()["Resources"]
        target = made[schedule]["Properties"]["Target"]
        assert target["RetryPolicy"] == {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}
        taken = made[f"{function}FunctionEventInvokeConfig"]["Properties"]
        assert (taken["MaximumRetryAttempts"], taken["MaximumEventAgeInSeconds"]) == (0, 60)


def test_guided_does_not_ask_about_each_route() -> None:
    """The SAM CLI asks about every route of an API without `Auth`; the functions authenticate."""
    assert template()["Resources"]["Api"]["Properties"]["Auth"] == {"ApiKeyRequired": False}


def test_old_versions_are_deleted() -> None:
    versions = [
        each
        for each in translated()["Resources"].values()
        if each["Type"] == "AWS::Lambda::Version"
    ]
    assert versions
    assert {each["DeletionPolicy"] for each in versions} == {"Delete"}
