"""Which resources and parameters a part of a template refers to."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools.deploy.proof.deployment import Deployment

# Properties of an API that SAM writes into its definition, which only a deployment applies.
_DEFINITION = ("Auth", "DisableExecuteApiEndpoint", "GatewayResponses", "Models", "Cors")


def references(value: Any) -> Iterator[str]:
    """Yield each name of a Ref, Fn::GetAtt, Fn::Sub or DependsOn, at any depth."""
    match value:
        case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
            yield name
        case {"Fn::GetAtt": str(path)}:
            yield path.partition(".")[0]
        case {"Fn::Sub": str(text)}:
            yield from _names_in(text)
        case {"Fn::Sub": [str(text), dict(own)]}:
            yield from (name for name in _names_in(text) if name not in own)
            yield from references(own)
        case dict():
            if "Type" in value and "DependsOn" in value:
                names = value["DependsOn"]
                yield from [names] if isinstance(names, str) else names
            for each in value.values():
                yield from references(each)
        case list():
            for each in value:
                yield from references(each)


def _names_in(text: str) -> Iterator[str]:
    for name in re.findall(r"\$\{([^!}][^}]*)\}", text):
        yield name.split(".")[0]


def dangling(template: Mapping[str, Any], stack: Deployment) -> Iterator[str]:
    """Yield a finding for each reference to something that is not deployed."""
    known = {*stack.resources, *template["Parameters"]}
    for kind, parts in (("", stack.resources), ("output ", stack.outputs)):
        for name, part in parts.items():
            for each in sorted(set(references(part)) - known):
                if not each.startswith("AWS::"):
                    yield f"{kind}{name} refers to {each}, which is not deployed"


def faults_of_apis(template: Mapping[str, Any]) -> Iterator[str]:
    """Yield a finding for each API with a stage that its parameters rename, or do not deploy.

    SAM makes the stage's logical id of its name. AWS::LanguageExtensions resolves a parameter
    before SAM runs, so that the id would change with the parameter. CloudFormation decides a
    condition after SAM has named the deployment by the definition. So a changed parameter changes
    the API, but its stage keeps the deployment from before.
    """
    for name, each in template["Resources"].items():
        if each["Type"] != "AWS::Serverless::Api":
            continue
        properties = each["Properties"]
        if not isinstance(properties["StageName"], str):
            yield f"{name} takes the name of its stage from a parameter"
        defined = json.dumps([properties.get(part) for part in _DEFINITION])
        if "Fn::If" in defined and not properties.get("AlwaysDeploy"):
            yield f"{name} has a condition in its definition and needs AlwaysDeploy"
