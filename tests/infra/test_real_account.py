"""What only a real account would refuse: the template as SAM hands it to CloudFormation."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from ministack.services.cloudformation import engine  # type: ignore[import-untyped]

from tests.support.template import template
from tests.support.translated import declared_values, translated

# Properties that are a resource's physical name, which is unique in an account and region.
NAMES = re.compile(
    r"(Alias|Bucket|Dashboard|Function|Layer|LogGroup|Queue|Role|Rule|Stream|Table|Topic)?Name"
)
# Resources whose name is part of their parent's: it need not be unique.
PARTS = {"AWS::Lambda::Alias", "AWS::ApiGateway::Stage"}
STACK = "${AWS::StackName}"
DESCRIPTION_MAX = 256  # docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html


def names() -> Iterator[tuple[str, Any]]:
    """Give the physical names that the template chooses, by logical id."""
    resources = translated(gradual="true")["Resources"]
    for logical_id, resource in resources.items():
        if resource["Type"] in PARTS:
            continue
        for key, value in resource.get("Properties", {}).items():
            of_another = isinstance(value, dict) and value.get("Ref") in resources
            if NAMES.fullmatch(key) and not of_another:
                yield f"{logical_id}.{key}", value


@pytest.mark.parametrize(("place", "value"), list(names()))
def test_a_second_stack_has_other_names(place: str, value: Any) -> None:
    assert STACK in str(value) or value == {"Ref": "AWS::StackName"}, place


def test_the_schedules_are_among_them() -> None:
    assert {"ExpireDraftsFunctionEveryMinute.Name", "AssignSellsFunctionEveryMinute.Name"} <= {
        place for place, _ in names()
    }


def longest(parameter: str) -> int:
    """Give the length of the longest value that a parameter takes."""
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
    ("arn", "is_taken"),
    [
        ("", True),
        (f"{ARN}orderdesk/tencent-AbC123", True),
        (f"{ARN}orderdesk/tencent", False),
        (f"{ARN}tencent-key", False),
        (f"{ARN}{'n' * 49}-AbC123", True),
        (f"{ARN}{'n' * 50}-AbC123", False),
    ],
)
def test_only_a_secrets_whole_arn_is_taken(arn: str, *, is_taken: bool) -> None:
    """A role's statement on a partial ARN allows nothing."""
    pattern = template()["Parameters"]["TencentSecretArn"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, arn)) is is_taken


def asserted(**parameters: str) -> None:
    """Hold the template's rules against parameters. Raises: ValueError."""
    engine._evaluate_rules(template(), declared_values(**parameters), {})


def test_what_belongs_to_the_local_stack_is_refused_in_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asserted(AllowLocalTargets="true")  # the emulator's account
    monkeypatch.setattr(engine, "get_account_id", lambda: "123456789012")
    asserted()
    with pytest.raises(ValueError, match="local stack only"):
        asserted(AllowLocalTargets="true")


def test_alarms_have_one_listener() -> None:
    topic = "arn:aws:sns:ap-east-1:123456789012:operators"
    asserted(AlarmEmail="ops@example.com")
    asserted(AlarmTopicArn=topic)
    with pytest.raises(ValueError, match="own topic"):
        asserted(AlarmEmail="ops@example.com", AlarmTopicArn=topic)


def test_what_runs_every_minute_is_not_run_again() -> None:
    for function in ("ExpireDrafts", "AssignSells"):
        made = translated()["Resources"]
        target = made[f"{function}FunctionEveryMinute"]["Properties"]["Target"]
        assert target["RetryPolicy"] == {
            "MaximumRetryAttempts": 0,
            "MaximumEventAgeInSeconds": 60,
        }
        taken = made[f"{function}FunctionEventInvokeConfig"]["Properties"]
        assert (taken["MaximumRetryAttempts"], taken["MaximumEventAgeInSeconds"]) == (0, 60)


def test_guided_does_not_ask_about_each_route() -> None:
    """The SAM CLI asks for every route of an API without `Auth`; the functions authenticate."""
    assert template()["Resources"]["Api"]["Properties"]["Auth"] == {"ApiKeyRequired": False}


def test_old_versions_go() -> None:
    versions = [
        each
        for each in translated()["Resources"].values()
        if each["Type"] == "AWS::Lambda::Version"
    ]
    assert versions
    assert {each["DeletionPolicy"] for each in versions} == {"Delete"}
