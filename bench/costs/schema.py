"""What of the template the bill depends on: tables, indexes, memory, what CloudWatch keeps."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from bench.costs.units import Index, Table
from tests.support.template import template

_TABLE_SUFFIX = "Table"
_FUNCTION, _API = "AWS::Serverless::Function", "AWS::Serverless::Api"


def tables() -> dict[str, Table]:
    """Give the tables by their short names (Orders, Traders, …)."""
    return {
        logical_id.removesuffix(_TABLE_SUFFIX): _table(properties)
        for logical_id, properties in _of_type("AWS::DynamoDB::Table")
    }


def memory_mb() -> dict[str, int]:
    """Give each function's memory by its folder's name (create_order, …)."""
    return {
        PurePosixPath(properties["CodeUri"]).name: properties["MemorySize"]
        for _, properties in _of_type(_FUNCTION)
    }


def pages_are_compressed() -> bool:
    """Tell whether API Gateway compresses answers for whoever can read that."""
    return any("MinimumCompressionSize" in api for _, api in _of_type(_API))


def has_detailed_metrics() -> bool:
    """Tell whether API Gateway keeps metrics of each method."""
    settings = (each for _, api in _of_type(_API) for each in api.get("MethodSettings", ()))
    return any(each.get("MetricsEnabled") for each in settings)


def lambda_logs_each_run() -> bool:
    """Tell whether Lambda's own lines of each run are in any function's log."""
    levels = (
        properties.get("LoggingConfig", {}).get("SystemLogLevel", "INFO")
        for _, properties in _of_type(_FUNCTION)
    )
    return any(level in {"DEBUG", "INFO"} for level in levels)


def count_of(resource_type: str) -> int:
    """Count the resources of a type."""
    return sum(1 for _ in _of_type(resource_type))


def api_methods() -> int:
    """Count the API's methods: with detailed metrics each has metrics of its own."""
    events = (
        event
        for _, properties in _of_type(_FUNCTION)
        for event in properties.get("Events", {}).values()
    )
    return sum(event["Type"] == "Api" for event in events)


def _of_type(resource_type: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for logical_id, resource in template()["Resources"].items():
        if resource["Type"] == resource_type:
            yield logical_id, resource["Properties"]


def _table(properties: Mapping[str, Any]) -> Table:
    indexes = (_index(each) for each in properties.get("GlobalSecondaryIndexes", ()))
    return Table(_keys(properties), tuple(indexes))


def _index(definition: Mapping[str, Any]) -> Index:
    projection = definition["Projection"]
    everything = projection["ProjectionType"] == "ALL"
    projected = None if everything else frozenset(projection.get("NonKeyAttributes", ()))
    return Index(definition["IndexName"], _keys(definition), projected)


def _keys(definition: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(key["AttributeName"] for key in definition["KeySchema"])


def parameter_default(name: str) -> int:
    """Give a numeric parameter's default."""
    default: int = template()["Parameters"][name]["Default"]
    return default
