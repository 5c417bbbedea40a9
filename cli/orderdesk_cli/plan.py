"""What is about to be deployed: the template, and the parameters of one environment."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from orderdesk_cli.stacks import StackUnavailable


@dataclass(frozen=True, slots=True)
class Plan:
    """A deployment: its stack's name, its region, its parameters, and the template's own words."""

    stack_name: str
    region: str
    given: Mapping[str, str]
    declared: Mapping[str, Mapping[str, Any]]
    rules: Mapping[str, Mapping[str, Any]]

    def value(self, parameter: str) -> str:
        """Return a parameter's value, or its default."""
        default = self.declared.get(parameter, {}).get("Default", "")
        return self.given.get(parameter, str(default))

    def is_on(self, parameter: str) -> bool:
        """Return whether a switch is on."""
        return self.value(parameter) == "true"


def read_plan(template: Path, samconfig: Path, environment: str) -> Plan:
    """Read what `sam deploy --config-env ENVIRONMENT` would deploy. Raises: StackUnavailable."""
    try:
        whole = yaml.load(template.read_text("utf-8"), _Loader)  # noqa: S506 it makes plain data only
        config = tomllib.loads(samconfig.read_text("utf-8"))
    except (OSError, yaml.YAMLError, tomllib.TOMLDecodeError) as error:
        raise StackUnavailable(f"cannot read what would be deployed: {error}") from None
    if environment not in config:
        raise StackUnavailable(f"{samconfig} has no environment {environment}")
    commands = config[environment]
    settings = {
        **commands.get("global", {}).get("parameters", {}),
        **commands.get("deploy", {}).get("parameters", {}),
    }
    return Plan(
        stack_name=settings.get("stack_name", ""),
        region=settings.get("region", ""),
        given=dict(_pairs(settings.get("parameter_overrides", []))),
        declared=whole.get("Parameters", {}),
        rules=whole.get("Rules", {}),
    )


def _pairs(overrides: str | list[str]) -> Iterator[tuple[str, str]]:
    words = overrides.split() if isinstance(overrides, str) else overrides
    for word in words:
        name, _, value = word.partition("=")
        yield name, value.strip('"')


def refused_values(plan: Plan) -> Iterator[str]:
    """Describe the parameters that CloudFormation would refuse, one sentence each."""
    for name in plan.given.keys() - plan.declared.keys():
        yield f"the template has no parameter {name}"
    for name, declared in plan.declared.items():
        value = plan.value(name)
        if name not in plan.given and "Default" not in declared:
            yield f"{name} is not given"
        elif "AllowedValues" in declared:
            allowed = [str(each) for each in declared["AllowedValues"]]
            if value not in allowed:
                yield f"{name} is none of {', '.join(allowed)}"
        elif declared["Type"] == "Number":
            if not _is_within(value, declared):
                yield f"{name} is out of its bounds"
        elif len(value) > int(declared.get("MaxLength", len(value))):
            yield f"{name} is too long"
        elif not re.fullmatch(declared.get("AllowedPattern", ".*"), value, re.DOTALL):
            yield f"{name} is not written as the template wants it"


def _is_within(value: str, declared: Mapping[str, Any]) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    low, high = float(declared.get("MinValue", number)), float(declared.get("MaxValue", number))
    return low <= number <= high


def broken_rules(plan: Plan, account: str) -> Iterator[str]:
    """List the rules of the template that CloudFormation would find broken."""
    for rule in plan.rules.values():
        if "RuleCondition" in rule and not _holds(rule["RuleCondition"], plan, account):
            continue
        for assertion in rule["Assertions"]:
            if not _holds(assertion["Assert"], plan, account):
                yield assertion["AssertDescription"]


def _holds(written: Any, plan: Plan, account: str) -> bool:
    match written:
        case {"Fn::Not": [part]}:
            return not _holds(part, plan, account)
        case {"Fn::And": parts}:
            return all(_holds(part, plan, account) for part in parts)
        case {"Fn::Or": parts}:
            return any(_holds(part, plan, account) for part in parts)
        case {"Fn::Equals": [left, right]}:
            return _text(left, plan, account) == _text(right, plan, account)
    raise StackUnavailable(f"the template has a rule that preflight cannot read: {written}")


def _text(written: Any, plan: Plan, account: str) -> str:
    match written:
        case {"Ref": "AWS::AccountId"}:
            return account
        case {"Ref": str(name)}:
            return plan.value(name)
    return str(written)


class _Loader(yaml.CSafeLoader):
    """Reads YAML with CloudFormation's short forms, `!Ref x` as `{Ref: x}`."""


def _long_form(loader: yaml.CSafeLoader, tag: str, node: yaml.Node) -> dict[str, Any]:
    name = tag if tag in {"Ref", "Condition"} else f"Fn::{tag}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _long_form)
