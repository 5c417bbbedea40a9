"""What the template promises an operator, and review would not notice going missing."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from ministack.services.cloudformation import (  # type: ignore[import-untyped]
    language_extensions,
)
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from orderdesk.adapters.receipts import READ_SECONDS
from tests.support.template import ROOT, template

RESOURCES: dict[str, dict[str, Any]] = template()["Resources"]


def of_type(kind: str) -> dict[str, dict[str, Any]]:
    """Give the properties of every resource of a type."""
    return {
        name: resource.get("Properties", {})
        for name, resource in RESOURCES.items()
        if resource["Type"] == kind
    }


FUNCTIONS = of_type("AWS::Serverless::Function")
ALARMS = of_type("AWS::CloudWatch::Alarm")
TABLES = of_type("AWS::DynamoDB::Table")
VERIFIES = {"CreateOrderFunction", "IdentityPageFunction"}
LASTING_TABLES = sorted(TABLES.keys() - {"GuardsTable"})


def allowed(function: str) -> set[tuple[str, str]]:
    """Give (action, resource) of every statement that a function always has."""
    role = RESOURCES[FUNCTIONS[function]["Role"]["Fn::GetAtt"][0]]
    (policy,) = role["Properties"]["Policies"]
    pairs = set()
    for statement in policy["PolicyDocument"]["Statement"]:
        if "Fn::If" in statement:
            continue
        actions = on_aws(statement["Action"])
        resource = named(statement["Resource"])
        pairs |= {
            (action, resource) for action in ([actions] if isinstance(actions, str) else actions)
        }
    return pairs


def named(resource: Any) -> str:
    """Give the resource of a statement as it is written: Table.Arn, ${Table.Arn}/index/name, *."""
    match resource:
        case {"Fn::GetAtt": [str(logical_id), str(attribute)]}:
            return f"{logical_id}.{attribute}"
        case {"Fn::Sub": str(text)} | {"Ref": str(text)} | str(text):
            return text
    raise AssertionError(resource)


def on_aws(value: Any) -> Any:
    """Take a value's branch for AWS where the emulator needs another."""
    if isinstance(value, dict) and value.get("Fn::If", ("",))[0] == "OnAws":
        return value["Fn::If"][1]
    return value


def name_of(function: str) -> str:
    """Give a function's name after the stack's."""
    name: str = FUNCTIONS[function]["FunctionName"]["Fn::Sub"]
    return name.removeprefix("${AWS::StackName}-")


def logs_and_traces(name: str) -> set[tuple[str, str]]:
    """Give what every function may do besides its own work."""
    return {
        ("logs:CreateLogStream", f"{name}LogGroup.Arn"),
        ("logs:PutLogEvents", f"{name}LogGroup.Arn"),
        ("xray:PutTraceSegments", "*"),
        ("xray:PutTelemetryRecords", "*"),
    }


