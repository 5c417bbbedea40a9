"""Every route and every trigger of the template has an unsigned sample event."""

from typing import Any

import pytest

from events.samples import sample
from local.invoke import function_of
from tests.support.samples import SAMPLES
from tests.support.template import template

RECORDS = {"SQS": "aws:sqs", "DynamoDB": "aws:dynamodb"}
FUNCTIONS: dict[str, dict[str, Any]] = {
    name: resource["Properties"]
    for name, resource in template()["Resources"].items()
    if resource["Type"] == "AWS::Serverless::Function"
}
TRIGGERS = {
    (function, name): trigger
    for function, properties in FUNCTIONS.items()
    for name, trigger in properties.get("Events", {}).items()
}


def invokes(trigger: dict[str, Any], event: dict[str, Any]) -> bool:
    """Return whether a trigger sends events of this form."""
    kind, properties = trigger["Type"], trigger["Properties"]
    if kind == "Api":
        route = (properties["Method"].upper(), properties["Path"])
        return route == (event.get("httpMethod"), event.get("resource"))
    if kind in RECORDS:
        return {record["eventSource"] for record in event.get("Records", ())} == {RECORDS[kind]}
    assert kind in {"Schedule", "ScheduleV2"}, f"add the form of a {kind} event here"
    return "httpMethod" not in event and "Records" not in event


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_functions_samples_are_in_the_folder_of_its_name(function: str) -> None:
    folder = FUNCTIONS[function]["CodeUri"].removeprefix("functions/")
    found = [name for name in SAMPLES if name.startswith(f"{folder}/")]
    assert found
    assert {function_of(SAMPLES[name]) for name in found} == {function}


@pytest.mark.parametrize(("function", "trigger_name"), TRIGGERS)
def test_a_trigger_has_a_sample(function: str, trigger_name: str) -> None:
    trigger = TRIGGERS[function, trigger_name]
    assert any(
        function_of(path) == function and invokes(trigger, sample(name))
        for name, path in SAMPLES.items()
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_invokes_its_function(name: str) -> None:
    function = function_of(SAMPLES[name])
    triggers = FUNCTIONS[function].get("Events", {}).values()
    if triggers:
        assert any(invokes(trigger, sample(name)) for trigger in triggers)
    else:  # other functions call it
        assert not {"httpMethod", "Records"} & sample(name).keys()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_holds_no_key_and_no_signature(name: str) -> None:
    text = sample(name).get("body")
    if text is not None and text.startswith("{") and not name.startswith("operator_api/"):
        assert ".api_key>" in text
        assert '"signature":"<signature>"' in text
