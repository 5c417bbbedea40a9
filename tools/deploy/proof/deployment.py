"""What CloudFormation would create from the template for some parameters, computed without AWS.

The emulator's engine evaluates conditions and rules.
"""

import os
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from ministack.services.cloudformation import engine  # type: ignore[import-untyped]
from samtranslator.translator.transform import transform  # type: ignore[import-untyped]

LOCAL_ACCOUNT = "000000000000"
PSEUDO_PARAMETERS = {
    "AWS::AccountId": LOCAL_ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::Region": "us-east-1",
    "AWS::StackName": "orderdesk",
    "AWS::URLSuffix": "amazonaws.com",
}
NO_VALUE = {"Ref": "AWS::NoValue"}
# AWS::LanguageExtensions is expanded before: SAM's translator does not know it.
SAM = "AWS::Serverless-2016-10-31"


@dataclass(frozen=True, slots=True)
class Deployment:
    """Resources and outputs of a stack: those of false conditions left out, each Fn::If decided."""

    given: Mapping[str, str]
    resources: Mapping[str, Mapping[str, Any]]
    outputs: Mapping[str, Mapping[str, Any]]


def values_of(template: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every parameter and pseudo parameter. Raises: KeyError."""
    values = {name: str(each["Default"]) for name, each in template["Parameters"].items()}
    for name, value in given.items():
        values[name]  # the template must have it
        values[name] = value
    return {**PSEUDO_PARAMETERS, **values}


def translate(template: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Run SAM's translator, the one that AWS runs, on a template whose loops are expanded."""
    whole = {**deepcopy(dict(template)), "Transform": SAM}
    for resource in whole["Resources"].values():
        for name in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][name] = "s3://code-of-the-stack/key"
    no_managed_policies = SimpleNamespace(load=dict)
    with patch.dict(os.environ, AWS_DEFAULT_REGION=PSEUDO_PARAMETERS["AWS::Region"]):
        translated: dict[str, Any] = transform(whole, dict(parameters), no_managed_policies)
    return translated


def deploy(
    template: Mapping[str, Any], translated: Mapping[str, Any], given: Mapping[str, str]
) -> Deployment:
    """Resolve the conditions of a translated template under these parameters."""
    conditions = engine._evaluate_conditions(translated, _engines(values_of(template, given)))
    resources, outputs = (
        {
            name: decided({k: v for k, v in each.items() if k != "Condition"}, conditions)
            for name, each in translated[section].items()
            if conditions.get(each.get("Condition"), True)
        }
        for section in ("Resources", "Outputs")
    )
    return Deployment(given, resources, outputs)


def decided(value: Any, conditions: Mapping[str, bool]) -> Any:
    """Replace each Fn::If by its branch, and remove properties and items without a value."""
    match value:
        case {"Fn::If": [str(condition), then, otherwise]}:
            return decided(then if conditions[condition] else otherwise, conditions)
        case dict():
            pairs = ((name, decided(each, conditions)) for name, each in value.items())
            return {name: each for name, each in pairs if each != NO_VALUE}
        case list():
            items = (decided(each, conditions) for each in value)
            return [each for each in items if each != NO_VALUE]
    return value


def broken_rules(
    template: Mapping[str, Any],
    given: Mapping[str, str],
    account: str = LOCAL_ACCOUNT,
    region: str = PSEUDO_PARAMETERS["AWS::Region"],
) -> Iterator[str]:
    """Yield the description of each of the template's rules that CloudFormation finds broken."""
    known = {"AWS::AccountId": account, "AWS::Region": region}
    values = _engines({**values_of(template, given), **known})
    for name, rule in template["Rules"].items():
        try:
            engine._evaluate_rules({"Rules": {name: rule}}, values, {})
        except ValueError as error:
            yield str(error).rpartition(" failed: ")[2]


def _engines(values: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return values in the form that the emulator's engine takes."""
    return {name: {"Value": value} for name, value in values.items()}
