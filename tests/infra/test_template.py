"""Properties of the template that operators rely on, and whose loss a review might overlook."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from ministack.services.cloudformation import language_extensions  # type: ignore[import-untyped]
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from orderdesk.adapters.dynamodb.drawings import CLAIM_SECONDS
from orderdesk.adapters.receipts import PAUSES_MS, READ_SECONDS
from orderdesk.domain.receipts.places import ORIGINALS, RENDERED
from tests.support.template import ROOT, template
from tools.deploy.proof.references import references

RESOURCES: dict[str, dict[str, Any]] = template()["Resources"]


def of_type(kind: str) -> dict[str, dict[str, Any]]:
    return {
        name: resource.get("Properties", {})
        for name, resource in RESOURCES.items()
        if resource["Type"] == kind
    }


FUNCTIONS = of_type("AWS::Serverless::Function")
ALARMS = of_type("AWS::CloudWatch::Alarm")
TABLES = of_type("AWS::DynamoDB::Table")
TAKES_RECEIPTS = {"PayPageFunction", "TraderDeskFunction", "MerchantPortalFunction"}
VERIFIES = {"CreateOrderFunction", "IdentityPageFunction"}
LASTING_TABLES = sorted(TABLES.keys() - {"GuardsTable"})


def name_of(function: str) -> str:
    name: str = FUNCTIONS[function]["FunctionName"]["Fn::Sub"]
    return name.removeprefix("${AWS::StackName}-")


def test_a_function_has_a_role_with_a_policy_of_its_own() -> None:
    roles = {each["Role"]["Fn::GetAtt"][0] for each in FUNCTIONS.values()}
    assert len(roles) == len(FUNCTIONS)
    assert not any("ManagedPolicyArns" in RESOURCES[role]["Properties"] for role in roles)
    assert not any("Policies" in function for function in FUNCTIONS.values())


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_a_functions_log_has_a_retention_and_metric_filters(function: str) -> None:
    group = FUNCTIONS[function]["LoggingConfig"]["LogGroup"]["Ref"]
    assert RESOURCES[group]["Properties"] == {
        "LogGroupName": {
            "Fn::Join": ["-", [{"Fn::Sub": "/aws/lambda/${AWS::StackName}"}, name_of(function)]]
        },
        "RetentionInDays": {"Ref": "LogRetentionDays"},
    }
    filters = of_type("AWS::Logs::MetricFilter").values()
    watches = {each["FilterPattern"] for each in filters if each["LogGroupName"] == {"Ref": group}}
    capped = {'{ $.capped_by = "*" }'} if function in VERIFIES else set()
    alone = {"{ $.alone IS TRUE }"} if function == "OperatorApiFunction" else set()
    waits = {"{ $.waits IS TRUE }"} if function in TAKES_RECEIPTS else set()
    assert watches == {"{ $.code = 5000 }"} | capped | alone | waits


def described(alarm: Mapping[str, Any]) -> str:
    """Return an alarm's description, which a loop joins of parts."""
    written = alarm["AlarmDescription"]
    return written if isinstance(written, str) else " ".join(written["Fn::Join"][1])


@pytest.mark.parametrize("metric", ["Errors", "Throttles"])
@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_a_function_has_an_alarm_that_names_it(function: str, metric: str) -> None:
    alarm = ALARMS[f"{function.removesuffix('Function')}{metric}Alarm"]
    assert alarm["MetricName"] == metric
    assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": function}}]
    assert name_of(function) in described(alarm)


@pytest.mark.parametrize("name", sorted(ALARMS))
def test_an_alarm_notifies_the_topic_and_describes_itself_in_sentences(name: str) -> None:
    alarm = ALARMS[name]
    topic = {"Fn::If": ["HasOwnAlarmTopic", {"Ref": "AlarmTopic"}, {"Ref": "AlarmTopicArn"}]}
    assert alarm["AlarmActions"] == [topic]
    silence = "breaching" if name.endswith("SilentAlarm") else "notBreaching"
    assert alarm["TreatMissingData"] == silence
    assert re.fullmatch(r"[A-Za-z0-9].+\.", described(alarm))


def test_what_is_read_here_is_what_is_deployed() -> None:
    """`local/templates.py` expands them, because the emulator takes 2 s to import."""
    written = yaml_parse((ROOT / "template.yaml").read_text("utf-8"))
    assert written["Transform"] == ["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"]
    deployed = language_extensions.apply(written, {})
    assert deployed["Resources"] == RESOURCES
    assert deployed["Outputs"] == template()["Outputs"]


@pytest.mark.parametrize("name", LASTING_TABLES)
def test_a_lasting_table_is_protected_and_backed_up(name: str) -> None:
    table = TABLES[name]
    assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    assert table["DeletionProtectionEnabled"] == {"Fn::If": ["ProtectsTables", True, False]}
    assert template()["Parameters"]["ProtectTables"]["Default"] == "true"
    assert RESOURCES[name]["DeletionPolicy"] == "RetainExceptOnCreate"
    assert RESOURCES[name]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_is_encrypted_and_on_demand(name: str) -> None:
    assert TABLES[name]["SSESpecification"] == {"SSEEnabled": True}
    assert TABLES[name]["BillingMode"] == "PAY_PER_REQUEST"


