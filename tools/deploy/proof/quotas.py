"""AWS's quotas that a template can exceed, each with the longest names that a stack may have.

cfn-lint counts resources, outputs and bytes of the template.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tools.deploy.proof.deployment import Deployment

# docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
PARAMETERS_MAX, PARAMETER_BYTES_MAX = 200, 4_096
# docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html; white space is not counted
ROLE_POLICIES_MAX, MANAGED_POLICY_MAX, TRUST_POLICY_MAX = 10_240, 6_144, 2_048
TABLE_POLICY_MAX = 20 * 1024
FUNCTION_POLICY_MAX = 20 * 1024  # docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
NAME_MAX = 64  # of a function and of a schedule
VARIABLES_BYTES_MAX = 4_096
DESCRIPTION_MAX = 256  # of a function and of a version
LONG = {
    "AWS::StackName": "a-team-orderdesk-production-of-hong-kong",
    "AWS::Partition": "aws-us-gov",
    "AWS::Region": "ap-southeast-2",
    "AWS::AccountId": "1" * 12,
    "AWS::URLSuffix": "amazonaws.com.cn",
    # Of SAM's permissions: an API's id has 10 characters, and its stage is any.
    "__ApiId__": "a" * 10,
    "__Stage__": "*",
}
# The ARN of an index: CloudFormation makes a table's name of stack, logical id and 13 characters.
LONG_TEXT = "x" * 150


def exceeded(template: Mapping[str, Any], stack: Deployment) -> Iterator[str]:
    """Yield a finding for each quota that the stack exceeds."""
    measured = [("parameters", len(template["Parameters"]), PARAMETERS_MAX)]
    for name, value in stack.given.items():
        measured.append((f"value of {name}", len(value.encode()), PARAMETER_BYTES_MAX))
    for name, resource in stack.resources.items():
        longest = longest_text(resource.get("Properties", {}))
        for what, size, most in _sizes(resource["Type"], longest):
            measured.append((f"{name}: {what}", size, most))
    for target, size in _function_policies(stack).items():
        measured.append((f"{target}: who may invoke it", size, FUNCTION_POLICY_MAX))
    for what, size, most in measured:
        if size > most:
            yield f"{what}: {size:,} of at most {most:,}"


def _function_policies(stack: Deployment) -> Mapping[str, int]:
    """Return the size of each function's resource policy: a statement for each permission."""
    sizes = Counter[str]()
    for name, resource in stack.resources.items():
        if resource["Type"] != "AWS::Lambda::Permission":
            continue
        given = resource["Properties"]
        statement = {
            "Sid": f"{LONG['AWS::StackName']}-{name}-{'x' * 12}",
            "Effect": "Allow",
            "Principal": {"Service": given["Principal"]},
            "Action": given["Action"],
            "Resource": LONG_TEXT,
            "Condition": {"ArnLike": {"AWS:SourceArn": longest_text(given["SourceArn"])}},
        }
        sizes[given["FunctionName"]["Ref"].removesuffix("Aliaslive")] += _size(statement)
    return sizes


def _sizes(kind: str, properties: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Yield what of a resource has a quota, its size and the quota."""
    match kind:
        case "AWS::IAM::Role":
            written = [each["PolicyDocument"] for each in properties.get("Policies", [])]
            yield "inline policies", sum(map(_size, written)), ROLE_POLICIES_MAX
            yield "trust policy", _size(properties["AssumeRolePolicyDocument"]), TRUST_POLICY_MAX
        case "AWS::IAM::ManagedPolicy":
            yield "managed policy", _size(properties["PolicyDocument"]), MANAGED_POLICY_MAX
        case "AWS::DynamoDB::Table":
            yield "table policy", _size(properties.get("ResourcePolicy", {})), TABLE_POLICY_MAX
        case "AWS::Lambda::Function":
            yield "name", len(properties["FunctionName"]), NAME_MAX
            yield "description", len(properties["Description"]), DESCRIPTION_MAX
            yield "variables", _size(properties["Environment"]["Variables"]), VARIABLES_BYTES_MAX
        case "AWS::Scheduler::Schedule":
            yield "name", len(properties["Name"]), NAME_MAX


def _size(document: Any) -> int:
    return len(json.dumps(document, separators=(",", ":")))


def longest_text(value: Any) -> Any:
    """Replace CloudFormation's functions by the longest texts that they can return here."""
    match value:
        case {"Ref": str(name)}:
            return LONG.get(name, LONG_TEXT)
        case {"Fn::Sub": str(text)} | {"Fn::Sub": [str(text), _]}:
            return re.sub(r"\$\{([^}]+)\}", lambda found: LONG.get(found[1], LONG_TEXT), text)
        case {"Fn::GetAtt": _} | {"Fn::Join": _} | {"Fn::Select": _}:
            return LONG_TEXT
        case dict():
            return {name: longest_text(each) for name, each in value.items()}
        case list():
            return [longest_text(each) for each in value]
    return value
