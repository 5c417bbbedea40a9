"""The built artifacts, without this project's virtual environment, as on Lambda."""

import importlib.util
import re
import runpy
import sys
from pathlib import Path

import pytest
from botocore import xform_name
from botocore.session import Session

from local.places import REPOSITORY
from tests.support.programs import printed

LAYER = REPOSITORY / "layers" / "common"
OPERATIONS_USED = runpy.run_path(str(LAYER / "build_layer.py"))["OPERATIONS_USED"]
LAYER_BYTES_MAX = 30_000_000
CALL_EVERYTHING = """
import io, os, sys
sys.path[:0] = sys.argv[1:]
os.environ.update(AWS_DEFAULT_REGION="us-east-1", AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="s")
from botocore.awsrequest import AWSResponse
from botocore.session import Session
class Raw(io.BytesIO):
    def stream(self):
        yield self.getvalue()
CALLS = {
    "dynamodb": ("get_item", {"TableName": "t", "Key": {"pk": {"S": "k"}}}, b"{}"),
    "lambda": ("invoke", {"FunctionName": "f", "Payload": "{}"}, b"{}"),
    "kms": ("decrypt", {"CiphertextBlob": b"c"}, b"{}"),
    "s3": ("get_object", {"Bucket": "b", "Key": "k"}, b""),
    "secretsmanager": ("get_secret_value", {"SecretId": "s"}, b"{}"),
    "sqs": ("send_message", {"QueueUrl": "https://sqs.us-east-1.amazonaws.com/1/q",
                             "MessageBody": "m"}, b"{}"),
}
for service, (operation, parameters, body) in CALLS.items():
    client = Session().create_client(service)
    client.meta.events.register("before-send", lambda request, body=body, **_: AWSResponse(
        request.url, 200, {"Last-Modified": "Fri, 27 Nov 2026 21:41:42 GMT"}, Raw(body)))
    answer = getattr(client, operation)(**parameters)
    assert service != "s3" or str(answer["LastModified"]) == "2026-11-27 21:41:42+00:00", answer
form = Session().create_client("s3").generate_presigned_post("bucket", "key")
assert form["url"].startswith("https://bucket.s3"), form["url"]
"""


def test_the_layer_is_small(layer: Path) -> None:
    size = sum(path.stat().st_size for path in layer.rglob("*") if path.is_file())
    assert size <= LAYER_BYTES_MAX


def test_the_trimmed_models_are_enough_to_call_every_service(layer: Path) -> None:
    alone = ("-I", "-S", "-B", "-W", "error")
    assert printed(sys.executable, *alone, "-c", CALL_EVERYTHING, layer) == ""


def test_the_trimmed_models_have_the_operations_that_the_code_calls() -> None:
    source = "".join(path.read_text() for path in (LAYER / "orderdesk").rglob("*.py"))
    session = Session()
    called = {
        (service, operation)
        for service in OPERATIONS_USED
        for operation in session.get_service_model(service).operation_names
        if re.search(rf"""[."]{xform_name(operation)}[("]""", source)
    }
    called |= {("dynamodb", f"{kind}Item") for kind in ("Put", "Update", "Delete")}  # `write_alone`
    kept = {(service, name) for service, names in OPERATIONS_USED.items() for name in names}
    assert kept - called == {("s3", "CreateBucket")}  # botocore reads it to sign a form
    assert called <= kept


@pytest.mark.parametrize("architecture", ["aarch64", "x86_64"])
def test_the_layer_has_the_native_code_of(layer: Path, architecture: str) -> None:
    name = f"_pydantic_core.cpython-313-{architecture}-linux-gnu.so"
    assert (layer / "pydantic_core" / name).is_file()


def test_bytecode_is_not_checked_by_the_date_of_the_source(layer: Path) -> None:
    source = layer / "orderdesk" / "__init__.py"
    flags = int.from_bytes(
        Path(importlib.util.cache_from_source(str(source))).read_bytes()[4:8], "little"
    )
    assert flags == 0b01  # hash-based, unchecked


def test_every_module_is_compiled_and_a_librarys_source_is_left_out(layer: Path) -> None:
    assert {path.relative_to(layer).parts[0] for path in layer.rglob("*.py")} == {"orderdesk"}
    missing = [
        path
        for path in layer.rglob("*.py")
        if not Path(importlib.util.cache_from_source(str(path))).is_file()
    ]
    assert not missing