@pytest.mark.parametrize("name", ["GuardsTable", "CallbacksTable"])
def test_temporary_items_expire_by_ttl(name: str) -> None:
    assert TABLES[name]["TimeToLiveSpecification"] == {
        "AttributeName": "expires_at",
        "Enabled": True,
    }


def test_the_visibility_timeout_of_a_queue_is_six_function_timeouts() -> None:
    callbacks, pushes = (
        RESOURCES[f"{name}Queue"]["Properties"] for name in ("Callbacks", "Pushes")
    )
    assert callbacks["VisibilityTimeout"] >= 6 * FUNCTIONS["SendCallbackFunction"]["Timeout"]
    assert callbacks["RedrivePolicy"]["maxReceiveCount"] >= 100  # a limit far above ten attempts
    assert pushes["VisibilityTimeout"] >= 6 * FUNCTIONS["SendPushFunction"]["Timeout"]
    assert pushes["SqsManagedSseEnabled"]


def test_lambda_lets_a_function_send_to_its_own_queue_more_than_16_times() -> None:
    """A callback is sent again for each visit to a busy merchant. Lambda stops such a loop."""
    loops = set()
    for name, function in FUNCTIONS.items():
        role = RESOURCES[function["Role"]["Fn::GetAtt"][0]]["Properties"]
        sends_to = [
            each["Resource"]
            for each in role["Policies"][0]["PolicyDocument"]["Statement"]
            if each.get("Action") == "sqs:SendMessage"
        ]
        own = [each["Properties"].get("Queue") for each in function.get("Events", {}).values()]
        if any(queue in sends_to for queue in own if queue):
            loops.add(name)
    allowed = {name for name, each in FUNCTIONS.items() if each.get("RecursiveLoop") == "Allow"}
    assert loops == allowed == {"SendCallbackFunction"}


def test_uploads_are_gone_after_a_day_and_receipts_are_kept_in_every_version() -> None:
    uploads, receipts = (
        RESOURCES[f"{name}Bucket"]["Properties"] for name in ("Uploads", "Receipts")
    )
    (rule,) = uploads["LifecycleConfiguration"]["Rules"]
    assert (rule["ExpirationInDays"], rule.get("Prefix")) == (1, None)
    assert "VersioningConfiguration" not in uploads, "repeated uploads of a form would add versions"
    assert receipts["VersioningConfiguration"] == {"Status": "Enabled"}
    kept = receipts["LifecycleConfiguration"]["Rules"][:2]
    assert [rule["Prefix"] for rule in kept] == ["rendered/B", "rendered/S"], "logos stay"
    for rule in kept:
        assert rule["ExpirationInDays"] == {"Ref": "ReceiptRetentionDays"}
        assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}


def test_pictures_are_archived_and_originals_deleted() -> None:
    rules = RESOURCES["ReceiptsBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    archive, originals = (
        next(rule for rule in rules if rule.get("Prefix") == f"{prefix}/")
        for prefix in (RENDERED, ORIGINALS)
    )
    (moved,) = archive["Transitions"]
    assert moved["StorageClass"] == "GLACIER_IR", "pages read it at once"
    assert originals["ExpirationInDays"] == {"Ref": "OriginalRetentionDays"}
    # S3 refuses a rule whose objects expire before they are moved
    shortest = template()["Parameters"]["ReceiptRetentionDays"]["MinValue"]
    assert shortest > moved["TransitionInDays"]


def test_no_metric_of_a_method_is_paid_for() -> None:
    """Alarms and dashboard read the metrics of the whole stage, which cost nothing."""
    for api in of_type("AWS::Serverless::Api").values():
        assert not any(each.get("MetricsEnabled") for each in api["MethodSettings"])


def test_the_pages_wait_longer_than_rendering_takes() -> None:
    drawing = FUNCTIONS["RenderReceiptFunction"]
    assert drawing["EventInvokeConfig"] == {"MaximumRetryAttempts": 0}
    for page in ("PayPageFunction", "TraderDeskFunction"):
        waits = READ_SECONDS + sum(PAUSES_MS) / 1000
        assert drawing["Timeout"] < READ_SECONDS < waits < FUNCTIONS[page]["Timeout"]
    assert drawing["Timeout"] < CLAIM_SECONDS
    assert drawing["ReservedConcurrentExecutions"]["Fn::If"][1] == {"Ref": "DrawingConcurrency"}


def test_the_secrets_key_rotates_and_outlives_the_stack() -> None:
    assert RESOURCES["SecretsKey"]["Properties"]["EnableKeyRotation"]
    assert RESOURCES["SecretsKey"]["DeletionPolicy"] == "RetainExceptOnCreate"


