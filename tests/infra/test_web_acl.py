"""The web ACL: none by default; with WebAcl=true it protects the stage of the API."""

import re
from typing import Any

from tests.infra.translated import made, translated
from tests.support.template import template

KINDS = {"AWS::WAFv2::WebACL", "AWS::WAFv2::WebACLAssociation"}


def web_acl(switched_on: str) -> dict[str, Any]:
    resources = made(WebAcl=switched_on)
    return {name: each["Properties"] for name, each in resources.items() if each["Type"] in KINDS}


def rates() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = web_acl("true")["ApiWebAcl"]["Rules"][:2]
    return rules


def test_it_protects_the_apis_stage() -> None:
    resources = web_acl("true")
    assert resources.keys() == {"ApiWebAcl", "ApiWebAclAssociation"}
    assert resources["ApiWebAcl"]["Scope"] == "REGIONAL"
    association = resources["ApiWebAclAssociation"]
    assert association["WebACLArn"] == {"Fn::GetAtt": ["ApiWebAcl", "Arn"]}
    assert association["ResourceArn"]["Fn::Sub"].endswith("::/restapis/${Api}/stages/${Apiv1Stage}")
    assert translated()["Resources"]["Apiv1Stage"]["Type"] == "AWS::ApiGateway::Stage"


def test_requests_of_an_address_are_limited() -> None:
    bodies = web_acl("true")["ApiWebAcl"]["CustomResponseBodies"]
    throttled = translated()["Resources"]["Api"]["Properties"]["Body"][
        "x-amazon-apigateway-gateway-responses"
    ]["THROTTLED"]["responseTemplates"]["application/json"]
    for rate, limit in zip(
        rates(), ("MerchantRequestsPerAddress", "RequestsPerAddress"), strict=True
    ):
        statement = rate["Statement"]["RateBasedStatement"]
        assert (statement["AggregateKeyType"], statement["EvaluationWindowSec"]) == ("IP", 300)
        assert statement["Limit"] == {"Ref": limit}
        answer = rate["Action"]["Block"]["CustomResponse"]
        assert answer["ResponseCode"] == 429
        assert {"Name": "Retry-After", "Value": "300"} in answer["ResponseHeaders"]
        assert bodies[answer["CustomResponseBodyKey"]]["Content"] == throttled


def test_a_merchant_of_300_orders_a_second_stays_below_its_limit() -> None:
    """WAF blocks near the limit: leave twice what an order and a query of it send."""
    parameters = template()["Parameters"]
    limit = parameters["MerchantRequestsPerAddress"]["Default"]
    window = rates()[0]["Statement"]["RateBasedStatement"]["EvaluationWindowSec"]
    assert limit / window >= 2 * 300 * 2
    assert parameters["RequestsPerAddress"]["Default"] < limit


def test_each_route_counts_for_one_of_the_limits() -> None:
    """A custom domain has no stage in its paths."""
    merchants = rates()[0]["Statement"]["RateBasedStatement"]["ScopeDownStatement"]
    pages = rates()[1]["Statement"]["RateBasedStatement"]["ScopeDownStatement"]
    assert pages == {"NotStatement": {"Statement": merchants}}
    pattern = merchants["RegexMatchStatement"]["RegexString"]
    for path in translated()["Resources"]["Api"]["Properties"]["Body"]["paths"]:
        is_signed = path.split("/")[1] in {"merchant", "test"}
        assert bool(re.search(pattern, path)) is bool(re.search(pattern, f"/v1{path}")) is is_signed


def test_common_rules_block_nothing_that_the_contract_allows() -> None:
    *_, common = web_acl("true")["ApiWebAcl"]["Rules"]
    group = common["Statement"]["ManagedRuleGroupStatement"]
    assert (group["VendorName"], group["Name"]) == ("AWS", "AWSManagedRulesCommonRuleSet")
    counted = {
        override["Name"]
        for override in group["RuleActionOverrides"]
        if override["ActionToUse"] == {"Count": {}}
    }
    assert {"SizeRestrictions_BODY", "NoUserAgent_HEADER", "GenericRFI_BODY"} <= counted


def test_no_samples_are_kept_because_urls_contain_tokens() -> None:
    acl = web_acl("true")["ApiWebAcl"]
    views = [acl["VisibilityConfig"], *(rule["VisibilityConfig"] for rule in acl["Rules"])]
    assert {view["SampledRequestsEnabled"] for view in views} == {False}
