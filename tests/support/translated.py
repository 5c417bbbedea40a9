"""The template after SAM's translation to CloudFormation."""

from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from ministack.services.cloudformation import engine  # type: ignore[import-untyped]
from samtranslator.translator.transform import transform  # type: ignore[import-untyped]

from tests.support.template import template

NOTHING = {"Ref": "AWS::NoValue"}


class _NoPolicies:
    """SAM's managed policies; the template names none."""

    def load(self) -> dict[str, str]:
        return {}


@cache
def translated(gradual: str = "false") -> dict[str, Any]:
    """Translate the template; its code is somewhere in a bucket.

    SAM reads one parameter itself, `Gradual`. CloudFormation reads the others.
    """
    whole = {**deepcopy(template()), "Transform": "AWS::Serverless-2016-10-31"}
    for resource in whole["Resources"].values():
        for name in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][name] = "s3://bucket/key"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        result: dict[str, Any] = transform(whole, {"Gradual": gradual}, _NoPolicies())
    return result


def declared_values(**parameters: str) -> dict[str, dict[str, str]]:
    """Return every parameter's value, by default its default, in the emulator's form."""
    defaults = {
        name: str(each.get("Default", "")) for name, each in template()["Parameters"].items()
    }
    assert parameters.keys() <= defaults.keys()
    return {name: {"Value": value} for name, value in {**defaults, **parameters}.items()}


def made(**parameters: str) -> dict[str, Any]:
    """Return the resources of a deployment with these parameters, with each Fn::If resolved."""
    whole = translated(parameters.get("Gradual", "false"))
    values = declared_values(**parameters)
    conditions = engine._evaluate_conditions(whole, values)
    return {
        name: _decided(resource, conditions)
        for name, resource in whole["Resources"].items()
        if conditions.get(resource.get("Condition"), True)
    }


def _decided(value: Any, conditions: dict[str, bool]) -> Any:
    match value:
        case {"Fn::If": [str(condition), then, otherwise]}:
            return _decided(then if conditions[condition] else otherwise, conditions)
        case dict():
            decided = {name: _decided(each, conditions) for name, each in value.items()}
            return {name: each for name, each in decided.items() if each != NOTHING}
        case list():
            return [each for each in (_decided(v, conditions) for v in value) if each != NOTHING]
    return value