def test_functions_on_aws_have_no_endpoint_url() -> None:
    variables = template()["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["AWS_ENDPOINT_URL"]["Fn::If"][2] == {"Ref": "AWS::NoValue"}
    assert template()["Parameters"]["EndpointUrl"]["Default"] == ""


GATEWAY_ANSWERS: dict[str, dict[str, Any]] = RESOURCES["Api"]["Properties"]["GatewayResponses"]
EXPECTED = {  # status, code, reason: contract section 3
    "DEFAULT_4XX": (404, 4000, "unknown_route"),
    "MISSING_AUTHENTICATION_TOKEN": (404, 4000, "unknown_route"),
    "RESOURCE_NOT_FOUND": (404, 4000, "unknown_route"),
    "THROTTLED": (429, 1201, "too_many_requests"),
    "QUOTA_EXCEEDED": (429, 1201, "too_many_requests"),
    "REQUEST_TOO_LARGE": (413, 1001, "invalid_body"),
    "UNSUPPORTED_MEDIA_TYPE": (415, 1001, "invalid_body"),
    "BAD_REQUEST_BODY": (400, 1001, "invalid_body"),
    "BAD_REQUEST_PARAMETERS": (400, 1002, "invalid_parameter"),
    "ACCESS_DENIED": (403, 1105, "ip_not_allowed"),
    "WAF_FILTERED": (403, 1105, "ip_not_allowed"),
    "DEFAULT_5XX": (500, 5000, "internal_error"),
    "INTEGRATION_FAILURE": (503, 5001, "try_again"),
    "INTEGRATION_TIMEOUT": (503, 5001, "try_again"),
}


@pytest.mark.parametrize("kind", sorted(EXPECTED | GATEWAY_ANSWERS))
def test_a_gateway_response_has_the_envelope(kind: str) -> None:
    answer = GATEWAY_ANSWERS[kind]
    envelope = json.loads(answer["ResponseTemplates"]["application/json"])
    assert (answer["StatusCode"], envelope["code"], envelope["data"]["reason"]) == EXPECTED[kind]
    assert envelope["msg"]
    headers = answer["ResponseParameters"]["Headers"]
    assert headers["x-request-id"] == "context.requestId"
    assert ("Retry-After" in headers) == (answer["StatusCode"] in {429, 503})


def test_only_a_stack_with_tencents_secret_may_read_it() -> None:
    statements = RESOURCES["CreateOrderRole"]["Properties"]["Policies"][0]["PolicyDocument"][
        "Statement"
    ]
    (conditional,) = (each["Fn::If"] for each in statements if "Fn::If" in each)
    condition, given, otherwise = conditional
    assert condition == "HasTencentSecret"
    assert (given["Action"], given["Resource"]) == (
        "secretsmanager:GetSecretValue",
        {"Ref": "TencentSecretArn"},
    )
    assert otherwise == {"Ref": "AWS::NoValue"}


PARAMETERS = set(template()["Parameters"])
ANSWERS_HTTP = sorted(
    name
    for name, function in FUNCTIONS.items()
    if any(event["Type"] == "Api" for event in function.get("Events", {}).values())
)
# Properties of the deployment; they change neither the code nor the settings of a version.
# Lambda keeps the reserved concurrency at the function, not at its versions.
OF_THE_DEPLOYMENT = {
    *("VersionDescription", "Events", "DeploymentPreference", "ReservedConcurrentExecutions")
}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_changed_parameter_publishes_a_version(name: str) -> None:
    """An alias stays on its version until a new one is published."""
    function = FUNCTIONS[name]
    whole = {**template()["Globals"]["Function"], **function}
    properties = {k: v for k, v in whole.items() if k not in OF_THE_DEPLOYMENT}
    variables = template()["Globals"]["Function"]["Environment"]
    described = PARAMETERS & {*references(function["VersionDescription"])}
    snap_start = {"SnapStart"} if "SnapStart" in function else set()
    assert described == PARAMETERS & {*references([properties, variables])} | snap_start
    assert whole["AutoPublishAlias"] == "live"
    assert whole["AutoPublishAliasAllProperties"] is True


@pytest.mark.parametrize("name", ANSWERS_HTTP)
def test_http_functions_can_use_snap_start(name: str) -> None:
    function = FUNCTIONS[name]
    assert function["SnapStart"] == {
        "ApplyOn": {"Fn::If": ["UsesSnapStart", "PublishedVersions", "None"]}
    }
    assert RESOURCES["CommonLayer"]["Properties"]["PublishLambdaVersion"] is True


def test_the_stage_records_no_address() -> None:
    """URLs of the pay and identity pages contain tokens."""
    api = RESOURCES["Api"]["Properties"]
    assert api["TracingEnabled"] is False, "a trace of the stage has the whole URL"
    _, access_log, nothing = api["AccessLogSetting"]["Fn::If"]
    assert nothing == {"Ref": "AWS::NoValue"}
    assert set(re.findall(r"\$context\.([\w.]+)", access_log["Format"])) == {
        *("requestId", "requestTime", "identity.sourceIp", "httpMethod", "resourcePath", "status"),
        *("responseLatency", "integrationLatency", "responseLength", "error.responseType"),
    }
    assert json.loads(access_log["Format"])
    for method in api["MethodSettings"]:
        assert "LoggingLevel" not in method, "execution logs have the whole request"
        assert not method.get("DataTraceEnabled", False)
