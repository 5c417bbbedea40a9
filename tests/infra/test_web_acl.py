"""The web ACL is a parameter: off it costs nothing, on it stands before the stage."""

from typing import Any

from ministack.services.cloudformation import engine  # type: ignore[import-untyped]

from tests.support.translated import translated

KINDS = {"AWS::WAFv2::WebACL", "AWS::WAFv2::WebACLAssociation"}


def made(web_acl: str) -> dict[str, Any]:
    """Give the web ACL's resources that a deployment makes with a value of the parameter."""
    conditions = engine._evaluate_conditions(
        {"Conditions": {"HasWebAcl": translated()["Conditions"]["HasWebAcl"]}},
        {"WebAcl": {"Value": web_acl}},
    )
    return {
        name: resource["Properties"]
        for name, resource in translated()["Resources"].items()
        if resource["Type"] in KINDS and conditions[resource["Condition"]]
    }


def test_there_is_none_unless_it_is_asked_for() -> None:
    parameter = translated()["Parameters"]["WebAcl"]
    assert (parameter["Default"], parameter["AllowedValues"]) == ("false", ["true", "false"])
    assert made(parameter["Default"]) == {}


def test_it_stands_before_the_apis_stage() -> None:
    resources = made("true")
    assert resources.keys() == {"ApiWebAcl", "ApiWebAclAssociation"}
    assert resources["ApiWebAcl"]["Scope"] == "REGIONAL"
    association = resources["ApiWebAclAssociation"]
    assert association["WebACLArn"] == {"Fn::GetAtt": ["ApiWebAcl", "Arn"]}
    assert association["ResourceArn"]["Fn::Sub"].endswith("::/restapis/${Api}/stages/${ApiStage}")
    assert translated()["Resources"]["ApiStage"]["Type"] == "AWS::ApiGateway::Stage"


def test_an_address_has_a_rate() -> None:
    rate, _ = made("true")["ApiWebAcl"]["Rules"]
    statement = rate["Statement"]["RateBasedStatement"]
    assert (statement["AggregateKeyType"], statement["EvaluationWindowSec"]) == ("IP", 300)
    assert statement["Limit"] == {"Ref": "RequestsPerAddress"}
    answer = rate["Action"]["Block"]["CustomResponse"]
    assert answer["ResponseCode"] == 429
    assert {"Name": "Retry-After", "Value": "300"} in answer["ResponseHeaders"]
    bodies = made("true")["ApiWebAcl"]["CustomResponseBodies"]
    throttled = translated()["Resources"]["Api"]["Properties"]["Body"][
        "x-amazon-apigateway-gateway-responses"
    ]["THROTTLED"]["responseTemplates"]["application/json"]
    assert bodies[answer["CustomResponseBodyKey"]]["Content"] == throttled


def test_awss_common_rules_refuse_nothing_that_the_contract_allows() -> None:
    _, common = made("true")["ApiWebAcl"]["Rules"]
    group = common["Statement"]["ManagedRuleGroupStatement"]
    assert (group["VendorName"], group["Name"]) == ("AWS", "AWSManagedRulesCommonRuleSet")
    counted = {
        override["Name"]
        for override in group["RuleActionOverrides"]
        if override["ActionToUse"] == {"Count": {}}
    }
    assert {"SizeRestrictions_BODY", "NoUserAgent_HEADER", "GenericRFI_BODY"} <= counted


def test_no_samples_are_kept_because_links_hold_tokens() -> None:
    acl = made("true")["ApiWebAcl"]
    views = [acl["VisibilityConfig"], *(rule["VisibilityConfig"] for rule in acl["Rules"])]
    assert {view["SampledRequestsEnabled"] for view in views} == {False}
