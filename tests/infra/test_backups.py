"""Copies in another account, and stored files that S3 can lock."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.session import Session
from moto import mock_aws

from local.places import SAM_BIN
from local.templates import read_template
from orderdesk.adapters.receipts import Bucket, s3_client
from tests.infra.translated import made
from tests.support.programs import printed
from tests.support.template import ROOT, template

BACKUPS = ROOT / "tools" / "deploy" / "backups.yaml"
RESOURCES: dict[str, Any] = read_template(BACKUPS)["Resources"]


def test_the_templates_for_administrators_have_no_fault() -> None:
    paths = [BACKUPS, BACKUPS.with_name("roles.yaml")]  # in one run, because it starts slowly
    assert printed(SAM_BIN / "cfn-lint", "--ignore-checks", "W3037", "--", *paths) == ""


def test_every_table_that_stays_is_copied_and_no_other() -> None:
    kept = {
        name
        for name, each in template()["Resources"].items()
        if each["Type"] == "AWS::DynamoDB::Table" and each.get("DeletionPolicy") != "Delete"
    }
    arns = RESOURCES["Selection"]["Properties"]["BackupSelection"]["Resources"]
    named = {arn["Fn::Sub"].rpartition("${StackName}-")[2].removesuffix("-*") for arn in arns}
    assert named == kept | {"receiptsbucket"}
    tables = [made()[name]["Properties"] for name in kept]
    assert not any("TableName" in each for each in tables), "the ARNs follow the logical ids"


def test_a_copy_outlives_every_administrator_of_the_stack() -> None:
    lock = RESOURCES["CopyVault"]["Properties"]["LockConfiguration"]
    assert lock == {"MinRetentionDays": {"Ref": "KeepDays"}, "ChangeableForDays": 3}
    (rule,) = RESOURCES["DailyPlan"]["Properties"]["BackupPlan"]["BackupPlanRule"]
    (copy,) = rule["CopyActions"]
    assert copy["Lifecycle"] == {"DeleteAfterDays": {"Ref": "KeepDays"}}


def test_receipts_are_locked_if_the_parameter_says_so() -> None:
    assert "ObjectLockConfiguration" not in made()["ReceiptsBucket"]["Properties"]
    locked = made(ReceiptLockDays="400")["ReceiptsBucket"]["Properties"]
    assert locked["ObjectLockEnabled"] is True
    retention = locked["ObjectLockConfiguration"]["Rule"]["DefaultRetention"]
    assert retention == {"Mode": "COMPLIANCE", "Days": {"Ref": "ReceiptLockDays"}}


@pytest.fixture
def locked_bucket() -> Iterator[str]:
    with mock_aws():
        s3 = boto3.client("s3", region_name="us-east-1")
        s3.create_bucket(Bucket="locked", ObjectLockEnabledForBucket=True)
        rule = {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 400}}
        configuration: Any = {"ObjectLockEnabled": "Enabled", "Rule": rule}
        s3.put_object_lock_configuration(Bucket="locked", ObjectLockConfiguration=configuration)
        yield "locked"


def test_a_receipt_can_be_stored_in_a_bucket_that_locks(locked_bucket: str) -> None:
    """S3 refuses a file without a checksum there."""
    client = s3_client(Session(), emulated=False)
    Bucket(lambda: client, locked_bucket).keep("rendered/B1/1.jpg", b"picture", "image/jpeg")
    assert client.head_object(Bucket=locked_bucket, Key="rendered/B1/1.jpg")["ContentLength"] == 7
