"""The stateful resources of the last release, and changes that would replace or lose them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

# Properties whose change replaces the resource, or which AWS refuses to change (keys). They are the
# createOnlyProperties of AWS's schemas, but those of keys, which are in the documentation only.
REPLACED_BY = {
    "AWS::ApiGateway::RestApi": (),  # its id is part of the address that merchants call
    "AWS::DynamoDB::Table": ("ImportSourceSpecification", "KeySchema", "TableName"),
    # the account attaches it to its operators
    "AWS::IAM::ManagedPolicy": ("Description", "ManagedPolicyName", "Path"),
    "AWS::KMS::Key": ("KeySpec", "KeyUsage", "MultiRegion", "Origin"),
    "AWS::S3::Bucket": ("BucketName", "BucketNamePrefix", "BucketNamespace"),
    "AWS::SQS::Queue": ("FifoQueue", "QueueName"),
}
INDEXES = "GlobalSecondaryIndexes"
# Allowed until somebody has deployed a release: a single-Region key cannot be converted later.
ALLOWED_UNDEPLOYED = {("AWS::KMS::Key", "MultiRegion")}


def record(release: str, resources: Mapping[str, Any], *, is_deployed: bool) -> dict[str, Any]:
    """Return what `release.json` keeps of a release."""
    kept = {
        name: _kept(each) for name, each in sorted(resources.items()) if each["Type"] in REPLACED_BY
    }
    return {"release": release, "is_deployed": is_deployed, "resources": kept}


def written(release: Mapping[str, Any]) -> str:
    """Return a record as JSON, one resource a line."""
    head = {name: value for name, value in release.items() if name != "resources"}
    rows = (f'"{name}": {json.dumps(each)}' for name, each in release["resources"].items())
    return f'{json.dumps(head)[:-1]}, "resources": {{\n {",\n ".join(rows)}\n}}}}\n'


def _kept(resource: Mapping[str, Any]) -> dict[str, Any]:
    properties = resource.get("Properties", {})
    kept = {name: properties[name] for name in REPLACED_BY[resource["Type"]] if name in properties}
    if indexes := properties.get(INDEXES):
        kept[INDEXES] = {each["IndexName"]: each["KeySchema"] for each in indexes}
    policy = {name: resource.get(name) for name in ("Type", "DeletionPolicy")}
    return {**policy, "Properties": kept}


def lost(last: Mapping[str, Any], resources: Mapping[str, Any]) -> Iterator[str]:
    """Yield a finding for each stateful resource that an update of the last release would lose."""
    now = record("", resources, is_deployed=False)["resources"]
    for name, before in last["resources"].items():
        after = now.get(name)
        if after is None:
            yield f"{name} is no longer deployed: release {last['release']} has its data"
            continue
        if after["Type"] != before["Type"]:
            yield f"{name} is replaced: its type was {before['Type']}"
            continue
        if after["DeletionPolicy"] != before["DeletionPolicy"]:
            yield f"{name}: its DeletionPolicy was {before['DeletionPolicy']}"
        yield from _replaced(name, before, after, is_deployed=last["is_deployed"])


def _replaced(
    name: str, before: Mapping[str, Any], after: Mapping[str, Any], *, is_deployed: bool
) -> Iterator[str]:
    old, new = before["Properties"], after["Properties"]
    for each in REPLACED_BY[before["Type"]]:
        is_allowed = not is_deployed and (before["Type"], each) in ALLOWED_UNDEPLOYED
        if old.get(each) != new.get(each) and not is_allowed:
            yield f"{name} is replaced: {each} was {old.get(each)}"
    then, now = old.get(INDEXES, {}), new.get(INDEXES, {})
    changed = [index for index in {**then, **now} if then.get(index) != now.get(index)]
    if len(changed) > 1:
        yield f"{name}: an update creates or deletes one index, not {', '.join(changed)}"