AUTHENTICATION = {
    ("dynamodb:GetItem", "MerchantsTable.Arn"),
    ("dynamodb:PutItem", "GuardsTable.Arn"),
    ("kms:Decrypt", "SecretsKey.Arn"),
}
COUNTING = {("dynamodb:UpdateItem", "GuardsTable.Arn")}
RIGHTS = {
    "CreateOrder": AUTHENTICATION
    | COUNTING
    | {
        ("kms:GenerateMac", "IdentityKey.Arn"),
        ("dynamodb:Query", "${TradersTable.Arn}/index/rotation"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
        ("dynamodb:PutItem", "OrdersTable.Arn"),
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "LedgerTable.Arn"),
        ("dynamodb:BatchGetItem", "LedgerTable.Arn"),
        ("dynamodb:GetItem", "LedgerTable.Arn"),
    },
    "MerchantApi": AUTHENTICATION
    | COUNTING
    | {
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:Query", "${OrdersTable.Arn}/index/by_merchant"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
        ("dynamodb:BatchGetItem", "LedgerTable.Arn"),
        ("dynamodb:GetItem", "LedgerTable.Arn"),
        ("dynamodb:Query", "LedgerTable.Arn"),
        ("dynamodb:UpdateItem", "LedgerTable.Arn"),
        ("dynamodb:Query", "${CallbacksTable.Arn}/index/by_merchant"),
        ("dynamodb:Query", "${CallbacksTable.Arn}/index/by_order"),
        ("dynamodb:BatchGetItem", "CallbacksTable.Arn"),
        ("dynamodb:GetItem", "CallbacksTable.Arn"),
        ("dynamodb:PutItem", "CallbacksTable.Arn"),
        ("sqs:SendMessage", "CallbacksQueue.Arn"),
    },
    "AdvanceTestOrder": AUTHENTICATION
    | COUNTING
    | {
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:Query", "${TradersTable.Arn}/index/rotation"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
        ("dynamodb:ConditionCheckItem", "TradersTable.Arn"),
        ("dynamodb:UpdateItem", "LedgerTable.Arn"),
        ("dynamodb:PutItem", "LedgerTable.Arn"),
        ("s3:PutObject", "${UploadsBucket.Arn}/uploads/*"),
        ("lambda:InvokeFunction", "RenderReceiptFunction.Alias"),
    },
    "PayPage": COUNTING
    | {
        ("dynamodb:GetItem", "MerchantsTable.Arn"),
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
        ("s3:PutObject", "${UploadsBucket.Arn}/uploads/*"),
        ("lambda:InvokeFunction", "RenderReceiptFunction.Alias"),
        ("s3:GetObject", "${ReceiptsBucket.Arn}/rendered/*/payer/*"),
    },
    "IdentityPage": COUNTING
    | {
        ("dynamodb:GetItem", "MerchantsTable.Arn"),
        ("dynamodb:Query", "${TradersTable.Arn}/index/rotation"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:PutItem", "OrdersTable.Arn"),
        ("dynamodb:DeleteItem", "OrdersTable.Arn"),
        ("kms:Decrypt", "SecretsKey.Arn"),
        ("kms:GenerateMac", "IdentityKey.Arn"),
    },
    "TraderDesk": COUNTING
    | {
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:Query", "${OrdersTable.Arn}/index/desk"),
        ("dynamodb:Query", "${TradersTable.Arn}/index/access_code"),
        ("dynamodb:GetItem", "TradersTable.Arn"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
        ("dynamodb:ConditionCheckItem", "TradersTable.Arn"),
        ("dynamodb:Query", "LedgerTable.Arn"),
        ("dynamodb:PutItem", "LedgerTable.Arn"),
        ("dynamodb:UpdateItem", "LedgerTable.Arn"),
        ("dynamodb:GetItem", "GuardsTable.Arn"),
        ("dynamodb:PutItem", "GuardsTable.Arn"),
        ("dynamodb:DeleteItem", "GuardsTable.Arn"),
        ("dynamodb:PutItem", "AuditTable.Arn"),
        ("s3:PutObject", "${UploadsBucket.Arn}/uploads/*"),
        ("lambda:InvokeFunction", "RenderReceiptFunction.Alias"),
        ("s3:GetObject", "${ReceiptsBucket.Arn}/rendered/*"),
        ("kms:GetPublicKey", "PushKey.Arn"),
    },
    "AssignSells": {
        ("dynamodb:Query", "${OrdersTable.Arn}/index/due"),
        ("dynamodb:BatchGetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:Query", "${TradersTable.Arn}/index/rotation"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
    },
    "ExpireDrafts": {
        ("dynamodb:Query", "${OrdersTable.Arn}/index/due"),
        ("dynamodb:GetItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "OrdersTable.Arn"),
        ("dynamodb:DeleteItem", "OrdersTable.Arn"),
        ("dynamodb:UpdateItem", "TradersTable.Arn"),
    },
    "RelayEvents": {
        ("dynamodb:DescribeStream", "OrdersTable.StreamArn"),
        ("dynamodb:GetShardIterator", "OrdersTable.StreamArn"),
        ("dynamodb:GetRecords", "OrdersTable.StreamArn"),
        ("dynamodb:ListStreams", "${OrdersTable.Arn}/stream/*"),
        ("sqs:SendMessage", "CallbacksQueue.Arn"),
        ("sqs:SendMessage", "RelayFailuresQueue.Arn"),
        ("dynamodb:BatchGetItem", "GuardsTable.Arn"),
        ("sqs:SendMessage", "PushesQueue.Arn"),
    },
    "SendPush": {
        ("sqs:ReceiveMessage", "PushesQueue.Arn"),
        ("sqs:DeleteMessage", "PushesQueue.Arn"),
        ("sqs:GetQueueAttributes", "PushesQueue.Arn"),
        ("sqs:ChangeMessageVisibility", "PushesQueue.Arn"),
        ("dynamodb:GetItem", "GuardsTable.Arn"),
        ("dynamodb:PutItem", "GuardsTable.Arn"),
        ("dynamodb:GetItem", "TradersTable.Arn"),
        ("kms:Sign", "PushKey.Arn"),
        ("kms:GetPublicKey", "PushKey.Arn"),
    },
    "RenderReceipt": {
        ("s3:GetObject", "${UploadsBucket.Arn}/uploads/*"),
        ("s3:GetObject", "${UploadsBucket.Arn}/refusals/*"),
        ("s3:PutObject", "${UploadsBucket.Arn}/refusals/*"),
        ("s3:PutObject", "${ReceiptsBucket.Arn}/originals/*"),
        ("s3:PutObject", "${ReceiptsBucket.Arn}/rendered/*"),
    },
    "SendCallback": {
        ("sqs:ReceiveMessage", "CallbacksQueue.Arn"),
        ("sqs:DeleteMessage", "CallbacksQueue.Arn"),
        ("sqs:GetQueueAttributes", "CallbacksQueue.Arn"),
        ("sqs:ChangeMessageVisibility", "CallbacksQueue.Arn"),
        ("sqs:SendMessage", "CallbacksDeadLetterQueue.Arn"),
        ("dynamodb:GetItem", "CallbacksTable.Arn"),
        ("dynamodb:PutItem", "CallbacksTable.Arn"),
        ("dynamodb:UpdateItem", "CallbacksTable.Arn"),
        ("dynamodb:GetItem", "MerchantsTable.Arn"),
        ("kms:Decrypt", "SecretsKey.Arn"),
    },
}


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_a_function_may_do_what_it_needs_and_nothing_else(function: str) -> None:
    name = function.removesuffix("Function")
    assert allowed(function) == RIGHTS[name] | logs_and_traces(name)


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_a_role_has_its_own_policy_only(function: str) -> None:
    role = RESOURCES[FUNCTIONS[function]["Role"]["Fn::GetAtt"][0]]["Properties"]
    assert "ManagedPolicyArns" not in role
    assert "Policies" not in FUNCTIONS[function]


def test_no_two_functions_share_a_role() -> None:
    roles = [properties["Role"]["Fn::GetAtt"][0] for properties in FUNCTIONS.values()]
    assert len(set(roles)) == len(roles)


@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_a_functions_log_is_kept_for_a_time_and_watched(function: str) -> None:
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
    assert watches == {"{ $.code = 5000 }"} | capped


@pytest.mark.parametrize("metric", ["Errors", "Throttles"])
@pytest.mark.parametrize("function", sorted(FUNCTIONS))
def test_a_function_has_an_alarm_that_names_it(function: str, metric: str) -> None:
    alarm = ALARMS[f"{function.removesuffix('Function')}{metric}Alarm"]
    assert alarm["MetricName"] == metric
    assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": function}}]
    assert name_of(function) in alarm["AlarmDescription"]


@pytest.mark.parametrize("name", sorted(ALARMS))
def test_an_alarm_tells_the_topic_in_whole_sentences(name: str) -> None:
    alarm = ALARMS[name]
    topic = {"Fn::If": ["HasOwnAlarmTopic", {"Ref": "AlarmTopic"}, {"Ref": "AlarmTopicArn"}]}
    assert alarm["AlarmActions"] == [topic]
    silence = "breaching" if name.endswith("SilentAlarm") else "notBreaching"
    assert alarm["TreatMissingData"] == silence
    assert re.fullmatch(r"[A-Za-z0-9].+\.", alarm["AlarmDescription"])


def test_what_is_read_here_is_what_is_deployed() -> None:
    """The tests expand the template's loops themselves: as the local CloudFormation does."""
    written = yaml_parse((ROOT / "template.yaml").read_text("utf-8"))
    assert written["Transform"] == ["AWS::LanguageExtensions", "AWS::Serverless-2016-10-31"]
    assert language_extensions.apply(written, {})["Resources"] == RESOURCES


@pytest.mark.parametrize("name", LASTING_TABLES)
def test_a_table_that_must_last_survives_mistakes(name: str) -> None:
    table = TABLES[name]
    assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    assert table["DeletionProtectionEnabled"] == {"Fn::If": ["ProtectsTables", True, False]}
    assert template()["Parameters"]["ProtectTables"]["Default"] == "true"
    assert RESOURCES[name]["DeletionPolicy"] == "RetainExceptOnCreate"
    assert RESOURCES[name]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_is_encrypted_and_pays_by_request(name: str) -> None:
    assert TABLES[name]["SSESpecification"] == {"SSEEnabled": True}
    assert TABLES[name]["BillingMode"] == "PAY_PER_REQUEST"


@pytest.mark.parametrize("name", ["GuardsTable", "CallbacksTable"])
def test_what_is_kept_for_a_time_is_forgotten_by_itself(name: str) -> None:
    assert TABLES[name]["TimeToLiveSpecification"] == {
        "AttributeName": "expires_at",
        "Enabled": True,
    }


def test_a_callback_is_hidden_six_times_as_long_as_its_function_may_take() -> None:
    queue = RESOURCES["CallbacksQueue"]["Properties"]
    assert queue["VisibilityTimeout"] >= 6 * FUNCTIONS["SendCallbackFunction"]["Timeout"]
    assert queue["RedrivePolicy"]["maxReceiveCount"] >= 100  # a net: ten attempts, fifty visits


def test_a_push_is_hidden_six_times_as_long_as_its_function_may_take() -> None:
    queue = RESOURCES["PushesQueue"]["Properties"]
    assert queue["VisibilityTimeout"] >= 6 * FUNCTIONS["SendPushFunction"]["Timeout"]
    assert queue["SqsManagedSseEnabled"]


def test_uploads_are_gone_after_a_day_and_receipts_are_kept_in_every_version() -> None:
    uploads, receipts = (
        RESOURCES[f"{name}Bucket"]["Properties"] for name in ("Uploads", "Receipts")
    )
    (rule,) = uploads["LifecycleConfiguration"]["Rules"]
    assert (rule["ExpirationInDays"], rule.get("Prefix")) == (1, None)
    assert "VersioningConfiguration" not in uploads, "a form would fill it with versions"
    assert receipts["VersioningConfiguration"] == {"Status": "Enabled"}
    kept = receipts["LifecycleConfiguration"]["Rules"][0]
    assert kept["ExpirationInDays"] == {"Ref": "ReceiptRetentionDays"}
    assert kept["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}


def test_the_pages_wait_longer_than_a_receipt_is_drawn() -> None:
    drawing = FUNCTIONS["RenderReceiptFunction"]
    assert drawing["EventInvokeConfig"] == {"MaximumRetryAttempts": 0}
    for page in ("PayPageFunction", "TraderDeskFunction"):
        assert drawing["Timeout"] < READ_SECONDS < FUNCTIONS[page]["Timeout"]


def test_the_secrets_key_rotates_and_outlives_the_stack() -> None:
    assert RESOURCES["SecretsKey"]["Properties"]["EnableKeyRotation"]
    assert RESOURCES["SecretsKey"]["DeletionPolicy"] == "RetainExceptOnCreate"


def test_aws_never_sees_an_endpoint_url() -> None:
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


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_the_gateways_own_answer_wears_the_envelope(kind: str) -> None:
    answer = GATEWAY_ANSWERS[kind]
    envelope = json.loads(answer["ResponseTemplates"]["application/json"])
    assert (answer["StatusCode"], envelope["code"], envelope["data"]["reason"]) == EXPECTED[kind]
    assert envelope["msg"]
    headers = answer["ResponseParameters"]["Headers"]
    assert headers["x-request-id"] == "context.requestId"
    assert ("Retry-After" in headers) == (answer["StatusCode"] in {429, 503})


def test_no_answer_of_the_gateway_is_left_out() -> None:
    assert GATEWAY_ANSWERS.keys() == EXPECTED.keys()


def test_tencents_credentials_are_readable_only_where_they_are_given() -> None:
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
# What a deployment decides for all functions; a version's code and settings do not change with it.
OF_THE_DEPLOYMENT = {"VersionDescription", "Events", "DeploymentPreference"}


def parameters_in(value: Any) -> Iterator[str]:
    """Name the template's parameters that a value refers to, at any depth."""
    if isinstance(value, list):
        for entry in value:
            yield from parameters_in(entry)
    elif isinstance(value, dict):
        for name, entry in value.items():
            if name == "Ref" and entry in PARAMETERS:
                yield entry
            elif name == "Fn::Sub":
                text, values = (entry, {}) if isinstance(entry, str) else entry
                yield from PARAMETERS.intersection(re.findall(r"\$\{(\w+)\}", text))
                yield from parameters_in(values)
            else:
                yield from parameters_in(entry)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_changed_parameter_publishes_a_version_that_knows_it(name: str) -> None:
    """An alias stays on its version: a setting that publishes none would change nothing."""
    function = FUNCTIONS[name]
    whole = {**template()["Globals"]["Function"], **function}
    properties = {k: v for k, v in whole.items() if k not in OF_THE_DEPLOYMENT}
    variables = template()["Globals"]["Function"]["Environment"]
    told = set(parameters_in(function["VersionDescription"]))
    snap_start = {"SnapStart"} if "SnapStart" in function else set()
    assert told == {*parameters_in(properties), *parameters_in(variables)} | snap_start
    assert whole["AutoPublishAlias"] == "live"
    assert whole["AutoPublishAliasAllProperties"] is True


@pytest.mark.parametrize("name", ANSWERS_HTTP)
def test_snap_start_is_a_parameter_away(name: str) -> None:
    function = FUNCTIONS[name]
    assert function["SnapStart"] == {
        "ApplyOn": {"Fn::If": ["UsesSnapStart", "PublishedVersions", "None"]}
    }
    assert RESOURCES["CommonLayer"]["Properties"]["PublishLambdaVersion"] is True


def test_the_stage_records_no_address() -> None:
    """Addresses of the pay and identity pages hold their tokens."""
    api = RESOURCES["Api"]["Properties"]
    assert api["TracingEnabled"] is False, "a trace of the stage has the whole address"
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
